"""Rulesets as data, built from a preset or a file and the options of a table.

`model` declares every field once; `presets` contains the games; `rules_file` reads and writes house rules.
Clauses and rule sheets are written in messages of `canasta.i18n`, and `canasta.engine` implements the rules.
"""

from canasta.rules.defects import Defect, RulesetError
from canasta.rules.loader import load_ruleset, parse_option, resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import default_players, player_numbers, preset_names

__all__ = [
    "Defect",
    "Ruleset",
    "RulesetError",
    "default_players",
    "load_ruleset",
    "parse_option",
    "player_numbers",
    "preset_names",
    "resolve_ruleset",
]
