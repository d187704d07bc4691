"""Options that several commands share, and helpers to declare a command and its examples."""

from typing import Annotated, Final

import typer

MOST_RUN: Final = 1_000_000
"""Maximum pairs or hands per run, which keeps its results in memory; this many take weeks."""


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
    from canasta.rules.model import FIELDS
    from canasta.rules.options import OPTIONS

    forms = {path: field for path, field in FIELDS.items() if not field.fixed}
    forms.update({name: option.form for name, option in OPTIONS.items()})
    name, sign, begun = incomplete.partition("=")
    if not sign:
        # Complete paths in two steps, sections first, rather than list eighty names.
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
    from canasta.i18n import languages

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
Rules = Annotated[
    str,
    typer.Option(
        "--rules", "-r", metavar="NAME", help="A game or a rules file.", autocompletion=complete_preset
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        help="en, de, es, fr, it or pt. Default: from the locale.",
        autocompletion=complete_language,
    ),
]
MaybeRules = Annotated[
    str | None,
    typer.Option(
        "--rules", "-r", metavar="NAME", help="A game or a rules file.", autocompletion=complete_preset
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port. Default: 8765, or any free one."),
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
