"""A hand in progress: where every card lies, and the facts of the turn."""

from typing import Final

from librt.strings import BytesWriter

from canasta.engine.cards_in_play import CardsInPlay
from canasta.engine.events import Event

DRAW: Final = 0
PLAY: Final = 1
ANSWER: Final = 2
OVER: Final = 3

NOT_ASKED: Final = 0
SAID_YES: Final = 1
SAID_NO: Final = 2


class HandState(CardsInPlay):
    """The whole hand, hidden cards included; only the engine handles it, everyone else gets a view."""

    # In this order they lie in memory: first what nearly every step asks for.
    turn: int
    phase: int
    changes: int
    """Rises whenever cards are laid out on the table or taken back from it."""
    before_take: "HandState | None"
    log: list[Event] | None
    opening_points: int
    frozen: bool
    pile_is_from_deal: bool
    fresh: bool
    """The player had melded nothing before this turn."""
    melded_now: bool
    pile_due: bool
    """The top card is melded; the rest of the pile comes once the first meld reaches its minimum."""
    took_back: bool
    caliente_now: bool
    black_threes_now: bool
    no_discard: bool
    last_discard: bool
    face_down: bool
    """The card discarded in going out lies so that nobody sees it (DISC-8)."""
    top_due: bool
    """The top card of the pile was lifted and must go into a meld before anything else is done (PILE-16)."""
    asked: int
    answering: int
    opening_extra: int
    """What the minimum rises by when the top card does not count (OPEN-3)."""
    partner: list[int]
    """For each seat the next teammate in turn order, who answers a question; -1 for a player alone."""
    next_seat: list[int]
    talon_due: int
    """How many talon cards the player gets after the discard."""
    laid_before: int
    """How many cards the side had melded when the turn began."""
    not_returned: int
    """The single card of a pile that was taken, which is not discarded in this turn (DISC-9); -1: none."""
    turns_without_draw: int
    taken_top: int
    """The top card that was melded in taking the pile, while the rest is due."""
    asked_in: int
    stuck: int
    """Reason why the last card just laid does not end the hand; such a state is only ever a trial."""
    order: list[int]
    sides: int
    bonus: list[list[int]]
    bonus_in_game: int
    """How many bonus cards are in the game."""
    runs: list[list[int]]
    """Each run as (suit << 8) | (lowest rank << 4) | length."""
    feet: list[list[int]]
    pots: list[list[int]]
    """Those that nobody has taken, the next one first."""
    talons: list[list[int]]
    """By seat the talon cards that wait for the next turn; replaced when they change."""
    special: int
    """Which of the special hands was laid down; -1 when none was."""
    special_by: int
    special_cards: list[int]
    out: int

    def copy(self) -> "HandState":
        """An independent copy; the feet and what never changes are shared."""
        new = HandState()
        new.packed = BytesWriter()
        new.set_to(self)
        return new

    def __copy__(self) -> "HandState":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "HandState":
        return self.copy()

    def set_to(self, other: "HandState") -> None:
        """Become an independent copy of another state.

        Runs are copied. Lists that change seldom (red threes) are replaced when they change, so that copies
        share them until then; so do those that these rules never change at all.
        """
        self.prepared = other.prepared
        self.order = other.order
        self.side_of = other.side_of
        self.sides = other.sides
        self.next_seat = other.next_seat
        self.partner = other.partner
        self.log = None
        # In the same memory as before: among thousands of tables each stays where it lies.
        self.packed.truncate(0)
        self.packed.write(other.packed.getvalue())
        self.offsets = other.offsets
        self.feet = other.feet
        self.pots = other.pots
        self.at = other.at
        self.bonus_in_game = other.bonus_in_game
        self.frozen = other.frozen
        self.pile_is_from_deal = other.pile_is_from_deal
        self.runs = [runs.copy() for runs in other.runs] if other.prepared.runs else other.runs
        self.changes = other.changes
        self.bonus = other.bonus.copy()
        self.talons = other.talons
        self.special = other.special
        self.special_by = other.special_by
        self.special_cards = other.special_cards
        self.talon_due = other.talon_due
        self.turn = other.turn
        self.phase = other.phase
        self.asked = other.asked
        self.asked_in = other.asked_in
        self.answering = other.answering
        self.fresh = other.fresh
        self.laid_before = other.laid_before
        self.melded_now = other.melded_now
        self.opening_points = other.opening_points
        self.opening_extra = other.opening_extra
        self.pile_due = other.pile_due
        self.taken_top = other.taken_top
        self.took_back = other.took_back
        self.caliente_now = other.caliente_now
        self.black_threes_now = other.black_threes_now
        self.no_discard = other.no_discard
        self.last_discard = other.last_discard
        self.face_down = other.face_down
        self.top_due = other.top_due
        self.not_returned = other.not_returned
        self.turns_without_draw = other.turns_without_draw
        self.stuck = other.stuck
        self.before_take = other.before_take
        self.out = other.out

    # -- the turn -------------------------------------------------------------------------------------

    def laid_now(self) -> list[int]:
        """The cards melded in the turn in progress, as `laid_of` tells them; they are the last of all."""
        end = self.laid_by_all()
        new = self.laid_count(self.side_of[self.turn]) - self.laid_before
        return [self.laid_at(at) for at in range(end - new, end)]

    def is_opening(self) -> bool:
        """The side is in the middle of its first meld: cards are laid, the minimum is not reached."""
        return self.melded_now and not self.opened(self.side_of[self.turn])
