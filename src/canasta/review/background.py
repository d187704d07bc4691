"""A hand reviewed in a process of its own, while a server or a screen does other things."""

import asyncio
import contextlib
import os
import sys
from typing import Final

import msgspec

from canasta.errors import CanastaError
from canasta.review.hand import Progress
from canasta.review.process import Line, Reviewed, Wanted

_LONGEST_LINE: Final = 2**24
"""Bytes; the review of a long hand has a tenth of a million."""


class NotReviewed(CanastaError):
    """There is no review: the record has no such hand, or the process was not begun, or ended."""


async def reviewed(wanted: Wanted, progress: Progress) -> Reviewed:
    """Raises `NotReviewed`; who cancels this ends the process."""
    process: asyncio.subprocess.Process | None = None
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "canasta.review.process"),
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
            line = msgspec.json.decode(said, type=Line)
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
