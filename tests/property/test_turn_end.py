"""Whether a first meld can be made and a turn ended, against a search that tries everything."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property.brute import told
from property.exact_turn import can_end
from property.positions import MINIMUMS, loose_steps, random_position
from property.tables import Table, all_tables, classic_presets, rules_or_none

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ACE, BLACK_THREE, JOKER, KINDS_OF, RANK_OF, TWO
from canasta.engine.feasibility.contract import ContractHand
from canasta.engine.law.reasons import OK
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.play.deal import deal_by
from canasta.engine.position import Position, set_up
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, PLAY, HandState
from canasta.rules import load_ruleset

SHORT_POSITIONS = 700
LONG_POSITIONS = 16_000
SHORT_HANDS = 6


def small_canastas() -> list[Table]:
    """Return tables with canastas of four and five cards, which a small hand can complete to go out."""
    tables: list[Table] = []
    for preset in classic_presets():
        for players in (2, 4):
            for size in (4, 5):
                for needed in (1, 2):
                    options: list[tuple[str, object]] = [
                        ("melds.canasta_size", size),
                        ("canastas_to_go_out", needed),
                    ]
                    if load_ruleset(preset).melds.largest_set:
                        options.append(("melds.largest_set", size))
                    tables.append(Table(preset, players, tuple(options)))
                    tables.append(Table(preset, players, (*options, ("opening.canasta_suffices", True))))
                    tables.append(Table(preset, players, (*options, ("opening.concealed_suffices", True))))
    return [table for table in tables if rules_or_none(table) is not None]


ODD_RULES: tuple[dict[str, object], ...] = (
    {"deck.two_value": 50, "deck.joker_value": 20},
    {"melds.wilds_to_naturals": "free", "melds.most_wilds": 0, "melds.largest_set": 5},
    {"melds.wilds_to_naturals": "free", "melds.most_wilds": 0, "melds.wilds_on_canasta": False},
    {"melds.wilds_by_size": (0, 1, 2, 3), "melds.most_wilds": 0},
    {"melds.least_naturals": 3, "melds.wilds_to_naturals": "free", "wild_melds": True},
    {"opening.canasta_suffices": True, "opening.concealed_suffices": True, "wild_melds": True},
    {"canasta_bonus_counts": True, "scoring.natural_canasta": 70, "scoring.mixed_canasta": 30},
    {"canastas_to_go_out": 0, "opening.concealed_suffices": True},
    {"going_out.by": "discard"},
    {"going_out.by": "discard", "canastas_to_go_out": 0, "opening.concealed_suffices": True},
    {"going_out.by": "discard", "lay_bonus_by_hand": True, "stock_end.last_red_three": "melds"},
)
"""Combinations from no booklet, tried with canastas of four and five and with each number of sets."""


def odd_tables() -> list[Table]:
    tables: list[Table] = []
    for preset in classic_presets():
        for rule in ODD_RULES:
            for size in (4, 5):
                for sets in ("one", "one_open", "any"):
                    options: dict[str, object] = {
                        "melds.canasta_size": size,
                        "melds.sets_per_rank": sets,
                        **rule,
                    }
                    options.setdefault("canastas_to_go_out", 1)
                    options.setdefault("melds.largest_set", size if sets == "one_open" else 0)
                    tables.append(Table(preset, 2, tuple(options.items())))
    return [table for table in tables if rules_or_none(table) is not None]


AMERICAN_RULES: tuple[dict[str, object], ...] = (
    {},
    {"pile.opening_pair": "apart"},
    {"opening.pure_meld": "natural", "opening.splash": False},
    {"opening.pure_meld": "no", "opening.from_hand": False, "top_card_counts": False},
    {"opening.mixed_canasta": True, "sevens.wilds": "opening", "aces.wilds": "free"},
    {"melds.wild_lock": False, "melds.naturals_before_wild": 3, "going_out.unfinished_bars": False},
    {"melds.dead_ranks": False, "discards.wilds": "free", "turn.talon_floor": 2},
    {"discards.empty_pile_bars": False, "turn.talon": (), "going_out.ask": "must"},
)


def american_tables() -> list[Table]:
    """Return tables with each rule that needs the whole turn to be judged, in its other values too."""
    sizes = [{"melds.canasta_size": size, "melds.largest_set": size} for size in (4, 5, 7)]
    return [
        Table("american", players, tuple({**rule, **size, "canastas_to_go_out": needed}.items()))
        for players in (2, 4)
        for rule in AMERICAN_RULES
        for size in sizes
        for needed in (0, 1)
    ]


TABLES = [
    *(table for table in all_tables() if table.preset in classic_presets()),
    *small_canastas(),
    *odd_tables(),
    *american_tables(),
]


def compare_steps(state: HandState, table: Table) -> Counter[bool]:
    """Check that of all steps that lay cards exactly those are legal after which the turn can be ended."""
    legal = set(legal_steps(state))
    verdicts: Counter[bool] = Counter()
    for step in loose_steps(state):
        after = state.copy()
        make_step(after, step)
        expected = can_end(after)
        verdicts[expected] += 1
        if (step in legal) != expected or (after.compiled.family.why_not_end(after) == OK) != expected:
            move = str(move_of_step(state, step))
            raise AssertionError(
                f"{table}: {move} should be {'legal' if expected else 'refused'}: {told(state)}"
            )
    return verdicts


def compare_position(table: Table, choice: random.Random) -> Counter[bool]:
    """Compare a random position and positions that a few steps reach from it, legal or not."""
    opened = choice.random() < 0.5
    state = random_position(table, choice, opened=opened, phase=choice.choice(("draw", "play")))
    verdicts: Counter[bool] = Counter()
    for _ in range(4):
        verdicts += compare_steps(state, table)
        steps = loose_steps(state)
        if not steps:
            break
        make_step(state, choice.choice(steps))
        if state.phase in (ANSWER, OVER) or state.stuck != OK:
            break
    return verdicts


def compare_openings(table: Table, choice: random.Random) -> bool:
    state = random_position(table, choice, opened=False, phase="play")
    minimum = choice.choice(MINIMUMS[1:])
    for side in range(state.sides):
        state.set_minimum(side, minimum)
    expected = can_end(state)
    assert state.compiled.family.can_open(state) == expected, f"{table}: {told(state)}"
    return expected


def tables_of(preset: str) -> list[Table]:
    return [table for table in TABLES if table.preset == preset]


def compare_many(preset: str, number: int, seed: str) -> None:
    choice = random.Random(f"{seed}/{preset}")
    tables = tables_of(preset)
    verdicts: Counter[bool] = Counter()
    openings: Counter[bool] = Counter()
    for _ in range(number):
        verdicts += compare_position(choice.choice(tables), choice)
        openings[compare_openings(choice.choice(tables), choice)] += 1
    # Both answers must be frequent; otherwise the test would show nothing.
    assert min(verdicts[True], verdicts[False]) > number // 10, verdicts
    assert min(openings[True], openings[False]) > number // 10, openings


@pytest.mark.parametrize("preset", classic_presets())
def test_turns_end_as_every_way_tried_says(preset: str) -> None:
    compare_many(preset, SHORT_POSITIONS, "short")


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("preset", classic_presets())
def test_turns_end_as_every_way_tried_says_many_times(preset: str, part: int) -> None:
    compare_many(preset, LONG_POSITIONS // 4, f"long {part}")


def compare_estimates(table: Table, choice: random.Random) -> Counter[bool]:
    """Play a hand; compare the answers for first melds of large hands with a search."""
    scores = [0] * table.rules().seats.sides
    state = deal_by(table.tables(), Rng(str(choice.random())), hand_number=1, dealer=0, scores=scores)
    for side in range(state.sides):
        state.set_minimum(side, choice.choice((50, 90, 125, 155, 180)))
    verdicts: Counter[bool] = Counter()
    while state.phase != OVER:
        legal = legal_steps(state)
        if state.phase == PLAY and not state.opened(state.side_of[state.turn]):
            hand = ContractHand(state)
            expected = hand.can_open_by_search()
            assert hand.can_open() == expected, f"{table}: {told(state)}"
            verdicts[expected] += 1
        make_step(state, choice.choice(legal))
    return verdicts


@pytest.mark.parametrize("players", [2, 4])
def test_estimates_of_first_melds_agree_with_the_search(players: int) -> None:
    choice = random.Random(f"estimates/{players}")
    verdicts: Counter[bool] = Counter()
    for rule in AMERICAN_RULES:
        for _ in range(SHORT_HANDS):
            verdicts += compare_estimates(Table("american", players, tuple(rule.items())), choice)
    assert min(verdicts[True], verdicts[False]) > 100, verdicts


SOME_RANKS = (0, 1, 9, ACE, TWO, JOKER, BLACK_THREE)


@given(
    table=st.sampled_from([table for table in TABLES if table.players in (2, 4)]),
    ranks=st.lists(st.sampled_from(SOME_RANKS), min_size=1, max_size=9),
    minimum=st.sampled_from(MINIMUMS[1:]),
)
def test_first_melds_of_any_small_hand(table: Table, ranks: list[int], minimum: int) -> None:
    """As above, with hands that hypothesis generates, and shrinks when they fail."""
    hand = [KINDS_OF[rank][index % len(KINDS_OF[rank])] for index, rank in enumerate(sorted(ranks))]
    most = table.rules().deck.decks
    for kind in set(hand):
        room = 2 * most if RANK_OF[kind] == JOKER else most
        while hand.count(kind) > room:
            hand.remove(kind)
    six = KINDS_OF[2][0]
    feet = {0: [six]} if table.rules().deal.foot_size else {}
    state = set_up(table.tables(), Position(phase="play", hands={0: hand, 1: [six]}, feet=feet))
    for side in range(state.sides):
        state.set_minimum(side, minimum)
    assert state.compiled.family.can_open(state) == can_end(state), told(state)
    for step in loose_steps(state):
        after = state.copy()
        make_step(after, step)
        assert (after.compiled.family.why_not_end(after) == OK) == can_end(after), told(after)


LETTERS = {"3b": BLACK_THREE, "4": 0, "5": 1, "Q": 8, "K": 9, "A": ACE, "2": TWO, "Jo": JOKER}


def plain_answer(hand: str, melds: list[str], minimum: int) -> bool:
    """Return the search's answer for a hand and melds of caliente, given by ranks."""
    suits: Counter[int] = Counter()

    def cards(text: str) -> list[int]:
        kinds: list[int] = []
        for word in text.split():
            rank = LETTERS[word]
            kinds.append(KINDS_OF[rank][suits[rank] % len(KINDS_OF[rank])])
            suits[rank] += 1
        return kinds

    position = Position(phase="play", hands={0: cards(hand)}, melds={0: [cards(meld) for meld in melds]})
    state = set_up(Table("caliente", 4).tables(), position)
    for side in range(state.sides):
        state.set_minimum(side, minimum)
    return can_end(state)


@pytest.mark.parametrize(
    ("hand", "melds", "minimum", "expected"),
    [
        ("K K K A 5", [], 30, True),
        ("K K K A 5", [], 50, False),
        ("K K Jo A 5", [], 50, True),
        ("K K Jo", [], 50, False),  # nothing left to discard, and no canasta
        ("K", ["K K K K K K"], 50, True),  # the seventh king completes the canasta and goes out
        ("Q", ["K K K K K K"], 50, False),
        ("Q", ["K K K K K K K"], 50, True),
        ("Q Q", ["K K K"], 50, True),
        ("3b 3b 3b 4", [], 15, False),  # black threes are laid only in going out
        ("3b 3b 3b 4", ["K K K K K K K"], 15, True),
    ],
)
def test_the_search_itself_knows_what_is_plain(
    hand: str, melds: list[str], minimum: int, expected: bool
) -> None:
    assert plain_answer(hand, melds, minimum) == expected
