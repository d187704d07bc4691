"""`canasta day`: the deal of the day on a lone machine, and the check of a server's."""

import time
from datetime import date
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.progress import track

from canasta.commands.options import Lang, examples, new_command
from canasta.commands.output import FAILED, ask_for, can_show_suits, console, fail, warn
from canasta.commands.play import PlayTable
from canasta.commands.spoken import spoken
from canasta.commands.tui import need_a_terminal, show_screen
from canasta.engine.fair import is_seed
from canasta.folders import data_folder
from canasta.notation.errors import printable
from canasta.table import day as deals
from canasta.table.log import day_name
from canasta.terminal.faces import Look
from canasta.terminal.game_file import SUFFIX, GameFile, NoGame
from canasta.terminal.host import Host
from canasta.terminal.local import LocalTable
from canasta.terminal.table_screen import TableScreen
from canasta.words import Facts, say
from canasta.words.days import share_line, signed
from canasta.words.system import reason_in

_NAME: Final = "days.jsonl"
_BUDGET: Final = 0.3
"""Seconds a turn for the computer player who searches."""


class _Line(msgspec.Struct):
    """A deal that was played, as it is kept."""

    date: str
    points: int
    computers: dict[str, int]
    """By level; empty in the line that is written first, before they have played."""


def _today() -> date:
    return deals.day_of(time.time())


def _said(code: str, facts: Facts | None = None) -> str:
    return say(f"days.{code}", facts, spoken())


def _played() -> dict[str, _Line]:
    """By day; the first try counts. A later line may add what the computer players made."""
    found: dict[str, _Line] = {}
    try:
        lines = (data_folder() / _NAME).read_bytes().splitlines()
    except OSError:
        return found  # there is none yet, or it cannot be read; whether one can be written is told when it is
    for line in lines:
        try:
            read = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if deals.read_day(read.date) is not None:
            first = found.setdefault(read.date, read)
            first.computers = first.computers or read.computers
    return found


def _keep(line: _Line) -> bool:
    try:
        with (data_folder() / _NAME).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
    except OSError as error:
        warn("day_not_kept", {"text": reason_in(error, spoken())})
        return False
    return True


def _folder() -> Path:
    """Where hands wait that count and are not over."""
    return data_folder() / "days"


def _waiting(played: dict[str, _Line], today: date) -> list[str]:
    """Earlier days whose hand was begun on the day and is not over yet."""
    names = sorted(path.name.removesuffix(SUFFIX) for path in _folder().glob(f"*{SUFFIX}"))
    days = {name: deals.read_day(name) for name in names if name not in played}
    return [name for name, day in days.items() if day is not None and day < today]


# -- playing -------------------------------------------------------------------------------------------------


def _host(day: date, path: Path | None) -> Host:
    """The table of a day, or the one that was left; without a path nothing is kept."""
    if path is not None and path.exists():
        try:
            return Host.reopened(path)
        except NoGame as problem:
            fail("save_unusable", {"text": problem.told(spoken())})
    table = deals.opened(
        day_name(day.isoformat()),
        day,
        deals.game_of(day),
        seed=deals.lone_seed(day),
        made=time.time(),
        counts=path is not None,
    )
    file = None
    if path is not None:
        try:
            path.parent.mkdir(exist_ok=True)
            file = GameFile.create(path, table.name)
        except OSError as error:
            warn("not_saved", {"text": reason_in(error, spoken())})
    return Host(table, file)


def _play(host: Host, *, text: bool, letters: bool) -> int:
    """To the end of the hand, or until the person leaves; the exit status."""
    if text:
        return PlayTable(host).play()
    look = Look(letters=letters or not can_show_suits(), language=spoken())
    code = "screens.leave.lost" if host.file is None else "screens.leave.kept"
    show_screen(TableScreen(LocalTable(host), look, goodbye=say(code, lang=spoken())))
    return 0


def _computers(day: date) -> dict[str, int]:
    """What computer players make of the same cards; it takes some seconds."""
    game, seed = deals.game_of(day), deals.lone_seed(day)
    where = console()
    levels = track(
        deals.COMPARED, _said("comparing"), console=where, transient=True, disable=not where.is_terminal
    )
    return {
        level: deals.computer_points(day, game, seed=seed, level=level, budget=_BUDGET) for level in levels
    }


def _tell(line: _Line, played: dict[str, _Line], today: date) -> None:
    typer.echo(_said("result", {"text": signed(line.points)}))
    typer.echo(_said("computers"))
    for level, points in line.computers.items():
        typer.echo(f"  {level:<14}{signed(points):>7}")
    if line.date in played:
        days = {date.fromisoformat(each) for each in played}
        first = min(days)
        every = [date.fromordinal(each) for each in range(first.toordinal(), today.toordinal() + 1)]
        streak = deals.streak_of(every, days, today)
        best = max(each.points for each in played.values())
        typer.echo(_said("own", {"count": streak, "number": len(played), "text": signed(best)}))
        typer.echo(f"\n{share_line(line.date, line.points, None, streak, spoken())}")


def _compare(line: _Line, day: date, *, kept: bool) -> None:
    """The result stands before: whoever does not wait for the computer players loses none."""
    if not line.computers:
        line.computers = _computers(day)
        if kept:
            _keep(line)


def _play_day(day: date, today: date, *, again: bool, text: bool, letters: bool) -> int:
    played = _played()
    name = day.isoformat()
    for other in _waiting(played, today):
        if other != name:
            typer.echo(_said("waits_since", {"name": other}))
    if name in played and not again and day == today:
        _compare(played[name], day, kept=True)
        _tell(played[name], played, today)
        typer.echo(f"\n{_said('once')}")
        return 0
    # A hand that went on over midnight counts for the day on which it began.
    path = _folder() / f"{name}{SUFFIX}"
    began = path.exists() and not again
    counts = name not in played and (day == today or began)
    if not text:
        need_a_terminal()
    host = _host(day, path if counts else None)
    typer.echo(_said("title", {"name": name, "title": host.table.rules.title}))
    typer.echo(_said("counts" if counts else "free"))
    # It may have been over when the program was ended.
    status = 0 if deals.points_of(host.table) is not None else _play(host, text=text, letters=letters)
    points = deals.points_of(host.table)
    if points is None:
        host.close()
        typer.echo(
            _said("waits" if counts and day == today else "waits_since" if counts else "left", {"name": name})
        )
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
    typer.echo(_said("fits" if holds else "fits_not", {"name": day.isoformat()}))
    return 0 if holds else FAILED


app = new_command()


@app.command(epilog=examples("canasta day --text", "canasta day --date 2026-11-16 --text"))
def day(
    text: Annotated[bool, typer.Option("--text", help="Play line by line.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Play it once more, without counting.")] = False,
    date: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Another day, 2026-11-16; it counts if you began it then."),
    ] = None,
    check: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="SEED COMMITMENT", help="Is this the seed that a server committed to for that day?"
        ),
    ] = None,
    letters: Annotated[
        bool, typer.Option("--letters", help="Write suits as letters, for fonts without the symbols.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Play the deal of the day.

    It is one hand, the same for everybody on a machine without a server. Your first try counts and has no
    hints. A hand that is left waits for you, and counts for the day on which it began. Days are those of
    UTC, and the cards follow from the date.
    """
    ask_for(lang)
    today = _today()
    chosen = today if date is None else deals.read_day(date)
    if chosen is None:
        fail("no_day", {"text": printable(date or "")})
    if check is not None:
        raise typer.Exit(_check(chosen, *check))
    if chosen > today:
        fail("day_to_come", {"text": chosen.isoformat()})
    status = _play_day(chosen, today, again=again, text=text, letters=letters)
    if status:
        raise typer.Exit(status)
