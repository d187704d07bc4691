"""Fair cards, version 2: everybody commits before anybody reveals; `docs/fair-cards.md` has it in words.

The server and each person at the table take part in a round: each commits to a fresh seed of 32 bytes, the
list of the commitments is closed, and only then the seeds are revealed. The cards follow from the closed list
and all of its seeds. A round in which somebody does not reveal is void, and another follows without them.

Hand 0 is the cut for seats and dealer, where the rules want one.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final

from canasta.engine.rng import Rng
from canasta.rules.plain_data import PlainData

FAIR_2: Final = "canasta-fair-2"
SERVER: Final = -1
"""Stands for the server where a seat is named."""
CUT: Final = 0
"""The number of the "hand" in which the players cut."""

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


def is_seed(text: str) -> bool:
    """32 bytes, as 64 small hexadecimal digits; commitments look the same."""
    return _HEX.fullmatch(text) is not None


def seed_from_text(text: str) -> str:
    """The seed that somebody means who types a word or a sentence instead of one."""
    return text if is_seed(text) else hashlib.sha256(text.encode("utf-8")).hexdigest()


def whose(seat: int) -> str:
    """`server`, or `seat 2`."""
    return "server" if seat == SERVER else f"seat {seat}"


def commit_to(seed: str, *, table: str, hand: int, number: int, seat: int) -> str:
    """The commitment to a seed. It holds for one table, hand, round and seat, so that nobody can take over
    somebody else's, or use one twice."""
    text = "\n".join([f"{FAIR_2} commitment", table, str(hand), str(number), whose(seat), seed])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class FairStream(Rng):
    """Random numbers that anybody can compute from the key of a round, one stream for each purpose."""

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__(purpose)
        self._key: bytes = key
        self._purpose: str = purpose
        self._block: int = 0
        self._words: list[int] = []

    def word(self) -> int:
        if not self._words:
            message = f"{FAIR_2} {self._purpose}\n{self._block}".encode()
            digest = hmac.new(self._key, message, "sha256").digest()
            self._words = [int.from_bytes(digest[at : at + 4], "big") for at in range(28, -1, -4)]
            self._block += 1
        return self._words.pop()

    def __reduce__(self) -> tuple[object, ...]:
        return (_stream_at, (self._key, self._purpose, self._block, self._words))


def _stream_at(key: bytes, purpose: str, block: int, words: list[int]) -> FairStream:
    """A stream that goes on from where another one was."""
    stream = FairStream(key, purpose)
    stream._block = block
    stream._words = words.copy()
    return stream


@dataclass(frozen=True)
class Part(PlainData):
    """What one contributes to a round."""

    seat: int
    """Or `SERVER`."""
    commitment: str
    seed: str = ""
    """Empty while it is not revealed."""


@dataclass(frozen=True)
class FairRound(PlainData):
    """A round whose list is closed."""

    table: str
    hand: int
    number: int
    """Of the round: 1, and one more after each that was void."""
    server: Part
    parts: tuple[Part, ...]
    """Of the people, in the order of their seats. Computer players contribute nothing."""

    @staticmethod
    def of_seeds(
        table: str, hand: int, server_seed: str, seeds: dict[int, str], *, number: int = 1
    ) -> "FairRound":
        """A round with all its seeds, and the commitments to them."""

        def part(seat: int, seed: str) -> Part:
            return Part(seat, commit_to(seed, table=table, hand=hand, number=number, seat=seat), seed)

        parts = tuple([part(seat, seeds[seat]) for seat in sorted(seeds)])
        return FairRound(table, hand, number, part(SERVER, server_seed), parts)

    @property
    def commitment(self) -> str:
        """The server's."""
        return self.server.commitment

    @property
    def server_seed(self) -> str:
        return self.server.seed

    @property
    def contributors(self) -> tuple[int, ...]:
        return tuple([part.seat for part in self.parts])

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that make the round void."""
        return tuple([part.seat for part in self.parts if not part.seed])

    def list_text(self) -> str:
        """The closed list."""
        lines = [f"{FAIR_2} list", self.table, str(self.hand), str(self.number)]
        lines += [f"{whose(part.seat)} {part.commitment}" for part in (self.server, *self.parts)]
        return "\n".join(lines)

    def list_digest(self) -> str:
        return hashlib.sha256(self.list_text().encode("utf-8")).hexdigest()

    def key(self) -> bytes:
        """What all random numbers of the hand follow from."""
        lines = [f"{FAIR_2} key", self.list_digest()]
        lines += [f"{whose(part.seat)} {part.seed}" for part in (self.server, *self.parts)]
        return hashlib.sha256("\n".join(lines).encode("utf-8")).digest()

    @property
    def is_in_order(self) -> bool:
        """Each seat is told once, in order."""
        return list(self.contributors) == sorted(set(self.contributors))

    @property
    def holds(self) -> bool:
        """The round is right by itself: every seed is the one committed to, as far as they are revealed."""
        return self.is_in_order and self.wrong_part() is None

    def wrong_part(self) -> Part | None:
        """The first seed that is not the one committed to."""
        for part in (self.server, *self.parts):
            if part.seed and part.commitment != commit_to(
                part.seed, table=self.table, hand=self.hand, number=self.number, seat=part.seat
            ):
                return part
        return None

    def deck(self, cards: list[int], hand_number: int) -> list[int]:
        """The order of these cards (given in deck order)."""
        assert hand_number == self.hand, "a round deals one hand"
        deck = cards.copy()
        FairStream(self.key(), "deck").shuffle(deck)
        return deck

    def rng(self, hand_number: int) -> Rng:
        """For a stock that has to be shuffled again (DEAL-6)."""
        assert hand_number == self.hand, "a round deals one hand"
        return FairStream(self.key(), "stock")

    def first_dealer(self, seats: int) -> int:
        """Where chance picks the first dealer."""
        return FairStream(self.key(), "dealer").below(seats)

    def cut_rng(self) -> Rng:
        """For the cards that the players cut."""
        return FairStream(self.key(), "cut")
