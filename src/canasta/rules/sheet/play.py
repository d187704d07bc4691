"""The lines of a rule sheet about cards, seats, deal, turn, pile and melds."""

from typing import Final

from canasta.rules.clauses import dealing_clause
from canasta.rules.model import Ruleset
from canasta.rules.sheet import Phrase, RuleLine, line, phrase

ACE_TO_ACE: Final = 14
"""Number of cards in a sequence with an ace at each end."""


def deck_lines(rules: Ruleset) -> list[RuleLine]:
    deck = rules.deck
    cards = deck.decks * 54
    lines = [
        line("DECK-1", "deck.one" if deck.decks == 1 else "deck.several", decks=deck.decks, count=cards),
        line(
            "DECK-2",
            "deck.values" if deck.threes == "special" else f"deck.values_{deck.threes}_threes",
            joker=deck.joker_value,
            two=deck.two_value,
            ace=deck.ace_value,
            high=deck.high_value,
            low=deck.low_value,
            three=deck.black_three_value,
        ),
        line("DECK-3", "deck.special")
        if deck.threes == "special"
        else line("DECK-5", f"deck.{deck.threes}_threes"),
    ]
    if deck.natural_twos:
        lines.append(line("DECK-6", "deck.natural_twos"))
    if deck.caliente_cards:
        lines.append(line("DECK-4", "deck.caliente_cards", decks=deck.decks, count=cards + deck.decks))
    return lines


def seat_lines(rules: Ruleset) -> list[RuleLine]:
    seats = rules.seats
    if seats.players < 4:
        lines = [line("SEAT-1", "seats.alone", players=seats.players)]
    elif seats.players == 4:
        lines = [line("SEAT-1", "seats.partners")]
    elif seats.players == 5:
        lines = [line("SEAT-2", "seats.five")]
    elif seats.sit_out:
        lines = [line("SEAT-3", "seats.six_sit_out")]
    else:
        lines = [line("SEAT-4", "seats.six_two_sides" if seats.sides == 2 else "seats.six_three_sides")]
    if seats.first_dealer == "random":
        lines.append(line("SEAT-5", "seats.dealer_random"))
    elif seats.first_dealer in ("cut", "cut_deal"):
        for_teams = seats.first_dealer == "cut" and seats.players >= 4
        lines.append(line("SEAT-6", "seats.cut_teams" if for_teams else "seats.cut_dealer"))
        lines.append(line("SEAT-6", f"seats.cut_{seats.cut_order}"))
    else:
        lines.append(line("SEAT-7", "seats.alternate"))
    if seats.sit_out:
        lines.append(line("SEAT-8", "seats.out_advises" if seats.may_advise else "seats.out_is_silent"))
    return lines


def deal_lines(rules: Ruleset) -> list[RuleLine]:
    deal = rules.deal
    clause = dealing_clause(rules.seats.players)
    tops = [phrase("card.natural")]
    if not deal.natural_covers_frozen:
        if not deal.cover_black_three:
            tops.append(phrase("card.black_three"))
        if rules.deck.caliente_cards:
            tops.append(phrase("card.caliente"))
    if deal.foot_size:
        lines = [
            line(clause, "deal.hand_and_foot", count=deal.hand_size, foot=deal.foot_size),
        ]
    else:
        lines = [line(clause, "deal.hand", count=deal.hand_size)]
    are_replaced = rules.turn.threes_at == "deal" and not rules.turn.lay_bonus_by_hand
    if rules.deck.threes == "special" and are_replaced:
        lines.append(line("DEAL-4", "deal.red_threes_foot" if deal.foot_size else "deal.red_threes"))
    if deal.pots:
        lines.append(line("DEAL-8", "deal.pots", pots=len(deal.pots), count=deal.pots[0]))
    if deal.up_card != "natural":
        return [*lines, line("DEAL-7", f"deal.up_card_{deal.up_card}")]
    up_card = "deal.up_card_always_frozen" if rules.pile.always_frozen else "deal.up_card"
    lines.append(line("DEAL-5", up_card, any_top=tuple(tops)))
    if deal.cover_black_three:
        lines.append(line("DEAL-6", "deal.black_three"))
    elif rules.deck.threes == "special":
        stays = "black_three_or_caliente_stays" if rules.deck.caliente_cards else "black_three_stays"
        lines.append(line("DEAL-5", f"deal.{stays}"))
    if deal.reshuffle_second:
        lines.append(line("DEAL-6", "deal.reshuffle"))
    return lines


def turn_lines(rules: Ruleset) -> list[RuleLine]:
    turn = rules.turn
    lines = [line("TURN-1", "turn.course"), line("TURN-2", "turn.draw", count=turn.draw)]
    if turn.draw > 1:
        lines.append(line("END-8", "turn.draw_rest"))
    if rules.melds.run_most:
        lines.append(line("DISC-1", "turn.discard_any"))
        if rules.pile.no_return:
            lines.append(line("DISC-9", "turn.no_return"))
        return lines
    is_bonus = rules.deck.threes == "bonus"
    if is_bonus:
        lines.append(line("TURN-6", "turn.threes_keep_one" if turn.keep_three else "turn.threes"))
    elif turn.lay_bonus_by_hand:
        lines.append(line("TURN-4", "turn.red_three_by_hand", points=rules.scoring.forgotten_red_three))
    else:
        lines.append(line("TURN-3", "turn.red_three"))
    lines += _talon_lines(rules)
    if not is_bonus:
        lines.append(line("TURN-5", "turn.red_three_in_pile"))
    lines += [
        line("DISC-1", "turn.discard_plain" if is_bonus else "turn.discard"),
        *_wild_discard_lines(rules),
        line("DISC-2", "turn.pile_open" if rules.pile.look_through else "turn.pile_squared"),
    ]
    if not is_bonus:
        lines.append(line("DISC-3", "turn.discard_stop"))
    if turn.keep_last_card:
        lines.append(line("DISC-5", "turn.keep_last_card"))
    else:
        lines.append(line("DISC-4", "turn.card_to_keep"))
    return lines


def _wild_discard_lines(rules: Ruleset) -> list[RuleLine]:
    if rules.discards.wilds == "only_wilds":
        return []
    code = "turn.discard_wild_always_frozen" if rules.pile.always_frozen else "turn.discard_wild"
    return [line("DISC-2", code)]


def _talon_lines(rules: Ruleset) -> list[RuleLine]:
    turn = rules.turn
    if not turn.talon:
        return []
    sizes = [phrase(f"talon.{min(at, 2)}", count=count) for at, count in enumerate(turn.talon)]
    lines = [line("TURN-7", "turn.talon", steps=tuple(sizes))]
    if turn.talon_floor:
        lines.append(line("DEAL-9", "turn.talon_floor", count=turn.talon_floor))
    return lines


def discard_lines(rules: Ruleset) -> list[RuleLine]:
    discards = rules.discards
    lines = [
        ("DISC-6", "turn.no_wild_discard", discards.wilds == "only_wilds"),
        ("DISC-7", "turn.empty_pile", discards.empty_pile_bars),
        ("DISC-8", "turn.last_face_down", discards.last_face_down),
    ]
    return [line(clause, code) for clause, code, holds in lines if holds]


def pile_lines(rules: Ruleset) -> list[RuleLine]:
    pile = rules.pile
    if pile.take != "meld_top":
        return [
            line("PILE-16", f"pile.take_{pile.take}"),
            line("PILE-17", "pile.all_see" if pile.look_through else "pile.top_seen"),
        ]
    lines = [line("PILE-1", "pile.needs_meld")]
    if rules.opening.from_hand:
        lines.append(line("PILE-2", "pile.first_from_hand"))
    elif pile.first_meld_needs_pair:
        lines.append(line("PILE-2", "pile.first_pair"))
    elif pile.always_frozen or not pile.natural_and_wild:
        lines.append(line("PILE-2", "pile.first_pair_as_ever"))
    else:
        lines.append(line("PILE-2", "pile.first_any"))
    lines += _frozen_lines(rules) if pile.always_frozen else _free_lines(rules)
    stops = [phrase("card.wild")]
    if rules.deck.threes != "bonus":
        stops += [phrase("card.red_three"), phrase("card.black_three")]
    if rules.deck.caliente_cards:
        stops.append(phrase("card.caliente"))
    lines.append(line("PILE-10", "pile.stopped", any_stop=tuple(stops)))
    if pile.one_card_hand != "free":
        lines.append(line("PILE-11", f"pile.one_card_{pile.one_card_hand}"))
    if pile.put_back:
        lines.append(line("PILE-12", "pile.put_back", points=rules.scoring.put_back_penalty))
    if pile.bars_first_player:
        lines.append(line("PILE-13", "pile.bars_first_player"))
    if rules.melds.dead_ranks:
        lines.append(line("PILE-14", "pile.dead_rank"))
    return lines


def _frozen_lines(rules: Ruleset) -> list[RuleLine]:
    onto = _melds_joined(rules)
    if not onto:
        return [line("PILE-9", "pile.always_frozen")]
    return [line("PILE-9", "pile.always_frozen_onto", any_meld=tuple(onto))]


def _melds_joined(rules: Ruleset) -> list[Phrase]:
    pile, short = rules.pile, rules.melds.canasta_size - 1
    onto: list[Phrase] = []
    if pile.add_to_meld:
        onto.append(phrase("onto.set", most=short))
    if pile.add_to_run and rules.melds.runs:
        onto.append(phrase("onto.run", most=short))
    return onto


def _free_lines(rules: Ruleset) -> list[RuleLine]:
    pile = rules.pile
    ways = [
        ("PILE-4", "natural_and_wild", pile.natural_and_wild),
        ("PILE-5", "add_to_meld", pile.add_to_meld),
        ("PILE-6", "add_to_canasta", pile.add_to_canasta),
    ]
    if rules.melds.runs:
        ways.append(("PILE-7", "add_to_run", pile.add_to_run))
    return [
        line("PILE-3", "pile.pair"),
        *(line(clause, f"pile.{way}" if takes else f"pile.no_{way}") for clause, way, takes in ways),
        line("PILE-8", "pile.frozen"),
    ]


def meld_lines(rules: Ruleset) -> list[RuleLine]:
    melds = rules.melds
    size = melds.canasta_size
    if melds.run_most:
        return _long_meld_lines(rules)
    if melds.largest_set:
        lines = [line("MELD-1", "melds.set_closed", size=size, most=melds.largest_set)]
    else:
        lines = [line("MELD-1", "melds.set", size=size)]
    lines += _wild_lines(rules)
    if melds.wilds_on_canasta:
        lines.append(line("MELD-4", "melds.wilds_on_canasta"))
    elif melds.largest_set != size:
        lines.append(line("MELD-4", "melds.no_wilds_on_canasta"))
    lines.append(line("MELD-5", f"melds.per_rank_{melds.sets_per_rank}"))
    if melds.runs:
        lines.append(line("MELD-6", "melds.suit_runs" if melds.same_suit_runs else "melds.runs", size=size))
    else:
        lines.append(line("MELD-6", "melds.no_runs"))
    if melds.wild_melds:
        code = "melds.wild_melds_closed" if melds.wild_canasta_closed else "melds.wild_melds"
        lines.append(line("MELD-7", code, size=size))
    else:
        lines.append(line("MELD-7", "melds.no_wild_melds"))
    if rules.deck.threes != "bonus":
        lines.append(line("MELD-8", "melds.black_threes"))
    if melds.naturals_before_wild:
        lines.append(line("MELD-11", "melds.naturals_before_wild", naturals=melds.naturals_before_wild))
    if melds.dead_ranks:
        lines.append(line("MELD-12", "melds.dead_ranks"))
    if melds.wild_lock:
        lines.append(line("MELD-13", "melds.wild_lock"))
    whose = "alone" if rules.seats.players < 4 else "partners"
    lines.append(line("MELD-9", f"melds.{whose}_undo" if rules.turn.undo else f"melds.{whose}_stay"))
    return lines


def _long_meld_lines(rules: Ruleset) -> list[RuleLine]:
    """Return the meld lines of games with long sequences."""
    melds = rules.melds
    size = melds.canasta_size
    lines: list[RuleLine] = []
    if melds.set_ranks == "none":
        lines.append(line("MELD-16", "melds.sets_none"))
    else:
        lines.append(line("MELD-1", "melds.long_set", size=size, most=melds.largest_set or 9))
        if melds.set_ranks == "aces_threes":
            lines.append(line("MELD-16", "melds.sets_aces_threes"))
        lines += _wild_lines(rules)
        lines.append(line("MELD-5", f"melds.per_rank_{melds.sets_per_rank}"))
    both_ends = melds.run_ace == "both" and melds.run_most == ACE_TO_ACE
    lines += [
        line("MELD-14", "melds.long_runs", size=size, most=melds.run_most, wilds=melds.run_wilds),
        line("MELD-14", f"melds.ace_{melds.run_ace}{'_ends' if both_ends else ''}"),
    ]
    if melds.run_wilds:
        lines.append(line("MELD-15", f"melds.wild_moves_{melds.wild_moves}"))
    whose = "alone" if rules.seats.players < 4 else "partners"
    lines.append(line("MELD-9", f"melds.{whose}_undo" if rules.turn.undo else f"melds.{whose}_stay"))
    return lines


def _wild_lines(rules: Ruleset) -> list[RuleLine]:
    melds = rules.melds
    lines = [line("MELD-2", f"melds.naturals_{melds.wilds_to_naturals}", naturals=melds.least_naturals)]
    if melds.wilds_by_size:
        last = len(melds.wilds_by_size) - 1
        steps = [
            phrase("wilds.or_more" if at == last else "wilds.in", wilds=wilds, size=3 + at)
            for at, wilds in enumerate(melds.wilds_by_size)
        ]
        lines.append(line("MELD-2", "melds.wilds_by_size", steps=tuple(steps)))
    if melds.most_wilds:
        lines.append(line("MELD-3", "melds.most_wilds", wilds=melds.most_wilds))
    else:
        lines.append(line("MELD-3", "melds.any_wilds"))
    return lines
