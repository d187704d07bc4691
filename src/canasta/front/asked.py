"""What is asked at the front door is looked at here, so that every wrong value is told in a sentence.

Below it types are trusted: a wrong one would be answered in the words of Python, or of the compiler.
"""

from collections.abc import Iterable
from typing import Any

from canasta.errors import CanastaError
from canasta.rules.defects import shown


class WrongType(CanastaError, TypeError):
    """Something of a type that cannot be used here; the message says what is wanted."""


class NoSuchSeat(CanastaError, IndexError):
    """There is no seat, or no side, of this number."""


def wrong(value: object, wanted: str) -> WrongType:
    """The error that says what is wanted."""
    return WrongType(f"{wanted}, and this is of type {type(value).__name__}")


def text_of(value: object, wanted: str) -> str:
    """A text; `wanted` begins the sentence: `a move is a text`."""
    if not isinstance(value, str):
        raise wrong(value, wanted)
    return str(value)  # of a class of somebody's own, it is a plain text from here on


def number_of(value: object, wanted: str) -> int:
    """A whole number; `wanted` begins the sentence: `a seat is a whole number`."""
    if not isinstance(value, int):
        raise wrong(value, wanted)
    return value


def list_of(value: object, wanted: str) -> list[Any]:
    """Several of something, in their order, as a list."""
    if not isinstance(value, Iterable):
        raise wrong(value, wanted)
    return list(value)


def seat_of(value: object, count: int, what: str = "seat") -> int:
    """The number of a seat or a side, of which there are so many."""
    number = number_of(value, f"a {what} is a whole number")
    if not 0 <= number < count:
        raise NoSuchSeat(f"there is no {what} {shown(number)}: they are 0 to {count - 1}")
    return number


def seed_of(value: object) -> str:
    """A seed as the text that cards are dealt from."""
    if not isinstance(value, (int, str)):
        raise wrong(value, "a seed is a whole number or a text")
    try:
        text = str(value)
        text.encode()
    except ValueError:  # a number of thousands of digits, half a sign
        raise WrongType("a seed is a number or a text that can be written down") from None
    return text
