"""How many cards of a rank players hold, against what deals say: the numbers of `canasta.bots.belief`.

    python benchmarks/belief.py --hands 60

Hands of `caliente` are played by four masters and by four clubs in turn. Every few steps the hands of the
others are counted beside those of uniform deals and of probable ones, by what each player was seen to do with
the rank.
"""

import argparse
from collections import defaultdict

from canasta.bots import get_bot
from canasta.bots.belief import LET_LIE, MELDED, THROWN, likely_hands
from canasta.bots.hearing import Listeners
from canasta.bots.learned.knowledge import Knowledge
from canasta.bots.learned.network import master_network
from canasta.engine.cards import NATURAL_RANKS
from canasta.engine.observing.observer import Observer
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.prepared import PreparedRules
from canasta.engine.resample import NUMBERS, resample
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.steps.make import make_step
from canasta.engine.view import View
from canasta.rules import load_ruleset

PLAYERS = ("master", "club")
STEPS_BETWEEN = 9
DEALS = 6

Counts = dict[int, list[float]]


def mark_of(state: HandState, seat: int, rank: int, marks: list[list[int]]) -> int:
    first = state.prepared.slots.first_slot(rank)
    melded = state.naturals_of(state.side_of[seat])[first] > 0
    return marks[seat][rank] + (MELDED if melded else 0)


def seen_marks(observer: Observer) -> list[list[int]]:
    """What each player was seen to throw and to let lie, since the deal."""
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
    """Note the hands of all but the viewer; what was seen is that of the view."""
    for seat in state.order:
        if seat != view.seat:
            for rank in range(NATURAL_RANKS):
                held = min(state.count(seat, rank), NUMBERS - 1)
                found[mark_of(view.state, seat, rank, marks)][held] += 1


def measure(hands: int) -> tuple[Counts, Counts, Counts]:
    """What was held, and what uniform and probable deals say."""
    prepared = PreparedRules(load_ruleset("caliente", 4))
    held: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    uniform: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    probable: Counts = defaultdict(lambda: [0.0] * NUMBERS)
    rng = Rng("belief")
    for hand in range(hands):
        state = deal_from_seed(prepared, seed=f"belief {hand}", hand_number=1, dealer=hand % 4, scores=[0, 0])
        bots = {seat: get_bot(PLAYERS[hand % 2], str(seat)) for seat in range(4)}
        heard = Knowledge(master_network())
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
                trained = heard.trained(view)
                assert trained is not None, "caliente was learned"
                marks = seen_marks(heard.observer(trained, view))
                likely = likely_hands(view.state, seat, marks)
                count(held, state, view, marks)
                for _ in range(DEALS):
                    count(uniform, resample(view, rng), view, marks)
                    count(probable, resample(view, rng, likely), view, marks)
            state.log = []
            make_step(state, step)
            listeners.tell(state.log)
            for event in state.log:
                heard.hear(event)
            state.log = None
    return held, uniform, probable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=60)
    held, uniform, probable = measure(parser.parse_args().hands)
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
