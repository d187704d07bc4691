"""Messages from the server to clients; `wire_commands` contains those from clients.

Cards and moves are in our notation: `Kh`, `meld K K K`. A viewer receives a `Welcome` with everything that
doesn't change during a game, then a `TableState` after every change: the whole table as this viewer may see
it, with the events since the last state. A client draws the state and uses the events only for animation and
text, so a missed message never leaves it with a wrong table.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from canasta.rules.field_types import Value

# -- fair cards --------------------------------------------------------------------------------------------


class FairPart(Struct, kw_only=True, omit_defaults=True):
    """One seat's contribution to a seed round."""

    seat: int
    commitment: str
    seed: str = ""
    """Shown when the hand is over, the players have cut, or the round is void."""


class FairRoundView(Struct, kw_only=True):
    """A round of seeds (see `docs/fair-cards`)."""

    hand: int
    """0 for the cut."""
    round: int
    commitment: str
    """The server's commitment."""
    seats: list[FairPart] = field(default_factory=list)
    """The commitments so far, or the closed list. For the hand in play, they are shown when the hand is
    over."""
    asked: bool = False
    """Whether the deal has been requested."""
    closed: bool = False
    """Whether the list is closed, so that the players in it should reveal their seeds."""
    allowed: list[int] | None = None
    """Seats that may take part; None for all."""
    server_seed: str = ""
    """The server's seed; empty until the seats' seeds are revealed."""
    seconds: int = 0
    """Minimum time in seconds for which the list stays open to the viewer's seat; 0 if it is closed."""


class FairView(Struct, kw_only=True):
    """The seeds that make the cards verifiable."""

    version: int = 2
    """The version of fair cards for the hand in play."""
    dealt: FairRoundView | None = None
    """The round of seeds from which the hand in play was dealt."""
    void: list[FairRoundView] = field(default_factory=list)
    """Void rounds of the hand in play, then those of the next deal."""
    next: FairRoundView | None = None
    """The round for the next deal, as soon as players can commit to it."""


class CutView(Struct, kw_only=True):
    """The cut for seats and dealer, by the seats that the players have now."""

    cards: list[list[str]]
    """Cards cut by each seat: several if the player had to cut again."""
    before: list[int]
    """The seat of each player before the cut."""
    dealer: int
    round: FairRoundView
    void: list[FairRoundView] = field(default_factory=list)
    """Void rounds of the cut."""


class DealView(Struct, kw_only=True):
    """The settings needed to deal the cards of a round of seeds again."""

    decks: int
    hand_size: int
    foot_size: int
    sides: int
    sit_out: bool
    first_dealer: str
    cut_order: str
    """`ace_high`, `ace_high_suits`, `joker_high_suits`"""
    pots: list[int]
    """Sizes of the pots."""
    pots_become_stock: bool
    """The next pot becomes the stock when a draw leaves no more than `stock_floor` cards of it (END-9)."""
    up_card: str
    """`natural`, `any`, `none`"""
    threes: str
    """`special`, `bonus` (all of them), `natural`"""
    threes_laid: str
    """When bonus cards are laid out and replaced: `deal`, `hand` (by the players), `turn`, `turn_but_one`."""
    cover_black_three: bool
    natural_covers_frozen: bool
    reshuffle_second: bool


# -- the table ---------------------------------------------------------------------------------------------


PHRASES = tuple("hello good_luck well_played thanks sorry nice_canasta one_moment oops goodbye".split())
"""Phrases that players can say at the table; clients show them in their own language."""


Phase = Literal["none", "draw", "play", "answer", "over"]
"""The phase of a hand; `none` if no hand has been dealt."""

Threes = Literal["special", "bonus", "natural"]

Takes = Literal["meld_top", "free", "use_top"]
"""How the pile can be taken: `meld_top` melds its top card with cards of its rank, `free` has no condition,
`use_top` uses the top card in any meld."""


class WhyNot(Struct, kw_only=True):
    """The reason why a move is refused."""

    clause: str
    message: str
    also: list[str] = field(default_factory=list)
    facts: dict[str, int | str] = field(default_factory=dict)
    remedy: str = ""
    reason: str = ""
    """Stable code of the message, for translation: `FROZEN`."""


class EventView(Struct, kw_only=True, omit_defaults=True):
    """One event, as this viewer may see it.

    `what` is the tag of an event of the game (`EVENT_KINDS`), or one of the table's own: `cut`, `dealt`,
    `sat_down`, `left`, `removed`, `came_back`, `will_join`, `will_not_join`, `said`, `game_over`,
    `time_ran_out`, and `hurried` if a computer player took too long and a simple move was made for it.
    """

    what: str
    seat: int = -1
    count: int = 0
    cards: list[str] = field(default_factory=list)
    """For `pile_taken`, the whole pile, top card last, but only the top card for other players. Private
    cards, such as those drawn, are left out for other players."""
    meld: str = ""
    """The name of the meld: `K`, `K#2`, `W`, `run#1`."""
    started: bool = False
    froze: bool = False
    """For `discarded`: whether this card froze the pile."""
    canasta: str = ""
    """`natural`, `mixed`, `wild`, `samba`"""
    yes: bool = False
    partner: int = -1
    phrase: str = ""
    """The phrase that was said; the name of the special hand for `special_laid`; `special` for `hand_ended`
    if a special hand ended it; the person's name for `removed`."""
    text: str = ""
    """The event in English, without the player's name: `took the pile, 5 cards`."""
    move: int = 0
    """The number, within the hand, of the move that led to the event; 0 if no move did."""


class MeldView(Struct, kw_only=True):
    name: str
    cards: list[str]
    """Cards in the order laid; in a sequence, from low to high."""
    canasta: str = ""
    points: int = 0
    """The value of the cards, without canasta bonuses."""
    full: bool = False
    """Whether no more cards can be added."""
    grade: str = ""
    """The grade of a canasta, `clean`, `semi_clean` or `dirty`, if the rules distinguish them."""
    wild: int = -1
    """The position of a long sequence's wild card in `cards`; -1 if it has none."""
    stands_for: str = ""
    """The card that the wild card represents."""


class CanastaProgress(Struct, kw_only=True):
    """Progress towards the canastas that a side needs to go out, of one kind or of any kind (`canasta`)."""

    kind: str
    have: int
    needed: int


class SideView(Struct, kw_only=True):
    seats: list[int]
    score: int
    """Points before this hand."""
    points_now: int
    """The value of the side's cards on the table, including canastas and bonus cards. Cards in hand don't
    count."""
    melds: list[MeldView]
    bonus: list[str]
    """Red threes laid out."""
    minimum: int
    """The minimum for the first meld; 0 if the side has melded or if there is none."""
    opened: bool
    caliente_played: int = 0
    pot_taken: bool = False
    """Whether a player of the side has taken a pot."""
    progress: list[CanastaProgress] = []
    """Progress towards going out; empty if no canasta is required."""
    unfinished: list[str] = []
    """Names of melds that must be canastas before the side can go out."""
    closed: list[str] = []
    """Ranks that the side can't meld anymore because a canasta of that rank is on the table; `W` for wild
    cards."""


class SeatView(Struct, kw_only=True):
    seat: int = -1
    side: int = -1
    name: str = ""
    who: Literal["person", "bot", "free"] = "free"
    level: str = ""
    """The level of the computer player that plays for the seat, if any."""
    connected: bool = True
    away: bool = False
    """Whether a computer player keeps the seat until its owner comes back."""
    cards: int = 0
    foot: int = 0
    """Number of cards in the foot; 0 once it has been picked up."""
    talon: int = 0
    """Number of cards in the talon, which the player picks up on their next turn."""
    sits_out: bool = False
    ready: bool = False
    """Whether the player is ready for the next hand."""
    host: bool = False
    account: bool = False
    """Whether the name belongs to an account and its owner is on the seat."""
    joins: str = ""
    """The person who watches now and gets the seat with the next deal; empty if there is none."""
    face: str = ""
    """The portrait; empty for any."""
    same_address: bool = False
    """Whether a player in another seat shares this player's network address."""
    open: bool = False
    """Whether the seat can be taken. During a game, the seat of an absent player can be taken from the next
    deal on."""
    shows: list[str] = field(default_factory=list)
    """The seat's cards if they are open: in a replay, and when the hand is over."""


class PileView(Struct, kw_only=True):
    cards: list[str]
    """Cards from bottom to top. If the pile may not be looked through (`look_through` of the game), cards
    below the top one are empty texts, except one placed crosswise because it freezes the pile. A last card
    discarded face down is an empty text too."""
    frozen: bool
    stopped: bool
    """Whether the top card prevents the next player from taking the pile."""


class TakeChoice(Struct, kw_only=True):
    """A way to take the pile."""

    move: str
    cards: list[str] = field(default_factory=list)
    """Cards from the hand."""
    onto: str = ""
    """The meld that the top card is added to."""
    short: int = 0
    """Points missing for the first meld. More melds must be made in the same move."""
    counted: int = 0
    """Points of this take alone towards the minimum."""
    lacks: str = ""
    """Code of another requirement of the first meld that this take doesn't meet, so that more melds are
    needed: `NO_PURE_MELD`."""


class BarredCards(Struct, kw_only=True):
    """Cards in hand that can't be discarded now, all for one reason."""

    cards: list[str]
    why: WhyNot


class YourView(Struct, kw_only=True):
    """The viewer's own cards and possible moves."""

    seat: int
    cards: list[str]
    turn: bool
    """Whether it is the viewer's turn."""
    can: list[str] = field(default_factory=list)
    """Moves without cards that are allowed now: `draw`, `pass`, `keep`, `caliente`, `ask`, `putback`, `undo`,
    `answer yes`, `answer no`, `lay 3r` or `lay 3b` if threes are laid manually, `special straight` if the
    whole hand is one. `ask` is offered only if going out is possible this turn, though the rules allow it at
    other times too."""
    takes: list[TakeChoice] = field(default_factory=list)
    no_take: WhyNot | None = None
    """The reason why the pile can't be taken, if it can't."""
    can_discard: bool = False
    barred: list[BarredCards] = []
    talon: list[str] = []
    """Cards that the player picks up on their next turn."""
    laid_points: int = 0
    """Points so far towards a first meld that isn't complete yet."""


class SheetView(Struct, kw_only=True):
    """The points of one hand by side."""

    hand: int
    lines: list[dict[str, int]]
    """Points by line, for each side: `{"melded_cards": 390, …}`. Lines that are zero for all sides are left
    out."""
    totals: list[int]
    """Points of this hand by side."""
    scores: list[int]
    """Scores by side after this hand."""
    out: int = -1
    """The seat that went out; -1 if the stock or a special hand ended the hand."""
    special: str = ""
    """The special hand that ended the hand."""
    special_by: int = -1
    """The seat that laid it down."""
    special_cards: list[str] = []
    victory: list[int] = []
    """Victory points by side, at the end of a game that is counted in them."""


class ClockView(Struct, kw_only=True):
    seat: int
    left: float
    """Seconds until a computer player moves for the player."""


class GameView(Struct, kw_only=True):
    """The settings of a game, which don't change during it."""

    rules: str
    title: str
    titles: dict[str, str] = {}
    """The title in other languages."""
    players: int
    options: dict[str, Value]
    house_rules: list[str]
    """Options that differ from the preset, in words."""
    target: int
    """0 if the game has a fixed number of rounds."""
    rounds: int
    caliente_names: bool
    """Whether jokers, twos and threes have the names and pictures of the Caliente family."""
    values: dict[str, int]
    """Points of a card in a meld, by the text of its rank: `{"K": 10, "2": 20, "Jo": 50, "3b": 5, …}`."""
    canasta_size: int
    runs: bool
    long_runs: bool = False
    """Whether sequences can contain a wild card and grow beyond a canasta."""
    same_suit_runs: bool
    sets: bool = True
    """Whether sets of any rank can be melded."""
    many_sets: bool = False
    """Whether a side can have several open melds of one rank."""
    wild_melds: bool
    has_foot: bool
    pots: int = 0
    """Number of pots."""
    threes: Threes = "special"
    takes: Takes = "meld_top"
    stock_floor: int = 0
    """Number of cards at the end of the stock that are never drawn."""
    talon: list[int] = []
    """Sizes of the talon for the side that opens first and for the one that opens second."""
    talon_floor: int = 0
    """Minimum number of cards in the stock for a talon."""
    pure_meld: bool = False
    """Whether one of the first melds must be without wild cards."""
    caliente_cards: bool
    draw_count: int
    undo: bool
    look_through: bool
    """Whether players may look through the pile."""
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
    """Seconds per turn; 0 for no clock."""
    spectators: bool
    levels: list[str]
    one_seat: bool = False
    """Whether people who share a network address get one seat between them."""
    day: str = ""
    """The day whose cards the table has, such as `2026-11-16`; empty for all other tables."""
    counts: bool = False
    """Whether the result is ranked."""


class AgainView(Struct, kw_only=True):
    """Votes for another game."""

    yes: list[int]
    """Seats of the players who want another game."""
    next: str = ""
    """The table of the next game, once it is open."""


class SessionResult(Struct, kw_only=True):
    """A player's results in the games of a session."""

    name: str
    seat: int
    """The player's seat at this table; -1 if they have left it."""
    games: int
    won: int
    points: int


class GoalView(Struct, kw_only=True):
    """A goal of a practice: `meld K 4`, `canasta natural`, `out`."""

    goal: str
    reached: bool


class PracticeView(Struct, kw_only=True):
    """The task of a practice table."""

    thing: str
    """The topic: `lesson:frozen:2`."""
    goals: list[GoalView]
    """Empty for free play."""
    done: bool = False
    lost: bool = False
    """Whether the goals can no longer be reached, or the turns for them are used up."""


class TableState(Struct, tag="state", tag_field="t", kw_only=True):
    """The whole table as one viewer sees it."""

    state: int
    """The number of the state, which rises with every change."""
    chain: str = ""
    """Hash of the game's record so far, 64 hexadecimal digits; empty if the cards aren't fair. See
    `docs/fair-cards`."""
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatView]
    sides: list[SideView]
    host: bool
    """Whether the viewer is the host of the table."""
    seat: int = -1
    """The viewer's own seat, also while waiting or sitting out; -1 for a spectator."""
    joins: int = -1
    """The seat that the viewer will have from the next deal on; -1 for none."""
    hand: int = 0
    dealer: int = -1
    phase: Phase = "none"
    turn: int = -1
    asked: int = -1
    """The seat that has asked its partner for permission to go out and waits for the answer; -1 if there is
    none."""
    stock: int = 0
    pots: list[int] = []
    """Sizes of the pots that nobody has taken."""
    pile: PileView | None = None
    you: YourView | None = None
    """None for a spectator, and for a player who sits out this hand."""
    events: list[EventView] = field(default_factory=list)
    """Events since the state before; empty after (re)connecting."""
    log: list[EventView] = field(default_factory=list)
    """All events of this hand. Sent in the first state after (re)connecting, and in a state that replaces
    others that the client was too slow to read."""
    sheet: SheetView | None = None
    """The score sheet of the hand that has just ended."""
    history: list[list[int]] = field(default_factory=list)
    """Scores by side after each finished hand."""
    winner: int = -1
    """The winning side; -2 for a draw."""
    watching: int = 0
    clock: ClockView | None = None
    fair: FairView | None = None
    cut: CutView | None = None
    """Present from the cut to the end of the first hand."""
    again: AgainView | None = None
    """Present when the game is over."""
    evening: list[SessionResult] = []
    """Results of the session so far, most games won first.

    Present before the first deal and when the game is over, which is then included.
    """
    practice: PracticeView | None = None
    """Present if the cards were laid out and not dealt."""


class Done(Struct, tag="done", tag_field="t", kw_only=True):
    """The command was carried out. For a move, it is in the log and `state` is the state after it."""

    id: str
    state: int


class Refused(Struct, tag="refused", tag_field="t", kw_only=True):
    """The command changed nothing."""

    id: str
    state: int
    why: WhyNot
    stale: bool = False
    """Whether the command was based on a state that is no longer current."""


class Checked(Struct, tag="checked", tag_field="t", kw_only=True):
    id: str
    why: WhyNot | None
    melds: list[MeldView] = []
    """The melds that the move would start or change, as they would be after it; only in games with long
    sequences."""


class ReasonView(Struct, kw_only=True):
    """One sentence of a reason, for translation: a code such as `stands_alone`, and its facts."""

    code: str
    facts: dict[str, int | str] = field(default_factory=dict)


class HintView(Struct, kw_only=True):
    move: str
    text: str
    """The reasons in English."""
    numbers: dict[str, float] = field(default_factory=dict)
    reasons: list[ReasonView] = field(default_factory=list)


class Hints(Struct, tag="hints", tag_field="t", kw_only=True):
    id: str
    hints: list[HintView]


class Problem(Struct, tag="error", tag_field="t", kw_only=True):
    """A message that could not be understood or served.

    `code` is `bad_message`, `too_long`, `too_fast`, `busy`, `unknown_table`, `not_allowed` or `server_error`.
    """

    code: str
    message: str
    """The message in English."""
    id: str | UnsetType = UNSET
    reason: str = ""
    """The name of the message in the catalogue section `problems`, for translation, with its facts."""
    facts: dict[str, int | str] = field(default_factory=dict)


AnyFrame = Welcome | TableState | Done | Refused | Checked | Hints | Problem
