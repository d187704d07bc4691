"""Goals of a table for practice: what its player is to do, as the rules see it.

A goal is a word and what it is about: `meld K 4`, `canasta natural`, `discard 3b`, `out`. What lies on the
table is looked at as it lies now, so that melds that are taken back do not count; what cannot be taken
back is looked up among the events.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from canasta.engine.cards import JOKER, RANK_OF, TWO
from canasta.engine.cards_in_play import NOT_A_CANASTA
from canasta.engine.events import (
    Answered,
    Asked,
    BonusLaid,
    CalientePlayed,
    Discarded,
    DiscardedFaceDown,
    Drew,
    Event,
    FootPickedUp,
    HandEnded,
    Passed,
    PilePutBack,
    PileTaken,
    PotTaken,
    SpecialLaid,
    TalonDealt,
    TopCardTaken,
)
from canasta.engine.match import Match
from canasta.engine.meld_names import KIND_NAMES
from canasta.errors import CanastaError
from canasta.notation.cards import any_of, format_card
from canasta.table.wire import GoalView, PracticeView


class WrongGoal(CanastaError, ValueError):
    """No goal is written like this."""


class Tried(NamedTuple):
    """What somebody has done so far, and how the table stands."""

    match: Match
    seat: int
    events: Sequence[Event]

    @property
    def side(self) -> int:
        return self.match.side_of[self.seat]

    def did(self, kind: type[Event]) -> int:
        """How often the seat did this."""
        return sum(
            isinstance(event, kind) and getattr(event, "seat", -1) == self.seat for event in self.events
        )


Words = tuple[str, ...]


def _number(words: Words, usual: int = 1) -> int:
    return int(words[-1]) if words and words[-1].isdigit() else usual


def _meld(tried: Tried, words: Words) -> bool:
    """`meld K 4`: so many cards of the rank lie there; `meld run 5`: so many in one sequence."""
    sizes = [
        len(meld.cards) for meld in tried.match.hand.melds(tried.side) if _is_of(str(meld.name), words[0])
    ]
    wanted = _number(words[1:], 3)
    return max(sizes, default=0) >= wanted if words[0] == "run" else sum(sizes) >= wanted


def _is_of(name: str, wanted: str) -> bool:
    return name.partition("#")[0] == wanted


def _wild(tried: Tried, words: Words) -> bool:
    """`wild Q`: a wild card lies with the cards of the rank."""
    return any(
        _is_of(str(meld.name), words[0]) and any(RANK_OF[card] in (JOKER, TWO) for card in meld.cards)
        for meld in tried.match.hand.melds(tried.side)
    )


def _melds(tried: Tried, words: Words) -> bool:
    return len(tried.match.hand.melds(tried.side)) >= _number(words)


def _canasta(tried: Tried, words: Words) -> bool:
    """`canasta`, `canasta natural`, `canasta any 2`."""
    kinds = [meld.canasta for meld in tried.match.hand.melds(tried.side) if meld.canasta != NOT_A_CANASTA]
    kind = next((word for word in words if word in KIND_NAMES), "")
    return sum(not kind or KIND_NAMES[each] == kind for each in kinds) >= _number(words)


def _take(tried: Tried, _: Words) -> bool:
    return tried.did(PileTaken) + tried.did(TopCardTaken) > tried.did(PilePutBack)


def _discard(tried: Tried, words: Words) -> bool:
    """`discard` any card, or one of these ranks."""
    return any(
        isinstance(event, Discarded)
        and event.seat == tried.seat
        and (not words or format_card(any_of(RANK_OF[event.card])) in words)
        for event in tried.events
    )


def _freeze(tried: Tried, _: Words) -> bool:
    return any(
        isinstance(event, Discarded) and event.seat == tried.seat and event.froze for event in tried.events
    )


def _answer(tried: Tried, words: Words) -> bool:
    return any(
        isinstance(event, Answered) and event.seat == tried.seat and event.yes == ("yes" in words)
        for event in tried.events
    )


def _out(tried: Tried, _: Words) -> bool:
    """A player of the side has ended the hand."""
    return any(
        isinstance(event, HandEnded) and event.out >= 0 and tried.match.side_of[event.out] == tried.side
        for event in tried.events
    )


def _points(tried: Tried, words: Words) -> bool:
    """Cards of this worth lie in the side's melds."""
    return tried.match.hand.state.points(tried.side) >= _number(words)


def _score(tried: Tried, words: Words) -> bool:
    """The hand is over, and the side has made so much in it."""
    match = tried.match
    return match.hand.over and match.sheets[-1][tried.side].total >= _number(words)


_GOALS: Final[dict[str, Callable[[Tried, Words], bool]]] = {
    # A Caliente card fills the hand instead of a draw.
    "draw": lambda tried, words: not tried.did(CalientePlayed) and tried.did(Drew) >= _number(words),
    "take": _take,
    "meld": _meld,
    "melds": _melds,
    "wild": _wild,
    "open": lambda tried, _: tried.match.hand.state.opened(tried.side),
    "canasta": _canasta,
    "discard": _discard,
    "freeze": _freeze,
    "three": lambda tried, words: tried.did(BonusLaid) >= _number(words),
    "ask": lambda tried, _: tried.did(Asked) > 0,
    "answer": _answer,
    "caliente": lambda tried, _: tried.did(CalientePlayed) > 0,
    "foot": lambda tried, _: tried.did(FootPickedUp) > 0,
    "pot": lambda tried, _: tried.did(PotTaken) > 0,
    "talon": lambda tried, _: tried.did(TalonDealt) > 0,
    "special": lambda tried, _: tried.did(SpecialLaid) > 0,
    "out": _out,
    "over": lambda tried, _: tried.match.hand.over,
    "points": _points,
    "score": _score,
}
_ABOUT: Final = {"meld": 1, "points": 1, "score": 1, "melds": 1, "answer": 1, "wild": 1}
"""Words that a goal needs besides its own."""


def is_reached(goal: str, tried: Tried) -> bool:
    """Raises `WrongGoal`."""
    word, *about = goal.split() or [""]
    if word not in _GOALS or len(about) < _ABOUT.get(word, 0):
        raise WrongGoal(f"no goal: {goal}; goals are {', '.join(_GOALS)}")
    return _GOALS[word](tried, tuple(about))


def is_late(turns: int, tried: Tried) -> bool:
    """The turns that there were for it are over; 0: there is the whole hand."""
    return turns > 0 and sum(tried.did(kind) for kind in (Discarded, DiscardedFaceDown, Passed)) >= turns


def practice_view(
    thing: str, goals: Sequence[str], avoid: Sequence[str], turns: int, tried: Tried
) -> PracticeView:
    """How far somebody has come. They have `turns` turns of their own for it (0: the whole hand), and
    whatever is to be avoided ends the try as well."""
    shown = [GoalView(goal=goal, reached=is_reached(goal, tried)) for goal in goals]
    done = bool(goals) and all(goal.reached for goal in shown)
    spoiled = any(is_reached(goal, tried) for goal in avoid)
    lost = bool(goals) and (spoiled or (not done and (is_late(turns, tried) or tried.match.hand.over)))
    return PracticeView(thing=thing, goals=shown, done=done and not spoiled, lost=lost)
