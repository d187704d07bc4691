"""A sequence on the table packed into one number: its suit, lowest rank and length."""

from typing import Final

NO_SUIT: Final = 4
"""The suit of a run whose cards need not share one."""


def run_suit(run: int) -> int:
    return (run >> 8) & 7


def run_low(run: int) -> int:
    return (run >> 4) & 15


def run_length(run: int) -> int:
    return run & 15


def pack_run(suit: int, low: int, length: int) -> int:
    return (suit << 8) | (low << 4) | length
