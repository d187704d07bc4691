"""Replaying records: strictly, up to the first line that the rules or the text do not allow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from canasta.engine.cutting import Cut, cut_cards, is_cut, seeded_cut
from canasta.engine.events import Event
from canasta.engine.fair import FairRound
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Facts
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
from canasta.notation.wrong import Wrong
from canasta.rules import Ruleset, RulesetError, resolve_ruleset


@dataclass
class Replay:
    """How far a record goes: the match after its last good move."""

    header: Header | None = None
    match: Match | None = None
    moves: list[MoveMade] = field(default_factory=list)
    problem: Wrong | None = None
    """Why it stopped."""
    is_cut_off: bool = False
    """The last line of the text has no end and may have been longer."""

    breaks_off: Wrong | None = None
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
        self.events: list[Event] = []
        """What the last move led to."""
        self.on_deal: Callable[[], None] | None = None
        """Called when a hand is dealt, before its first move."""
        try:
            reader = RecordReader(decode_record(text) if isinstance(text, bytes) else text)
            self.replay.is_cut_off = reader.is_cut_off
            self.replay.header = reader.header()
            self._entries = self._from_first_hand(reader.entries())
            self._deal(self.replay.header)
        except RecordError as error:
            self.replay.problem = error.wrong

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
            wrong = Wrong("", line=header.lines["rules"], defects=tuple(error.defects))
            raise RecordError(wrong) from None
        if not 1 <= header.version <= rules.version:
            facts: Facts = {"number": header.version, "name": rules.name, "most": rules.version}
            raise RecordError(Wrong("OTHER_VERSION", facts, header.lines["version"]))
        self._make_cut(header, rules)
        fair = None if self._first is None else self._first.fair
        if self._first is not None:
            problem = _why_not_dealt(self._first, 1, rules.seats.players)
            if problem is not None:
                raise RecordError(problem.at(self._first.line))
            if isinstance(fair, FairRound) and self.cut is None:
                self._check_first_dealer(header, rules)
        dealer = header.first_dealer if self.cut is None else self.cut.seating.dealer
        self.replay.match = Match.new(rules, header.seed, first_dealer=dealer, fair=fair)

    def _check_first_dealer(self, header: Header, rules: Ruleset) -> None:
        """Where the seeds find the first dealer, nobody else does."""
        if is_cut(rules):
            assert self._first is not None
            raise RecordError(Wrong("NO_CUT", line=self._first.line))
        if header.first_dealer is not None:
            raise RecordError(Wrong("DEALER_BY_SEEDS", line=header.lines["first dealer"]))

    def _make_cut(self, header: Header, rules: Ruleset) -> None:
        """The cards are cut again, from the seeds."""
        told, dealt = self._cut_told, self._cut_deal
        if told is None:
            if dealt is not None:
                raise self._unread or RecordError(Wrong("NO_CARDS_CUT", line=dealt.line))
            return
        if not is_cut(rules):
            raise RecordError(Wrong("NOBODY_CUTS", line=told.line))
        if header.first_dealer is not None:
            raise RecordError(Wrong("DEALER_BY_CUT", line=header.lines["first dealer"]))
        if dealt is None:
            if self._first is not None and isinstance(self._first.fair, FairRound):
                # The name of the table is the server's choice, and so would the dealer be.
                raise RecordError(Wrong("NO_SEEDS_OF_CUT", line=told.line))
            self.cut = seeded_cut(rules, header.seed)
        elif isinstance(dealt.fair, FairRound):
            self.cut = cut_cards(rules, dealt.fair.cut_rng())
        else:
            raise RecordError(Wrong("OLD_SEEDS_OF_CUT", line=dealt.line))

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
                problem = self._wrong(match, entry)
                if problem is not None:
                    self.replay.problem = problem.at(entry.line)
                    return None
                if isinstance(entry, MoveMade):
                    return entry
        except RecordError as error:
            self.replay.problem = error.wrong
            return None
        self._check_result(match)
        return None

    def _move(self, match: Match, entry: MoveMade) -> Wrong | None:
        """Makes a move, or says why not."""
        text = str(entry.move)
        if not self._hands:
            return Wrong("NO_HAND_YET")
        if entry.seat != match.hand.turn and not match.hand.over:
            return Wrong("OTHER_TURN", {"written": text, "needed": match.hand.turn, "have": entry.seat})
        refusal = match.check(entry.move)
        if refusal is not None:
            return Wrong("REFUSED", {"written": text}, refusal=refusal)
        self.events = match.apply(entry.move)
        self.replay.moves.append(entry)
        return None

    def _wrong(self, match: Match, entry: Entry) -> Wrong | None:
        """Makes moves, deals where a hand begins, compares where one ends; what is wrong, if anything."""
        if self._left is not None:
            return Wrong("ENDED_BEFORE", {"number": self._left.line})
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
                return Wrong("HAND_NOT_OVER", {"number": match.hand_number})
            points = tuple(sheet.total for sheet in match.hand.score_sheets())
            if entry.points != points:
                return Wrong("OTHER_POINTS", {"written": _listed(points), "text": _listed(entry.points)})
        elif isinstance(entry, GameEnds):
            return _wrong_result(match, entry.result)
        elif isinstance(entry, GameLeft):
            self._left = entry
            return Wrong("NOT_UNFINISHED") if match.over else None
        return None

    def _hand_starts(self, match: Match, entry: HandStarts) -> Wrong | None:
        if entry.number == 0 and entry is self._cut_deal:
            return self._fair_hand(entry, len(match.side_of))
        if self._hands:
            if match.over:
                return Wrong("NO_NEXT_HAND")
            if not match.hand.over:
                return Wrong("HAND_NOT_OVER", {"number": match.hand_number})
            problem = _why_not_dealt(entry, match.hand_number + 1, len(match.side_of))
            if problem is not None:
                return problem
            match.deal_next(entry.fair)
        self._hands += 1
        problem = self._fair_hand(entry, len(match.side_of))
        if problem is None and self.on_deal is not None:
            self.on_deal()
        return problem

    def _fair_hand(self, entry: HandStarts, players: int) -> Wrong | None:
        """What is wrong with the seeds of a hand; they are noted otherwise."""
        voids, self._voids = self._voids, []
        problem = self._why_not_this_way(entry)
        if problem is not None:
            return problem
        if entry.fair is None:
            return Wrong("VOIDS_WITHOUT_SEEDS") if voids else None
        if isinstance(entry.fair, FairRound):
            problem = why_not_a_round(entry.fair, players) or why_not_after(entry.fair, voids)
            if problem is not None:
                return problem
        elif entry.fair.commitment != entry.commitment:
            return Wrong("OTHER_SERVER_SEED")
        self.fair_hands.append(entry)
        self.void_rounds += voids
        return None

    def _why_not_this_way(self, entry: HandStarts) -> Wrong | None:
        """A game that began with fair cards goes on with them: a hand without would be anybody's choice. Only
        tables of version 1 have changed in mid-game, to version 2."""
        version = 0 if entry.fair is None else 2 if isinstance(entry.fair, FairRound) else 1
        before, self._version = self._version, version
        if before in (None, version) or (before, version) == (1, 2):
            return None
        return Wrong("FAIR_NO_MORE" if version == 0 else "FAIR_TOO_LATE" if before == 0 else "FAIR_AS_BEFORE")

    def _void(self, match: Match, entry: RoundVoid) -> Wrong | None:
        if not entry.fair.unrevealed:
            return Wrong("VOID_FOR_NOTHING")
        number = match.hand_number + 1 if self._hands else entry.fair.hand
        if entry.fair.hand != number:
            return Wrong("OTHER_NEXT_HAND", {"needed": number, "have": entry.fair.hand})
        problem = why_not_a_round(entry.fair, len(match.side_of), void=True)
        self._voids.append(entry.fair)
        return problem

    def _cut_made(self, entry: CutMade) -> Wrong | None:
        if entry is not self._cut_told or self._hands or self.cut is None:
            return Wrong("SECOND_CUT")
        if entry.cards != self.cut.cards:
            true = ", ".join(format_cards(cards) for cards in self.cut.cards)
            return Wrong("OTHER_CARDS_CUT", {"written": true})
        return None

    def _check_result(self, match: Match) -> None:
        header = self.replay.header
        if header is None:
            return
        problem: Wrong | None = None
        if not match.over and self._left is None and not header.unfinished:
            self.replay.breaks_off = Wrong(
                "BREAKS_OFF", {"written": "result: unfinished"}, max(self._line, *header.lines.values())
            )
        elif header.result is not None:
            problem = _wrong_result(match, header.result)
        elif header.unfinished and match.over:
            problem = Wrong("NOT_UNFINISHED")
        if problem is not None:
            self.replay.problem = problem.at(header.lines["result"])


def _going_on(passed: list[Entry], problem: RecordError | None, entries: Iterator[Entry]) -> Iterator[Entry]:
    yield from passed
    if problem is not None:
        raise problem
    yield from entries


def _why_not_dealt(entry: HandStarts, number: int, players: int) -> Wrong | None:
    """Why no hand of this number can be dealt so."""
    if entry.number != number:
        return Wrong("OTHER_NEXT_HAND", {"needed": number, "have": entry.number})
    if isinstance(entry.fair, FairRound):
        return why_not_a_round(entry.fair, players)
    if entry.fair is not None and len(entry.fair.player_seeds) != players:
        return Wrong("SEEDS_MISSING")
    return None


def _wrong_result(match: Match, result: GameResult) -> Wrong | None:
    if not match.over:
        return Wrong("GAME_NOT_OVER")
    true = GameResult(match.winner, tuple(match.scores))
    return None if result == true else Wrong("OTHER_RESULT", {"written": str(true), "text": str(result)})


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
