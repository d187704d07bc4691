"""`canasta play` and `canasta serve`: the table in the browser, for oneself or for others."""

import json
import socket
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlencode, urlsplit

import typer

from canasta.commands.asked import Asked, rules_file
from canasta.commands.bots import bot_asked_for
from canasta.commands.options import Port, examples, new_command
from canasta.commands.output import fail, fail_saying, in_words
from canasta.commands.spoken import spoken
from canasta.extras import why_missing
from canasta.notation.errors import printable, short
from canasta.notation.record import told_options
from canasta.server import run
from canasta.server.people.push import contact_of, is_service_name
from canasta.server.settings import PUSH_SERVICES, Limits, Settings
from canasta.server.store.store import Unavailable, make_store
from canasta.words.system import reason_in

USUAL_PORT: Final = 8765

_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - recognised, not chosen
"""Addresses that stand for all of this machine's, and how it reaches itself then."""


def refuse_text_options(given: Mapping[str, object]) -> None:
    """What only the table of typed lines understands."""
    for option, value in given.items():
        if value is not None:
            fail("only_text", {"name": option})


def play_in_browser(asked: Asked | None, *, bot: str, port: int | None, open_page: bool) -> None:
    """A server for this machine alone, and its page in the browser; with a game it begins at once."""
    path = "/" if asked is None else _path_of_game(asked, bot)
    listening = _listen("127.0.0.1", port)
    address = _address("127.0.0.1", listening)

    def ready() -> None:
        typer.echo(f"{in_words('table_at', {'text': address + path})}\n{in_words('table_closes')}")
        if open_page:
            with suppress(webbrowser.Error):  # the address is there to be typed
                webbrowser.open(address + path)

    _serve(Settings(), listening, ready, log_level="warning")


def _path_of_game(asked: Asked, bot: str) -> str:
    """The page that makes this table and starts it."""
    if ":" in bot:
        fail("not_in_browser")
    bot_asked_for(bot)
    rules = asked.rules()
    wanted = {"rules": rules.name, "players": str(rules.seats.players), "bot": bot, "start": "1"}
    options = told_options(rules)
    if options:
        wanted["options"] = json.dumps(options)
    return f"/new?{urlencode(wanted)}"


def _serve(
    settings: Settings, listening: socket.socket, ready: Callable[[], None], *, log_level: str
) -> None:
    try:
        status = run.serve(settings, log_level=log_level, listening=listening, ready=ready)
    except Unavailable as problem:
        fail("other_database", {"text": str(problem).rstrip(".")})
    finally:
        listening.close()
    if status:
        raise typer.Exit(status)


def _database(given: str | None) -> str:
    """The URL of the database; a bare path is an SQLite file."""
    if given is None:
        return ""
    url = given if "://" in given else f"sqlite:///{Path(given).absolute()}"
    try:
        make_store(url)
    except (ValueError, OSError) as error:
        fail_saying(f"--database: {printable(str(error)).rstrip('.')}.")
    return url


def _host_of(origin: str) -> str:
    """`https://cards.example.org` or `cards.example.org`: the host, with its port."""
    split = urlsplit(origin if "://" in origin else f"//{origin}")
    if not split.netloc or split.path not in ("", "/"):
        fail("bad_origin", {"text": short(origin)})
    return split.netloc.lower()


def _contact(given: str | None) -> str:
    """Whom push services can write to; empty where no notices are wanted."""
    if not given:
        return ""
    for module in ("cryptography", "httpx"):
        if find_spec(module) is None:
            fail_saying(why_missing("--push", module))
    contact = contact_of(given)
    if contact is None:
        fail("bad_contact", {"text": short(given)})
    return contact


def _push_service(name: str) -> str:
    if not is_service_name(name.lower()):
        fail("bad_push_service", {"text": short(name)})
    return name.lower()


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket bound to the port; without a given one to the usual port, or to any that is free."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, wanted))
        except OSError as error:
            listening.close()
            if port is not None or wanted == 0:
                reason = reason_in(error, spoken())
                fail("cannot_listen", {"name": printable(host), "number": wanted, "text": reason})
        else:
            return listening
    raise AssertionError("the last port tried has returned or failed")


def _own_address() -> str:
    """The address by which this machine talks to others; its name where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards, suppress(OSError):
        towards.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
        return str(towards.getsockname()[0])
    return socket.gethostname()


def _address(host: str, listening: socket.socket) -> str:
    here = _EVERYWHERE.get(host, host)
    shown = f"[{here}]" if ":" in here else here
    return f"http://{shown}:{listening.getsockname()[1]}"


app = new_command()

_USUAL: Final = Settings()

Level = Literal["debug", "info", "warning", "error"]


@app.command(epilog=examples("canasta serve", "canasta serve --host 0.0.0.0 --port 8000"))
def serve(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="postgresql://… or the path of an SQLite file; by default one in your data folder.",
        ),
    ] = None,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://…, where several servers share a database.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="The address that players type, where a proxy stands before the server."
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules", "-r", metavar="FILE.toml", help="A file of house rules that the new-table page offers."
        ),
    ] = None,
    push: Annotated[
        str | None,
        typer.Option(
            metavar="CONTACT",
            envvar="CANASTA_PUSH",
            help="Tell people of their turn when their page is closed; CONTACT is an e-mail address or an "
            "https://… address, for the push services.",
        ),
    ] = None,
    push_service: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="One more push service that browsers here use: push.example.org."),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(metavar="S", min=0, max=60, help="Seconds before the move of a computer player."),
    ] = _USUAL.pace,
    away_after: Annotated[
        float,
        typer.Option(metavar="S", min=0, help="Seconds until a computer player plays for who has gone."),
    ] = _USUAL.away_after,
    next_after: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds until the next hand is dealt anyway.")
    ] = _USUAL.next_after,
    fair_patience: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds that a deal waits for a player's seed.")
    ] = _USUAL.fair_patience,
    review_worlds: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=1_000,
            help="Possible deals in which the review of a hand measures a decision.",
        ),
    ] = _USUAL.review_worlds,
    review_nice: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=19, help="How far reviews give way to everything else; 19: to all of it."
        ),
    ] = _USUAL.review_nice,
    log_level: Annotated[
        Level, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")
    ] = "info",
    no_limits: Annotated[
        bool, typer.Option("--no-limits", hidden=True, help="No rate limits, to measure on one machine.")
    ] = False,
) -> None:
    """Run a server of tables for others to join.

    Prints its address. Stops at Ctrl+C or SIGTERM; every table goes on where it was at the next start.
    """

    settings = Settings(
        host=host,
        database=_database(database),
        redis=redis or "",
        origins=tuple(_host_of(each) for each in origin or []),
        house_rules=tuple(rules_file(name) for name in rules or []),
        push=_contact(push),
        push_services=(*PUSH_SERVICES, *map(_push_service, push_service or [])),
        pace=pace,
        away_after=away_after,
        next_after=next_after,
        fair_patience=fair_patience,
        review_worlds=review_worlds,
        review_nice=review_nice,
        limits=Limits.loose() if no_limits else Limits(),
    )
    listening = _listen(host, port)
    told = in_words("tables_at", {"text": f"{_address(host, listening)}/"})
    if host in _EVERYWHERE:
        reached = f"http://{_own_address()}:{listening.getsockname()[1]}/"
        told += "\n" + in_words("reached_at", {"text": reached})
    _serve(settings, listening, lambda: typer.echo(told, err=True), log_level=log_level)
