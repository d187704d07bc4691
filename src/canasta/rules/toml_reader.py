"""Rules in TOML, ours or a stranger's: parsed within limits, with every mistake reported by its line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from canasta.i18n import Facts
from canasta.rules.defects import Defect, RulesetError, meant
from canasta.rules.field_types import Value, as_value, check_value
from canasta.rules.model import FIELDS, SECTIONS

MOST_BYTES: Final = 32_768
"""Maximum size of a rules file: five times the longest preset."""
_LONGEST_LINE: Final = 1000
"""Maximum line length: the cost of parsing a dotted name grows with the square of its length."""
_MOST_SLIPS: Final = 50
"""Number of mistakes after which parsing stops; a file with more is not a rules file."""
MOST_GUESSED: Final = 10
"""Limit on the misspelt names for which a suggestion is searched: each takes a
millisecond, and a stranger could send hundreds to a server."""

_BLANKS: Final = {0xA0: " ", 0x202F: " "}
"""No-break spaces, which Python considers unprintable."""
_HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?")
_KEY: Final = re.compile(r"[\w.\"' -]+")


class ParsedToml:
    """A rules file: its table, and the line of each key."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        """Name of the file; empty if it has none."""
        self.defects: list[Defect] = []
        self._lines: dict[tuple[str, ...], int] = {}
        self.table = self._parse(content)

    # -- mistakes -------------------------------------------------------------------------------------------

    def slip(
        self, keys: Iterable[str], value: object, code: str, facts: Facts | None = None, cure: str = ""
    ) -> None:
        """Record what is wrong with the value under these keys."""
        keys = tuple(keys)
        self.defects.append(
            Defect(".".join(keys), value, code, facts or {}, cure, self.name, self._line(keys))
        )
        if len(self.defects) >= _MOST_SLIPS:
            self.end()

    def end(self) -> None:
        """Raise `RulesetError` with all mistakes in file order, if there are any."""
        if self.defects:
            raise RulesetError(sorted(self.defects, key=lambda slip: slip.line))

    def located(self, defects: Iterable[Defect]) -> list[Defect]:
        """Return defects of the resulting rules with the lines they come from."""
        return [
            replace(defect, file=self.name, line=self._line(tuple(defect.path.split("."))))
            for defect in defects
        ]

    def _line(self, keys: tuple[str, ...]) -> int:
        """Return the line of a key, or of the nearest enclosing table. A path may also be below a number."""
        for length in range(len(keys), 0, -1):
            for known, line in self._lines.items():
                if known[-length:] == keys[:length] and len(known) - length in (0, 2):
                    return line
        return 0

    # -- the text -------------------------------------------------------------------------------------------

    def _parse(self, content: bytes) -> dict[str, Any]:
        import tomllib  # noqa: PLC0415 - the package itself should load in a moment

        if len(content) > MOST_BYTES:
            self._unreadable("FILE_TOO_LONG", {"most": MOST_BYTES})
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            self._unreadable("NOT_UTF_8")
        lines = text.split("\n")
        if any(len(line) > _LONGEST_LINE for line in lines):
            self._unreadable("LINE_TOO_LONG", {"most": _LONGEST_LINE})
        try:
            table = tomllib.loads(text)
        except RecursionError:
            self._unreadable("NESTED")
        except ValueError as error:
            self._unreadable(*_told(str(error), lines))
        self._find_lines(lines)
        return table

    def _unreadable(self, code: str, facts: Facts | None = None, cure: str = "", line: int = 0) -> NoReturn:
        raise RulesetError([Defect("", None, code, facts or {}, cure, self.name, line)])

    def _find_lines(self, lines: list[str]) -> None:
        """Find the line of each key, as far as possible without parsing TOML a second time.

        No pattern here examines a character twice, because a stranger writes the lines.
        """
        section: tuple[str, ...] = ()
        for number, line in enumerate(lines, start=1):
            if header := _HEADER.fullmatch(line):
                section = _keys(header[1])
                self._lines.setdefault(section, number)
            elif "=" in line and _KEY.fullmatch(key := line.partition("=")[0].strip()):
                self._lines.setdefault(section + _keys(key), number)

    # -- contents -------------------------------------------------------------------------------------------

    def values(self, table: object, under: tuple[str, ...] = ()) -> dict[str, Value]:
        """Return the fields of a table by path, each checked. Anything wrong is recorded."""
        values: dict[str, Value] = {}
        if not isinstance(table, Mapping):
            self.slip(under, table, "MUST_BE_TABLE")
            return values
        for section, members in table.items():
            if section not in SECTIONS:
                cure, facts = self._meant(section)
                code = "NO_SUCH_SECTION" if isinstance(members, Mapping) else "NO_SUCH_FIELD"
                self.slip((*under, section), members, code, facts, cure)
            elif not isinstance(members, Mapping):
                self.slip((*under, section), members, "MUST_BE_SECTION", {"written": section})
            else:
                for name, value in members.items():
                    self._read(values, (*under, section, name), f"{section}.{name}", value)
        return values

    def _read(self, values: dict[str, Value], keys: tuple[str, ...], path: str, value: object) -> None:
        field = FIELDS.get(path)
        if field is None or field.fixed:
            cure, facts = self._meant(path)
            self.slip(keys, value, "NO_SUCH_FIELD", facts, cure)
        elif wrong := check_value(field, value):
            cure, facts = retyped(path, value)
            self.slip(keys, value, wrong[0], wrong[1] | facts, cure)
        else:
            values[path] = as_value(value)

    def _meant(self, name: str) -> tuple[str, Facts]:
        """Return the remedy that names the field which was probably meant."""
        if len(self.defects) >= MOST_GUESSED:
            return "", {}
        for path, field in FIELDS.items():
            if name in (field.option, field.name, path) and not field.fixed:  # the path in quotation marks
                return (
                    ("WRITE_BELOW", {"written": field.name, "name": field.section})
                    if field.section
                    else ("", {})
                )
        paths = [path for path, field in FIELDS.items() if not field.fixed]
        return meant(name, ["base", "title", *SECTIONS, *paths])

    def take_text(self, name: str, otherwise: str) -> str:
        """Remove and return a text that applies to the whole file."""
        value = self.table.pop(name, otherwise)
        return value if self.is_line([name], value) else otherwise

    def is_line(self, keys: Sequence[str], value: object) -> bool:
        """Return whether a value is text that fits on a line; record a mistake if it is not."""
        shown = isinstance(value, str) and len(value) <= 500 and value.translate(_BLANKS).isprintable()
        if not shown:
            self.slip(keys, value, "MUST_BE_LINE")
        return shown

    def take_players(self, name: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
        """Remove and return a number of players, or a list of them."""
        value = self.table.pop(name, list(otherwise))
        field = FIELDS["seats.players"]
        members = value if isinstance(value, list) else [value]
        if not members or any(check_value(field, member) for member in members):
            self.slip([name], value, "MUST_BE_PLAYERS", {"low": field.low, "high": field.high})
            return otherwise
        return tuple(sorted(set(members)))

    def take_numbered(self, name: str, numbers: Sequence[int]) -> dict[int, dict[str, Value]]:
        """Remove and return tables by number, such as `[players.2]`."""
        found: dict[int, dict[str, Value]] = {}
        tables = self.table.pop(name, {})
        if not isinstance(tables, Mapping):
            self.slip([name], tables, "MUST_BE_NUMBERED", {"written": f"[{name}.{numbers[0]}]"}, "WRITE")
            return found
        for number, table in tables.items():
            if not re.fullmatch("[1-9][0-9]{0,6}", number) or int(number) not in numbers:
                facts: Facts = {"low": numbers[0], "high": numbers[-1], "written": f"[{name}.{numbers[0]}]"}
                self.slip([name, number], None, "NUMBERED_OTHERWISE", facts, "WRITE")
            else:
                found[int(number)] = self.values(table, (name, number))
        return found


def retyped(path: str, value: object) -> tuple[str, Facts]:
    """Return the remedy for a value that a field does not accept, if the intended value can be guessed."""
    field = FIELDS[path]
    if isinstance(value, str):
        if field.choices:
            return meant(value, [choice for choice, _ in field.choices])
        if value.lower() in ("yes", "no", "true", "false"):
            truth = "true" if value.lower() in ("yes", "true") else "false"
            return "WRITE", {"written": f"{field.name} = {truth}"}
        if value.isascii() and value.isdigit() and len(value) < 10 and check_value(field, int(value)) is None:
            return "UNQUOTED", {}
    if isinstance(value, float) and value.is_integer() and check_value(field, int(value)) is None:
        return "WRITE", {"written": str(int(value))}
    return "", {}


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _told(error: str, lines: list[str]) -> tuple[str, Facts, str, int]:
    """Convert an error of the TOML parser to a code and its facts, the remedy and the line."""
    found = re.fullmatch(r"(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)", error, re.DOTALL)
    if found is None:
        return "NOT_TOML", {"text": error[:80]}, "", 0
    number = int(found[2]) if found[2] else len(lines)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    facts: Facts = {"text": f"{found[1][:1].lower()}{found[1][1:80]}"}
    if re.search(r"=\s*(yes|no|on|off|True|False|YES|NO)\b", line):
        return "CANNOT_BE_READ", {}, "TRUE_OR_FALSE", number
    if "overwrite" in error or "twice" in error:
        return "GIVEN_AGAIN", {}, "ONCE", number
    if re.search(r"=\s*[A-Za-z]", line):
        return "CANNOT_BE_READ", {}, "QUOTED", number
    if "=" not in line and not line.strip().startswith("["):
        return "CANNOT_BE_READ", {}, "NAME_AND_VALUE", number
    return "NOT_TOML", facts, "", number
