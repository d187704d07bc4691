"""Rulesets built directly, without the loader."""

from canasta.rules.defects import Defect
from canasta.rules.field_types import check_value
from canasta.rules.loader import values_of
from canasta.rules.model import FIELDS, Ruleset
from canasta.rules.validation import problems_of


def defects_of(rules: Ruleset) -> list[Defect]:
    """Return the defects of a ruleset that was built directly; empty if it is a game."""
    values = values_of(rules)
    found = [
        Defect(path, value, *wrong)
        for path, value in values.items()
        if (wrong := check_value(FIELDS[path], value))
    ]
    if found:
        return found
    return [
        Defect(problem.paths[0], values[problem.paths[0]], problem.code, problem.facts, problem.remedy_code)
        for problem in problems_of(values)
        if not problem.idle
    ]
