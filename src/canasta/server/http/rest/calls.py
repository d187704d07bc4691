"""What all REST calls share: who asks, in which language, and what a mistake looks like."""

import gzip
from typing import Annotated, Any, Final

import msgspec
from litestar import MediaType, Request, Response
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Struct, field

from canasta.engine.moves.refusals import Facts
from canasta.notation.errors import short
from canasta.rules import RulesetError
from canasta.server.http.rest.messages import DefectRow
from canasta.server.people.sessions import Player
from canasta.server.services import Services, address_of, home_of, token_of
from canasta.table.problems import Unusable
from canasta.table.wire import Refused
from canasta.words import (
    UnknownLanguage,
    Voice,
    best_language,
    language_of_header,
    languages,
    say,
    tell_reason,
)
from canasta.words.defects import defect_line, tell_defect

AnyRequest = Request[Any, Any, Any]
TheServices = NamedDependency[Services]


class Mistake(Struct, kw_only=True):
    """Every error looks like this."""

    status_code: int
    detail: str
    """What happened and what to do next, in the language of the request."""
    extra: Any = None
    reason: str = ""
    """What is wrong, for a program that says it in its own words, and the facts of that."""
    facts: dict[str, int | str] = field(default_factory=dict)


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


def takes_small(request: AnyRequest) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def packed(answer: object, *, small: bool) -> bytes:
    """A long answer as it travels."""
    text = msgspec.json.encode(answer)
    return gzip.compress(text, 5, mtime=0) if small else text


def sent(answer: bytes, *, small: bool, vary: str = "Accept-Encoding") -> Response[Any]:
    """Bytes travel as they are: what the call says that it answers is for the description of it."""
    headers = {"Vary": vary, **({"Content-Encoding": "gzip"} if small else {})}
    return Response(answer, headers=headers, media_type=MediaType.JSON)


def language_of(request: AnyRequest, asked: str | None) -> str:
    """The language of an answer; one that there is not is told."""
    try:
        return (
            best_language(asked) if asked else language_of_header(request.headers.get("accept-language", ""))
        )
    except UnknownLanguage as error:
        raise mistake(400, "NO_SUCH_LANGUAGE", {"text": short(asked or ""), "choices": error.known}) from None


class OurMistake(HTTPException):
    """What we refuse ourselves: a message of the part `problems`, told in the language of the request."""

    def __init__(self, status: int, reason: str, facts: Facts) -> None:
        super().__init__(detail=say(f"problems.{reason}", facts), status_code=status)
        self.reason = reason
        self.facts = facts

    def told(self, lang: str) -> str:
        return say(f"problems.{self.reason}", self.facts, lang)


class Refusal(OurMistake):
    """What a table refuses, in its own words."""

    def __init__(self, refused: Refused) -> None:
        HTTPException.__init__(self, detail=refused.why.message, status_code=409)
        self.reason = refused.why.reason
        self.facts = refused.why.facts

    def told(self, lang: str) -> str:
        return str(tell_reason(self.reason, self.facts, Voice(lang)))


def mistake(status: int, reason: str, facts: Facts | None = None) -> OurMistake:
    return OurMistake(status, reason, facts or {})


def unusable(status: int, problem: Unusable) -> OurMistake:
    """The mistake of whoever gave something that cannot be used."""
    return OurMistake(status, problem.reason, problem.facts)


def bad_rules(error: RulesetError, lang: str) -> HTTPException:
    """Every defect at once."""
    extra = {"defects": [{"option": row.option, "problem": row.problem, "remedy": row.remedy}
                         for row in defect_rows(error, lang)]}  # fmt: skip
    detail = " ".join(defect_line(defect, lang) for defect in error.defects)[:1000]
    return HTTPException(detail=detail, status_code=400, extra=extra)


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
        raise mistake(401, "UNKNOWN_PERSON")
    return player


def token(request: AnyRequest) -> str:
    return token_of(request.scope)


def home(request: AnyRequest) -> str:
    return home_of(request.scope)


def address(request: AnyRequest) -> str:
    return address_of(request.scope)
