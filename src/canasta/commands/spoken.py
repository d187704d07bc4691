"""The language of this command: `--lang`, else the locale."""

import os

from canasta.engine.moves.refusals import Refusal
from canasta.words import Told, best_language, tell_refusal

_chosen: list[str] = []


def speak(language: str | None) -> None:
    """Use this language from now on; without one that of the locale."""
    _chosen[:] = [language] if language else []


def spoken() -> str:
    """The language to speak."""
    return _chosen[0] if _chosen else best_language("", os.environ)


def told(refusal: Refusal) -> Told:
    """A refusal in that language."""
    return tell_refusal(refusal, spoken())
