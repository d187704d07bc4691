"""Transcripts: everything a viewer saw of a game, and their file format (`canasta-witness-1`).

The browser saves the same format. `canasta verify --witness` compares a transcript with the record of the
game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec
from msgspec import Struct

from canasta.rules.field_types import Value
from canasta.table.fairness.observation import (
    FairnessError,
    Observation,
    ObservedChange,
    change_between,
    observation_after,
    observe,
)
from canasta.table.wire import EventView, FairRoundView, TableState

FORMAT: Final = "canasta-witness-1"
FAIR: Final = "fair"
"""The tag of verdicts among the events of a table."""
LARGEST_FILE: Final = 16_000_000
"""Maximum size in bytes of a file that is read."""
MOST_HANDS: Final = 100
MOST_BYTES: Final = 12_000_000
"""Maximum size in bytes of the saved observations. If they are larger, the observations of the oldest hands
are left out, and the file lists those hands."""
_MOST_ENTRIES: Final = 2_000
"""Maximum number of hands, verdicts or seeds in a file that is read."""
_MOST_OBSERVATIONS: Final = 100_000


class KeptSeed(Struct, kw_only=True):
    """A seed that the viewer revealed, and the round it was revealed for."""

    hand: int
    round: int
    seat: int
    seed: str
    commitment: str
    server: str
    """The server's commitment."""
    listed: str
    """The digest of the closed list."""


class Verdict(Struct, frozen=True):
    """The result of checking a hand, or the cut as hand 0."""

    hand: int
    result: str

    def event(self) -> EventView:
        """Return the verdict as an event for the table's log; its text is in the catalogue part
        `events.fair`."""
        return EventView(what=FAIR, count=self.hand, phrase=self.result)


class SavedHand(Struct, kw_only=True):
    """The part of one hand that the viewer was shown."""

    hand: int
    seat: int
    dealer: int
    fair: FairRoundView | None = None
    """The seeds, as shown when the hand was over."""
    void: list[FairRoundView] = []
    observations: list[ObservedChange] = []

    def whole(self) -> list[Observation]:
        """Return the full observations, rebuilt from the saved changes. Raises `FairnessError`."""
        observations: list[Observation] = []
        for change in self.observations:
            try:
                observations.append(observation_after(observations[-1] if observations else None, change))
            except ValueError as error:
                raise FairnessError("other") from error
        return observations


class WitnessFile(Struct, kw_only=True):
    """A saved transcript."""

    format: Literal["canasta-witness-1"] = FORMAT
    table: str
    """The name that the seeds are bound to."""
    rules: str
    players: int
    options: dict[str, Value]
    kept: list[KeptSeed]
    verdicts: list[Verdict]
    hands: list[SavedHand]
    dropped: list[int]
    """Hands whose observations were left out because the file would have been too large."""


@dataclass
class HandTranscript:
    """Everything that a viewer was shown of one hand."""

    hand: int
    seat: int
    dealer: int
    observations: list[Observation] = field(default_factory=list)
    sees_cards: bool = False
    """The viewer was dealt cards, or sits out this hand."""
    fair: FairRoundView | None = None
    void: list[FairRoundView] = field(default_factory=list)

    @property
    def has_deal(self) -> bool:
        """Whether the viewer was shown the hand from its deal on."""
        first = self.observations[0]
        return any(event.what == "dealt" for event in (*first.events, *first.log))

    def add(self, state: TableState) -> bool:
        """Add the visible part of a state. Return whether anything was new."""
        seen = observe(state)
        self.sees_cards |= seen.cards is not None or state.seats[self.seat].sits_out
        if change_between(self.observations[-1] if self.observations else None, seen) is None:
            return False
        self.observations.append(seen)
        return True

    def saved(self) -> SavedHand:
        changes: list[ObservedChange] = []
        before: Observation | None = None
        for seen in self.observations:
            change = change_between(before, seen)
            before = seen
            if change is not None:
                changes.append(change)
        return SavedHand(
            hand=self.hand,
            seat=self.seat,
            dealer=self.dealer,
            fair=self.fair,
            void=list(self.void),
            observations=changes,
        )


def encode_transcript(file: WitnessFile) -> bytes:
    """Return a transcript in file format. If it is too large, the oldest observations are left out."""
    hands = sorted(file.hands, key=lambda hand: hand.hand)
    room, dropped = MOST_BYTES, set(file.dropped)
    for number, hand in enumerate(reversed(hands)):
        room -= len(msgspec.json.encode(hand.observations))
        if (number >= MOST_HANDS or room < 0) and hand.observations:
            dropped.add(hand.hand)
    kept = [
        msgspec.structs.replace(hand, observations=[]) if hand.hand in dropped else hand for hand in hands
    ]
    return msgspec.json.encode(msgspec.structs.replace(file, hands=kept, dropped=sorted(dropped)))


_DECODER: Final = msgspec.json.Decoder(WitnessFile)


def decode_transcript(content: bytes) -> WitnessFile:
    """Read a transcript. Raises `FairnessError`."""
    if len(content) > LARGEST_FILE:
        raise FairnessError("too_large")
    try:
        file = _DECODER.decode(content)
    except msgspec.ValidationError as error:
        raise FairnessError("other") from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise FairnessError("not_json") from error
    lists: tuple[Sequence[object], ...] = (file.hands, file.dropped, file.verdicts, file.kept)
    observations = sum(len(hand.observations) for hand in file.hands)
    if max(map(len, lists)) > _MOST_ENTRIES or observations > _MOST_OBSERVATIONS:
        raise FairnessError("too_large")
    return file
