"""`canasta tui`: the table as a full screen in the terminal, alone, on a server, or with a record."""

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from textual.screen import Screen

from canasta.bots import bot_names
from canasta.commands.asked import Asked
from canasta.commands.output import FAILED, can_show_suits, console, fail
from canasta.commands.play import goodbye, new_file, record_header
from canasta.commands.replay import read_record
from canasta.commands.spoken import spoken
from canasta.engine.match import Match
from canasta.notation.errors import did_you_mean, printable, quoted
from canasta.notation.local_deals import LocalDeals
from canasta.notation.record import RecordWriter
from canasta.notation.seats import SEAT_NAMES
from canasta.rules import Ruleset, load_ruleset
from canasta.terminal.app import TerminalTable
from canasta.terminal.faces import Look
from canasta.terminal.local import LocalTable
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.remote import BadLink, Link, NoServer, NoTable, RemoteTable, Sessions
from canasta.terminal.replay import Course, ReplayScreen
from canasta.terminal.table_screen import TableScreen


def open_terminal_table(
    asked: Asked,
    *,
    bot: str | None,
    seed: str | None,
    record: str | None,
    join: str | None,
    letters: bool,
    replay: str | None,
) -> None:
    """Opens the table on the whole screen and says afterwards how to come back to it."""
    if join is not None and replay is not None:
        fail("a record is replayed here, a table is joined on a server: give --join or --replay, not both.")
    chosen = {
        "--rules": asked.names,
        "--players": asked.players,
        "--option": asked.option,
        "--bot": bot,
        "--seed": seed,
    }
    if join is not None:
        _refuse(chosen, "belongs to a new game; the table that you join has its own: leave it out.")
    if replay is not None:
        _refuse({**chosen, "--record": record}, "belongs to a new game, not to --replay: leave it out.")
    bot = bot or "club"
    if bot not in bot_names():
        hint = did_you_mean(bot, bot_names()) or f"there are {', '.join(bot_names())}"
        fail(f"there is no computer player {quoted(bot)}; {hint}")
    look = Look(letters=letters or not can_show_suits(), language=spoken())
    if replay is not None:
        screen: Screen[None] = ReplayScreen(_course(replay), look)
        _show(screen)
    elif join is not None:
        _join(join, look, record)
    else:
        _play(asked, bot=bot, seed=seed, record=record, look=look)


def _refuse(given: Mapping[str, object], why: str) -> None:
    """An option that would do nothing is refused, so that nobody relies on it."""
    for option, value in given.items():
        if value is not None and value != []:
            fail(f"{option} {why}")


def _need_a_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        fail("the table needs a terminal of its own; canasta play --text works line by line, anywhere.")


def _show(screen: Screen[None]) -> None:
    """Runs the program on the screen until somebody leaves."""
    _need_a_terminal()
    table = TerminalTable(screen)
    table.run()
    if table.return_code:
        raise typer.Exit(FAILED)


def _join(text: str, look: Look, record: str | None) -> None:
    try:
        link = Link.parse(text)
    except BadLink as error:
        fail(f"{error}.")
    _need_a_terminal()
    table = RemoteTable(link, sessions=Sessions.usual())
    try:
        table.look()
    except (NoTable, NoServer) as error:
        fail(f"{str(error).rstrip('.')}; ask for the link again.", FAILED)
    with ExitStack() as stack:
        stream = None if record is None else stack.enter_context(new_file(record))
        goodbye = "A computer player keeps your seat until you come back."
        _show(TableScreen(table, look, goodbye=goodbye))
        if table.witness.noted():
            typer.echo(f"Your seeds, to check the record: canasta verify FILE {table.witness.noted()}")
        typer.echo(f"Back to the table: canasta tui --join {link.base}/t/{link.table}")
        if stream is not None and record is not None:
            _keep_record(table, stream, record)


def _keep_record(table: RemoteTable, stream: TextIO, file: str) -> None:
    """The server writes the record of its table; here it is fetched, as far as hands are over."""
    try:
        stream.write(table.record())
    except (NoTable, NoServer) as error:
        Path(file).unlink(missing_ok=True)
        fail(f"the record could not be fetched: {str(error).rstrip('.')}.", FAILED)
    typer.echo(f"The record of the hands that are over: {printable(file)}")


def _play(asked: Asked, *, bot: str, seed: str | None, record: str | None, look: Look) -> None:
    if not asked.names and (asked.players is not None or asked.option):
        asked = replace(asked, names=["caliente"])
    if not asked.names and seed is not None:
        record_header(load_ruleset("caliente"), seed, (), {})  # a seed that cannot be is told now
    with ExitStack() as stack:
        stream = None if record is None else stack.enter_context(new_file(record))
        dealt: list[LocalDeals] = []

        def deal(rules: Ruleset, level: str) -> TableScreen:
            """A table of one's own, with its record where one is wanted."""
            deals = LocalDeals(rules, seed)
            dealt.append(deals)
            options = {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in asked.options().items()
            }
            header = record_header(rules, deals.table, SEAT_NAMES[rules.seats.players], options)
            match = deals.begin()
            writer = None
            if stream is not None:
                writer = RecordWriter(stream, header, match, fair=deals.fair, before=deals.before)
                stack.callback(_end_record, writer, match)
            told = "Nothing of this game is kept." if deals.is_fair else goodbye(deals, None)
            if record is not None:
                told = f"The game so far is in {printable(record)}."
            table = LocalTable(match, bot=level, writer=writer, deals=deals)
            return TableScreen(table, look, goodbye=told)

        if asked.names:
            _show(deal(asked.rules(), bot))
        else:
            _show(NewGameScreen(deal, bot, spoken()))
    if dealt:
        typer.echo(goodbye(dealt[-1], record))
    elif record is not None:
        Path(record).unlink(missing_ok=True)


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
