"""Fair cards, a commit-and-reveal protocol described in `docs/fair-cards.md`.

In a round, the server and each person at the table commit to a fresh seed of 32 bytes, the list of
commitments is closed, and only then are the seeds revealed. The cards are computed from the closed list and
all of its seeds. If a participant doesn't reveal a seed, the round is void, and another follows without them.

Hand 0 is the cut for seats and dealer, if the rules have one.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final

from canasta.engine.rng import Rng
from canasta.rules.model import PlainData

FAIR_2: Final = "canasta-fair-2"
SERVER: Final = -1
"""The server's number in place of a seat."""
CUT: Final = 0
"""The hand number of the cut."""

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


def is_seed(text: str) -> bool:
    """Return whether the text is a seed or a commitment: 64 lowercase hexadecimal digits (32 bytes)."""
    return _HEX.fullmatch(text) is not None


def seed_from_text(text: str) -> str:
    """Return the seed for a text that a player typed: a seed as it is, or the hash of any other text."""
    return text if is_seed(text) else hashlib.sha256(text.encode("utf-8")).hexdigest()


def participant_name(seat: int) -> str:
    """Return the participant's name: `server`, or `seat 2`."""
    return "server" if seat == SERVER else f"seat {seat}"


def commit_to(seed: str, *, table: str, hand: int, number: int, seat: int) -> str:
    """Return the commitment to a seed.

    It is bound to a table, hand, round and seat, so that it can't be copied from another player or reused.
    """
    text = "\n".join([f"{FAIR_2} commitment", table, str(hand), str(number), participant_name(seat), seed])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class FairStream(Rng):
    """Random numbers that anyone can compute from the key of a round, with a stream for each purpose."""

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
    """Return a stream that continues from this position."""
    stream = FairStream(key, purpose)
    stream._block = block
    stream._words = words.copy()
    return stream


@dataclass(frozen=True)
class Contribution(PlainData):
    """A participant's contribution to a round."""

    seat: int
    """The participant's seat, or `SERVER`."""
    commitment: str
    seed: str = ""
    """The revealed seed; empty until then."""


@dataclass(frozen=True)
class FairRound(PlainData):
    """A seed round whose list of commitments is closed."""

    table: str
    hand: int
    number: int
    """The number of the round: 1, plus one for each void round of this hand."""
    server: Contribution
    parts: tuple[Contribution, ...]
    """The players' contributions, in the order of their seats. Computer players contribute nothing."""

    @staticmethod
    def of_seeds(
        table: str, hand: int, server_seed: str, seeds: dict[int, str], *, number: int = 1
    ) -> "FairRound":
        """Return a round with these seeds and the commitments to them."""

        def part(seat: int, seed: str) -> Contribution:
            return Contribution(seat, commit_to(seed, table=table, hand=hand, number=number, seat=seat), seed)

        parts = tuple([part(seat, seeds[seat]) for seat in sorted(seeds)])
        return FairRound(table, hand, number, part(SERVER, server_seed), parts)

    @property
    def commitment(self) -> str:
        """The server's commitment."""
        return self.server.commitment

    @property
    def server_seed(self) -> str:
        return self.server.seed

    @property
    def contributors(self) -> tuple[int, ...]:
        return tuple([part.seat for part in self.parts])

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that did not reveal their seed, which makes the round void."""
        return tuple([part.seat for part in self.parts if not part.seed])

    def list_text(self) -> str:
        """Return the text of the closed list."""
        lines = [f"{FAIR_2} list", self.table, str(self.hand), str(self.number)]
        lines += [f"{participant_name(part.seat)} {part.commitment}" for part in (self.server, *self.parts)]
        return "\n".join(lines)

    def list_digest(self) -> str:
        return hashlib.sha256(self.list_text().encode("utf-8")).hexdigest()

    def key(self) -> bytes:
        """Return the key from which all random numbers of the hand are computed."""
        lines = [f"{FAIR_2} key", self.list_digest()]
        lines += [f"{participant_name(part.seat)} {part.seed}" for part in (self.server, *self.parts)]
        return hashlib.sha256("\n".join(lines).encode("utf-8")).digest()

    @property
    def is_in_order(self) -> bool:
        """Return whether each seat occurs once, in order."""
        return list(self.contributors) == sorted(set(self.contributors))

    @property
    def holds(self) -> bool:
        """Return whether every revealed seed matches its commitment."""
        return self.is_in_order and self.wrong_part() is None

    def wrong_part(self) -> Contribution | None:
        """Return the first contribution whose revealed seed doesn't match its commitment."""
        for part in (self.server, *self.parts):
            if part.seed and part.commitment != commit_to(
                part.seed, table=self.table, hand=self.hand, number=self.number, seat=part.seat
            ):
                return part
        return None

    def deck(self, cards: list[int], hand_number: int) -> list[int]:
        """Return the shuffled deck; `cards` are its cards in deck order."""
        assert hand_number == self.hand, "a round deals one hand"
        deck = cards.copy()
        FairStream(self.key(), "deck").shuffle(deck)
        return deck

    def rng(self, hand_number: int) -> Rng:
        """Return the random numbers for reshuffling the stock (DEAL-6)."""
        assert hand_number == self.hand, "a round deals one hand"
        return FairStream(self.key(), "stock")

    def first_dealer(self, seats: int) -> int:
        """Return the first dealer, for games in which chance picks one."""
        return FairStream(self.key(), "dealer").below(seats)

    def cut_rng(self) -> Rng:
        """Return the random numbers for the cut."""
        return FairStream(self.key(), "cut")
