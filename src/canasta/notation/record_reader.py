"""Read records line by line, so that a replay can play everything before the first invalid line."""

import json
import re
from collections.abc import Iterator
from typing import Final
from unicodedata import category

from canasta.engine.fairness import SERVER, Contribution, FairRound
from canasta.errors import CanastaError
from canasta.i18n import Facts
from canasta.i18n.safe_text import closest, short
from canasta.notation.cards import parse_cards
from canasta.notation.errors import FileProblem, NotationError
from canasta.notation.moves import parse_move
from canasta.notation.record import (
    FORMAT,
    LARGEST_RECORD,
    LONGEST_LINE,
    UNFINISHED,
    UNREVEALED,
    CutMade,
    Entry,
    GameEnds,
    GameLeft,
    GameResult,
    HandEnds,
    HandStarts,
    Header,
    MoveMade,
    Record,
    Remark,
    RoundVoid,
)

_SEAT_KEY: Final = re.compile(r"seat [0-9]", re.ASCII)
_OWN_KEY: Final = re.compile(r"x-[a-z0-9-]{1,40}", re.ASCII)
_KEYS: Final = ("format", "rules", "version", "players", "seed", "first dealer", "date", "place", "result")
_NEEDED: Final = ("rules", "version", "players", "seed")
_HAND: Final = re.compile(r"hand ([0-9]{1,4})", re.ASCII)
_HEX: Final = "[0-9a-f]{64}"
_ROUND: Final = (
    rf"round ([0-9]{{1,2}}), server ({_HEX}) ({_HEX})((?:, seat [0-9] {_HEX} (?:{_HEX}|{UNREVEALED})){{0,6}})"
)
_FAIR_HAND: Final = re.compile(rf"hand ([0-9]{{1,4}}) fair-2 {_ROUND}", re.ASCII)
_VOID: Final = re.compile(rf"void ([0-9]{{1,4}}) {_ROUND}", re.ASCII)
_MOVE: Final = re.compile(r"([0-9]) ?: ?(.*)", re.ASCII)
_COMMENT: Final = re.compile(r"\s+#(?:\s+(.*))?$")
_NUMBERS: Final = r"-?[0-9]{1,9}(?: -?[0-9]{1,9})*"
_POINTS: Final = re.compile(rf"points: ({_NUMBERS})", re.ASCII)
_RESULT: Final = re.compile(rf"(?:side ([0-9]) wins|draw) ({_NUMBERS})", re.ASCII)


class RecordError(CanastaError, ValueError):
    """A line of a record cannot be read or contradicts the game."""

    def __init__(self, problem: FileProblem) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def line(self) -> int:
        """Line number, from 1."""
        return self.problem.line

    def __str__(self) -> str:
        return f"{self.problem.line_in()}."


def _error(line: int, code: str, facts: Facts | None = None) -> RecordError:
    return RecordError(FileProblem(code, facts or {}, line))


def decode_record(data: bytes) -> str:
    """Decode the bytes of a record file. Raise `RecordError` if they are not text."""
    if len(data) > 4 * LARGEST_RECORD:
        raise _error(1, "RECORD_TOO_LONG", {"most": LARGEST_RECORD})
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _error(1, "UTF_16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error(data.count(b"\n", 0, error.start) + 1, "NOT_UTF_8") from None


def parse_record(text: str) -> Record:
    """Parse a complete record. Raise `RecordError` at the first line that cannot be read."""
    reader = RecordReader(text)
    record = Record(reader.header())
    record.entries.extend(reader.entries())
    return record


class RecordReader:
    """Reads a record. Call `header()` first, then `entries()`."""

    def __init__(self, text: str) -> None:
        if len(text) > LARGEST_RECORD:
            raise _error(1, "RECORD_TOO_LONG", {"most": LARGEST_RECORD})
        self._lines = text.removeprefix("\N{BYTE ORDER MARK}").split("\n")
        self.is_cut_off = bool(self._lines[-1])
        """Whether the last line has no line end, so that part of it may be missing."""
        if not self._lines[-1]:
            self._lines.pop()
        self._at = 0
        self._table = ""
        """The header's seed, to which the seeds of fair hands are bound."""

    def _next(self) -> str | None:
        """Return the next line, checked and stripped, or `None` at the end."""
        if self._at == len(self._lines):
            return None
        line = self._lines[self._at].removesuffix("\r")
        self._at += 1
        if len(line) > LONGEST_LINE:
            raise _error(self._at, "LINE_TOO_LONG", {"most": LONGEST_LINE})
        for column, character in enumerate(line, start=1):
            if not character.isprintable() and character != "\t" and category(character) != "Zs":
                raise _error(self._at, "NO_TEXT", {"number": column})
        return line.strip()

    # -- the header ----------------------------------------------------------------------------------------

    def header(self) -> Header:
        values: dict[str, str] = {}
        lines: dict[str, int] = {}
        comments: dict[str, list[str]] = {}
        waiting: list[str] = []
        while line := self._next():
            if line.startswith("#"):
                waiting.append(line[1:].strip())
                continue
            key, colon, value = line.partition(":")
            key = " ".join(key.lower().split())
            if not colon:
                raise _error(self._at, "NO_HEADER_LINE", {"text": short(line)})
            if not values and key != "format":
                raise _error(self._at, "NO_FORMAT", {"written": f"format: {FORMAT}"})
            if key in values:
                raise _error(self._at, "KEY_TWICE", {"name": key})
            self._check_key(key)
            values[key], lines[key] = value.strip(), self._at
            if waiting:
                comments[key], waiting = waiting, []
        if waiting:
            comments[""] = waiting
        if not values:
            raise _error(1, "NO_FORMAT", {"written": f"format: {FORMAT}"})
        header = _header_from(values, lines)
        header.comments = comments
        self._table = header.seed
        return header

    def _check_key(self, key: str) -> None:
        if key in _KEYS or _SEAT_KEY.fullmatch(key) or _OWN_KEY.fullmatch(key) or key.startswith("option "):
            return
        near = closest(key, _KEYS)
        raise _error(
            self._at, "NEARLY_KEY" if near else "NO_RECORD_KEY", {"text": short(key), "written": near}
        )

    # -- the moves -----------------------------------------------------------------------------------------

    def entries(self) -> Iterator[Entry]:
        while (line := self._next()) is not None:
            if not line:
                yield Remark(None, self._at)
            elif line.startswith("#"):
                yield Remark(line[1:].strip(), self._at)
            else:
                comment = ""
                found = _COMMENT.search(line)
                if found:
                    comment = (found[1] or "").strip()
                    line = line[: found.start()].rstrip()
                yield self._entry(line, comment)

    def _entry(self, line: str, comment: str) -> Entry:
        plain = " ".join(line.split())
        if found := _MOVE.fullmatch(plain):
            try:
                return MoveMade(int(found[1]), parse_move(found[2]), comment, self._at)
            except NotationError as error:
                raise RecordError(FileProblem.unreadable(error).at(self._at)) from None
        if found := _HAND.fullmatch(plain.lower()):
            return HandStarts(int(found[1]), comment, line=self._at)
        if found := _FAIR_HAND.fullmatch(plain):
            fair = self._round(found)
            return HandStarts(fair.hand, comment, fair, fair.commitment, self._at)
        if found := _VOID.fullmatch(plain):
            return RoundVoid(self._round(found), comment, self._at)
        if plain.startswith("void ") or (plain.lower().startswith("hand ") and "fair" in plain.lower()):
            raise _error(self._at, "FORM_OF_ROUND")
        if plain.startswith("cut:"):
            return CutMade(self._cuts(plain.removeprefix("cut:")), comment, self._at)
        if found := _POINTS.fullmatch(plain.lower()):
            return HandEnds(_whole_numbers(found[1]), comment, self._at)
        key, _, value = plain.partition(": ")
        if key.lower() == "result":
            if value.lower() == UNFINISHED:
                return GameLeft(comment, self._at)
            result = read_result(value)
            if result is None:
                raise _error(self._at, "NO_RESULT", {"text": short(value)})
            return GameEnds(result, comment, self._at)
        raise _error(self._at, "NO_ENTRY", {"text": short(line), "written": "0: draw"})

    def _round(self, found: re.Match[str]) -> FairRound:
        """Return the seed round on a line that matched its pattern."""
        parts: list[Contribution] = []
        for part in found[5].split(", ")[1:]:
            _, seat, commitment, seed = part.split()
            parts.append(Contribution(int(seat), commitment, "" if seed == UNREVEALED else seed))
        server = Contribution(SERVER, found[3], found[4])
        return FairRound(self._table, int(found[1]), int(found[2]), server, tuple(parts))

    def _cuts(self, text: str) -> tuple[tuple[int, ...], ...]:
        try:
            return tuple([parse_cards(cards) for cards in text.split(",")])
        except NotationError as error:
            raise RecordError(FileProblem.unreadable(error).at(self._at)) from None


def _whole_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split())


def read_result(text: str) -> GameResult | None:
    """Parse `side 0 wins 5120 4310` or `draw 5000 5000`; return `None` for anything else."""
    found = _RESULT.fullmatch(" ".join(text.lower().split()))
    if found is None:
        return None
    return GameResult(None if found[1] is None else int(found[1]), _whole_numbers(found[2]))


def _header_from(values: dict[str, str], lines: dict[str, int]) -> Header:
    if values["format"] != FORMAT:
        raise _error(lines["format"], "OTHER_FORMAT", {"written": FORMAT, "text": short(values["format"])})
    for key in _NEEDED:
        if not values.get(key):
            raise _error(lines.get(key, lines["format"]), "KEY_MISSING", {"name": key})
    header = Header(
        rules=values["rules"],
        version=_number(values, lines, "version"),
        players=_number(values, lines, "players"),
        seed=values["seed"],
        lines=lines,
    )
    for key, value in values.items():
        if key == "first dealer":
            header.first_dealer = _number(values, lines, key)
            if header.first_dealer >= header.players:
                raise _no_seat(lines[key], header.first_dealer, header.players)
        elif _SEAT_KEY.fullmatch(key):
            if int(key[5:]) >= header.players:
                raise _no_seat(lines[key], int(key[5:]), header.players)
            header.names[int(key[5:])] = value
        elif key.startswith("option "):
            header.options[key.removeprefix("option ")] = _option(value, lines[key])
        elif key == "result":
            header.unfinished = value.lower() == UNFINISHED
            header.result = read_result(value)
            if header.result is None and not header.unfinished:
                raise _error(lines[key], "NO_RESULT", {"text": short(value)})
        elif key in ("date", "place") or _OWN_KEY.fullmatch(key):
            header.more[key] = value
    return header


def _no_seat(line: int, seat: int, players: int) -> RecordError:
    return _error(line, "NO_SEAT", {"number": seat, "players": players})


def _number(values: dict[str, str], lines: dict[str, int], key: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", values[key], re.ASCII):
        raise _error(lines[key], "NO_NUMBER", {"name": key, "text": short(values[key])})
    return int(values[key])


def _option(text: str, line: int) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        # A word needs no quotes: `option seats.first_dealer: cut`.
        if re.fullmatch(r"[A-Za-z_-]+", text, re.ASCII):
            return text
        raise _error(line, "NO_OPTION_VALUE", {"text": short(text)}) from None
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return value
    raise _error(line, "NO_OPTION_VALUE", {"text": short(text)})
