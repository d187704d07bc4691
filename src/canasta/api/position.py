"""Positions that have a text form."""

from collections.abc import Sequence

from canasta.api.base import DealtCards
from canasta.api.validation import text_of, wrong
from canasta.engine.match import Match as EngineMatch
from canasta.engine.moves.types import Move
from canasta.engine.play.from_position import PositionError


class Position(DealtCards):
    """A hand in progress, immutable and with a text form: the cards of every seat, the table, and the turn.

    `Position.parse` reads the notation of scenarios on one line. A card may be any card of a rank, and
    anything omitted is dealt from the rest of the deck, always in the same way. `str` returns the complete
    text, which parses to the same position. Positions are equal if their texts are. In the middle of a turn
    the text ends with the moves of that turn, `when: [draw, meld K K K]`.

    >>> text = "{rules: two-player, hands: {0: K K 9 5}, melds: {0: [Q Q Q]}, pile: 7 6 Kc}"
    >>> position = Position.parse(text)
    >>> position
    <Position: Two-Player Canasta, 2 players, seat 0 to draw, K♣ on a pile of 3, 83 in stock>
    >>> position.cards(0), position.melds(0)
    ((5♥, 9♥, K♥, K♠), ((Q♥, Q♠, Q♦),))
    >>> position.legal_moves
    ['draw', 'take K K']
    >>> Position.parse(str(position)) == position
    True
    """

    __slots__ = ("_before", "_engine", "_moves", "_text")

    def __init__(self, engine: EngineMatch, moves: Sequence[Move] = ()) -> None:
        """Create the position of an engine match after these moves.

        Normally you get positions from `parse` and `Match.position`.
        """
        from canasta.scenarios.positions import after_moves, format_position

        if not isinstance(engine, EngineMatch):
            raise wrong(engine, "a position is read by Position.parse, or is Match.position")

        self._text = format_position(engine, moves)
        self._before = engine.copy()
        self._moves = tuple(moves)
        self._engine = after_moves(engine, moves)
        if self._engine.hand.over:
            raise PositionError("the hand is over with these moves, and a position is of a hand that goes on")

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Parse the text of a position.

        Raise `PositionError` or `RulesetError` (both are `CanastaError`) if it is invalid.
        """
        from canasta.scenarios.positions import match_from_position

        return cls(*match_from_position(text_of(text, "a position is read from a text")))

    def _after(self, moves: Sequence[Move]) -> "Position":
        """Return the position after these moves, which must all be of the same turn."""
        return Position(self._before, [*self._moves, *moves])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        top = f"{self.pile[-1]} on a pile of {len(self.pile)}" if self.pile else "no pile"
        return (
            f"<Position: {self.rules.title}, {self.rules.seats.players} players, "
            f"seat {self.turn} to {self.phase}, {top}, {self.stock} in stock>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        return (Position.parse, (self._text,))
