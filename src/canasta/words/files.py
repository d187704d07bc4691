"""What is wrong in a record or in scenarios, in a language."""

from canasta.notation.wrong import Wrong
from canasta.words.catalogue import Voice
from canasta.words.defects import defect_line
from canasta.words.refusals import tell_refusal


def tell_wrong(wrong: Wrong, lang: str = "en") -> str:
    """Without the line, and without a full stop.

    >>> tell_wrong(Wrong("WANTS_NUMBER", {"instead": "LIST"}, line=3, path="given.turn"), "de")
    'given.turn: eine ganze Zahl wird gebraucht, nicht eine Liste'
    """
    blank = "\N{NO-BREAK SPACE}" if lang == "fr" else ""
    if wrong.defects:
        told = " ".join(defect_line(defect, lang) for defect in wrong.defects)
    else:
        refused = "" if wrong.refusal is None else str(tell_refusal(wrong.refusal, lang))
        told = Voice(lang).say(f"files.{wrong.code}", wrong.facts_with(refused))
    return (f"{wrong.path}{blank}: {told}" if wrong.path else told).rstrip(".")


def wrong_line(wrong: Wrong, lang: str = "en") -> str:
    """With the line, where one is at fault."""
    if not wrong.line:
        return tell_wrong(wrong, lang)
    blank = "\N{NO-BREAK SPACE}" if lang == "fr" else ""
    return f"{Voice(lang).say('defects.line', {'number': wrong.line})}{blank}: {tell_wrong(wrong, lang)}"
