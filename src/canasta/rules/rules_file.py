"""House rules as a file: a base and its differences, in the format of a preset.

`load_ruleset("my-club.toml")` loads such a file; `rules_text` writes one. It is equivalent to the base with
options: records and tables store those and do not need the file.
"""

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Final, TypeVar

from canasta.i18n.voice import reason_fact
from canasta.rules.defects import Defect, RulesetError
from canasta.rules.field_types import Value
from canasta.rules.loader import OPTIONS, implied_values, options_of, read_options, resolve_ruleset, values_of
from canasta.rules.model import FIELDS, Ruleset
from canasta.rules.preset_files import (
    MOST_BYTES,
    ParsedToml,
    is_preset,
    no_such_preset,
    player_numbers,
    preset,
    preset_names,
)

ENDING: Final = ".toml"

Given = TypeVar("Given")
"""The type of a table's option, checked or not."""

_WORDS: Final = ("summary", "family", "booklet")
_OF_PRESETS: Final = ("version", "player_numbers", "extra_deck", "when", "before")


class RulesFile:
    """A file of house rules, read and checked field by field."""

    def __init__(self, content: bytes, name: str) -> None:
        file = ParsedToml(content, name)
        self._file = file
        self.title = file.take_text("title", "") or name.removesuffix(ENDING)
        """The table's name for these rules; by default the name of the file."""
        self.base = self._base()
        numbers = player_numbers(self.base) if self.base else (2, 3, 4, 5, 6)
        self.players: int | None = None
        """Default number of players."""
        if "default_players" in file.table:
            self.players = file.take_players("default_players", numbers)[0]
            if self.players not in numbers:
                file.add_defect(["default_players"], self.players, "NOT_ITS_PLAYERS", {"name": self.base})
        for key in _WORDS:
            file.take_text(key, "")
        file.table.pop("languages", None)
        for key in _OF_PRESETS:
            if key in file.table:
                file.add_defect([key], file.table.pop(key), "OF_PRESETS", remedy_code="LEAVE_OUT")
        self._by_players = file.take_numbered("players", numbers)
        self._values = file.values(file.table)
        file.raise_defects()

    def _base(self) -> str:
        file = self._file
        if "base" not in file.table:
            file.add_defect(
                ["base"], None, "MISSING", {"written": f'base = "{preset_names()[0]}"'}, "WRITE_OR_OTHER"
            )
            return ""
        given = file.table["base"]
        base = file.take_text("base", "")
        if base == given and not is_preset(base):
            unknown = no_such_preset(base)
            file.add_defect(["base"], base, unknown.code, unknown.facts, unknown.remedy_code)
            return ""
        return base

    def options(
        self, players: int | None = None, options: Mapping[str, Given] | None = None
    ) -> dict[str, Value | Given]:
        """Return the file's options at a table of this size, overridden by the table's own."""
        number = players or self.players or preset(self.base).default_players
        given = options or {}
        paths_set = {OPTIONS[name].path if name in OPTIONS else name for name in given}
        values = self._values | self._by_players.get(number, {})
        return {**{path: value for path, value in values.items() if path not in paths_set}, **given}

    def ruleset(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Ruleset:
        """Return the rules for a number of players; the table's options override those of the file."""
        number = self.players if players is None else players
        merged = self.options(number, options)
        try:
            return resolve_ruleset(self.base, number, merged)
        except RulesetError as error:
            given = options or {}
            ours = [defect for defect in error.defects if defect.path in merged and defect.path not in given]
            theirs = [defect for defect in error.defects if defect not in ours]
            raise RulesetError(self._file.located(ours) + theirs) from None


def is_rules_file(name: object) -> bool:
    """Return whether the name means a file, in a place that also accepts a preset's name.

    >>> is_rules_file("my-club.toml"), is_rules_file("jaques")
    (True, False)
    """
    if isinstance(name, PathLike):
        return True
    return isinstance(name, str) and (name.lower().endswith(ENDING) or "/" in name or "\\" in name)


def read_rules_file(name: str | PathLike[str]) -> RulesFile:
    """Read a rules file. Raise `RulesetError` if it cannot be read or does not contain rules."""
    from pathlib import Path  # noqa: PLC0415 - the package itself should load in a moment

    try:
        with Path(name).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = reason_fact(error) if isinstance(error, OSError) else "ENOENT"
        raise RulesetError([Defect("", None, "NO_FILE", {"why": reason}, file=fspath(name))]) from None
    return RulesFile(content, fspath(name).replace("\\", "/").rpartition("/")[2])


def named_options(options: Mapping[str, Value], rules: Ruleset) -> dict[str, Value]:
    """Convert options by path to options as a form asks for them, with short names if there are any.

    >>> from canasta.rules.loader import load_ruleset
    >>> named_options({"deal.hand_size": 9, "melds.wilds_to_naturals": "equal"}, load_ruleset("caliente"))
    {'hand_size': 9, 'equal_wilds': True}
    """
    values = values_of(rules)
    named: dict[str, Value] = {}
    for path, value in options.items():
        field = FIELDS[path]
        if not field.option or (
            field.switch is not None and value not in (field.switch.yes, field.switch.no)
        ):
            named[path] = value
            continue
        named[field.option] = OPTIONS[field.option].now(options)
        # A short name would set these to 0.
        for cleared in field.clears:
            beside = f"{field.section}.{cleared}"
            if values[beside] != 0:
                named[beside] = values[beside]
    return named


# -- writing ------------------------------------------------------------------------------------------------


def rules_text(
    base: str, players: int | None, options: Mapping[str, object], *, title: str = "", default: bool = False
) -> str:
    """Return the file of these house rules. With `default` it also contains the number of players.

    Raise `RulesetError` if they are not a valid game.

    >>> print(rules_text("jaques", None, {"hand_size": 13}))
    # House rules: a base and what differs from it.
    base = "jaques"
    <BLANKLINE>
    [deal]
    # cards dealt: a whole number from 1 to 30
    hand_size = 13
    <BLANKLINE>
    """
    rules = resolve_ruleset(base, players, options)
    usual = values_of(resolve_ruleset(base, players))
    choices = read_options(options, usual)
    implied = {path: value for path, value in implied_values(choices).items() if usual[path] != value}
    values = implied | choices.values
    if choices.extra_deck:
        values = options_of(rules)
    # Sitting out depends on the number of players; with an extra deck, everything does.
    of_number = choices.extra_deck or any(path.startswith("seats.si") for path in values)
    lines = ["# House rules: a base and what differs from it."]
    if title:
        lines.append(f"title = {_quoted(title)}")
    lines.append(f"base = {_quoted(base)}")
    if default or of_number:
        lines.append(f"default_players = {rules.seats.players}")
    if of_number:
        lines += ["", f"[players.{rules.seats.players}]"]
    section = ""
    for path in FIELDS:
        if path not in values:
            continue
        field = FIELDS[path]
        if field.section != section and not of_number:
            section = field.section
            lines += ["", f"[{section}]"]
        words = f"; 0: {field.zero}" if field.zero and field.kind == "number" else ""
        lines.append(f"# {field.label}: {field.allowed()}{words}")
        lines.append(f"{path if of_number else field.name} = {_toml(values[path])}")
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(str(member) for member in value)}]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """Quote a text for TOML; unprintable characters are dropped."""
    kept = "".join(char for char in text if char.isprintable())
    escaped = kept.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
