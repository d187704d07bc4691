"""Long sequences, pots and a pile taken as a whole, against definitions that try everything."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from property.invariants import check_state
from property.long_checks import check_long_steps

from canasta.engine.actions.burraco import can_take_pile
from canasta.engine.actions.codec import is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.actions.space import StepSpace
from canasta.engine.cards import ACE, JOKER_CODE, JOKER_KIND, KINDS, RANK_OF, TWO_OF_CLUBS, cards_text
from canasta.engine.determinize import determinize
from canasta.engine.families.factory import compile_rules
from canasta.engine.law.pile import why_not_take_as_it_lies
from canasta.engine.law.reasons import OK
from canasta.engine.moves.apply import why_not
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.play.scoring import score_hand
from canasta.engine.position import Position, set_up
from canasta.engine.rng import Rng
from canasta.engine.sequences import (
    EITHER_END,
    ENDS,
    FREE,
    HIGH_END,
    LOCKED,
    LOW_END,
    MOST_KNOWN,
    NO_RUN,
    RunRules,
    kind_at,
    kinds_in,
    naturals_of,
    new_run,
    pack_long_run,
    readings,
    run_with,
    run_with_natural,
    run_with_wild,
    stands_inside,
    wild_at,
    wild_in,
)
from canasta.engine.state import DRAW, OVER, PLAY, HandState
from canasta.engine.view import HIDDEN, View, state_facts
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset, player_numbers

PRESETS = ("burraco", "buraco-aberto", "buraco-fechado", "buraco-stbl")
TABLES: list[tuple[str, int, dict[str, object]]] = [
    (preset, players, {}) for preset in PRESETS for players in player_numbers(preset)
] + [
    ("burraco", 2, {"melds.wild_moves": "locked"}),
    ("burraco", 4, {"melds.wild_moves": "free", "hand_size": 5}),
    ("burraco", 2, {"pile.take": "use_top", "hand_size": 4, "deal.pots": [5, 5]}),
    ("buraco-fechado", 2, {"going_out.by": "discard", "going_out.last_discard": "natural", "hand_size": 4}),
    (
        "buraco-aberto",
        2,
        {"hand_size": 3, "pile.no_return": True, "deal.pots": [5], "melds.set_ranks": "all"},
    ),
    ("burraco", 2, {"deal.pots": [], "hand_size": 3, "melds.run_ace": "high", "deck.natural_twos": False}),
    ("burraco", 4, {"melds.set_ranks": "aces_threes", "melds.run_wilds": 0, "turn.draw": 2}),
]


def rules_of_runs(moves: int, *, most: int = 13) -> RunRules:
    return RunRules(most=most, wilds=1, low_ace=True, natural_twos=True, wild_moves=moves)


# -- which cards make a sequence --------------------------------------------------------------------------


TWO, JOKER = 11, 12


def is_sequence(rules: RunRules, kinds: tuple[int, ...], low: int) -> bool:
    """MELD-14: return whether these cards, in this order from this place up, are a sequence."""
    suits = {kind & 3 for kind in kinds if RANK_OF[kind] not in (TWO, JOKER)}
    if len(suits) != 1 or low < rules.lowest or low + len(kinds) > 15 or len(kinds) < 3:
        return False
    suit = suits.pop()
    there = dict(enumerate(kinds, low))
    wilds = [kind for place, kind in there.items() if kind != kind_at(suit, place)]
    if any(RANK_OF[kind] not in (TWO, JOKER) for kind in wilds):
        return False
    aces = sum(1 for kind in kinds if kind >> 2 == ACE)
    naturals = len(kinds) - len(wilds)
    return len(wilds) <= rules.wilds and (aces < 2 or rules.most == 14) and naturals <= rules.most


def all_readings(rules: RunRules, kinds: list[int]) -> set[tuple[int, tuple[int, ...]]]:
    return {
        (low, order)
        for order in set(permutations(kinds))
        for low in range(1, 15)
        if is_sequence(rules, order, low)
    }


def some_cards(rng: Rng, count: int) -> list[int]:
    """Return cards that often make a sequence: near each other, of one suit, with a two or a joker."""
    suit, low = rng.below(4), 1 + rng.below(12)
    cards: list[int] = []
    for _ in range(count):
        chance = rng.below(12)
        if chance == 0:
            cards.append(JOKER_KIND)
        elif chance == 1:
            cards.append(TWO_OF_CLUBS + rng.below(4))
        else:
            cards.append(kind_at(suit if chance < 11 else rng.below(4), min(14, low + rng.below(count + 1))))
    return cards


@pytest.mark.parametrize("most", [13, 14])
def test_readings_are_those_that_brute_force_finds(most: int) -> None:
    rng = Rng(f"readings {most}")
    rules = rules_of_runs(ENDS, most=most)
    sequences = 0
    for _ in range(1500):
        kinds = some_cards(rng, 3 + rng.below(3))
        found = {((run >> 4) & 15, tuple(kinds_in(run))) for run in readings(rules, kinds)}
        assert found == all_readings(rules, kinds), cards_text(kinds)
        sequences += bool(found)
    assert sequences > 200


def may_become(rules: RunRules, before: int, after: tuple[int, tuple[int, ...]]) -> bool:
    """MELD-15, from the cards: which of them stay in place, and what the wild card does."""
    low, order = after
    now = dict(enumerate(order, low))
    then = dict(enumerate(kinds_in(before), (before >> 4) & 15))
    if rules.wild_moves == FREE:
        return True
    wild = wild_at(before) if wild_in(before) else 0
    for place, kind in then.items():
        if place == wild or now.get(place) == kind:
            continue
        # Only one natural card may leave its place: a two at the low end, if it becomes the one wild card.
        if rules.wild_moves == LOCKED or wild or place != 2 or place != min(then):
            return False
    if not wild or now.get(wild) == then[wild]:
        return True
    frees_it = now.get(wild) == kind_at((before >> 8) & 7, wild)
    inside = min(then) < wild < max(then)
    return frees_it or (rules.wild_moves == ENDS and not inside)


@pytest.mark.parametrize("moves", [LOCKED, ENDS, FREE])
def test_a_card_joins_a_run_where_brute_force_lets_it(moves: int) -> None:
    rng = Rng(f"joining {moves}")
    rules = rules_of_runs(moves)
    joined = refused = 0
    while joined + refused < 1500:
        run = new_run(rules, some_cards(rng, 3 + rng.below(2)))
        if run == NO_RUN:
            continue
        kind = some_cards(rng, 1)[0] if rng.below(3) == 0 else kind_at((run >> 8) & 7, 1 + rng.below(14))
        ways = [way for way in all_readings(rules, [*kinds_in(run), kind]) if may_become(rules, run, way)]
        after = run_with(rules, run, [kind], EITHER_END)
        assert (after != NO_RUN) == bool(ways), f"{cards_text(kinds_in(run))} and {cards_text([kind])}"
        if after == NO_RUN:
            refused += 1
            continue
        joined += 1
        for end in (EITHER_END, LOW_END, HIGH_END):
            chosen = run_with(rules, run, [kind], end)
            assert ((chosen >> 4) & 15, tuple(kinds_in(chosen))) in ways
    assert joined > 200
    assert refused > 200


def test_no_more_is_remembered_than_there_is_room_for() -> None:
    rules = rules_of_runs(LOCKED)
    run = new_run(rules, [kind_at(1, place) for place in (5, 6, 7)])
    rules.known = dict.fromkeys(range(-MOST_KNOWN, 0), NO_RUN)
    for _ in range(2):
        assert run_with_natural(rules, run, 8, EITHER_END) == pack_long_run(1, 5, 4, 0, 0)
        assert run_with_wild(rules, run, JOKER_CODE, HIGH_END) == pack_long_run(1, 5, 4, 8, JOKER_CODE)
        assert len(rules.known) == 2


@pytest.mark.parametrize(
    "preset", [preset for preset in PRESETS if load_ruleset(preset).pile.take == "use_top"]
)
def test_the_pile_is_taken_where_its_top_card_can_be_laid(preset: str) -> None:
    """Asking leads to the same answer as lifting the top card at the table."""
    rng = Rng(f"lifting {preset}")
    answers: Counter[bool] = Counter()
    for hand in range(40):
        state = deal_from_seed(
            compile_rules(load_ruleset(preset, 4, {"hand_size": 2 + hand % 6})),
            seed=f"lifting {hand}", hand_number=1, dealer=0, scores=[0, 0],
        )  # fmt: skip
        for _ in range(60):
            if state.phase == OVER:
                break
            if state.phase == DRAW and why_not_take_as_it_lies(state) == OK:
                lifted = state.copy()
                make_step(lifted, state.compiled.layout.take_pile_step)
                assert can_take_pile(state) == bool(legal_steps(lifted))
                answers[can_take_pile(state)] += 1
            steps = legal_steps(state)
            make_step(state, steps[rng.below(len(steps))])
    assert min(answers[True], answers[False]) > 20


def test_a_run_as_one_number() -> None:
    rules = rules_of_runs(ENDS)
    run = new_run(rules, [kind_at(2, 5), JOKER_KIND, kind_at(2, 7)])
    assert cards_text(kinds_in(run)) == "5h Jo 7h"
    assert (wild_at(run), stands_inside(run), naturals_of(run)) == (6, True, 1 << 5 | 1 << 7)


# -- whole hands ------------------------------------------------------------------------------------------


def dealt(preset: str, players: int, options: dict[str, object], hand: int) -> HandState:
    rules = load_ruleset(preset, players, options)
    return deal_from_seed(
        compile_rules(rules), seed=f"long {hand}", hand_number=1, dealer=0, scores=[0] * rules.seats.sides
    )


def check_steps(state: HandState, steps: list[int]) -> None:
    """Check that each step is a person's move, gives the same state, and lets the turn end."""
    check_long_steps(state, steps)
    for step in steps:
        after = made(state, step)
        assert after.top_due or after.compiled.family.why_not_end(after) == OK


def check_view(state: HandState, steps: list[int], rng: Rng) -> None:
    view = View(state, state.turn, [0] * state.sides)
    assert legal_steps(view.state) == steps
    assert all(card == HIDDEN for pot in view.state.pots for card in pot)
    assert View(determinize(view, rng), state.turn, [0] * state.sides) == view


def can_end(state: HandState, tried: set[tuple[object, ...]]) -> bool:
    """Return whether some sequence of steps that lay cards leads to a discard, to a pot or out.

    All of them are tried, even those after which the turn could not be ended.
    """
    facts = state_facts(state)
    if facts in tried:
        return False
    tried.add(facts)
    seat = state.turn
    if state.phase == OVER or state.size(seat) > 4:
        return True
    for kind in range(KINDS):
        if state.held(seat, kind) and why_not(state, parse_move(f"discard {cards_text([kind])}")) is None:
            return True
    return any(can_end(after, tried) for after in laid_anyhow(state))


def laid_anyhow(state: HandState) -> Iterator[HandState]:
    """Yield the states that laying cards reaches, dead ends included: the legal steps of a larger hand."""
    richer = state.copy()
    for kind in range(KINDS):
        if state.held(state.turn, kind) == 0 and RANK_OF[kind] == 5:
            richer.give(state.turn, kind)
    richer.give(state.turn, 0)
    richer.give(state.turn, 0)
    for step in legal_steps(richer):
        if is_discard(step):
            continue
        after = state.copy()
        try:
            move = move_of_step(state, step)
        except IndexError:
            continue
        held = Counter(kind for kind in range(KINDS) for _ in range(state.held(state.turn, kind)))
        cards = getattr(move, "cards", ()) or [card for meld in getattr(move, "melds", ()) for card in meld]
        if Counter(cards) - held:
            continue
        make_step(after, step)
        if after.stuck == OK:
            yield after


@pytest.mark.parametrize(("preset", "players", "options"), TABLES)
def test_whole_hands(preset: str, players: int, options: dict[str, object]) -> None:
    """Random hands reach their end: no dead end and no lost card, and steps, moves and views agree."""
    ends = 0
    for hand in range(4):
        state = dealt(preset, players, options, hand)
        space = StepSpace(state.compiled)
        rng = Rng(f"{preset} {hand}")
        number = 0
        while state.phase != OVER:
            steps = legal_steps(state)
            assert steps
            assert all(step in space.index for step in steps)
            check_state(state)
            if number % 9 == 0:
                check_steps(state, steps)
                check_view(state, steps, rng)
            if state.phase == PLAY and state.size(state.turn) <= 3 and not state.top_due:
                assert can_end(state, set())
            laying = [step for step in steps if state.phase != DRAW and not is_discard(step)]
            chosen = laying if laying and rng.below(3) else steps
            make_step(state, chosen[rng.below(len(chosen))])
            number += 1
            assert number < 5000
        ends += 1
        assert state.out < 0 or state.size(state.out) == 0
        assert all(sheet.total == sum(sheet.lines.values()) for sheet in score_hand(state))
    assert ends == 4


@pytest.mark.parametrize("preset", PRESETS)
def test_a_last_card_that_cannot_go_is_never_left(preset: str) -> None:
    """In small hands a step that lays cards is legal exactly when the turn can still be ended."""
    options = {"hand_size": 4, "deal.pots": []}
    looked = refused = 0
    for hand in range(60):
        state = dealt(preset, 2, options, hand)
        rng = Rng(f"small {preset} {hand}")
        while state.phase != OVER and looked < 400:
            if state.phase == PLAY and state.size(state.turn) <= 4 and not state.top_due:
                legal = set(legal_steps(state))
                looked += 1
                for after in laid_anyhow(state):
                    ends = after.phase == OVER or can_end(after, set())
                    refused += not ends
                    moved = any(state_facts(after) == state_facts(made(state, step)) for step in legal)
                    assert moved == ends
            steps = legal_steps(state)
            laying = [step for step in steps if state.phase != DRAW and not is_discard(step)]
            chosen = laying if laying and rng.below(4) else steps
            make_step(state, chosen[rng.below(len(chosen))])
    assert looked > 100
    assert refused > 0


def made(state: HandState, step: int) -> HandState:
    after = state.copy()
    make_step(after, step)
    return after


def test_a_second_two_of_the_suit_is_a_step_where_the_first_is_natural() -> None:
    rules = compile_rules(load_ruleset("burraco", 4))
    two = kind_at(2, 2)
    run = [kind_at(2, place) for place in range(2, 6)]
    state = set_up(rules, Position(hands={0: [two, 0, 1]}, melds={0: [run]}, phase="play"))
    moves = [str(move_of_step(state, step)) for step in legal_steps(state)]
    assert "add 2h to run#1" in moves
