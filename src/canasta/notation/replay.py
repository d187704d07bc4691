"""Replaying records: strictly, up to the first line that the rules or the text do not allow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta.engine.cutting import Cut, cut_cards, is_cut, seeded_cut
from canasta.engine.fair import FairRound
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Refusal
from canasta.notation.cards import format_cards
from canasta.notation.fair_rounds import why_not_a_round, why_not_after
from canasta.notation.record import (
    CutMade,
    Entry,
    GameEnds,
    GameLeft,
    GameResult,
    HandEnds,
    HandStarts,
    Header,
    MoveMade,
    Remark,
    RoundVoid,
)
from canasta.notation.record_reader import RecordError, RecordReader, decode_record
from canasta.rules import Ruleset, RulesetError, resolve_ruleset

_BREAKS_OFF: Final = (
    "the record breaks off here: its last line must be the result of the game, or result: unfinished"
)
_DEALT_BY: Final = ("the seed of the record", "fair cards of version 1", "fair cards of version 2")
"""Where the cards of a hand come from, by the version of fair cards."""
_SEEDS_MISSING: Final = "a fair hand names the seed of every seat"


@dataclass(frozen=True)
class Problem:
    """Why a replay stopped, and at which line, counted from 1."""

    line: int
    message: str
    refusal: Refusal | None = None
    """Set where the rules refuse the move, which is then the message."""

    def told(self, tell: Callable[[Refusal], object]) -> str:
        """The message, with a refusal in the words of `tell`."""
        return (
            self.message
            if self.refusal is None
            else f"{self.message}: {self.refusal.clause}: {tell(self.refusal)}"
        )

    def __str__(self) -> str:
        return (
            f"line {self.line}: {self.message if self.refusal is None else f'{self.message}: {self.refusal}'}"
        )


@dataclass
class Replay:
    """How far a record goes: the match after its last good move."""

    header: Header | None = None
    match: Match | None = None
    moves: list[MoveMade] = field(default_factory=list)
    problem: Problem | None = None
    is_cut_off: bool = False
    """The last line of the text has no end and may have been longer."""

    breaks_off: Problem | None = None
    """All lines are good, but the last one is neither the end of the game nor says that it was left."""

    @property
    def is_good(self) -> bool:
        return self.problem is None and self.breaks_off is None


def replay(text: str | bytes) -> Replay:
    """Plays a record from its header to its end or its first problem; raises nothing."""
    replayer = Replayer(text)
    while replayer.step() is not None:
        pass
    return replayer.replay


class Replayer:
    """A record move by move: `step()` makes the next one in `replay.match`."""

    def __init__(self, text: str | bytes) -> None:
        self.replay = Replay()
        self._line = 1
        """The last line that was not a comment."""
        self._left: GameLeft | None = None
        self._hands = 0
        self._first: HandStarts | None = None
        self._cut_deal: HandStarts | None = None
        self._cut_told: CutMade | None = None
        self._unread: RecordError | None = None
        """A line before the first hand that cannot be read."""
        self.cut: Cut | None = None
        """What was cut for seats and dealer."""
        self.fair_hands: list[HandStarts] = []
        """The hands so far that were dealt from fair shuffles; the cut is hand 0."""
        self.void_rounds: list[FairRound] = []
        """Rounds of seeds that came to nothing, in order."""
        self._voids: list[FairRound] = []
        """Those of the hand that comes next."""
        self._version: int | None = None
        """Of fair cards, in the hand before; 0 where it was dealt without."""
        try:
            reader = RecordReader(decode_record(text) if isinstance(text, bytes) else text)
            self.replay.is_cut_off = reader.is_cut_off
            self.replay.header = reader.header()
            self._entries = self._from_first_hand(reader.entries())
            self._deal(self.replay.header)
        except RecordError as error:
            self._stop(error.line, error.problem)

    def _stop(self, line: int, message: str, refusal: Refusal | None = None) -> None:
        self.replay.problem = Problem(line, message, refusal)

    def _from_first_hand(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """The entries, looked at as far as the first hand: it tells where the cards come from."""
        passed: list[Entry] = []
        problem: RecordError | None = None
        try:
            for entry in entries:
                passed.append(entry)
                if isinstance(entry, CutMade):
                    self._cut_told = entry
                elif isinstance(entry, HandStarts) and entry.number == 0 and self._cut_deal is None:
                    self._cut_deal = entry
                elif not isinstance(entry, (Remark, RoundVoid)):
                    self._first = entry if isinstance(entry, HandStarts) else None
                    break
        except RecordError as error:
            problem = self._unread = error
        return _going_on(passed, problem, entries)

    def _deal(self, header: Header) -> None:
        try:
            rules = resolve_ruleset(header.rules, header.players, header.options, version=header.version)
        except RulesetError as error:
            message = "; ".join(str(defect) for defect in error.defects)
            raise RecordError(header.lines["rules"], message) from None
        if not 1 <= header.version <= rules.version:
            message = (
                f"the record was made by version {header.version} of {rules.name}; this program knows the "
                f"versions up to {rules.version}"
            )
            raise RecordError(header.lines["version"], message)
        self._make_cut(header, rules)
        fair = None if self._first is None else self._first.fair
        if self._first is not None:
            message = _why_not_dealt(self._first, 1, rules.seats.players)
            if message:
                raise RecordError(self._first.line, message)
            if isinstance(fair, FairRound) and self.cut is None:
                self._check_first_dealer(header, rules)
        dealer = header.first_dealer if self.cut is None else self.cut.seating.dealer
        self.replay.match = Match.new(rules, header.seed, first_dealer=dealer, fair=fair)

    def _check_first_dealer(self, header: Header, rules: Ruleset) -> None:
        """Where the seeds find the first dealer, nobody else does."""
        if is_cut(rules):
            assert self._first is not None
            raise RecordError(self._first.line, "by these rules the players cut first, and no cut is told")
        if header.first_dealer is not None:
            line = header.lines["first dealer"]
            raise RecordError(line, "the seeds find the first dealer, so the header must not name one")

    def _make_cut(self, header: Header, rules: Ruleset) -> None:
        """The cards are cut again, from the seeds."""
        told, dealt = self._cut_told, self._cut_deal
        if told is None:
            if dealt is not None:
                raise self._unread or RecordError(
                    dealt.line, "hand 0 is the cut, and the cards that were cut are not told"
                )
            return
        if not is_cut(rules):
            raise RecordError(told.line, "by these rules nobody cuts for the deal")
        if header.first_dealer is not None:
            line = header.lines["first dealer"]
            raise RecordError(line, "the cut finds the first dealer, so the header must not name one")
        if dealt is None:
            if self._first is not None and isinstance(self._first.fair, FairRound):
                # The name of the table is the server's choice, and so would the dealer be.
                raise RecordError(told.line, "the seeds of the cut are not told; they stand on a line hand 0")
            self.cut = seeded_cut(rules, header.seed)
        elif isinstance(dealt.fair, FairRound):
            self.cut = cut_cards(rules, dealt.fair.cut_rng())
        else:
            raise RecordError(dealt.line, "hand 0 is the cut, from a fair shuffle of version 2")

    def step(self) -> MoveMade | None:
        """Makes the next move and returns it; None at the end or at a problem."""
        match = self.replay.match
        if match is None or self.replay.problem is not None:
            return None
        try:
            for entry in self._entries:
                if isinstance(entry, Remark):
                    continue
                self._line = entry.line
                if self._left is not None:
                    self._stop(entry.line, f"the record has ended at line {self._left.line}")
                    return None
                if isinstance(entry, MoveMade):
                    return self._move(match, entry)
                message = self._wrong(match, entry)
                if message:
                    self._stop(entry.line, message)
                    return None
        except RecordError as error:
            self._stop(error.line, error.problem)
            return None
        self._check_result(match)
        return None

    def _move(self, match: Match, entry: MoveMade) -> MoveMade | None:
        text = str(entry.move)
        if not self._hands:
            self._stop(entry.line, "a line hand 1 must stand before the first move")
        elif entry.seat != match.hand.turn and not match.hand.over:
            self._stop(entry.line, f"{text}: seat {match.hand.turn} is to move, not seat {entry.seat}")
        else:
            refusal = match.check(entry.move)
            if refusal is None:
                match.apply(entry.move)
                self.replay.moves.append(entry)
                return entry
            self._stop(entry.line, text, refusal)
        return None

    def _wrong(self, match: Match, entry: Entry) -> str:
        """Deals where a hand begins, compares where one ends; what is wrong, or nothing."""
        if isinstance(entry, HandStarts):
            return self._hand_starts(match, entry)
        if isinstance(entry, RoundVoid):
            return self._void(match, entry)
        if isinstance(entry, CutMade):
            return self._cut_made(entry)
        if isinstance(entry, HandEnds):
            if not match.hand.over:
                return f"points, but hand {match.hand_number} is not over yet"
            points = tuple(sheet.total for sheet in match.hand.score_sheets())
            if entry.points != points:
                return f"the points of this hand are {_listed(points)}, not {_listed(entry.points)}"
        elif isinstance(entry, GameEnds):
            return _wrong_result(match, entry.result)
        elif isinstance(entry, GameLeft):
            self._left = entry
            return "the game is over, and was not left unfinished" if match.over else ""
        return ""

    def _hand_starts(self, match: Match, entry: HandStarts) -> str:
        if entry.number == 0 and entry is self._cut_deal:
            return self._fair_hand(entry, len(match.side_of))
        if self._hands:
            if match.over:
                return "the game is over, there is no next hand"
            if not match.hand.over:
                return f"hand {match.hand_number} is not over yet"
            message = _why_not_dealt(entry, match.hand_number + 1, len(match.side_of))
            if message:
                return message
            match.deal_next(entry.fair)
        self._hands += 1
        return self._fair_hand(entry, len(match.side_of))

    def _fair_hand(self, entry: HandStarts, players: int) -> str:
        """What is wrong with the seeds of a hand; they are noted otherwise."""
        voids, self._voids = self._voids, []
        message = self._why_not_this_way(entry)
        if message:
            return message
        if entry.fair is None:
            return "rounds of seeds came to nothing before a hand that has none" if voids else ""
        if isinstance(entry.fair, FairRound):
            message = why_not_a_round(entry.fair, players) or why_not_after(entry.fair, voids)
            if message:
                return message
        elif entry.fair.commitment != entry.commitment:
            return "the server's seed is not the one that it had committed to: these cards are not fair"
        self.fair_hands.append(entry)
        self.void_rounds += voids
        return ""

    def _why_not_this_way(self, entry: HandStarts) -> str:
        """A game that began with fair cards goes on with them: a hand without would be anybody's choice. Only
        tables of version 1 have changed in mid-game, to version 2."""
        version = 0 if entry.fair is None else 2 if isinstance(entry.fair, FairRound) else 1
        before, self._version = self._version, version
        if before in (None, version) or (before, version) == (1, 2):
            return ""
        came, comes = _DEALT_BY[before or 0], _DEALT_BY[version]
        return f"this hand comes from {comes} and the one before from {came}: these cards are not fair"

    def _void(self, match: Match, entry: RoundVoid) -> str:
        if not entry.fair.unrevealed:
            return "in a round that is void, somebody did not reveal"
        number = match.hand_number + 1 if self._hands else entry.fair.hand
        if entry.fair.hand != number:
            return f"the next hand is {number}, not {entry.fair.hand}"
        message = why_not_a_round(entry.fair, len(match.side_of), void=True)
        self._voids.append(entry.fair)
        return message

    def _cut_made(self, entry: CutMade) -> str:
        if entry is not self._cut_told or self._hands or self.cut is None:
            return "the players cut once, before the first hand"
        if entry.cards != self.cut.cards:
            true = ", ".join(format_cards(cards) for cards in self.cut.cards)
            return f"the cards that were cut are {true}"
        return ""

    def _check_result(self, match: Match) -> None:
        header = self.replay.header
        if header is None:
            return
        message = ""
        if not match.over and self._left is None and not header.unfinished:
            self.replay.breaks_off = Problem(max(self._line, *header.lines.values()), _BREAKS_OFF)
        elif header.result is not None:
            message = _wrong_result(match, header.result)
        elif header.unfinished and match.over:
            message = "the header says that the game is unfinished, it is over"
        if message:
            self._stop(header.lines["result"], message)


def _going_on(passed: list[Entry], problem: RecordError | None, entries: Iterator[Entry]) -> Iterator[Entry]:
    yield from passed
    if problem is not None:
        raise problem
    yield from entries


def _why_not_dealt(entry: HandStarts, number: int, players: int) -> str:
    """Why no hand of this number can be dealt so."""
    if entry.number != number:
        return f"this is hand {number}, not {entry.number}"
    if isinstance(entry.fair, FairRound):
        return why_not_a_round(entry.fair, players)
    if entry.fair is not None and len(entry.fair.player_seeds) != players:
        return _SEEDS_MISSING
    return ""


def _wrong_result(match: Match, result: GameResult) -> str:
    if not match.over:
        return "a result, but the game is not over"
    true = GameResult(match.winner, tuple(match.scores))
    return "" if result == true else f"the result is {true}, not {result}"


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
