"""What may stand after an option of the command line; argparse refuses the rest in its own way."""

from argparse import ArgumentTypeError
from math import inf, isfinite
from pathlib import Path
from typing import Final

WEIGHTS: Final = ".pt"
BESIDE: Final = (".memory", ".league", ".new")
"""What is kept beside the weights, under their name."""


def is_text(word: str) -> bool:
    """It can be written down: bytes that are no UTF-8 come in as halves of characters."""
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


def whole(text: str) -> int:
    """A whole number from 1 on."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return number


def amount(text: str) -> float:
    """A number from 0 on."""
    return _between(text, 0.0, inf, "is no number from 0 on")


def positive(text: str) -> float:
    """A number above 0."""
    number = amount(text)
    if number == 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return number


def part(text: str) -> float:
    """A part of a whole."""
    return _between(text, 0.0, 1.0, "is no part from 0 to 1")


def _between(text: str, least: float, most: float, why: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = inf
    if not isfinite(number) or not least <= number <= most:
        raise ArgumentTypeError(f"{text!r} {why}")
    return number


def weights_file(text: str) -> str:
    """Weights to be written: nothing beside them may have their name."""
    if Path(text).suffix != WEIGHTS:
        raise ArgumentTypeError(f"{text!r} does not end in {WEIGHTS}, as weights do")
    return text


def log_file(text: str) -> str:
    """A log to be written: no weights, and nothing that is kept beside them."""
    if Path(text).suffix in (WEIGHTS, *BESIDE):
        raise ArgumentTypeError(f"{text!r} ends as weights do, or as what is kept beside them")
    return text
