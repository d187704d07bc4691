"""The output language: `--lang`, otherwise the locale."""

import os

from canasta.engine.moves.refusals import Refusal
from canasta.i18n import RefusalText, best_language, tell_refusal

_chosen: list[str] = []


def speak(language: str | None) -> None:
    """Use this language from now on, or the locale's if it is None."""
    _chosen[:] = [language] if language else []


def spoken() -> str:
    """Return the output language."""
    return _chosen[0] if _chosen else best_language("", os.environ)


def told(refusal: Refusal) -> RefusalText:
    """Return a refusal in the output language."""
    return tell_refusal(refusal, spoken())
