"""Saved games: the log of a table in a file, so that an interrupted game can be resumed.

The first line names the format and the table. Each further line has one log entry, or several that belong
together, and is written as soon as they happen. The file is locked while a program plays, so two programs
can't write to the same game.
"""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from canasta.errors import InputError
from canasta.i18n import Facts, Message
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import reason_fact
from canasta.table.log import Entry, decode_entry, encode_entry

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_CODES: Final = "commands.game"
IN_USE: Final = f"{_CODES}.in_use"
"""Message code for a game that another program is playing."""
FORMAT: Final = "canasta table 1"
SUFFIX: Final = ".canasta-table"
_LARGEST: Final = 64_000_000
_FAR: Final = 1 << 30
"""Position of the lock on Windows, beyond anything that is read."""


def unusable_game(code: str, path: Path, facts: Facts | None = None) -> InputError:
    """Return the error for a file that can't be resumed."""
    return InputError(Message(f"{_CODES}.{code}", {"name": printable(str(path)), **(facts or {})}))


class _Head(msgspec.Struct, kw_only=True):
    format: str
    table: str


class GameFile:
    """The open and locked file of a game."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream

    @classmethod
    def create(cls, path: Path, table: str) -> "GameFile":
        """Create a file. An existing file is never overwritten. Raises `OSError`."""
        stream = path.open("xb")
        _lock(stream)
        stream.write(msgspec.json.encode(_Head(format=FORMAT, table=table)) + b"\n")
        stream.flush()
        return cls(path, stream)

    @classmethod
    def open(cls, path: Path) -> "tuple[GameFile, str, list[Entry]]":
        """Return the file, the name of the table and its log. Raises `InputError`."""
        try:
            stream = path.open("r+b")
        except OSError as error:
            raise unusable_game("unreadable", path, {"why": reason_fact(error)}) from None
        try:
            _lock(stream)
            content = stream.read(_LARGEST + 1)
            name, entries = _read(content, path)
            # Ignore an incomplete last line, left by a program that was killed.
            whole = content.rfind(b"\n") + 1
            stream.truncate(whole)
            stream.seek(whole)
        except BlockingIOError:
            stream.close()
            raise unusable_game("in_use", path) from None
        except OSError as error:
            stream.close()
            raise unusable_game("unreadable", path, {"why": reason_fact(error)}) from None
        except InputError:
            stream.close()
            raise
        return cls(path, stream), name, entries

    def append(self, entries: Sequence[Entry]) -> None:
        """Append entries as one line, so that either all or none are written. Raises `OSError`."""
        lines = [encode_entry(entry) for entry in entries]
        self._stream.write((lines[0] if len(lines) == 1 else b"[" + b",".join(lines) + b"]") + b"\n")
        self._stream.flush()

    def close(self, *, remove: bool = False) -> None:
        with contextlib.suppress(OSError):
            self._stream.close()
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)


def _read(content: bytes, path: Path) -> tuple[str, list[Entry]]:
    lines = content.split(b"\n")[:-1]
    if len(content) > _LARGEST or not lines:
        raise unusable_game("none", path)
    try:
        head = msgspec.json.decode(lines[0], type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise unusable_game("none", path) from None
    if head.format != FORMAT:
        raise unusable_game("other_version", path)
    entries: list[Entry] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            together = msgspec.json.decode(line, type=list[msgspec.Raw]) if line.startswith(b"[") else [line]
            entries += [decode_entry(bytes(each)) for each in together]
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise unusable_game("damaged_line", path, {"number": number}) from None
    return head.table, entries


def _lock(stream: BinaryIO) -> None:
    """Lock the file. Raises `BlockingIOError` if another program has it.

    The system releases the lock when this program ends, however it ends.
    """
    if sys.platform == "win32":
        stream.seek(_FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
        finally:
            stream.seek(0)
    else:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            pass  # the file system has no locks: playing unlocked is better than not at all


def saved_games(folder: Path) -> list[Path]:
    """Return the saved games in this folder, most recently played first."""
    games: list[tuple[float, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):
            games.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(games, reverse=True)]
