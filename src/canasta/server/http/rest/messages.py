"""What the REST calls take and answer."""

from typing import Annotated, Final

from msgspec import Meta, Struct, field

from canasta.rules.written import MOST_BYTES
from canasta.table.log import Option
from canasta.table.wire import GameView, MeldView, PileView, SheetView

Name = Annotated[str, Meta(max_length=200, description="1 to 24 characters are used.")]
Password = Annotated[str, Meta(max_length=1000, description="8 to 128 characters.")]
Players = Annotated[int, Meta(ge=2, le=6)]
Options = Annotated[dict[str, Option], Meta(max_length=200, description="By name; there are fewer than 200.")]
LONGEST_CLOCK: Final = 3600


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
    """As the ways were shown, from 0 on."""
    right: bool
    rating: float
    """The solver's after it."""


class ExportedDay(Struct, kw_only=True):
    """A try of the deal of a day."""

    date: str
    table: str
    points: int | None


class Export(Struct, kw_only=True):
    """Everything that is kept about somebody."""

    name: str
    account: bool
    since: str
    """The day, and the time in UTC."""
    sessions: list[SessionView]
    tables: list[ExportedTable]
    """Those that know the name: where they have had a seat, or stand in the tally of an evening."""
    games: list[ExportedGame]
    puzzles: list[ExportedAnswer]
    """In the order of the answers."""
    days: list[ExportedDay]
    notices: list[str]
    """The push services, by their addresses, that tell of a turn when the page is closed."""
    done: dict[str, str]
    """Lessons and the like, with the day."""


# -- games ---------------------------------------------------------------------------------------------------


class Game(Struct, kw_only=True):
    name: str
    title: str
    titles: dict[str, str]
    """By language, where it is not the English one."""
    family: str
    """What kind of Canasta it is."""
    families: dict[str, str]
    """By language, where it is not the English one."""
    names: str
    """All that it is called, in every language, in small letters without accents: to be searched."""
    booklet: str
    players: list[int]
    """Numbers of players."""
    default_players: int
    target: int
    """0 where a number of rounds is played."""
    rounds: int
    decks: int
    sequences: bool
    """Cards in sequence are melds too."""
    second_hand: bool
    """A second hand waits for each player, or for each side."""
    summary: str
    summaries: dict[str, str]
    """By language."""


class OptionForm(Struct, kw_only=True):
    """One choice of the new-table form."""

    name: str
    label: str
    meaning: str
    group: str
    """The part of the rules that it belongs to, in words."""
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
    code: str = ""
    """What is wrong, for a program that says it in its own words."""
    facts: dict[str, int | str] = field(default_factory=dict)


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


class SheetPicture(Struct, kw_only=True):
    """Cards that show what a section says; some of these lie side by side."""

    caption: str
    cards: list[str]
    melds: list[MeldView]
    pile: PileView | None
    packets: list[int]
    """How many cards lie face down in each."""


class SheetSection(Struct, kw_only=True):
    title: str
    lines: list[SheetLine]
    pictures: list[SheetPicture]


class Rules(Struct, kw_only=True):
    """A rule sheet."""

    title: str
    subtitle: str
    language: str
    house_rules: list[str]
    """What the table changed."""
    game: GameView
    """What the pictures are drawn by."""
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
    next: str = ""
    """The table at which the people of a game that is over go on."""


class Carried(Struct, kw_only=True):
    """An order was carried out."""

    state: int
    """The number of the state after it."""


class Scores(Struct, kw_only=True):
    history: list[list[int]]
    """By side, after each hand that is over."""
    sheets: list[SheetView]
