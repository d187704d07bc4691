"""Possible deals are shaken by habits, and stay possible."""

import pytest

from canasta.bots.club.player import club_step, weights_for
from canasta.bots.expert.belief import Belief
from canasta.engine.cards import KINDS, NATURAL_RANKS, RANK_OF
from canasta.engine.play.deal import deal_hand, shuffled_deck
from canasta.engine.prepared import PreparedRules
from canasta.engine.resample import resample
from canasta.engine.rng import Rng
from canasta.engine.seating import sides_of_seats, sitting_out, turn_order
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.steps.make import make_step
from canasta.engine.view import View
from canasta.rules import load_ruleset


def midway(preset: str, players: int, seed: str, steps: int) -> HandState:
    """A hand after so many steps of club players, or just before its end."""
    rules = load_ruleset(preset, players)
    tables = PreparedRules(rules)
    side_of = sides_of_seats(rules)
    order = turn_order(side_of, sitting_out(rules, 1))
    rng = Rng(seed)
    state = deal_hand(
        tables,
        deck=shuffled_deck(tables, rng),
        order=order,
        side_of=side_of,
        dealer=order[0],
        scores=[0] * rules.seats.sides,
        round_number=1,
        rng=rng,
    )
    last = state.copy()
    for _ in range(steps):
        last = state.copy()
        seat = state.answering if state.phase == ANSWER else state.turn
        make_step(state, club_step(state, seat, weights_for(tables)))
        if state.phase == OVER:
            return last
    return state


def hidden_cards(state: HandState, seat: int) -> list[int]:
    found = [0] * KINDS
    for other in state.order:
        if other != seat:
            for kind in range(KINDS):
                found[kind] += state.cards[other][kind]
    for foot in state.feet:
        for kind in foot:
            found[kind] += 1
    for kind in state.deck[state.at :]:
        found[kind] += 1
    return found


@pytest.mark.parametrize(
    ("preset", "players"), [("caliente", 4), ("two-player", 2), ("hand-and-foot", 4), ("bolivia", 6)]
)
@pytest.mark.parametrize("steps", [20, 60])
def test_a_shaken_deal_is_a_possible_deal(preset: str, players: int, steps: int) -> None:
    state = midway(preset, players, "shaken", steps)
    seat = state.turn
    view = View(state, seat, [0] * state.sides)
    rng = Rng("shake")
    world = resample(view, rng)
    before = hidden_cards(world, seat)
    Belief(view.state, seat).shake(world, rng)
    assert hidden_cards(world, seat) == before
    # The same seat sees the same thing, and the counts agree with the cards.
    assert View(world, seat, [0] * state.sides).facts() == view.facts()
    for other in state.order:
        assert sum(world.cards[other]) == world.size[other] == sum(world.counts[other])
        for kind in range(KINDS):
            assert world.cards[other][kind] >= world.known[other][kind]
        for rank in range(NATURAL_RANKS):
            assert world.counts[other][rank] == sum(world.cards[other][4 * rank : 4 * rank + 4])


def test_what_fits_a_meld_is_not_held() -> None:
    state = midway("caliente", 4, "fits", 60)
    seat = state.turn
    side = 1 - state.side_of[seat]
    ranks = [slot for slot in state.sets[side] if slot < NATURAL_RANKS]
    assert ranks
    view = View(state, seat, [0, 0])
    belief = Belief(view.state, seat)
    rng = Rng("fits")
    blind = 0
    shaken = 0
    for _ in range(60):
        world = resample(view, rng)
        blind += held(world, side, ranks)
        belief.shake(world, rng)
        shaken += held(world, side, ranks)
    assert shaken < blind / 3


def held(world: HandState, side: int, ranks: list[int]) -> int:
    """Unknown cards of these ranks in the hands of a side."""
    found = 0
    for other in world.order:
        if world.side_of[other] == side:
            for kind in range(KINDS):
                if RANK_OF[kind] in ranks:
                    found += world.cards[other][kind] - world.known[other][kind]
    return found
