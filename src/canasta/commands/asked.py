"""Which rules somebody asked for on the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from canasta.commands.output import BAD_INPUT, fail, in_words, warn_saying
from canasta.commands.spoken import spoken
from canasta.notation.errors import short
from canasta.rules import Defect, Ruleset, RulesetError, load_ruleset, parse_option
from canasta.rules.fields import Value
from canasta.rules.rules_file import ENDING, RulesFile, is_rules_file, read_rules_file, rules_text
from canasta.words.defects import defect_line
from canasta.words.system import reason_in


@dataclass(frozen=True)
class Asked:
    """Games, number of players, house rules and form of the answer, as typed."""

    names: Sequence[str]
    players: int | None = None
    option: Sequence[str] = ()
    as_json: bool = False
    as_markdown: bool = False

    def name(self) -> str:
        """The one game asked for."""
        if not self.names:
            fail("which_game")
        if len(self.names) > 1:
            fail("one_game")
        return self.names[0]

    def options(self) -> dict[str, Value]:
        """The house rules, those of a file of rules among them; what cannot be read ends the command."""
        options, defects = self._read_options()
        try:
            if self.names and is_rules_file(self.name()):
                options = read_rules_file(self.name()).options(self.players, options)
        except RulesetError as error:
            defects += error.defects
        if defects:
            _end_with(defects)
        return options

    def rules(self) -> Ruleset:
        """The rules of the one game asked for; all that is wrong with the choice is told at once."""
        options, defects = self._read_options()
        try:
            rules = load_ruleset(self.name(), self.players, options)
        except RulesetError as error:
            _end_with(defects + error.defects)
        if defects:
            _end_with(defects)
        return rules

    def save(self, file: str) -> None:
        """Write the house rules to a file that `--rules` takes."""
        rules = self.rules()
        target = Path(file)
        if target.suffix != ENDING:
            fail("rules_ending", {"name": short(file), "text": ENDING})
        text = rules_text(rules.name, rules.seats.players, self.options(), default=self.players is not None)
        try:
            with target.open("x", encoding="utf-8") as written:
                written.write(text)
        except FileExistsError:
            fail("there_already", {"name": short(file)})
        except OSError as error:
            fail("unwritable", {"name": short(file), "text": reason_in(error, spoken())})
        typer.echo(in_words("rules_written", {"name": file}))

    def _read_options(self) -> tuple[dict[str, Value], list[Defect]]:
        options: dict[str, Value] = {}
        defects: list[Defect] = []
        for text in self.option:
            try:
                name, value = parse_option(text)
            except RulesetError as error:
                defects += error.defects
                continue
            if options.setdefault(name, value) != value:
                defects.append(Defect(name, value, "GIVEN_TWICE", {}, "ONCE"))
        return options, defects


def rules_file(name: str) -> RulesFile:
    """The file of house rules of that name; what is wrong with it ends the command."""
    try:
        file = read_rules_file(name)
        file.ruleset()
    except RulesetError as error:
        _end_with(error.defects)
    return file


def load(name: str, players: int | None = None, options: dict[str, Value] | None = None) -> Ruleset:
    """The rules of a game; what is wrong with the choice ends the command."""
    try:
        return load_ruleset(name, players, options)
    except RulesetError as error:
        _end_with(error.defects)


def _end_with(defects: Sequence[Defect]) -> NoReturn:
    for defect in defects:
        warn_saying(defect_line(defect, spoken()))
    raise typer.Exit(BAD_INPUT)


@dataclass(frozen=True)
class Keeping:
    """Where a game is kept, and whether one that was left goes on."""

    save: str | None = None
    """A file; None for one in the user's data folder."""
    no_save: bool = False
    resume: bool = False
    new: bool = False

    def refuse(self, asked: Asked, given: Mapping[str, object]) -> None:
        """What does not go together; `given` are further options of a new game."""
        if self.resume and self.new:
            fail("resume_or_new")
        if self.no_save and (self.resume or self.save is not None):
            fail("not_with_no_save", {"name": "--resume" if self.resume else "--save"})
        if self.resume:
            is_outsider = ":" in str(given.get("--bot"))  # it has to be loaded for an old game, too
            refuse_options(
                {**wanted(asked), **given, **({"--bot": None} if is_outsider else {})}, "new_not_resumed"
            )

    def wanted(self) -> dict[str, object]:
        """By option, as far as given."""
        flags = {"--no-save": self.no_save, "--resume": self.resume, "--new": self.new}
        return {"--save": self.save, **{option: True for option, given in flags.items() if given}}


def wanted(asked: Asked) -> dict[str, object]:
    """By option, as far as given."""
    return {"--rules": asked.names, "--players": asked.players, "--option": asked.option}


def refuse_options(given: Mapping[str, object], why: str) -> None:
    """An option that would do nothing is refused, so that nobody relies on it; `why` is the message."""
    for option, value in given.items():
        if value is not None and value != []:
            fail(why, {"name": option})
