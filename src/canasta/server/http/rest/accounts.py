"""REST: guests, accounts, sessions."""

from asyncio import QueueFull
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Final

from litestar import Response
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from canasta.errors import InputError
from canasta.server.accounts.accounts import (
    COOKIE,
    DEVICE_COOKIE,
    GUEST,
    LIFETIME,
    Player,
    device_label,
    hash_of,
    session_name,
)
from canasta.server.addresses import header_of
from canasta.server.http.rest.common import Call, TheCall, api_error, bad_input_error, endpoint
from canasta.server.services import cookie_of
from canasta.server.store import ConflictError
from canasta.server.store.players import SessionRow, Subscription
from canasta.table.names import clean_name, name_key

Name = Annotated[str, Meta(max_length=200, description="Use 1 to 24 characters.")]

Password = Annotated[str, Meta(max_length=1000, description="8 to 128 characters.")]


class Me(Struct, kw_only=True):
    name: str
    account: bool
    guest: bool


class NewGuest(Struct, kw_only=True, forbid_unknown_fields=True):
    name: Name | None = None


class NewName(Struct, kw_only=True, forbid_unknown_fields=True):
    name: Name


class Credentials(Struct, kw_only=True, forbid_unknown_fields=True):
    name: Name
    password: Password


class NewPassword(Struct, kw_only=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class Farewell(Struct, kw_only=True, forbid_unknown_fields=True):
    password: Password = ""
    """Required for an account; guests have none."""


class SessionView(Struct, kw_only=True):
    """A browser or program that is signed in."""

    id: str
    device: str
    """Such as `Firefox, Linux`; empty if unknown."""
    begun: float
    """Age of the session, in seconds."""
    used: float
    """Seconds since the last use, rounded to the hour."""
    current: bool
    """True for the session of this request."""


class ExportedTable(Struct, kw_only=True):
    id: str
    opened: str
    updated: str
    status: str
    record: str
    """URL of the record of the finished hands."""


class ExportedGame(Struct, kw_only=True):
    id: str
    ended: str
    rules: str
    names: list[str]
    scores: list[int]


class ExportedAnswer(Struct, kw_only=True):
    puzzle: str
    answered: str
    way: int
    """Index of the chosen move, from 0, in the order shown."""
    right: bool
    rating: float
    """The player's rating after the answer."""


class ExportedDay(Struct, kw_only=True):
    """A first try at a deal of the day."""

    date: str
    table: str
    points: int | None


class Export(Struct, kw_only=True):
    """All data stored about a player."""

    name: str
    account: bool
    since: str
    """Date and time in UTC."""
    sessions: list[SessionView]
    tables: list[ExportedTable]
    """Tables where the player has had a seat, or that name them in the session's results."""
    games: list[ExportedGame]
    puzzles: list[ExportedAnswer]
    """Oldest answer first."""
    days: list[ExportedDay]
    notices: list[str]
    """Addresses of the push services that send turn alerts."""
    done: dict[str, str]
    """Completed lessons and similar items, with the date of each."""


def _me(player: Player) -> Me:
    return Me(name=player.name, account=player.account, guest=not player.account)


def _cookie(call: Call, value: str, lifetime: int = LIFETIME) -> Cookie:
    secure = call.services.settings.secure_cookies
    return Cookie(
        key=COOKIE,
        value=value,
        max_age=lifetime,
        httponly=True,
        samesite="lax",
        secure=call.request.url.scheme == "https" if secure is None else secure,
    )


def _device_cookie(call: Call, value: str) -> Cookie:
    """Return the cookie that marks a known device. Browsers send it back only when signing in."""
    cookie = _cookie(call, value, 2 * LIFETIME)
    cookie.key, cookie.path = DEVICE_COOKIE, "/api/login"
    return cookie


def _device(call: Call) -> str:
    return device_label(header_of(call.request.scope, b"user-agent")[:400])


def _slow_down(call: Call) -> None:
    call.check_rate("guests", call.address, "MANY_ATTEMPTS")


def _may_try_name(call: Call, player: Player | None) -> None:
    """Raise 429 after too many new names: the answer reveals whether an account has the name."""
    if not call.services.may_try_name("" if player is None else player.id, call.address):
        raise api_error(429, "MANY_NAMES")


def _account_key(name: str) -> str:
    """Return a key that is the same for all spellings of an account's name; empty if the name is invalid."""
    try:
        return name_key(clean_name(name))
    except InputError:
        return ""


async def _logged_in(call: Call, player: Player) -> Response[Me]:
    """Start a new session, so that a leaked old cookie is worthless, and return the answer to a sign-in."""
    if call.token:
        await call.services.sessions.end(call.token)
    cookie = await call.services.sessions.new_session(player.id, _device(call))
    device = await call.services.sessions.know_device(player.id)
    cookies = [_cookie(call, cookie), _device_cookie(call, device)]
    return Response(_me(player), cookies=cookies)


@endpoint("GET /api/me", "Who am I?", 401)
async def me(call: TheCall) -> Response[Me]:
    """Return the current player and renew the cookie: every use extends the session."""
    player = await call.player()
    return Response(_me(player), cookies=[_cookie(call, call.token)])


_TAKEN: Final = ("NAME_TAKEN", "NAME_TAKEN_OR_YOURS", "NAME_OF_ACCOUNT")


@contextmanager
def _name_error_responses() -> Iterator[None]:
    """Turn errors about names and passwords into error responses."""
    try:
        yield
    except InputError as problem:
        taken = problem.message.key in _TAKEN
        raise bad_input_error(409 if taken else 400, problem) from None
    except QueueFull:
        raise api_error(429, "MANY_PASSWORDS") from None


@endpoint("POST /api/guests", "Start a guest session", 400, 403, 409, 413)
async def new_guest(call: TheCall, data: JSONBody[NewGuest]) -> Response[Me]:
    """Start a guest session and set its cookie.

    A caller who already has a session keeps it; a guest takes the given name, and the cookie is renewed as by
    `/api/me`.
    """
    with _name_error_responses():
        name = clean_name(data.name) if data.name is not None else None
        known = await call.visitor()
        if known is not None:
            if name is not None and name != known.name and not known.account:
                _may_try_name(call, known)
                known = await call.services.sessions.rename(call.token, known, name)
            return Response(_me(known), cookies=[_cookie(call, call.token)])
        _slow_down(call)
        if name is not None:
            _may_try_name(call, None)
            name = await call.services.sessions.accounts.check_guest_name("", name)
    player, cookie = await call.services.sessions.new_guest(name or GUEST, _device(call))
    return Response(_me(player), cookies=[_cookie(call, cookie)])


@endpoint("PATCH /api/me", "Change your name", 400, 401, 403, 409, 413)
async def rename(call: TheCall, data: JSONBody[NewName]) -> Me:
    player = await call.player()
    _may_try_name(call, player)
    with _name_error_responses():
        return _me(await call.services.sessions.rename(call.token, player, data.name))


@endpoint("POST /api/accounts", "Turn a guest into an account", 400, 401, 403, 409, 413)
async def new_account(call: TheCall, data: JSONBody[Credentials]) -> Response[Me]:
    player = await call.player()
    if player.account:
        raise api_error(409, "HAS_ACCOUNT")
    _slow_down(call)
    _may_try_name(call, player)
    with _name_error_responses():
        player = await call.services.sessions.register(call.token, player, data.name, data.password)
    return await _logged_in(call, player)


@endpoint("POST /api/login", "Sign in", 400, 401, 403, 413)
async def login(call: TheCall, data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in.

    A known device isn't delayed by other people's attempts. Others may wait for up to a minute after many
    wrong passwords for this account.
    """
    key, device = _account_key(data.name), cookie_of(call.request.scope, DEVICE_COOKIE)
    is_known = await call.services.sessions.knows_device(device, key)
    if not is_known:
        _slow_down(call)
    call.check_rate("logins", f"{device if is_known else call.address} {key}", "MANY_LOGINS")
    if not is_known:
        try:
            await call.services.sign_ins.wait_turn(key, call.address)
        except QueueFull:
            raise api_error(429, "MANY_LOGINS") from None
    with _name_error_responses():
        row = await call.services.sessions.accounts.login(data.name, data.password, is_known=is_known)
    if not is_known and row is None:
        call.services.sign_ins.failed(key, call.address)
    elif not is_known:
        call.services.sign_ins.succeeded(key)
    if row is None:
        raise api_error(401, "WRONG_LOGIN")
    answer = await _logged_in(call, Player(row.id, row.name, account=True))
    now = await call.services.store.player(row.id)
    if now is None or now.password_hash != row.password_hash:
        # The password was changed in the meantime: the old one must not win a race.
        await call.services.sessions.end(answer.cookies[0].value or "")
        raise api_error(401, "WRONG_LOGIN")
    return answer


@endpoint("POST /api/logout", "Sign out", 403, done="Signed out; the cookie is deleted.")
async def logout(call: TheCall) -> Response[None]:
    if call.token:
        await call.services.sessions.end(call.token)
    return Response(None, status_code=204, cookies=[_cookie(call, "", 0)])


# -- account settings ----------------------------------------------------------------------------------------


async def _owner(call: Call) -> Player:
    """Return the player who sent the request; raise 409 if they don't have an account."""
    player = await call.player()
    if not player.account:
        raise api_error(409, "NO_ACCOUNT")
    return player


def _may_guess(call: Call, player: Player) -> None:
    """Limit password attempts within a session, so that nobody can guess the password at an unattended
    browser, and by address, since each takes a core for a while."""
    _slow_down(call)
    call.check_rate("logins", f"session {player.id}", "MANY_PASSWORDS")


@endpoint("POST /api/me/password", "Change the password", 400, 401, 403, 409, 413)
async def change_password(call: TheCall, data: JSONBody[NewPassword]) -> Response[Me]:
    """Change the password and end all other sessions of the account."""
    player = await _owner(call)
    _may_guess(call, player)
    with _name_error_responses():
        is_right = await call.services.sessions.accounts.change_password(player.id, data.old, data.new)
    if not is_right:
        raise api_error(400, "WRONG_OLD_PASSWORD")
    await call.services.sessions.end_others(player.id, call.token)
    device = await call.services.sessions.know_device(player.id)
    return Response(_me(player), cookies=[_device_cookie(call, device)])


def _session_view(row: SessionRow, now: float, *, is_current: bool) -> SessionView:
    return SessionView(
        id=session_name(row),
        device=row.device,
        begun=round(max(0.0, now - row.created)),
        used=round(max(0.0, now - max(row.used, row.created))),
        current=is_current,
    )


async def _sessions(call: Call, player: Player) -> list[SessionView]:
    now = call.services.store.now
    rows = await call.services.sessions.of_player(player.id, call.token)
    return [_session_view(row, now, is_current=is_current) for row, is_current in rows]


@endpoint("GET /api/me/sessions", "My sessions", 401)
async def my_sessions(call: TheCall) -> list[SessionView]:
    return await _sessions(call, await call.player())


@endpoint(
    "DELETE /api/me/sessions/{session:str}",
    "End a session",
    401,
    403,
    404,
    done="The session has ended and its connections are closed.",
)
async def end_session(call: TheCall, session: FromPath[str]) -> None:
    """End the session with this `id`."""
    player = await call.player()
    if not await call.services.sessions.end_session(player.id, session):
        raise api_error(404, "NO_SUCH_SESSION")


@endpoint(
    "DELETE /api/me/sessions",
    "End all other sessions",
    401,
    403,
    done="The sessions have ended and their connections are closed.",
)
async def end_other_sessions(call: TheCall) -> None:
    player = await call.player()
    await call.services.sessions.end_others(player.id, call.token)


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


@endpoint("GET /api/me/export", "Export all data stored about me", 401)
async def export(call: TheCall) -> Export:
    player = await call.player()
    row = await call.services.store.player(player.id)
    answered = await call.services.puzzles.times_of(player.id)
    done = await call.services.store.things_done(player.id)
    return Export(
        name=player.name,
        account=player.account,
        since=_day(row.created) if row is not None else "",
        sessions=await _sessions(call, player),
        tables=[
            ExportedTable(
                id=sitting.table,
                opened=_day(sitting.opened),
                updated=_day(sitting.updated),
                status=sitting.status,
                record=f"/api/tables/{sitting.table}/record",
            )
            for sitting in await call.services.store.sittings_of(player.id)
        ],
        games=[
            ExportedGame(
                id=kept.id,
                ended=_day(kept.ended),
                rules=kept.game.rules,
                names=kept.game.names,
                scores=kept.game.scores,
            )
            for kept in await call.services.store.games_of(player.id)
        ],
        puzzles=[
            ExportedAnswer(
                puzzle=answer.puzzle,
                answered=_day(answered.get(answer.puzzle, 0.0)),
                way=answer.choice,
                right=answer.right,
                rating=answer.rating.value,
            )
            for answer in await call.services.puzzles.answers_of(player.id)
        ],
        days=[
            ExportedDay(date=tried.date, table=tried.table, points=tried.points)
            for tried in await call.services.store.tries_of(player.id)
        ],
        notices=[push.endpoint for push in await call.services.store.pushes_of(player.id)],
        done={thing: _day(when) for thing, when in done.items()},
    )


@endpoint("POST /api/me/delete", "Delete the account", 400, 401, 403, 413, done="The account is gone.")
async def delete_me(call: TheCall, data: JSONBody[Farewell]) -> Response[None]:
    """Delete the account or guest at once.

    The name disappears from all tables soon after. At tables in play, a computer player takes the seat.
    """
    player = await call.player()
    if player.account:
        _may_guess(call, player)
        with _name_error_responses():
            is_right = await call.services.sessions.accounts.is_password(player.id, data.password)
        if not is_right:
            raise api_error(400, "WRONG_PASSWORD")
    await call.services.sessions.delete(player.id)
    call.services.deletions.wake()
    return Response(None, status_code=204, cookies=[_cookie(call, "", 0)])


PEOPLE = [
    *(me, new_guest, rename, new_account, login, logout),
    *(change_password, my_sessions, end_session, end_other_sessions, export, delete_me),
]


# -- turn alerts ---------------------------------------------------------------------------------------------


class PushOffer(Struct, kw_only=True):
    key: str
    """Public key for the browser's subscription, in base64url; empty if this server sends no
    notifications."""


class NewPush(Struct, kw_only=True):
    """The fields of a browser's `PushSubscription`."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=90)]
    auth: Annotated[str, Meta(max_length=30)]


@endpoint("GET /api/push", "Does this server send turn alerts?")
async def push_offer(call: TheCall) -> PushOffer:
    return PushOffer(key="" if call.services.pusher is None else call.services.pusher.key)


@endpoint("POST /api/push", "Subscribe to turn alerts", 400, 401, 403, 404, 413, done="Saved.")
async def keep_push(call: TheCall, data: JSONBody[NewPush]) -> None:
    """Save this session's subscription until the session ends, replacing an earlier one.

    Alerts use the language of the request. Only the five newest subscriptions per player are kept.
    """
    player = await call.player()
    if call.services.pusher is None:
        raise api_error(404, "NO_PUSH")
    language = call.language()
    subscription = Subscription(data.endpoint, data.p256dh, data.auth, language)
    try:
        await call.services.pusher.keep(player.id, hash_of(call.token), subscription)
    except InputError as problem:
        raise bad_input_error(400, problem) from None
    except ConflictError:
        raise api_error(401, "UNKNOWN_PERSON") from None


@endpoint("DELETE /api/push", "Unsubscribe from turn alerts", 401, 403, done="Deleted.")
async def drop_push(call: TheCall) -> None:
    """Delete this session's subscription."""
    await call.player()
    await call.services.store.drop_push(hash_of(call.token))


PUSH = [push_offer, keep_push, drop_push]
