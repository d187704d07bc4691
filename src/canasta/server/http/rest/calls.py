"""What all REST calls share: who asks, in which language, and what a mistake looks like."""

from typing import Annotated, Any, Final

from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Struct

from canasta.rules import RulesetError
from canasta.server.http.rest.messages import DefectRow
from canasta.server.people.sessions import Player
from canasta.server.services import Services, address_of, home_of, token_of
from canasta.words import UnknownLanguage, best_language, language_of_header, languages
from canasta.words.defects import defect_line, tell_defect

AnyRequest = Request[Any, Any, Any]
TheServices = NamedDependency[Services]


class Mistake(Struct, kw_only=True):
    """Every error looks like this."""

    status_code: int
    detail: str
    """What happened and what to do next."""
    extra: Any = None


_WORDS: Final = {
    400: "Something in the request is wrong.",
    401: "No session: POST /api/guests first.",
    403: "Not allowed, or the request came from another site.",
    404: "There is no such thing.",
    409: "Somebody else has it.",
    413: "The request is too large.",
    429: "Too many requests: wait a moment.",
    503: "The database cannot be used now.",
}


def mistakes(*codes: int) -> dict[int, ResponseSpec]:
    """The errors of a call, for its description."""
    return {code: ResponseSpec(Mistake, description=_WORDS[code]) for code in (*codes, 429, 503)}


# -- the language of an answer -------------------------------------------------------------------------------

Lang = Annotated[
    str | None,
    QueryParameter(
        max_length=35, description=f"{', '.join(languages())}; without it as Accept-Language says."
    ),
]
SPEAKS: Final = {"Vary": "Accept-Language"}
"""Of answers in a language."""


def language_of(request: AnyRequest, asked: str | None) -> str:
    """The language of an answer; one that there is not is told."""
    try:
        return (
            best_language(asked) if asked else language_of_header(request.headers.get("accept-language", ""))
        )
    except UnknownLanguage as error:
        raise mistake(400, str(error)) from None


def mistake(status: int, detail: str, extra: Any = None) -> HTTPException:
    return HTTPException(detail=detail, status_code=status, extra=extra)


def bad_rules(error: RulesetError, lang: str) -> HTTPException:
    """Every defect at once."""
    extra = {"defects": [{"option": row.option, "problem": row.problem, "remedy": row.remedy}
                         for row in defect_rows(error, lang)]}  # fmt: skip
    return mistake(400, " ".join(defect_line(defect, lang) for defect in error.defects)[:1000], extra)


def defect_rows(error: RulesetError, lang: str, *, by_label: bool = False) -> list[DefectRow]:
    told = [(defect, tell_defect(defect, lang, by_label=by_label)) for defect in error.defects]
    return [
        DefectRow(
            option=defect.path,
            problem=said.message,
            remedy=said.remedy,
            line=defect.line,
            code=defect.code,
            facts=defect.facts,
        )
        for defect, said in told
    ]


async def player_of(request: AnyRequest, services: Services) -> Player:
    """Whoever asks; 401 for somebody without a session."""
    player = await services.player_of(request.scope)
    if player is None:
        raise mistake(401, "The server does not know you yet. Begin with POST /api/guests.")
    return player


def token(request: AnyRequest) -> str:
    return token_of(request.scope)


def home(request: AnyRequest) -> str:
    return home_of(request.scope)


def address(request: AnyRequest) -> str:
    return address_of(request.scope)
