"""A worker process that answers one length-prefixed message at a time."""

import asyncio
import contextlib
import os
import sys
from typing import TypeVar

import msgspec
from msgspec import Struct

from canasta.server.workers.bot_worker import HEAD, length_of, packed

M = TypeVar("M", bound=Struct)


class Worker:
    """A process that runs a module, started on demand."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = (sys.executable, "-P", "-m", module, *arguments)
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                # Ctrl-C is for the server only; the worker ends when its input does.
                start_new_session=True,
            )
        return self._process

    async def exchange(self, message: Struct, answer: type[M]) -> M:
        """Send a message and return the answer; raise `OSError` or `EOFError` if the process has ended.

        If the answer hasn't been read, the caller must `end` the process.
        """
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(packed(message))
        await process.stdin.drain()
        head = await process.stdout.readexactly(HEAD)
        return msgspec.msgpack.decode(await process.stdout.readexactly(length_of(head)), type=answer)

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
