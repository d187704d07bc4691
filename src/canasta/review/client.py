"""Review a hand in a separate process, while a server or a screen does other things."""

import asyncio
import contextlib
import os
import sys
from typing import Final

import msgspec

from canasta.errors import CanastaError
from canasta.review.hand import Progress
from canasta.review.worker import ReviewedHand, ReviewRequest, WorkerOutput

_LONGEST_LINE: Final = 2**24
"""Maximum line length in bytes; the review of a long hand is about 100,000."""


class NotReviewed(CanastaError):
    """The hand can't be reviewed: the record lacks it, or the process failed to start or ended early."""


async def reviewed(wanted: ReviewRequest, progress: Progress) -> ReviewedHand:
    """Return the review, or raise `NotReviewed`. Cancelling this ends the process."""
    process: asyncio.subprocess.Process | None = None
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "canasta.review.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            start_new_session=True,
            limit=_LONGEST_LINE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(wanted))
        await process.stdin.drain()
        process.stdin.close()
        while said := await process.stdout.readline():
            line = msgspec.json.decode(said, type=WorkerOutput)
            if line.reviewed is not None:
                return line.reviewed
            if line.problem:
                raise NotReviewed(line.problem)
            progress(line.done, line.of)
    except (OSError, ValueError) as error:
        raise NotReviewed(f"{type(error).__name__}: {error}") from None
    finally:
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    raise NotReviewed("the process was ended")
