"""A small random number generator with the same output compiled or interpreted, on any machine.

It is Marsaglia's xorshift128 on 32-bit words, seeded through SHA-256. Use it for local play, simulation and
search. Cards that strangers must be able to trust come from a fair shuffle instead (see `fairness`).
"""

import hashlib
from typing import Final

from mypy_extensions import i64

_WORD: Final = 0xFFFFFFFF


class Rng:
    """A seeded stream of random numbers."""

    def __init__(self, seed: str) -> None:
        digest = hashlib.sha256(seed.encode("utf-8")).digest()
        self._x: i64 = int.from_bytes(digest[0:4], "big")
        self._y: i64 = int.from_bytes(digest[4:8], "big")
        self._z: i64 = int.from_bytes(digest[8:12], "big")
        # Force a non-zero state: xorshift never leaves the all-zero state.
        self._w: i64 = int.from_bytes(digest[12:16], "big") | 1

    def word(self) -> i64:
        """Return the next 32 random bits."""
        t: i64 = self._x ^ ((self._x << 11) & _WORD)
        self._x = self._y
        self._y = self._z
        self._z = self._w
        self._w = self._w ^ (self._w >> 19) ^ t ^ (t >> 8)
        return self._w

    def below(self, bound: int) -> int:
        """Return a uniform random number from 0 to `bound - 1`, where 1 <= bound <= 2**32."""
        most: i64 = bound
        limit: i64 = 0x100000000 - 0x100000000 % most
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % most

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a list in place (Fisher-Yates)."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            card = cards[last]
            cards[last] = cards[other]
            cards[other] = card

    def __reduce__(self) -> tuple[object, ...]:
        return (_at, (self._x, self._y, self._z, self._w))


def _at(x: int, y: int, z: int, w: int) -> Rng:
    """Return a generator that continues from this state."""
    rng = Rng("")
    rng._x, rng._y, rng._z, rng._w = x, y, z, w
    return rng
