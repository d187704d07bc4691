"""Presets: one TOML file each, listed from their folder.

A preset is a base plus differences, differences for a number of players, and values that follow from a choice
(`[extra_deck]`, `[[when]]`). Those last ones apply to that preset alone and are not inherited. Without a
base, the differences are from the defaults in the model. `[before.2]` contains the values that version 2
replaced, so that records and tables of version 1 keep the rules they were played with.

Other packages add presets through an entry point of the group `canasta.presets` that names a package of TOML
files.
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from canasta.rules.defects import Defect, RulesetError, meant
from canasta.rules.field_types import Value
from canasta.rules.model import FIELDS, Ruleset, usual_values
from canasta.rules.toml_reader import ParsedToml

if TYPE_CHECKING:  # keeps the import of this package fast
    from importlib.resources.abc import Traversable
    from pathlib import Path

USUAL_PRESET: Final = "caliente"
"""The default game."""

ENTRY_POINTS: Final = "canasta.presets"

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TABLES: Final = range(FIELDS["seats.players"].low, FIELDS["seats.players"].high + 1)


class Case(NamedTuple):
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
    cases: tuple[Case, ...]
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
    """Return the default seats: three play alone, and of five or six
    one per team of three sits out (SEAT-1 to SEAT-3)."""
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
    cure, facts = meant(name, preset_names()) if isinstance(name, str) else ("", {})
    return Defect("rules", name, "NO_SUCH_PRESET", facts | {"choices": ", ".join(preset_names())}, cure)


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
    """Return a preset of another package, or `None` with a warning if
    it is invalid: it must not break our listing."""
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
        file.slip([], name, "NO_PRESET_NAME")
    base = file.take_text("base", "")
    if base and base not in own_files() and base not in foreign_files():
        names = [*own_files(), *foreign_files()]
        cure, facts = meant(base, names)
        file.slip(["base"], base, "NO_SUCH_PRESET", facts | {"choices": ", ".join(names)}, cure)
        file.end()
    parent = preset(base) if base else None
    title = file.take_text("title", "")
    if not title:
        file.slip(["title"], None, "MISSING", {"written": 'title = "…"'}, "WRITE")
    numbers = file.take_players("player_numbers", parent.player_numbers if parent else tuple(_TABLES))
    usual = file.take_players("default_players", (_usual_number(parent, numbers),))[0]
    if usual not in numbers:
        file.slip(["default_players"], usual, "MUST_BE_ONE_OF", {"choices": "player_numbers"})
    # A family of presets has one version, that of its base.
    version = file.table.pop("version", parent.version if parent else 1)
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= 1_000_000:
        file.slip(["version"], version, "MUST_BE_NUMBER", {"low": 1, "high": 1_000_000})
        version = 1
    told = _languages(file)
    read = Preset(
        name,
        title,
        file.take_text("family", parent.family if parent else ""),
        told["family"],
        file.take_text("booklet", ""),  # not inherited: other rules are printed elsewhere
        file.take_text("summary", ""),
        told["title"],
        told["summary"],
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
    file.end()
    return read


def _usual_number(parent: Preset | None, numbers: tuple[int, ...]) -> int:
    for number in (parent.default_players if parent else 0, 4):
        if number in numbers:
            return number
    return numbers[0]


def _languages(file: ParsedToml) -> dict[str, dict[str, str]]:
    """Return title, summary and family, each by language."""
    told: dict[str, dict[str, str]] = {"title": {}, "summary": {}, "family": {}}
    languages = file.table.pop("languages", {})
    for language, words in languages.items() if isinstance(languages, Mapping) else ():
        for kind, text in words.items() if isinstance(words, Mapping) else ():
            if kind not in told:
                file.slip(["languages", language, kind], text, "MUST_BE_ONE_OF", {"choices": ", ".join(told)})
            elif file.is_line(["languages", language, kind], text):
                told[kind][language] = text
    return told


def _names(file: ParsedToml) -> tuple[str, ...]:
    """Return the other names of the game."""
    names = file.table.pop("names", [])
    if not isinstance(names, list):
        names = [names]
    return tuple(name for name in names if file.is_line(["names"], name))


def _cases(file: ParsedToml) -> tuple[Case, ...]:
    cases: list[Case] = []
    written: Any = file.table.pop("when", [])
    for case in written if isinstance(written, list) else [written]:
        if not isinstance(case, Mapping) or case.get("players", 0) not in (0, *_TABLES):
            file.slip(["when"], case, "MUST_BE_CASES", {"written": "[[when]]"}, "WRITE")
            continue
        parts = [file.values(case.get(part, {}), ("when", part)) for part in ("is", "then")]
        cases.append(Case(case.get("players", 0), *parts))
    return tuple(cases)


def titles_of(rules: Ruleset) -> dict[str, str]:
    """Return the titles of the game in other languages; empty if a club has given it a title of its own."""
    known = preset(rules.name)
    return known.titles if rules.title == known.title else {}


def title_of(rules: Ruleset, lang: str = "en") -> str:
    """Return the title of the game, in the language if it has one there."""
    return titles_of(rules).get(lang, rules.title)
