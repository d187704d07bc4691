"""Positions that have a text form, and the part of the API that they share with matches."""

from collections.abc import Sequence

from canasta.api.cards import Card, cards, seat_of, text_of, wrong_type
from canasta.engine.match import Match as EngineMatch
from canasta.engine.moves.legal_moves import legal_whole_moves
from canasta.engine.moves.refusals import Refusal
from canasta.engine.moves.types import Move
from canasta.engine.position import PositionError
from canasta.engine.view import View
from canasta.notation.moves import parse_move as read_move
from canasta.rules.model import Ruleset


def legal_moves(view: View) -> list[str]:
    """Return the viewer's legal moves in notation; empty if another seat is to act."""
    if not isinstance(view, View):
        raise wrong_type(view, "moves are listed for a View")
    if view.turn != view.seat or view.phase == "over":
        return []
    return list(map(str, legal_whole_moves(view.state)))


class DealtCards:
    """Cards dealt under some rules. Seats and sides count from 0; with four players 0 and 2 are partners."""

    _engine: EngineMatch

    @property
    def rules(self) -> Ruleset:
        """The rules of the game."""
        return self._engine.rules

    @property
    def turn(self) -> int:
        """The seat to act: to move, or to answer its partner."""
        return self._engine.hand.turn

    @property
    def phase(self) -> str:
        """The seat's task: `draw`, `play` or `answer`; `over` once the hand is over."""
        return self._engine.hand.phase

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by side over the finished hands."""
        return tuple(self._engine.scores)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return tuple(map(tuple, self._engine.hand.sides))

    @property
    def pile(self) -> tuple[Card, ...]:
        """The discard pile, bottom to top."""
        return cards(self._engine.hand.pile)

    @property
    def stock(self) -> int:
        """Number of cards left to draw."""
        return self._engine.hand.stock_size

    def cards(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's cards. Call `view` for what a player at the table may see."""
        return cards(self._engine.hand.hand_cards(seat_of(seat, self.rules.seats.players)))

    def melds(self, side: int) -> tuple[tuple[Card, ...], ...]:
        """Return a side's melds, in the order laid."""
        melds = self._engine.hand.melds(seat_of(side, self.rules.seats.sides, "side"))
        return tuple(cards(meld.cards) for meld in melds)

    def view(self, seat: int | None) -> View:
        """Return what a seat may see and nothing else; `None` is a spectator. Computer players get this."""
        if seat is not None:
            seat_of(seat, self.rules.seats.players)
        return self._engine.hand.view(seat)

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves, in notation.

        First melds are listed in the smallest forms that reach the minimum, other melds with three cards, and
        additions with one. To check any other move, call `why_not`.
        """
        return list(map(str, self._engine.hand.legal_moves()))

    def why_not(self, move: Move | str, lang: str = "en") -> str:
        """Return why a move is not allowed, what to do instead, and the clause; empty if it is allowed."""
        text_of(lang, "a language is a text")
        refusal = self.check(move)
        return "" if refusal is None else f"{refusal.text(lang)} ({refusal.clause})"

    def check(self, move: Move | str) -> Refusal | None:
        """Return the refusal of a move as data: clause, reason and numbers; `None` if it is allowed."""
        return self._engine.check(as_move(move))


def as_move(move: Move | str) -> Move:
    """Return a move, parsing it if it is a text."""
    return move if isinstance(move, Move) else read_move(text_of(move, "a move is a text or a Move"))


def parse_move(text: str) -> Move:
    """Parse a line of text into a move. Raise `NotationError` if it is not one.

    >>> parse_move("Take  onto K#2")
    parse_move('take onto K#2')
    """
    return read_move(text_of(text, "a move is read from a text"))


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
            raise wrong_type(engine, "a position is read by Position.parse, or is Match.position")

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
