"""Cards with a readable `repr`, and the checks of arguments that all of the public API shares.

Every invalid argument gets a clear error message here. The layers below trust their types; there, a wrong
type would raise an error of Python or of compiled code.
"""

from collections.abc import Iterable
from typing import Any, Self

from canasta.engine.cards import JOKER, TWO
from canasta.errors import CanastaError, UnknownNameError
from canasta.i18n.safe_text import shown
from canasta.notation.cards import SUIT_SYMBOLS, format_card, parse_card, parse_cards, rank_of_card
from canasta.notation.errors import NotationError


class Card(int):
    """A card: `Card("Kd")` prints as `K♦`, and `Card("K")` is any king.

    A card is an integer, the same that views, moves and events use for it. Cards of one kind are equal,
    whichever deck they come from.

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


# -- arguments ----------------------------------------------------------------------------------------------


class WrongTypeError(CanastaError, TypeError):
    """The value has a type that cannot be used here; the message says what is required."""


def wrong_type(value: object, requirement: str) -> WrongTypeError:
    """Return an error that says what is required."""
    return WrongTypeError(f"{requirement}, and this is of type {type(value).__name__}")


def text_of(value: object, requirement: str) -> str:
    """Return a text. `requirement` starts the error message: `a move is a text`."""
    if not isinstance(value, str):
        raise wrong_type(value, requirement)
    return str(value)  # a subclass becomes a plain text


def number_of(value: object, requirement: str) -> int:
    """Return an integer. `requirement` starts the error message: `a seat is a whole number`."""
    if not isinstance(value, int):
        raise wrong_type(value, requirement)
    return value


def list_of(value: object, requirement: str) -> list[Any]:
    """Return an iterable as a list, in the same order."""
    if not isinstance(value, Iterable):
        raise wrong_type(value, requirement)
    return list(value)


def seat_of(value: object, count: int, what: str = "seat") -> int:
    """Return the number of a seat or side, which must be below `count`."""
    number = number_of(value, f"a {what} is a whole number")
    if not 0 <= number < count:
        raise UnknownNameError(f"there is no {what} {shown(number)}: they are 0 to {count - 1}")
    return number


def seed_of(value: object) -> str:
    """Return a seed as the text from which cards are dealt."""
    if not isinstance(value, (int, str)):
        raise wrong_type(value, "a seed is a whole number or a text")
    try:
        text = str(value)
        text.encode()
    except ValueError:  # thousands of digits, or broken characters
        raise WrongTypeError("a seed is a number or a text that can be written down") from None
    return text
