"""The terminal table speaks the player's language, and its words come from the catalogue."""

import ast
import re
from pathlib import Path

import pytest
from terminal.person import hosted
from terminal.test_screens import EVENING, position, shown
from textual.screen import Screen

from canasta.i18n.catalogue import languages, texts
from canasta.rules import Ruleset
from canasta.terminal.local_table import LocalTable
from canasta.terminal.menu import bar_items
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.table_screen import TableScreen
from canasta.terminal.theme import TextStyle

SOURCE = Path(__file__).parents[2] / "src" / "canasta"
FILES = sorted((SOURCE / "terminal").glob("*.py"))
TOLD_TO_COMMANDS = {
    "app.py",  # an internal error
    "game_file.py",
    "host.py",
    "remote.py",  # an invalid link
}
"""Files with some sentences for the command line, which prints them before or after the table."""


NO_WORDS = re.compile(
    r"#[0-9a-f]{6}|answer (yes|no)|^take onto|^Caliente ×|^sheet (short|paper)$|^[A-Z]\w+( \| None)?$"
)
"""Colours, moves, a name, the style of a sheet, the name of the program and the names of types."""


def spoken_table(language: str) -> TableScreen:
    return TableScreen(LocalTable(hosted(position(EVENING, 60)), pace=0), TextStyle(language=language))


def literals(file: Path) -> list[str]:
    """Return the string literals of a file except docstrings, with `{}` for interpolated values."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone | inside:
            found.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            found.append("".join(map(str, parts)))
    return found


@pytest.mark.parametrize(
    "file", [file for file in FILES if file.name not in TOLD_TO_COMMANDS], ids=lambda file: file.name
)
def test_no_sentence_stands_in_the_program(file: Path) -> None:
    """Two words, or one with a capital letter, would be shown to everyone in English."""
    found = [
        text for text in literals(file) if re.search(r"[A-Za-z’']{2,},? [a-z’']{2,}|^[A-Z][a-z]{3,}", text)
    ]
    assert [text for text in found if not NO_WORDS.search(text)] == []


def test_every_text_of_the_screens_is_used() -> None:
    files = [*FILES, SOURCE / "commands" / "tui.py", SOURCE / "table" / "replay_frames.py"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    groups = set(re.findall(r'["\'](?:screens\.)?(\w+)\.\{', source))
    unused = {
        key
        for key in texts("en", "screens")
        if key.partition(".")[0] not in groups and not re.search(rf'["\'.]{re.escape(key)}["\']', source)
    }
    assert unused == set()


@pytest.mark.parametrize("language", languages())
async def test_the_smallest_screen_has_room_for_every_language(language: str) -> None:
    """Texts in places of fixed size aren't cut off, and the bar shows every available action."""
    known = texts(language, "screens")
    assert all(len(known[f"band.{kind}"]) <= 5 for kind in ("natural", "mixed", "wild", "samba"))
    assert len(known["stock"]) <= 6
    assert max(len(known["frozen"]), len(known["stock_empty"])) <= 8
    assert max(len(known["pile"]), len(known["stopped"])) <= 10
    assert max(len(known["new.players"]), len(known["new.others"])) < 9
    screen = spoken_table(language)
    text = await shown(screen, (80, 20))
    bar = text.rstrip().splitlines()[-1]
    for item in bar_items(screen.model, is_local=True):
        if item.action.startswith("do:") or item.action == "help":
            assert f"{item.key} {item.label}" in bar
    assert known["pile"] in text


async def test_a_german_table_has_no_english_left() -> None:
    english, german = texts("en", "screens"), texts("de", "screens")
    text = await shown(spoken_table("de"), (140, 40))
    told = [key for key, text in english.items() if "{" not in text and len(text) > 3 and text != german[key]]
    left = {
        english[key] for key in told if re.search(rf"(?<!\w){re.escape(english[key])}(?!\w)", text)
    } - set(german.values())
    assert left == set()


def _no_table(rules: Ruleset, level: str) -> Screen[None]:
    raise AssertionError(f"nobody deals {rules.name} with {level}")


@pytest.mark.parametrize("language", languages())
async def test_the_choice_of_a_game_fits(language: str) -> None:
    text = await shown(NewGameScreen(_no_table, "club", language), (80, 24))
    shown_texts = [texts(language, "screens")[key] for key in ("new.which", "bar.deal", "bar.leave")]
    for each in (*shown_texts, texts(language, "levels")["club.note"]):
        assert each.replace("\u00a0", " ") in text
