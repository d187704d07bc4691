"""The language of this command: `--lang`, else the locale."""

import os

from canasta.commands.output import fail
from canasta.engine.moves.refusals import Refusal
from canasta.words import Told, UnknownLanguage, best_language, tell_refusal

_asked: list[str] = []


def ask_for(language: str | None) -> None:
    """What `--lang` says; ends the command where there is no such language."""
    _asked.clear()
    if language:
        try:
            _asked.append(best_language(language))
        except UnknownLanguage as error:
            fail(str(error))


def spoken() -> str:
    """The language to speak."""
    return _asked[0] if _asked else best_language("", os.environ)


def told(refusal: Refusal) -> Told:
    """A refusal in that language."""
    return tell_refusal(refusal, spoken())
