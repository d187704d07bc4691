"""Options that several commands share, and the form of their examples."""

from typing import Annotated

import typer


def complete_preset(incomplete: str) -> list[str]:
    from canasta.rules import preset_names

    return [name for name in preset_names() if name.startswith(incomplete)]


def complete_bot(incomplete: str) -> list[str]:
    from canasta.bots import bot_names

    return [name for name in bot_names() if name.startswith(incomplete)]


Players = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", help="How many play; by default as usual.")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="A house rule, by its name or by the path of a field; may be given several times.",
    ),
]
Rules = Annotated[
    str, typer.Option("--rules", "-r", metavar="NAME", help="The game.", autocompletion=complete_preset)
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def examples(*lines: str) -> str:
    """The end of a command's help."""
    title = "Example" if len(lines) == 1 else "Examples"
    return f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in lines)
