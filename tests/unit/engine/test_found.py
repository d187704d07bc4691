"""Positions that the engine once got wrong, found by random play and by exhaustive search."""

import pytest
from property.granularity import laying_steps, outcome, reached_by_steps
from unit.engine.builders import match_at, refusal

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.moves.apply import try_move
from canasta.engine.state import OVER, HandState
from canasta.notation.moves import parse_move
from canasta.rules import RulesetError

LEGAL = {
    "seven fours leave no room for jokers, five do": (
        "rules: hand-and-foot\ngiven: {phase: play, hands: {0: 4*7 Jo Jo 5 6}}",
        "meld 4*5 Jo Jo",
    ),
    "six fives and two jokers do not fit into seven, five fives and two jokers do": (
        "rules: hand-and-foot\ngiven: {phase: play, round: 3, hands: {0: 5*6 Jo Jo T J}}",
        "meld 5*5 Jo Jo",
    ),
    "two sets of a rank where any number is allowed and wilds must be fewer": (
        (
            "rules: caliente\noptions: {melds.sets_per_rank: any}\n"
            "given: {phase: play, scores: [3000, 0], hands: {0: 6 6 6 Q Q Q 2 2 Jo 5 7}}"
        ),
        "meld 6 6 6 2 2 + Q Q Q Jo",
    ),
    "the last red three may be laid when nothing replaces it and the player may go out": (
        (
            "rules: caliente\noptions: {lay_bonus_by_hand: true}\n"
            "given: {players: 2, phase: play, hands: {0: 3h Jo}, melds: {0: [8*5 Jo, T*8]}, stock_is: ''}"
        ),
        "add Jo to 8",
    ),
    "the card under the top card completes the canasta that goes out": (
        "rules: caliente\ngiven: {hands: {0: K K}, melds: {0: [K K K]}, pile: K K}",
        "take K K",
    ),
    "a first meld whose last card comes with the pile and goes out": (
        "rules: jaques\ngiven: {scores: [1600, 0], hands: {0: K K 2 2 2}, pile: K K}",
        "take K K 2 2 2",
    ),
}
"""Moves that must be allowed, both to a person and by steps."""


@pytest.mark.parametrize("name", LEGAL)
def test_legal_after_all(name: str) -> None:
    given, text = LEGAL[name]
    match = match_at(given)
    assert refusal(match, text) is None
    after = try_move(match.hand.state, parse_move(text))
    assert outcome(after) in reached_by_steps(match.hand.state, most=100_000)


def test_black_threes_are_not_laid_where_the_last_card_cannot_be_discarded() -> None:
    """The stock's last card was a red three: with no discard, no card may be left beside the threes."""
    match = match_at("rules: jaques\ngiven: {hands: {0: 3b 3b 3b K}, melds: {0: [Q*7]}, stock_is: 3h}")
    match.apply(parse_move("draw"))
    assert refusal(match, "meld 3b 3b 3b") is not None
    assert refusal(match, "pass") is None


@pytest.mark.parametrize(
    ("hand", "text", "allowed"),
    [
        ("3s 4s 5s 3h 9 9 J", "meld 3b 4 5", True),
        ("3s 4s 5s 3h 9 9 J", "meld 3r 4 5", False),
        ("3h 4h 5h 9 9 J", "meld 3r 4 5", True),
        ("3h 4h 5h 9 9 J", "meld 3b 4 5", False),
        ("3h 4h 5h 9 9 J", "meld 3 4 5", True),
    ],
)
def test_the_colour_of_a_three_in_a_sequence_counts(hand: str, text: str, allowed: bool) -> None:
    match = match_at(f"rules: burraco\ngiven: {{phase: play, hands: {{0: {hand}}}}}")
    assert (refusal(match, text) is None) == allowed


def dead_ends(state: HandState) -> list[HandState]:
    """Return the states, reached by steps that lay cards, in which nothing is legal any more."""
    found: list[HandState] = []
    to_try = [state]
    while to_try:
        here = to_try.pop()
        if here.phase == OVER:
            continue
        if not legal_steps(here):
            found.append(here)
        for step in laying_steps(here):
            after = here.copy()
            make_step(after, step)
            to_try.append(after)
    return found


@pytest.mark.parametrize("largest", [4, 7])
def test_no_opening_that_only_two_cards_at_once_could_complete(largest: int) -> None:
    """A six and a joker could join two sixes and a two only together, so no step may rely on that."""
    options = f"{{melds.canasta_size: 4, melds.largest_set: {largest}, canastas_to_go_out: 1}}"
    given = "{phase: play, hands: {0: 6 6 6 8 8 2 Jo}, picked_up: [0, 2]}"
    try:
        match = match_at(f"rules: hand-and-foot\noptions: {options}\ngiven: {given}")
    except RulesetError:
        return  # a house rule may refuse sets that do not close as canastas
    for side in range(2):
        match.hand.state.set_minimum(side, 65)
    assert dead_ends(match.hand.state) == []
