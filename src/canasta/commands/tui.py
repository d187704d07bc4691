"""`canasta tui`: the table as a full screen in the terminal, alone, on a server, or with a record."""

import os
import secrets
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from textual.screen import Screen

from canasta.bots import bot_names
from canasta.commands.asked import Asked
from canasta.commands.output import FAILED, can_show_suits, console, fail
from canasta.commands.play import new_file, record_header
from canasta.commands.replay import read_record
from canasta.engine.match import Match
from canasta.notation.errors import did_you_mean, printable, quoted
from canasta.notation.record import RecordWriter
from canasta.notation.words import SEAT_NAMES
from canasta.rules import Ruleset
from canasta.terminal.app import TerminalTable
from canasta.terminal.faces import Look
from canasta.terminal.local import LocalTable
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.remote import BadLink, Link, RemoteTable, Sessions
from canasta.terminal.replay import Course, ReplayScreen
from canasta.terminal.table_screen import TableScreen


def open_terminal_table(
    asked: Asked,
    *,
    bot: str,
    seed: str | None,
    record: str | None,
    join: str | None,
    letters: bool,
    replay: str | None,
) -> None:
    """Opens the table on the whole screen and says afterwards how to come back to it."""
    if join is not None and replay is not None:
        fail("a record is replayed here, a table is joined on a server: give --join or --replay, not both.")
    if bot not in bot_names():
        hint = did_you_mean(bot, bot_names()) or f"there are {', '.join(bot_names())}"
        fail(f"there is no computer player {quoted(bot)}; {hint}")
    look = Look(letters=letters or not can_show_suits())
    if replay is not None:
        screen: Screen[None] = ReplayScreen(_course(replay), look)
        _show(screen)
    elif join is not None:
        _join(join, look)
    else:
        _play(asked, bot=bot, seed=seed, record=record, look=look)


def _show(screen: Screen[None]) -> None:
    """Runs the program on the screen until somebody leaves."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        fail("the table needs a terminal of its own; canasta play --text works line by line, anywhere.")
    table = TerminalTable(screen)
    table.run()
    if table.return_code:
        raise typer.Exit(FAILED)


def _join(text: str, look: Look) -> None:
    try:
        link = Link.parse(text)
    except BadLink as error:
        fail(f"{error}.")
    goodbye = "A computer player keeps your seat until you come back."
    _show(TableScreen(RemoteTable(link, sessions=Sessions.usual()), look, goodbye=goodbye))
    typer.echo(f"Back to the table: canasta tui --join {link.base}/t/{link.table}")


def _play(asked: Asked, *, bot: str, seed: str | None, record: str | None, look: Look) -> None:
    chosen = secrets.token_hex(4) if seed is None else seed
    if not asked.names and (asked.players is not None or asked.option):
        asked = replace(asked, names=["caliente"])
    with ExitStack() as stack:

        def deal(rules: Ruleset, level: str) -> TableScreen:
            """A table of one's own, with its record where one is wanted."""
            match = Match.new(rules, chosen)
            options = {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in asked.options().items()
            }
            header = record_header(rules, chosen, SEAT_NAMES[rules.seats.players], options)
            writer = None
            if record is not None:
                writer = RecordWriter(stack.enter_context(new_file(record)), header, match)
                stack.callback(_end_record, writer, match)
            goodbye = (
                f"The game so far is in {printable(record)}."
                if record
                else f"The same cards again: --seed {chosen}"
            )
            return TableScreen(LocalTable(match, bot=level, writer=writer), look, goodbye=goodbye)

        if asked.names:
            _show(deal(asked.rules(), bot))
        else:
            _show(NewGameScreen(deal, bot))
    typer.echo(
        f"The same cards again: --seed {chosen}" + (f". The record: {printable(record)}" if record else "")
    )


def _end_record(writer: RecordWriter, match: Match) -> None:
    """The last line of a record, where somebody leaves in the middle of a game."""
    if not match.over:
        with suppress(OSError, ValueError):  # a full disk was told at the table
            writer.note_left()


def _course(file: str) -> Course:
    """Reads a record to its end; a long one shows how far it is."""
    text = read_record(file)
    course = Course(text)
    lines = text.count("\n")
    columns = (TextColumn("reading the record"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(), transient=True, disable=lines < 500) as progress:
        task = progress.add_task("", total=lines)
        for count in course.read():
            progress.update(task, completed=count)
    if not len(course):
        fail(f"{printable(file)}: {course.problem.removeprefix('The record stops here: ')}")
    return course
