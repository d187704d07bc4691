"""Rules written in TOML, by us or by strangers: read within bounds, every slip told with its line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from canasta.rules.defects import Defect, RulesetError, closest
from canasta.rules.fields import FIELDS, SECTIONS, Value, as_value, check_value

MOST_BYTES: Final = 32_768
"""Of a file of rules: five times the longest preset."""
_LONGEST_LINE: Final = 1000
"""What it costs to read a name with dots grows with the square of its length."""
_MOST_SLIPS: Final = 50
"""Whoever makes more has not written rules."""
MOST_GUESSED: Final = 10
"""Wrong names for which the nearest right one is looked for: each takes a millisecond, and a stranger can
send hundreds to a server."""

_BLANKS: Final = {0xA0: " ", 0x202F: " "}
"""Blanks at which no line is broken; Python takes them for signs that cannot be printed."""
_HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?")
_KEY: Final = re.compile(r"[\w.\"' -]+")


class Written:
    """A file of rules: its table, and on which line each key stands."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        """Of the file; empty where it came without one."""
        self.defects: list[Defect] = []
        self._lines: dict[tuple[str, ...], int] = {}
        self.table = self._parse(content)

    # -- slips ----------------------------------------------------------------------------------------------

    def slip(self, keys: Iterable[str], value: object, problem: str, remedy: str = "") -> None:
        """Note what is wrong with the value under these keys."""
        keys = tuple(keys)
        self.defects.append(Defect(".".join(keys), value, problem, remedy, self.name, self._line(keys)))
        if len(self.defects) >= _MOST_SLIPS:
            self.end()

    def end(self) -> None:
        """Tell all slips at once, from the top of the file; nothing where there are none."""
        if self.defects:
            raise RulesetError(sorted(self.defects, key=lambda slip: slip.line))

    def located(self, defects: Iterable[Defect]) -> list[Defect]:
        """Defects of the rules that the file makes, with the lines that they come from."""
        return [
            replace(defect, file=self.name, line=self._line(tuple(defect.path.split("."))))
            for defect in defects
        ]

    def _line(self, keys: tuple[str, ...]) -> int:
        """The line of a key, or of the nearest table around it; a path may also stand under a number."""
        for length in range(len(keys), 0, -1):
            for known, line in self._lines.items():
                if known[-length:] == keys[:length] and len(known) - length in (0, 2):
                    return line
        return 0

    # -- the text -------------------------------------------------------------------------------------------

    def _parse(self, content: bytes) -> dict[str, Any]:
        import tomllib  # noqa: PLC0415 - the package itself should load in a moment

        if len(content) > MOST_BYTES:
            self._unreadable("is too long for rules", f"{MOST_BYTES:,} bytes are the most")
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            self._unreadable("is not a text file in UTF-8", "save it as plain text")
        lines = text.split("\n")
        if any(len(line) > _LONGEST_LINE for line in lines):
            self._unreadable("has a line that is too long", f"{_LONGEST_LINE:,} characters are the most")
        try:
            table = tomllib.loads(text)
        except RecursionError:
            self._unreadable("is nested too deeply", "rules have sections and values, no more")
        except ValueError as error:
            self._unreadable(*_told(str(error), lines))
        self._find_lines(lines)
        return table

    def _unreadable(self, problem: str, remedy: str = "", line: int = 0) -> NoReturn:
        raise RulesetError([Defect("", None, problem, remedy, self.name, line)])

    def _find_lines(self, lines: list[str]) -> None:
        """Where each key stands, as far as that can be seen without reading TOML a second time. No pattern
        here looks at a character twice: the lines are a stranger's."""
        section: tuple[str, ...] = ()
        for number, line in enumerate(lines, start=1):
            if header := _HEADER.fullmatch(line):
                section = _keys(header[1])
                self._lines.setdefault(section, number)
            elif "=" in line and _KEY.fullmatch(key := line.partition("=")[0].strip()):
                self._lines.setdefault(section + _keys(key), number)

    # -- what stands in it ----------------------------------------------------------------------------------

    def values(self, table: object, under: tuple[str, ...] = ()) -> dict[str, Value]:
        """The fields of a table by their paths, each checked; what is wrong becomes a slip."""
        values: dict[str, Value] = {}
        if not isinstance(table, Mapping):
            self.slip(under, table, "must be a table", "write names with values below it")
            return values
        for section, members in table.items():
            if section not in SECTIONS:
                kind = "section" if isinstance(members, Mapping) else "field"
                self.slip((*under, section), members, f"there is no such {kind}", self._meant(section))
            elif not isinstance(members, Mapping):
                self.slip(
                    (*under, section), members, "must be a section", f"write [{section}] above its values"
                )
            else:
                for name, value in members.items():
                    self._read(values, (*under, section, name), f"{section}.{name}", value)
        return values

    def _read(self, values: dict[str, Value], keys: tuple[str, ...], path: str, value: object) -> None:
        field = FIELDS.get(path)
        if field is None or field.fixed:
            self.slip(keys, value, "there is no such field", self._meant(path))
        elif problem := check_value(field, value):
            self.slip(keys, value, problem, retyped(path, value))
        else:
            values[path] = as_value(value)

    def _meant(self, name: str) -> str:
        """The field that somebody may have meant."""
        if len(self.defects) >= MOST_GUESSED:
            return ""
        for field in FIELDS.values():
            if name in (field.option, field.name) and not field.fixed:
                return f"write {field.name} below [{field.section}]" if field.section else ""
        paths = [path for path, field in FIELDS.items() if not field.fixed]
        return closest(name, ["base", "title", *SECTIONS, *paths])

    def take_text(self, name: str, otherwise: str) -> str:
        """A text of the whole file, removed from its table."""
        value = self.table.pop(name, otherwise)
        return value if self.is_line([name], value) else otherwise

    def is_line(self, keys: Sequence[str], value: object) -> bool:
        """Whether a value is text that can stand on a line; a slip where it is not."""
        shown = isinstance(value, str) and len(value) <= 500 and value.translate(_BLANKS).isprintable()
        if not shown:
            self.slip(keys, value, "must be one line of text", "write it in quotation marks")
        return shown

    def take_players(self, name: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
        """A number of players, or a list of them, removed from the table."""
        value = self.table.pop(name, list(otherwise))
        field = FIELDS["seats.players"]
        members = value if isinstance(value, list) else [value]
        if not members or any(check_value(field, member) for member in members):
            self.slip([name], value, f"must be {field.allowed()}, or a list of them")
            return otherwise
        return tuple(sorted(set(members)))

    def take_numbered(self, name: str, numbers: Sequence[int]) -> dict[int, dict[str, Value]]:
        """Tables by number, `[players.2]`, removed from the table."""
        found: dict[int, dict[str, Value]] = {}
        tables = self.table.pop(name, {})
        if not isinstance(tables, Mapping):
            self.slip([name], tables, "must be a table by number", f"write [{name}.{numbers[0]}]")
            return found
        for number, table in tables.items():
            if not re.fullmatch("[1-9][0-9]{0,6}", number) or int(number) not in numbers:
                told = f"from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
                self.slip([name, number], None, f"must have a number {told}", f"write [{name}.{numbers[0]}]")
            else:
                found[int(number)] = self.values(table, (name, number))
        return found


def retyped(path: str, value: object) -> str:
    """What to write instead of a value that a field does not take, where it can be guessed."""
    field = FIELDS[path]
    if isinstance(value, str):
        if field.choices:
            return closest(value, [choice for choice, _ in field.choices])
        if value.lower() in ("yes", "no", "true", "false"):
            return f"write {field.name} = {'true' if value.lower() in ('yes', 'true') else 'false'}"
        if value.isascii() and value.isdigit() and len(value) < 10 and not check_value(field, int(value)):
            return "write it without quotation marks"
    if isinstance(value, float) and value.is_integer() and not check_value(field, int(value)):
        return f"write {int(value)}"
    return ""


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _told(error: str, lines: list[str]) -> tuple[str, str, int]:
    """What the reader of TOML found, in a sentence; what to write instead; the line."""
    found = re.fullmatch(r"(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)", error, re.DOTALL)
    if found is None:
        return f"cannot be read: {error[:80]}", "", 0
    number = int(found[2]) if found[2] else len(lines)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    problem = f"cannot be read: {found[1][:1].lower()}{found[1][1:80]}"
    if re.search(r"=\s*(yes|no|on|off|True|False|YES|NO)\b", line):
        return problem, "write true or false", number
    if "overwrite" in error or "twice" in error:
        return problem, "give it once", number
    if re.search(r"=\s*[A-Za-z]", line):
        return problem, "write text in quotation marks", number
    if "=" not in line and not line.strip().startswith("["):
        return problem, "write name = value", number
    return problem, "", number
