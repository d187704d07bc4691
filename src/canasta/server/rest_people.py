"""REST: guests, accounts, sessions."""

from litestar import Response, get, patch, post
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from canasta.server.accounts import NameTaken, PasswordProblem
from canasta.server.names import NameProblem, clean_name, name_key
from canasta.server.rest import (
    AnyRequest,
    Credentials,
    Me,
    NewGuest,
    NewName,
    TheServices,
    address,
    mistake,
    mistakes,
    player_of,
    token,
)
from canasta.server.services import Services
from canasta.server.sessions import COOKIE, LIFETIME, Player

GUEST = "Guest"


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


def _slow_down(request: AnyRequest, services: Services) -> None:
    if not services.guests.take(address(request)):
        raise mistake(429, "Too many attempts from your address. Wait a minute and try again.")


def _account_key(name: str) -> str:
    """The same for all ways to write the name of an account."""
    try:
        return name_key(clean_name(name))
    except NameProblem:
        return ""


async def _logged_in(request: AnyRequest, services: Services, player: Player) -> Response[Me]:
    """A new session, so that nobody who knew the old cookie comes in with it."""
    if token(request):
        await services.sessions.end(token(request))
    cookie = await services.sessions.new_session(player.id)
    return Response(_me(player), cookies=[_cookie(request, services, cookie)])


@get("/api/me", summary="Who am I?", responses=mistakes(401))
async def me(request: AnyRequest, services: TheServices) -> Me:
    return _me(await player_of(request, services))


@post("/api/guests", summary="Come in as a guest", status_code=200, responses=mistakes(400, 403, 413))
async def new_guest(request: AnyRequest, services: TheServices, data: JSONBody[NewGuest]) -> Response[Me]:
    """Sets the session cookie. Whoever has one stays who they are, and a guest takes the name given."""
    try:
        name = clean_name(data.name) if data.name is not None else None
        known = await services.player_of(request.scope)
        if known is not None:
            if name is not None and name != known.name and not known.account:
                known = await services.sessions.rename(token(request), known, name)
            return Response(_me(known))
    except NameProblem as problem:
        raise mistake(400, str(problem)) from None
    _slow_down(request, services)
    player, cookie = await services.sessions.new_guest(name or GUEST)
    return Response(_me(player), cookies=[_cookie(request, services, cookie)])


@patch("/api/me", summary="Take another name", responses=mistakes(400, 401, 403, 409, 413))
async def rename(request: AnyRequest, services: TheServices, data: JSONBody[NewName]) -> Me:
    player = await player_of(request, services)
    try:
        return _me(await services.sessions.rename(token(request), player, data.name))
    except NameTaken as problem:
        raise mistake(409, str(problem)) from None
    except NameProblem as problem:
        raise mistake(400, str(problem)) from None


@post(
    "/api/accounts",
    summary="Turn the guest into an account",
    status_code=200,
    responses=mistakes(400, 401, 403, 409, 413),
)
async def new_account(
    request: AnyRequest, services: TheServices, data: JSONBody[Credentials]
) -> Response[Me]:
    player = await player_of(request, services)
    if player.account:
        raise mistake(409, "You have an account already. Log out first to open another one.")
    _slow_down(request, services)
    try:
        player = await services.sessions.register(token(request), player, data.name, data.password)
    except NameTaken as problem:
        raise mistake(409, str(problem)) from None
    except (NameProblem, PasswordProblem) as problem:
        raise mistake(400, str(problem)) from None
    return await _logged_in(request, services, player)


@post("/api/login", summary="Log in", status_code=200, responses=mistakes(400, 401, 403, 413))
async def login(request: AnyRequest, services: TheServices, data: JSONBody[Credentials]) -> Response[Me]:
    _slow_down(request, services)
    if not services.logins.take(_account_key(data.name)):
        raise mistake(429, "Too many attempts to log in under this name. Wait a minute and try again.")
    row = await services.sessions.accounts.login(data.name, data.password)
    if row is None:
        raise mistake(401, "The name or the password is not right. Check both and try again.")
    return await _logged_in(request, services, Player(row.id, row.name, account=True))


@post(
    "/api/logout",
    summary="Log out",
    status_code=204,
    responses={204: ResponseSpec(None, description="Done, and the cookie is gone."), **mistakes(403)},
)
async def logout(request: AnyRequest, services: TheServices) -> Response[None]:
    if token(request):
        await services.sessions.end(token(request))
    return Response(None, status_code=204, cookies=[_cookie(request, services, "", 0)])


PEOPLE = [me, new_guest, rename, new_account, login, logout]
