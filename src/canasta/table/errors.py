"""Errors of tables, hosts and servers: a reason with facts. The reader's program adds the words."""

from msgspec import UNSET, UnsetType

from canasta.engine.moves.refusals import Facts
from canasta.errors import CanastaError
from canasta.i18n import say
from canasta.table.wire import Problem


class Unusable(CanastaError, ValueError):
    """Input that can't be used; `reason` and `facts` say why."""

    def __init__(self, reason: str, facts: Facts | None = None) -> None:
        self.reason = reason
        self.facts: Facts = facts or {}
        super().__init__(say(f"problems.{reason}", self.facts))


def problem_of(
    code: str, reason: str, facts: Facts | None = None, *, answers: str | UnsetType = UNSET
) -> Problem:
    """Return a frame that reports a problem; `answers` is the id of a command."""
    known = facts or {}
    message = say(f"problems.{reason}", known)
    return Problem(code=code, message=message, id=answers, reason=reason, facts=known)


def tell_problem(told: Problem, lang: str = "en") -> str:
    """Return the problem in a language, or the sender's English if this program has no text for it."""
    try:
        return say(f"problems.{told.reason}", told.facts, lang)
    except (LookupError, ValueError):
        return told.message
