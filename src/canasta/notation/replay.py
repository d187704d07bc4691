"""Replay records strictly: stop at the first line that is illegal or cannot be read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from canasta.engine.events import Event
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.engine.seating import Cut, cut_cards, is_cut, seeded_cut
from canasta.i18n import Facts
from canasta.notation.cards import format_cards
from canasta.notation.errors import FileProblem
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
from canasta.notation.record_fairness import why_not_a_round, why_not_after
from canasta.notation.record_reader import RecordError, RecordReader, decode_record
from canasta.rules import Ruleset, RulesetError, resolve_ruleset


@dataclass
class Replay:
    """The result of a replay: how far the record goes, and the match after its last valid move."""

    header: Header | None = None
    match: Match | None = None
    moves: list[MoveMade] = field(default_factory=list)
    problem: FileProblem | None = None
    """Why the replay stopped, or `None`."""
    is_cut_off: bool = False
    """Whether the last line has no line end, so that part of it may be missing."""

    breaks_off: FileProblem | None = None
    """Set if all lines are valid but the record ends with neither a result nor an abandoned game."""

    @property
    def is_good(self) -> bool:
        return self.problem is None and self.breaks_off is None


def replay(text: str | bytes) -> Replay:
    """Replay a record to its end or its first problem. Never raise."""
    replayer = Replayer(text)
    while replayer.step() is not None:
        pass
    return replayer.replay


class Replayer:
    """Replays a record move by move: `step()` makes the next move in `replay.match`."""

    def __init__(self, text: str | bytes) -> None:
        self.replay = Replay()
        self._line = 1
        """Number of the last line that was not a comment."""
        self._left: GameLeft | None = None
        self._hands = 0
        self._first: HandStarts | None = None
        self._cut_deal: HandStarts | None = None
        self._cut_told: CutMade | None = None
        self._unread: RecordError | None = None
        """The error of an unreadable line before the first hand."""
        self.cut: Cut | None = None
        """The cut for seats and dealer."""
        self.fair_hands: list[HandStarts] = []
        """The hands so far that were dealt from fair shuffles; the cut is hand 0."""
        self.void_rounds: list[FairRound] = []
        """Void seed rounds, in order."""
        self._voids: list[FairRound] = []
        """Void rounds of the hand that comes next."""
        self._is_fair: bool | None = None
        """Whether the previous hand came from a fair shuffle."""
        self.events: list[Event] = []
        """The events of the last move."""
        self.on_deal: Callable[[], None] | None = None
        """Called when a hand is dealt, before its first move."""
        try:
            reader = RecordReader(decode_record(text) if isinstance(text, bytes) else text)
            self.replay.is_cut_off = reader.is_cut_off
            self.replay.header = reader.header()
            self._entries = self._from_first_hand(reader.entries())
            self._deal(self.replay.header)
        except RecordError as error:
            self.replay.problem = error.problem

    def _from_first_hand(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Return all entries, after reading ahead to the first hand to see where the cards come from."""
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
            wrong = FileProblem("", line=header.lines["rules"], defects=tuple(error.defects))
            raise RecordError(wrong) from None
        if not 1 <= header.version <= rules.version:
            facts: Facts = {"number": header.version, "name": rules.name, "most": rules.version}
            raise RecordError(FileProblem("OTHER_VERSION", facts, header.lines["version"]))
        self._make_cut(header, rules)
        fair = None if self._first is None else self._first.fair
        if self._first is not None:
            problem = _why_not_dealt(self._first, 1, rules.seats.players)
            if problem is not None:
                raise RecordError(problem.at(self._first.line))
            if fair is not None and self.cut is None:
                self._check_first_dealer(header, rules)
        dealer = header.first_dealer if self.cut is None else self.cut.seating.dealer
        self.replay.match = Match.new(rules, header.seed, first_dealer=dealer, fair=fair)

    def _check_first_dealer(self, header: Header, rules: Ruleset) -> None:
        """Raise an error if the seeds determine the first dealer but the record names one."""
        if is_cut(rules):
            assert self._first is not None
            raise RecordError(FileProblem("NO_CUT", line=self._first.line))
        if header.first_dealer is not None:
            raise RecordError(FileProblem("DEALER_BY_SEEDS", line=header.lines["first dealer"]))

    def _make_cut(self, header: Header, rules: Ruleset) -> None:
        """Recompute the cut from the seeds."""
        shown, dealt = self._cut_told, self._cut_deal
        if shown is None:
            if dealt is not None:
                raise self._unread or RecordError(FileProblem("NO_CARDS_CUT", line=dealt.line))
            return
        if not is_cut(rules):
            raise RecordError(FileProblem("NOBODY_CUTS", line=shown.line))
        if header.first_dealer is not None:
            raise RecordError(FileProblem("DEALER_BY_CUT", line=header.lines["first dealer"]))
        if dealt is None:
            if self._first is not None and self._first.fair is not None:
                # The server chooses the name of the table, so it could have chosen the dealer too.
                raise RecordError(FileProblem("NO_SEEDS_OF_CUT", line=shown.line))
            self.cut = seeded_cut(rules, header.seed)
        elif dealt.fair is not None:
            self.cut = cut_cards(rules, dealt.fair.cut_rng())
        else:
            raise RecordError(FileProblem("CUT_WITHOUT_SEEDS", line=dealt.line))

    def step(self) -> MoveMade | None:
        """Make the next move and return it; `None` at the end or at a problem."""
        match = self.replay.match
        if match is None or self.replay.problem is not None:
            return None
        try:
            for entry in self._entries:
                if isinstance(entry, Remark):
                    continue
                self._line = entry.line
                problem = self._wrong(match, entry)
                if problem is not None:
                    self.replay.problem = problem.at(entry.line)
                    return None
                if isinstance(entry, MoveMade):
                    return entry
        except RecordError as error:
            self.replay.problem = error.problem
            return None
        self._check_result(match)
        return None

    def _move(self, match: Match, entry: MoveMade) -> FileProblem | None:
        """Make a move, or return why it is not possible."""
        text = str(entry.move)
        if not self._hands:
            return FileProblem("NO_HAND_YET")
        if entry.seat != match.hand.turn and not match.hand.over:
            return FileProblem("OTHER_TURN", {"written": text, "needed": match.hand.turn, "have": entry.seat})
        refusal = match.check(entry.move)
        if refusal is not None:
            return FileProblem("REFUSED", {"written": text}, refusal=refusal)
        self.events = match.apply(entry.move)
        self.replay.moves.append(entry)
        return None

    def _wrong(self, match: Match, entry: Entry) -> FileProblem | None:
        """Process an entry: make a move, deal a hand, or compare the scores.

        Return what is wrong, if anything.
        """
        if self._left is not None:
            return FileProblem("ENDED_BEFORE", {"number": self._left.line})
        if isinstance(entry, MoveMade):
            return self._move(match, entry)
        if isinstance(entry, HandStarts):
            return self._hand_starts(match, entry)
        if isinstance(entry, RoundVoid):
            return self._void(match, entry)
        if isinstance(entry, CutMade):
            return self._cut_made(entry)
        if isinstance(entry, HandEnds):
            if not match.hand.over:
                return FileProblem("HAND_NOT_OVER", {"number": match.hand_number})
            points = tuple(sheet.total for sheet in match.hand.score_sheets())
            if entry.points != points:
                return FileProblem(
                    "OTHER_POINTS", {"written": _listed(points), "text": _listed(entry.points)}
                )
        elif isinstance(entry, GameEnds):
            return _wrong_result(match, entry.result)
        elif isinstance(entry, GameLeft):
            self._left = entry
            return FileProblem("NOT_UNFINISHED") if match.over else None
        return None

    def _hand_starts(self, match: Match, entry: HandStarts) -> FileProblem | None:
        if entry.number == 0 and entry is self._cut_deal:
            return self._fair_hand(entry, len(match.side_of))
        if self._hands:
            if match.over:
                return FileProblem("NO_NEXT_HAND")
            if not match.hand.over:
                return FileProblem("HAND_NOT_OVER", {"number": match.hand_number})
            problem = _why_not_dealt(entry, match.hand_number + 1, len(match.side_of))
            if problem is not None:
                return problem
            match.deal_next(entry.fair)
        self._hands += 1
        problem = self._fair_hand(entry, len(match.side_of))
        if problem is None and self.on_deal is not None:
            self.on_deal()
        return problem

    def _fair_hand(self, entry: HandStarts, players: int) -> FileProblem | None:
        """Return what is wrong with the seeds of a hand; record them if nothing is."""
        voids, self._voids = self._voids, []
        problem = self._why_not_this_way(entry)
        if problem is not None:
            return problem
        if entry.fair is None:
            return FileProblem("VOIDS_WITHOUT_SEEDS") if voids else None
        problem = why_not_a_round(entry.fair, players) or why_not_after(entry.fair, voids)
        if problem is not None:
            return problem
        self.fair_hands.append(entry)
        self.void_rounds += voids
        return None

    def _why_not_this_way(self, entry: HandStarts) -> FileProblem | None:
        """Check that either all hands of a game have fair cards or none has.

        Otherwise somebody could have chosen the cards of the hands without them.
        """
        is_fair = entry.fair is not None
        before, self._is_fair = self._is_fair, is_fair
        if before in (None, is_fair):
            return None
        return FileProblem("FAIR_TOO_LATE" if is_fair else "FAIR_NO_MORE")

    def _void(self, match: Match, entry: RoundVoid) -> FileProblem | None:
        if not entry.fair.unrevealed:
            return FileProblem("VOID_FOR_NOTHING")
        number = match.hand_number + 1 if self._hands else entry.fair.hand
        if entry.fair.hand != number:
            return FileProblem("OTHER_NEXT_HAND", {"needed": number, "have": entry.fair.hand})
        problem = why_not_a_round(entry.fair, len(match.side_of), void=True)
        self._voids.append(entry.fair)
        return problem

    def _cut_made(self, entry: CutMade) -> FileProblem | None:
        if entry is not self._cut_told or self._hands or self.cut is None:
            return FileProblem("SECOND_CUT")
        if entry.cards != self.cut.cards:
            true = ", ".join(format_cards(cards) for cards in self.cut.cards)
            return FileProblem("OTHER_CARDS_CUT", {"written": true})
        return None

    def _check_result(self, match: Match) -> None:
        header = self.replay.header
        if header is None:
            return
        problem: FileProblem | None = None
        if not match.over and self._left is None and not header.unfinished:
            self.replay.breaks_off = FileProblem(
                "BREAKS_OFF", {"written": "result: unfinished"}, max(self._line, *header.lines.values())
            )
        elif header.result is not None:
            problem = _wrong_result(match, header.result)
        elif header.unfinished and match.over:
            problem = FileProblem("NOT_UNFINISHED")
        if problem is not None:
            self.replay.problem = problem.at(header.lines["result"])


def _going_on(passed: list[Entry], problem: RecordError | None, entries: Iterator[Entry]) -> Iterator[Entry]:
    yield from passed
    if problem is not None:
        raise problem
    yield from entries


def _why_not_dealt(entry: HandStarts, number: int, players: int) -> FileProblem | None:
    """Return why a hand with this number cannot be dealt in this way, or `None`."""
    if entry.number != number:
        return FileProblem("OTHER_NEXT_HAND", {"needed": number, "have": entry.number})
    return None if entry.fair is None else why_not_a_round(entry.fair, players)


def _wrong_result(match: Match, result: GameResult) -> FileProblem | None:
    if not match.over:
        return FileProblem("GAME_NOT_OVER")
    true = GameResult(match.winner, tuple(match.scores))
    return (
        None if result == true else FileProblem("OTHER_RESULT", {"written": str(true), "text": str(result)})
    )


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
