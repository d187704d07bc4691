"""Options that several commands share, and the form of a command and of its examples."""

from typing import Annotated, Final

import typer

MOST_RUN: Final = 1_000_000
"""Pairs or hands of one run, whose results are kept until its end; weeks of play."""


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
    # A shell keeps only what begins with the letters that were typed.
    return [name.lower() for name in names] if incomplete.islower() else names


def complete_option(incomplete: str) -> list[str]:
    """Names of house rules, `hand_size=`; after the sign their values, where they can be counted up."""
    from canasta.rules.fields import CHOICE, FIELDS, YES_NO
    from canasta.rules.options import OPTIONS

    forms = {path: field for path, field in FIELDS.items() if not field.fixed}
    forms.update({name: option.form for name, option in OPTIONS.items()})
    name, sign, begun = incomplete.partition("=")
    if not sign:
        # A path in two steps: first the sections, so that a screen of eighty names is never the answer.
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
    from canasta.words import languages

    return [name for name in languages() if name.startswith(incomplete)]


def complete_players(incomplete: str) -> list[str]:
    return [number for number in "23456" if number.startswith(incomplete)]


Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help="How many play; by default as usual.",
        autocompletion=complete_players,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="A house rule, by its name or by the path of a field; may be given several times.",
        autocompletion=complete_option,
    ),
]
Rules = Annotated[
    str,
    typer.Option(
        "--rules", "-r", metavar="NAME", help="The game, or a file of rules.", autocompletion=complete_preset
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        help="en, de, es, fr, it or pt; by default as the locale says.",
        autocompletion=complete_language,
    ),
]
MaybeRules = Annotated[
    str | None,
    typer.Option(
        "--rules", "-r", metavar="NAME", help="The game, or a file of rules.", autocompletion=complete_preset
    ),
]
Bot = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How well the others play: random, novice, casual, club, expert, master or grandmaster.",
        autocompletion=complete_bot,
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port; by default 8765, or one that is free."),
]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same cards again.")]
Record = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the game to this file while it is played.")
]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep the game in this file; by default in your data folder."),
]
NoSave = Annotated[bool, typer.Option("--no-save", help="Keep nothing of the game.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the game that was left.")]
New = Annotated[bool, typer.Option("--new", help="Begin a new game, without a question.")]
RunSeed = Annotated[str, typer.Option(metavar="TEXT", help="The same text plays the same games again.")]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Processes side by side; by default one a core."),
]
Budget = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds a turn for players that search, instead of their usual ones."),
]
Worlds = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=1_000_000,
        help="Instead of seconds: possible deals for each decision; can be repeated exactly.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; 'local' starts one on this machine."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def examples(*lines: str) -> str:
    """The end of a command's help."""
    title = "Example" if len(lines) == 1 else "Examples"
    return f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in lines)


def new_command() -> typer.Typer:
    """What a module of a command declares it with; `line` loads the module when the command is called."""
    return typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
