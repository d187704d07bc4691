"""The cut, played out: ties and excluded cards are cut again, and cutting always ends."""

from collections.abc import Iterator

import pytest

from canasta.engine.cards import JOKER_KIND, KINDS_OF, full_deck
from canasta.engine.seating import cut_from, is_cut, seats_by_cut, seeded_cut
from canasta.rules import Ruleset, load_ruleset

FOUR, FIVE, SIX, KING, ACE = 0, 1, 2, 9, 10


def card(rank: int, suit: int = 0) -> int:
    return KINDS_OF[rank][suit]


def stacked(*cards: int) -> list[int]:
    """Return a pack with these cards on top."""
    deck = full_deck(2, False)
    for kind in cards:
        deck.remove(kind)
    return [*cards, *deck]


def jaques(players: int, first_dealer: str = "cut") -> Ruleset:
    return load_ruleset("jaques", players, {"seats.first_dealer": first_dealer})


def games() -> Iterator[Ruleset]:
    for players in range(2, 7):
        for first_dealer in ("cut", "cut_deal"):
            yield jaques(players, first_dealer)
    yield from (load_ruleset(name, players) for name in ("original", "burraco") for players in (2, 4))


@pytest.mark.interpreted
def test_everybody_gets_a_seat_and_the_cuts_decide() -> None:
    for rules in games():
        players = rules.seats.players
        for number in range(40):
            cut = seeded_cut(rules, f"cut {number}")
            assert sorted(cut.seating.players) == list(range(players))
            assert len(cut.cards) == players
            if rules.seats.first_dealer == "cut":
                assert cut.seating == seats_by_cut(rules, [list(cards) for cards in cut.cards])
            else:
                assert cut.seating.players == list(range(players))


def test_who_cuts_by_which_rules() -> None:
    assert all(map(is_cut, games()))
    assert not is_cut(load_ruleset("caliente"))
    assert not is_cut(load_ruleset("two-player"))


def test_a_joker_is_cut_again() -> None:
    deck = stacked(card(KING), JOKER_KIND, card(ACE), JOKER_KIND, JOKER_KIND, card(FIVE), card(SIX))
    cut = cut_from(jaques(4), deck)
    joker, six, five = JOKER_KIND, card(SIX), card(FIVE)
    # The two who cut jokers cut again, in seat order, and one of them a third time.
    assert cut.cards == ((card(KING),), (joker, joker, six), (card(ACE),), (joker, five))
    assert cut.seating.players == [2, 1, 0, 3]
    assert cut.seating.dealer == 3


def test_a_tie_that_matters_is_cut_again() -> None:
    deck = stacked(card(KING), card(KING, 1), card(ACE), card(FOUR), card(FIVE), card(SIX))
    cut = cut_from(jaques(4), deck)
    assert cut.cards == ((card(KING), card(FIVE)), (card(KING, 1), card(SIX)), (card(ACE),), (card(FOUR),))
    assert [cut.seating.players[seat] for seat in (0, 2)] == [2, 1]


def test_a_tie_that_decides_nothing_stays() -> None:
    cut = cut_from(jaques(4), stacked(card(KING), card(ACE), card(FOUR), card(FOUR, 1)))
    assert [len(cards) for cards in cut.cards] == [1, 1, 1, 1]


def test_a_joker_in_a_tie_does_not_break_it() -> None:
    deck = stacked(
        *(card(KING), card(KING, 1), card(ACE), card(FOUR)),
        *(JOKER_KIND, card(SIX), card(SIX, 1), card(FIVE), card(FOUR, 1)),
    )  # fmt: skip
    cut = cut_from(jaques(4), deck)
    assert cut.cards[0] == (card(KING), JOKER_KIND, card(SIX, 1), card(FIVE))
    assert cut.cards[1] == (card(KING, 1), card(SIX), card(FOUR, 1))
    assert [cut.seating.players[seat] for seat in (0, 2)] == [2, 0]


def test_where_everybody_keeps_the_seat_the_right_of_the_highest_deals() -> None:
    deck = stacked(card(FOUR), card(FOUR, 1), card(ACE), card(KING))
    cut = cut_from(jaques(4, "cut_deal"), deck)
    assert cut.seating.players == [0, 1, 2, 3]
    assert cut.seating.dealer == 1


def test_a_pack_that_decides_nothing_leaves_everybody_where_they_are() -> None:
    rules = jaques(2)
    in_pairs = sorted(full_deck(2, False))
    cut = cut_from(rules, stacked(*in_pairs))
    assert cut.seating.players == [0, 1]
    assert cut.seating.dealer == 1
