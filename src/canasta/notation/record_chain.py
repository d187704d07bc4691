"""The hash of a record, entry by entry: `docs/fair-cards.md` specifies it.

A table shows the hash with every state. Later, anyone with the record can compute the same values and so
prove that it is the record of the game they saw. The hash is keyed with the server's seed of the hand, which
is secret until the hand is over: an unkeyed hash would let anyone try out hidden cards, such as a last card
discarded face down.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from canasta.engine.fairness import FairRound
from canasta.notation.record import Entry, GameLeft, HandStarts, Remark, RoundVoid, format_entry

CHAIN: Final = "canasta-log-1"


class RecordChain:
    """The hash of the entries so far, in `value`.

    It is empty from the first hand on that isn't dealt from fair cards.
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
