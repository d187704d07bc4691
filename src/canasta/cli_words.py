"""Options that several commands share, and the form of their examples."""

from typing import Annotated

import typer


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
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def examples(*lines: str) -> str:
    """The end of a command's help."""
    title = "Example" if len(lines) == 1 else "Examples"
    return f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in lines)
