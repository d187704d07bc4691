"""Cards with a readable `repr`."""

from collections.abc import Iterable
from typing import Self

from canasta.api.validation import list_of, number_of
from canasta.engine.cards import JOKER, TWO
from canasta.notation.cards import SUIT_SYMBOLS, format_card, parse_card, parse_cards, rank_of_card
from canasta.notation.errors import NotationError
from canasta.rules.defects import shown


class Card(int):
    """A card: `Card("Kd")` prints as `K♦`, and `Card("K")` is any king.

    It is the number that represents the card everywhere in canasta, and can be used as such. Cards of one
    kind are equal, whichever deck they come from.

    >>> Card("Kd"), Card("10♥"), Card("Jo"), Card("K")
    (K♦, T♥, Jo, K)
    >>> Card("2s").is_wild, Card("Kd").rank, Card("Kd").suit
    (True, 'K', '♦')
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Self:
        number = (
            parse_card(card) if isinstance(card, str) else number_of(card, "a card is a text or a number")
        )
        try:
            format_card(number)
        except ValueError:
            raise NotationError(shown(card), 0, "NO_CARD_OF_NUMBER") from None
        return super().__new__(cls, number)

    def __repr__(self) -> str:
        return format_card(self, symbols=True)

    __str__ = __repr__

    @property
    def suit(self) -> str:
        """`♣`, `♦`, `♥` or `♠`; empty for jokers, Caliente cards and any card of a rank."""
        last = str(self)[-1]
        return last if last in SUIT_SYMBOLS else ""

    @property
    def rank(self) -> str:
        """`2` to `9`, `T`, `J`, `Q`, `K`, `A`, `Jo` or `Ca`; `3r` or `3b` for any red or any black three."""
        return str(self).rstrip(SUIT_SYMBOLS)

    @property
    def is_wild(self) -> bool:
        """Whether the card is a two or a joker."""
        return rank_of_card(self) in (TWO, JOKER)


def cards(these: str | Iterable[int]) -> tuple[Card, ...]:
    """Return cards from their text, or from the numbers in views, moves and events.

    >>> cards("K*2 10h Jo")
    (K, K, T♥, Jo)
    """
    if isinstance(these, str):
        return tuple(map(Card, parse_cards(these, commas=True)))
    return tuple(map(Card, list_of(these, "cards are a text or several cards")))
