"""Rule systems as data: what a ruleset is, and how one comes from a preset, a file and a table's options.

`model` declares every field once; `presets` holds the games; `rules_file` reads and writes house rules; the
clauses and the lines of rule sheets are here as codes. Their words are in `canasta.words`, what the rules do
is in `canasta.engine`.
"""

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
