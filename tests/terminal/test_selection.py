"""The meaning of selected cards: sets, sequences, wild cards, additions; no card is lost or invented."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.rules import load_ruleset
from canasta.table.selection import MOST_INTERPRETATIONS, first_meld_points, interpret
from canasta.table.views import game_view
from canasta.table.wire import GameView, MeldView

CANASTA = game_view(load_ruleset("caliente"))
LOOSE_RUNS = game_view(load_ruleset("caliente-samba"))
SUITED_RUNS = game_view(load_ruleset("jaques-samba"))
WILD_MELDS = game_view(load_ruleset("hand-and-foot"))


def meld(name: str, cards: str, *, full: bool = False) -> MeldView:
    return MeldView(name=name, cards=cards.split(), full=full)


def moves(cards: str, game: GameView = CANASTA, *melds: MeldView) -> list[list[str]]:
    return [plan.moves() for plan in interpret(cards.split(), melds, game)]


def test_cards_of_one_rank_are_a_set() -> None:
    assert moves("Kh Kd Ks") == [["meld Kh Kd Ks"]]


def test_two_of_a_rank_take_their_wild() -> None:
    assert moves("2c Kh Kd") == [["meld Kh Kd 2c"]]


def test_two_ranks_are_two_melds_of_one_move() -> None:
    assert moves("9c 9d Kh 9h Kd Kc") == [["meld 9c 9d 9h + Kh Kd Kc"]]


def test_wilds_go_first_where_they_are_needed() -> None:
    assert moves("Kh Kd 9c 9d 9h Jo") == [["meld 9c 9d 9h + Kh Kd Jo"]]


def test_a_wild_to_spare_may_go_to_either_set() -> None:
    assert moves("Kh Kd Kc 9c 9d 9h 2c") == [["meld 9c 9d 9h 2c + Kh Kd Kc"], ["meld 9c 9d 9h + Kh Kd Kc 2c"]]


def test_the_smaller_wild_is_used_up_first() -> None:
    assert moves("Jo Kh Kd 2c 9h 9d") == [["meld 9h 9d 2c + Kh Kd Jo"]]


def test_one_card_is_added_to_the_meld_of_its_rank() -> None:
    assert moves("Kh", CANASTA, meld("K", "Kc Kd Ks"), meld("9", "9c 9d 9s")) == [["add Kh to K"]]


def test_one_card_without_a_meld_means_nothing() -> None:
    assert moves("Kh", CANASTA, meld("9", "9c 9d 9s")) == []


def test_a_full_meld_takes_nothing() -> None:
    full = meld("K", "Kc Kd Ks Kh Kh Kd Kc", full=True)
    assert moves("Kh", WILD_MELDS, full) == []
    assert moves("Kh", WILD_MELDS, full, meld("K#2", "Kc Kd Ks")) == [["add Kh to K#2"]]


def test_a_wild_alone_may_go_to_any_set_and_to_no_sequence() -> None:
    melds = (meld("K", "Kc Kd Ks"), meld("9", "9c 9d 9s"), meld("run#1", "4c 5c 6c"))
    assert moves("2c", SUITED_RUNS, *melds) == [["add 2c to K"], ["add 2c to 9"]]


def test_wilds_are_a_meld_of_their_own_beside_however_many_sets() -> None:
    sets = [meld(rank, f"{rank}c {rank}d {rank}s") for rank in "456789TJQKA"]
    found = moves("2c 2s Jo", WILD_MELDS, *sets)
    assert found[0] == ["meld 2c 2s Jo"]
    assert found[1:] == [[f"add 2c 2s Jo to {rank}"] for rank in "456789TJQKA"]


def test_wilds_together_are_a_meld_where_the_game_has_them() -> None:
    assert moves("2c Jo 2d") == []
    assert moves("2c Jo 2d", WILD_MELDS) == [["meld 2c 2d Jo"]]
    assert moves("2c Jo 2d", WILD_MELDS, meld("W", "2c 2d Jo"))[0] == ["add 2c 2d Jo to W"]


def test_additions_and_new_melds_together() -> None:
    assert moves("Kh 9c 9d 9h", CANASTA, meld("K", "Kc Kd Ks")) == [["meld 9c 9d 9h", "add Kh to K"]]


@pytest.mark.parametrize("cards", ["4c 5c 6c", "6c 4c 5c"])
def test_neighbours_are_a_sequence(cards: str) -> None:
    assert moves(cards, SUITED_RUNS) == [["meld 4c 5c 6c"]]


def test_a_sequence_keeps_to_its_suit_where_the_game_asks_for_it() -> None:
    assert moves("4c 5d 6c", SUITED_RUNS) == []
    assert moves("4c 5d 6c", LOOSE_RUNS) == [["meld 4c 5d 6c"]]
    assert moves("4c 5d 6c", CANASTA) == []


def test_a_set_and_a_sequence() -> None:
    assert moves("4c 5c 6c Kh Kd Ks", SUITED_RUNS) == [["meld 4c 5c 6c + Kh Kd Ks"]]


def test_nine_cards_may_be_three_sets_or_three_sequences() -> None:
    found = moves("4c 5c 6c 4d 5d 6d 4h 5h 6h", SUITED_RUNS)
    assert ["meld 4c 4d 4h + 5c 5d 5h + 6c 6d 6h"] in found
    assert ["meld 4c 5c 6c + 4d 5d 6d + 4h 5h 6h"] in found


@pytest.mark.parametrize(
    ("card", "fits"), [("3s", False), ("7c", True), ("4c", True), ("8c", False), ("7d", False)]
)
def test_a_card_is_added_at_either_end_of_a_sequence(card: str, fits: bool) -> None:
    found = moves(card, SUITED_RUNS, meld("run#1", "5c 6c"))
    assert found == ([[f"add {card} to run#1"]] if fits else [])


def test_a_card_that_fits_two_melds_is_asked_about() -> None:
    melds = (meld("7", "7d 7h 7s"), meld("run#1", "4c 5c 6c"))
    assert moves("7c", SUITED_RUNS, *melds) == [["add 7c to 7"], ["add 7c to run#1"]]


def test_black_threes_are_a_meld_and_red_ones_are_not() -> None:
    assert moves("3c 3s 3s") == [["meld 3c 3s 3s"]]
    assert moves("3d 3h 3h") == []


def taking(cards: str, top: str, game: GameView = CANASTA, *melds: MeldView) -> list[list[str]]:
    found = interpret([*cards.split(), top], melds, game)
    return [way for plan in found if (way := plan.take_moves(top))]


def test_the_pile_is_taken_with_a_pair_or_a_card_and_a_wild() -> None:
    assert taking("Kh Kd", "Ks") == [["take Kh Kd"]]
    assert taking("Kh 2c", "Ks") == [["take Kh 2c"]]


def test_the_pile_is_taken_with_more_melds_to_reach_the_minimum() -> None:
    assert taking("Kh Kd 9c 9d 2c", "Ks") == [["take Kh Kd + 9c 9d 2c"]]


def test_the_top_card_goes_onto_a_meld() -> None:
    assert taking("9c 9d 9h", "Ks", CANASTA, meld("K", "Kc Kd Kh")) == [["take onto K", "meld 9c 9d 9h"]]


def test_cards_that_leave_the_top_card_alone_take_nothing() -> None:
    assert taking("9c 9d 9h", "Ks") == []


def test_what_cards_are_worth() -> None:
    assert (
        first_meld_points(["Kh", "9c", "2d", "Jo", "Ac", "4s", "3c"], CANASTA)
        == 10 + 10 + 20 + 50 + 20 + 5 + 5
    )


_RANKS = st.sampled_from("456789TJQKA2")
_CARDS = st.one_of(
    st.builds(str.__add__, _RANKS, st.sampled_from("cdhs")), st.sampled_from(["Jo", "3c", "3h", "Ca"])
)


@given(st.lists(_CARDS, max_size=14), st.sampled_from([CANASTA, LOOSE_RUNS, SUITED_RUNS, WILD_MELDS]))
def test_a_plan_has_exactly_the_chosen_cards(cards: list[str], game: GameView) -> None:
    melds = [meld("K", "Kc Kd Ks"), meld("run#1", "5c 6c 7c")] if game.runs else [meld("K", "Kc Kd Ks")]
    found = interpret(cards, melds, game)
    assert len(found) <= MOST_INTERPRETATIONS
    for plan in found:
        assert Counter(card for part in plan.parts for card in part.cards) == Counter(cards)
        assert all(len(part.cards) >= 3 for part in plan.new)
