"""The list of the pile in the terminal: all cards, or only what a squared pile shows."""

import pytest
from rich.text import Text
from unit.engine.builders import match_at

from canasta.table.views import game_view, table_state
from canasta.table.wire import SeatView, Welcome
from canasta.terminal.dialogs import pile_dialog
from canasta.terminal.model import TableModel
from canasta.terminal.theme import TextStyle

FROZEN = "4c 2c 5c 6h"


@pytest.mark.parametrize(
    ("rules", "pile", "head", "cards"),
    [
        (
            "jaques",
            FROZEN,
            "4 cards; you can see the top card and those that freeze it. Frozen.",
            ["6♥", "2♣"],
        ),
        ("caliente", FROZEN, "4 cards, the top card first. Frozen.", ["6♥", "5♣", "2♣", "4♣"]),
        ("caliente", "3c", "One card. You can’t take it: the top card blocks it.", ["3♣"]),
        ("jaques", "6h", "One card.", ["6♥"]),
    ],
)
def test_the_list_of_the_pile(rules: str, pile: str, head: str, cards: list[str]) -> None:
    match = match_at(f"rules: {rules}\ngiven: {{hands: {{0: K K 9 7}}, melds: {{0: [8 8 8]}}, pile: {pile}}}")
    model = TableModel(TextStyle())
    game = game_view(match.rules)
    model.greet(
        Welcome(table="", link="", public=False, you="", game=game, clock=0, spectators=True, levels=[])
    )
    model.update(table_state(match, [SeatView()] * 4, state=1, viewer=0))
    said, _, shown = pile_dialog(model)._parts
    assert isinstance(said, Text)
    assert said.plain == head
    assert isinstance(shown, Text)
    assert shown.plain.split() == cards
