"""The review of a hand and of a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.engine.hand import Hand
from canasta.engine.moves.types import Move
from canasta.notation.replay import Replay, Replayer
from canasta.review.choices import choices_of
from canasta.review.expected import Points, margin, minus, steps_to_the_end
from canasta.review.judging import FEWEST_CLEAR, KINDS, Decision, judged
from canasta.review.luck import Change, Course

WORLDS: Final = 96
"""Deals in which a decision is measured, where nobody asks for more or fewer."""
_OPEN_WORLDS: Final = 48
"""Orders of the stock by which a position is judged."""
_MOST_STEPS: Final = 1_400_000
"""Small steps by which positions of one hand are played on, about: a quarter of a minute. What would take
longer is judged in fewer deals, and then in fewer choices, so that no house rule makes a review endless."""
_FEWEST_WORLDS: Final = 2
"""Deals below which choices are left out instead: a single one does not tell how far off it is."""
_DEARER_RUNS: Final = 2
_DEARER_LONG_RUNS: Final = 6
"""Where sequences are played a step takes longer, and where they grow over the whole suit, much longer."""
_MOST_CHOICES: Final = 1_500
"""Choices of a hand that are judged, however short they are; nobody plays on so long."""

Progress = Callable[[int, int], None]
"""How many choices are judged, of how many."""


@dataclass(frozen=True)
class Accuracy:
    """Decisions of one kind."""

    count: int
    good: int
    """Those that were not clearly worse than the best."""
    lost: float
    """Points, all of them together."""
    error: float
    """The standard error of that."""
    against_club: float
    """Points that they brought more than the club player's choices would have, all together."""
    against_error: float


@dataclass(frozen=True)
class Shares:
    """Where a side's result comes from. The parts add up to the margin."""

    points: int
    margin: float
    """The side's points less the mean of the others'."""
    deal: float
    """What the cards promised when they were dealt."""
    draws: float
    """What came from the stock, to everybody."""
    lay: float
    """How the cards lay: what decisions led to that nobody could see when they were made. What was not judged
    at all is here too."""
    play: float
    """What the side's own decisions cost, against the best that was found."""
    others: float
    """… and what those of the others gave away."""

    @property
    def luck(self) -> float:
        return self.deal + self.draws + self.lay


@dataclass(frozen=True)
class Chance:
    """A stroke of luck, as it changed the margin of the side of the player who met it."""

    turn: int
    number: int
    seat: int
    drawn: bool
    """By cards from the stock; else by how the cards lay."""
    points: float
    error: float
    """The standard error of that."""
    change: Change


@dataclass
class HandReview:
    """One hand that was played to its end."""

    number: int
    worlds: int
    """Deals in which its decisions were measured."""
    choices: int
    """All that were made in it; of a hand that would take too long only the first are judged."""
    points: tuple[int, ...]
    """The result, by side."""
    side_of: tuple[int, ...]
    dealt: Points
    """Expected points by side, when the cards were dealt."""
    changes: list[Change] = field(default_factory=list)
    """Of the choices that were judged."""
    decisions: list[Decision] = field(default_factory=list)

    @property
    def can_be_clear(self) -> bool:
        """It was measured in deals enough that something can stand out."""
        return self.worlds >= FEWEST_CLEAR

    @property
    def rest(self) -> Points:
        """What the choices that were not judged changed, with all that was drawn there, in points by side."""
        return minus(self.points, self.changes[-1].expected if self.changes else self.dealt)

    def shares(self, side: int) -> Shares:
        whole = margin(self.points, side)
        deal = margin(self.dealt, side)
        draws = sum(margin(change.drawn, side) for change in self.changes)
        play = -sum(margin(each.lost, side) for each in self.decisions if self.side_of[each.seat] == side)
        others = -sum(margin(each.lost, side) for each in self.decisions if self.side_of[each.seat] != side)
        decided = sum(margin(change.decided, side) for change in self.changes)
        lay = decided - play - others + margin(self.rest, side)
        return Shares(self.points[side], whole, deal, draws, lay, play, others)

    def chances(self) -> list[Chance]:
        """Strokes of luck, in the order of play: cards that were drawn, and choices without a fault that led
        to something that nobody could see."""
        faults = {(each.number, len(each.played)) for each in self.decisions if each.loss}
        found: list[Chance] = []
        for change in self.changes:
            choice = change.choice
            side = self.side_of[choice.seat]
            lay, drawn = margin(change.decided, side), margin(change.drawn, side)
            if lay and (choice.number, len(choice.moves)) not in faults:
                error = change.decided_errors[side]
                found.append(Chance(choice.turn, choice.number, choice.seat, False, lay, error, change))
            if drawn:
                error = change.drawn_errors[side]
                found.append(Chance(choice.turn, choice.number, choice.seat, True, drawn, error, change))
        return found


@dataclass
class Review:
    """The hands of a record that were played to their end."""

    sides: int
    worlds: int
    seed: str
    hands: list[HandReview] = field(default_factory=list)

    def decisions(self, seat: int | None = None) -> list[Decision]:
        """Of one player or of all."""
        return [each for hand in self.hands for each in hand.decisions if seat in (None, each.seat)]

    def shares(self, side: int) -> Shares:
        """Of all hands together."""
        by_hand = [hand.shares(side) for hand in self.hands]
        return Shares(
            *(
                sum(getattr(shares, part) for shares in by_hand)
                for part in ("points", "margin", "deal", "draws", "lay", "play", "others")
            )
        )


def accuracy(decisions: Sequence[Decision]) -> dict[str, Accuracy]:
    """By kind of decision; kinds that did not come up are left out."""
    found: dict[str, Accuracy] = {}
    for kind in KINDS:
        those = [each for each in decisions if each.kind == kind]
        if those:
            found[kind] = summed(those)
    return found


def summed(decisions: Sequence[Decision]) -> Accuracy:
    return Accuracy(
        count=len(decisions),
        good=sum(not each.is_clear for each in decisions),
        lost=sum(each.loss for each in decisions),
        error=sum(each.error**2 for each in decisions) ** 0.5,
        against_club=sum(each.against_club for each in decisions),
        against_error=sum(each.against_error**2 for each in decisions) ** 0.5,
    )


@dataclass
class DealtHand:
    """A hand of a record: as it was dealt, and the moves that were made in it."""

    number: int
    hand: Hand
    moves: list[Move] = field(default_factory=list)
    points: tuple[int, ...] | None = None
    """None while it is not over."""


def hands_of(text: str, last: int = 0) -> tuple[Replay, list[DealtHand]]:
    """Plays a record, and tells its hands, as far as it holds, or to the end of the last that is wanted."""
    replayer = Replayer(text)
    match = replayer.replay.match
    hands: list[DealtHand] = []
    if match is None:
        return replayer.replay, hands

    def dealt() -> None:
        hands.append(DealtHand(match.hand_number, match.hand.copy()))

    replayer.on_deal = dealt
    while (made := replayer.step()) is not None:
        hands[-1].moves.append(made.move)
        if match.hand.over:
            hands[-1].points = tuple(sheet.total for sheet in match.sheets[-1])
            if hands[-1].number == last:
                break
    return replayer.replay, hands


def review_hand(
    dealt: DealtHand, *, worlds: int = WORLDS, seed: str = "", progress: Progress | None = None
) -> HandReview:
    """The review of a hand that is over; the same seed gives the same review."""
    assert dealt.points is not None, "the hand is over"
    choices = choices_of(dealt.hand, dealt.moves)
    steps = steps_to_the_end(dealt.hand.state)
    prepared = dealt.hand.state.prepared
    if prepared.runs:
        steps *= _DEARER_LONG_RUNS if prepared.long_runs else _DEARER_RUNS
    fewer, first = affordable(worlds, len(choices), steps)
    state = dealt.hand.state
    course = Course(state, f"{seed}/{dealt.number}/open", min(fewer, _OPEN_WORLDS))
    side_of = tuple(state.side_of)
    review = HandReview(dealt.number, fewer, len(choices), dealt.points, side_of, course.dealt)
    for done, choice in enumerate(choices[:first]):
        if progress is not None:
            progress(done, first)
        review.changes.append(course.follow(choice))
        decision = judged(choice, dealt.number, seed, fewer)
        if decision is not None:
            review.decisions.append(decision)
    if progress is not None:
        progress(first, first)
    return review


def affordable(worlds: int, choices: int, steps: int) -> tuple[int, int]:
    """In how many deals a hand of so many choices is judged, and how many of them, if from the deal on it is
    played to its end in so many steps. Who asks for more deals than is usual has more time.

    The first choices are judged and not some here and there: the course of expected points knows a position
    from the choice before it.

    >>> affordable(96, 100, 130), affordable(96, 400, 900), affordable(96, 1_717, 8_160)
    ((96, 100), (3, 400), (2, 85))
    """
    most = _MOST_STEPS * max(worlds, WORLDS) // WORLDS
    steps = max(1, steps)
    choices = min(choices, _MOST_CHOICES)
    deals = max(_FEWEST_WORLDS, min(worlds, most // max(1, choices * steps)))
    return deals, min(choices, most // (deals * steps))
