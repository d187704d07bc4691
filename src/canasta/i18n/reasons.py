"""Describe the reasons for a move in a language."""

from collections.abc import Iterable
from typing import Protocol

from canasta.i18n.catalogue import Voice
from canasta.i18n.facts import Facts


class CodedReason(Protocol):
    """One reason: a code of the catalogue part `reasons`, and its facts."""

    @property
    def code(self) -> str: ...

    @property
    def facts(self) -> Facts: ...


def tell_reasons(reasons: Iterable[CodedReason], voice: Voice, otherwise: str = "") -> str:
    """Return a sentence for each reason, or `otherwise` if this program does not know one of them."""
    try:
        return " ".join([voice.say(f"reasons.{each.code}", each.facts) for each in reasons]) or otherwise
    except (LookupError, ValueError):
        return otherwise
