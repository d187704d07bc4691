"""The deal: sizes, red threes, the first up card, and decks that no shuffle produces."""

from collections import Counter

import pytest
from property.invariants import check_cards, check_frozen, check_hands, check_state

from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import (
    BLACK_THREE,
    CALIENTE_KIND,
    JOKER_KIND,
    KINDS_OF,
    RANK_OF,
    RED_THREE,
    THREE_OF_CLUBS,
    THREE_OF_DIAMONDS,
    THREE_OF_HEARTS,
    THREE_OF_SPADES,
    TWO,
    full_deck,
)
from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_hand, shuffled_deck
from canasta.engine.rng import Rng
from canasta.engine.rule_tables import minimum_for
from canasta.engine.seating import order_of_hand
from canasta.engine.state import DRAW, OVER, HandState
from canasta.rules import load_ruleset, player_numbers, preset_names

CASES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def deal(preset: str, players: int, deck: list[int], options: dict[str, object] | None = None) -> HandState:
    tables = compile_rules(load_ruleset(preset, players, options))
    order = order_of_hand(tables.rules, 1)
    return deal_hand(
        tables,
        deck=deck,
        order=order,
        dealer=order[-1],
        scores=[0] * tables.rules.seats.sides,
        round_number=1,
        rng=Rng("reshuffle"),
    )


def stacked(
    preset: str, players: int, after_hands: list[int], options: dict[str, object] | None = None
) -> list[int]:
    """Return a deck that deals plain cards to everyone and then turns up these."""
    rules = load_ruleset(preset, players, options)
    seats = 4 if rules.seats.sit_out else players
    dealt = seats * (rules.deal.hand_size + rules.deal.foot_size)
    left = Counter(full_deck(rules.deck.decks, rules.deck.caliente_cards))
    left.subtract(after_hands)
    assert min(left.values()) >= 0
    plain = [kind for kind in left.elements() if RANK_OF[kind] <= 10]
    rest = [kind for kind in left.elements() if RANK_OF[kind] > 10]
    return plain[:dealt] + after_hands + plain[dealt:] + rest


@pytest.mark.parametrize(("preset", "players"), CASES)
def test_sizes(preset: str, players: int) -> None:
    """DEAL-1 to DEAL-3, after red threes are replaced."""
    rules = load_ruleset(preset, players)
    tables = compile_rules(rules)
    for seed in range(5):
        state = deal(preset, players, shuffled_deck(tables, Rng(f"sizes {seed}")))
        check_cards(state)
        check_hands(state)
        if not state.compiled.no_opening:
            check_state(state)
            check_frozen(state)
        assert state.phase == DRAW
        assert state.turn == state.order[0]
        for seat in range(players):
            plays = seat in state.order
            assert state.size(seat) == (rules.deal.hand_size if plays else 0)
            assert len(state.feet[seat]) == (rules.deal.foot_size if plays else 0)
        assert bool(state.pile) == (rules.deal.up_card != "none")
        assert [len(pot) for pot in state.pots] == list(rules.deal.pots)
        assert legal_steps(state)


EXPECTED_HANDS = {
    ("caliente", 2): 15,
    ("caliente", 3): 13,
    ("caliente", 4): 11,
    ("caliente", 5): 11,
    ("caliente", 6): 11,
    ("jaques", 2): 15,
    ("jaques", 3): 13,
    ("jaques", 4): 11,
    ("two-player", 2): 15,
    ("hand-and-foot", 4): 13,
    ("caliente-samba", 2): 15,
    ("caliente-samba", 4): 15,
    ("jaques-samba", 4): 15,
    ("bolivia", 6): 15,
}


@pytest.mark.parametrize(("preset", "players"), EXPECTED_HANDS)
def test_hands_are_as_large_as_the_booklets_say(preset: str, players: int) -> None:
    assert load_ruleset(preset, players).deal.hand_size == EXPECTED_HANDS[preset, players]


def test_a_shuffled_deck_is_the_whole_deck() -> None:
    tables = compile_rules(load_ruleset("hand-and-foot", options={"caliente_cards": True}))
    deck = shuffled_deck(tables, Rng("whole"))
    assert len(deck) == 275
    assert sorted(deck) == sorted(full_deck(5, True))
    assert deck != full_deck(5, True)


def test_red_threes_dealt_are_laid_out_and_replaced_again_until_none_is_held() -> None:
    """DEAL-4: the card that replaces a red three may be a red three as well."""
    deck = stacked("caliente", 4, [])
    red = [THREE_OF_HEARTS, THREE_OF_HEARTS, THREE_OF_DIAMONDS, THREE_OF_DIAMONDS]
    others = [kind for kind in deck if RANK_OF[kind] != RED_THREE]
    # One is the first card dealt; the other three are the first cards of the stock.
    deck = [red[0], *others[:43], *red[1:], *others[43:]]
    state = deal("caliente", 4, deck)
    check_state(state)
    assert state.bonus[state.side_of[state.order[0]]] == red
    assert all(state.size(seat) == 11 for seat in state.order)
    assert state.stock_size() == 108 - 44 - 4 - state.pile_size()


def test_red_threes_stay_in_hand_where_they_are_laid_by_hand() -> None:
    """TURN-4"""
    options: dict[str, object] = {"lay_bonus_by_hand": True}
    deck = full_deck(2, False)
    deck.sort(key=lambda kind: RANK_OF[kind] != RED_THREE)
    state = deal("caliente", 4, deck, options)
    check_cards(state)
    assert [state.count(seat, RED_THREE) for seat in state.order] == [1, 1, 1, 1]
    assert state.bonus == [[], []]


TWO_OF_CLUBS = KINDS_OF[TWO][0]
KING_OF_CLUBS = KINDS_OF[9][0]
QUEEN_OF_CLUBS = KINDS_OF[8][0]


@pytest.mark.parametrize(
    ("preset", "turned", "pile_size", "frozen"),
    [
        ("caliente", [KING_OF_CLUBS], 1, False),
        ("caliente", [JOKER_KIND, KING_OF_CLUBS], 2, True),
        ("caliente", [TWO_OF_CLUBS, JOKER_KIND, THREE_OF_HEARTS, KING_OF_CLUBS], 4, True),
        ("caliente", [THREE_OF_CLUBS], 1, False),
        ("caliente", [THREE_OF_HEARTS, KING_OF_CLUBS], 2, True),
        ("two-player", [TWO_OF_CLUBS, THREE_OF_DIAMONDS, KING_OF_CLUBS], 3, True),
        ("jaques", [THREE_OF_SPADES, KING_OF_CLUBS], 2, False),
        ("jaques", [THREE_OF_SPADES, THREE_OF_CLUBS, KING_OF_CLUBS], 3, False),
        ("jaques", [TWO_OF_CLUBS, THREE_OF_HEARTS, KING_OF_CLUBS], 3, True),
        ("jaques", [JOKER_KIND, THREE_OF_CLUBS, KING_OF_CLUBS], 3, True),
    ],
)
def test_first_up_card(preset: str, turned: list[int], pile_size: int, frozen: bool) -> None:
    """DEAL-5, DEAL-6"""
    players = 2 if preset == "two-player" else 4
    state = deal(preset, players, stacked(preset, players, turned))
    check_state(state)
    assert state.pile_size() == pile_size
    assert state.pile == turned[:pile_size]
    assert state.frozen == frozen
    assert state.pile_is_from_deal


@pytest.mark.parametrize("pair", [(JOKER_KIND, TWO_OF_CLUBS), (THREE_OF_HEARTS, THREE_OF_DIAMONDS)])
def test_a_second_wild_or_red_three_is_shuffled_back(pair: tuple[int, int]) -> None:
    """DEAL-6"""
    deck = stacked("jaques", 4, [*pair, KING_OF_CLUBS])
    state = deal("jaques", 4, deck)
    check_state(state)
    check_frozen(state)
    assert state.deck[44:] != deck[44:]
    assert Counter(RANK_OF[kind] for kind in state.pile)[RANK_OF[pair[0]]] <= 1
    assert RANK_OF[state.top_card()] <= 10


def test_a_stop_card_or_caliente_card_turned_first_stays() -> None:
    """Reading 4"""
    options: dict[str, object] = {"caliente_cards": True}
    for kind in (CALIENTE_KIND, THREE_OF_SPADES):
        state = deal("caliente", 4, stacked("caliente", 4, [kind], options), options)
        assert state.pile == [kind]
        assert not state.frozen
        assert not any(state.compiled.layout.decoded[step].takes for step in legal_steps(state))


def test_a_deck_with_nothing_to_turn_up() -> None:
    """A position may leave only wild cards to turn up; they then form the pile."""
    tables = compile_rules(load_ruleset("caliente", 2))
    hands = [kind for kind in full_deck(2, False) if RANK_OF[kind] <= 10][:30]
    state = deal_hand(
        tables,
        deck=[*hands, JOKER_KIND, JOKER_KIND],
        order=[0, 1],
        dealer=1,
        scores=[0, 0],
        round_number=1,
        rng=Rng("x"),
    )
    assert state.pile == [JOKER_KIND, JOKER_KIND]
    assert state.stock_size() == 0
    assert state.phase in (DRAW, OVER)


@pytest.mark.parametrize("preset", ["jaques", "jaques-samba", "bolivia"])
def test_turning_up_comes_to_an_end_with_nothing_but_wilds(preset: str) -> None:
    """DEAL-6 shuffles a second wild card back; if nothing else is left, this must not repeat for ever."""
    tables = compile_rules(load_ruleset(preset, 2))
    rules = tables.rules
    hands = [kind for kind in full_deck(rules.deck.decks, False) if RANK_OF[kind] <= 10]
    state = deal_hand(
        tables,
        deck=[*hands[: 2 * rules.deal.hand_size], JOKER_KIND, JOKER_KIND, TWO_OF_CLUBS, BLACK_THREE_KIND],
        order=[0, 1],
        dealer=1,
        scores=[0, 0],
        round_number=1,
        rng=Rng("x"),
    )
    assert state.stock_size() + state.pile_size() == 4


BLACK_THREE_KIND = KINDS_OF[BLACK_THREE][0]


@pytest.mark.parametrize(
    ("preset", "score", "expected"),
    [
        ("caliente", -5, 0),
        ("caliente", 0, 50),
        ("caliente", 1495, 50),
        ("caliente", 1500, 90),
        ("caliente", 2995, 90),
        ("caliente", 3000, 120),
        ("caliente-samba", -5, 15),
        ("caliente-samba", 7000, 150),
        ("caliente-samba", 6995, 120),
        ("jaques", -5, 0),
        ("jaques", 1500, 50),
        ("jaques", 1505, 90),
        ("jaques", 3000, 90),
        ("jaques", 3005, 120),
        ("jaques-samba", 1500, 90),
        ("bolivia", 7000, 150),
        ("bolivia", -5, 0),
        ("two-player", -5, 15),
        ("two-player", 3000, 120),
    ],
)
def test_minimum_by_score(preset: str, score: int, expected: int) -> None:
    """OPEN-1"""
    assert minimum_for(load_ruleset(preset), score, 1) == expected


def test_minimum_by_round() -> None:
    """OPEN-1 in hand-and-foot: the minimum depends on the round, not on the score, and the last one stays."""
    rules = load_ruleset("hand-and-foot")
    assert [minimum_for(rules, -2000, number) for number in range(1, 7)] == [50, 90, 120, 150, 150, 150]


def test_minimum_with_an_extra_deck() -> None:
    rules = load_ruleset("caliente", 6, {"extra_deck": True})
    assert [minimum_for(rules, score, 1) for score in (0, 3000, 7495, 7500)] == [50, 120, 120, 150]


def test_a_hand_does_not_hang_on_the_order_that_another_was_dealt_in() -> None:
    compiled = compile_rules(load_ruleset("caliente"))
    order = [0, 1, 2, 3]
    compiled.places(order)
    order.reverse()
    assert compiled.places([0, 1, 2, 3]).order == [0, 1, 2, 3]
