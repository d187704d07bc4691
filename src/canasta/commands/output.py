"""Output shared by all commands: its language, the console, tables, JSON and error messages."""

import json
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from canasta.engine.moves.refusals import Refusal
from canasta.errors import UnknownNameError
from canasta.i18n import Facts, MessageText
from canasta.i18n.catalogue import known_languages
from canasta.i18n.locale import best_language
from canasta.i18n.safe_text import short
from canasta.i18n.voice import say

FAILED: Final = 1
"""Exit status: a check failed."""
BAD_INPUT: Final = 2
"""Exit status: invalid input."""

WIDEST_TEXT: Final = 100
"""Maximum width of text, in columns, even in a wider window."""

THEME: Final = Theme(
    {
        "title": "bold",
        "quiet": "dim",
        "accent": "bold #c8553d",
        "brass": "#c99a3a",
        "frozen": "cyan",
        "refused": "#c8553d",
        "red": "red",
    }
)


# -- language -----------------------------------------------------------------------------------------------

_chosen: list[str] = []
"""The language given with `--lang`, if any."""


def set_language(code: str | None) -> None:
    """Set the output language; None means that of the locale."""
    _chosen[:] = [code] if code else []


def language() -> str:
    """Return the output language."""
    return _chosen[0] if _chosen else best_language("", os.environ)


def refusal_text(refusal: Refusal) -> MessageText:
    """Return the text of a refusal in the output language."""
    return refusal.text(language())


def use_language(given: str | None) -> None:
    """Set the output language from `--lang`; exit if the language is unknown."""
    set_language(None)
    if given:
        try:
            set_language(best_language(given))
        except UnknownNameError:
            fail("no_language", {"text": short(given), "choices": known_languages()})


# -- text ---------------------------------------------------------------------------------------------------


class Output(Console):
    """Standard output, coloured on a terminal and plain elsewhere."""

    def on_broken_pipe(self) -> None:
        # Rich would exit here, with the status of a failed check.
        raise BrokenPipeError


def console() -> Console:
    return Output(theme=THEME, highlight=False)


def text_width(where: Console) -> int:
    """Return the width for wrapping text: the window's, up to `WIDEST_TEXT`."""
    is_known = where.is_terminal or "COLUMNS" in os.environ
    return min(where.width, WIDEST_TEXT) if is_known else WIDEST_TEXT


def print_wrapped(where: Console, text: str, *, first: str = "", rest: str = "", style: str = "") -> None:
    """Print text wrapped to `text_width`. `first` and `rest` are prefixes of the first line and of the
    others.
    """
    lines = textwrap.wrap(text, text_width(where), initial_indent=first, subsequent_indent=rest or first)
    for line in lines:
        where.print(coloured(line, style), soft_wrap=True)


def print_fitted(where: Console, text: str, *, first: str = "", rest: str = "", style: str = "") -> None:
    """Print text, wrapped on a terminal and on one line elsewhere, for programs that read lines."""
    if where.is_terminal:
        print_wrapped(where, text, first=first, rest=rest, style=style)
    else:
        where.print(coloured(first + text, style), soft_wrap=True)


def coloured(text: str, style: str = "") -> Text:
    """Return the text with red cards in red."""
    shown = Text(text, style=style)
    shown.highlight_regex(r"[2-9TJQKA][♥♦]", "red")
    return shown


def phrase(code: str, facts: Facts | None = None) -> str:
    """Return a message of the catalogue in the output language."""
    return say(code, facts, language())


def in_words(code: str, facts: Facts | None = None) -> str:
    """Return a message from the `commands` catalogue in the output language."""
    return phrase(f"commands.{code}", facts)


def measure_text(code: str, facts: Facts | None = None) -> str:
    """Return a message from the `measures` catalogue in the output language."""
    return phrase(f"measures.{code}", facts)


def fail(code: str, facts: Facts | None = None, status: int = BAD_INPUT) -> NoReturn:
    """Exit with a message that names the problem and the remedy."""
    fail_saying(in_words(code, facts), status)


def fail_saying(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """Exit with a message that is already translated."""
    warn_saying(sentence)
    raise typer.Exit(status)


def warn(code: str, facts: Facts | None = None) -> None:
    warn_saying(in_words(code, facts))


def warn_saying(sentence: str) -> None:
    typer.echo(f"canasta: {sentence}", err=True)


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]] | Mapping[str, Sequence[Sequence[str]]],
    *,
    right: Sequence[str] = (),
) -> None:
    """Print a table: fitted to the window on a terminal, one line per row elsewhere.

    Grouped rows are printed under the titles of their groups. `right` lists the right-aligned columns.
    """
    where = console()
    groups = rows if isinstance(rows, Mapping) else {"": rows}
    if not where.is_terminal:
        for line in _grouped(plain_table(head, _indented(groups), right=right), groups):
            typer.echo(line)
        return
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="quiet"
    )
    for column in head:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    lines = iter(_indented(groups))
    for title, members in groups.items():
        if title:
            table.add_row(Text(title, style="title"))
        for _ in members:
            table.add_row(*(Text(cell) for cell in next(lines)))
    where.print(table)


def _indented(groups: Mapping[str, Sequence[Sequence[str]]]) -> list[Sequence[str]]:
    """Return the rows of all groups, indented in groups that have a title."""
    return [
        (f"  {row[0]}", *row[1:]) if title else row for title, members in groups.items() for row in members
    ]


def _grouped(lines: list[str], groups: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Insert the titles of the groups into the lines of a plain table."""
    told, rows = lines[:2], iter(lines[2:])
    for title, members in groups.items():
        told += [title] if title else []
        told += [next(rows) for _ in members]
    return told


def plain_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()
) -> list[str]:
    """Return the lines of a table in plain text.

    >>> plain_table(("game", "decks"), [("caliente", "2")], right=("decks",))
    ['game      decks', '--------  -----', 'caliente      2']
    """
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return [
        "  ".join(
            cell.rjust(width) if name in right else cell.ljust(width)
            for name, cell, width in zip(head, line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


def can_show_suits() -> bool:
    """Return whether standard output can encode ♠♥♦♣."""
    try:
        "♠♥♦♣".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
