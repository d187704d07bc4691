"""The documentation's backup commands make copies that nobody else can read."""

import asyncio
import re
import shutil
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest

from canasta.server.store.store import make_store

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operating.md"


def documented(program: str) -> str:
    """Return the documented backup command that uses this program."""
    (found,) = re.findall(rf"`([^`]*\b{program}\b[^`]*COPY[^`]*)`", PAGE.read_text("utf-8"))
    return str(found)


def modes(folder: Path, name: str) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob(f"{name}*")}


@pytest.mark.parametrize("before", ["", "readable by all"])
async def test_a_copy_is_readable_by_its_owner_alone(tmp_path: Path, before: str) -> None:
    """This also holds if an earlier copy exists that everyone can read."""
    if shutil.which("sqlite3") is None:
        pytest.skip("sqlite3 is not installed")
    store = make_store(f"sqlite:///{tmp_path / 'tables.db'}")
    await store.open()
    await store.add_player("ada", "Ada")
    copy = tmp_path / "copy.db"
    if before:
        with sqlite3.connect(copy) as earlier:
            earlier.execute("CREATE TABLE earlier (day TEXT)")
        copy.chmod(0o644)
    command = documented("sqlite3").replace("FILE", str(tmp_path / "tables.db")).replace("COPY", str(copy))
    await asyncio.to_thread(subprocess.run, ["/bin/sh", "-c", f"umask 022; {command}"], check=True)
    # Files beside the copy get its permissions when it is opened.
    with sqlite3.connect(copy) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE players SET name = 'Eve'")
        assert modes(tmp_path, "copy.db") == {"copy.db": 0o600, "copy.db-journal": 0o600}
        connection.rollback()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE players SET name = 'Eve'")
        assert set(modes(tmp_path, "copy.db").values()) == {0o600}
        assert "copy.db-wal" in modes(tmp_path, "copy.db")
        assert connection.execute("SELECT name FROM players").fetchall() == [("Eve",)]
    await store.close()


def test_a_copy_of_postgres_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """A small program takes the place of pg_dump."""
    copy = tmp_path / "copy.sql"
    copy.touch(0o644)
    command = documented("pg_dump").replace("pg_dump NAME", "echo dump").replace("COPY", str(copy))
    subprocess.run(["/bin/sh", "-c", f"umask 022; {command}"], check=True)
    assert modes(tmp_path, "copy.sql") == {"copy.sql": 0o600}
    assert copy.read_text() == "dump\n"
