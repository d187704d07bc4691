"""Argument validation for the public API, so that every invalid value gets a clear error message.

The layers below trust their types; there, a wrong type would raise an error of Python or of compiled code.
"""

from collections.abc import Iterable
from typing import Any

from canasta.errors import CanastaError
from canasta.rules.defects import shown


class WrongType(CanastaError, TypeError):
    """The value has a type that cannot be used here; the message says what is required."""


class NoSuchSeat(CanastaError, IndexError):
    """The number is not that of a seat, or of a side."""


def wrong(value: object, wanted: str) -> WrongType:
    """Return an error that says what is required."""
    return WrongType(f"{wanted}, and this is of type {type(value).__name__}")


def text_of(value: object, wanted: str) -> str:
    """Return a text. `wanted` starts the error message: `a move is a text`."""
    if not isinstance(value, str):
        raise wrong(value, wanted)
    return str(value)  # a subclass becomes a plain text


def number_of(value: object, wanted: str) -> int:
    """Return an integer. `wanted` starts the error message: `a seat is a whole number`."""
    if not isinstance(value, int):
        raise wrong(value, wanted)
    return value


def list_of(value: object, wanted: str) -> list[Any]:
    """Return an iterable as a list, in the same order."""
    if not isinstance(value, Iterable):
        raise wrong(value, wanted)
    return list(value)


def seat_of(value: object, count: int, what: str = "seat") -> int:
    """Return the number of a seat or side, which must be below `count`."""
    number = number_of(value, f"a {what} is a whole number")
    if not 0 <= number < count:
        raise NoSuchSeat(f"there is no {what} {shown(number)}: they are 0 to {count - 1}")
    return number


def seed_of(value: object) -> str:
    """Return a seed as the text from which cards are dealt."""
    if not isinstance(value, (int, str)):
        raise wrong(value, "a seed is a whole number or a text")
    try:
        text = str(value)
        text.encode()
    except ValueError:  # thousands of digits, or broken characters
        raise WrongType("a seed is a number or a text that can be written down") from None
    return text
