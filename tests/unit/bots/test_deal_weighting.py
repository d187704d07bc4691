"""Deals weighted by the others' discards: the questions to the network, and what stays unknown."""

from collections.abc import Iterator
from math import exp, log

import pytest

from canasta.bots.expert.rollouts import NEVER, DeterminizedDeals, seat_to_act
from canasta.bots.protocol import Listeners
from canasta.engine.actions.codec import is_discard
from canasta.engine.actions.make import make_step
from canasta.engine.determinize import determinize
from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.rng import Rng
from canasta.engine.state import DRAW, NOT_ASKED, OVER, HandState
from canasta.engine.view import View, state_facts
from canasta.rules import load_ruleset

np = pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

from canasta.bots.learned.deal_weighting import WeightedDeals, before_discard, chosen  # noqa: E402 - as above
from canasta.bots.learned.player import GrandmasterBot, MasterBot  # noqa: E402 - as above
from canasta.bots.learned.table_context import TableContext  # noqa: E402 - as above


def hand_of_masters(preset: str) -> Iterator[tuple[HandState, View, TableContext, int]]:
    """Yield each position with the view and knowledge of the seat to act and the step it makes."""
    rules = load_ruleset(preset)
    players = rules.seats.players
    scores = [0] * rules.seats.sides
    state = deal_from_seed(compile_rules(rules), seed="thrown", hand_number=1, dealer=0, scores=scores)
    bots = [MasterBot(str(seat)) for seat in range(players)]
    listeners = Listeners(dict(enumerate(bots)))
    listeners.deal(state, scores)
    while state.phase != OVER:
        seat = seat_to_act(state)
        view = View(state, seat, scores)
        step = bots[seat].step(view)
        yield state, view, bots[seat].context, step
        state.log = []
        make_step(state, step)
        listeners.tell(state.log)
        state.log = None


# Plain sets; a game in which suits matter; a game with a second hand, the foot.
@pytest.mark.parametrize("preset", ["caliente", "bolivia", "hand-and-foot"])
def test_the_network_is_asked_what_the_player_was_asked(preset: str) -> None:
    """The questions are compared with the true hands and observations before each discard."""
    hands: dict[int, tuple[list[int], list[int], list[int], bytes]] = {}
    held = 0
    same = 0
    for state, view, knowledge, step in hand_of_masters(preset):
        trained = knowledge.trained(view)
        assert trained is not None
        weighing = knowledge.weighing(trained, view)
        for thrown in weighing.discards if weighing is not None else ():
            assert thrown.seat not in (view.seat, state.turn)
            then = before_discard(state, thrown.seat, thrown.at)
            cards, known, pile, seen = hands[thrown.seat]
            assert (then.cards_of(thrown.seat), then.pile) == (cards, pile)
            held += 1
            is_last = state.phase == DRAW and thrown.at == state.pile_size() - 1
            if seen and is_last and state.known_of(thrown.seat) == known:
                # Nothing has happened since, and nothing gives the discard away.
                assert thrown.observer.observe(then, thrown.seat) == seen
                same += 1
        if is_discard(step):
            turn = state.turn
            seen = knowledge.observer(trained, view).observe(state, turn)
            # Melds of the same turn look like earlier ones, and questions already asked don't show either.
            is_told = not state.melded_now and not state.pile_is_from_deal and state.asked == NOT_ASKED
            hands[turn] = (
                state.cards_of(turn),
                state.known_of(turn),
                state.pile,
                seen if is_told else b"",
            )
    assert held > 20
    assert same > 5


def test_weighed_deals_hang_on_nothing_that_is_hidden() -> None:
    """They agree with the view and don't depend on hidden cards. Without time, they are plain deals."""
    asked = 0
    rng = Rng("others")
    for number, (_, view, knowledge, _) in enumerate(hand_of_masters("caliente")):
        trained = knowledge.trained(view)
        assert trained is not None
        if number % 15 or knowledge.weighing(trained, view) is None:
            continue
        if asked == 3:
            break
        other = View(determinize(view, rng), view.seat, view.scores)
        seen: list[list[object]] = []
        for weigh, deadline, of in (
            (True, NEVER, view),
            (True, NEVER, other),
            (True, 0.0, view),
            (False, NEVER, view),
        ):
            bot = GrandmasterBot("s", None, lambda: 0.0, weigh)
            bot.context = knowledge
            worlds = bot._worlds(of, "w", deadline)
            assert isinstance(worlds, WeightedDeals) == weigh
            deals = [worlds.fresh(at) for at in range(3)]
            assert all(View(deal, view.seat, view.scores) == view for deal in deals)
            seen.append([state_facts(deal) for deal in deals])
        plain = DeterminizedDeals(view, "s:w", knowledge.likely(trained, view))
        assert seen[0] == seen[1]
        assert seen[2] == seen[3] == [state_facts(plain.fresh(at)) for at in range(3)]
        assert seen[0] != seen[2]
        asked += 1
    assert asked == 3


def test_what_was_thrown_speaks_for_the_true_hands() -> None:
    """On average over a hand, discards favour the true hands more than probable deals."""
    more: list[float] = []
    for number, (state, view, knowledge, _) in enumerate(hand_of_masters("caliente")):
        trained = knowledge.trained(view)
        assert trained is not None
        weighing = knowledge.weighing(trained, view)
        if number % 6 or weighing is None:
            continue
        rng = Rng(f"{number}")
        likely = knowledge.likely(trained, view)
        true, *deals = weighing.weights([state, *[determinize(view, rng, likely) for _ in range(12)]])
        more.append(true - log(sum(exp(deal) for deal in deals) / len(deals)))
    assert len(more) > 5
    assert sum(more) > 0


def test_deals_are_chosen_by_their_weights() -> None:
    rng = Rng("chosen")
    counts = [0, 0, 0]
    for _ in range(4000):
        counts[chosen([log(0.1), log(0.3), -100.0], rng)] += 1
    assert counts[2] == 0
    assert 900 < counts[0] < 1100
