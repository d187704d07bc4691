"""One hand at the table: checking and making moves, undo, and views."""

from mypy_extensions import mypyc_attr

from canasta.engine.events import Event, MeldTakenBack
from canasta.engine.law import reasons
from canasta.engine.law.pile import is_frozen
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.legal_moves import legal_whole_moves
from canasta.engine.moves.refusals import Refusal, RefusedMove, refuse, situation
from canasta.engine.moves.types import Add, Meld, Move, Undo
from canasta.engine.play.scoring import ScoreSheet, score_hand
from canasta.engine.state import ANSWER, OVER, PLAY, HandState, cards_held
from canasta.engine.view import PHASE_NAMES, MeldOnTable, View, melds_of, state_facts
from canasta.i18n import Facts


class TriedMove:
    """An allowed move and the hand as it would be after it. It can be made until the hand changes."""

    def __init__(self, move: Move, before: HandState, after: HandState) -> None:
        self.move: Move = move
        self.before: HandState = before
        self.after: HandState = after


# Both options are needed: with `serializable` alone, mypyc creates an empty object when unpickling.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Hand:  # noqa: PLW1641 - hands are mutable, so they are not hashable
    """One hand, from the first draw to the score sheet."""

    def __init__(self, state: HandState, scores: list[int]) -> None:
        self.state: HandState = state
        self.scores: list[int] = scores
        """Total score by side before this hand."""
        self._before_melds: list[HandState] = []
        """States to restore on undo: one from before each meld of this turn."""
        self._revealed: bool = False
        """Whether the last meld revealed hidden cards and so can't be undone."""

    def copy(self) -> "Hand":
        """Return an independent copy: moves made on one do not affect the other."""
        new = Hand(self.state.copy(), self.scores.copy())
        # The states for undo can be shared, because undo copies the one it restores.
        new._before_melds = self._before_melds.copy()
        new._revealed = self._revealed
        return new

    def __copy__(self) -> "Hand":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether both hands have the same cards everywhere and the same undo history."""
        return isinstance(other, Hand) and self.facts() == other.facts()

    def __repr__(self) -> str:
        """Show only what everyone at the table sees; the cards are in the views."""
        does = "over" if self.over else f"seat {self.turn} to {self.phase}"
        return f"<Hand: {does}, {self.state.pile_size()} cards in the pile, {self.stock_size} in stock>"

    def facts(self) -> tuple[object, ...]:
        """Return everything in the hand, hidden cards included, for comparison."""
        undo = tuple(map(state_facts, self._before_melds))
        return (self.state.compiled.rules, tuple(self.scores), state_facts(self.state), undo, self._revealed)

    # -- moves --------------------------------------------------------------------------------------------

    def check(self, move: Move) -> Refusal | None:
        """Return why a move is not allowed, or `None` if it is."""
        try:
            self.try_move(move)
        except RefusedMove as refused:
            return refused.refusal
        return None

    def apply(self, move: Move) -> list[Event]:
        """Make a move and return its events.

        Raise `RefusedMove`, with nothing changed, if it is not allowed.
        """
        return self.make(self.try_move(move))

    def try_move(self, move: Move) -> TriedMove:
        """Check a move without making it, and return it for `make`. Raise `RefusedMove` if it is illegal."""
        return TriedMove(move, self.state, self._state_after(move))

    def make(self, tried: TriedMove) -> list[Event]:
        """Make a move that was tried on this hand as it is now, and return its events."""
        move, before, after = tried.move, tried.before, tried.after
        if before is not self.state:
            raise ValueError("the hand has changed since the move was tried")
        events = after.log if after.log is not None else []
        after.log = None
        self.state = after
        if isinstance(move, Undo):
            self._before_melds.pop()
        elif isinstance(move, (Meld, Add)):
            self._revealed = after.at != before.at or after.feet_wait() != before.feet_wait()
            if self._revealed or after.phase != PLAY:
                self._before_melds.clear()
            else:
                self._before_melds.append(before)
        else:
            self._before_melds.clear()
            self._revealed = False
        return events

    def _state_after(self, move: Move) -> HandState:
        if not isinstance(move, Undo):
            return try_move(self.state, move)
        if self.state.phase == OVER:
            raise RefusedMove(refuse(reasons.HAND_IS_OVER))
        if self.state.phase != PLAY:
            facts: Facts = {"move": "undo", "situation": situation(self.state)}
            raise RefusedMove(refuse(reasons.NOT_IN_THIS_PHASE, facts, ("MELD-9",)))
        if not self.state.compiled.rules.turn.undo:
            raise RefusedMove(refuse(reasons.NO_UNDO))
        if not self._before_melds:
            raise RefusedMove(refuse(reasons.UNDO_REVEALED if self._revealed else reasons.NOTHING_TO_UNDO))
        restored = self._before_melds[-1].copy()
        restored.log = [MeldTakenBack(restored.turn)]
        return restored

    def legal_moves(self) -> list[Move]:
        """Return the moves that are allowed now.

        Only the smallest first melds that reach the minimum are listed, up to a limit: a large hand has too
        many. Other melds are listed with three cards and additions with one card; longer moves are sequences
        of these.
        """
        moves = legal_whole_moves(self.state)
        if self.check(Undo()) is None:
            moves.append(Undo())
        return moves

    # -- state of the hand --------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """`draw`, `play`, `answer` or `over`."""
        return PHASE_NAMES[self.state.phase]

    @property
    def turn(self) -> int:
        """The seat to act; while a question is pending, the seat that must answer it."""
        return self.state.answering if self.state.phase == ANSWER else self.state.turn

    @property
    def over(self) -> bool:
        return self.state.phase == OVER

    @property
    def out(self) -> int | None:
        """The seat that went out, or `None`."""
        return self.state.out if self.state.out >= 0 else None

    @property
    def frozen(self) -> bool:
        """Whether the pile is frozen, by a card in it or by the rules of the game."""
        return is_frozen(self.state)

    @property
    def pile(self) -> list[int]:
        """The discard pile, bottom to top."""
        return self.state.pile

    @property
    def stock_size(self) -> int:
        return self.state.stock_size()

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side, including any that sit out this hand."""
        return [
            [seat for seat, other in enumerate(self.state.side_of) if other == side]
            for side in range(self.state.sides)
        ]

    def hand_cards(self, seat: int) -> list[int]:
        return cards_held(self.state, seat)

    def foot_cards(self, seat: int) -> list[int]:
        """Return the seat's foot, or an empty list once it has been picked up."""
        return self.state.feet[seat].copy() if self.state.foot_waits(seat) else []

    def talon_cards(self, seat: int) -> list[int]:
        """Return the talon cards that the seat will pick up on its next turn."""
        return self.state.talons[seat].copy()

    def melds(self, side: int) -> list[MeldOnTable]:
        return melds_of(self.state, side)

    def bonus(self, side: int) -> list[int]:
        """Return the bonus cards (red threes) that the side has laid out."""
        return self.state.bonus[side].copy()

    def minimum(self, side: int) -> int:
        """Return the minimum value of the side's first meld; 0 if it has opened or needs no minimum."""
        return 0 if self.state.opened(side) else self.state.minimum(side)

    def score_sheets(self) -> list[ScoreSheet]:
        """Return the score sheets by side, as if the hand ended now."""
        return score_hand(self.state)

    def view(self, seat: int | None) -> View:
        """Return what this seat may see. `None`, or a seat that sits out, gets the spectator's view."""
        return View(self.state, seat if seat in self.state.order else None, self.scores.copy())
