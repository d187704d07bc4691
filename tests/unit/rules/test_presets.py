"""Every number of the rulebook's tables, written a second time and compared with the presets."""

from typing import Any

import pytest

from canasta.rules import default_players, load_ruleset, player_numbers, preset_names
from canasta.rules.loader import values_of
from canasta.rules.model import usual_values

CAL, SAM, HAF, JAQ, JSA, BOL, NET = (
    "caliente",
    "caliente-samba",
    "hand-and-foot",
    "jaques",
    "jaques-samba",
    "bolivia",
    "two-player",
)
ORDER = (CAL, SAM, HAF, JAQ, JSA, BOL, NET)

# Values that do not depend on the number of players: one column per preset, in the order above.
TABLE: dict[str, tuple[Any, ...]] = {
    # DECK
    "deck.decks": (2, 3, 5, 2, 3, 3, 2),
    "deck.caliente_cards": (False,) * 7,
    "deck.caliente_names": (True, True, True, False, False, False, False),
    "deck.joker_value": (50,) * 7,
    "deck.two_value": (20,) * 7,
    "deck.ace_value": (20,) * 7,
    "deck.high_value": (10,) * 7,
    "deck.low_value": (5,) * 7,
    "deck.black_three_value": (5,) * 7,
    # SEAT
    "seats.first_dealer": ("random", "random", "random", "cut", "cut", "cut", "alternate"),
    "seats.may_advise": (False, False, False, True, True, True, False),
    # DEAL
    "deal.foot_size": (0, 0, 13, 0, 0, 0, 0),
    "deal.cover_black_three": (False, False, False, True, True, True, False),
    "deal.reshuffle_second": (False, False, False, True, True, True, False),
    "deal.natural_covers_frozen": (True, True, True, True, True, True, False),
    # TURN, DISC-5, MELD-9
    "turn.lay_bonus_by_hand": (False,) * 7,
    "turn.keep_last_card": (False, False, False, False, False, False, True),
    "turn.undo": (False, False, False, False, False, False, True),
    # PILE
    "pile.first_meld_needs_pair": (True, True, True, True, True, True, False),
    "pile.natural_and_wild": (True, False, False, True, False, False, True),
    "pile.add_to_meld": (True,) * 7,
    "pile.add_to_canasta": (True, False, False, False, False, False, True),
    "pile.add_to_run": (False, True, False, False, False, False, False),
    "pile.always_frozen": (False, False, True, False, False, False, False),
    "pile.one_card_hand": ("free",) * 3 + ("must_go_out",) * 3 + ("not_single",),
    "pile.bars_first_player": (False, False, False, True, True, True, False),
    "pile.put_back": (False,) * 7,
    "pile.look_through": (True, True, True, False, False, False, True),
    # MELD
    "melds.canasta_size": (7,) * 7,
    "melds.largest_set": (0, 0, 7, 0, 0, 0, 0),
    "melds.least_naturals": (2,) * 7,
    "melds.wilds_to_naturals": ("fewer", "free", "fewer", "free", "free", "free", "equal"),
    "melds.most_wilds": (3, 2, 2, 3, 2, 2, 0),
    "melds.wilds_by_size": ((), (), (), (1, 2, 3), (), (), ()),
    "melds.wilds_on_canasta": (True, False, False, True, False, False, True),
    "melds.sets_per_rank": ("one", "any", "one_open", "one", "any", "any", "one"),
    "melds.runs": (False, True, False, False, True, True, False),
    "melds.same_suit_runs": (False, False, False, False, True, True, False),
    "melds.wild_melds": (False, False, True, False, False, True, False),
    "melds.wild_canasta_closed": (True, True, True, True, True, True, False),
    # OPEN
    "opening.below_zero": (0, 15, 0, 0, 0, 0, 15),
    "opening.scores": (
        (0, 1500, 3000),
        (0, 1500, 3000, 7000),
        (),
        (0, 1500, 3000),
        (0, 1500, 3000, 7000),
        (0, 1500, 3000, 7000),
        (0, 1500, 3000),
    ),
    "opening.minimums": (
        (50, 90, 120),
        (50, 90, 120, 150),
        (50, 90, 120, 150),
        (50, 90, 120),
        (50, 90, 120, 150),
        (50, 90, 120, 150),
        (50, 90, 120),
    ),
    "opening.above_score": (False, False, False, True, False, False, False),
    "opening.by_round": (False, False, True, False, False, False, False),
    "opening.top_card_counts": (True,) * 7,
    "opening.canasta_suffices": (False, False, False, True, True, True, False),
    "opening.concealed_suffices": (False, False, False, False, False, False, True),
    "opening.canasta_bonus_counts": (False,) * 7,
    # OUT (the number of canastas is below)
    "going_out.natural": (0, 0, 2, 0, 0, 0, 0),
    "going_out.mixed": (0, 0, 2, 0, 0, 0, 0),
    "going_out.wild": (0, 0, 1, 0, 0, 0, 0),
    "going_out.sequence": (0, 0, 0, 0, 0, 1, 0),
    "going_out.ask": ("may", "may", "must", "may", "may", "may", "may"),
    # END
    "stock_end.after_last_card": ("play_on",) * 3 + ("one_taker",) * 3 + ("top_card",),
    "stock_end.forced": (True, True, True, False, False, False, True),
    "stock_end.last_red_three": ("ends",) * 3 + ("melds",) * 3 + ("goes_on",),
    # CALI
    "caliente.hand_size": (11, 15, 13, 11, 15, 15, 15),
    "caliente.played_penalty": (100,) * 7,
    "caliente.held_one": (2,) * 7,
    "caliente.held_more": (3,) * 7,
    # SCOR
    "scoring.natural_canasta": (500,) * 7,
    "scoring.mixed_canasta": (300,) * 7,
    "scoring.samba": (0, 1500, 0, 0, 1500, 1500, 0),
    "scoring.wild_canasta": (0, 0, 1500, 0, 0, 2500, 1000),
    "scoring.going_out": (100, 200, 100, 100, 100, 200, 100),
    "scoring.concealed": (100, 0, 0, 100, 100, 100, 100),
    "scoring.concealed_by": ("player",) * 6 + ("table",),
    "scoring.red_three": (100,) * 7,
    "scoring.red_three_extra_from": (4, 6, 0, 4, 6, 6, 4),
    "scoring.red_three_extra": (400, 400, 0, 400, 400, 400, 400),
    "scoring.red_threes_minus": (
        "no_first_meld",
        "few_canastas",
        "no_first_meld",
        "other_went_out",
        "all_need_canastas",
        "all_need_canastas",
        "other_went_out",
    ),
    "scoring.red_threes_minus_canastas": (0, 2, 0, 0, 2, 2, 0),
    "scoring.black_three_in_hand": (5, 5, 5, 5, 5, 100, 5),
    "scoring.forgotten_red_three": (100, 100, 100, 500, 500, 500, 100),
    "scoring.put_back_penalty": (50,) * 7,
    "scoring.canasta_for_positive_score": (False,) * 7,
    # GAME
    "match.target": (5000, 10000, 0, 5000, 10000, 10000, 5000),
    "match.rounds": (0, 0, 4, 0, 0, 0, 0),
}

# Values that do: cards dealt, cards drawn, canastas to go out.
BY_PLAYERS: dict[tuple[str, int], tuple[int, int, int]] = {
    (CAL, 2): (15, 2, 2),
    (CAL, 3): (13, 1, 1),
    (CAL, 4): (11, 1, 1),
    (CAL, 5): (11, 1, 1),
    (CAL, 6): (11, 1, 1),
    (SAM, 2): (15, 2, 2),
    (SAM, 3): (15, 2, 2),
    (SAM, 4): (15, 2, 2),
    (SAM, 5): (15, 2, 2),
    (SAM, 6): (15, 2, 2),
    (HAF, 2): (13, 2, 0),
    (HAF, 3): (13, 2, 0),
    (HAF, 4): (13, 2, 0),
    (HAF, 5): (13, 2, 0),
    (HAF, 6): (13, 2, 0),
    (JAQ, 2): (15, 1, 2),
    (JAQ, 3): (13, 1, 1),
    (JAQ, 4): (11, 1, 1),
    (JAQ, 5): (11, 1, 1),
    (JAQ, 6): (11, 1, 1),
    (JSA, 2): (15, 2, 2),
    (JSA, 3): (15, 2, 2),
    (JSA, 4): (15, 2, 2),
    (JSA, 5): (15, 2, 2),
    (JSA, 6): (15, 2, 2),
    (BOL, 2): (15, 2, 2),
    (BOL, 3): (15, 2, 2),
    (BOL, 4): (15, 2, 2),
    (BOL, 5): (15, 2, 2),
    (BOL, 6): (15, 2, 2),
    (NET, 2): (15, 1, 2),
}

# SEAT-1 to SEAT-3: the number of sides, and whether anybody sits out
SEATS = {2: (2, False), 3: (3, False), 4: (2, False), 5: (2, True), 6: (2, True)}

TABLES = list(BY_PLAYERS)


def test_the_presets_of_the_rulebook_are_there() -> None:
    assert tuple(name for name in preset_names() if name in ORDER) == ORDER


@pytest.mark.parametrize("name", ORDER)
def test_player_numbers(name: str) -> None:
    assert player_numbers(name) == ((2,) if name == NET else (2, 3, 4, 5, 6))
    assert default_players(name) == (2 if name == NET else 4)
    assert load_ruleset(name).seats.players == default_players(name)
    assert load_ruleset(name).name == name
    assert load_ruleset(name).title
    assert load_ruleset(name).version == 2


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_values_for_every_number_of_players(name: str, players: int) -> None:
    values = values_of(load_ruleset(name, players))
    column = ORDER.index(name)
    # Fields that are not in the table have their usual values.
    expected = usual_values() | {path: row[column] for path, row in TABLE.items()}
    hand, draw, canastas = BY_PLAYERS[name, players]
    sides, sit_out = SEATS[players]
    expected |= {
        "name": name,
        "title": values["title"],
        "version": 2,
        "seats.players": players,
        "seats.sides": sides,
        "seats.sit_out": sit_out,
        "deal.hand_size": hand,
        "turn.draw": draw,
        "going_out.canastas": canastas,
    }
    assert values == expected


def test_the_tables_cover_every_preset_and_number() -> None:
    assert set(TABLES) == {(name, players) for name in ORDER for players in player_numbers(name)}


EXTRA_DECK = {
    "deck.decks": 3,
    "seats.sit_out": False,
    "deal.hand_size": 13,
    "opening.scores": (0, 1500, 3000, 7500),
    "opening.minimums": (50, 90, 120, 150),
    "going_out.canastas": 2,
    "scoring.red_three_extra_from": 5,
    "scoring.red_three_extra": 600,
    "match.target": 10000,
}


@pytest.mark.parametrize("sides", [None, 2, 3])
def test_six_players_with_an_extra_deck(sides: int | None) -> None:
    options = {"extra_deck": True} if sides is None else {"extra_deck": True, "sides": sides}
    usual = values_of(load_ruleset(CAL, 6))
    extra = values_of(load_ruleset(CAL, 6, options))
    changed = {path: value for path, value in extra.items() if usual[path] != value}
    assert changed == EXTRA_DECK | ({"seats.sides": 3} if sides == 3 else {})


@pytest.mark.parametrize("name", [SAM, HAF, JAQ, JSA, BOL])
def test_elsewhere_the_extra_deck_only_lets_all_six_play(name: str) -> None:
    usual = values_of(load_ruleset(name, 6))
    extra = values_of(load_ruleset(name, 6, {"extra_deck": True}))
    assert {path for path in extra if usual[path] != extra[path]} == {"seats.sit_out"}


@pytest.mark.parametrize(("name", "canastas"), [(JAQ, 1), (JSA, 2), (BOL, 2), (CAL, 2)])
def test_thirteen_cards_for_two_need_one_canasta_in_jaques_alone(name: str, canastas: int) -> None:
    assert load_ruleset(name, 2, {"hand_size": 13}).going_out.canastas == canastas


def test_the_condition_needs_two_players_thirteen_cards_and_no_choice_of_canastas() -> None:
    assert load_ruleset(JAQ, 2, {"hand_size": 14}).going_out.canastas == 2
    assert load_ruleset(JAQ, 2, {"deal.hand_size": 13}).going_out.canastas == 1
    assert load_ruleset(JAQ, 2, {"hand_size": 13, "canastas_to_go_out": 2}).going_out.canastas == 2
    assert load_ruleset(JAQ, 2, {"hand_size": 13, "going_out.canastas": 2}).going_out.canastas == 2
    assert load_ruleset(JAQ, 3, {"canastas_to_go_out": 2}).going_out.canastas == 2
