"""What a table, its host or its server cannot do: a reason with facts travels, words where it is read."""

from msgspec import UNSET, UnsetType

from canasta.engine.moves.refusals import Facts
from canasta.errors import CanastaError
from canasta.table.wire import Problem
from canasta.words import say


class Unusable(CanastaError, ValueError):
    """Something that somebody has given and that cannot be used; `reason` and `facts` say why."""

    def __init__(self, reason: str, facts: Facts | None = None) -> None:
        self.reason = reason
        self.facts: Facts = facts or {}
        super().__init__(say(f"problems.{reason}", self.facts))


def problem_of(
    code: str, reason: str, facts: Facts | None = None, *, answers: str | UnsetType = UNSET
) -> Problem:
    """A frame that tells it; `answers` is the id of a command."""
    known = facts or {}
    message = say(f"problems.{reason}", known)
    return Problem(code=code, message=message, id=answers, reason=reason, facts=known)


def tell_problem(told: Problem, lang: str = "en") -> str:
    """It in a language; in the English of whoever sent it, where this program has no words for all of it."""
    try:
        return say(f"problems.{told.reason}", told.facts, lang)
    except (LookupError, ValueError):
        return told.message
