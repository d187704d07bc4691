"""The fields of a ruleset in a language: their names, meanings, and values in words.

English is in the declaration of a field, in `canasta.rules.model`. In the other languages the part
`fields` is keyed by path: `deal.foot_size`, `deal.foot_size.meaning`, `deal.foot_size=0`,
`melds.sets_per_rank=one_open`.
"""

from collections.abc import Mapping

from canasta.i18n.catalogue import texts
from canasta.rules.field_types import CHOICE, NUMBERS, YES_NO, Field, Value
from canasta.rules.model import FIELDS


def field_in(field: Field, lang: str = "en") -> Field:
    """Return the field with its words in a language.

    >>> field = field_in(FIELDS["melds.most_wilds"], "de")
    >>> field.label, field.show(0)
    ('meiste wilde Karten in einem Satz', 'keine Grenze')
    """
    if lang == "en":
        return field
    words, path = texts(lang, "fields"), field.path
    return field._replace(
        label=words.get(path, field.label),
        meaning=words.get(f"{path}.meaning", field.meaning),
        choices=tuple((choice, words.get(f"{path}={choice}", told)) for choice, told in field.choices),
        zero=words.get(f"{path}=0", field.zero),
        yes_no=(words["yes"], words["no"]),
    )


def takes(field: Field, lang: str = "en") -> str:
    """Return the possible values as `--option` reads them, with symbols in place of English words.

    >>> takes(field_in(FIELDS["melds.most_wilds"], "de"), "de"), takes(FIELDS["melds.sets_per_rank"], "de")
    ('0–36; 0: keine Grenze', 'one, one_open, any')
    """
    if lang == "en":
        return field.takes()
    if field.kind == YES_NO:
        return "yes, no"
    if field.kind == CHOICE:
        return ", ".join(value for value, _ in field.choices)
    numbers = f"{field.low}–{field.high}"
    if field.kind == NUMBERS:
        return f"{numbers}, {numbers} …; []: {field.zero}"
    return numbers + (f"; 0: {field.zero}" if field.zero else "")


def house_rules(options: Mapping[str, Value], lang: str = "en") -> list[str]:
    """Return options in words: `score that ends the game: 3000`."""
    fields = [field_in(FIELDS[path], lang) for path in options]
    return [f"{field.label}: {field.show(options[field.path])}" for field in fields]
