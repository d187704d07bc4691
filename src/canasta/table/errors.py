"""Errors of tables, hosts and servers: a code and its facts. The reader's program adds the words."""

from msgspec import UNSET, UnsetType

from canasta.engine.moves.refusals import Refusal
from canasta.errors import InputError
from canasta.i18n import Facts, Message
from canasta.i18n.voice import say
from canasta.table.wire import Problem, WhyNot


def input_error(reason: str, facts: Facts | None = None) -> InputError:
    """Return an error of the catalogue part `problems`."""
    return InputError(Message(f"problems.{reason}", facts or {}))


def why_not(refusal: Refusal) -> WhyNot:
    """Return the frame part for a refusal by the rules of the game."""
    text = refusal.text()
    return WhyNot(
        clause=refusal.clause,
        message=text.message,
        also=list(refusal.also),
        facts=refusal.facts,
        remedy=text.remedy,
        reason=refusal.code,
    )


def why_not_here(reason: str, facts: Facts | None = None, *, clause: str = "") -> WhyNot:
    """Return the frame part for a refusal by the table rather than by the rules of the game."""
    known = facts or {}
    text = Message(f"refusals.{reason}", known).text()
    return WhyNot(clause=clause, message=text.message, remedy=text.remedy, reason=reason, facts=known)


def problem_of(
    code: str, reason: str, facts: Facts | None = None, *, answers: str | UnsetType = UNSET
) -> Problem:
    """Return a frame that reports a problem; `answers` is the id of a command."""
    known = facts or {}
    message = say(f"problems.{reason}", known)
    return Problem(code=code, message=message, id=answers, reason=reason, facts=known)


def tell_problem(problem: Problem, lang: str = "en") -> str:
    """Return the problem in a language, or the sender's English if this program has no text for it."""
    try:
        return say(f"problems.{problem.reason}", problem.facts, lang)
    except (LookupError, ValueError):
        return problem.message
