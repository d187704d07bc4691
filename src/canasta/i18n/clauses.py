"""The texts of the rulebook's clauses and of the readings of unclear rules, in a language."""

from typing import NamedTuple

from canasta.i18n.catalogue import texts
from canasta.i18n.fields import field_in
from canasta.i18n.rule_diff import markdown_table
from canasta.rules.clauses import READINGS, Reading, fields_of_clause, group_of
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset


class Clause(NamedTuple):
    """One rule in words."""

    id: str
    title: str
    text: str


def clause_in(clause_id: str, lang: str = "en") -> Clause:
    """Return a clause in a language.

    >>> clause_in("DEAL-1").title, clause_in("DEAL-1", "fr").title
    ('cards dealt to two', 'cartes données à deux joueurs')
    """
    known = texts(lang, "clauses")
    return Clause(clause_id, known[clause_id], known[f"{clause_id}.text"])


def group_title(group_or_clause: str, lang: str = "en") -> str:
    """Return the title of a group of clauses, or of the group that a clause belongs to."""
    return texts(lang, "clauses")[f"group.{group_of(group_or_clause)}"]


def clause_value(clause_id: str, rules: Ruleset, lang: str = "en") -> str:
    """Return the clause's values in this ruleset, from its fields; empty if it has none.

    >>> from canasta.rules.loader import load_ruleset
    >>> clause_value("SCOR-6", load_ruleset("bolivia"))
    'going out: 200'
    """
    values = values_of(rules)
    fields = [field_in(field, lang) for field in fields_of_clause(clause_id)]
    return "; ".join(f"{field.label}: {field.show(values[field.path])}" for field in fields)


def reading_text(reading: Reading, lang: str = "en") -> str:
    return texts(lang, "readings")[str(reading.number)]


def readings_markdown() -> str:
    """Return the page `docs/readings.md`."""
    rows = [
        (
            str(reading.number),
            ", ".join(reading.clauses),
            reading_text(reading),
            f"`{reading.field}`" if reading.field else "fixed",
        )
        for reading in READINGS
    ]
    return (
        "# Readings\n\n"
        "If the documents are silent or contradict each other, this is what we play. A table that reads\n"
        "a rule differently sets the field or option in the last column.\n\n"
        "<!-- Made by readings_markdown() in src/canasta/i18n/clauses.py; the readings are in the "
        "catalogue. -->\n\n" + markdown_table(("no.", "clauses", "reading", "set by"), rows)
    )
