"""Comparison of a transcript with the game's record, to check that the record is of the game that the viewer
saw."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from canasta.engine.match import Match
from canasta.notation.cards import format_card
from canasta.notation.record import Entry, HandStarts, Header, MoveMade
from canasta.notation.record_fairness import chain_values
from canasta.notation.record_reader import RecordError, RecordReader
from canasta.notation.replay import Replayer
from canasta.rules import RulesetError, resolve_ruleset
from canasta.table.fairness.observation import SHOWN, Observation, observe
from canasta.table.fairness.transcript import WitnessFile
from canasta.table.player_view import resting_view
from canasta.table.views import pile_view, table_state
from canasta.table.wire import SeatView

_ALWAYS: Final = tuple(name for name in SHOWN if name not in ("chain", "cards", "talon"))
_OWN: Final = ("cards", "talon")

Place = tuple[int, int]
"""A position in a game: the number of the hand, and the number of moves made in it."""


@dataclass(frozen=True)
class Difference:
    """The first difference between a record and a transcript."""

    code: str
    """`game` (another table or other rules), `missing` (a hand that was seen isn't in the record), `moves`
    (the record has other moves), `table` (cards on the table differ) or `nothing` (no state to compare)."""
    hand: int = 0
    state: int = 0
    what: str = ""
    """For `table`: the name of the field, `cards`."""


@dataclass
class Comparison:
    """The result of comparing a transcript with a record."""

    difference: Difference | None = None
    states: int = 0
    """Number of states that agree."""
    hands: list[int] = field(default_factory=list)
    """Hands that the viewer saw, at least in part."""
    seen_until: Place | None = None
    """The last position that was seen, if the record continues after it."""
    unrecorded: list[int] = field(default_factory=list)
    """Hands that were seen in play after the end of the record."""
    dropped: list[int] = field(default_factory=list)
    """Hands that were too large for the file."""


@dataclass(frozen=True)
class _ExpectedState:
    seat: int
    seen: Observation


def compare_with_record(record: str, file: WitnessFile) -> Comparison:
    """Compare a transcript with a record. Raises `FairnessError` if the transcript is invalid."""
    result = Comparison(dropped=sorted(set(file.dropped)))
    header, entries = _read(record)
    if header is None or not _is_same_game(header, file):
        result.difference = Difference("game")
        return result
    places = _places(entries)
    values = chain_values(header.seed, entries)[1:]
    at_value = {value: at for at, value in enumerate(values) if value}
    played = {place[0] for place in places}
    expected: dict[Place, list[_ExpectedState]] = {}
    last = -1
    for hand in sorted(file.hands, key=lambda hand: hand.hand):
        observations = hand.whole()
        if not observations:
            continue
        if hand.hand not in played:
            end = next((seen for seen in observations if seen.phase == "over"), None)
            if end is not None:
                result.difference = Difference("missing", hand.hand, end.state)
                return result
            result.unrecorded.append(hand.hand)
            continue
        result.hands.append(hand.hand)
        moves = 0
        for seen in observations:
            at = at_value.get(seen.chain, -1)
            moves = max([moves, *(event.move for event in (*seen.log, *seen.events))])
            is_there = places[at] == (hand.hand, moves) and 0 <= hand.seat < header.players
            if at < last or not is_there:
                result.difference = Difference("moves", hand.hand, seen.state)
                return result
            last = at
            expected.setdefault(places[at], []).append(_ExpectedState(hand.seat, seen))
    result.difference = _difference_at_table(record, expected, result)
    if not result.states and result.difference is None and not result.unrecorded:
        result.difference = Difference("nothing")
    if result.difference is None and 0 <= last < len(places) - 1:
        later = places[last + 1 :]
        result.seen_until = places[last] if any(place != places[last] for place in later) else None
    return result


def _read(record: str) -> tuple[Header | None, list[Entry]]:
    """Return the header and the entries up to the first that can't be read."""
    entries: list[Entry] = []
    header: Header | None = None
    with suppress(RecordError):
        reader = RecordReader(record)
        header = reader.header()
        entries.extend(reader.entries())
    return header, entries


def _is_same_game(header: Header, file: WitnessFile) -> bool:
    if (header.seed, header.rules, header.players) != (file.table, file.rules, file.players):
        return False
    try:
        recorded = resolve_ruleset(header.rules, header.players, header.options)
        seen = resolve_ruleset(file.rules, file.players, file.options)
    except RulesetError:
        return False
    return recorded == seen


def _places(entries: list[Entry]) -> list[Place]:
    """Return the position in the game after each entry."""
    places: list[Place] = []
    hand = moves = 0
    for entry in entries:
        if isinstance(entry, HandStarts):
            hand, moves = entry.number, 0
        elif isinstance(entry, MoveMade):
            moves += 1
        places.append((hand, moves))
    return places


def _difference_at_table(
    record: str, expected: dict[Place, list[_ExpectedState]], result: Comparison
) -> Difference | None:
    """Replay the record and compare every state that was seen."""
    left = dict(expected)
    for place, match in _replayed(record):
        for one in left.pop(place, ()):
            what = _first_unlike(match, one)
            if what:
                return Difference("table", place[0], one.seen.state, what)
            result.states += 1
    if left:
        place = min(left)
        return Difference("moves", place[0], left[place][0].seen.state)
    return None


def _replayed(record: str) -> Iterator[tuple[Place, Match]]:
    """Yield the place and the match after each deal and each move. The same match is updated in place."""
    replayer = Replayer(record)
    dealt: list[Match] = []

    def note_deal() -> None:
        if replayer.replay.match is not None:
            dealt.append(replayer.replay.match.copy())

    replayer.on_deal = note_deal
    moves = 0
    while True:
        made = replayer.step()
        if dealt:
            moves = 0
            for match in dealt:
                yield (match.hand_number, 0), match
            dealt.clear()
        match_now = replayer.replay.match
        if made is None or match_now is None:
            return
        moves += 1
        yield (match_now.hand_number, moves), match_now


def _first_unlike(match: Match, expected: _ExpectedState) -> str:
    """Return the name of the first field of the match that differs from what was seen."""
    true = _observed(match, expected.seat)
    names = set(_ALWAYS if expected.seen.cards is None else (*_OWN, *_ALWAYS))
    if not any(expected.seen.shows):
        # A deal of the day doesn't show the hands at once.
        names.discard("shows")
    return next((name for name in names if getattr(true, name) != getattr(expected.seen, name)), "")


def _observed(match: Match, seat: int) -> Observation:
    """Return what a viewer on this seat sees of a match."""
    hand = match.hand
    state = table_state(match, [SeatView() for _ in match.side_of], state=0)
    state.pile = pile_view(match, hand.view(seat))
    if seat not in match.sitting_out:
        state.you = resting_view(hand, seat)
    if hand.over:
        for shown in state.seats:
            shown.shows = [format_card(card) for card in hand.hand_cards(shown.seat)]
    return observe(state)
