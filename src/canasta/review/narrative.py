"""Turning points: the moments that made the difference, each described in two or three sentences."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from canasta.engine.cards import card_text
from canasta.engine.state import OVER
from canasta.i18n import Facts
from canasta.i18n.catalogue import CARD, MOVE, SEVERAL
from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.review.evaluation import (
    CLEAR_ERRORS,
    DISCARDS,
    FREEZING,
    GOING_OUT,
    OPENINGS,
    TAKES,
    DecisionPoint,
    EvaluatedDecision,
    discard_of,
    is_take,
)
from canasta.review.hand import Chance, HandReview

MOST_DECISIONS: Final = 4
"""Maximum number of decisions mentioned for one hand."""
MOST_CHANCES: Final = 2
LEAST_CHANCE: Final = 100.0
"""Minimum effect, in points, for a stroke of luck to be mentioned."""


class TurningPoint(Struct, kw_only=True, frozen=True):
    """A moment of a hand: a decision that cost points, or a stroke of luck.

    This is plain data that can be presented in any language and to any player.
    """

    turn: int
    move: int
    """Index of the move in the hand, from 0; its position is the one before the move."""
    seat: int
    is_play: bool
    """Whether the moment was a decision rather than luck."""
    what: str
    """A code of the catalogue part `review`."""
    points: float
    """Gain of the player's side, in points; negative for a decision that lost points."""
    cards: list[str] = field(default_factory=list)
    """The cards that were drawn; empty for a decision."""
    played: list[str] = field(default_factory=list)
    best: list[str] = field(default_factory=list)
    pile: int = 0
    worlds: int = 0
    error: float = 0.0
    percent: int = 0
    """Percentage of the deals in which the best choice came out ahead."""


def turning_points(hand: HandReview) -> list[TurningPoint]:
    """Return the turning points of a hand."""
    chances = [
        each
        for each in (hand.chances() if hand.can_be_clear else ())
        if abs(each.points) >= max(LEAST_CHANCE, CLEAR_ERRORS * each.error)
    ]
    return [
        *(of_decision(each) for each in hand.decisions if each.is_clear),
        *(_of_chance(each) for each in chances),
    ]


def most_important(points: Sequence[TurningPoint], seat: int | None = None) -> list[TurningPoint]:
    """Return the most important turning points of one player or of all, in order of play."""
    own = sorted((each for each in points if seat in (None, each.seat)), key=lambda each: -abs(each.points))
    moments = [each for each in own if each.is_play][:MOST_DECISIONS]
    moments += [each for each in own if not each.is_play][:MOST_CHANCES]
    return sorted(moments, key=lambda each: (each.move, each.is_play))


def of_decision(decision: EvaluatedDecision) -> TurningPoint:
    return TurningPoint(
        turn=decision.turn,
        move=decision.number,
        seat=decision.seat,
        is_play=True,
        what=_code(decision),
        points=-decision.loss,
        played=list(map(str, decision.played)),
        best=list(map(str, decision.best)),
        pile=decision.pile,
        worlds=decision.worlds,
        error=decision.error,
        percent=round(100 * decision.ahead),
    )


def _code(decision: EvaluatedDecision) -> str:
    played, best = decision.played, decision.best
    if decision.kind == TAKES and is_take(played) != is_take(best):
        return "took" if is_take(played) else "let_go"
    if decision.kind == OPENINGS and bool(played) != bool(best):
        return "opened" if played else "waited"
    if decision.kind == FREEZING and decision.best_freezes != decision.freezes:
        return "froze" if decision.freezes else "left_open"
    if decision.kind == GOING_OUT and decision.goes_out != decision.best_goes_out:
        return "went_out" if decision.goes_out else "stayed"
    if (
        decision.kind in (DISCARDS, FREEZING)
        and discard_of(best) is not None
        and discard_of(played) is not None
    ):
        return "discarded"
    return "otherwise"


def _of_chance(chance: Chance) -> TurningPoint:
    choice = chance.change.choice
    cards = _drawn(choice) if chance.drawn else ()
    return TurningPoint(
        turn=chance.turn,
        move=chance.number,
        seat=chance.seat,
        is_play=False,
        what=f"{'drew' if cards else 'lay'}_{'well' if chance.points > 0 else 'badly'}",
        points=chance.points,
        error=chance.error,
        cards=list(map(card_text, cards)),
        played=list(map(str, choice.moves)),
    )


def _drawn(choice: DecisionPoint) -> tuple[int, ...]:
    """Return the cards that the choice added to the player's hand."""
    if choice.after.phase == OVER:
        return ()
    before, after = choice.before.cards_of(choice.seat), choice.after.cards_of(choice.seat)
    return tuple(kind for kind, count in enumerate(after) for _ in range(count - before[kind]))


def tell(point: TurningPoint, speaker: Speaker) -> list[str]:
    """Return the sentences for a turning point in the speaker's language, addressing the reader as `you`."""
    voice = speaker.voice
    name = speaker.name(point.seat)
    facts: dict[str, int | str] = {"name": name, "points": _round(point.points), "pile": point.pile}
    facts["text"] = describe_moves(point.played, voice)
    facts["cards"] = " ".join(point.cards)
    you = ".you" if point.seat == speaker.you else ""
    if point.what == "discarded":
        facts |= {
            "cards": discarded_card(point.played),
            "text": voice.fact(CARD + SEVERAL, discarded_card(point.best)),
        }
    sentences = [voice.say(f"review.{point.what}{you}", facts)]
    if not point.is_play:
        return sentences
    if point.what not in ("discarded", "took", "opened"):
        sentences.append(voice.say("review.better", {"text": describe_moves(point.best, voice)}))
    evidence: Facts = {
        "percent": point.percent,
        "count": point.worlds,
        "name": name,
        "short": max(5, _round(2 * point.error)),
    }
    return [*sentences, voice.say(f"review.evidence{you}", evidence)]


def describe_moves(moves: Sequence[str], voice: Voice) -> str:
    if not moves:
        return voice.say("review.nothing")
    return ", ".join(voice.fact(MOVE, move) for move in moves)


def discarded_card(moves: Sequence[str]) -> str:
    """Return the card discarded by these moves, which must include a discard."""
    return next(move.removeprefix("discard ") for move in moves if move.startswith("discard "))


def _round(points: float) -> int:
    """Round to five, like all scores, so that nobody mistakes an estimate for a count."""
    return 5 * round(abs(points) / 5)
