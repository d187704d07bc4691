"""Ports, waiting, and other programs that tests of the server start."""

import asyncio
import fcntl
import os
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

PATIENCE: Final = 120.0
"""How many seconds a test waits for an expected event; only a dead machine is slower."""

_reserved: list[IO[str]] = []
"""Locks on the ports that this process was given, held until the process ends."""


def free_port() -> int:
    """Return a port that no other test has, below those that the system hands out to any program."""
    folder = Path(tempfile.gettempdir(), f"canasta-ports-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    for port in random.SystemRandom().sample(range(20_000, 32_000), 1_000):
        lock = (folder / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", port))
        except OSError:
            lock.close()
            continue
        _reserved.append(lock)
        return port
    raise AssertionError("no port is free")


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that no event reports."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def wait_for_port(port: int, patience: float = PATIENCE) -> None:
    give_up = time.monotonic() + patience
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


class RedisServer:
    """A Redis that a test can stop and start again."""

    def __init__(self, program: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [
            program,
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(folder),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(self.port)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
