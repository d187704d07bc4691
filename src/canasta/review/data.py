"""A review as plain data, for programs and for the browser."""

from typing import Any

from canasta.review.hand import HandReview, Review, Shares, accuracy, summed
from canasta.review.judging import Decision
from canasta.review.telling import TurningPoint, tell, turning_points
from canasta.words.events import Speaker


def as_data(review: Review, speaker: Speaker, seat: int | None = None) -> dict[str, Any]:
    """With the decisions of one seat or of all; points are rounded to tenths."""
    return {
        "worlds": review.worlds,
        "seed": review.seed,
        "hands": [_hand(hand, speaker, seat) for hand in review.hands],
        "sides": [_shares(review.shares(side)) for side in range(review.sides)],
        "seats": {
            str(other): _accuracy(review.decisions(other))
            for other in range(len(speaker.names))
            if seat in (None, other)
        },
    }


def _hand(hand: HandReview, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    return {
        "number": hand.number,
        "worlds": hand.worlds,
        "choices": hand.choices,
        "judged": len(hand.changes),
        "points": list(hand.points),
        "sides": [_shares(hand.shares(side)) for side in range(len(hand.points))],
        "dealt": [round(points, 1) for points in hand.dealt],
        "course": [
            {
                "move": change.choice.number + len(change.choice.moves),
                "seat": change.choice.seat,
                "expected": [round(points, 1) for points in change.expected],
            }
            for change in hand.changes
            if change.choice.moves
        ],
        "decisions": [_decision(each) for each in hand.decisions if seat in (None, each.seat)],
        "turning_points": [_turning_point(each, speaker) for each in turning_points(hand, seat)],
    }


def _shares(shares: Shares) -> dict[str, Any]:
    return {
        "points": shares.points,
        "ahead": round(shares.margin, 1),
        "luck": round(shares.luck, 1),
        "deal": round(shares.deal, 1),
        "draws": round(shares.draws, 1),
        "lay": round(shares.lay, 1),
        "play": round(shares.play, 1),
        "others": round(shares.others, 1),
    }


def _accuracy(decisions: list[Decision]) -> dict[str, Any]:
    return {
        kind: {
            "count": found.count,
            "good": found.good,
            "lost": round(found.lost, 1),
            "error": round(found.error, 1),
        }
        for kind, found in {**accuracy(decisions), "all": summed(decisions)}.items()
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "turn": decision.turn,
        "move": decision.number,
        "seat": decision.seat,
        "kind": decision.kind,
        "played": list(map(str, decision.played)),
        "best": list(map(str, decision.best)),
        "loss": round(decision.loss, 1),
        "error": round(decision.error, 1),
        "worlds": decision.worlds,
        "candidates": decision.candidates,
        "clear": decision.is_clear,
    }


def _turning_point(point: TurningPoint, speaker: Speaker) -> dict[str, Any]:
    return {
        "turn": point.turn,
        "move": point.number,
        "seat": point.seat,
        "is": "play" if point.is_play else "luck",
        "what": point.code,
        "points": round(point.points, 1),
        "text": " ".join(tell(point, speaker)),
    }
