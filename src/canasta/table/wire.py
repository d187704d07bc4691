"""What the server sends over the wire; `wire_commands` has what clients send. Cards and moves travel in our
notation: `Kh`, `meld K K K`.

A viewer receives a `Welcome` with what does not change, then a `TableState` whenever something happened: the
whole table as this viewer may see it, with the events that led there. A client draws the state and uses the
events for movement and words only, so a missed message can never leave it with a wrong table.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from canasta.rules.fields import Value
from canasta.table.fair_wire import CutView, DealView, FairView

PHRASES = tuple("hello good_luck well_played thanks sorry nice_canasta one_moment oops goodbye".split())
"""What can be said at the table; clients show it in their own language."""


Phase = Literal["none", "draw", "play", "answer", "over"]
"""Of a hand; `none` while nothing is dealt."""


class WhyNot(Struct, kw_only=True):
    """Why a move is refused."""

    clause: str
    message: str
    also: list[str] = field(default_factory=list)
    facts: dict[str, int | str] = field(default_factory=dict)
    remedy: str = ""
    reason: str = ""
    """The stable name of the text, for translation: `FROZEN`."""


class Happened(Struct, kw_only=True, omit_defaults=True):
    """One event, as this viewer may see it. `what` is the name of the engine's event in snake case:
    `drew`, `bonus_laid`, `pile_taken`, `top_card_taken`, `cards_melded`, `canasta_made`, `discarded`,
    `card_kept`, `passed`, `caliente_played`, `asked`, `answered`, `pile_put_back`, `meld_taken_back`,
    `foot_picked_up`, `pot_taken`, `talon_dealt`, `talon_picked_up`, `special_laid`, `discarded_face_down`,
    `hand_ended`;
    and the table's own: `cut`, `dealt`, `sat_down`, `left`, `came_back`,
    `will_join`, `will_not_join`, `said`, `game_over`, `time_ran_out`, and `hurried` where a computer player
    took too long and the move that follows is a simple one, made for it."""

    what: str
    seat: int = -1
    count: int = 0
    cards: list[str] = field(default_factory=list)
    """For `pile_taken` the whole pile, top card last, and for others the top card alone; for `drew` and
    `foot_picked_up` and `pot_taken` empty for others."""
    meld: str = ""
    """Name of the meld: `K`, `K#2`, `W`, `run#1`."""
    started: bool = False
    froze: bool = False
    """For `discarded`: the card freezes the pile, which was not frozen before."""
    canasta: str = ""
    """`natural`, `mixed`, `wild`, `samba`"""
    yes: bool = False
    partner: int = -1
    phrase: str = ""
    """What was said; for `special_laid` the name of the special hand; for `hand_ended` that one ended it."""
    text: str = ""
    """The event in a sentence, in English, without the player's name: `took the pile, 5 cards`."""


class MeldView(Struct, kw_only=True):
    name: str
    cards: list[str]
    """In the order laid; a sequence from low to high."""
    canasta: str = ""
    points: int = 0
    """Of its cards, without canasta bonuses."""
    full: bool = False
    """Nothing can be added any more."""
    grade: str = ""
    """Of a canasta, where the rules tell `clean`, `semi_clean` and `dirty` ones apart."""
    wild: int = -1
    """Where the wild card of a long sequence lies among `cards`; -1: it has none."""
    stands_for: str = ""
    """The card in whose place it lies."""


class Progress(Struct, kw_only=True):
    """Canastas that a side needs to go out: of one kind, or `canasta` for any."""

    kind: str
    have: int
    needed: int


class SideView(Struct, kw_only=True):
    seats: list[int]
    score: int
    """Before this hand."""
    points_now: int
    """Worth of what lies on the table, canastas and bonus cards included; cards in hand are not counted."""
    melds: list[MeldView]
    bonus: list[str]
    """Red threes laid out."""
    minimum: int
    """What the first meld must be worth; 0 once the side has melded, or where none applies."""
    opened: bool
    caliente_played: int = 0
    pot_taken: bool = False
    """Where there are pots: a player of the side has taken one."""
    progress: list[Progress] = []
    """Towards going out; empty where no canasta is asked for."""
    unfinished: list[str] = []
    """Names of melds that must be canastas before the side goes out."""
    closed: list[str] = []
    """Ranks that the side cannot meld any more because they are a canasta somewhere; `W` for wild cards."""


class SeatView(Struct, kw_only=True):
    seat: int
    side: int
    name: str
    who: Literal["person", "bot", "free"]
    level: str = ""
    """The computer player that sits there, or stands in."""
    connected: bool = True
    away: bool = False
    """A person's seat that a computer player keeps until they come back."""
    cards: int = 0
    foot: int = 0
    """Cards of the foot that still waits."""
    talon: int = 0
    """Cards for opening that come into the hand with the next turn."""
    sits_out: bool = False
    ready: bool = False
    """For the next hand."""
    host: bool = False
    account: bool = False
    """The name is that of an account, and its owner sits there."""
    joins: str = ""
    """Who has the seat from the next deal on; until then they watch."""
    face: str = ""
    """The portrait; empty: any."""
    same_address: bool = False
    """Somebody on another seat comes from the same network address."""
    open: bool = False
    """Can be taken; in a game also the seat of somebody who is away, from the next deal on."""
    shows: list[str] = field(default_factory=list)
    """Its cards, where they lie open: in a replay, and when the hand is over."""


class PileView(Struct, kw_only=True):
    cards: list[str]
    """Bottom to top. Where the pile may not be looked through (`look_through` of the game), a card under the
    top one is an empty text unless it lies crosswise and freezes the pile; so is a last card laid face
    down."""
    frozen: bool
    stopped: bool
    """Its top card keeps it from being taken for one turn."""


class TakeChoice(Struct, kw_only=True):
    """A way to take the pile."""

    move: str
    cards: list[str] = field(default_factory=list)
    """From the hand."""
    onto: str = ""
    """The meld that the top card goes onto."""
    short: int = 0
    """Points that the first meld still lacks: more melds must be laid in the same move."""
    counted: int = 0
    """Points that this take alone counts towards the minimum."""
    lacks: str = ""
    """What else the first meld lacks without more melds: the `reason` of a refusal, `NO_PURE_MELD`."""


class Barred(Struct, kw_only=True):
    """Cards of the hand that may not be discarded now, all for one reason."""

    cards: list[str]
    why: WhyNot


class YourView(Struct, kw_only=True):
    """What only the viewer sees and may do."""

    seat: int
    cards: list[str]
    turn: bool
    """The viewer is to act."""
    can: list[str] = field(default_factory=list)
    """Moves without cards that are allowed now: `draw`, `pass`, `keep`, `caliente`, `ask`, `putback`, `undo`,
    `answer yes`, `answer no`, `lay 3r` or `lay 3b` where threes are laid by hand, `special straight` where
    the whole hand is one. `ask` is offered where going out could be reached in this turn, though the rules
    allow it elsewhere too."""
    takes: list[TakeChoice] = field(default_factory=list)
    no_take: WhyNot | None = None
    """Why the pile cannot be taken, when it cannot."""
    can_discard: bool = False
    barred: list[Barred] = []
    talon: list[str] = []
    """The cards that wait for the next turn."""
    laid_points: int = 0
    """Counted so far towards an unfinished first meld."""


class SheetView(Struct, kw_only=True):
    """The points of one hand by side."""

    hand: int
    lines: list[dict[str, int]]
    """By side: `{"melded_cards": 390, …}`; lines that are zero for all are left out."""
    totals: list[int]
    """Points of this hand by side."""
    scores: list[int]
    """After this hand."""
    out: int = -1
    """The seat that went out; -1: the stock ended the hand, or a special hand did."""
    special: str = ""
    """The special hand that ended it."""
    special_by: int = -1
    """Who laid it down."""
    special_cards: list[str] = []
    victory: list[int] = []
    """By side, at the end of a game that is counted in victory points."""


class ClockView(Struct, kw_only=True):
    seat: int
    left: float
    """Seconds until a computer player moves for them."""


class GameView(Struct, kw_only=True):
    """What does not change in a game."""

    rules: str
    title: str
    titles: dict[str, str] = {}
    """The title in other languages."""
    players: int
    options: dict[str, Value]
    house_rules: list[str]
    """Options that differ from the preset, in words."""
    target: int
    """0 where a number of rounds is played."""
    rounds: int
    caliente_names: bool
    """Jokers, twos and threes have the names and pictures of the Caliente family."""
    values: dict[str, int]
    """What a card counts in a meld, by the text of its rank: `{"K": 10, "2": 20, "Jo": 50, "3b": 5, …}`."""
    canasta_size: int
    runs: bool
    long_runs: bool = False
    """Sequences may hold a wild card and go on beyond a canasta."""
    same_suit_runs: bool
    sets: bool = True
    """Sets of any rank may be laid."""
    wild_melds: bool
    has_foot: bool
    pots: int = 0
    """How many pots there are."""
    threes: Literal["special", "bonus", "natural"] = "special"
    takes: Literal["meld_top", "free", "use_top"] = "meld_top"
    """How the pile is taken: its top card is melded with cards of its rank, nothing is asked, or it is used
    in any meld."""
    stock_floor: int = 0
    """Cards of the stock that are never drawn."""
    talon: list[int] = []
    """Cards for the side that opens first, second."""
    talon_floor: int = 0
    """With fewer cards in the stock there is no talon."""
    pure_meld: bool = False
    """A first meld needs a meld without wild cards among the others."""
    caliente_cards: bool
    draw_count: int
    undo: bool
    look_through: bool
    """The pile may be looked through; else it is squared off."""
    top_card_counts: bool
    deal: DealView


class Welcome(Struct, tag="welcome", tag_field="t", kw_only=True):
    table: str
    link: str
    """Path of the page to share."""
    public: bool
    you: str
    """The viewer's own name."""
    game: GameView
    clock: int
    """Seconds a turn; 0: no clock."""
    spectators: bool
    levels: list[str]
    one_seat: bool = False
    """People of one network address get one seat between them."""
    day: str = ""
    """The table has the cards of this day, `2026-11-16`; empty for all others."""
    counts: bool = False
    """… and it is the one try that counts."""


class AgainView(Struct, kw_only=True):
    """Who wants another game."""

    yes: list[int]
    """Their seats."""
    next: str = ""
    """The table at which they go on, once it is open."""


class EveningRow(Struct, kw_only=True):
    """How somebody has fared in the games of an evening."""

    name: str
    seat: int
    """At this table; -1: they are not there any more."""
    games: int
    won: int
    points: int


class GoalView(Struct, kw_only=True):
    """What is to be done at a table for practice: `meld K 4`, `canasta natural`, `out`."""

    goal: str
    reached: bool


class PracticeView(Struct, kw_only=True):
    """What a table with cards that were laid out is for."""

    thing: str
    """`lesson:frozen:2`"""
    goals: list[GoalView]
    """Empty where one may play as one likes."""
    done: bool = False
    lost: bool = False
    """The goals cannot be reached any more, or the turns for them are over."""


class TableState(Struct, tag="state", tag_field="t", kw_only=True):
    """The whole table as one viewer sees it."""

    state: int
    """Rises by one or more with everything that happens."""
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatView]
    sides: list[SideView]
    host: bool
    """The viewer is the host of the table."""
    seat: int = -1
    """The viewer's own seat, also while waiting or sitting out; -1 for a spectator."""
    joins: int = -1
    """The seat that the viewer has from the next deal on; -1 for none."""
    hand: int = 0
    dealer: int = -1
    phase: Phase = "none"
    turn: int = -1
    asked: int = -1
    """The seat that asked its partner, while the question waits."""
    stock: int = 0
    pots: list[int] = []
    """The sizes of the pots that nobody has taken."""
    pile: PileView | None = None
    you: YourView | None = None
    """None for a spectator, and for a player who sits out this hand."""
    events: list[Happened] = field(default_factory=list)
    """What led here from the state before; empty after (re)connecting."""
    log: list[Happened] = field(default_factory=list)
    """What has happened in this hand so far, in the first state after (re)connecting alone."""
    sheet: SheetView | None = None
    """Of the hand that has just ended."""
    history: list[list[int]] = field(default_factory=list)
    """Scores by side after each hand that is over."""
    winner: int = -1
    """The winning side; -2 for a draw."""
    watching: int = 0
    clock: ClockView | None = None
    fair: FairView | None = None
    cut: CutView | None = None
    """From the cut to the end of the first hand."""
    again: AgainView | None = None
    """When the game is over."""
    evening: list[EveningRow] = []
    """Before the first deal and when the game is over: what came of the games that these people have played
    one after the other, this one included once it is over. The most games won first."""
    practice: PracticeView | None = None
    """The cards were laid out, not dealt."""


class Done(Struct, tag="done", tag_field="t", kw_only=True):
    """The command was carried out; for a move: it is in the log, and `state` is the state after it."""

    id: str
    state: int


class Refused(Struct, tag="refused", tag_field="t", kw_only=True):
    """The command changed nothing."""

    id: str
    state: int
    why: WhyNot
    stale: bool = False
    """The table had moved on when the command came."""


class Checked(Struct, tag="checked", tag_field="t", kw_only=True):
    id: str
    why: WhyNot | None
    melds: list[MeldView] = []
    """Where sequences are long: the melds that the move would start or change, as they would lie then."""


class Because(Struct, kw_only=True):
    """One sentence of a reason, for translation: a code, `stands_alone`, and its facts."""

    code: str
    facts: dict[str, int | str] = field(default_factory=dict)


class HintView(Struct, kw_only=True):
    move: str
    text: str
    """The reasons in English."""
    numbers: dict[str, float] = field(default_factory=dict)
    reasons: list[Because] = field(default_factory=list)


class Hints(Struct, tag="hints", tag_field="t", kw_only=True):
    id: str
    hints: list[HintView]


class Problem(Struct, tag="error", tag_field="t", kw_only=True):
    """The message could not be understood or not be served. `code`: `bad_message`, `too_long`, `too_fast`,
    `busy`, `unknown_table`, `not_allowed`, `server_error`."""

    code: str
    message: str
    """In English."""
    id: str | UnsetType = UNSET
    reason: str = ""
    """A message of the part `problems`, for who says it in another language, and its facts."""
    facts: dict[str, int | str] = field(default_factory=dict)


AnyFrame = Welcome | TableState | Done | Refused | Checked | Hints | Problem
