"""Cards at a table of one's own: fair without a seed, the same again with one; and the cut."""

import pytest
from hands import play_hand

from canasta.engine.fair import FairRound, commit_to, seed_from_text
from canasta.engine.match import Match
from canasta.notation.local_deals import LocalDeals
from canasta.notation.record import Header, Record
from canasta.notation.replay import Replayer
from canasta.rules import load_ruleset, player_numbers, preset_names

TABLES = [(name, players) for name in preset_names() for players in player_numbers(name)]


def played(deals: LocalDeals, match: Match, hands: int = 1) -> Replayer:
    """The record of some hands among novices, replayed."""
    record = Record(Header.of(match.rules, seed=deals.table), list(deals.before))
    record.note_deal(match, deals.fair)
    while True:
        play_hand(match, record)
        hands -= 1
        if not hands or match.over:
            break
        deals.deal_next(match)
        record.note_deal(match, deals.fair)
    replayer = Replayer(record.text())
    while replayer.step() is not None:
        pass
    assert replayer.replay.problem is None, replayer.replay.problem
    return replayer


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_fair_cards_of_every_game_can_be_verified(rules: str, players: int) -> None:
    deals = LocalDeals(load_ruleset(rules, players))
    match = deals.begin()
    replayer = played(deals, match)
    assert replayer.cut == deals.cut
    dealt = [hand.fair for hand in replayer.fair_hands]
    assert all(isinstance(fair, FairRound) and len(fair.parts) == 1 for fair in dealt)
    assert isinstance(dealt[-1], FairRound)
    assert dealt[-1].contributors == (deals.you,)


def test_the_program_commits_before_it_asks() -> None:
    asked: list[tuple[int, str]] = []

    def ask(hand: int, commitment: str) -> str:
        asked.append((hand, commitment))
        return f"my luck {hand}"

    deals = LocalDeals(load_ruleset("jaques", 4, {"target": 20_000}), ask=ask)
    match = deals.begin()
    replayer = played(deals, match, hands=2)
    assert [hand for hand, _ in asked] == [0, 1, 2]
    assert [hand.commitment for hand in replayer.fair_hands] == [commitment for _, commitment in asked]
    for hand in replayer.fair_hands:
        assert isinstance(hand.fair, FairRound)
        part = hand.fair.parts[0]
        assert part.seed == seed_from_text(f"my luck {hand.number}")
        assert part.commitment == commit_to(
            part.seed, table=deals.table, hand=hand.number, number=1, seat=part.seat
        )


def test_two_games_have_other_cards() -> None:
    rules = load_ruleset("caliente", 4)
    decks = {tuple(LocalDeals(rules, ask=lambda *_: "mine").begin().hand.state.deck) for _ in range(5)}
    assert len(decks) == 5


def test_a_seed_deals_the_same_again() -> None:
    rules = load_ruleset("jaques", 5)
    one, two = LocalDeals(rules, "tuesday"), LocalDeals(rules, "tuesday")
    assert one.begin().hand.state.deck == two.begin().hand.state.deck
    assert one.cut is not None
    assert one.cut == two.cut
    assert one.fair is None
    plain = load_ruleset("caliente", 4)
    assert LocalDeals(plain, "x").begin().hand.state.deck == Match.new(plain, "x").hand.state.deck


def test_names_go_along_with_the_cut() -> None:
    rules = load_ruleset("jaques", 4)
    usual = ["South", "West", "North", "East"]
    for number in range(20):
        deals = LocalDeals(rules, f"cut {number}")
        match = deals.begin()
        assert match.dealer == 3
        names = deals.seated(["You", "West", "Cleo", "East"])
        assert names[deals.you] == "You"
        assert deals.cut is not None
        assert names[deals.cut.seating.players.index(2)] == "Cleo"
        others = [seat for seat in range(4) if names[seat] not in ("You", "Cleo")]
        assert [names[seat] for seat in others] == [usual[seat] for seat in others]
        assert [seat for seat, _ in deals.cuts()] == [0, 1, 2, 3]
