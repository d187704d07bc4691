"""`canasta day`: play the deal of the day without a server, and check a server's commitment to it."""

import time
from datetime import date
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.progress import track

from canasta.commands.options import Lang, Letters, examples, new_command
from canasta.commands.output import (
    FAILED,
    can_show_suits,
    console,
    fail,
    language,
    phrase,
    use_language,
    warn,
)
from canasta.commands.play import PlayTable
from canasta.commands.tui import need_a_terminal, show_screen
from canasta.engine.fairness import is_seed
from canasta.errors import InputError
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import reason_in
from canasta.installation import data_folder
from canasta.table import day as deals
from canasta.table.day import share_line, signed
from canasta.table.log import day_name
from canasta.terminal.game_file import SUFFIX, GameFile
from canasta.terminal.local_table import Host, LocalTable
from canasta.terminal.table_screen import TableScreen
from canasta.terminal.theme import TextStyle

_NAME: Final = "days.jsonl"
_BUDGET: Final = 0.3
"""Seconds per turn for the computer player that searches."""


class _Line(msgspec.Struct):
    """A line of the results file: one deal that was played."""

    date: str
    points: int
    computers: dict[str, int]
    """The computer players' points by level; empty in a deal's first line, which is written before they
    play.
    """


def _today() -> date:
    return deals.day_of(time.time())


def _played() -> dict[str, _Line]:
    """Read the played deals by day.

    The first line of a day counts; a later one may add the computer players' points.
    """
    found: dict[str, _Line] = {}
    try:
        lines = (data_folder() / _NAME).read_bytes().splitlines()
    except OSError:
        return found  # no file yet, or an unreadable one; writing reports its own failure
    for line in lines:
        try:
            read = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if deals.parse_day(read.date) is not None:
            first = found.setdefault(read.date, read)
            first.computers = first.computers or read.computers
    return found


def _keep(line: _Line) -> bool:
    try:
        with (data_folder() / _NAME).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
    except OSError as error:
        warn("day_not_kept", {"text": reason_in(error, language())})
        return False
    return True


def _folder() -> Path:
    """Return the folder of unfinished hands that still count."""
    return data_folder() / "days"


def _waiting(played: dict[str, _Line], today: date) -> list[str]:
    """Return earlier days whose hand was started on its day and is still unfinished."""
    names = sorted(path.name.removesuffix(SUFFIX) for path in _folder().glob(f"*{SUFFIX}"))
    days = {name: deals.parse_day(name) for name in names if name not in played}
    return [name for name, day in days.items() if day is not None and day < today]


# -- playing -------------------------------------------------------------------------------------------------


def _host(day: date, path: Path | None) -> Host:
    """Open the table of a day, or resume its unfinished hand. Without a path nothing is saved."""
    if path is not None and path.exists():
        try:
            return Host.reopened(path)
        except InputError as problem:
            fail("save_unusable", {"text": problem.in_language(language())})
    table = deals.day_table(
        day_name(day.isoformat()),
        day,
        deals.game_of(day),
        seed=deals.local_seed(day),
        made=time.time(),
        counts=path is not None,
    )
    file = None
    if path is not None:
        try:
            path.parent.mkdir(exist_ok=True)
            file = GameFile.create(path, table.name)
        except OSError as error:
            warn("not_saved", {"text": reason_in(error, language())})
    return Host(table, file)


def _play(host: Host, *, text: bool, letters: bool) -> int:
    """Play to the end of the hand or until the player leaves, and return the exit status."""
    if text:
        return PlayTable(host).play()
    look = TextStyle(letters=letters or not can_show_suits(), language=language())
    code = "screens.leave.lost" if host.file is None else "screens.leave.kept"
    show_screen(TableScreen(LocalTable(host), look, goodbye=phrase(code)))
    return 0


def _computers(day: date) -> dict[str, int]:
    """Return the computer players' points with the same cards, by level; this takes a few seconds."""
    game, seed = deals.game_of(day), deals.local_seed(day)
    where = console()
    levels = track(
        deals.COMPARED, phrase("days.comparing"), console=where, transient=True, disable=not where.is_terminal
    )
    return {
        level: deals.computer_points(day, game, seed=seed, level=level, budget=_BUDGET) for level in levels
    }


def _tell(line: _Line, played: dict[str, _Line], today: date) -> None:
    typer.echo(phrase("days.result", {"text": signed(line.points)}))
    typer.echo(phrase("days.computers"))
    for level, points in line.computers.items():
        typer.echo(f"  {level:<14}{signed(points):>7}")
    if line.date in played:
        days = {date.fromisoformat(each) for each in played}
        first = min(days)
        every = [date.fromordinal(each) for each in range(first.toordinal(), today.toordinal() + 1)]
        streak = deals.streak_of(every, days, today)
        best = max(each.points for each in played.values())
        typer.echo(phrase("days.own", {"count": streak, "number": len(played), "text": signed(best)}))
        typer.echo(f"\n{share_line(line.date, line.points, None, streak, language())}")


def _compare(line: _Line, day: date, *, kept: bool) -> None:
    """Add the computer players' points to a result that is already saved, so an interruption loses
    nothing.
    """
    if not line.computers:
        line.computers = _computers(day)
        if kept:
            _keep(line)


def _play_day(day: date, today: date, *, again: bool, text: bool, letters: bool) -> int:
    played = _played()
    name = day.isoformat()
    for other in _waiting(played, today):
        if other != name:
            typer.echo(phrase("days.waits_since", {"name": other}))
    if name in played and not again and day == today:
        _compare(played[name], day, kept=True)
        _tell(played[name], played, today)
        typer.echo(f"\n{phrase('days.once')}")
        return 0
    # A hand played past midnight counts for the day on which it started.
    path = _folder() / f"{name}{SUFFIX}"
    began = path.exists() and not again
    counts = name not in played and (day == today or began)
    if not text:
        need_a_terminal()
    host = _host(day, path if counts else None)
    typer.echo(phrase("days.title", {"name": name, "title": host.table.rules.title}))
    typer.echo(phrase("days.counts" if counts else "days.free"))
    # The hand may have finished just before the program was last stopped.
    status = 0 if deals.points_of(host.table) is not None else _play(host, text=text, letters=letters)
    points = deals.points_of(host.table)
    if points is None:
        host.close()
        code = "left" if not counts else "waits" if day == today else "waits_since"
        typer.echo(phrase(f"days.{code}", {"name": name}))
        return status
    line = _Line(name, points, {})
    kept = counts and _keep(line)
    host.close(keep=counts and not kept)
    if counts:
        played[name] = line
    _compare(line, day, kept=kept)
    _tell(line, played if counts else {}, today)
    return status


# -- checking ------------------------------------------------------------------------------------------------


def _check(day: date, seed: str, commitment: str) -> int:
    for text in (seed, commitment):
        if not is_seed(text):
            fail("day_not_hex", {"text": printable(text)})
    holds = deals.commitment_of(day, seed) == commitment
    typer.echo(phrase("days.fits" if holds else "days.fits_not", {"name": day.isoformat()}))
    return 0 if holds else FAILED


app = new_command()


@app.command(epilog=examples("canasta day --text", "canasta day --date 2026-11-16 --text"))
def day(
    text: Annotated[bool, typer.Option("--text", help="Type your moves, line by line.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Play it again; the result won't count.")] = False,
    date: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Play another day, such as 2026-11-16; it counts if you started it that day."
        ),
    ] = None,
    check: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="SEED COMMITMENT", help="Check that a server committed to this seed for that day."
        ),
    ] = None,
    letters: Letters = False,
    lang: Lang = None,
) -> None:
    """Play the deal of the day.

    It is a single hand, the same for everyone who plays without a server: the cards follow from the date.
    Your first try counts, without hints. If you leave, you can finish the hand later; it counts for
    the day on which you started it. A new day starts at midnight UTC.
    """
    use_language(lang)
    today = _today()
    day_to_play = today if date is None else deals.parse_day(date)
    if day_to_play is None:
        fail("no_day", {"text": printable(date or "")})
    if check is not None:
        raise typer.Exit(_check(day_to_play, *check))
    if day_to_play > today:
        fail("day_to_come", {"text": day_to_play.isoformat()})
    status = _play_day(day_to_play, today, again=again, text=text, letters=letters)
    if status:
        raise typer.Exit(status)
