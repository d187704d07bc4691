"""`canasta tui`: the table as a full screen in the terminal, alone, on a server, or with a record."""

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from textual.screen import Screen

from canasta.commands.asked import Asked, Keeping, refuse_options, wanted
from canasta.commands.bots import bot_asked_for
from canasta.commands.options import (
    Bot,
    Lang,
    MaybeRules,
    New,
    NoSave,
    Options,
    Players,
    Record,
    Resume,
    Save,
    Seed,
    examples,
    new_command,
)
from canasta.commands.output import FAILED, ask_for, can_show_suits, console, fail, fail_saying, in_words
from canasta.commands.own_table import (
    a_seed,
    leave,
    left_table,
    new_file,
    new_host,
    record_file,
)
from canasta.commands.replay import read_record
from canasta.commands.spoken import spoken
from canasta.notation.errors import printable
from canasta.rules import Ruleset
from canasta.table.figures import names_for
from canasta.terminal.app import TerminalTable
from canasta.terminal.faces import Look
from canasta.terminal.host import Host
from canasta.terminal.local import LocalTable
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.remote import BadLink, Link, NoServer, NoTable, RemoteTable, Sessions
from canasta.terminal.replay import Course, ReplayScreen
from canasta.terminal.table_screen import TableScreen
from canasta.words import Voice, say


def open_terminal_table(
    asked: Asked,
    *,
    bot: str | None,
    seed: str | None,
    record: str | None,
    join: str | None,
    letters: bool,
    replay: str | None,
    keeping: Keeping,
) -> None:
    """Opens the table on the whole screen and says afterwards how to come back to it."""
    if join is not None and replay is not None:
        fail("join_or_replay")
    new = {"--bot": bot, "--seed": seed}
    own = {**wanted(asked), **new, **keeping.wanted()}
    if join is not None:
        refuse_options(own, "new_not_joined")
    if replay is not None:
        refuse_options({**own, "--record": record}, "new_not_replayed")
    keeping.refuse(asked, new)
    bot = bot_asked_for(bot or "club")
    look = Look(letters=letters or not can_show_suits(), language=spoken())
    if replay is not None:
        screen: Screen[None] = ReplayScreen(_course(replay), look)
        show_screen(screen)
    elif join is not None:
        _join(join, look, record)
    else:
        _play(asked, bot=bot, seed=seed, record=record, look=look, keeping=keeping)


def need_a_terminal() -> None:
    """Ends the command where nothing can fill a screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        fail("needs_terminal")


def show_screen(screen: Screen[None]) -> None:
    """Runs the program on the screen until somebody leaves."""
    need_a_terminal()
    table = TerminalTable(screen, spoken())
    table.run()
    if table.return_code:
        raise typer.Exit(FAILED)


def _join(text: str, look: Look, record: str | None) -> None:
    try:
        link = Link.parse(text)
    except BadLink:
        fail("no_link", {"name": printable(text), "text": Link.EXAMPLE})
    need_a_terminal()
    table = RemoteTable(link, sessions=Sessions.usual(), language=look.language)
    try:
        table.look()
    except (NoTable, NoServer) as error:
        fail("ask_for_link", {"text": str(error).rstrip(".")}, FAILED)
    with ExitStack() as stack:
        stream = None if record is None else stack.enter_context(new_file(record))
        goodbye = say("screens.leave.seat_kept", lang=look.language)
        show_screen(TableScreen(table, look, goodbye=goodbye))
        if table.witness.noted():
            typer.echo(in_words("your_seeds", {"text": table.witness.noted()}))
        typer.echo(in_words("back_to_table", {"text": f"{link.base}/t/{link.table}"}))
        if stream is not None and record is not None:
            _keep_record(table, stream, record)


def _keep_record(table: RemoteTable, stream: TextIO, file: str) -> None:
    """The server writes the record of its table; here it is fetched, as far as hands are over."""
    try:
        stream.write(table.record())
    except (NoTable, NoServer) as error:
        Path(file).unlink(missing_ok=True)
        fail("not_fetched", {"text": str(error).rstrip(".")}, FAILED)
    typer.echo(in_words("record_of_hands", {"name": printable(file)}))


def _play(
    asked: Asked, *, bot: str, seed: str | None, record: str | None, look: Look, keeping: Keeping
) -> None:
    if not asked.names and (asked.players is not None or asked.option):
        asked = replace(asked, names=["caliente"])
    rules = asked.rules() if asked.names else None
    if seed is not None:
        a_seed(seed)  # one that cannot be is told now
    with record_file(record) as stream:
        need_a_terminal()
        tables: list[Host] = []

        def sit_down(host: Host) -> TableScreen:
            """At a table of one's own, with its record where one is wanted."""
            tables.append(host)
            if stream is not None:
                host.record_to(stream)
            code = "screens.leave.lost" if host.file is None else "screens.leave.kept"
            return TableScreen(LocalTable(host), look, goodbye=say(code, lang=look.language))

        def deal(chosen: Ruleset, level: str) -> TableScreen:
            names = names_for(level, chosen.seats.players)
            return sit_down(new_host(chosen, bot=level, seed=seed, keeping=keeping, names=names))

        left = left_table(keeping)
        if left is not None:
            show_screen(sit_down(left))
        elif rules is not None:
            show_screen(deal(rules, bot))
        else:
            show_screen(NewGameScreen(deal, bot, spoken()))
        if tables:
            leave(tables[-1], command="canasta tui", record=record, keeping=keeping)


def _course(file: str) -> Course:
    """Reads a record to its end; a long one shows how far it is."""
    text = read_record(file)
    course = Course(text, Voice(spoken()))
    lines = text.count("\n")
    columns = (TextColumn(in_words("reading_record")), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(), transient=True, disable=lines < 500) as progress:
        task = progress.add_task("", total=lines)
        for count in course.read():
            progress.update(task, completed=count)
    if not len(course):
        fail_saying(f"{printable(file)}: {course.problem}")
    return course


app = new_command()


@app.command(
    epilog=examples(
        "canasta tui", "canasta tui --rules hand-and-foot", "canasta tui --replay evening.canasta"
    )
)
def tui(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    rules: MaybeRules = None,
    players: Players = None,
    option: Options = None,
    bot: Bot = None,
    seed: Seed = None,
    record: Record = None,
    join: Annotated[
        str | None, typer.Option(metavar="LINK", help="Sit down at a table of a running server.")
    ] = None,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Look through a record.")] = None,
    letters: Annotated[
        bool, typer.Option("--letters", help="Write suits as letters, for fonts without the symbols.")
    ] = False,
    save: Save = None,
    no_save: NoSave = False,
    resume: Resume = False,
    new: New = False,
    lang: Lang = None,
) -> None:
    """Play at a table that fills the terminal, with keys and mouse.

    Without a game it asks which one. It needs 80 by 20 characters and grows with the window. A game that is
    left is kept, and goes on another day.
    """
    ask_for(lang)
    open_terminal_table(
        Asked([] if rules is None else [rules], players, option or []),
        bot=bot,
        seed=seed,
        record=record,
        join=join,
        letters=letters,
        replay=replay,
        keeping=Keeping(save, no_save=no_save, resume=resume, new=new),
    )
