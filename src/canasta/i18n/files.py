"""Describe problems in a record or in scenarios in a language."""

from canasta.i18n.catalogue import Voice
from canasta.i18n.defects import defect_line
from canasta.i18n.refusals import tell_refusal
from canasta.notation.file_errors import FileProblem


def tell_wrong(wrong: FileProblem, lang: str = "en") -> str:
    """Return the problem without its line, and without a full stop.

    >>> tell_wrong(FileProblem("WANTS_NUMBER", {"instead": "LIST"}, line=3, path="given.turn"), "de")
    'given.turn: eine ganze Zahl wird gebraucht, nicht eine Liste'
    """
    blank = "\N{NO-BREAK SPACE}" if lang == "fr" else ""
    if wrong.defects:
        told = " ".join(defect_line(defect, lang) for defect in wrong.defects)
    else:
        refused = "" if wrong.refusal is None else str(tell_refusal(wrong.refusal, lang))
        told = Voice(lang).say(f"files.{wrong.code}", wrong.facts_with(refused))
    return (f"{wrong.path}{blank}: {told}" if wrong.path else told).rstrip(".")


def wrong_line(wrong: FileProblem, lang: str = "en") -> str:
    """Return the problem with its line, if it has one."""
    if not wrong.line:
        return tell_wrong(wrong, lang)
    blank = "\N{NO-BREAK SPACE}" if lang == "fr" else ""
    return f"{Voice(lang).say('defects.line', {'number': wrong.line})}{blank}: {tell_wrong(wrong, lang)}"
