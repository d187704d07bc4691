"""Check that the fields of games with long sequences (Burraco) fit together.

In such a game (`melds.run_most` above 0) threes are natural, the pile is taken whole, and first melds need no
minimum. These rules come together or not at all.
"""

from collections.abc import Mapping
from typing import Final

from canasta.rules.field_types import Value
from canasta.rules.fields import FIELDS

SMALLEST_POT: Final = 5

# Values that such a game needs, and fields that only such games can have.
NEEDED: Final[dict[str, tuple[Value, ...]]] = {
    "melds.runs": (True,),
    "melds.same_suit_runs": (True,),
    "melds.sets_per_rank": ("one",),
    "melds.wild_melds": (False,),
    "deck.threes": ("natural",),
    "deck.caliente_cards": (False,),
    "deal.foot_size": (0,),
    "pile.take": ("free", "use_top"),
    "pile.put_back": (False,),
    "pile.always_frozen": (False,),
    "opening.minimums": ((0,),),
    "opening.below_zero": (0,),
    "turn.lay_bonus_by_hand": (False,),
    "turn.keep_last_card": (False,),
    "going_out.ask": ("no",),
    "going_out.wild": (0,),
    "going_out.sequence": (0,),
    "stock_end.after_last_card": ("ends",),
}
ONLY_THERE: Final = (
    "melds.run_wilds",
    "melds.run_ace",
    "melds.set_ranks",
    "deck.threes",
    "deck.natural_twos",
    "deal.pots",
    "pile.take",
    "pile.no_return",
    "going_out.last_discard",
    "stock_end.floor",
    "stock_end.pot_becomes_stock",
    "stock_end.most_turns",
    "scoring.grades",
    "scoring.pot_not_taken",
)


def misfits(mapping: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Return the fields that do not fit, each with the setting that helps, written as an option."""
    if mapping["melds.run_most"] == 0:
        found = [
            (path, FIELDS["melds.run_most"].typed(13))
            for path in ONLY_THERE
            if mapping[path] not in (FIELDS[path].default, "bonus")
        ]
        if mapping["stock_end.after_last_card"] == "ends":
            found.append(("stock_end.after_last_card", FIELDS["melds.run_most"].typed(13)))
        return found
    return [
        (path, FIELDS[path].typed(values[0]))
        for path, values in NEEDED.items()
        if mapping[path] not in values
    ]
