"""A process in which one hand is reviewed: the question on standard input, progress and the review on
standard output, a line of JSON each.

It gives way to everything else on the machine. It ends when its work is done or nobody listens any more, and
the system ends it when it takes more than it may.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

from canasta.notation.errors import printable
from canasta.notation.seat_names import SEAT_NAMES
from canasta.review.data import HandTold, hand_told
from canasta.review.hand import WORLDS, hands_of, review_hand

_MOST_SECONDS: Final = 900
"""Of the processor's time; compiled a hand takes some fifteen, as plain Python ten times as long."""
_MOST_MEMORY: Final = 2**30
LOWEST: Final = 19
"""The priority behind all others."""


class Wanted(Struct, kw_only=True):
    """Review this hand."""

    text: str
    """The record of the game."""
    hand: int
    worlds: int = WORLDS
    seed: str = "review"
    nice: int = LOWEST
    """How far the process gives way to others."""


class Reviewed(Struct, kw_only=True):
    """The review of a hand, and who played it."""

    hand: HandTold
    names: list[str]
    """By seat."""
    caliente: bool
    """The game has the names of the Caliente booklets."""


class Line(Struct, kw_only=True, omit_defaults=True):
    """What the process says."""

    done: int = 0
    of: int = 0
    """So many choices are judged, of so many."""
    reviewed: Reviewed | None = None
    problem: str = field(default="")


def answer(wanted: Wanted) -> Line:
    """Reviews, and says how far it is."""
    replay, hands = hands_of(wanted.text, wanted.hand)
    dealt = next((hand for hand in hands if hand.number == wanted.hand and hand.points is not None), None)
    if replay.match is None or replay.header is None or dealt is None:
        return Line(problem="no such hand, or it is not over")
    rules = replay.match.rules
    review = review_hand(
        dealt,
        worlds=wanted.worlds,
        seed=wanted.seed,
        progress=lambda done, of: say(Line(done=done, of=of)),
    )
    usual = SEAT_NAMES[rules.seats.players]
    names = [printable(replay.header.names.get(seat, name)) for seat, name in enumerate(usual)]
    return Line(reviewed=Reviewed(hand=hand_told(review), names=names, caliente=rules.deck.caliente_names))


def say(line: Line) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


def give_way(nice: int) -> None:
    """Everybody else first, and no more than the work can need."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not there on Windows

        os.nice(nice)
        with contextlib.suppress(OSError):
            # Linux weighs whole sessions against each other, and this process has one of its own.
            Path("/proc/self/autogroup").write_text(str(nice), encoding="ascii")
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
            resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
        # Whoever asked may go: then there is nobody to write to.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def main() -> None:
    try:
        wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Wanted)
        give_way(wanted.nice)
        line = answer(wanted)
    except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told
        line = Line(problem=f"{type(error).__name__}: {error}"[:300])
    say(line)


if __name__ == "__main__":
    main()
