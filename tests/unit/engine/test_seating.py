"""Partners, seats that sit out, and dealers, for every number of players."""

import itertools

import pytest

from canasta.engine.cards import (
    ACE,
    BLACK_THREE,
    CALIENTE_KIND,
    JOKER_KIND,
    KINDS_OF,
    KING,
    RED_THREE,
    TWO,
)
from canasta.engine.match import Match, MatchError
from canasta.engine.seating import (
    cut_value,
    first_to_play,
    next_dealer,
    seats_by_cut,
    sides_of_seats,
    sitting_out,
    turn_order,
)
from canasta.errors import InputError
from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.rules.model import Ruleset

SIX_AT_THE_TABLE: tuple[dict[str, object], ...] = ({}, {"sides": 2}, {"sides": 3}, {"extra_deck": True})


def all_tables() -> list[Ruleset]:
    tables = [
        load_ruleset(preset, players) for preset in preset_names() for players in player_numbers(preset)
    ]
    return tables + [load_ruleset("caliente", 6, options) for options in SIX_AT_THE_TABLE]


@pytest.mark.parametrize(
    ("players", "options", "expected"),
    [
        (2, {}, [[0], [1]]),
        (3, {}, [[0], [1], [2]]),
        (4, {}, [[0, 2], [1, 3]]),
        (5, {}, [[0, 2, 4], [1, 3]]),
        (6, {}, [[0, 2, 4], [1, 3, 5]]),
        (6, {"extra_deck": True}, [[0, 2, 4], [1, 3, 5]]),
        (6, {"sides": 2}, [[0, 2, 4], [1, 3, 5]]),
        (6, {"sides": 3}, [[0, 3], [1, 4], [2, 5]]),
    ],
)
def test_sides(players: int, options: dict[str, object], expected: list[list[int]]) -> None:
    rules = load_ruleset("caliente", players, options)
    side_of = sides_of_seats(rules)
    sides = [[seat for seat in range(players) if side_of[seat] == side] for side in range(rules.seats.sides)]
    assert sides == expected


@pytest.mark.parametrize(
    ("players", "options", "expected"),
    [
        (4, {}, [(), (), (), ()]),
        (5, {}, [(4,), (0,), (2,), (4,), (0,), (2,)]),
        (6, {}, [(4, 5), (0, 1), (2, 3), (4, 5)]),
        (6, {"sides": 2}, [(), (), ()]),
        (6, {"sides": 3}, [(), (), ()]),
        (6, {"extra_deck": True}, [(), (), ()]),
    ],
)
def test_sitting_out(players: int, options: dict[str, object], expected: list[tuple[int, ...]]) -> None:
    """SEAT-2, SEAT-3: in turn, seat 4 first."""
    rules = load_ruleset("jaques", players, options)
    assert [sitting_out(rules, hand + 1) for hand in range(len(expected))] == expected


@pytest.mark.parametrize("rules", all_tables(), ids=lambda rules: f"{rules.name}-{rules.seats.players}")
def test_opponents_alternate_in_every_hand(rules: Ruleset) -> None:
    side_of = sides_of_seats(rules)
    for hand in range(1, 7):
        order = turn_order(side_of, sitting_out(rules, hand))
        assert sorted(order) == [seat for seat in range(len(side_of)) if seat not in sitting_out(rules, hand)]
        around = [*order, order[0]]
        if rules.seats.players > 2 or len(order) == 2:
            assert all(side_of[one] != side_of[other] for one, other in itertools.pairwise(around))
        assert len(order) == (4 if rules.seats.sit_out else rules.seats.players)


@pytest.mark.parametrize("rules", all_tables(), ids=lambda rules: f"{rules.name}-{rules.seats.players}")
def test_everyone_sits_out_as_often_and_deals_in_turn(rules: Ruleset) -> None:
    """This covers six hands; the deal passes to the left, to a seat that plays."""
    seats = rules.seats.players
    side_of = sides_of_seats(rules)
    absent: list[int] = []
    dealer = seats - 1
    for hand in range(1, 7):
        out = sitting_out(rules, hand)
        absent += out
        order = turn_order(side_of, out)
        previous, dealer = dealer, next_dealer(dealer, order, seats)
        assert dealer in order
        skipped = [(previous + step) % seats for step in range(1, (dealer - previous) % seats or seats)]
        assert all(seat in out for seat in skipped)
        first = first_to_play(dealer, order)
        assert first == order[(order.index(dealer) + 1) % len(order)]
        assert side_of[first] != side_of[dealer]
    for side in range(rules.seats.sides):
        team = [seat for seat in range(seats) if side_of[seat] == side]
        assert len({absent.count(seat) for seat in team}) == 1


def test_a_match_of_five_over_several_hands() -> None:
    """A player who sits out holds no cards, never deals and is never to move; the four others hold cards."""
    match = Match.new(load_ruleset("caliente", 5, {"target": 100_000}), "five", first_dealer=4)
    for hand in range(1, 7):
        assert match.sitting_out == sitting_out(match.rules, hand)
        assert match.dealer not in match.sitting_out
        assert match.hand.turn == first_to_play(match.dealer, match.hand.state.order)
        for seat in range(5):
            assert bool(match.hand.hand_cards(seat)) == (seat not in match.sitting_out)
        while not match.hand.over:
            assert match.hand.turn not in match.sitting_out
            match.apply(match.hand.legal_moves()[0])
        match.deal_next()


def test_two_players_take_turns_in_going_first() -> None:
    """SEAT-7"""
    match = Match.new(load_ruleset("two-player", options={"target": 100_000}), "alternate", first_dealer=0)
    firsts = []
    for _ in range(4):
        firsts.append(match.hand.turn)
        while not match.hand.over:
            match.apply(match.hand.legal_moves()[0])
        match.deal_next()
    assert firsts == [1, 0, 1, 0]


def test_the_first_dealer_is_random_unless_given() -> None:
    rules = load_ruleset("caliente", 4)
    dealers = [Match.new(rules, f"seed {number}").dealer for number in range(60)]
    assert set(dealers) == {0, 1, 2, 3}
    assert [Match.new(rules, "seed", first_dealer=seat).dealer for seat in range(4)] == [0, 1, 2, 3]
    for seat in (-1, 4):
        with pytest.raises(MatchError):
            Match.new(rules, "seed", first_dealer=seat)


def test_a_match_does_not_deal_out_of_turn() -> None:
    match = Match.new(load_ruleset("caliente"), "deal")
    with pytest.raises(MatchError):
        match.deal_next()


# -- cutting for partners (SEAT-6) ------------------------------------------------------------------------


def card(rank: int, suit: int = 0) -> int:
    return KINDS_OF[rank][suit]


def test_heights_of_cut_cards() -> None:
    in_order = [card(TWO), card(BLACK_THREE), *(card(rank) for rank in range(ACE + 1))]
    heights = [cut_value(kind) for kind in in_order]
    assert heights == sorted(set(heights))
    assert cut_value(card(RED_THREE)) == cut_value(card(BLACK_THREE))
    assert cut_value(JOKER_KIND) < 0
    assert cut_value(CALIENTE_KIND) < 0


def test_heights_by_suit() -> None:
    """Original ranks ♠♥♦♣; Burraco ranks jokers and twos highest, and ♥♦♣♠."""
    clubs, diamonds, hearts, spades = range(4)
    aces = [card(ACE, suit) for suit in (spades, hearts, diamonds, clubs)]
    original = [*aces, card(KING, spades), card(TWO, spades), card(TWO, clubs)]
    heights = [cut_value(kind, "ace_high_suits") for kind in original]
    assert heights == sorted(set(heights), reverse=True)
    assert cut_value(JOKER_KIND, "ace_high_suits") < 0
    aces = [card(ACE, suit) for suit in (hearts, diamonds, clubs, spades)]
    twos, threes = card(TWO, spades), card(BLACK_THREE, 1)
    burraco = [JOKER_KIND, card(TWO, hearts), twos, *aces, card(KING, hearts), card(0, spades)]
    heights = [cut_value(kind, "joker_high_suits") for kind in [*burraco, card(RED_THREE, 1), threes]]
    assert heights == sorted(set(heights), reverse=True)
    assert cut_value(CALIENTE_KIND, "joker_high_suits") < 0


def test_four_cut_for_partners() -> None:
    rules = load_ruleset("jaques", 4)
    seating = seats_by_cut(rules, [[card(KING)], [card(0)], [card(ACE)], [card(5)]])
    # The two highest, players 2 and 0, are partners; the dealer sits on the right of player 2.
    assert seating.players == [2, 3, 0, 1]
    assert seating.dealer == 3


def test_jokers_do_not_count_and_the_next_card_does() -> None:
    rules = load_ruleset("jaques", 4)
    cuts = [[JOKER_KIND, card(0)], [card(5)], [card(6)], [JOKER_KIND, JOKER_KIND, card(ACE)]]
    assert seats_by_cut(rules, cuts).players == [3, 1, 2, 0]


@pytest.mark.parametrize("players", [5, 6])
def test_five_and_six_cut_for_a_team_of_three(players: int) -> None:
    rules = load_ruleset("jaques", players)
    seating = seats_by_cut(rules, [[card(rank)] for rank in range(players)])
    highest = {players - 1, players - 2, players - 3}
    assert {seating.players[seat] for seat in (0, 2, 4)} == highest
    assert seating.players[0] == players - 1
    assert seating.dealer == players - 1


@pytest.mark.parametrize(
    "cuts",
    [
        [[JOKER_KIND], [card(1)], [card(2)], [card(3)]],
        [[card(4)], [card(4, 1)], [card(2)], [card(3)]],
        [[card(5)], [card(4)], [card(4, 1)], [card(3)]],
    ],
)
def test_cuts_that_do_not_decide(cuts: list[list[int]]) -> None:
    with pytest.raises(InputError):
        seats_by_cut(load_ruleset("jaques", 4), cuts)


def test_equal_cards_that_do_not_matter() -> None:
    """The order of the two lowest is not needed to know the partners."""
    seating = seats_by_cut(load_ruleset("jaques", 4), [[card(ACE)], [card(KING)], [card(1)], [card(1, 1)]])
    assert {seating.players[0], seating.players[2]} == {0, 1}
