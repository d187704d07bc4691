"""Describe defects of chosen rules in a language."""

from canasta.i18n.catalogue import Voice, texts
from canasta.i18n.facts import FACTS, FIELD, SETTING, Fact, Facts
from canasta.i18n.fields import field_in
from canasta.i18n.refusals import RefusalText
from canasta.rules.defects import Defect
from canasta.rules.model import FIELDS
from canasta.rules.options import OPTIONS, parse_option


def tell_defect(defect: Defect, lang: str = "en", *, by_label: bool = False) -> RefusalText:
    """Return the problem and its remedy. With `by_label`, fields are named by their labels, as in a form.

    >>> from canasta.rules import RulesetError, load_ruleset
    >>> try:
    ...     load_ruleset("caliente", options={"going_out.sequence": 1})
    ... except RulesetError as error:
    ...     print(tell_defect(error.defects[0], "es").remedy)
    ...     print(tell_defect(error.defects[0], "es", by_label=True).remedy)
    pon melds.runs=yes o going_out.sequence=0
    pon «escaleras: sí» o «sambas para irse: no hacen falta»
    """
    voice = Voice(lang)
    facts: Facts = defect.facts
    if by_label:
        facts = {name: _labelled(name, fact, voice) for name, fact in facts.items()}
    cure = defect.cure or f"{defect.code}.remedy"
    remedy = voice.say(f"defects.{cure}", facts) if cure in texts(lang, "defects") else ""
    return RefusalText(voice.say(f"defects.{defect.code}", facts), remedy)


def defect_line(defect: Defect, lang: str = "en") -> str:
    """Return the defect as one sentence with a full stop."""
    told = tell_defect(defect, lang)
    blank = "\N{NO-BREAK SPACE}" if lang == "fr" else ""
    line = defect.line_of(Voice(lang).say("defects.line", {"number": defect.line}), *told, blank)
    return line if line.endswith(("?", ".")) else f"{line}."


def _labelled(name: str, fact: Fact, voice: Voice) -> Fact:
    if FACTS[name] not in (FIELD, SETTING):
        return fact
    path, value = parse_option(str(fact)) if FACTS[name] == SETTING else (str(fact), "")
    field = field_in(OPTIONS[path].form if path in OPTIONS else FIELDS[path], voice.language)
    if FACTS[name] == FIELD:
        return voice.say("defects.label", {"name": field.label})
    return voice.say("defects.labelled", {"name": field.label, "text": field.show(value)})
