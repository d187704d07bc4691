"""Draw the pictures of `docs/terminal.md`.

Run `python tests/terminal/pictures.py` with `tests` on the path.
"""

import asyncio
import re

from terminal.test_screens import EVENING, GAMES, ROOT, position, table
from textual.screen import Screen

from canasta.engine.match import Match
from canasta.rules import load_ruleset
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.replay import ReplayPositions, ReplayScreen
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

FOLDER = ROOT / "docs" / "pictures"


def _no_table(rules: object, level: str) -> Screen[None]:
    raise AssertionError("nobody deals for a picture")


def _replay() -> ReplayScreen:
    course = ReplayPositions(EVENING.read_text())
    list(course.read())
    return ReplayScreen(course, TextStyle())


def _first_turn() -> TableScreen:
    return table(Match.new(load_ruleset("caliente", 4), "tuesday", first_dealer=3))


async def _draw(name: str, screen: Screen[None], size: tuple[int, int], *keys: str) -> None:
    app = TerminalTable(screen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.5)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.5)
        svg = app.export_screenshot(title=f"canasta tui: {name}")
    _write(name, svg)


def _write(name: str, svg: str) -> None:
    # A picture loads nothing from elsewhere, so it uses the reader's own monospace font.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code,", "font-family: ui-monospace, DejaVu Sans Mono, Menlo,")
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"terminal-{name}.svg").write_text(svg)


async def main() -> None:
    await _draw("table", table(position(EVENING, 60)), (80, 24), "d", "space")
    await _draw("wide", table(position(*GAMES["hand-and-foot"])), (140, 40), "d", "space", "d")
    await _draw("staged", _first_turn(), (80, 24), "d", "9", "9", "2", "m", "K", "K")
    await _draw("refused", _first_turn(), (80, 24), "t")
    await _draw("hint", table(position(EVENING, 40)), (80, 24), "d", "h")
    await _draw("new", NewGameScreen(_no_table), (80, 24))
    await _draw("replay", _replay(), (80, 24), *["right"] * 22)
    await _draw("scores", _replay(), (80, 24), "end", "s")


if __name__ == "__main__":
    asyncio.run(main())
