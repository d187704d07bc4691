"""Positions that can be written down."""

from collections.abc import Sequence

from canasta.engine.match import Match as EngineMatch
from canasta.engine.moves.types import Move
from canasta.engine.play.set_up import PositionError
from canasta.front.asked import text_of, wrong
from canasta.front.dealt import Dealt


class Position(Dealt):
    """A hand in progress, frozen and written: who holds what, what lies on the table, whose turn it is.

    `Position.parse` reads the notation of scenarios, on one line; cards may be any card of a rank, and what
    is left out is dealt from the rest of the deck, always alike. `str` gives the complete text, which leads
    to the same position again: positions are equal when their texts are. In the middle of a turn the text
    ends with the moves of that turn, `when: [draw, meld K K K]`.

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
        """The position that a match of the engine comes to by these moves; `parse` and `Match.position` are
        the usual ways to one."""
        from canasta.notation.positions import after_moves, format_position

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
        """The position that a text tells. Raises `PositionError`, or `RulesetError`, both `CanastaError`."""
        from canasta.notation.positions import match_from_position

        return cls(*match_from_position(text_of(text, "a position is read from a text")))

    def _after(self, moves: Sequence[Move]) -> "Position":
        """The position that these moves lead to, all of them of the same turn."""
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
