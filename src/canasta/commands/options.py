"""Options that several commands share, as declared and as parsed: games, computer players and saved games."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from canasta.bots import get_bot, load_bot
from canasta.bots.levels import LADDER
from canasta.bots.protocol import BotError
from canasta.commands.output import BAD_INPUT, fail, fail_saying, in_words, language, warn_saying
from canasta.i18n.safe_text import short
from canasta.i18n.voice import reason_in
from canasta.rules import Defect, Ruleset, RulesetError, load_ruleset, parse_option
from canasta.rules.field_types import Value
from canasta.rules.rules_file import ENDING, RulesFile, is_rules_file, read_rules_file, rules_text

MOST_RUN: Final = 1_000_000
"""Maximum number of pairs or hands per run, which limits memory; this many take weeks."""


def complete_preset(incomplete: str) -> list[str]:
    from glob import escape, iglob

    from canasta.rules import preset_names

    files = iglob(f"{escape(incomplete)}*.toml")  # noqa: PTH207 - a Path takes no absolute pattern
    return [*(name for name in preset_names() if name.startswith(incomplete)), *sorted(files)]


def complete_bot(incomplete: str) -> list[str]:
    from canasta.bots import bot_names

    return [name for name in bot_names() if name.startswith(incomplete)]


def complete_clause(incomplete: str) -> list[str]:
    from canasta.rules.clauses import CLAUSE_GROUPS, CLAUSES

    names = [name for name in (*CLAUSE_GROUPS, *CLAUSES) if name.startswith(incomplete.upper())]
    # Shells keep only completions that start with the typed letters.
    return [name.lower() for name in names] if incomplete.islower() else names


def complete_option(incomplete: str) -> list[str]:
    """Complete names of house rules (`hand_size=`), and after the `=` their values if there are few."""
    from canasta.rules.field_types import CHOICE, YES_NO
    from canasta.rules.loader import OPTIONS
    from canasta.rules.model import FIELDS

    forms = {path: field for path, field in FIELDS.items() if not field.fixed}
    forms.update({name: option.form for name, option in OPTIONS.items()})
    name, sign, begun = incomplete.partition("=")
    if not sign:
        # Complete a path in two steps, its section first, rather than list eighty names.
        names = [other for other in forms if other.startswith(incomplete)]
        sections = {other.partition(".")[0] + "." for other in names if "." in other}
        if "." in incomplete or (len(sections) == 1 and all("." in other for other in names)):
            return [f"{other}=" for other in names]
        return [*(f"{other}=" for other in names if "." not in other), *sorted(sections)]
    form = forms.get(name)
    if form is None:
        return []
    values = ["yes", "no"] if form.kind == YES_NO else [choice for choice, _ in form.choices]
    return [
        f"{name}={value}" for value in values if form.kind in (YES_NO, CHOICE) and value.startswith(begun)
    ]


def complete_language(incomplete: str) -> list[str]:
    from canasta.i18n.catalogue import languages

    return [name for name in languages() if name.startswith(incomplete)]


def complete_players(incomplete: str) -> list[str]:
    return [number for number in "23456" if number.startswith(incomplete)]


Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help="Number of players. Default: the game's usual number.",
        autocompletion=complete_players,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="A house rule, by its name or field path; can be repeated.",
        autocompletion=complete_option,
    ),
]
_RULES: Final = typer.Option(
    "--rules", "-r", metavar="NAME", help="A game or a rules file.", autocompletion=complete_preset
)
Rules = Annotated[str, _RULES]
MaybeRules = Annotated[str | None, _RULES]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        help="en, de, es, fr, it or pt. Default: from the locale.",
        autocompletion=complete_language,
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port. Default: 8765, or any free one."),
]
RecordToRead = Annotated[str, typer.Argument(metavar="FILE", help="A game record; - reads standard input.")]
Letters = Annotated[
    bool, typer.Option("--letters", help="Write suits as letters, for fonts without the symbols.")
]
Hands = Annotated[
    int, typer.Option("--hands", "-n", metavar="N", min=1, max=MOST_RUN, help="Number of hands.")
]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same cards.")]
Record = Annotated[str | None, typer.Option(metavar="FILE", help="Write a record of the game to this file.")]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Save the game in this file. Default: in your data folder."),
]
NoSave = Annotated[bool, typer.Option("--no-save", help="Don't save the game.")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume your unfinished game.")]
New = Annotated[bool, typer.Option("--new", help="Start a new game without asking.")]
RunSeed = Annotated[str, typer.Option(metavar="TEXT", help="The same text plays the same games.")]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Number of parallel processes. Default: one per core."),
]
Budget = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds per turn for players that search, instead of their default."),
]
Worlds = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=1_000_000,
        help="Simulated deals per decision, instead of a time budget; makes runs reproducible.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Run on this Ray cluster; 'local' starts one on this machine."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def examples(*lines: str) -> str:
    """Return the epilog of a command's help, with these examples."""
    title = "Example" if len(lines) == 1 else "Examples"
    return f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in lines)


def new_command() -> typer.Typer:
    """Return the Typer app with which a module declares its command."""
    return typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


Bot = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Level of the computer players: {', '.join([*LADDER][:-1])} or {[*LADDER][-1]}.",
        autocompletion=complete_bot,
    ),
]


@dataclass(frozen=True)
class RulesArguments:
    """The options of games, number of players, house rules and output format, as typed."""

    names: Sequence[str]
    players: int | None = None
    option: Sequence[str] = ()
    as_json: bool = False
    as_markdown: bool = False

    def name(self) -> str:
        """Return the name of the game; exit unless exactly one was given."""
        if not self.names:
            fail("which_game")
        if len(self.names) > 1:
            fail("one_game")
        return self.names[0]

    def options(self) -> dict[str, Value]:
        """Return the house rules, including those in a rules file; exit if they can't be read."""
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
        """Return the rules of the given game; on invalid input, report every defect and exit."""
        options, defects = self._read_options()
        try:
            rules = load_ruleset(self.name(), self.players, options)
        except RulesetError as error:
            _end_with(defects + error.defects)
        if defects:
            _end_with(defects)
        return rules

    def save(self, file: str) -> None:
        """Write the house rules to a file that `--rules` accepts."""
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
            fail("unwritable", {"name": short(file), "text": reason_in(error, language())})
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
    """Read a file of house rules; exit if it's invalid."""
    try:
        file = read_rules_file(name)
        file.ruleset()
    except RulesetError as error:
        _end_with(error.defects)
    return file


def load(name: str, players: int | None = None, options: dict[str, Value] | None = None) -> Ruleset:
    """Load the rules of a game; exit if the choice is invalid."""
    try:
        return load_ruleset(name, players, options)
    except RulesetError as error:
        _end_with(error.defects)


def _end_with(defects: Sequence[Defect]) -> NoReturn:
    for defect in defects:
        warn_saying(defect.line_in(language()))
    raise typer.Exit(BAD_INPUT)


def load_bot_or_exit(text: str) -> str:
    """Load a bot, possibly the user's own (`my_bot:MyBot`), and return its name; exit on failure."""
    try:
        with redirect_stdout(sys.stderr):  # a user's file may print on import; keep that out of our output
            name = load_bot(text)
            if ":" in name:
                get_bot(name)  # a constructor that fails should fail before a table is created
            return name
    except BotError as error:
        reason = error.in_language(language())
        fail_saying(reason if reason.endswith("?") else f"{reason}.")


@dataclass(frozen=True)
class SaveArguments:
    """The options for saving and resuming games."""

    save: str | None = None
    """The file to save the game in; None for a new one in the user's data folder."""
    no_save: bool = False
    resume: bool = False
    new: bool = False

    def refuse(self, arguments: RulesArguments, given: Mapping[str, object]) -> None:
        """Exit if options conflict. `given` contains other options that apply only to a new game."""
        if self.resume and self.new:
            fail("resume_or_new")
        if self.no_save and (self.resume or self.save is not None):
            fail("not_with_no_save", {"name": "--resume" if self.resume else "--save"})
        if self.resume:
            is_outsider = ":" in str(given.get("--bot"))  # a saved game also needs the player to be loaded
            refuse_options(
                {**given_options(arguments), **given, **({"--bot": None} if is_outsider else {})},
                "new_not_resumed",
            )

    def given_options(self) -> dict[str, object]:
        """Return the values of the given options, by option."""
        flags = {"--no-save": self.no_save, "--resume": self.resume, "--new": self.new}
        return {"--save": self.save, **{option: True for option, given in flags.items() if given}}


def given_options(arguments: RulesArguments) -> dict[str, object]:
    """Return the values of these options, by option."""
    return {"--rules": arguments.names, "--players": arguments.players, "--option": arguments.option}


def refuse_options(given: Mapping[str, object], why: str) -> None:
    """Exit with the message `why` if an option was given that would have no effect."""
    for option, value in given.items():
        if value is not None and value != []:
            fail(why, {"name": option})
