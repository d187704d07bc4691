"""Timeouts for the players' seeds: the clocks for `table.seed_rounds`."""

from collections.abc import Collection, Sequence
from typing import Final

from canasta.table.log import Entry, RoundVoided
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table

_FOR_THE_LOST: Final = 3
"""Factor by which a closed list waits longer for a disconnected player, who may return. It also limits the
whole round."""


class Patience:
    """Decides when to close the list of commitments without a player, and when a round is void."""

    def __init__(self, table: Table, seconds: float, now: float) -> None:
        self._table = table
        self._seconds = seconds
        self._since = now
        """Time at which the current stage of the round began; after a restart, when the table was loaded."""
        self._came: dict[int, float] = {}
        """Time of connection by seat: a player can't have known of the round before."""
        self._stage = self._where()

    def _where(self) -> tuple[int, int, bool, bool]:
        shuffling = self._table.shuffling
        return (shuffling.hand, shuffling.number, shuffling.asked, shuffling.closed)

    def look(self, now: float) -> None:
        """Update after a change of the table."""
        if self._where() != self._stage:
            self._stage, self._since = self._where(), now
            self._came.clear()

    def came(self, seat: int, now: float) -> None:
        """Note that the player in this seat has just connected."""
        self._came[seat] = now

    def following_entries(
        self, entries: Sequence[Entry], present: Collection[int], now: float
    ) -> list[Entry]:
        """Return the entries to append after these, which are about to be written."""
        shuffling = self._table.shuffling
        for entry in entries:
            shuffling = shuffling.after(entry)
        begins_now = shuffling.asked and not self._table.shuffling.asked

        def is_awaited(seat: int) -> bool:
            if begins_now:
                return self._seconds > 0
            return self._until(seat, present) > now

        return self._table.following_entries(entries, is_awaited)

    def open_for(self, seat: int, present: Collection[int], now: float) -> float:
        """Return the seconds for which the list of commitments stays open to this connected seat."""
        return self._until(seat, {*present, seat}) - now if self._table.is_dealing else self._seconds

    def _until(self, seat: int, present: Collection[int]) -> float:
        """Return the time until which the current round waits for this seat."""
        longest = self._since + self._seconds * _FOR_THE_LOST
        if seat in present:
            # Reconnecting again and again must not delay the deal forever.
            return min(max(self._since, self._came.get(seat, self._since)) + self._seconds, longest)
        return longest if self._table.shuffling.closed else self._since + self._seconds

    def _awaited(self) -> list[int]:
        shuffling = self._table.shuffling
        return shuffling.unrevealed if shuffling.closed else shuffling.missing(self._table.people)

    def due(self, present: Collection[int]) -> float | None:
        """Return when the round continues on its own; `None` if no deal is pending."""
        if not self._table.is_dealing:
            return None
        return max((self._until(seat, present) for seat in self._awaited()), default=self._since)

    def next_entries(self, present: Collection[int], now: float) -> list[Entry]:
        """Return the entries to append once the round is due."""
        if self._table.shuffling.closed and self._table.shuffling.unrevealed:
            voided: list[Entry] = [RoundVoided(next_seed=new_seed())]
            return [*voided, *self._after_void(voided)]
        return self.following_entries([], present, now)

    def _after_void(self, voided: Sequence[Entry]) -> list[Entry]:
        """Return the entries after a void round. If no player is left, the server deals alone at once."""
        return self._table.following_entries(voided, lambda _: self._seconds > 0)
