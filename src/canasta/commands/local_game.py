"""Local tables for `canasta tui` and `canasta play --text`: new games and resumed ones."""

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import typer

from canasta.commands.options import SaveArguments
from canasta.commands.output import fail, language, phrase, warn
from canasta.errors import InputError
from canasta.i18n import Fact
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import reason_in
from canasta.installation import data_folder
from canasta.notation.record import LONGEST_NAME, one_line, why_not_seed
from canasta.rules import Ruleset
from canasta.terminal.fairness import ChooseSeed, any_seed
from canasta.terminal.game_file import IN_USE, SUFFIX, GameFile, saved_games
from canasta.terminal.local_table import Host, new_table


def names_of(given: str | None, rules: Ruleset) -> list[str]:
    """Parse the players' names, the user's first; there may be fewer than players."""
    names = [] if given is None else [one_line(name, LONGEST_NAME) for name in given.split(",")]
    players = rules.seats.players
    if len(names) > players:
        fail("names_too_many", {"count": len(names), "players": players, "short": len(names) - players})
    return names


def checked_seed(text: str) -> str:
    """Return the seed; exit if it can't be written to a record."""
    if why_not_seed(text):
        fail("bad_seed")
    return text


# -- unfinished games ----------------------------------------------------------------------------------------


def unfinished_game(saving: SaveArguments, choose_seed: ChooseSeed = any_seed) -> Host | None:
    """Return the game to resume, or None to start a new one. Ask the user if the options don't decide."""
    if saving.no_save:
        return None
    if saving.save is not None:
        return _named_table(Path(saving.save), saving, choose_seed)
    if saving.new or not (saving.resume or sys.stdin.isatty()):
        return None
    host = _latest(choose_seed)
    if host is None and saving.resume:
        fail("nothing_left")
    if host is None or saving.resume or _wants_to_resume(host):
        return host
    host.close()
    return None


def _named_table(path: Path, saving: SaveArguments, choose_seed: ChooseSeed) -> Host | None:
    shown_name = printable(str(path))
    if not path.exists():
        if saving.resume:
            fail("save_missing", {"name": shown_name})
        if not path.parent.is_dir():
            fail("save_no_folder", {"name": shown_name})
        return None
    if saving.new:
        fail("save_there", {"name": shown_name})
    try:
        host = Host.reopened(path, choose_seed)
    except InputError as problem:
        fail("save_unusable", {"text": problem.in_language(language())})
    if host.table.status == "over":
        host.close()
        fail("save_over", {"name": shown_name})
    if saving.resume or (sys.stdin.isatty() and _wants_to_resume(host)):
        return host
    host.close()
    return fail("save_holds", {"name": shown_name})


def _latest(choose_seed: ChooseSeed) -> Host | None:
    """Return the most recent unfinished game in the data folder, skipping games open in another window."""
    try:
        games = saved_games(_folder())
    except OSError:
        return None
    for path in games:
        try:
            host = Host.reopened(path, choose_seed)
        except InputError as problem:
            if problem.message.code != IN_USE:
                warn("save_stays", {"text": problem.in_language(language())})
            continue
        if host.table.status != "over":
            return host
        host.close(keep=False)
    return None


def _wants_to_resume(host: Host) -> bool:
    """Ask whether to resume this game; Enter means yes. Abort at the end of input."""
    table = host.table
    facts: dict[str, Fact] = {"title": table.rules.title, "players": len(table.chairs)}
    if table.match is None:
        typer.echo(phrase("typed.unfinished", facts))
    else:
        scores = f" {phrase('typed.to')} ".join(map(str, table.match.scores))
        facts |= {"count": table.match.hand_number, "text": scores}
        typer.echo(phrase("typed.unfinished_at", facts))
    while True:
        try:
            word = input(f"{phrase('typed.go_on')} > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            raise typer.Abort from None
        if word in ("", "y", "yes"):
            return True
        if word in ("n", "no"):
            return False


# -- new games -----------------------------------------------------------------------------------------------


def new_host(
    rules: Ruleset,
    *,
    bot: str,
    seed: str | None,
    saving: SaveArguments,
    names: Sequence[str] = (),
    choose_seed: ChooseSeed = any_seed,
) -> Host:
    """Open a new table. It is saved to a file if the user is at a terminal or asks for it."""
    table = new_table(rules, bot, None if seed is None else checked_seed(seed))
    file = None
    if saving.save is not None:
        try:
            file = GameFile.create(Path(saving.save), table.name)
        except (OSError, ValueError) as error:
            fail("save_failed", {"name": printable(saving.save), "text": reason_in(error, language())})
    elif not saving.no_save and sys.stdin.isatty():
        try:
            file = GameFile.create(_new_path(rules), table.name)
        except OSError as error:
            warn("not_saved", {"text": reason_in(error, language())})
    return Host(table, file, names=names, choose_seed=choose_seed)


def _folder() -> Path:
    folder = data_folder() / "games"
    folder.mkdir(exist_ok=True)
    return folder


def _new_path(rules: Ruleset) -> Path:
    """Return a unique path with a readable name: time, game and a random suffix."""
    now = time.strftime("%Y-%m-%d-%H%M%S")
    return _folder() / f"{now}-{rules.name}-{secrets.token_hex(2)}{SUFFIX}"


# -- the end -------------------------------------------------------------------------------------------------


def new_file(path: str) -> TextIO:
    """Create a file for a record; exit if it exists, so that no record is overwritten."""
    try:
        return Path(path).open("x", encoding="utf-8")
    except FileExistsError:
        fail("record_there", {"name": printable(path)})
    except (OSError, ValueError) as error:
        fail("record_failed", {"name": printable(path), "text": reason_in(error, language())})


@contextmanager
def record_file(path: str | None) -> Iterator[TextIO | None]:
    """Create a record file if `path` is given, and delete it at the end if nothing was written to it."""
    if path is None:
        yield None
        return
    stream = new_file(path)
    try:
        with stream:
            yield stream
    finally:
        with suppress(OSError):
            if Path(path).stat().st_size == 0:
                Path(path).unlink()


def leave(host: Host, *, command: str, record: str | None, saving: SaveArguments) -> None:
    """Close the table and print how to resume it or deal its cards again."""
    table = host.table
    is_over = table.status == "over"
    # Delete a file named by this program if its game is over or the user never moved.
    keeps = saving.save is not None or not (is_over or host.own_moves == 0)
    path = host.file.path if host.file is not None and keeps and not is_over else None
    host.close(keep=keeps)
    lines: list[str] = []
    if path is not None:
        where = "" if saving.save is None else f" --save {printable(saving.save)}"
        lines.append(phrase("typed.kept", {"text": f"{command} --resume{where}"}))
    if record is not None:
        lines.append(phrase("typed.record_in", {"name": printable(record)}))
    if table.created.cards:
        lines.append(phrase("typed.same_cards", {"name": table.created.cards}))
    elif record is not None:
        lines.append(phrase("typed.check_cards", {"name": printable(record)}))
    typer.echo("\n".join(lines) or phrase("typed.goodbye"))
