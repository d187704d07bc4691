"""What matches and positions tell alike: who holds what, what lies on the table, what may be done."""

from canasta.engine.match import Match as EngineMatch
from canasta.engine.moves.listing import legal_whole_moves
from canasta.engine.moves.refusals import Refusal
from canasta.engine.moves.types import Move
from canasta.engine.view import View
from canasta.front.asked import seat_of, text_of, wrong
from canasta.front.card import Card, cards
from canasta.notation.moves import parse_move as read_move
from canasta.rules.model import Ruleset


def legal_moves(view: View) -> list[str]:
    """The moves that the viewer may make now, in the notation of moves; none when another seat is to act."""
    if not isinstance(view, View):
        raise wrong(view, "moves are listed for a View")
    if view.turn != view.seat or view.phase == "over":
        return []
    return list(map(str, legal_whole_moves(view.state)))


def told(refusal: Refusal, lang: str = "en") -> str:
    """A refusal in full: the sentence, what to do instead, and the rule."""
    from canasta.words import tell_refusal

    return f"{tell_refusal(refusal, lang)} ({refusal.clause})"


class Dealt:
    """Cards dealt by some rules. Seats and sides count from 0; of four players 0 and 2 are partners."""

    _engine: EngineMatch

    @property
    def rules(self) -> Ruleset:
        """The rules that it is played by."""
        return self._engine.rules

    @property
    def turn(self) -> int:
        """The seat to act: to move, or to answer its partner."""
        return self._engine.hand.turn

    @property
    def phase(self) -> str:
        """What the seat is to do: `draw`, `play` or `answer`; `over` when the hand is."""
        return self._engine.hand.phase

    @property
    def scores(self) -> tuple[int, ...]:
        """By side, all hands that are over."""
        return tuple(self._engine.scores)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return tuple(map(tuple, self._engine.hand.sides))

    @property
    def pile(self) -> tuple[Card, ...]:
        """Bottom to top."""
        return cards(self._engine.hand.pile)

    @property
    def stock(self) -> int:
        """How many cards are left to draw."""
        return self._engine.hand.stock_size

    def cards(self, seat: int) -> tuple[Card, ...]:
        """What a seat holds. For what a player at the table may see there is `view`."""
        return cards(self._engine.hand.hand_cards(seat_of(seat, self.rules.seats.players)))

    def melds(self, side: int) -> tuple[tuple[Card, ...], ...]:
        """What a side has melded, in the order laid."""
        melds = self._engine.hand.melds(seat_of(side, self.rules.seats.sides, "side"))
        return tuple(cards(meld.cards) for meld in melds)

    def view(self, seat: int | None) -> View:
        """What a seat may see, and nothing else; None is a spectator. A computer player decides by it."""
        if seat is not None:
            seat_of(seat, self.rules.seats.players)
        return self._engine.hand.view(seat)

    @property
    def legal_moves(self) -> list[str]:
        """The moves that are allowed now, in the notation of moves.

        A first meld is listed in the smallest forms that reach the minimum, other melds with three cards and
        additions with one. `why_not` tells of any other move if it is allowed too.
        """
        return list(map(str, self._engine.hand.legal_moves()))

    def why_not(self, move: Move | str, lang: str = "en") -> str:
        """Why a move is not allowed, what to do instead, and the clause of the rules; empty when it is."""
        text_of(lang, "a language is a text")
        refusal = self.check(move)
        return "" if refusal is None else told(refusal, lang)

    def check(self, move: Move | str) -> Refusal | None:
        """The same for programs: the clause, the reason, the numbers behind it; None when it is allowed."""
        return self._engine.check(as_move(move))


def as_move(move: Move | str) -> Move:
    """A move, or the text of one, as a move."""
    return move if isinstance(move, Move) else read_move(text_of(move, "a move is a text or a Move"))


def parse_move(text: str) -> Move:
    """The move that a line of text says. Raises `NotationError` where it says none.

    >>> parse_move("Take  onto K#2")
    parse_move('take onto K#2')
    """
    return read_move(text_of(text, "a move is read from a text"))
