"""Invariants of every state of every hand."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from property.definitions import (
    SAMBA,
    canasta,
    card_value,
    is_run,
    is_set,
    is_wild_set,
)
from property.long_checks import check_long_melds, check_pots

from canasta.engine.cards import BLACK_THREE, CALIENTE_KIND, KINDS, RANK_OF, RANKS, RED_THREE, full_deck
from canasta.engine.melds import ROW_BLACK_THREES, ROW_WILD, run_length, run_low, run_suit
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState
from canasta.rules.model import Ruleset


@cache
def whole_deck(decks: int, caliente_cards: bool) -> list[int]:
    counts = [0] * KINDS
    for kind in full_deck(decks, caliente_cards):
        counts[kind] += 1
    return counts


def check_state(state: HandState) -> None:
    """Check all invariants of a single state."""
    check_cards(state)
    check_hands(state)
    if state.compiled.family.name == "burraco":
        check_long_melds(state)
        check_pots(state)
    else:
        check_melds(state)
    check_turn(state)
    if state.before_take is not None:
        check_cards(state.before_take)
        check_hands(state.before_take)


def check_cards(state: HandState) -> None:
    """Check that every card of the decks is in exactly one place."""
    deck = state.compiled.rules.deck
    found = [sum(column) for column in zip(*map(state.cards_of, range(len(state.side_of))), strict=True)]
    places = [state.pile, state.deck[state.at :], *state.bonus, *state.talons, state.special_cards]
    places += [foot for foot, waits in zip(state.feet, state.feet_wait(), strict=True) if waits]
    places += [
        *state.pots,
        *([card & 63 for card in laid] for laid in map(state.cards_laid_by, range(state.sides))),
    ]
    for place in places:
        for kind in place:
            found[kind] += 1
    found[CALIENTE_KIND] += sum(state.caliente_played(side) for side in range(state.sides))
    assert found == whole_deck(deck.decks, deck.caliente_cards)


def check_hands(state: HandState) -> None:
    """Check that counts by kind, counts by rank and sizes agree, and that cards known to all are held."""
    for seat in range(len(state.side_of)):
        cards = state.cards_of(seat)
        counts = [0] * RANKS
        for kind, count in enumerate(cards):
            assert count >= 0
            counts[state.compiled.rank_of[kind]] += count
        assert counts == state.counts_of(seat)
        assert state.size(seat) == sum(cards)
        assert all(known <= held for known, held in zip(state.known_of(seat), cards, strict=True))
        if seat not in state.order:
            assert state.size(seat) == 0
            assert not state.foot_waits(seat)
        if not state.compiled.by_hand and not state.compiled.threes_on_turn:
            assert counts[RED_THREE] == 0
        if state.compiled.threes_on_turn and seat == state.turn and state.phase != OVER:
            may_keep = state.compiled.keep_three and (
                state.melded_now or not state.opened(state.side_of[seat])
            )
            assert counts[RED_THREE] + counts[BLACK_THREE] <= int(may_keep)


def melds_laid(state: HandState, side: int) -> dict[int, list[int]]:
    """Return the cards of each meld of a side, by the meld's number in `cards_laid_by`."""
    melds: dict[int, list[int]] = {}
    for card in state.cards_laid_by(side):
        melds.setdefault(card >> 6, []).append(card & 63)
    return melds


def check_melds(state: HandState) -> None:
    """Check that melds are legal and that their counts match their cards."""
    tables = state.compiled
    rules = tables.rules
    runs_from = tables.slots.count
    for side in range(state.sides):
        naturals = [0] * runs_from
        wilds = [0] * runs_from
        canastas = [0, 0, 0, 0]
        points = 0
        runs: list[int] = []
        for number, kinds in melds_laid(state, side).items():
            ranks = [RANK_OF[kind] for kind in kinds]
            points += sum(card_value(rules, rank) for rank in ranks)
            if number >= runs_from:
                assert number == runs_from + len(runs)
                runs.append(number)
                canastas[SAMBA] += _check_run(state, side, number - runs_from, kinds)
                continue
            kind = _check_set(state, tables.slots.row_of(number), ranks)
            naturals[number] = sum(1 for rank in ranks if rank < ROW_WILD or rank == BLACK_THREE)
            wilds[number] = len(ranks) - naturals[number]
            if kind is not None:
                canastas[kind] += 1
        assert naturals == state.naturals_of(side)
        assert wilds == state.wilds_of(side)
        assert canastas == state.canasta_counts(side)
        assert points == state.points(side)
        assert len(runs) == len(state.runs[side])
        assert state.sets_of(side) == [number for number in melds_laid(state, side) if number < runs_from]
        _check_sets_of_a_rank(state, side)
        threes = (RED_THREE, BLACK_THREE) if rules.deck.threes == "bonus" else (RED_THREE,)
        assert all(RANK_OF[kind] in threes for kind in state.bonus[side])


def _check_run(state: HandState, side: int, index: int, kinds: list[int]) -> int:
    """Check that a run is legal and stored as its cards are; return 1 for a samba."""
    rules = state.compiled.rules
    ordered = sorted(kinds, key=lambda kind: RANK_OF[kind])
    run = state.runs[side][index]
    assert is_run(rules, [RANK_OF[kind] for kind in ordered], [kind & 3 for kind in ordered])
    assert (run_low(run), run_length(run)) == (RANK_OF[ordered[0]], len(ordered))
    assert run_suit(run) == (ordered[0] & 3 if rules.melds.same_suit_runs else 4)
    return int(len(kinds) == rules.melds.canasta_size)


def _check_set(state: HandState, row: int, ranks: list[int]) -> int | None:
    """Check that a set is legal; return which canasta it is."""
    rules = state.compiled.rules
    if row == ROW_BLACK_THREES:
        assert set(ranks) == {BLACK_THREE}
        assert len(ranks) >= 3
        return None
    wilds = sum(1 for rank in ranks if rank != row)
    if row == ROW_WILD:
        assert is_wild_set(rules, len(ranks))
        return canasta(rules, 0, len(ranks))
    assert is_set(rules, len(ranks) - wilds, wilds)
    return canasta(rules, len(ranks) - wilds, wilds)


def _check_sets_of_a_rank(state: HandState, side: int) -> None:
    """MELD-5; the sets of a rank are numbered without gaps."""
    slots = state.compiled.slots
    rule = state.compiled.rules.melds.sets_per_rank
    for row, numbers in _by_row(state, side):
        assert sorted(numbers) == list(range(slots.first_slot(row), slots.first_slot(row) + len(numbers)))
        if rule == "one":
            assert len(numbers) == 1
        elif rule == "one_open":
            is_open = [state.size_of_set(side, slot) < state.compiled.canasta_size for slot in numbers]
            assert sum(is_open) <= 1


def _by_row(state: HandState, side: int) -> Iterator[tuple[int, list[int]]]:
    rows: dict[int, list[int]] = {}
    for slot in state.sets_of(side):
        rows.setdefault(state.compiled.slots.row_of(slot), []).append(slot)
    yield from rows.items()


def check_turn(state: HandState) -> None:
    """Check that the facts of the turn agree."""
    assert state.turn in state.order
    assert state.phase in (DRAW, PLAY, ANSWER, OVER)
    assert state.stuck == 0
    assert (state.answering >= 0) == (state.phase == ANSWER)
    no_opening = state.compiled.no_opening
    for side in range(state.sides):
        if side != state.side_of[state.turn]:
            assert state.opened(side) == (no_opening or bool(state.cards_laid_by(side)))
    mine = state.side_of[state.turn]
    if no_opening:
        assert state.opened(mine)
    elif state.opened(mine):
        assert state.cards_laid_by(mine)
    elif state.cards_laid_by(mine):
        assert state.melded_now
    if state.phase == DRAW:
        assert not state.melded_now
        assert not state.pile_due
    # Nobody goes out without the required canastas, so no hand is empty during play.
    if state.phase != OVER:
        assert state.out == -1
        for seat in state.order:
            assert state.size(seat) > 0 or _may_be_empty(state, seat)
    elif state.out >= 0:
        assert state.size(state.out) == 0
        assert not state.foot_waits(state.out)


def _may_be_empty(state: HandState, seat: int) -> bool:
    """Return whether the hand may be empty for a moment.

    It may in the middle of a first meld that brings the pile, while a talon waits, and when the last three
    was laid and the stock had no card to replace it.
    """
    if state.talons[seat] or (state.compiled.threes_on_turn and state.stock_size() == 0):
        return True
    return seat == state.turn and state.pile_due


def frozen_by(rules: Ruleset, pile: list[int]) -> bool:
    """DISC-2, DEAL-5: a wild card or a red three is in the pile."""
    ranks = Counter(RANK_OF[kind] for kind in pile)
    return any(count for rank, count in ranks.items() if 11 <= rank <= RED_THREE)


def check_frozen(state: HandState) -> None:
    # While the rest of the pile is due, it stays in place, unchanged but for its missing top card.
    if state.compiled.takes_at_once:
        assert not state.frozen
    elif not state.pile_due:
        assert state.frozen == frozen_by(state.compiled.rules, state.pile)
