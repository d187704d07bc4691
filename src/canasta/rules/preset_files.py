"""Presets: one TOML file each, listed from their folder, and the reader of such files, even untrusted ones.

A preset is a base plus differences, differences for a number of players, and values that follow from a choice
(`[extra_deck]`, `[[when]]`). Those last ones apply to that preset alone and are not inherited. Without a
base, the differences are from the defaults in the model. `[before.2]` contains the values that version 2
replaced, so that records and tables of version 1 keep the rules they were played with.

Other packages add presets through an entry point of the group `canasta.presets` that names a package of TOML
files. Files are parsed within limits, and every mistake is reported with its line.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from canasta.i18n import Facts
from canasta.rules.defects import Defect, RulesetError, suggest_spelling
from canasta.rules.field_types import Value, as_value, check_value
from canasta.rules.model import FIELDS, SECTIONS, Ruleset, usual_values

if TYPE_CHECKING:  # keeps the import of this package fast
    from importlib.resources.abc import Traversable
    from pathlib import Path


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

    def add_defect(
        self, keys: Iterable[str], value: object, code: str, facts: Facts | None = None, remedy_code: str = ""
    ) -> None:
        """Record what is wrong with the value under these keys."""
        keys = tuple(keys)
        self.defects.append(
            Defect(".".join(keys), value, code, facts or {}, remedy_code, self.name, self._line(keys))
        )
        if len(self.defects) >= _MOST_SLIPS:
            self.raise_defects()

    def raise_defects(self) -> None:
        """Raise `RulesetError` with all mistakes in file order, if there are any."""
        if self.defects:
            raise RulesetError(sorted(self.defects, key=lambda defect: defect.line))

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
            self._unreadable(*_toml_defect(str(error), lines))
        self._find_lines(lines)
        return table

    def _unreadable(
        self, code: str, facts: Facts | None = None, remedy_code: str = "", line: int = 0
    ) -> NoReturn:
        raise RulesetError([Defect("", None, code, facts or {}, remedy_code, self.name, line)])

    def _find_lines(self, lines: list[str]) -> None:
        """Find the line of each key, as far as possible without parsing TOML a second time.

        The patterns take linear time, because the lines are untrusted.
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
            self.add_defect(under, table, "MUST_BE_TABLE")
            return values
        for section, members in table.items():
            if section not in SECTIONS:
                remedy_code, facts = self._suggest_field(section)
                code = "NO_SUCH_SECTION" if isinstance(members, Mapping) else "NO_SUCH_FIELD"
                self.add_defect((*under, section), members, code, facts, remedy_code)
            elif not isinstance(members, Mapping):
                self.add_defect((*under, section), members, "MUST_BE_SECTION", {"written": section})
            else:
                for name, value in members.items():
                    self._read(values, (*under, section, name), f"{section}.{name}", value)
        return values

    def _read(self, values: dict[str, Value], keys: tuple[str, ...], path: str, value: object) -> None:
        field = FIELDS.get(path)
        if field is None or field.fixed:
            remedy_code, facts = self._suggest_field(path)
            self.add_defect(keys, value, "NO_SUCH_FIELD", facts, remedy_code)
        elif wrong := check_value(field, value):
            remedy_code, facts = suggest_value(path, value)
            self.add_defect(keys, value, wrong[0], wrong[1] | facts, remedy_code)
        else:
            values[path] = as_value(value)

    def _suggest_field(self, name: str) -> tuple[str, Facts]:
        """Return the remedy that names the field closest to a misspelt one."""
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
        return suggest_spelling(name, ["base", "title", *SECTIONS, *paths])

    def take_text(self, name: str, otherwise: str) -> str:
        """Remove and return a text that applies to the whole file."""
        value = self.table.pop(name, otherwise)
        return value if self.is_line([name], value) else otherwise

    def is_line(self, keys: Sequence[str], value: object) -> bool:
        """Return whether a value is text that fits on a line; record a mistake if it is not."""
        shown = isinstance(value, str) and len(value) <= 500 and value.translate(_BLANKS).isprintable()
        if not shown:
            self.add_defect(keys, value, "MUST_BE_LINE")
        return shown

    def take_players(self, name: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
        """Remove and return a number of players, or a list of them."""
        value = self.table.pop(name, list(otherwise))
        field = FIELDS["seats.players"]
        members = value if isinstance(value, list) else [value]
        if not members or any(check_value(field, member) for member in members):
            self.add_defect([name], value, "MUST_BE_PLAYERS", {"low": field.low, "high": field.high})
            return otherwise
        return tuple(sorted(set(members)))

    def take_numbered(self, name: str, numbers: Sequence[int]) -> dict[int, dict[str, Value]]:
        """Remove and return tables by number, such as `[players.2]`."""
        found: dict[int, dict[str, Value]] = {}
        tables = self.table.pop(name, {})
        if not isinstance(tables, Mapping):
            self.add_defect(
                [name], tables, "MUST_BE_NUMBERED", {"written": f"[{name}.{numbers[0]}]"}, "WRITE"
            )
            return found
        for number, table in tables.items():
            if not re.fullmatch("[1-9][0-9]{0,6}", number) or int(number) not in numbers:
                facts: Facts = {"low": numbers[0], "high": numbers[-1], "written": f"[{name}.{numbers[0]}]"}
                self.add_defect([name, number], None, "NUMBERED_OTHERWISE", facts, "WRITE")
            else:
                found[int(number)] = self.values(table, (name, number))
        return found


def suggest_value(path: str, value: object) -> tuple[str, Facts]:
    """Return the remedy for a value that a field does not accept, if the intended value can be guessed."""
    field = FIELDS[path]
    if isinstance(value, str):
        if field.choices:
            return suggest_spelling(value, [choice for choice, _ in field.choices])
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


def _toml_defect(error: str, lines: list[str]) -> tuple[str, Facts, str, int]:
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


# -- presets ------------------------------------------------------------------------------------------------


USUAL_PRESET: Final = "caliente"
"""The default game."""

ENTRY_POINTS: Final = "canasta.presets"

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TABLES: Final = range(FIELDS["seats.players"].low, FIELDS["seats.players"].high + 1)


class ConditionalValues(NamedTuple):
    """Values that follow from others: when the conditions hold, the consequences apply."""

    players: int
    """Number of players; 0 means any."""
    conditions: dict[str, Value]
    consequences: dict[str, Value]


class Preset(NamedTuple):
    """A preset file as read. `values` are only those it states itself."""

    name: str
    title: str
    family: str
    """The kind of Canasta, in players' words."""
    families: dict[str, str]
    """The family in other languages."""
    booklet: str
    """The publication that contains its rules."""
    summary: str
    """One sentence that describes the game."""
    titles: dict[str, str]
    """The title in other languages."""
    summaries: dict[str, str]
    names: tuple[str, ...]
    """Other names of the game, in any language, used in searches."""
    version: int
    base: str
    player_numbers: tuple[int, ...]
    default_players: int
    values: dict[str, Value]
    by_players: dict[int, dict[str, Value]]
    extra_deck: dict[str, Value]
    cases: tuple[ConditionalValues, ...]
    before: dict[int, dict[str, Value]]
    """By version: the values that it replaced."""

    def values_for(self, players: int, version: int) -> dict[str, Value]:
        """Return its own values over those of its base, for a number of players."""
        values = preset(self.base).values_for(players, version) if self.base else _usual_for(players)
        values.update(self.values)
        values.update(self.by_players.get(players, {}))
        for later in sorted(self.before, reverse=True):
            if later > version:
                values.update(self.before[later])
        values["name"] = self.name
        values["title"] = self.title
        values["version"] = self.version
        return values


def _usual_for(players: int) -> dict[str, Value]:
    """Return the default seats for a number of players (SEAT-1 to SEAT-3).

    Three play alone. With five or six, one player of each team of three sits out.
    """
    seats: dict[str, Value] = {
        "seats.players": players,
        "seats.sides": 3 if players == 3 else 2,
        "seats.sit_out": players > 4,
    }
    return usual_values() | seats


# -- the available presets ----------------------------------------------------------------------------------


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: the default one first, and each before the presets based on it.

    >>> preset_names()[:2]
    ('caliente', 'caliente-samba')
    """
    found = [preset(name) for name in own_files()]
    found += [read for name in foreign_files() if (read := _usable(name)) is not None]
    return tuple(_in_order(sorted(found, key=lambda each: (each.name != USUAL_PRESET, each.name)), base=""))


def _in_order(presets: list[Preset], base: str) -> Iterator[str]:
    for each in presets:
        if each.base == base:
            yield each.name
            yield from _in_order(presets, each.name)


def is_preset(name: object) -> bool:
    return isinstance(name, str) and (name in own_files() or name in preset_names())


@cache
def preset(name: str) -> Preset:
    """Return the preset with this name."""
    file = own_files().get(name) or foreign_files().get(name)
    if file is None:
        raise RulesetError([no_such_preset(name)])
    return read_preset(name, file.read_bytes(), file.name)


def no_such_preset(name: object) -> Defect:
    remedy_code, facts = suggest_spelling(name, preset_names()) if isinstance(name, str) else ("", {})
    return Defect(
        "rules", name, "NO_SUCH_PRESET", facts | {"choices": ", ".join(preset_names())}, remedy_code
    )


def player_numbers(name: str) -> tuple[int, ...]:
    """Return the possible numbers of players of this preset.

    >>> player_numbers("hand-and-foot")
    (2, 3, 4, 5, 6)
    """
    return preset(name).player_numbers


def players_text(name: str) -> str:
    """Return the possible numbers of players as text for a list of games.

    >>> players_text("caliente"), players_text("burraco"), players_text("uruguay")
    ('2–6', '2, 4', '4')
    """
    numbers = player_numbers(name)
    if len(numbers) > 1 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


def default_players(name: str) -> int:
    """Return the default number of players of this preset."""
    return preset(name).default_players


def preset_folder() -> "Path":
    """Return the folder of this package's presets."""
    from pathlib import Path  # noqa: PLC0415 - as above

    return Path(__file__).with_name("presets")


@cache
def own_files() -> dict[str, "Traversable"]:
    return {file.stem: file for file in sorted(preset_folder().glob("*.toml"))}


@cache
def foreign_files() -> dict[str, "Traversable"]:
    """Return the preset files of other packages; only read for a name that is not one of ours."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import and rarely needed
    from importlib.resources import files  # noqa: PLC0415 - as above

    found: dict[str, Traversable] = {}
    for entry in sorted(entry_points(group=ENTRY_POINTS)):
        try:
            for file in sorted(files(entry.module).iterdir(), key=lambda file: file.name):
                name = file.name.removesuffix(".toml")
                if name == file.name:
                    continue
                if name in own_files() or name in found:
                    _warn(f"the preset {name} of {entry.module} is left out: the name is taken")
                else:
                    found[name] = file
        except (ImportError, OSError, TypeError) as error:
            _warn(f"the presets of {entry.module} cannot be read: {error}")
    return found


def _usable(name: str) -> Preset | None:
    """Return a preset of another package, or `None` with a warning if it is invalid."""
    try:
        return preset(name)
    except RulesetError as error:
        _warn(f"the preset {name} is left out: {error}")
    except RecursionError:
        _warn(f"the preset {name} is left out: its bases lead back to itself")
    return None


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)


# -- one file -----------------------------------------------------------------------------------------------


def read_preset(name: str, content: bytes, file_name: str) -> Preset:
    """Parse a preset file. A misspelt field in it is a defect like any other."""
    file = ParsedToml(content, file_name)
    if not _NAME.fullmatch(name):
        file.add_defect([], name, "NO_PRESET_NAME")
    base = file.take_text("base", "")
    if base and base not in own_files() and base not in foreign_files():
        names = [*own_files(), *foreign_files()]
        remedy_code, facts = suggest_spelling(base, names)
        file.add_defect(["base"], base, "NO_SUCH_PRESET", facts | {"choices": ", ".join(names)}, remedy_code)
        file.raise_defects()
    parent = preset(base) if base else None
    title = file.take_text("title", "")
    if not title:
        file.add_defect(["title"], None, "MISSING", {"written": 'title = "…"'}, "WRITE")
    numbers = file.take_players("player_numbers", parent.player_numbers if parent else tuple(_TABLES))
    usual = file.take_players("default_players", (_usual_number(parent, numbers),))[0]
    if usual not in numbers:
        file.add_defect(["default_players"], usual, "MUST_BE_ONE_OF", {"choices": "player_numbers"})
    # A family of presets has one version, that of its base.
    version = file.table.pop("version", parent.version if parent else 1)
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= 1_000_000:
        file.add_defect(["version"], version, "MUST_BE_NUMBER", {"low": 1, "high": 1_000_000})
        version = 1
    translations = _languages(file)
    read = Preset(
        name,
        title,
        file.take_text("family", parent.family if parent else ""),
        translations["family"],
        file.take_text("booklet", ""),  # not inherited: other rules are printed elsewhere
        file.take_text("summary", ""),
        translations["title"],
        translations["summary"],
        _names(file),
        version,
        base,
        numbers,
        usual,
        by_players=file.take_numbered("players", numbers),
        extra_deck=file.values(file.table.pop("extra_deck", {}), ("extra_deck",)),
        cases=_cases(file),
        before=file.take_numbered("before", range(2, max(version, 2) + 1)),
        values=file.values(file.table),
    )
    file.raise_defects()
    return read


def _usual_number(parent: Preset | None, numbers: tuple[int, ...]) -> int:
    for number in (parent.default_players if parent else 0, 4):
        if number in numbers:
            return number
    return numbers[0]


def _languages(file: ParsedToml) -> dict[str, dict[str, str]]:
    """Return title, summary and family, each by language."""
    texts: dict[str, dict[str, str]] = {"title": {}, "summary": {}, "family": {}}
    languages = file.table.pop("languages", {})
    for language, words in languages.items() if isinstance(languages, Mapping) else ():
        for kind, text in words.items() if isinstance(words, Mapping) else ():
            if kind not in texts:
                file.add_defect(
                    ["languages", language, kind], text, "MUST_BE_ONE_OF", {"choices": ", ".join(texts)}
                )
            elif file.is_line(["languages", language, kind], text):
                texts[kind][language] = text
    return texts


def _names(file: ParsedToml) -> tuple[str, ...]:
    """Return the other names of the game."""
    names = file.table.pop("names", [])
    if not isinstance(names, list):
        names = [names]
    return tuple(name for name in names if file.is_line(["names"], name))


def _cases(file: ParsedToml) -> tuple[ConditionalValues, ...]:
    cases: list[ConditionalValues] = []
    written: Any = file.table.pop("when", [])
    for case in written if isinstance(written, list) else [written]:
        if not isinstance(case, Mapping) or case.get("players", 0) not in (0, *_TABLES):
            file.add_defect(["when"], case, "MUST_BE_CASES", {"written": "[[when]]"}, "WRITE")
            continue
        parts = [file.values(case.get(part, {}), ("when", part)) for part in ("is", "then")]
        cases.append(ConditionalValues(case.get("players", 0), *parts))
    return tuple(cases)


def titles_of(rules: Ruleset) -> dict[str, str]:
    """Return the titles of the game in other languages; empty if a club has given it a title of its own."""
    known = preset(rules.name)
    return known.titles if rules.title == known.title else {}


def title_of(rules: Ruleset, lang: str = "en") -> str:
    """Return the title of the game, in the language if it has one there."""
    return titles_of(rules).get(lang, rules.title)
