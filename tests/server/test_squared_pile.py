"""The pile in frames: all of it, or the top card, what freezes it, and its size (DISC-2)."""

import msgspec
import pytest

from canasta.bots import get_bot
from canasta.engine.events import PileTaken
from canasta.engine.match import Match
from canasta.notation.cards import parse_card
from canasta.rules import load_ruleset
from canasta.table.event_views import events_for
from canasta.table.log import Created, LogError
from canasta.table.table import Table
from canasta.table.views import game_view, table_state
from canasta.table.wire import EventView, PileView, SeatView

NAMES = ("Ada", "Ben", "Cleo", "Dov")


def played(rules: str, options: dict[str, object]) -> tuple[list[PileView], list[EventView]]:
    """Return the pile views of a few hands for a spectator, and the events of taking the pile."""
    match = Match.new(load_ruleset(rules, 4, options), "squared")
    bot, piles, takes = get_bot("club"), list[PileView](), list[EventView]()
    while match.hand_number < 4:
        if match.hand.over:
            match.deal_next()
        state = table_state(match, [SeatView()] * len(NAMES), state=1)
        assert state.pile is not None
        piles.append(state.pile)
        events = match.apply(bot.choose(match.hand.view(match.hand.turn)))
        takes += [told for told in events_for(events, None, NAMES) if told.what == "pile_taken"]
    return piles, takes


def test_a_squared_pile_shows_its_top_card_and_its_size() -> None:
    piles, takes = played("jaques", {})
    large = [pile for pile in piles if len(pile.cards) > 2]
    assert large
    for pile in large:
        assert pile.cards[-1]
        # Only twos, jokers and red threes lie crosswise.
        assert {card[0] for card in pile.cards[:-1] if card} <= set("2J3")
    assert any("" in pile.cards for pile in large)
    assert takes
    assert all(len(take.cards) == 1 for take in takes)
    assert any(take.count > 1 for take in takes)


@pytest.mark.parametrize(("rules", "options"), [("caliente", {}), ("jaques", {"pile.look_through": True})])
def test_a_pile_that_may_be_looked_through_is_told_card_by_card(
    rules: str, options: dict[str, object]
) -> None:
    piles, _ = played(rules, options)
    assert all(all(pile.cards) for pile in piles)


def test_whoever_takes_the_pile_is_told_all_of_it() -> None:
    taken = PileTaken(2, parse_card("Kh"), (parse_card("4c"), parse_card("5c")))
    assert events_for([taken], 2, NAMES)[0].cards == ["4c", "5c", "Kh"]
    told = events_for([taken], 1, NAMES)[0]
    assert (told.cards, told.count) == (["Kh"], 3)


def test_a_table_of_version_1_goes_on_with_the_rules_of_that_time() -> None:
    old = Created(
        rules="jaques", version=1, players=4, options={}, public=False, level="club", clock=0,
        spectators=True, seed="ab" * 32, made=0.0,
    )  # fmt: skip
    rules = Table("table234567abc", old).rules
    assert game_view(rules).options == {"turn.undo": True, "pile.look_through": True}
    with pytest.raises(LogError):
        Table("table234567abc", msgspec.structs.replace(old, version=3))
