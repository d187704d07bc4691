"""The state of a hand in progress: the location of every card, and the facts of the turn."""

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
    """The whole hand, hidden cards included. Only the engine handles it; everyone else gets a `View`."""

    # Memory order: fields that nearly every step reads come first.
    turn: int
    phase: int
    changes: int
    """Counter that increases whenever cards are melded, laid out or taken back."""
    before_take: "HandState | None"
    log: list[Event] | None
    opening_points: int
    frozen: bool
    pile_is_from_deal: bool
    fresh: bool
    """Whether the player had melded nothing in this hand before this turn."""
    melded_now: bool
    pile_due: bool
    """Whether the top card is melded but the rest of the pile waits for the first meld's minimum."""
    took_back: bool
    caliente_now: bool
    black_threes_now: bool
    no_discard: bool
    last_discard: bool
    face_down: bool
    """Whether the last card was discarded face down in going out, so that nobody else sees it (DISC-8)."""
    top_due: bool
    """Whether the top card of the pile has been lifted and must be melded next (PILE-16)."""
    asked: int
    answering: int
    minimum_surcharge: int
    """Increase of the first-meld minimum if the top card does not count (OPEN-3)."""
    partner: list[int]
    """For each seat, the next teammate in turn order, who answers its question; -1 without a partner."""
    next_seat: list[int]
    talon_due: int
    """Number of talon cards the player gets after the discard."""
    laid_before: int
    """Number of cards the side had melded when the turn began."""
    not_returned: int
    """The only card of the pile taken this turn; it must not be
    discarded until it is melded (DISC-9). -1: none."""
    turns_without_draw: int
    taken_top: int
    """The top card melded in taking the pile, while the rest of the pile is due."""
    asked_in: int
    stuck: int
    """Reason code why the last card just laid does not end the hand. Only trial states have one."""
    order: list[int]
    sides: int
    bonus: list[list[int]]
    bonus_in_game: int
    """Number of bonus cards in the game."""
    runs: list[list[int]]
    """Sequences by side, each packed as `(suit << 8) | (lowest rank << 4) | length`."""
    feet: list[list[int]]
    pots: list[list[int]]
    """Pots that nobody has taken, the next one first."""
    talons: list[list[int]]
    """Talon cards waiting for the next turn, by seat. Replaced, never modified in place."""
    special: int
    """Index of the special hand that was laid down; -1 if none."""
    special_by: int
    special_cards: list[int]
    out: int

    def copy(self) -> "HandState":
        """Return an independent copy. The feet, and data that never changes, are shared."""
        new = HandState()
        new.packed = BytesWriter()
        new.copy_from(self)
        return new

    def __copy__(self) -> "HandState":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "HandState":
        return self.copy()

    def copy_from(self, other: "HandState") -> None:
        """Become an independent copy of another state.

        Runs are copied. Lists that rarely change (red threes) are replaced rather than modified, so copies
        can share them; so can lists that never change under these rules.
        """
        self.compiled = other.compiled
        self.order = other.order
        self.side_of = other.side_of
        self.sides = other.sides
        self.next_seat = other.next_seat
        self.partner = other.partner
        self.log = None
        # Reuse the buffer, so that each of thousands of tables keeps its place in memory.
        self.packed.truncate(0)
        self.packed.write(other.packed.getvalue())
        self.offsets = other.offsets
        self.feet = other.feet
        self.pots = other.pots
        self.at = other.at
        self.bonus_in_game = other.bonus_in_game
        self.frozen = other.frozen
        self.pile_is_from_deal = other.pile_is_from_deal
        self.runs = [runs.copy() for runs in other.runs] if other.compiled.runs else other.runs
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
        self.minimum_surcharge = other.minimum_surcharge
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
        """Return the cards melded in this turn, packed as in `cards_laid_by`.

        They are the last ones in the list.
        """
        end = self.total_laid()
        new = self.laid_count(self.side_of[self.turn]) - self.laid_before
        return [self.laid_card(at) for at in range(end - new, end)]

    def is_opening(self) -> bool:
        """Return whether the side is in the middle of its first meld:
        cards are laid but the minimum is not reached."""
        return self.melded_now and not self.opened(self.side_of[self.turn])
