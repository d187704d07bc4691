"""Compile a ruleset, with the family that its rules belong to."""

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.american import American
from canasta.engine.families.burraco import Burraco
from canasta.engine.families.classic import Classic
from canasta.engine.family import Family
from canasta.rules.model import Ruleset
from canasta.rules.validation import is_american


def family_of(rules: Ruleset) -> Family:
    """Return the family of a ruleset. Only the rules decide; the name of a preset doesn't."""
    if rules.melds.runs and rules.melds.run_most > 0:
        return Burraco()
    return American() if is_american(rules) else Classic()


def compile_rules(rules: Ruleset) -> CompiledRules:
    """Return a ruleset compiled for play. Create one per ruleset and share it."""
    return CompiledRules(rules, family_of(rules))
