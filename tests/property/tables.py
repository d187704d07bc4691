"""The tables of random play: every preset, every number of players, every option."""

from dataclasses import dataclass, field
from functools import cache

import pytest

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.factory import compile_rules
from canasta.rules import RulesetError, load_ruleset, player_numbers, preset_names
from canasta.rules.loader import OPTIONS
from canasta.rules.model import Ruleset

OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "caliente_cards": (True,),
    "always_frozen": (False, True),
    "equal_wilds": (False, True),
    "same_suit_runs": (False, True),
    "lay_bonus_by_hand": (True,),
    "canastas_to_go_out": (1, 2),
    "top_card_counts": (False,),
    "canasta_bonus_counts": (True,),
    "canasta_for_positive_score": (True,),
    "wild_melds": (False, True),
    "put_back": (True,),
    "extra_deck": (True,),
    "sides": (2, 3),
    "sit_out": (False,),
    "hand_size": (5, 9),
    "target": (500,),
    "wild_moves": ("locked", "ends", "free"),
    "victory_points": ((), (100, 300)),
}
"""Values to try for every option with a name of its own; the preset's own value is left out."""

HOUSE_RULES: tuple[dict[str, object], ...] = (
    {"melds.runs": True, "melds.same_suit_runs": True},
    {"melds.sets_per_rank": "any", "lay_bonus_by_hand": True, "caliente_cards": True},
    {"opening.canasta_suffices": True, "opening.concealed_suffices": True, "put_back": True},
    {"pile.one_card_hand": "must_go_out", "pile.first_meld_needs_pair": False, "hand_size": 4},
    {"stock_end.after_last_card": "one_taker", "stock_end.last_red_three": "melds"},
    {"turn.keep_last_card": True, "stock_end.last_red_three": "goes_on", "turn.draw": 3},
    {"melds.canasta_size": 5, "canastas_to_go_out": 1, "going_out.ask": "must"},
    {"melds.wild_melds": True, "melds.wild_canasta_closed": False, "melds.sets_per_rank": "one_open"},
    {"lay_bonus_by_hand": True, "going_out.ask": "must", "caliente_cards": True, "hand_size": 3},
    {"deal.foot_size": 6, "hand_size": 6, "canastas_to_go_out": 1, "lay_bonus_by_hand": True},
)
"""Combinations from no booklet, each tried with every preset that it fits."""


@dataclass(frozen=True)
class Table:
    """A preset, a number of players and the options of the table."""

    preset: str
    players: int
    options: tuple[tuple[str, object], ...] = field(default=())

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options]
        return "-".join([self.preset, str(self.players), *chosen])

    def rules(self) -> Ruleset:
        return rules_of(self)

    def tables(self) -> CompiledRules:
        return compiled(self)


@cache
def rules_of(table: Table) -> Ruleset:
    return load_ruleset(table.preset, table.players, dict(table.options))


@cache
def compiled(table: Table) -> CompiledRules:
    return compile_rules(table.rules())


@cache
def classic_presets() -> tuple[str, ...]:
    """Return the presets that the brute force of `brute.py` knows; `test_long_runs.py` tries the others."""
    return tuple(name for name in preset_names() if load_ruleset(name).melds.run_most == 0)


@cache
def long_presets() -> tuple[str, ...]:
    return tuple(name for name in preset_names() if load_ruleset(name).melds.run_most > 0)


LONG_RULES: tuple[dict[str, object], ...] = (
    {"melds.wild_moves": "locked"},
    {"melds.wild_moves": "free", "hand_size": 5},
    {"pile.take": "use_top", "hand_size": 4, "deal.pots": (5, 5)},
    {"pile.take": "free", "pile.no_return": True, "hand_size": 4},
    {"going_out.by": "discard", "going_out.last_discard": "natural", "hand_size": 4},
    {"going_out.by": "any", "going_out.last_discard": "any", "hand_size": 4, "deal.pots": (5,)},
    {"hand_size": 3, "pile.no_return": True, "deal.pots": (5,), "melds.set_ranks": "all"},
    {"deal.pots": (), "hand_size": 3, "melds.run_ace": "high", "deck.natural_twos": False},
    {"melds.set_ranks": "aces_threes", "melds.run_wilds": 0, "turn.draw": 2},
    {"melds.set_ranks": "none", "melds.run_most": 14, "scoring.semi_clean_inside": True},
    {"melds.canasta_size": 5, "melds.largest_set": 5, "scoring.semi_clean": 0, "hand_size": 6},
    {"melds.canasta_size": 4, "scoring.semi_clean_nine": True, "scoring.pot_not_taken_if": "always"},
    {"stock_end.floor": 5, "stock_end.pot_becomes_stock": True, "stock_end.most_turns": 3},
    {"stock_end.floor": 0, "stock_end.pot_becomes_stock": False, "deal.pots": (11, 11, 11), "hand_size": 5},
    {"deal.up_card": "natural", "scoring.pot_not_taken_if": "unplayed", "going_out.canastas": 2},
    {"deal.up_card": "none", "scoring.grades": False, "melds.most_wilds": 2, "melds.largest_set": 0},
    {"melds.least_naturals": 3, "melds.wilds_on_canasta": False, "going_out.mixed": 1},
    {"going_out.canastas": 0, "hand_size": 5, "scoring.canasta_for_positive_score": True},
    {"deck.decks": 3, "hand_size": 20, "turn.undo": True},
    {"deck.decks": 1, "hand_size": 4, "deal.pots": (5, 5)},
)
"""Other values for the fields of games with long sequences, alone and together, tried with each such game."""


@cache
def plain_tables() -> tuple[Table, ...]:
    """Return every preset with every number of players, by the booklets' rules."""
    return tuple(Table(preset, players) for preset in preset_names() for players in player_numbers(preset))


def one_table_per_preset() -> list[object]:
    """Return every plain table; the short run plays one of each preset, with the number of players varied."""
    of_preset: dict[str, list[Table]] = {}
    for table in plain_tables():
        of_preset.setdefault(table.preset, []).append(table)
    chosen = {tables[number % len(tables)] for number, tables in enumerate(of_preset.values())}
    return [
        table if table in chosen else pytest.param(table, marks=pytest.mark.long) for table in plain_tables()
    ]


@cache
def option_tables() -> tuple[Table, ...]:
    """Return every preset with every number of players and every option, one option at a time."""
    found: list[Table] = []
    for plain in plain_tables():
        usual = plain.rules()
        for name, values in OPTION_VALUES.items():
            for value in values:
                table = Table(plain.preset, plain.players, ((name, value),))
                rules = rules_or_none(table)
                if rules is not None and rules != usual:
                    found.append(table)
    return tuple(found)


def some_tables() -> list[Table]:
    """Return `all_tables` reduced: each choice of options is played with every second preset that it fits.

    The number of players rotates.
    """
    alike: dict[tuple[object, ...], dict[str, list[Table]]] = {}
    for table in option_tables() + house_tables():
        alike.setdefault(table.options, {}).setdefault(table.preset, []).append(table)
    some = list(plain_tables())
    for number, of_preset in enumerate(alike.values()):
        of_second = list(of_preset.values())[number % 2 if len(of_preset) > 1 else 0 :: 2]
        some += [tables[(number + at) % len(tables)] for at, tables in enumerate(of_second)]
    return some


@cache
def house_tables() -> tuple[Table, ...]:
    """Return combinations of fields, for every preset with its fewest and most players and with four."""
    found: list[Table] = []
    for preset in preset_names():
        numbers = player_numbers(preset)
        for players in sorted({numbers[0], numbers[-1], 4} & set(numbers)):
            for house_rule in LONG_RULES if preset in long_presets() else HOUSE_RULES:
                table = Table(preset, players, tuple(house_rule.items()))
                if rules_or_none(table) is not None:
                    found.append(table)
    return tuple(found)


def all_tables() -> tuple[Table, ...]:
    return plain_tables() + option_tables() + house_tables()


def rules_or_none(table: Table) -> Ruleset | None:
    """Return the rules of a table; None if the options do not fit the preset or the number of players."""
    try:
        return table.rules()
    except RulesetError:
        return None


def options_never_tried() -> set[str]:
    """Return the options with a name of their own that no table chooses."""
    return set(OPTIONS) - {name for table in option_tables() for name, _ in table.options}
