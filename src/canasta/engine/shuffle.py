"""Where decks come from: a fast seeded shuffle for local play, and a fair one that anyone can verify.

The fair shuffle, version 1. Inputs: the server's seed (32 bytes, committed to by its SHA-256 before the
deal, revealed after it), the players' own seeds in seat order (a line of text each), the number of the
hand and the size of the deck.

1. message = "canasta-fair-1" | hand | n | seed of seat 0 | seed of seat 1 | …, in UTF-8, joined by "\\n".
2. block i = HMAC-SHA256(key = server seed, message | "\\n" | i), i = 0, 1, 2, … in decimal; each block gives
   eight big-endian 32-bit words.
3. The deck is put in order (`cards.full_deck`) and shuffled by Fisher–Yates from the last card down: for
   `last` from n - 1 to 1 a word w is taken, rejected while w >= 2**32 - 2**32 % (last + 1), and the cards at
   `last` and `w % (last + 1)` change places.

Where the rules shuffle a stock again (DEAL-6), the generator is `Rng` on the same inputs; see `FairDeal.rng`.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from canasta.engine.rng import Rng
from canasta.rules.plain_data import PlainData

FAIR_VERSION: Final = "canasta-fair-1"


@dataclass(frozen=True)
class FairDeal(PlainData):
    """The inputs of one fair shuffle."""

    server_seed: str
    """Hexadecimal."""
    player_seeds: tuple[str, ...]
    """In seat order."""

    @property
    def commitment(self) -> str:
        return commitment(bytes.fromhex(self.server_seed))

    def deck(self, cards: list[int], hand_number: int) -> list[int]:
        return fair_deck(
            cards,
            server_seed=bytes.fromhex(self.server_seed),
            player_seeds=list(self.player_seeds),
            hand_number=hand_number,
        )

    def rng(self, hand_number: int) -> Rng:
        """For a stock that has to be shuffled again."""
        return Rng("/".join([FAIR_VERSION, self.server_seed, *self.player_seeds, str(hand_number)]))


def hand_rng(seed: str, hand_number: int) -> Rng:
    """The generator for one hand of a match with this recorded seed."""
    return Rng(f"{seed}/hand/{hand_number}")


def commitment(server_seed: bytes) -> str:
    """What is published before the deal."""
    return hashlib.sha256(server_seed).hexdigest()


def fair_deck(
    cards: list[int], *, server_seed: bytes, player_seeds: list[str], hand_number: int
) -> list[int]:
    """The fair order of these cards (given in deck order); see the module's text for the algorithm."""
    if any("\n" in seed for seed in player_seeds):
        raise ValueError("a player's seed is one line of text")
    deck = cards.copy()
    parts = [FAIR_VERSION, str(hand_number), str(len(deck)), *player_seeds]
    message = "\n".join(parts).encode("utf-8")
    words: list[int] = []
    block = 0
    for last in range(len(deck) - 1, 0, -1):
        limit = 0x100000000 - 0x100000000 % (last + 1)
        while True:
            if not words:
                digest = hmac.new(server_seed, message + b"\n" + str(block).encode(), "sha256").digest()
                words = [int.from_bytes(digest[at : at + 4], "big") for at in range(28, -1, -4)]
                block += 1
            word = words.pop()
            if word < limit:
                break
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck
