"""A hand at the table: the moves of people, undo, views."""

from mypy_extensions import mypyc_attr

from canasta.engine.events import Event, MeldTakenBack
from canasta.engine.law import why_not as r
from canasta.engine.melds_on_table import MeldOnTable, melds_of
from canasta.engine.moves.facts import situation
from canasta.engine.moves.find_cards import cards_held
from canasta.engine.moves.listing import legal_whole_moves
from canasta.engine.moves.refusals import Facts, Refusal, RefusedMove, refuse
from canasta.engine.moves.try_move import try_move
from canasta.engine.moves.types import Add, Meld, Move, Undo
from canasta.engine.play.scoring import ScoreSheet, score_hand
from canasta.engine.state import ANSWER, OVER, PLAY, HandState
from canasta.engine.view import PHASE_NAMES, View, state_facts


# Both, for mypyc makes an empty object of a class that is serializable and nothing else.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Hand:  # noqa: PLW1641 - a hand goes on, so that it has no hash
    """One hand from the first draw to the score sheet."""

    def __init__(self, state: HandState, scores: list[int]) -> None:
        self.state: HandState = state
        self.scores: list[int] = scores
        """By side, before this hand."""
        self._before_melds: list[HandState] = []
        """What undo goes back to: the states before each meld of this turn."""
        self._revealed: bool = False
        """The last meld brought hidden cards into sight, so that it stands."""

    def copy(self) -> "Hand":
        """Independent, like a deep copy: what is played on one is not played on the other."""
        new = Hand(self.state.copy(), self.scores.copy())
        # What undo goes back to is copied when it does, so that it may be shared.
        new._before_melds = self._before_melds.copy()
        new._revealed = self._revealed
        return new

    def __copy__(self) -> "Hand":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Two hands are equal that stand alike: the same cards everywhere, and the same to take back."""
        return isinstance(other, Hand) and self.facts() == other.facts()

    def __repr__(self) -> str:
        """What everyone at the table sees; the cards are in its views."""
        does = "over" if self.over else f"seat {self.turn} to {self.phase}"
        return f"<Hand: {does}, {self.state.pile_size()} cards in the pile, {self.stock_size} in stock>"

    def facts(self) -> tuple[object, ...]:
        """Everything in the hand, hidden cards included, for comparing hands."""
        undo = tuple(map(state_facts, self._before_melds))
        return (self.state.prepared.rules, tuple(self.scores), state_facts(self.state), undo, self._revealed)

    # -- moves --------------------------------------------------------------------------------------------

    def check(self, move: Move) -> Refusal | None:
        """Why a move is not allowed; None when it is."""
        try:
            self._try(move)
        except RefusedMove as refused:
            return refused.refusal
        return None

    def apply(self, move: Move) -> list[Event]:
        """Make a move and tell what happened; raises `RefusedMove`, and then nothing has changed."""
        before = self.state
        after = self._try(move)
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

    def _try(self, move: Move) -> HandState:
        if not isinstance(move, Undo):
            return try_move(self.state, move)
        if self.state.phase == OVER:
            raise RefusedMove(refuse(r.HAND_IS_OVER))
        if self.state.phase != PLAY:
            facts: Facts = {"move": "undo", "situation": situation(self.state)}
            raise RefusedMove(refuse(r.NOT_IN_THIS_PHASE, facts, ("MELD-9",)))
        if not self.state.prepared.rules.turn.undo:
            raise RefusedMove(refuse(r.NO_UNDO))
        if not self._before_melds:
            raise RefusedMove(refuse(r.UNDO_REVEALED if self._revealed else r.NOTHING_TO_UNDO))
        restored = self._before_melds[-1].copy()
        restored.log = [MeldTakenBack(restored.turn)]
        return restored

    def legal_moves(self) -> list[Move]:
        """The moves that are allowed now.

        A first meld is listed in the smallest forms that reach the minimum (a large hand has more than are
        listed); other melds with three cards, additions with one. Longer moves are these in sequence.
        """
        moves = legal_whole_moves(self.state)
        if self.check(Undo()) is None:
            moves.append(Undo())
        return moves

    # -- what is there ------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """`draw`, `play`, `answer` or `over`."""
        return PHASE_NAMES[self.state.phase]

    @property
    def turn(self) -> int:
        """The seat to act: the one that answers while a question waits."""
        return self.state.answering if self.state.phase == ANSWER else self.state.turn

    @property
    def over(self) -> bool:
        return self.state.phase == OVER

    @property
    def out(self) -> int | None:
        """The seat that went out."""
        return self.state.out if self.state.out >= 0 else None

    @property
    def frozen(self) -> bool:
        """The pile is frozen: by a card in it, or by the rules of the game."""
        return self.state.frozen or self.state.prepared.always_frozen

    @property
    def pile(self) -> list[int]:
        """Bottom to top."""
        return self.state.pile

    @property
    def stock_size(self) -> int:
        return self.state.stock_size()

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side, those that sit out included."""
        return [
            [seat for seat, other in enumerate(self.state.side_of) if other == side]
            for side in range(self.state.sides)
        ]

    def hand_cards(self, seat: int) -> list[int]:
        return cards_held(self.state, seat)

    def foot_cards(self, seat: int) -> list[int]:
        """The foot that still waits; empty once it is picked up."""
        return self.state.feet[seat].copy() if self.state.foot_waits(seat) else []

    def talon_cards(self, seat: int) -> list[int]:
        """The talon cards that wait for the seat's next turn."""
        return self.state.talons[seat].copy()

    def melds(self, side: int) -> list[MeldOnTable]:
        return melds_of(self.state, side)

    def bonus(self, side: int) -> list[int]:
        """Red threes laid out."""
        return self.state.bonus[side].copy()

    def minimum(self, side: int) -> int:
        """What the side's first meld must be worth; 0 once it has opened or where none applies."""
        return 0 if self.state.opened(side) else self.state.minimum(side)

    def score_sheets(self) -> list[ScoreSheet]:
        """By side, as if the hand ended now."""
        return score_hand(self.state)

    def view(self, seat: int | None) -> View:
        """What this seat may see; None, and a seat that sits out, sees what a spectator sees."""
        return View(self.state, seat if seat in self.state.order else None, self.scores.copy())
