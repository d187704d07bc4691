"""Worker processes: both ends of the pipe to a process that computes something.

Messages are structs as msgpack, each preceded by its length. A worker imports only what it needs, so that it
starts quickly. `exit_after` enforces the time limit of a request by killing the process.
"""

import contextlib
import faulthandler
import os
import signal
import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
from msgspec import Struct

if sys.platform == "win32":
    import msvcrt

if TYPE_CHECKING:
    from asyncio.subprocess import Process

M = TypeVar("M", bound=Struct)

_LENGTH: Final = struct.Struct("!I")


def _packed(message: Struct) -> bytes:
    content = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(content)) + content


# -- the client ----------------------------------------------------------------------------------------------


class Worker:
    """A process that runs a module, started on demand."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = (sys.executable, "-P", "-m", module, *arguments)
        self._process: Process | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self) -> "Process":
        import asyncio  # noqa: PLC0415 - the worker itself doesn't need it

        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                # Ctrl-C is for this process only; the worker ends when its input does.
                start_new_session=True,
            )
        return self._process

    async def exchange(self, message: Struct, answer: type[M]) -> M:
        """Send a message and return the answer; raise `OSError` or `EOFError` if the process has ended.

        If the call is cancelled before the answer has been read, the caller must `end` the process.
        """
        await self.send(message)
        return await self.receive(answer)

    async def send(self, message: Struct) -> None:
        process = await self.start()
        assert process.stdin is not None
        process.stdin.write(_packed(message))
        await process.stdin.drain()

    async def receive(self, answer: type[M]) -> M:
        process = await self.start()
        assert process.stdout is not None
        (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
        return msgspec.msgpack.decode(await process.stdout.readexactly(length), type=answer)

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


# -- the process ---------------------------------------------------------------------------------------------

Send = Callable[[Struct], None]


def answer_requests(kind: type[M], answer: Callable[[M, Send], None]) -> None:
    """Answer the requests from standard input until it is closed. This is the main loop of a worker."""
    if sys.platform == "win32":
        msvcrt.setmode(0, os.O_BINARY)
    else:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    output = os.fdopen(os.dup(1), "wb")
    # Redirect standard output, so that stray prints don't corrupt the answers.
    os.dup2(2, 1)

    def send(message: Struct) -> None:
        output.write(_packed(message))
        output.flush()

    while len(head := sys.stdin.buffer.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        answer(msgspec.msgpack.decode(sys.stdin.buffer.read(length), type=kind), send)
        exit_after(0)


def lower_priority(nice: int) -> None:
    if sys.platform != "win32":
        os.nice(nice)


if sys.platform == "win32":

    def exit_after(seconds: float) -> None:
        """Kill this process after this many seconds unless called again; 0: never.

        This measures wall-clock time, as Windows offers nothing better. The timer is a thread of
        `faulthandler`, which need not wait for compiled code to release the interpreter.
        """
        if seconds > 0:
            faulthandler.dump_traceback_later(2 * seconds, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()

else:

    def exit_after(seconds: float) -> None:
        """Kill this process after this many seconds unless called again; 0: never.

        A system timer, not a thread: compiled code doesn't let other threads run. It measures CPU time, since
        wall-clock time depends on the load of the machine.
        """
        signal.setitimer(signal.ITIMER_PROF, seconds)
