"""Helpers shared by all REST calls: the caller, the language of an answer, and error responses."""

import gzip
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import MediaType, Request, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Struct, field

from canasta.errors import InputError, UnknownNameError
from canasta.i18n import Facts, Message
from canasta.i18n.catalogue import known_languages, languages
from canasta.i18n.locale import best_language, language_of_header
from canasta.i18n.safe_text import short
from canasta.rules import RulesetError
from canasta.rules.loader import with_labels
from canasta.server.accounts.accounts import Player
from canasta.server.addresses import address_of, home_of
from canasta.server.services import Services, token_of
from canasta.table.wire import Refused

Handler = TypeVar("Handler", bound=Callable[..., Any])
AnyRequest = Request[Any, Any, Any]


class ErrorBody(Struct, kw_only=True):
    """The body of every error response."""

    status_code: int
    detail: str
    """Explanation and remedy, in the language of the request."""
    extra: Any = None
    reason: str = ""
    """A machine-readable code, for clients with error messages of their own; `facts` are its parameters."""
    facts: dict[str, int | str] = field(default_factory=dict)


class DefectRow(Struct, kw_only=True):
    option: str
    problem: str
    remedy: str
    line: int = 0
    """Line in a rules file; 0 if not applicable."""
    code: str = ""
    """A machine-readable code, for clients with error messages of their own."""
    facts: dict[str, int | str] = field(default_factory=dict)


class OpenedTable(Struct, kw_only=True):
    id: str
    link: str


_WORDS: Final = {
    400: "The request is invalid.",
    401: "No session: POST /api/guests first.",
    403: "Not allowed, or the request came from another site.",
    404: "Not found.",
    409: "Conflict: already taken, or no longer possible.",
    413: "The request is too large.",
    429: "Too many requests: wait a moment.",
    503: "The database is unavailable.",
}


def error_responses(*codes: int) -> dict[int, ResponseSpec]:
    """Return the OpenAPI descriptions of the errors that a call can answer with. 429 and 503 are always
    included."""
    return {code: ResponseSpec(ErrorBody, description=_WORDS[code]) for code in (*codes, 429, 503)}


_METHODS: Final = {"GET": get, "POST": post, "PUT": put, "PATCH": patch, "DELETE": delete}


def endpoint(
    call: str,
    summary: str,
    *errors: int,
    status: int = 200,
    done: str = "",
    speaks: bool = False,
    largest: int | None = None,
    **more: Any,
) -> Callable[[Handler], HTTPRouteHandler]:
    """Declare an endpoint such as `GET /api/days`. `errors` are those it can return besides 429 and 503.

    done: describes success without a body. speaks: the answer depends on the language of the request.
    largest: maximum size of the request body in bytes, if it differs from the general limit.
    """
    method, path = call.split()
    responses = error_responses(*errors)
    if done:
        status, responses[204] = 204, ResponseSpec(None, description=done)
    if speaks:
        more["response_headers"] = SPEAKS
    if largest is not None:
        more["request_max_body_size"] = largest

    def declare(function: Handler) -> HTTPRouteHandler:
        if not iscoroutinefunction(function):
            more.setdefault("sync_to_thread", False)
        route = _METHODS[method](path, summary=summary, status_code=status, responses=responses, **more)
        handler: HTTPRouteHandler = route(function)
        return handler

    return declare


# -- the language of an answer -------------------------------------------------------------------------------

Lang = Annotated[
    str | None,
    QueryParameter(max_length=35, description=f"{', '.join(languages())}; default: from Accept-Language."),
]
SPEAKS: Final = {"Vary": "Accept-Language"}
"""Headers of answers that depend on the language of the request."""


def takes_small(request: AnyRequest) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def encode_json(answer: object, *, small: bool) -> bytes:
    """Encode a long answer as JSON; compress it with gzip if `small`."""
    text = msgspec.json.encode(answer)
    return gzip.compress(text, 5, mtime=0) if small else text


def encoded_response(answer: bytes, *, small: bool, vary: str = "Accept-Encoding") -> Response[Any]:
    """Return a response with an already encoded body.

    The return type annotations of the calls describe the body for OpenAPI.
    """
    headers = {"Vary": vary, **({"Content-Encoding": "gzip"} if small else {})}
    return Response(answer, headers=headers, media_type=MediaType.JSON)


def language_of(request: AnyRequest, requested: str | None) -> str:
    """Return the language to answer in; raise 400 if the requested language doesn't exist."""
    try:
        return (
            best_language(requested)
            if requested
            else language_of_header(request.headers.get("accept-language", ""))
        )
    except UnknownNameError:
        facts: Facts = {"text": short(requested or ""), "choices": known_languages()}
        raise api_error(400, "NO_SUCH_LANGUAGE", facts) from None


class RequestError(HTTPException):
    """A request that the server or a table rejects; the answer is in the language of the request."""

    def __init__(self, status: int, message: Message, extra: dict[str, Any] | None = None) -> None:
        super().__init__(detail=message.code, status_code=status, extra=extra)
        self.message = message


def refused_request(refused: Refused) -> RequestError:
    """Return the error for a command that a table refused, with the table's own reason."""
    return RequestError(409, Message(f"refusals.{refused.why.reason}", refused.why.facts))


def api_error(
    status: int, reason: str, facts: Facts | None = None, extra: dict[str, Any] | None = None
) -> RequestError:
    return RequestError(status, Message(f"problems.{reason}", facts or {}), extra)


def bad_input_error(status: int, problem: InputError) -> RequestError:
    """Return the error response for invalid input, such as a bad name."""
    return RequestError(status, problem.message)


def bad_rules(error: RulesetError, lang: str) -> HTTPException:
    """Return a 400 error that lists every defect of the rules."""
    extra = {"defects": [{"option": row.option, "problem": row.problem, "remedy": row.remedy}
                         for row in defect_rows(error, lang)]}  # fmt: skip
    detail = " ".join(defect.line_in(lang) for defect in error.defects)[:1000]
    return HTTPException(detail=detail, status_code=400, extra=extra)


def defect_rows(error: RulesetError, lang: str, *, by_label: bool = False) -> list[DefectRow]:
    rows: list[DefectRow] = []
    for defect in error.defects:
        text = (with_labels(defect.message, lang) if by_label else defect.message).text(lang)
        rows.append(
            DefectRow(
                option=defect.path,
                problem=text.message,
                remedy=text.remedy,
                line=defect.line,
                code=defect.code,
                facts=defect.facts,
            )
        )
    return rows


# -- the call ------------------------------------------------------------------------------------------------


class Call:
    """A request, with the services that answer it."""

    def __init__(self, request: AnyRequest, services: Services) -> None:
        self.request = request
        self.services = services

    @property
    def token(self) -> str:
        return token_of(self.request.scope)

    @property
    def home(self) -> str:
        return home_of(self.request.scope)

    @property
    def address(self) -> str:
        return address_of(self.request.scope)

    def language(self, requested: str | None = None) -> str:
        return language_of(self.request, requested)

    async def visitor(self) -> Player | None:
        """Return the player who sent the request; `None` without a session."""
        return await self.services.player_of(self.request.scope)

    async def player(self) -> Player:
        """Return the player who sent the request; raise 401 without a session."""
        player = await self.visitor()
        if player is None:
            raise api_error(401, "UNKNOWN_PERSON")
        return player

    def check_rate(self, name: str, key: str, reason: str = "TOO_FAST", count: int = 1) -> None:
        """Count a request of an address or a player; raise 429 above the limit of this name."""
        if not self.services.limits.take(name, key, count):
            raise api_error(429, reason)


TheCall = NamedDependency[Call]
