"""Bodies of REST requests and responses."""

from typing import Annotated, Final

from msgspec import Meta, Struct, field

from canasta.rules.preset_files import MOST_BYTES
from canasta.table.log import Option
from canasta.table.wire import GameView, MeldView, PileView, SheetView

Name = Annotated[str, Meta(max_length=200, description="Use 1 to 24 characters.")]
Password = Annotated[str, Meta(max_length=1000, description="8 to 128 characters.")]
Players = Annotated[int, Meta(ge=2, le=6)]
Options = Annotated[
    dict[str, Option], Meta(max_length=200, description="Option values by name, at most 200.")
]
LONGEST_CLOCK: Final = 3600


# -- health and accounts -------------------------------------------------------------------------------------


class Health(Struct, kw_only=True):
    status: str
    version: str
    tables: int
    """Number of tables in memory."""
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
    """Required for an account; guests have none."""


class SessionView(Struct, kw_only=True):
    """A browser or program that is signed in."""

    id: str
    device: str
    """Such as `Firefox, Linux`; empty if unknown."""
    begun: float
    """Age of the session, in seconds."""
    used: float
    """Seconds since the last use, to the hour."""
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
    """Tables at which the player has had a seat or is named in the session's tally."""
    games: list[ExportedGame]
    puzzles: list[ExportedAnswer]
    """Oldest answer first."""
    days: list[ExportedDay]
    notices: list[str]
    """Addresses of the push services that send turn alerts."""
    done: dict[str, str]
    """Completed lessons and similar items, with the date of each."""


# -- games ---------------------------------------------------------------------------------------------------


class GameInfo(Struct, kw_only=True):
    name: str
    title: str
    titles: dict[str, str]
    """Translations that differ from English, by language."""
    family: str
    """The kind of Canasta."""
    families: dict[str, str]
    """Translations that differ from English, by language."""
    names: str
    """All names in every language, in lower case and without accents, for searching."""
    booklet: str
    players: list[int]
    """Supported numbers of players."""
    default_players: int
    target: int
    """Target score; 0 if the game lasts a number of rounds."""
    rounds: int
    decks: int
    sequences: bool
    """True if sequences are valid melds."""
    second_hand: bool
    """True if each player, or each side, has a second hand (a foot or pot)."""
    summary: str
    summaries: dict[str, str]
    """By language."""


class OptionForm(Struct, kw_only=True):
    """One choice of the new-table form."""

    name: str
    label: str
    meaning: str
    group: str
    """Title of the section of the rules."""
    clauses: list[str]
    kind: str
    value: Option
    """The preset's value."""
    low: int
    high: int
    choices: list[list[str]]
    """Pairs of value and label."""
    zero: str
    """Meaning of the value 0."""


class DifferenceRow(Struct, kw_only=True):
    clause: str
    label: str
    left: str
    right: str


class Differences(Struct, kw_only=True):
    title: str
    """Title of the game on the left."""
    rows: list[DifferenceRow]


class GameForm(GameInfo, kw_only=True):
    options: list[OptionForm]
    differences_from: Differences


class GameChoice(Struct, kw_only=True, forbid_unknown_fields=True):
    players: Players | None = None
    options: Options = field(default_factory=dict)


class DefectRow(Struct, kw_only=True):
    option: str
    problem: str
    remedy: str
    line: int = 0
    """Line in a rules file; 0 if not applicable."""
    code: str = ""
    """A machine-readable code, for clients with error messages of their own."""
    facts: dict[str, int | str] = field(default_factory=dict)


class Preview(Struct, kw_only=True):
    ok: bool
    defects: list[DefectRow]
    house_rules: list[str]
    differences: list[DifferenceRow]
    """Differences from the preset, which is on the left."""


class RulesText(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of house rules, as `canasta rules NAME --save FILE` writes it."""

    text: Annotated[str, Meta(max_length=MOST_BYTES)]


class ReadRules(Struct, kw_only=True):
    """A parsed file of house rules, in the option names of the new-table form."""

    ok: bool
    defects: list[DefectRow]
    rules: str
    """The preset that the file is based on."""
    title: str
    players: int
    options: dict[str, Option]


class SheetLineView(Struct, kw_only=True):
    clause: str
    text: str


class SheetPicture(Struct, kw_only=True):
    """Cards that illustrate a section of the rules."""

    caption: str
    cards: list[str]
    melds: list[MeldView]
    pile: PileView | None
    packets: list[int]
    """Number of face-down cards in each packet."""


class SheetSectionView(Struct, kw_only=True):
    title: str
    lines: list[SheetLineView]
    pictures: list[SheetPicture]


class RuleSheetView(Struct, kw_only=True):
    """A rule sheet."""

    title: str
    subtitle: str
    language: str
    house_rules: list[str]
    """Options that differ from the preset."""
    game: GameView
    """Game facts needed to draw the pictures."""
    sections: list[SheetSectionView]


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
    bots: Annotated[str, Meta(max_length=100, description="Level of the computer players in free seats.")] = (
        "club"
    )
    clock: (
        Annotated[int, Meta(ge=0, le=LONGEST_CLOCK, description="Seconds per turn; 0: no clock.")] | None
    ) = None
    """`None`: 60 at a public table, otherwise no clock."""
    spectators: bool = True
    """False: once the game starts, only seated players may enter."""
    one_seat: bool | None = None
    """Allow only one seat per network address. Default: only at a public table."""
    start: bool = False
    """Start at once, with computer players in all other seats."""


class OpenedTable(Struct, kw_only=True):
    id: str
    link: str


class TableListing(Struct, kw_only=True):
    id: str
    title: str
    rules: str
    players: int
    seats: list[str]
    """Names by seat; empty for a free seat."""
    free: int
    """Number of seats that a person can take."""
    status: str
    hand: int
    scores: list[int]
    watching: int
    clock: int
    next: str = ""
    """The table where the players continue after this game; empty if there isn't one."""


class CommandDone(Struct, kw_only=True):
    """The answer to a command that succeeded."""

    state: int
    """Number of the table's state after the command."""


class Scores(Struct, kw_only=True):
    history: list[list[int]]
    """Scores by side after each finished hand."""
    sheets: list[SheetView]
