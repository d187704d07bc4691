"""Turning points: which moments made the difference, and two or three sentences about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import card_text
from canasta.engine.moves.types import Move
from canasta.engine.state import OVER
from canasta.review.choices import Choice
from canasta.review.hand import Chance, HandReview
from canasta.review.judging import (
    CLEAR_ERRORS,
    DISCARDS,
    FREEZING,
    GOING_OUT,
    OPENINGS,
    TAKES,
    Decision,
    discard_of,
    is_take,
)
from canasta.words import Facts, Voice
from canasta.words.events import Speaker
from canasta.words.facts import CARD, MOVE, SEVERAL

MOST_DECISIONS: Final = 4
"""Told of one hand."""
MOST_CHANCES: Final = 2
LEAST_CHANCE: Final = 100.0
"""Points below which a stroke of luck is not spoken of."""


@dataclass(frozen=True)
class TurningPoint:
    """A moment of a hand: a decision that cost points, or a stroke of luck."""

    hand: int
    turn: int
    number: int
    """Of its move in the hand, from 0 on."""
    seat: int
    code: str
    """Of the part `review`."""
    points: float
    """What it was worth to the player's side; a decision's loss is below zero."""
    decision: Decision | None = None
    cards: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def is_play(self) -> bool:
        return self.decision is not None


def turning_points(hand: HandReview, seat: int | None = None) -> list[TurningPoint]:
    """The moments that mattered most, for one player or for all, in the order of play."""
    clear = [each for each in hand.decisions if each.is_clear and seat in (None, each.seat)]
    clear.sort(key=lambda each: -each.loss)
    found = [of_decision(each) for each in clear[:MOST_DECISIONS]]
    chances = [
        each
        for each in (hand.chances() if hand.can_be_clear else ())
        if abs(each.points) >= max(LEAST_CHANCE, CLEAR_ERRORS * each.error) and seat in (None, each.seat)
    ]
    chances.sort(key=lambda each: -abs(each.points))
    found += [_of_chance(each, hand.number) for each in chances[:MOST_CHANCES]]
    return sorted(found, key=lambda each: (each.number, each.is_play))


def of_decision(decision: Decision) -> TurningPoint:
    return TurningPoint(
        decision.hand,
        decision.turn,
        decision.number,
        decision.seat,
        _code(decision),
        -decision.loss,
        decision,
        moves=decision.played,
    )


def _code(decision: Decision) -> str:
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


def _of_chance(chance: Chance, hand: int) -> TurningPoint:
    choice = chance.change.choice
    code = "drew" if chance.drawn else "lay"
    return TurningPoint(
        hand,
        chance.turn,
        chance.number,
        chance.seat,
        f"{code}_{'well' if chance.points > 0 else 'badly'}",
        chance.points,
        cards=_drawn(choice) if chance.drawn else (),
        moves=choice.moves,
    )


def _drawn(choice: Choice) -> tuple[int, ...]:
    """The cards that came into the hand and stayed there."""
    if choice.after.phase == OVER:
        return ()
    before, after = choice.before.cards_of(choice.seat), choice.after.cards_of(choice.seat)
    return tuple(kind for kind, count in enumerate(after) for _ in range(count - before[kind]))


def tell(point: TurningPoint, speaker: Speaker) -> list[str]:
    """Its sentences, in the speaker's language; the reader's own are said to the reader."""
    voice = speaker.voice
    name = speaker.name(point.seat)
    decision = point.decision
    facts: dict[str, int | str] = {"name": name, "points": _round(point.points), "pile": 0}
    facts["text"] = told_moves(point.moves, voice)
    facts["cards"] = " ".join(map(card_text, point.cards))
    code = point.code
    if code.startswith("drew_") and not point.cards:
        code = code.replace("drew", "lay")
    you = ".you" if point.seat == speaker.you else ""
    if decision is None:
        return [voice.say(f"review.{code}{you}", facts)]
    facts["pile"] = decision.pile
    if code == "discarded":
        played, best = discard_of(decision.played), discard_of(decision.best)
        assert played is not None
        assert best is not None
        facts |= {"cards": card_text(played), "text": voice.fact(CARD + SEVERAL, card_text(best))}
    said = [voice.say(f"review.{code}{you}", facts)]
    if code not in ("discarded", "took", "opened"):
        said.append(voice.say("review.better", {"text": told_moves(decision.best, voice)}))
    evidence: Facts = {
        "percent": round(100 * decision.ahead),
        "count": decision.worlds,
        "name": name,
        "short": max(5, _round(2 * decision.error)),
    }
    return [*said, voice.say(f"review.evidence{you}", evidence)]


def told_moves(moves: Sequence[Move], voice: Voice) -> str:
    if not moves:
        return voice.say("review.nothing")
    return ", ".join(voice.fact(MOVE, str(move)) for move in moves)


def _round(points: float) -> int:
    """To five, like all scores: nobody shall take an estimate for a count."""
    return 5 * round(abs(points) / 5)
