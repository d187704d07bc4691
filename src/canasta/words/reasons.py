"""What speaks for a move, in a language."""

from collections.abc import Iterable
from typing import Protocol

from canasta.words.catalogue import Voice
from canasta.words.facts import Facts


class Because(Protocol):
    """One sentence: a code of the part `reasons`, and its facts."""

    @property
    def code(self) -> str: ...

    @property
    def facts(self) -> Facts: ...


def tell_reasons(reasons: Iterable[Because], voice: Voice, otherwise: str = "") -> str:
    """All of them, a sentence each; other words where this program does not know one of them."""
    try:
        return " ".join([voice.say(f"reasons.{each.code}", each.facts) for each in reasons]) or otherwise
    except (LookupError, ValueError):
        return otherwise
