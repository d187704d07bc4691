"""The registry of every field of a `Ruleset` by its dotted path, such as `pile.natural_and_wild`.

Validation, help, rule sheets, the documentation and the new-table form all read the fields from here.
"""

from dataclasses import fields
from typing import Any, Final

from canasta.rules.field_types import (
    CHOICE,
    NUMBER,
    NUMBERS,
    TEXT,
    YES_NO,
    Field,
    Value,
    as_value,
    check_value,
)
from canasta.rules.model import Ruleset

__all__ = [
    "CHOICE",
    "FIELDS",
    "NUMBER",
    "NUMBERS",
    "SECTIONS",
    "TEXT",
    "YES_NO",
    "Field",
    "Value",
    "as_value",
    "check_value",
    "usual_values",
]

SECTIONS: Final[dict[str, Any]] = {
    part.name: type(part.default) for part in fields(Ruleset) if "section" in part.metadata
}
"""The class of each section, in model order."""


def _read() -> dict[str, Field]:
    found: dict[str, Field] = {}
    for part in fields(Ruleset):
        if part.name not in SECTIONS:
            found[part.name] = part.metadata["field"]._replace(path=part.name)
            continue
        for leaf in fields(SECTIONS[part.name]):
            path = f"{part.name}.{leaf.name}"
            found[path] = leaf.metadata["field"]._replace(path=path)
    return found


FIELDS: Final[dict[str, Field]] = _read()
"""All fields by path, in model order."""


def usual_values() -> dict[str, Value]:
    """Return the default value of every field."""
    return {path: field.default for path, field in FIELDS.items()}
