"""A review as plain data, for programs, the browser and the terminal."""

from typing import Any

import msgspec
from msgspec import Struct, field

from canasta.i18n.events import Speaker
from canasta.review.evaluation import EvaluatedDecision
from canasta.review.hand import HandReview, Review, Shares, accuracy, summed
from canasta.review.narrative import TurningPoint, most_important, tell, turning_points


class SharesReport(Struct, kw_only=True):
    """The sources of a side's result: luck, its own play and the others' play add up to its lead.

    Luck consists of the deal, the draws and the layout of the hidden cards.
    """

    points: int
    ahead: float
    luck: float
    deal: float
    draws: float
    lay: float
    play: float
    others: float


class CoursePoint(Struct, kw_only=True):
    """Expected points by side after a number of moves. `seat` made the last of them."""

    move: int
    seat: int
    expected: list[float]


class DecisionReport(Struct, kw_only=True):
    turn: int
    move: int
    """Index of its first move; its position is the one before that move."""
    seat: int
    kind: str
    played: list[str]
    """Moves in notation."""
    best: list[str]
    loss: float
    """Expected points that the best alternative would have added."""
    error: float
    """Standard error of the loss."""
    against_club: float
    """Expected gain over the club player's own choice, in points."""
    worlds: int
    candidates: int
    clear: bool
    """Whether it clearly was a mistake: the loss is significant and large enough to mention."""


class HandReport(Struct, kw_only=True):
    """The review of one hand; points are rounded to tenths."""

    number: int
    worlds: int
    """Number of possible deals in which the decisions of the hand were evaluated."""
    choices: int
    judged: int
    """Number of choices that were evaluated: fewer than `choices` if evaluating all would take too long."""
    points: list[int]
    sides: list[SharesReport]
    dealt: list[float]
    """Expected points by side at the deal."""
    course: list[CoursePoint]
    decisions: list[DecisionReport]
    turning_points: list[TurningPoint] = field(default_factory=list)
    """All moments that stand out."""


def hand_report(hand: HandReview) -> HandReport:
    return HandReport(
        number=hand.number,
        worlds=hand.worlds,
        choices=hand.choices,
        judged=len(hand.changes),
        points=list(hand.points),
        sides=[_shares(hand.shares(side)) for side in range(len(hand.points))],
        dealt=[round(points, 1) for points in hand.dealt],
        course=[
            CoursePoint(
                move=change.choice.number + len(change.choice.moves),
                seat=change.choice.seat,
                expected=[round(points, 1) for points in change.expected],
            )
            for change in hand.changes
            if change.choice.moves
        ],
        decisions=[_decision(each) for each in hand.decisions],
        turning_points=turning_points(hand),
    )


def as_data(review: Review, speaker: Speaker, seat: int | None = None) -> dict[str, Any]:
    """Return a review as plain data, with the decisions of one seat or of all."""
    return {
        "worlds": review.worlds,
        "seed": review.seed,
        "hands": [_hand(hand_report(hand), speaker, seat) for hand in review.hands],
        "sides": [msgspec.to_builtins(_shares(review.shares(side))) for side in range(review.sides)],
        "seats": {
            str(other): _accuracy(review.decisions(other))
            for other in range(len(speaker.names))
            if seat in (None, other)
        },
    }


def _hand(told: HandReport, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    hand: dict[str, Any] = msgspec.to_builtins(told)
    hand["decisions"] = [each for each in hand["decisions"] if seat in (None, each["seat"])]
    hand["turning_points"] = [
        {
            "turn": each.turn,
            "move": each.move,
            "seat": each.seat,
            "is": "play" if each.is_play else "luck",
            "what": each.what,
            "points": round(each.points, 1),
            "text": " ".join(tell(each, speaker)),
        }
        for each in most_important(told.turning_points, seat)
    ]
    return hand


def _shares(shares: Shares) -> SharesReport:
    return SharesReport(
        points=shares.points,
        ahead=round(shares.margin, 1),
        luck=round(shares.luck, 1),
        deal=round(shares.deal, 1),
        draws=round(shares.draws, 1),
        lay=round(shares.lay, 1),
        play=round(shares.play, 1),
        others=round(shares.others, 1),
    )


def _accuracy(decisions: list[EvaluatedDecision]) -> dict[str, Any]:
    return {
        kind: {
            "count": found.count,
            "good": found.good,
            "lost": round(found.lost, 1),
            "error": round(found.error, 1),
            "against_club": round(found.against_club, 1),
            "against_error": round(found.against_error, 1),
        }
        for kind, found in {**accuracy(decisions), "all": summed(decisions)}.items()
    }


def _decision(decision: EvaluatedDecision) -> DecisionReport:
    return DecisionReport(
        turn=decision.turn,
        move=decision.number,
        seat=decision.seat,
        kind=decision.kind,
        played=list(map(str, decision.played)),
        best=list(map(str, decision.best)),
        loss=round(decision.loss, 1),
        error=round(decision.error, 1),
        against_club=round(decision.against_club, 1),
        worlds=decision.worlds,
        candidates=decision.candidates,
        clear=decision.is_clear,
    )
