"""Argument types of the command line; argparse rejects invalid values."""

from argparse import ArgumentTypeError
from math import inf, isfinite
from pathlib import Path
from typing import Final

WEIGHTS: Final = ".pt"
BESIDE: Final = (".memory", ".league", ".new")
"""Extensions of files stored next to the weights, under their name."""


def is_text(word: str) -> bool:
    """Return whether the word can be encoded. Arguments that aren't valid UTF-8 contain surrogates."""
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


def whole(text: str) -> int:
    """Parse an integer of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return number


def amount(text: str) -> float:
    """Parse a number of at least 0."""
    return _between(text, 0.0, inf, "is no number from 0 on")


def positive(text: str) -> float:
    """Parse a number above 0."""
    number = amount(text)
    if number == 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return number


def part(text: str) -> float:
    """Parse a number from 0 to 1."""
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
    """Parse the path of weights to be written. No file stored next to them may have the same name."""
    if Path(text).suffix != WEIGHTS:
        raise ArgumentTypeError(f"{text!r} does not end in {WEIGHTS}, as weights do")
    return text


def log_file(text: str) -> str:
    """Parse the path of a log to be written, which must not be weights or a file stored next to them."""
    if Path(text).suffix in (WEIGHTS, *BESIDE):
        raise ArgumentTypeError(f"{text!r} ends as weights do, or as what is kept beside them")
    return text
