"""Practice: a table that starts from laid-out cards, and the player's goals.

A goal is a word and its arguments: `meld K 4`, `canasta natural`, `discard 3b`, `out`. Goals about melds
check the table as it is now, so melds that were taken back don't count. Goals about actions that can't be
undone check the events.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from canasta.engine import events
from canasta.engine.cards import JOKER, RANK_OF, TWO
from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.engine.melds import KIND_NAMES, NOT_A_CANASTA
from canasta.errors import InputError
from canasta.notation.cards import any_of, format_card
from canasta.notation.record import options_to_record
from canasta.table.log import BotSeated, Created, Entry, Laid, LaidStep, Option
from canasta.table.seats import Person, name_for
from canasta.table.seed_rounds import new_seed
from canasta.table.wire import GoalView, PracticeView

# -- goals -------------------------------------------------------------------------------------------------


class GoalAttempt(NamedTuple):
    """A player's events so far, and the state of the match."""

    match: Match
    seat: int
    events: Sequence[Event]

    @property
    def side(self) -> int:
        return self.match.side_of[self.seat]

    def did(self, kind: type[Event]) -> int:
        """Return how many events of this kind the seat has caused."""
        return sum(
            isinstance(event, kind) and getattr(event, "seat", -1) == self.seat for event in self.events
        )


Words = tuple[str, ...]


def _number(words: Words, usual: int = 1) -> int:
    return int(words[-1]) if words and words[-1].isdigit() else usual


def _meld(attempt: GoalAttempt, words: Words) -> bool:
    """Check `meld K 4` (that many cards of the rank on the table) or `meld run 5` (that many in one
    sequence)."""
    sizes = [
        len(meld.cards) for meld in attempt.match.hand.melds(attempt.side) if _is_of(str(meld.name), words[0])
    ]
    needed = _number(words[1:], 3)
    return max(sizes, default=0) >= needed if words[0] == "run" else sum(sizes) >= needed


def _is_of(name: str, rank: str) -> bool:
    return name.partition("#")[0] == rank


def _wild(attempt: GoalAttempt, words: Words) -> bool:
    """Check `wild Q`: a wild card is melded with cards of the rank."""
    return any(
        _is_of(str(meld.name), words[0]) and any(RANK_OF[card] in (JOKER, TWO) for card in meld.cards)
        for meld in attempt.match.hand.melds(attempt.side)
    )


def _melds(attempt: GoalAttempt, words: Words) -> bool:
    return len(attempt.match.hand.melds(attempt.side)) >= _number(words)


def _canasta(attempt: GoalAttempt, words: Words) -> bool:
    """Check `canasta`, `canasta natural` or `canasta any 2`."""
    kinds = [meld.canasta for meld in attempt.match.hand.melds(attempt.side) if meld.canasta != NOT_A_CANASTA]
    kind = next((word for word in words if word in KIND_NAMES), "")
    return sum(not kind or KIND_NAMES[each] == kind for each in kinds) >= _number(words)


def _take(attempt: GoalAttempt, _: Words) -> bool:
    return attempt.did(events.PileTaken) + attempt.did(events.TopCardTaken) > attempt.did(events.PilePutBack)


def _discard(attempt: GoalAttempt, words: Words) -> bool:
    """Check `discard`: any card, or one of the given ranks."""
    return any(
        isinstance(event, events.Discarded)
        and event.seat == attempt.seat
        and (not words or format_card(any_of(RANK_OF[event.card])) in words)
        for event in attempt.events
    )


def _freeze(attempt: GoalAttempt, _: Words) -> bool:
    return any(
        isinstance(event, events.Discarded) and event.seat == attempt.seat and event.froze
        for event in attempt.events
    )


def _answer(attempt: GoalAttempt, words: Words) -> bool:
    return any(
        isinstance(event, events.Answered) and event.seat == attempt.seat and event.yes == ("yes" in words)
        for event in attempt.events
    )


def _out(attempt: GoalAttempt, _: Words) -> bool:
    """Return whether a player on the side has gone out."""
    return any(
        isinstance(event, events.HandEnded)
        and event.out >= 0
        and attempt.match.side_of[event.out] == attempt.side
        for event in attempt.events
    )


def _points(attempt: GoalAttempt, words: Words) -> bool:
    """Return whether the side's melded cards are worth at least this many points."""
    return attempt.match.hand.state.points(attempt.side) >= _number(words)


def _score(attempt: GoalAttempt, words: Words) -> bool:
    """Return whether the hand is over and the side has made at least this many points in it."""
    match = attempt.match
    return match.hand.over and match.sheets[-1][attempt.side].total >= _number(words)


_GOALS: Final[dict[str, Callable[[GoalAttempt, Words], bool]]] = {
    # A Caliente card fills the hand instead of a draw.
    "draw": lambda attempt, words: (
        not attempt.did(events.CalientePlayed) and attempt.did(events.Drew) >= _number(words)
    ),
    "take": _take,
    "meld": _meld,
    "melds": _melds,
    "wild": _wild,
    "open": lambda attempt, _: attempt.match.hand.state.opened(attempt.side),
    "canasta": _canasta,
    "discard": _discard,
    "freeze": _freeze,
    "three": lambda attempt, words: attempt.did(events.BonusLaid) >= _number(words),
    "ask": lambda attempt, _: attempt.did(events.Asked) > 0,
    "answer": _answer,
    "caliente": lambda attempt, _: attempt.did(events.CalientePlayed) > 0,
    "foot": lambda attempt, _: attempt.did(events.FootPickedUp) > 0,
    "pot": lambda attempt, _: attempt.did(events.PotTaken) > 0,
    "talon": lambda attempt, _: attempt.did(events.TalonDealt) > 0,
    "special": lambda attempt, _: attempt.did(events.SpecialLaid) > 0,
    "out": _out,
    "over": lambda attempt, _: attempt.match.hand.over,
    "points": _points,
    "score": _score,
}
_ABOUT: Final = {"meld": 1, "points": 1, "score": 1, "melds": 1, "answer": 1, "wild": 1}
"""Number of arguments that a goal needs."""


def goal_is_reached(goal: str, attempt: GoalAttempt) -> bool:
    """Return whether a goal has been reached. Raises `InputError`."""
    word, *about = goal.split() or [""]
    if word not in _GOALS or len(about) < _ABOUT.get(word, 0):
        raise InputError(f"no goal: {goal}; goals are {', '.join(_GOALS)}")
    return _GOALS[word](attempt, tuple(about))


def turns_used_up(turns: int, attempt: GoalAttempt) -> bool:
    """Return whether the player has used up all turns; 0 turns means no limit."""
    return (
        turns > 0
        and sum(attempt.did(kind) for kind in (events.Discarded, events.DiscardedFaceDown, events.Passed))
        >= turns
    )


def practice_view(
    thing: str, goals: Sequence[str], avoid: Sequence[str], turns: int, attempt: GoalAttempt
) -> PracticeView:
    """Return the progress of a practice.

    turns: maximum number of the player's own turns; 0 for the whole hand. Reaching a goal in `avoid` ends the
    practice as well.
    """
    shown = [GoalView(goal=goal, reached=goal_is_reached(goal, attempt)) for goal in goals]
    done = bool(goals) and all(goal.reached for goal in shown)
    spoiled = any(goal_is_reached(goal, attempt) for goal in avoid)
    lost = bool(goals) and (
        spoiled or (not done and (turns_used_up(turns, attempt) or attempt.match.hand.over))
    )
    return PracticeView(thing=thing, goals=shown, done=done and not spoiled, lost=lost)


# -- tasks -------------------------------------------------------------------------------------------------


FROM_RECORD: Final = "review:"
"""Prefix of the topic of a practice that starts from a position of a game."""


@dataclass(frozen=True)
class Practice:
    """A practice task. Its position comes from this program or from a game that the player may see, never
    from the client."""

    thing: str
    """The topic, such as `lesson:frozen:2`."""
    position: str
    goals: Sequence[str] = ()
    avoid: Sequence[str] = ()
    turns: int = 0
    """Maximum number of the player's own turns; see `log.Laid`."""
    level: str = "novice"
    """The level of the computer players."""

    def entries(self, player: str, *, made: float) -> list[Entry]:
        """Return the first entries of the table's log. The player gets the seat that is to move.

        Raises `PositionError` or `RulesetError`.
        """
        match = LaidStep(position=self.position).match()
        rules, seat = match.rules, match.hand.turn
        options: dict[str, Option] = {}
        for path, value in options_to_record(rules).items():
            assert isinstance(value, (bool, int, str, list))
            options[path] = value
        created = Created(
            rules=rules.name,
            version=rules.version,
            players=rules.seats.players,
            options=options,
            public=False,
            level=self.level,
            clock=0,
            spectators=False,
            seed=new_seed(),
            made=made,
            practice=self.thing,
        )
        names: list[str] = []
        bots: list[Entry] = []
        for at in range(created.players):
            if at != seat:
                names.append(name_for(self.level, names))
                bots.append(BotSeated(seat=at, level=self.level, name=names[-1]))
        laid = Laid(
            position=self.position,
            seat=seat,
            goals=list(self.goals),
            avoid=list(self.avoid),
            turns=self.turns,
        )
        return [created, Person(player, "").sits(seat), *bots, laid]
