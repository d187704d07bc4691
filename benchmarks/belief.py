"""Measure how many cards of a rank players hold: the factors of `canasta.bots.card_counting`.

    python benchmarks/belief.py --hands 60
    python benchmarks/belief.py --hands 36 --surprise

Hands of `caliente` are played by four masters and four clubs alternately. Every few steps the other hands are
counted and compared with uniform deals and with probable ones, based on each player's observed treatment of
the rank. `--surprise` prints the cross-entropy of the true hands given some deals of each kind. To measure
its value in points:

    ./canasta arena grandmaster benchmarks/belief.py:weighed --by hand --pairs 300 --worlds 32
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from math import exp, log

from canasta.bots import get_bot
from canasta.bots.card_counting import LET_LIE, MELDED, THROWN, likely_hands, marks_in_pile
from canasta.bots.expert.rollouts import NEVER, WALL_CLOCK, DeterminizedDeals
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.deal_weighting import CHOICE, WeightedDeals
from canasta.bots.learned.network import master_network
from canasta.bots.learned.player import GrandmasterBot
from canasta.bots.learned.search import MOST_WORLDS
from canasta.bots.learned.table_context import TableContext
from canasta.bots.protocol import Listeners
from canasta.engine.actions.make import make_step
from canasta.engine.cards import JOKER, NATURAL_RANKS, TWO
from canasta.engine.determinize import NUMBERS, determinize
from canasta.engine.families.factory import compile_rules
from canasta.engine.observation.encoder import Observer
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import View
from canasta.rules import load_ruleset

PLAYERS = ("master", "club")
STEPS_BETWEEN = 9
DEALS = 6
SURPRISED = 40
"""Number of deals of each kind with which the true hands are compared."""

Counts = dict[int, list[float]]


def mark_of(state: HandState, seat: int, rank: int, marks: list[list[int]]) -> int:
    first = state.compiled.slots.first_slot(rank)
    melded = state.naturals_of(state.side_of[seat])[first] > 0
    return marks[seat][rank] + (MELDED if melded else 0)


def seen_marks(observer: Observer) -> list[list[int]]:
    """Return what each player has been seen to discard and leave since the deal."""
    layout = observer.layout
    return [
        [
            (THROWN if block[layout.discarded + rank] else 0)
            | (LET_LIE if block[layout.let_pass + rank] else 0)
            for rank in range(NATURAL_RANKS)
        ]
        for block in observer.remembered()
    ]


def count(found: Counts, state: HandState, view: View, marks: list[list[int]]) -> None:
    """Count the hands of everyone except the viewer, by the marks in the view."""
    for seat in state.order:
        if seat != view.seat:
            for rank in range(NATURAL_RANKS):
                held = min(state.count(seat, rank), NUMBERS - 1)
                found[mark_of(view.state, seat, rank, marks)][held] += 1


def positions(hands: int) -> Iterator[tuple[HandState, View, TableContext]]:
    """Yield, every few steps, the true state, the view of the player in turn, and the public knowledge."""
    compiled = compile_rules(load_ruleset("caliente", 4))
    for hand in range(hands):
        state = deal_from_seed(compiled, seed=f"belief {hand}", hand_number=1, dealer=hand % 4, scores=[0, 0])
        bots = {seat: get_bot(PLAYERS[hand % 2], str(seat)) for seat in range(4)}
        heard = TableContext(master_network())
        listeners = Listeners(bots)
        listeners.deal(state, [0, 0])
        heard.begin(View(state, 0, [0, 0]))
        made = 0
        while state.phase != OVER:
            seat = state.answering if state.phase == ANSWER else state.turn
            view = View(state, seat, [0, 0])
            step = bots[seat].step(view)
            made += 1
            if made % STEPS_BETWEEN == 0 and state.phase != ANSWER:
                yield state, view, heard
            state.log = []
            make_step(state, step)
            listeners.tell(state.log)
            for event in state.log:
                heard.hear(event)
            state.log = None


def network_of(heard: TableContext, view: View) -> TrainedNetwork:
    trained = heard.trained(view)
    assert trained is not None, "caliente was learned"
    return trained


def measure(hands: int) -> tuple[Counts, Counts, Counts]:
    """Return the counts of the true hands, of uniform deals and of probable deals."""
    held: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    uniform: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    probable: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    rng = Rng("belief")
    for state, view, heard in positions(hands):
        seat = state.turn
        marks = seen_marks(heard.observer(network_of(heard, view), view))
        likely = likely_hands(view.state, seat, marks)
        count(held, state, view, marks)
        for _ in range(DEALS):
            count(uniform, determinize(view, rng), view, marks)
            count(probable, determinize(view, rng, likely), view, marks)
    return held, uniform, probable


def surprise(state: HandState, deals: list[HandState], viewer: int, ranks: range) -> float:
    """Return the cross-entropy of the true hands given these deals, in nats per rank and player."""
    nats = 0.0
    for seat in state.order:
        for rank in ranks if seat != viewer else ():
            held = min(state.count(seat, rank), NUMBERS - 1)
            like = sum(min(deal.count(seat, rank), NUMBERS - 1) == held for deal in deals)
            nats -= log((like + 0.5) / (len(deals) + 1))
    return nats / (len(ranks) * (len(state.order) - 1))


def print_surprises(hands: int) -> None:
    """Print the cross-entropy of the true hands for each way of sampling deals."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    gains: list[float] = []
    rng = Rng("surprise")
    for number, (state, view, heard) in enumerate(positions(hands)):
        seat = state.turn
        trained = network_of(heard, view)
        marked = likely_hands(view.state, seat, marks_in_pile(view.state))
        likely = heard.likely(trained, view)
        believed = [determinize(view, rng, likely) for _ in range(SURPRISED)]
        weighing = heard.weighing(trained, view)
        worlds = DeterminizedDeals(view, f"{number}", likely)
        if weighing is not None:
            worlds = WeightedDeals(view, f"{number}", likely, weighing, NEVER, WALL_CLOCK)
            gains.append(gain(weighing.weights([state, *believed])))
        deals = {
            "uniform": [determinize(view, rng) for _ in range(SURPRISED)],
            "as the expert makes them": [determinize(view, rng, marked) for _ in range(SURPRISED)],
            "as the network believes": believed,
            "chosen by what was thrown": [worlds.fresh(at) for at in range(SURPRISED)],
        }
        for how, made in deals.items():
            naturals = surprise(state, made, seat, range(NATURAL_RANKS))
            wilds = surprise(state, made, seat, range(TWO, JOKER + 1))
            found[how].append((naturals, wilds))
    print("nats for a rank of a player: natural ranks, twos and jokers")
    for how, nats in found.items():
        print(f"{how:28}", *[f"{sum(column) / len(column):.4f}" for column in zip(*nats, strict=True)])
    print(
        f"choosing makes the true hands, all together, likelier by {sum(gains) / len(gains):.3f} nats, "
        f"in {len(gains)} of {len(nats)} positions"
    )


def gain(weights: list[float]) -> float:
    """Return the log of how much likelier selecting one of a few deals makes the first of these deals."""
    first, *others = weights
    shares: list[float] = []
    for at in range(0, len(others) - CHOICE + 2, CHOICE - 1):
        shares.append(CHOICE / (1 + sum(exp(weight - first) for weight in others[at : at + CHOICE - 1])))
    return log(sum(shares) / len(shares))


def weighed(seed: str = "") -> GrandmasterBot:
    """Return the grandmaster with 32 deals that are selected by the others' discards."""
    return GrandmasterBot(seed, -float(MOST_WORLDS), weigh=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--surprise", action="store_true", help="print the cross-entropy of the true hands")
    arguments = parser.parse_args()
    if arguments.surprise:
        print_surprises(arguments.hands)
        return
    held, uniform, probable = measure(arguments.hands)
    print("held, for each time that it is so in uniform deals (and in probable ones): none, one, two, more")
    for mark in sorted(held):
        seen = [
            name if mark & bit else "-"
            for bit, name in ((MELDED, "melded"), (THROWN, "thrown"), (LET_LIE, "let lie"))
        ]
        shares = [
            f"{DEALS * count / max(plain, 1):.2f} ({DEALS * count / max(likely, 1):.2f})"
            for count, plain, likely in zip(held[mark], uniform[mark], probable[mark], strict=True)
        ]
        print(f"{' '.join(seen):22}", *shares)


if __name__ == "__main__":
    main()
