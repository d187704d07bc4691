"""Rule systems as data: presets, options, validation, clauses, rule sheets."""

from canasta.rules.defects import Defect, RulesetError
from canasta.rules.loader import load_ruleset, resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.options import parse_option
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
