"""REST: guests, accounts, sessions."""

from asyncio import QueueFull
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from canasta.errors import InputError
from canasta.server.accounts.accounts import GUEST
from canasta.server.accounts.sessions import (
    COOKIE,
    DEVICE_COOKIE,
    LIFETIME,
    Player,
    device_label,
    session_name,
)
from canasta.server.addresses import header_of
from canasta.server.http.rest.common import (
    AnyRequest,
    TheServices,
    address,
    mistake,
    mistakes,
    player_of,
    token,
    unusable,
)
from canasta.server.http.rest.schemas import (
    Credentials,
    Export,
    ExportedAnswer,
    ExportedDay,
    ExportedGame,
    ExportedTable,
    Farewell,
    Me,
    NewGuest,
    NewName,
    NewPassword,
    SessionView,
)
from canasta.server.services import Services, cookie_of
from canasta.server.store.players import SessionRow
from canasta.table.names import clean_name, name_key


def _me(player: Player) -> Me:
    return Me(name=player.name, account=player.account, guest=not player.account)


def _cookie(request: AnyRequest, services: Services, value: str, lifetime: int = LIFETIME) -> Cookie:
    secure = services.settings.secure_cookies
    return Cookie(
        key=COOKIE,
        value=value,
        max_age=lifetime,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https" if secure is None else secure,
    )


def _device_cookie(request: AnyRequest, services: Services, value: str) -> Cookie:
    """Return the cookie that marks a known device. Browsers send it back only when signing in."""
    cookie = _cookie(request, services, value, 2 * LIFETIME)
    cookie.key, cookie.path = DEVICE_COOKIE, "/api/login"
    return cookie


def _device(request: AnyRequest) -> str:
    return device_label(header_of(request.scope, b"user-agent")[:400])


def _slow_down(request: AnyRequest, services: Services) -> None:
    if not services.guests.take(address(request)):
        raise mistake(429, "MANY_ATTEMPTS")


def _may_try_name(request: AnyRequest, services: Services, player: Player | None) -> None:
    """Raise 429 after too many new names: the answer reveals whether an account has the name."""
    if not services.may_try_name("" if player is None else player.id, address(request)):
        raise mistake(429, "MANY_NAMES")


def _account_key(name: str) -> str:
    """Return a key that is the same for all spellings of an account's name; empty if the name is invalid."""
    try:
        return name_key(clean_name(name))
    except InputError:
        return ""


async def _logged_in(request: AnyRequest, services: Services, player: Player) -> Response[Me]:
    """Start a new session, so that a leaked old cookie is worthless, and return the answer to a sign-in."""
    if token(request):
        await services.sessions.end(token(request))
    cookie = await services.sessions.new_session(player.id, _device(request))
    device = await services.sessions.know_device(player.id)
    cookies = [_cookie(request, services, cookie), _device_cookie(request, services, device)]
    return Response(_me(player), cookies=cookies)


@get("/api/me", summary="Who am I?", responses=mistakes(401))
async def me(request: AnyRequest, services: TheServices) -> Response[Me]:
    """Return the current player and renew the cookie: every use extends the session."""
    player = await player_of(request, services)
    return Response(_me(player), cookies=[_cookie(request, services, token(request))])


_TAKEN: Final = ("NAME_TAKEN", "NAME_TAKEN_OR_YOURS", "NAME_OF_ACCOUNT")


@contextmanager
def _told() -> Iterator[None]:
    """Turn errors about names and passwords into error responses."""
    try:
        yield
    except InputError as problem:
        taken = problem.message.key in _TAKEN
        raise unusable(409 if taken else 400, problem) from None
    except QueueFull:
        raise mistake(429, "MANY_PASSWORDS") from None


@post("/api/guests", summary="Start a guest session", status_code=200, responses=mistakes(400, 403, 409, 413))
async def new_guest(request: AnyRequest, services: TheServices, data: JSONBody[NewGuest]) -> Response[Me]:
    """Start a guest session and set its cookie.

    A caller who already has a session keeps it; a guest takes the given name, and the cookie is renewed as by
    `/api/me`.
    """
    with _told():
        name = clean_name(data.name) if data.name is not None else None
        known = await services.player_of(request.scope)
        if known is not None:
            if name is not None and name != known.name and not known.account:
                _may_try_name(request, services, known)
                known = await services.sessions.rename(token(request), known, name)
            return Response(_me(known), cookies=[_cookie(request, services, token(request))])
        _slow_down(request, services)
        if name is not None:
            _may_try_name(request, services, None)
            name = await services.sessions.accounts.check_guest_name("", name)
    player, cookie = await services.sessions.new_guest(name or GUEST, _device(request))
    return Response(_me(player), cookies=[_cookie(request, services, cookie)])


@patch("/api/me", summary="Change your name", responses=mistakes(400, 401, 403, 409, 413))
async def rename(request: AnyRequest, services: TheServices, data: JSONBody[NewName]) -> Me:
    player = await player_of(request, services)
    _may_try_name(request, services, player)
    with _told():
        return _me(await services.sessions.rename(token(request), player, data.name))


@post(
    "/api/accounts",
    summary="Turn a guest into an account",
    status_code=200,
    responses=mistakes(400, 401, 403, 409, 413),
)
async def new_account(
    request: AnyRequest, services: TheServices, data: JSONBody[Credentials]
) -> Response[Me]:
    player = await player_of(request, services)
    if player.account:
        raise mistake(409, "HAS_ACCOUNT")
    _slow_down(request, services)
    _may_try_name(request, services, player)
    with _told():
        player = await services.sessions.register(token(request), player, data.name, data.password)
    return await _logged_in(request, services, player)


@post("/api/login", summary="Sign in", status_code=200, responses=mistakes(400, 401, 403, 413))
async def login(request: AnyRequest, services: TheServices, data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in.

    A known device isn't delayed by other people's attempts. Others may wait for up to a minute after many
    wrong passwords for this account.
    """
    key, device = _account_key(data.name), cookie_of(request.scope, DEVICE_COOKIE)
    is_known = await services.sessions.knows_device(device, key)
    if not is_known:
        _slow_down(request, services)
    if not services.logins.take(f"{device if is_known else address(request)} {key}"):
        raise mistake(429, "MANY_LOGINS")
    if not is_known:
        try:
            await services.sign_ins.wait_turn(key, address(request))
        except QueueFull:
            raise mistake(429, "MANY_LOGINS") from None
    with _told():
        row = await services.sessions.accounts.login(data.name, data.password, is_known=is_known)
    if not is_known and row is None:
        services.sign_ins.failed(key, address(request))
    elif not is_known:
        services.sign_ins.succeeded(key)
    if row is None:
        raise mistake(401, "WRONG_LOGIN")
    answer = await _logged_in(request, services, Player(row.id, row.name, account=True))
    now = await services.store.player(row.id)
    if now is None or now.password_hash != row.password_hash:
        # The password was changed in the meantime: the old one must not win a race.
        await services.sessions.end(answer.cookies[0].value or "")
        raise mistake(401, "WRONG_LOGIN")
    return answer


@post(
    "/api/logout",
    summary="Sign out",
    status_code=204,
    responses={204: ResponseSpec(None, description="Signed out; the cookie is deleted."), **mistakes(403)},
)
async def logout(request: AnyRequest, services: TheServices) -> Response[None]:
    if token(request):
        await services.sessions.end(token(request))
    return Response(None, status_code=204, cookies=[_cookie(request, services, "", 0)])


# -- account settings ----------------------------------------------------------------------------------------


async def _owner(request: AnyRequest, services: Services) -> Player:
    """Return the player who sent the request; raise 409 if they don't have an account."""
    player = await player_of(request, services)
    if not player.account:
        raise mistake(409, "NO_ACCOUNT")
    return player


def _may_guess(request: AnyRequest, services: Services, player: Player) -> None:
    """Limit password attempts within a session, so that nobody can guess the password at an unattended
    browser, and by address, since each takes a core for a while."""
    _slow_down(request, services)
    if not services.logins.take(f"session {player.id}"):
        raise mistake(429, "MANY_PASSWORDS")


@post(
    "/api/me/password",
    summary="Change the password",
    status_code=200,
    responses=mistakes(400, 401, 403, 409, 413),
)
async def change_password(
    request: AnyRequest, services: TheServices, data: JSONBody[NewPassword]
) -> Response[Me]:
    """Change the password and end all other sessions of the account."""
    player = await _owner(request, services)
    _may_guess(request, services, player)
    with _told():
        is_right = await services.sessions.accounts.change_password(player.id, data.old, data.new)
    if not is_right:
        raise mistake(400, "WRONG_OLD_PASSWORD")
    await services.sessions.end_others(player.id, token(request))
    device = await services.sessions.know_device(player.id)
    return Response(_me(player), cookies=[_device_cookie(request, services, device)])


def _session_view(row: SessionRow, now: float, *, is_current: bool) -> SessionView:
    return SessionView(
        id=session_name(row),
        device=row.device,
        begun=round(max(0.0, now - row.created)),
        used=round(max(0.0, now - max(row.used, row.created))),
        current=is_current,
    )


async def _sessions(request: AnyRequest, services: Services, player: Player) -> list[SessionView]:
    now = services.store.now
    found = await services.sessions.of_player(player.id, token(request))
    return [_session_view(row, now, is_current=is_current) for row, is_current in found]


@get("/api/me/sessions", summary="My sessions", responses=mistakes(401))
async def my_sessions(request: AnyRequest, services: TheServices) -> list[SessionView]:
    return await _sessions(request, services, await player_of(request, services))


_ENDED = {204: ResponseSpec(None, description="The session and its connections are closed.")}


@delete(
    "/api/me/sessions/{session:str}",
    summary="End a session",
    status_code=204,
    responses={**_ENDED, **mistakes(401, 403, 404)},
)
async def end_session(request: AnyRequest, services: TheServices, session: FromPath[str]) -> None:
    """End the session with this `id`."""
    player = await player_of(request, services)
    if not await services.sessions.end_one(player.id, session):
        raise mistake(404, "NO_SUCH_SESSION")


@delete(
    "/api/me/sessions",
    summary="End all other sessions",
    status_code=204,
    responses={**_ENDED, **mistakes(401, 403)},
)
async def end_other_sessions(request: AnyRequest, services: TheServices) -> None:
    player = await player_of(request, services)
    await services.sessions.end_others(player.id, token(request))


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


@get("/api/me/export", summary="Export all data stored about me", responses=mistakes(401))
async def export(request: AnyRequest, services: TheServices) -> Export:
    player = await player_of(request, services)
    row = await services.store.player(player.id)
    answered = await services.puzzles.times_of(player.id)
    return Export(
        name=player.name,
        account=player.account,
        since=_day(row.created) if row is not None else "",
        sessions=await _sessions(request, services, player),
        tables=[
            ExportedTable(
                id=sitting.table,
                opened=_day(sitting.opened),
                updated=_day(sitting.updated),
                status=sitting.status,
                record=f"/api/tables/{sitting.table}/record",
            )
            for sitting in await services.store.sittings_of(player.id)
        ],
        games=[
            ExportedGame(
                id=kept.id,
                ended=_day(kept.ended),
                rules=kept.game.rules,
                names=kept.game.names,
                scores=kept.game.scores,
            )
            for kept in await services.store.games_of(player.id)
        ],
        puzzles=[
            ExportedAnswer(
                puzzle=answer.puzzle,
                answered=_day(answered.get(answer.puzzle, 0.0)),
                way=answer.choice,
                right=answer.right,
                rating=answer.rating.value,
            )
            for answer in await services.puzzles.answers_of(player.id)
        ],
        days=[
            ExportedDay(date=tried.date, table=tried.table, points=tried.points)
            for tried in await services.store.tries_of(player.id)
        ],
        notices=[push.endpoint for push in await services.store.pushes_of(player.id)],
        done={thing: _day(when) for thing, when in (await services.store.things_done(player.id)).items()},
    )


@post(
    "/api/me/delete",
    summary="Delete the account",
    status_code=204,
    responses={
        204: ResponseSpec(None, description="The account and all its sessions are deleted."),
        **mistakes(400, 401, 403, 413),
    },
)
async def delete_me(request: AnyRequest, services: TheServices, data: JSONBody[Farewell]) -> Response[None]:
    """Delete the account or guest at once.

    The name disappears from all tables soon after. At tables in play, a computer player takes the seat.
    """
    player = await player_of(request, services)
    if player.account:
        _may_guess(request, services, player)
        with _told():
            is_right = await services.sessions.accounts.is_password(player.id, data.password)
        if not is_right:
            raise mistake(400, "WRONG_PASSWORD")
    await services.sessions.delete(player.id)
    services.deletions.wake()
    return Response(None, status_code=204, cookies=[_cookie(request, services, "", 0)])


PEOPLE = [
    *(me, new_guest, rename, new_account, login, logout),
    *(change_password, my_sessions, end_session, end_other_sessions, export, delete_me),
]
