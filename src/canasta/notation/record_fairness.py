"""The evidence of fair play in a record: its seed rounds, and its hash (see `docs/fair-cards-format.md`).

A table shows the hash of the entries so far with every state. Later, anyone with the record can compute the
same values and so prove that it is the record of the game they saw. The hash is keyed with the server's seed
of the hand, which is secret until the hand is over: an unkeyed hash would let anyone try out hidden cards,
such as a last card discarded face down.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from canasta.engine.fairness import SERVER, FairRound
from canasta.notation.errors import FileProblem
from canasta.notation.record import Entry, GameLeft, HandStarts, Remark, RoundVoid, format_entry

CHAIN: Final = "canasta-log-1"


class RecordChain:
    """The hash of the entries so far, in `value`.

    It becomes empty at the first hand that isn't dealt from fair cards.
    """

    def __init__(self, table: str) -> None:
        self.value: str = hashlib.sha256(f"{CHAIN}\n{table}".encode()).hexdigest()
        self._key = b""

    def extend(self, entry: Entry) -> str:
        """Add an entry and return the new hash. Comments and the end of an unfinished game change nothing."""
        if isinstance(entry, (Remark, GameLeft)):
            return self.value
        key = self._key
        if isinstance(entry, RoundVoid):
            key = _key_of(entry.fair)
        elif isinstance(entry, HandStarts):
            key = self._key = b"" if entry.fair is None else _key_of(entry.fair)
        if not key or not self.value:
            self.value = ""
        else:
            text = f"{self.value}\n{chain_line(entry)}".encode()
            self.value = hmac.new(key, text, "sha256").hexdigest()
        return self.value


def chain_values(table: str, entries: Iterable[Entry]) -> list[str]:
    """Return the hash before the first entry and after each of them."""
    chain = RecordChain(table)
    return [chain.value, *map(chain.extend, entries)]


def chain_line(entry: Entry) -> str:
    """Return the text of an entry that is hashed: its line in a record, without comment and secret seeds."""
    if isinstance(entry, HandStarts) and entry.fair is not None:
        return f"hand {entry.number} {entry.fair.list_digest()}"
    if isinstance(entry, (Remark, GameLeft)):
        return format_entry(entry)
    return format_entry(replace(entry, comment=""))


def _key_of(fair: FairRound) -> bytes:
    return hashlib.sha256(f"{CHAIN} key\n{fair.server_seed}".encode()).digest()


def why_not_a_round(fair: FairRound, players: int, *, void: bool = False) -> FileProblem | None:
    """Return what is wrong with a round on its own, or `None`."""
    unknown = [seat for seat in fair.contributors if seat >= players]
    if unknown:
        return FileProblem("NO_SEAT", {"number": unknown[0], "players": players})
    if fair.unrevealed and not void:
        return FileProblem("NOT_REVEALED", {"number": fair.unrevealed[0]})
    if not fair.is_in_order:
        return FileProblem("ROUND_NOT_IN_ORDER")
    part = fair.wrong_part()
    if part is None:
        return None
    return (
        FileProblem("OTHER_SERVER_SEED")
        if part.seat == SERVER
        else FileProblem("OTHER_SEED", {"number": part.seat})
    )


def why_not_after(fair: FairRound, voids: Sequence[FairRound]) -> FileProblem | None:
    """Return what is wrong with a round that follows these void rounds, or `None`.

    No player may join after the first round; otherwise somebody could retry until the cards suit them.
    """
    rounds = [*voids, fair]
    for number, one in enumerate(rounds, 1):
        if one.hand != fair.hand or one.number != number:
            return FileProblem("ROUND_MISSING", {"round": number, "number": fair.hand})
    for before, after in pairwise(rounds):
        if not set(after.contributors) <= set(before.contributors) - set(before.unrevealed):
            return FileProblem("LATE_IN_ROUND")
    return None
