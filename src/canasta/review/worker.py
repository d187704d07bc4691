"""Review a hand in a separate process, so that a server or a screen stays responsive.

The process answers a request with its progress and finally the review. It runs at low priority. It ends when
nobody reads its output any more, and the system kills it if it exceeds its limits.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from canasta.errors import CanastaError
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import SEAT_NAMES
from canasta.review.data import HandReport, hand_report
from canasta.review.hand import WORLDS, Progress, hands_of, review_hand
from canasta.worker_process import Send, Worker, answer_requests

_MOST_SECONDS: Final = 900
"""Maximum seconds of process time. A hand takes about fifteen seconds compiled, and ten times that in
plain Python.
"""
_MOST_MEMORY: Final = 2**30
LOWEST: Final = 19
"""The lowest priority."""


class ReviewRequest(Struct, kw_only=True):
    """A request to review a hand."""

    text: str
    """The record of the game."""
    hand: int
    worlds: int = WORLDS
    seed: str = "review"
    nice: int = LOWEST
    """Niceness to add to the process's priority."""


class ReviewedHand(Struct, kw_only=True):
    """The review of a hand, and who played it."""

    hand: HandReport
    names: list[str]
    """Names by seat."""
    caliente: bool
    """Whether the game uses the card names of the Caliente booklets."""


class WorkerOutput(Struct, kw_only=True, omit_defaults=True):
    """A message of the process: its progress, the review, or a problem."""

    done: int = 0
    of: int = 0
    """`done` is the number of choices evaluated so far, and `of` their total."""
    reviewed: ReviewedHand | None = None
    problem: str = ""


# -- the client ---------------------------------------------------------------------------------------------


class ReviewError(CanastaError):
    """Raised if a hand can't be reviewed: the record lacks it, or the process failed to start or ended
    early.
    """


async def run_review(wanted: ReviewRequest, progress: Progress) -> ReviewedHand:
    """Review a hand in a process of its own, or raise `ReviewError`. Cancelling this ends the process."""
    worker = Worker("canasta.review.worker")
    try:
        await worker.send(wanted)
        while True:
            output = await worker.receive(WorkerOutput)
            if output.reviewed is not None:
                return output.reviewed
            if output.problem:
                raise ReviewError(output.problem)
            progress(output.done, output.of)
    except EOFError:
        raise ReviewError("the process was ended") from None
    except (OSError, msgspec.MsgspecError) as error:
        raise ReviewError(f"{type(error).__name__}: {error}") from None
    finally:
        await worker.end()


# -- the process --------------------------------------------------------------------------------------------


def answer(wanted: ReviewRequest, send: Send) -> WorkerOutput:
    """Review a hand, reporting progress."""
    replay, hands = hands_of(wanted.text, wanted.hand)
    dealt = next((hand for hand in hands if hand.number == wanted.hand and hand.points is not None), None)
    if replay.match is None or replay.header is None or dealt is None:
        return WorkerOutput(problem="no such hand, or it is not over")
    rules = replay.match.rules
    review = review_hand(
        dealt,
        worlds=wanted.worlds,
        seed=wanted.seed,
        progress=lambda done, of: send(WorkerOutput(done=done, of=of)),
    )
    usual = SEAT_NAMES[rules.seats.players]
    names = [printable(replay.header.names.get(seat, name)) for seat, name in enumerate(usual)]
    return WorkerOutput(
        reviewed=ReviewedHand(hand=hand_report(review), names=names, caliente=rules.deck.caliente_names)
    )


def give_way(nice: int) -> None:
    """Lower the priority and limit the resources."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - missing on Windows

        os.nice(nice)
        with contextlib.suppress(OSError):
            # Linux schedules sessions as groups, and this process is a session of its own.
            Path("/proc/self/autogroup").write_text(str(nice), encoding="ascii")
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
            resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
        # If the parent is gone, end on the next write.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def respond(request: ReviewRequest, send: Send) -> None:
    try:
        give_way(request.nice)
        output = answer(request, send)
    except Exception as error:  # noqa: BLE001 - the waiting parent must get an answer
        output = WorkerOutput(problem=f"{type(error).__name__}: {error}"[:300])
    send(output)


if __name__ == "__main__":
    answer_requests(ReviewRequest, respond)
