"""What all commands share: the console, tables, JSON, and how a failure is told."""

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

from canasta.commands.spoken import speak, spoken
from canasta.notation.errors import short
from canasta.words import Facts, UnknownLanguage, best_language, say

FAILED: Final = 1
"""Exit status: what was checked does not hold."""
BAD_INPUT: Final = 2
"""Exit status: the input cannot be used."""

WIDEST_TEXT: Final = 100
"""Sentences are not set wider than this, however wide the window."""

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


class Output(Console):
    """Standard output: with colours on a terminal, plain elsewhere."""

    def on_broken_pipe(self) -> None:
        # Rich would end the program here, with the status of a failed check.
        raise BrokenPipeError


def console() -> Console:
    return Output(theme=THEME, highlight=False)


def text_width(where: Console) -> int:
    """How wide sentences are set: as the window, but never so wide that a line is hard to follow."""
    is_known = where.is_terminal or "COLUMNS" in os.environ
    return min(where.width, WIDEST_TEXT) if is_known else WIDEST_TEXT


def print_wrapped(where: Console, text: str, *, first: str = "", rest: str = "", style: str = "") -> None:
    """A sentence, wrapped at the width of text; `first` and `rest` stand before its lines."""
    lines = textwrap.wrap(text, text_width(where), initial_indent=first, subsequent_indent=rest or first)
    for line in lines:
        where.print(coloured(line, style), soft_wrap=True)


def print_fitted(where: Console, text: str, *, first: str = "", rest: str = "", style: str = "") -> None:
    """A line of text: fitted to the window on a terminal, whole elsewhere, for programs that read lines."""
    if where.is_terminal:
        print_wrapped(where, text, first=first, rest=rest, style=style)
    else:
        where.print(coloured(first + text, style), soft_wrap=True)


def coloured(text: str, style: str = "") -> Text:
    """A text in which red cards are red."""
    shown = Text(text, style=style)
    shown.highlight_regex(r"[2-9TJQKA][♥♦]", "red")
    return shown


def in_words(code: str, facts: Facts | None = None) -> str:
    """A message of the part `commands`, in the language of this command."""
    return say(f"commands.{code}", facts, spoken())


def measured(code: str, facts: Facts | None = None) -> str:
    """A message of the part `measures`, in the same language."""
    return say(f"measures.{code}", facts, spoken())


def fail(code: str, facts: Facts | None = None, status: int = BAD_INPUT) -> NoReturn:
    """Ends the command with a sentence that says what is wrong and what to do."""
    fail_saying(in_words(code, facts), status)


def fail_saying(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """The same with a sentence that others have made."""
    warn_saying(sentence)
    raise typer.Exit(status)


def warn(code: str, facts: Facts | None = None) -> None:
    warn_saying(in_words(code, facts))


def warn_saying(sentence: str) -> None:
    typer.echo(f"canasta: {sentence}", err=True)


def ask_for(language: str | None) -> None:
    """What `--lang` says; ends the command where there is no such language."""
    speak(None)
    if language:
        try:
            speak(best_language(language))
        except UnknownLanguage as error:
            fail("no_language", {"text": short(language), "choices": error.known})


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]] | Mapping[str, Sequence[Sequence[str]]],
    *,
    right: Sequence[str] = (),
) -> None:
    """A table: fitted to the window on a terminal, one line to a row elsewhere.

    Rows that are given by groups stand below the titles of these. `right` names the columns of numbers.
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
    """The rows of all groups, those of a group with a title a little to the right."""
    return [
        (f"  {row[0]}", *row[1:]) if title else row for title, members in groups.items() for row in members
    ]


def _grouped(lines: list[str], groups: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """A plain table with the titles of its groups."""
    told, rows = lines[:2], iter(lines[2:])
    for title, members in groups.items():
        told += [title] if title else []
        told += [next(rows) for _ in members]
    return told


def plain_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()
) -> list[str]:
    """The lines of a table in plain text.

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
    """Can standard output show ♠♥♦♣?"""
    try:
        "♠♥♦♣".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
