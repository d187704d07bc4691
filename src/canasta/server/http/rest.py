"""What the REST calls take and answer, and what they share."""

from typing import Annotated, Any, Final

from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Meta, Struct, field

from canasta.rules import RulesetError
from canasta.rules.written import MOST_BYTES
from canasta.server.people.sessions import Player
from canasta.server.services import Services, address_of, home_of, token_of
from canasta.table.log import Option
from canasta.table.wire import SheetView
from canasta.words import UnknownLanguage, best_language, language_of_header, languages

AnyRequest = Request[Any, Any, Any]
TheServices = NamedDependency[Services]
Name = Annotated[str, Meta(max_length=200, description="1 to 24 characters are used.")]
Password = Annotated[str, Meta(max_length=1000, description="8 to 128 characters.")]
Players = Annotated[int, Meta(ge=2, le=6)]
Options = Annotated[dict[str, Option], Meta(max_length=200, description="By name; there are fewer than 200.")]

LONGEST_CLOCK: Final = 3600


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


# -- health and people ---------------------------------------------------------------------------------------


class Health(Struct, kw_only=True):
    status: str
    version: str
    tables: int
    """Tables in memory."""
    uptime: float
    """Seconds."""


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
    """Of an account; a guest has none."""


class SessionView(Struct, kw_only=True):
    """A browser or a program that is logged in."""

    id: str
    device: str
    """`Firefox, Linux`; empty where nothing is known."""
    begun: float
    """Seconds ago."""
    used: float
    """Seconds ago, to the hour."""
    current: bool
    """The one that asks."""


class ExportedTable(Struct, kw_only=True):
    id: str
    opened: str
    updated: str
    status: str
    record: str
    """Where the hands that are over can be had."""


class Export(Struct, kw_only=True):
    """Everything that is kept about somebody."""

    name: str
    account: bool
    since: str
    """The day, and the time in UTC."""
    sessions: list[SessionView]
    tables: list[ExportedTable]


# -- games ---------------------------------------------------------------------------------------------------


class Game(Struct, kw_only=True):
    name: str
    title: str
    titles: dict[str, str]
    """By language, where it is not the English one."""
    family: str
    """What kind of Canasta it is."""
    booklet: str
    players: list[int]
    """Numbers of players."""
    default_players: int
    target: int
    """0 where a number of rounds is played."""
    rounds: int
    decks: int
    summary: str
    summaries: dict[str, str]
    """By language."""


class OptionForm(Struct, kw_only=True):
    """One choice of the new-table form."""

    name: str
    label: str
    meaning: str
    clauses: list[str]
    kind: str
    value: Option
    """As the preset has it."""
    low: int
    high: int
    choices: list[list[str]]
    """Pairs of value and words."""
    zero: str
    """What 0 means."""


class DifferenceRow(Struct, kw_only=True):
    clause: str
    label: str
    left: str
    right: str


class Differences(Struct, kw_only=True):
    title: str
    """Of the game on the left."""
    rows: list[DifferenceRow]


class GameForm(Game, kw_only=True):
    options: list[OptionForm]
    differences_from: Differences


class Wanted(Struct, kw_only=True, forbid_unknown_fields=True):
    players: Players | None = None
    options: Options = field(default_factory=dict)


class DefectRow(Struct, kw_only=True):
    option: str
    problem: str
    remedy: str
    line: int = 0
    """Of a file of rules."""


class Preview(Struct, kw_only=True):
    ok: bool
    defects: list[DefectRow]
    house_rules: list[str]
    differences: list[DifferenceRow]
    """From the preset, on the left."""


class RulesText(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of house rules, as `canasta rules NAME --save FILE` writes it."""

    text: Annotated[str, Meta(max_length=MOST_BYTES)]


class ReadRules(Struct, kw_only=True):
    """What a file of house rules says, in the names of the new-table form."""

    ok: bool
    defects: list[DefectRow]
    rules: str
    """The game that it is based on."""
    title: str
    players: int
    options: dict[str, Option]


class SheetLine(Struct, kw_only=True):
    clause: str
    text: str


class SheetSection(Struct, kw_only=True):
    title: str
    lines: list[SheetLine]


class Rules(Struct, kw_only=True):
    """A rule sheet."""

    title: str
    subtitle: str
    language: str
    house_rules: list[str]
    """What the table changed."""
    sections: list[SheetSection]


class ClauseText(Struct, kw_only=True):
    id: str
    title: str
    text: str
    readings: list[str]


# -- tables --------------------------------------------------------------------------------------------------


class NewTable(Struct, kw_only=True, forbid_unknown_fields=True):
    rules: Annotated[str, Meta(max_length=100)] = "caliente"
    players: Players | None = None
    options: Options = field(default_factory=dict)
    public: bool = False
    bots: Annotated[str, Meta(max_length=100, description="Level of the computer players on free seats.")] = (
        "club"
    )
    clock: Annotated[int, Meta(ge=0, le=LONGEST_CLOCK, description="Seconds a turn; 0: no clock.")] = 0
    spectators: bool = True
    """False: once the cards are dealt, nobody comes in who has no seat."""
    one_seat: bool | None = None
    """People of one network address get one seat between them. Left out: only at a public table."""
    start: bool = False
    """Begin at once, with computer players on all other seats."""


class OpenedTable(Struct, kw_only=True):
    id: str
    link: str


class TableRow(Struct, kw_only=True):
    id: str
    title: str
    rules: str
    players: int
    seats: list[str]
    """Names; empty for a free seat."""
    free: int
    """Seats that a person can take."""
    status: str
    hand: int
    scores: list[int]
    watching: int
    clock: int


class Scores(Struct, kw_only=True):
    history: list[list[int]]
    """By side, after each hand that is over."""
    sheets: list[SheetView]


# -- shared --------------------------------------------------------------------------------------------------


def mistake(status: int, detail: str, extra: Any = None) -> HTTPException:
    return HTTPException(detail=detail, status_code=status, extra=extra)


def bad_rules(error: RulesetError) -> HTTPException:
    """Every defect at once."""
    extra = {"defects": [{"option": row.option, "problem": row.problem, "remedy": row.remedy}
                         for row in defect_rows(error)]}  # fmt: skip
    return mistake(400, "; ".join(str(defect) for defect in error.defects)[:1000], extra)


def defect_rows(error: RulesetError) -> list[DefectRow]:
    return [
        DefectRow(option=defect.path, problem=defect.problem, remedy=defect.remedy, line=defect.line)
        for defect in error.defects
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
