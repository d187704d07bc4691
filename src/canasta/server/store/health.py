"""Checks whether an SQLite file is sound: not emptied, overwritten or damaged.

A long-lived connection answers from its cache and doesn't notice damage. So the file is read through a new
connection in a separate thread, as often as its size allows.
"""

import asyncio
import sqlite3
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

CHECK_AGAIN: Final = 5.0
"""Seconds between two checks of a small file."""
_SHARE: Final = 0.02
"""Maximum share of the time to spend checking a large file."""
_WAIT: Final = 1.0
"""Seconds to wait for a running check; after that the caller gets the previous result."""


class Soundness:
    """Repeated checks of one file."""

    def __init__(self, file: Path, tables: Collection[str]) -> None:
        self._file = file
        self._tables = frozenset(tables)
        self._checking = ThreadPoolExecutor(1, "store-check")
        self._task: asyncio.Future[str] | None = None
        self._due = 0.0
        self._problem = ""

    async def problem(self) -> str:
        """Return what is wrong with the file, as of the latest check; empty if it is sound."""
        if self._task is None and time.monotonic() >= self._due:
            loop = asyncio.get_running_loop()
            self._task = loop.run_in_executor(self._checking, self._check)
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_WAIT)
            if self._task.done():
                self._problem = self._task.result()
                self._task = None
        return self._problem

    def _check(self) -> str:
        started = time.monotonic()
        try:
            return problem_of_file(self._file, self._tables)
        finally:
            took = time.monotonic() - started
            self._due = time.monotonic() + max(CHECK_AGAIN, took / _SHARE)

    def close(self) -> None:
        self._checking.shutdown(wait=False, cancel_futures=True)


def problem_of_file(file: Path, tables: Collection[str]) -> str:
    """Return what is wrong with an SQLite file that should have these tables; empty if it is sound."""
    try:
        # Only SQLite may open the file in this process: closing any other handle drops the locks of all
        # connections. The next program to close the database would then delete the log while the server uses
        # it.
        if not file.stat().st_size:
            return "its file is empty"
        address = f"file:{quote(str(file.absolute()))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_WAIT)) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if missing := sorted(set(tables) - names):
                return f"it lacks tables: {', '.join(missing)}"
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            return "its file is not an SQLite database"
        is_busy = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return "" if is_busy else f"its file is damaged: {error}"
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    return "" if found == ("ok",) else "its file is damaged"
