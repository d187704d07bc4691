"""The rules in the terminal: in the reader's language, with house rules, opened at the requested rule."""

from io import StringIO

import pytest
from rich.console import Console

from canasta.rules import load_ruleset
from canasta.table.views import game_view
from canasta.terminal.dialogs import rules_dialog


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ["At this table: the pile may be put back: no", "House rule: score that ends the game: 3000"]),
        ("de", ["den Stapel zurücklegen", "An diesem Tisch: der Stapel darf zurückgelegt werden: nein"]),
        ("de", ["Hausregel: Punkte zum Ende der Partie: 3000", "Die Partie endet mit der Runde, in der"]),
        ("fr", ["remettre la pile", "Règle maison\u00a0: score qui termine la partie", "L’ouverture"]),
    ],
)
def test_the_rules_of_a_table(language: str, says: list[str]) -> None:
    game = game_view(load_ruleset("jaques", 4, {"target": 3000}))
    where = Console(width=200, file=StringIO())
    with where.capture() as captured:
        for part in rules_dialog(game, "PILE-12", language)._parts:
            where.print(part)
    shown = captured.get()
    for text in says:
        assert text in shown
