"""The values of the rules as numbers from 0 to 255, so that one network can play by all of them.

The list is written out and does not follow the fields of a ruleset by itself: a field that is added later
leaves what was learned before as it is.
"""

from typing import Final

from canasta.engine.prepared import PreparedRules
from canasta.rules.model import Ruleset

PLAIN: Final = (
    "deck.decks deck.caliente_cards seats.players seats.sides seats.sit_out deal.hand_size deal.foot_size "
    "turn.draw turn.lay_bonus_by_hand turn.keep_last_card pile.first_meld_needs_pair pile.natural_and_wild "
    "pile.add_to_meld pile.add_to_canasta pile.add_to_run pile.always_frozen pile.bars_first_player "
    "pile.put_back melds.canasta_size melds.largest_set melds.least_naturals melds.most_wilds "
    "melds.wilds_on_canasta melds.runs melds.same_suit_runs melds.wild_melds melds.wild_canasta_closed "
    "opening.by_round opening.top_card_counts opening.canasta_suffices opening.concealed_suffices "
    "opening.canasta_bonus_counts going_out.canastas going_out.natural going_out.mixed going_out.wild "
    "going_out.sequence stock_end.forced caliente.hand_size caliente.held_one caliente.held_more "
    "scoring.red_three_extra_from scoring.red_threes_minus_canastas scoring.canasta_for_positive_score "
    "match.rounds"
).split()
FIVES: Final = (
    "deck.joker_value deck.two_value deck.ace_value deck.high_value deck.low_value deck.black_three_value "
    "caliente.played_penalty scoring.going_out scoring.concealed scoring.red_three "
    "scoring.black_three_in_hand scoring.forgotten_red_three scoring.put_back_penalty"
).split()
"""Told in fives."""
FIFTIES: Final = (
    "scoring.natural_canasta scoring.mixed_canasta scoring.samba scoring.wild_canasta "
    "scoring.red_three_extra match.target"
).split()
CHOICES: Final = {
    "pile.one_card_hand": ("free", "must_go_out", "not_single", "not_single_while_stock"),
    "melds.sets_per_rank": ("one", "one_open", "any"),
    "going_out.ask": ("no", "may", "must"),
    "stock_end.after_last_card": ("play_on", "one_taker", "top_card"),
    "stock_end.last_red_three": ("ends", "melds", "goes_on"),
    "scoring.concealed_by": ("player", "table"),
    "scoring.red_threes_minus": ("no_first_meld", "few_canastas", "other_went_out", "all_need_canastas"),
}
"""Told as the number of the choice, from 1; 0 is any other."""
WILD_ROOM: Final = range(2, 8)
"""Sets of so many naturals, of which it is told how many wilds they may hold."""

RULE_NAMES: Final = [*PLAIN, *FIVES, *FIFTIES, *CHOICES, *(f"melds.wilds_with_{n}" for n in WILD_ROOM)]


def rule_numbers(prepared: PreparedRules) -> bytes:
    """A number for each of `RULE_NAMES`."""
    rules = prepared.rules
    numbers = [int(_value(rules, path)) for path in PLAIN]
    numbers += [int(_value(rules, path)) // 5 for path in FIVES]
    numbers += [int(_value(rules, path)) // 50 for path in FIFTIES]
    for path, choices in CHOICES.items():
        value = _value(rules, path)
        numbers.append(choices.index(str(value)) + 1 if value in choices else 0)
    numbers += [prepared.wild_room[naturals] for naturals in WILD_ROOM]
    return bytes([min(max(number, 0), 255) for number in numbers])


def _value(rules: Ruleset, path: str) -> int | str:
    part, _, name = path.partition(".")
    value: int | str = getattr(getattr(rules, part), name)
    return value
