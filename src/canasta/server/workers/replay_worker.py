"""A worker process that replays records for pages, one at a time, off the server's loop."""

import gzip
import os
import signal
import sys
import time
from typing import BinaryIO, Final, Literal

import msgspec
from msgspec import Struct

from canasta.errors import InputError
from canasta.server.workers.bot_worker import HEAD, end_after, length_of, packed
from canasta.table.replay_frames import Instead, replayed_hand

_GRACE: Final = 4.0
"""CPU seconds for the work after the replay, before the system kills the process."""


class WantedReplay(Struct, kw_only=True):
    """A request to replay a hand of a record."""

    text: str
    hand: int
    language: str
    instead: Instead | None
    seconds: float
    """Time limit for the replay in seconds."""
    most: int
    """Maximum size in bytes of the answer before compression."""


class ReplayReply(Struct, kw_only=True):
    """A `ReplayedHand` as compressed JSON, or the reason for failure."""

    content: bytes = b""
    problem: Literal["", "NOT_A_RECORD", "NO_SUCH_HAND", "NOT_POSSIBLE", "TAKES_LONG", "TOO_LARGE"] = ""
    text: str = ""
    """Description of the error in the record."""
    hands: int = 0
    """Number of hands in a record without the requested one."""


def replay(wanted: WantedReplay) -> ReplayReply:
    ends = time.monotonic() + wanted.seconds
    try:
        found = replayed_hand(
            wanted.text, wanted.hand, wanted.language, lambda: time.monotonic() > ends, wanted.instead
        )
    except InputError:
        return ReplayReply(problem="NOT_POSSIBLE")
    except TimeoutError:
        return ReplayReply(problem="TAKES_LONG")
    if isinstance(found, str):
        return ReplayReply(problem="NOT_A_RECORD", text=found)
    if wanted.hand > len(found.lengths):
        return ReplayReply(problem="NO_SUCH_HAND", hands=len(found.lengths))
    content = msgspec.json.encode(found)
    if len(content) > wanted.most:
        return ReplayReply(problem="TOO_LARGE")
    return ReplayReply(content=gzip.compress(content, 5, mtime=0))


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer requests until the input ends."""
    while len(head := asked.read(HEAD)) == HEAD:
        wanted = msgspec.msgpack.decode(asked.read(length_of(head)), type=WantedReplay)
        end_after(wanted.seconds + _GRACE)
        found = replay(wanted)
        end_after(0)
        told.write(packed(found))
        told.flush()


def main() -> None:
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        os.nice(5)
    told = os.fdopen(os.dup(1), "wb")
    # Stray prints must not end up between the replies.
    os.dup2(2, 1)
    serve(sys.stdin.buffer, told)


if __name__ == "__main__":
    main()
