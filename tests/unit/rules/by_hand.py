"""Rulesets that were put together by hand, and not by the loader."""

from canasta.rules.checks import problems_of
from canasta.rules.defects import Defect
from canasta.rules.fields import FIELDS, check_value
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset


def defects_of(rules: Ruleset) -> list[Defect]:
    """What is wrong with a ruleset that was put together by hand; empty when it is a game."""
    values = values_of(rules)
    found = [
        Defect(path, value, *wrong)
        for path, value in values.items()
        if (wrong := check_value(FIELDS[path], value))
    ]
    if found:
        return found
    return [
        Defect(problem.paths[0], values[problem.paths[0]], problem.code, problem.facts, problem.cure)
        for problem in problems_of(values)
        if not problem.idle
    ]
