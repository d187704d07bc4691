"""Invariants of games with long sequences, beyond those of every game."""

from collections import Counter

from property.definitions import is_set
from property.score import rank_bonuses, threes_of_a_rank, unfinished
from refusal_texts import check_refusal_text

from canasta.engine.actions.codec import START_NATURALS, START_PAIR
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ACE, JOKER, JOKER_KIND, RANK_OF, TWO, TWO_OF_CLUBS
from canasta.engine.melds import run_length, run_low, run_suit
from canasta.engine.moves.apply import try_move, why_not
from canasta.engine.moves.legal_moves import legal_whole_moves, move_of_step
from canasta.engine.sequences import kind_at, kinds_in, wild_at, wild_in
from canasta.engine.state import HandState
from canasta.engine.view import state_facts
from canasta.notation.moves import parse_move
from canasta.rules.model import Ruleset

WILD_RANKS = (TWO, JOKER)


def is_long_run(rules: Ruleset, suit: int, low: int, kinds: list[int]) -> bool:
    """MELD-14, DECK-6: return whether these cards, from this place up, may be on the table."""
    melds = rules.melds
    lowest = 1 if melds.run_ace == "both" else 2
    if len(kinds) < 3 or low < lowest or low + len(kinds) > 15:
        return False
    wilds = naturals = aces = 0
    for place, kind in enumerate(kinds, low):
        is_own = kind == kind_at(suit, place) and (place != 2 or rules.deck.natural_twos)
        if is_own:
            naturals += 1
            aces += kind >> 2 == ACE
        elif RANK_OF[kind] in WILD_RANKS:
            wilds += 1
        else:
            return False
    return wilds <= melds.run_wilds and naturals <= melds.run_most and (aces < 2 or melds.run_most == 14)


def check_long_melds(state: HandState) -> None:
    """Check that melds are legal and that their counts match their cards."""
    compiled = state.compiled
    rules = compiled.rules
    for side in range(state.sides):
        melds: dict[int, list[int]] = {}
        for card in state.cards_laid_by(side):
            melds.setdefault(card >> 6, []).append(card & 63)
        canastas = [0, 0, 0, 0]
        runs = 0
        for number, kinds in melds.items():
            if number >= compiled.slots.count:
                run = state.runs[side][number - compiled.slots.count]
                assert sorted(kinds_in(run)) == sorted(kinds)
                assert is_long_run(rules, run_suit(run), run_low(run), kinds_in(run))
                wilds = int(wild_in(run) > 0)
                runs += 1
            else:
                wilds = sum(1 for kind in kinds if RANK_OF[kind] in WILD_RANKS)
                row = compiled.slots.row_of(number)
                ranks = {compiled.rank_of[kind] for kind in kinds if RANK_OF[kind] not in WILD_RANKS}
                assert ranks == {compiled.rank_of_row[row]}
                assert row in compiled.set_rows
                assert is_set(rules, len(kinds) - wilds, wilds)
                assert (state.naturals(side, number), state.wilds(side, number)) == (
                    len(kinds) - wilds,
                    wilds,
                )
            if len(kinds) >= rules.melds.canasta_size:
                canastas[1 if wilds else 0] += 1
        assert runs == len(state.runs[side])
        assert canastas == state.canasta_counts(side)
        assert state.points(side) == sum(
            compiled.values[compiled.rank_of[card & 63]] for card in state.cards_laid_by(side)
        )


def check_pots(state: HandState) -> None:
    """OUT-9: each side takes at most one pot, and no pot waits for a side that has taken one."""
    sizes = state.compiled.rules.deal.pots
    taken = sum(1 for taker in state.pot_takers() if taker >= 0)
    assert len(state.pots) + taken <= len(sizes)
    if not state.compiled.pot_becomes_stock:
        assert len(state.pots) + taken == len(sizes)
    for seat in state.order:
        waits = bool(state.pots) and state.pot_taker(state.side_of[seat]) < 0
        assert state.foot_waits(seat) == waits
    for side, taker in enumerate(state.pot_takers()):
        assert taker < 0 or state.side_of[taker] == side


def check_long_steps(state: HandState, legal: list[int]) -> None:
    """Check that each step is listed once, can be written as a move, and gives the same state as it."""
    assert len(set(legal)) == len(legal)
    for step in legal:
        move = move_of_step(state, step)
        assert parse_move(str(move)) == move
        after = state.copy()
        make_step(after, step)
        assert state_facts(after) == state_facts(try_move(state, move, partial=True))
    for whole in legal_whole_moves(state):
        assert why_not(state, whole) is None, whole


def check_no_other_move(state: HandState, legal: list[int], steps: list[int]) -> None:
    """Check that no legal move is missing from the legal steps.

    If a person may make one of these steps as a move, some legal step leads to the same state. If not, the
    refusal changes nothing and gives its reason. A new set of a rank that is already on the table adds
    several cards to it, so it isn't a step of its own.
    """
    before = state_facts(state)
    reached = {_where(_made(state, step)) for step in legal}
    runs = len(state.runs[state.side_of[state.turn]])
    for step in steps:
        decoded = state.compiled.layout.decoded[step]
        if step in legal or decoded.number >= max(runs, 1):
            continue
        side = state.side_of[state.turn]
        if decoded.slot >= 0 and state.size_of_set(side, decoded.slot) == 0:
            continue
        starts = decoded.what in (START_NATURALS, START_PAIR)
        if starts and state.size_of_set(side, state.compiled.slots.first_slot(decoded.row)) > 0:
            continue
        try:
            move = move_of_step(state, step)
        except IndexError:
            continue  # that run doesn't exist
        refusal = why_not(state, move, partial=True)
        if refusal is None:
            assert _where(try_move(state, move, partial=True)) in reached, f"{move} is no legal step"
        else:
            check_refusal_text(refusal)
    assert state_facts(state) == before


def _made(state: HandState, step: int) -> HandState:
    after = state.copy()
    make_step(after, step)
    return after


def _where(state: HandState) -> tuple[object, ...]:
    """Return a state, without the end of the run to which a free wild card belongs."""
    laid = tuple(tuple(sorted(cards)) for cards in map(state.cards_laid_by, range(state.sides)))
    hands = tuple(tuple(state.cards_of(seat)) for seat in state.order)
    return (state.turn, state.phase, hands, laid, tuple(state.pile), len(state.pots))


# -- the score --------------------------------------------------------------------------------------------


def expected_grades(state: HandState, side: int) -> dict[str, int]:
    """SCOR-20, from the cards on the table."""
    rules = state.compiled.rules
    scoring, size = rules.scoring, rules.melds.canasta_size
    found: Counter[str] = Counter(clean=0, semi_clean=0, dirty=0)
    for slot in state.sets_of(side):
        naturals, wilds = state.naturals(side, slot), state.wilds(side, slot)
        if naturals + wilds < size:
            continue
        if not wilds:
            found["clean"] += scoring.natural_canasta
        else:
            semi = wilds == 1 and (naturals == size or (scoring.semi_clean_nine and naturals > size))
            _add_mixed(found, rules, semi=semi)
    for run in state.runs[side]:
        length = run_length(run)
        if length < size:
            continue
        if not wild_in(run):
            points = {14: scoring.run_14 or scoring.run_13, 13: scoring.run_13}.get(length, 0)
            found["clean"] += points or scoring.natural_canasta
        else:
            below = wild_at(run) - run_low(run)
            beside = max(below, length - below - 1)
            at_end = beside == length - 1
            _add_mixed(found, rules, semi=beside >= size and (at_end or scoring.semi_clean_inside))
    return dict(found)


def _add_mixed(found: Counter[str], rules: Ruleset, *, semi: bool) -> None:
    if semi and rules.scoring.semi_clean:
        found["semi_clean"] += rules.scoring.semi_clean
    else:
        found["dirty"] += rules.scoring.mixed_canasta


def expected_pot(state: HandState, side: int) -> int:
    """SCOR-21"""
    scoring = state.compiled.rules.scoring
    taker = state.pot_taker(side)
    if taker >= 0:
        costs = scoring.pot_not_taken_if == "unplayed" and not state.foot_played(taker)
    else:
        costs = scoring.pot_not_taken_if != "other_took" or any(other >= 0 for other in state.pot_takers())
    return -scoring.pot_not_taken if costs else 0


def value_of(rules: Ruleset, kind: int) -> int:
    """DECK-2, DECK-5"""
    deck = rules.deck
    if kind == JOKER_KIND:
        return deck.joker_value
    if TWO_OF_CLUBS <= kind < TWO_OF_CLUBS + 4:
        return deck.two_value
    if kind > TWO_OF_CLUBS:
        return deck.black_three_value
    rank = kind >> 2
    return deck.ace_value if rank == ACE else deck.high_value if rank >= 4 else deck.low_value


def expected_long_lines(state: HandState, side: int, is_concealed: bool) -> dict[str, int]:
    """Return the expected score sheet of a side; `is_concealed` is about the player who went out, if any."""
    rules = state.compiled.rules
    seats = [seat for seat in state.order if state.side_of[seat] == side]
    left = [kind for seat in seats for kind, count in enumerate(state.cards_of(seat)) for _ in range(count)]
    lines = dict.fromkeys(state.compiled.score.lines, 0)
    lines["cards_in_hand"] = -sum(value_of(rules, kind) for kind in left)
    melded = sum(value_of(rules, card & 63) for card in state.cards_laid_by(side))
    canastas = state.canasta_counts(side)
    needed = rules.going_out
    enough = sum(canastas) >= needed.canastas and (
        canastas[0] >= needed.natural and canastas[1] >= needed.mixed
    )
    if rules.scoring.canasta_for_positive_score and not enough:
        return lines | {"melded_cards": -melded}
    lines["melded_cards"] = -melded if sum(canastas) < rules.scoring.melds_minus_below else melded
    if rules.scoring.grades:
        lines |= expected_grades(state, side)
    else:
        lines["natural_canastas"] = canastas[0] * rules.scoring.natural_canasta
        lines["mixed_canastas"] = canastas[1] * rules.scoring.mixed_canasta
    if rules.deal.pots:
        lines["pot_not_taken"] = expected_pot(state, side)
    if state.out in seats:
        lines["going_out"] = rules.scoring.going_out
        lines["concealed"] = rules.scoring.concealed if is_concealed else 0
    more = {
        "natural_canastas": rank_bonuses(state, side),
        "unfinished_melds": -unfinished(state, side),
        "aces_and_sevens_in_hand": -sum(threes_of_a_rank(state, seat) for seat in seats),
    }
    for line, points in more.items():
        if points:
            lines[line] += points
    return lines
