"""The deal of the day at the terminal's table."""

from datetime import date

from terminal.person import screen_text, until

from canasta.table import day as deals
from canasta.terminal.local_table import Host, LocalTable
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

TUESDAY = date(2026, 11, 17)


async def test_there_is_no_hint_while_it_counts() -> None:
    game, seed = deals.game_of(TUESDAY), deals.local_seed(TUESDAY)
    host = Host(deals.day_table("day", TUESDAY, game, seed=seed, made=0.0, counts=True))
    screen = TableScreen(LocalTable(host, pace=0), TextStyle())
    app = TerminalTable(screen)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: screen.model.is_your_turn)
        await pilot.press("h")
        await until(pilot, lambda: "There are no hints while" in screen_text(app))
        await pilot.press("d")
        await until(pilot, lambda: screen.model.state is not None and screen.model.state.phase == "play")
    assert host.table.match is not None
    assert host.table.bound_to == "day-2026-11-17"
