"""Features of observations: the rules as numbers, and what only the later families of games have.

The rules are encoded as numbers from 0 to 255, so that one network can play under all of them. The list of
rules is explicit rather than derived from the fields of a ruleset, so that adding a field does not invalidate
trained weights.
"""

from typing import Final

from librt.strings import BytesWriter

from canasta.engine.actions.codec import RUN_SLOTS
from canasta.engine.cards import RANK_OF, RANKS, RED_THREE
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.sequences import wild_at, wild_in
from canasta.engine.state import HandState
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
"""Amounts encoded in units of five points."""
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
"""Encoded as the number of the choice, from 1; 0 means any other value."""
WILD_ROOM: Final = range(2, 8)
"""Numbers of naturals for which the allowed number of wilds is encoded."""

RULE_NAMES: Final = [*PLAIN, *FIVES, *FIFTIES, *CHOICES, *(f"melds.wilds_with_{n}" for n in WILD_ROOM)]

# Rules of the later games are encoded after all others, as zero if they match the older games.
LATER_PLAIN: Final = (
    "deck.natural_twos turn.keep_three pile.no_return melds.run_most melds.run_wilds "
    "melds.naturals_before_wild melds.dead_ranks melds.wild_lock opening.from_hand opening.splash "
    "discards.empty_pile_bars going_out.unfinished_bars going_out.ask_limit stock_end.floor "
    "stock_end.pot_becomes_stock stock_end.most_turns scoring.semi_clean_nine scoring.semi_clean_inside "
    "scoring.threes_minus_below scoring.threes_plus_from scoring.melds_minus_below"
).split()
LATER_FIFTIES: Final = (
    "sevens.bonus sevens.unfinished sevens.in_hand aces.bonus aces.unfinished aces.in_hand "
    "scoring.unfinished_wilds scoring.wild_twos scoring.wild_jokers scoring.semi_clean scoring.run_13 "
    "scoring.run_14 scoring.pot_not_taken"
).split()
LATER_CHOICES: Final = {
    "deck.threes": ("bonus", "natural"),
    "deal.up_card": ("any", "none"),
    "pile.take": ("free", "use_top"),
    "pile.opening_pair": ("apart",),
    "melds.run_ace": ("both",),
    "melds.wild_moves": ("locked", "free"),
    "melds.set_ranks": ("aces_threes", "none"),
    "sevens.wilds": ("opening", "never"),
    "aces.wilds": ("opening", "never"),
    "opening.pure_meld": ("natural", "any"),
    "opening.mixed_canasta": ("False",),
    "discards.wilds": ("only_wilds",),
    "going_out.by": ("discard",),
    "going_out.last_discard": ("natural",),
    "going_out.special_hands": ("league", "pagat"),
    "scoring.pot_not_taken_if": ("always", "unplayed"),
}
LATER_LISTS: Final = {"deal.pots": 3, "turn.talon": 3}
"""Lists, of which this many leading numbers are encoded."""

LATER_NAMES: Final = [
    *LATER_PLAIN,
    *LATER_FIFTIES,
    *LATER_CHOICES,
    *(f"{path}_{number}" for path, most in LATER_LISTS.items() for number in range(1, most + 1)),
]


def later_rule_numbers(compiled: CompiledRules) -> bytes:
    """Return a number for each of `LATER_NAMES`."""
    rules = compiled.rules
    numbers = [int(_value(rules, path)) for path in LATER_PLAIN]
    numbers += [int(_value(rules, path)) // 50 for path in LATER_FIFTIES]
    for path, choices in LATER_CHOICES.items():
        value = str(_value(rules, path))
        numbers.append(choices.index(value) + 1 if value in choices else 0)
    for path, most in LATER_LISTS.items():
        told = list(_numbers(rules, path))[:most]
        numbers += told + [0] * (most - len(told))
    return bytes([min(max(number, 0), 255) for number in numbers])


def rule_numbers(compiled: CompiledRules) -> bytes:
    """Return a number for each of `RULE_NAMES`."""
    rules = compiled.rules
    numbers = [int(_value(rules, path)) for path in PLAIN]
    numbers += [int(_value(rules, path)) // 5 for path in FIVES]
    numbers += [int(_value(rules, path)) // 50 for path in FIFTIES]
    for path, choices in CHOICES.items():
        value = _value(rules, path)
        numbers.append(choices.index(str(value)) + 1 if value in choices else 0)
    numbers += [compiled.wild_room[naturals] for naturals in WILD_ROOM]
    return bytes([min(max(number, 0), 255) for number in numbers])


def _value(rules: Ruleset, path: str) -> int | str:
    part, _, name = path.partition(".")
    value: int | str = getattr(getattr(rules, part), name)
    return value


def _numbers(rules: Ruleset, path: str) -> tuple[int, ...]:
    part, _, name = path.partition(".")
    value: tuple[int, ...] = getattr(getattr(rules, part), name)
    return value


def write_long_runs(row: BytesWriter, state: HandState, viewer: int, sides: int) -> None:
    """Append the features of games with long sequences, with room for `sides` sides."""
    own = state.side_of[viewer]
    for ahead in range(sides):
        first = len(row)
        row.write(bytes(2 * RUN_SLOTS + 1))
        if ahead >= state.sides:
            continue
        side = (own + ahead) % state.sides
        runs = state.runs[side]
        for index in range(min(len(runs), RUN_SLOTS)):
            row[first + 2 * index] = wild_at(runs[index])
            row[first + 2 * index + 1] = wild_in(runs[index])
        row[first + 2 * RUN_SLOTS] = 1 if state.pot_taker(side) >= 0 else 0
    row.append(min(255, len(state.pots)))
    row.append(min(255, len(state.pots[0])) if state.pots else 0)
    row.append(1 if state.top_due else 0)
    row.append(state.not_returned + 1)
    row.append(min(255, state.turns_without_draw))


def write_american(row: BytesWriter, state: HandState, viewer: int, seats: int, sides: int) -> None:
    """Append the features of games that judge a turn as a whole, with room for these seats and sides."""
    there = len(state.side_of)
    for ahead in range(seats):
        row.append(min(255, len(state.talons[(viewer + ahead) % there])) if ahead < there else 0)
    first = len(row)
    row.write(bytes(RANKS))
    for kind in state.talons[viewer]:
        at = first + state.compiled.rank_of[kind]
        row[at] = row[at] + 1
    own = state.side_of[viewer]
    for ahead in range(sides):
        red = 0
        black = 0
        asks = 0
        if ahead < state.sides:
            side = (own + ahead) % state.sides
            for kind in state.bonus[side]:
                if RANK_OF[kind] == RED_THREE:
                    red += 1
                else:
                    black += 1
            asks = min(255, state.asks(side))
        row.append(red)
        row.append(black)
        row.append(asks)
    row.append(min(255, state.talon_due))
    first = len(row)
    row.write(bytes(RANKS))
    if state.pile_due:
        row[first + state.compiled.rank_of[state.taken_top]] = 1
