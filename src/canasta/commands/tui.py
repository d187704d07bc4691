"""`canasta tui`: a full-screen terminal table, for a local game, a game on a server, or a record."""

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from textual.screen import Screen

from canasta.commands.local_game import (
    checked_seed,
    leave,
    new_file,
    new_host,
    record_file,
    unfinished_game,
)
from canasta.commands.options import (
    Bot,
    Lang,
    Letters,
    MaybeRules,
    New,
    NoSave,
    Options,
    Players,
    Record,
    Resume,
    RulesArguments,
    Save,
    SaveArguments,
    Seed,
    examples,
    given_options,
    load_bot_or_exit,
    new_command,
    refuse_options,
)
from canasta.commands.output import (
    FAILED,
    can_show_suits,
    console,
    fail,
    fail_saying,
    in_words,
    language,
    use_language,
)
from canasta.commands.replay import read_record
from canasta.errors import InputError
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice, reason_in, say
from canasta.rules import Ruleset
from canasta.table.seats import names_for
from canasta.terminal.fairness import FairnessClient, transcript_name
from canasta.terminal.local_table import Host, LocalTable
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.remote import Link, RemoteError, RemoteTable, SavedSessions
from canasta.terminal.replay import ReplayPositions, ReplayScreen
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle


def open_terminal_table(  # noqa: PLR0913 - each argument is an option of the command
    arguments: RulesArguments,
    *,
    bot: str | None,
    seed: str | None,
    record: str | None,
    join: str | None,
    letters: bool,
    replay: str | None,
    saving: SaveArguments,
    witness: str | None = None,
) -> None:
    """Open the full-screen table, and print afterwards how to return to it."""
    if join is not None and replay is not None:
        fail("join_or_replay")
    new = {"--bot": bot, "--seed": seed}
    own = {**given_options(arguments), **new, **saving.given_options()}
    if join is not None:
        refuse_options(own, "new_not_joined")
    if replay is not None:
        refuse_options({**own, "--record": record, "--witness": witness}, "new_not_replayed")
    saving.refuse(arguments, new)
    bot = load_bot_or_exit(bot or "club")
    look = TextStyle(letters=letters or not can_show_suits(), language=language())
    if replay is not None:
        screen: Screen[None] = ReplayScreen(_course(replay), look)
        show_screen(screen)
    elif join is not None:
        _join(join, look, record, witness)
    else:
        _play(arguments, bot=bot, seed=seed, record=record, witness=witness, look=look, saving=saving)


def need_a_terminal() -> None:
    """Exit unless standard input and output are a terminal that can show a full-screen program."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        fail("needs_terminal")


def show_screen(screen: Screen[None]) -> None:
    """Show the screen until the user leaves."""
    need_a_terminal()
    table = TerminalTable(screen, language())
    table.run()
    if table.return_code:
        raise typer.Exit(FAILED)


def keep_transcripts(file: str, last: FairnessClient, earlier: Sequence[FairnessClient] = ()) -> None:
    """Write the transcript of the last table to this file, and those of earlier tables to the same folder."""
    path = Path(file)
    files = [(path.with_name(f"{path.stem}-{transcript_name(each.table)}"), each) for each in earlier]
    for place, witness in [*files, (path, last)]:
        name = printable(str(place))
        try:
            place.write_bytes(witness.transcript())
        except (OSError, ValueError) as error:
            fail("transcript_failed", {"name": name, "text": reason_in(error, language())}, FAILED)
        typer.echo(in_words("transcript_kept", {"name": name}))


def _join(text: str, look: TextStyle, record: str | None, witness: str | None) -> None:
    try:
        link = Link.parse(text)
    except InputError:
        fail("no_link", {"name": printable(text), "text": Link.EXAMPLE})
    need_a_terminal()
    table = RemoteTable(link, sessions=SavedSessions.usual(), language=look.language)
    try:
        table.check()
    except RemoteError as error:
        fail("ask_for_link", {"text": error.in_language(look.language).rstrip(".")}, FAILED)
    with ExitStack() as stack:
        stream = None if record is None else stack.enter_context(new_file(record))
        goodbye = say("screens.leave.seat_kept", lang=look.language)
        show_screen(TableScreen(table, look, goodbye=goodbye))
        if table.witness.verify_options():
            typer.echo(in_words("your_seeds", {"text": table.witness.verify_options()}))
        if witness is not None:
            keep_transcripts(witness, table.witness, table.earlier)
        typer.echo(in_words("back_to_table", {"text": f"{link.base}/t/{link.table}"}))
        if stream is not None and record is not None:
            _keep_record(table, stream, record)


def _keep_record(table: RemoteTable, stream: TextIO, file: str) -> None:
    """Fetch the table's record, which contains only finished hands, from the server."""
    try:
        stream.write(table.record())
    except RemoteError as error:
        Path(file).unlink(missing_ok=True)
        fail("not_fetched", {"text": error.in_language(language()).rstrip(".")}, FAILED)
    typer.echo(in_words("record_of_hands", {"name": printable(file)}))


def _play(
    arguments: RulesArguments,
    *,
    bot: str,
    seed: str | None,
    record: str | None,
    witness: str | None,
    look: TextStyle,
    saving: SaveArguments,
) -> None:
    if not arguments.names and (arguments.players is not None or arguments.option):
        arguments = replace(arguments, names=["caliente"])
    rules = arguments.rules() if arguments.names else None
    if seed is not None:
        checked_seed(seed)  # reject an invalid seed before opening the screen
    with record_file(record) as stream:
        need_a_terminal()
        tables: list[Host] = []

        def sit_down(host: Host) -> TableScreen:
            """Sit down at a local table, and write its record if requested."""
            tables.append(host)
            if stream is not None:
                host.record_to(stream)
            code = "screens.leave.lost" if host.file is None else "screens.leave.kept"
            return TableScreen(LocalTable(host), look, goodbye=say(code, lang=look.language))

        def deal(chosen: Ruleset, level: str) -> TableScreen:
            names = names_for(level, chosen.seats.players)
            return sit_down(new_host(chosen, bot=level, seed=seed, saving=saving, names=names))

        left = unfinished_game(saving)
        if left is not None:
            show_screen(sit_down(left))
        elif rules is not None:
            show_screen(deal(rules, bot))
        else:
            show_screen(NewGameScreen(deal, bot, language()))
        if tables and witness is not None:
            keep_transcripts(witness, tables[-1].witness)
        if tables:
            leave(tables[-1], command="canasta tui", record=record, saving=saving)


def _course(file: str) -> ReplayPositions:
    """Read a whole record, with a progress bar if it's long."""
    text = read_record(file)
    course = ReplayPositions(text, Voice(language()))
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
    join: Annotated[str | None, typer.Option(metavar="LINK", help="Join a table on a server.")] = None,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Replay a game record.")] = None,
    witness: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="When you leave, save a transcript for `canasta verify --witness`."
        ),
    ] = None,
    letters: Letters = False,
    save: Save = None,
    no_save: NoSave = False,
    resume: Resume = False,
    new: New = False,
    lang: Lang = None,
) -> None:
    """Play full-screen in the terminal, with keyboard and mouse.

    If you don't choose a game, you're asked for one. The window must be at least 80 by 20 characters. If you
    leave, the game is saved and you can resume it later.
    """
    use_language(lang)
    open_terminal_table(
        RulesArguments([] if rules is None else [rules], players, option or []),
        bot=bot,
        seed=seed,
        record=record,
        join=join,
        letters=letters,
        replay=replay,
        witness=witness,
        saving=SaveArguments(save, no_save=no_save, resume=resume, new=new),
    )
