"""`canasta serve`, and `canasta play` in the browser: a server for others or for this machine alone."""

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

from canasta.commands.options import Port, RulesArguments, examples, load_bot_or_exit, new_command, rules_file
from canasta.commands.output import fail, fail_saying, in_words, language
from canasta.i18n.safe_text import printable, short
from canasta.i18n.voice import reason_in
from canasta.installation import why_missing
from canasta.notation.record import options_to_record
from canasta.server import run
from canasta.server.accounts.push import contact_of, is_service_name
from canasta.server.settings import PUSH_SERVICES, Limits, Settings
from canasta.server.store import DatabaseError
from canasta.server.store.store import make_store

USUAL_PORT: Final = 8765

_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - recognised, not chosen
"""Wildcard addresses, and the loopback address to connect to for each."""


def refuse_text_options(given: Mapping[str, object]) -> None:
    """Exit if an option was given that only `--text` supports."""
    for option, value in given.items():
        if value is not None:
            fail("only_text", {"name": option})


def play_in_browser(arguments: RulesArguments | None, *, bot: str, port: int | None, open_page: bool) -> None:
    """Run a local server and open its page in the browser. If a game is given, start it at once."""
    path = "/" if arguments is None else _path_of_game(arguments, bot)
    listening = _listen("127.0.0.1", port)
    address = _address("127.0.0.1", listening)

    def ready() -> None:
        typer.echo(f"{in_words('table_at', {'text': address + path})}\n{in_words('table_closes')}")
        if open_page:
            with suppress(webbrowser.Error):  # the address has already been printed
                webbrowser.open(address + path)

    _serve(Settings(), listening, ready, log_level="warning")


def _path_of_game(arguments: RulesArguments, bot: str) -> str:
    """Return the path of the page that creates this table and starts it."""
    if ":" in bot:
        fail("not_in_browser")
    load_bot_or_exit(bot)
    rules = arguments.rules()
    query = {"rules": rules.name, "players": str(rules.seats.players), "bot": bot, "start": "1"}
    options = options_to_record(rules)
    if options:
        query["options"] = json.dumps(options)
    return f"/new?{urlencode(query)}"


def _serve(
    settings: Settings, listening: socket.socket, ready: Callable[[], None], *, log_level: str
) -> None:
    try:
        status = run.serve(settings, log_level=log_level, listening=listening, ready=ready)
    except DatabaseError as problem:
        fail("other_database", {"text": str(problem).rstrip(".")})
    finally:
        listening.close()
    if status:
        raise typer.Exit(status)


def _database(given: str | None) -> str:
    """Return the database's URL; a bare path is an SQLite file."""
    if given is None:
        return ""
    url = given if "://" in given else f"sqlite:///{Path(given).absolute()}"
    try:
        make_store(url)
    except (ValueError, OSError) as error:
        fail_saying(f"--database: {printable(str(error)).rstrip('.')}.")
    return url


def _host_of(origin: str) -> str:
    """Return the host and port of `https://cards.example.org` or `cards.example.org`."""
    split = urlsplit(origin if "://" in origin else f"//{origin}")
    if not split.netloc or split.path not in ("", "/"):
        fail("bad_origin", {"text": short(origin)})
    return split.netloc.lower()


def _contact(given: str | None) -> str:
    """Return the contact address for push services; empty if turn alerts are off."""
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
    """Return a socket bound to the port. By default, try the usual port, then any free one."""
    for number in (USUAL_PORT, 0) if port is None else (port,):
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
        except OSError as error:
            listening.close()
            if port is not None or number == 0:
                reason = reason_in(error, language())
                fail("cannot_listen", {"name": printable(host), "number": number, "text": reason})
        else:
            return listening
    raise AssertionError("the last port tried has returned or failed")


def _own_address() -> str:
    """Return this machine's address on the network, or its name if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards, suppress(OSError):
        towards.connect(("192.0.2.1", 9))  # an address reserved for documentation; nothing is sent
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
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="postgresql://… or the path of an SQLite file. Default: a file in your data folder.",
        ),
    ] = None,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://…, if several servers share a database.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="The public address, if the server is behind a proxy; can be repeated."
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            "-r",
            metavar="FILE.toml",
            help="A file of house rules to offer on the new-table page; can be repeated.",
        ),
    ] = None,
    push: Annotated[
        str | None,
        typer.Option(
            metavar="CONTACT",
            envvar="CANASTA_PUSH",
            help="Alert players who closed the page when it's their turn. CONTACT is an e-mail or https://… "
            "address for the push services.",
        ),
    ] = None,
    push_service: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="Another push service to allow, such as push.example.org; can be repeated."
        ),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(metavar="S", min=0, max=60, help="Seconds before a computer player's move."),
    ] = _USUAL.pace,
    away_after: Annotated[
        float,
        typer.Option(
            metavar="S", min=0, help="Seconds until a computer player takes over for a disconnected player."
        ),
    ] = _USUAL.away_after,
    next_after: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds until the next hand is dealt automatically.")
    ] = _USUAL.next_after,
    fair_patience: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds to wait for a player's seed before a deal.")
    ] = _USUAL.fair_patience,
    review_worlds: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=1_000,
            help="Simulated deals per decision in the review of a hand.",
        ),
    ] = _USUAL.review_worlds,
    review_nice: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=19, help="Niceness of review processes; 19 is the lowest priority."
        ),
    ] = _USUAL.review_nice,
    log_level: Annotated[
        Level, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")
    ] = "info",
    no_limits: Annotated[
        bool,
        typer.Option("--no-limits", hidden=True, help="Disable rate limits, for load tests on one machine."),
    ] = False,
) -> None:
    """Run a server that others can join.

    Prints its address. Ctrl+C or SIGTERM stops it; all tables resume at the next start.
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
    addresses = in_words("tables_at", {"text": f"{_address(host, listening)}/"})
    if host in _EVERYWHERE:
        reached = f"http://{_own_address()}:{listening.getsockname()[1]}/"
        addresses += "\n" + in_words("reached_at", {"text": reached})
    _serve(settings, listening, lambda: typer.echo(addresses, err=True), log_level=log_level)
