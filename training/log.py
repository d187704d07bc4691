"""The training log: a line of JSON at the start of a run, and one for each line that it prints.

A run that continues from the same weights appends to the same file, so one file contains all runs in order.
Neither writing nor reading needs PyTorch.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, NoReturn

from canasta.errors import CanastaError

FORMAT: Final = "canasta-training-1"

PRINTED: Final = (
    *(
        ("hands", 0),
        ("decisions", 0),
        ("stepping", 0),
        ("looking", 0),
        ("learning", 0),
        ("entropy", 3),
        ("shift", 4),
    ),
    *(("strayed", 4), ("value_loss", 4), ("judge_loss", 4), ("belief_loss", 4)),
)
"""The numbers of a printed line, with their decimal places."""

BY_GAME: Final = {
    "over_club": "over club",
    "over_earlier": "over earlier selves",
    "gained": "gained a decision",
}
"""Measures by game, and their printed labels."""

TOO_MUCH: Final = 1e15
"""Upper bound on any number in a log."""


class LogError(CanastaError):
    """Raised if the file is not a training log; the message says why."""


class Over(NamedTuple):
    """The result against an opponent in one game."""

    points: float
    """Points per hand with sampled actions, or per decision with greedy ones."""
    hands: float | None = None
    """Number of hands, or of decisions; `None` if it was not logged."""


@dataclass(frozen=True)
class Entry:
    """The progress of a run. Unknown values are `None`.

    The first seven values count from the start of the run, the others from the previous entry.
    """

    seconds: float
    steps: float | None = None
    hands: float | None = None
    decisions: float | None = None
    """Number of decisions tried out."""
    stepping: float | None = None
    """Seconds spent waiting for the tables."""
    looking: float | None = None
    """Seconds spent choosing actions."""
    learning: float | None = None
    """Seconds by which learning prolonged both."""
    steps_a_second: float | None = None
    entropy: float | None = None
    shift: float | None = None
    strayed: float | None = None
    """Shift in nats for choices that were certain and not tried out."""
    value_loss: float | None = None
    judge_loss: float | None = None
    belief_loss: float | None = None
    over_club: Mapping[str, Over] = field(default_factory=dict)
    over_earlier: Mapping[str, Over] = field(default_factory=dict)
    gained: Mapping[str, Over] = field(default_factory=dict)
    """Gain over the initial network, as estimated by the critic."""

    def line(self) -> str:
        """Return the entry as a line of text for printing."""
        parts = [f"{self.seconds:6.0f} s"]
        if self.steps is not None:
            parts.append(f"{_short(self.steps, 1):>9} steps")
            if self.seconds > 0:
                parts.append(f"{_short(self.steps / self.seconds, 2)}/s")
        for name, digits in PRINTED:
            if (value := getattr(self, name)) is not None:
                parts.append(f"{name.replace('_', ' ')} {value:,.{digits}f}")
        for name, words in BY_GAME.items():
            if by_game := getattr(self, name):
                parts.append(f"{words}:")
                parts += [f"{game} {_few_digits(made.points)}" for game, made in by_game.items()]
        return "  ".join(parts)


NUMBERS: Final = tuple(each.name for each in fields(Entry) if each.name not in BY_GAME)


def _short(count: float, digits: int) -> str:
    """Format a count in millions, or in thousands if it is small."""
    return f"{count / 1e6:.{digits}f} M" if count >= 1e5 else f"{count / 1e3:.1f} k"


def _few_digits(points: float) -> str:
    return f"{points:+.0f}" if abs(points) >= 10 else f"{points:+.1f}"


@dataclass
class RunningStats:
    """Collects the progress of a run since its last log entry."""

    games: list[str]
    steps: int = 0
    learning: float = 0.0
    """Seconds spent learning."""
    measured: list[list[float]] = field(default_factory=list)
    """Means of each update's measures since the last entry."""
    begun: float = field(default_factory=time.monotonic)
    last: tuple[float, int] = (0.0, 0)
    """Seconds and steps at the last entry."""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def next_entry(self, names: Sequence[str], **more: Any) -> Entry:
        """Return the entry since the last one, with measures of these names, and start the next."""
        seconds, steps = self.seconds, self.steps - self.last[1]
        means = [sum(each) / len(each) for each in zip(*self.measured, strict=True)]
        speed = steps / (seconds - self.last[0]) if steps else None
        self.measured = []
        self.last = seconds, self.steps
        return Entry(
            seconds,
            self.steps,
            learning=self.learning,
            steps_a_second=speed,
            **dict(zip(names, means, strict=False)),
            **more,
        )


@dataclass(frozen=True)
class Run:
    """One run, from the start of `train` to its end."""

    steps_before: float | None
    """Number of training steps of the initial weights."""
    entries: list[Entry] = field(default_factory=list)


class Log:
    """Writes the log of a run, keeping earlier contents."""

    def __init__(self, file: Path) -> None:
        """Open the log. Raise `LogError` if the file isn't a log or can't be written."""
        self.file = file
        try:
            if file.exists() and not file.is_file():
                raise LogError(f"the log {file} cannot be written: it is no file.")
            there = file.read_bytes() if file.exists() else b""
            if there:
                read_log(file)
            with file.open("ab") as log:
                _end_last_line(log, there)
        except OSError as error:
            raise LogError(f"the log {file} cannot be written: {error.strerror}.") from error

    def begin(self, steps_before: int, **about: object) -> None:
        """Log the start of a run. `about` contains further information about it."""
        self._write({"format": FORMAT, "steps_before": steps_before, **about})

    def add(self, entry: Entry) -> None:
        numbers = {name: getattr(entry, name) for name in NUMBERS}
        fields: dict[str, object] = {
            name: _rounded(value) for name, value in numbers.items() if value is not None and isfinite(value)
        }
        for name in BY_GAME:
            if by_game := getattr(entry, name):
                fields[name] = {
                    game: {"points": _rounded(points), "hands": hands}
                    for game, (points, hands) in by_game.items()
                    if isfinite(points)
                }
        self._write(fields)

    def _write(self, line: Mapping[str, object]) -> None:
        try:
            with self.file.open("a", encoding="utf-8") as log:
                log.write(json.dumps(line, allow_nan=False) + "\n")
        except OSError as error:
            raise LogError(f"the log {self.file} cannot be written: {error.strerror}.") from error


def _end_last_line(log: BinaryIO, there: bytes) -> None:
    """Make the next entry start on its own line, removing a truncated last line."""
    whole = there.rfind(b"\n") + 1
    if whole < len(there):
        try:
            json.loads(there[whole:])
            log.write(b"\n")
        except ValueError:
            log.truncate(whole)


def _rounded(value: float) -> float:
    """Round to six digits, more than any measure is accurate to. Counts stay whole."""
    return value if isinstance(value, int) else float(f"{value:.6g}")


def read_log(file: Path) -> list[Run]:
    """Return the runs of a log, without a truncated last line. Raise `LogError` if it is invalid."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise LogError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise LogError(f"{file} is no log of training: it is no text.") from error
    runs: list[Run] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            _read_line(line, runs)
        except json.JSONDecodeError as error:
            if number < len(lines):
                raise LogError(f"{file} is no log of training: line {number} is no JSON.") from error
        except (LogError, ValueError, RecursionError) as error:
            raise LogError(f"{file} is no log of training: in line {number} {error}.") from error
    if not runs:
        raise LogError(f"{file} is no log of training: no run begins in it.")
    return runs


def _read_line(line: str, runs: list[Run]) -> None:
    """Add a line to the runs. Raise `LogError` with the fault if the line is invalid."""
    fields = json.loads(line, parse_constant=_no_number)
    if not isinstance(fields, dict):
        raise LogError("there is no object")
    if "format" in fields:
        if fields["format"] != FORMAT:
            raise LogError(f"the format is {fields['format']!r} and not {FORMAT!r}")
        runs.append(Run(_number(fields, "steps_before")))
        return
    if not runs:
        raise LogError("no run has begun")
    seconds = _number(fields, "seconds")
    if seconds is None:
        raise LogError("the seconds are missing")
    read: dict[str, Any] = {name: _number(fields, name) for name in NUMBERS if name != "seconds"}
    read |= {name: _over(fields.get(name, {})) for name in BY_GAME}
    entry = Entry(seconds, **read)
    entries = runs[-1].entries
    if entries and entry.seconds < entries[-1].seconds:
        raise LogError("time goes back")
    told_last = next((each.steps for each in reversed(entries) if each.steps is not None), 0)
    if entry.steps is not None and entry.steps < told_last:
        raise LogError("steps are taken back")
    entries.append(entry)


def _no_number(text: str) -> NoReturn:
    raise LogError(f"{text} is no number")


def _number(fields: Mapping[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < TOO_MUCH:
        raise LogError(f"{name} is no number")
    return value


def _over(fields: object) -> dict[str, Over]:
    if not isinstance(fields, dict):
        raise LogError("the points have no games")
    entries = {}
    for game, made in fields.items():
        if not game.isprintable():
            raise LogError("a game has a name that cannot be written")
        points = _number(made, "points") if isinstance(made, dict) else None
        if points is None:
            raise LogError(f"{game} has no points")
        entries[game] = Over(points, _number(made, "hands"))
    return entries
