"""Snapshots of the screens as plain text; `pytest --snapshot-update` rewrites them."""

from pathlib import Path
from typing import Any

import pytest
from hands import begin_record, play_hand
from syrupy.assertion import SnapshotAssertion
from terminal.person import hosted, screen_text, until
from textual.pilot import Pilot
from textual.screen import Screen

from canasta.engine.match import Match
from canasta.notation.replay import Replayer
from canasta.rules import Ruleset, load_ruleset, preset_names
from canasta.rules.games import by_family
from canasta.terminal.local_table import LocalTable
from canasta.terminal.new_game import NewGameScreen
from canasta.terminal.replay import ReplayPositions, ReplayScreen, ReviewSheet
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

ROOT = Path(__file__).parents[2]
EVENING = ROOT / "examples" / "evening.canasta"


def position(record: Path, moves: int) -> Match:
    """Return the match of a record after at least `moves` moves, when seat 0 starts its turn."""
    replayer = Replayer(record.read_text())
    match = replayer.replay.match
    assert match is not None
    while replayer.step() is not None:
        if len(replayer.replay.moves) >= moves and match.hand.turn == 0 and match.hand.phase == "draw":
            return match
    raise AssertionError("the record is too short")


def table(match: Match, *, letters: bool = False) -> TableScreen:
    return TableScreen(LocalTable(hosted(match), pace=0), TextStyle(letters))


async def shown(screen: Screen[None], size: tuple[int, int], *keys: str) -> str:
    """Return the text of the screen after some keys."""
    app = TerminalTable(screen)
    async with app.run_test(size=size) as pilot:
        await _ready(pilot, screen)
        for key in keys:
            await pilot.press(key)
            await _ready(pilot, screen)
        return screen_text(app)


async def _ready(pilot: Pilot[None], screen: Screen[Any]) -> None:
    """Wait until the table has been drawn and no action is pending."""
    await pilot.pause()
    while isinstance(screen, TableScreen) and (screen.model.state is None or screen.actions.waits):
        await pilot.pause(0.01)
    await pilot.pause()


GAMES = {
    "caliente": (EVENING, 40),
    "caliente-samba": (ROOT / "tests/golden/caliente-samba.record", 60),
    "hand-and-foot": (ROOT / "tests/golden/hand-and-foot.record", 150),
}


@pytest.mark.parametrize(
    "size", [(80, 20), (80, 23), (80, 24), (160, 50)], ids=["80x20", "80x23", "80x24", "160x50"]
)
@pytest.mark.parametrize("game", GAMES)
async def test_the_table_in_the_middle_of_a_hand(
    game: str, size: tuple[int, int], snapshot: SnapshotAssertion
) -> None:
    assert await shown(table(position(*GAMES[game])), size) == snapshot


async def test_the_table_with_suits_as_letters(snapshot: SnapshotAssertion) -> None:
    text = await shown(table(position(EVENING, 40), letters=True), (80, 24))
    assert not set("♠♥♦♣") & set(text)
    assert text == snapshot


@pytest.mark.parametrize("players", [2, 3, 5, 6])
async def test_the_first_turn_with_more_or_fewer_players(players: int, snapshot: SnapshotAssertion) -> None:
    match = Match.new(load_ruleset("caliente", players), "table", first_dealer=players - 1)
    assert match.hand.turn == 0
    assert await shown(table(match), (80, 24)) == snapshot


async def test_chosen_cards_stand_in_brackets_and_higher(snapshot: SnapshotAssertion) -> None:
    assert await shown(table(position(EVENING, 40)), (80, 24), "d", "space", "end", "space") == snapshot


async def test_help(snapshot: SnapshotAssertion) -> None:
    assert await shown(table(position(EVENING, 40)), (100, 50), "question_mark") == snapshot


async def test_a_refused_move_names_its_rule(snapshot: SnapshotAssertion) -> None:
    match = Match.new(load_ruleset("caliente", 4), "tuesday", first_dealer=3)
    assert await shown(table(match), (80, 24), "t") == snapshot


async def test_new_game(snapshot: SnapshotAssertion) -> None:
    def never(rules: object, level: str) -> Screen[None]:
        raise AssertionError("nobody dealt")

    assert await shown(NewGameScreen(never), (80, 24), "down", "right", "tab") == snapshot


@pytest.mark.parametrize("keys", [["enter"], ["down", "down", "2", "tab", "enter"]])
async def test_the_chosen_game_is_dealt(keys: list[str]) -> None:
    dealt: list[tuple[str, int, str]] = []

    def deal(rules: Ruleset, level: str) -> Screen[None]:
        dealt.append((rules.name, rules.seats.players, level))
        return table(Match.new(rules, "table"))

    app = TerminalTable(NewGameScreen(deal))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await _ready(pilot, app.screen)
        text = screen_text(app)
    assert dealt == ([("caliente", 4, "club")] if len(keys) == 1 else [("original", 2, "expert")])
    assert "first meld" in text


def _place_of(text: str, app: TerminalTable) -> tuple[int, int]:
    """Return the position of a text on the screen."""
    lines = screen_text(app).splitlines()
    row = next(number for number, line in enumerate(lines) if text in line)
    return lines[row].index(text), row


async def test_a_long_list_of_games_moves_with_the_choice() -> None:
    """If not all games fit, the selected one is always visible, and marks show that there are more."""
    form = NewGameScreen(lambda rules, level: table(Match.new(rules, "table")))
    app = TerminalTable(form)
    async with app.run_test(size=(80, 24)) as pilot:
        for rules in form.form.games:
            assert form.form.game is rules
            lines = screen_text(app).splitlines()
            assert any(f"▸ {rules.title} " in line for line in lines)
            assert any("⏎" in line for line in lines)
            await pilot.press("down")
        assert form.form.game.name == "caliente", "round again"
        assert "▾" in screen_text(app)
        assert "▴" not in screen_text(app)
        await pilot.press("up")
        assert "▾" not in screen_text(app)
        assert "▴" in screen_text(app)
    tall = TerminalTable(NewGameScreen(lambda rules, level: table(Match.new(rules, "table"))))
    async with tall.run_test(size=(80, 60)):
        lines = [line.strip() for line in screen_text(tall).splitlines()]
        assert set(by_family(preset_names())) <= set(lines)
        assert not any("▾" in line for line in lines)


async def test_a_game_is_chosen_with_the_mouse() -> None:
    form = NewGameScreen(lambda rules, level: table(Match.new(rules, "table")))
    app = TerminalTable(form)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#new_game", offset=_place_of("Uruguay", app))
        assert form.form.game.name == "uruguay"
        await pilot.click("#new_game", offset=_place_of("⏎", app))
        await _ready(pilot, app.screen)
        assert "Uruguay" in screen_text(app)
        assert isinstance(app.screen, TableScreen)


async def test_a_replay_goes_from_hand_to_hand_and_runs() -> None:
    course = ReplayPositions((ROOT / "tests/golden/jaques.record").read_text())
    list(course.read())
    first, second = course.hands
    screen = ReplayScreen(course, TextStyle())
    async with TerminalTable(screen).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        places: list[int] = []
        for key in ("n", "right", "p", "p", "left", "end", "right", "home"):
            await pilot.press(key)
            places.append(screen.at)
        last = len(course) - 1
        assert places == [second, second + 1, second, first, 0, last, last, 0]
        await pilot.press("a")
        await until(pilot, lambda: screen.at > 0)


async def test_a_replay_goes_by_turns_and_through_one_seats_eyes() -> None:
    course = ReplayPositions(EVENING.read_text())
    list(course.read())
    screen = ReplayScreen(course, TextStyle())
    app = TerminalTable(screen)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await pilot.press("down", "down", "shift+right")
        assert screen.at == course.turns[3]
        await pilot.press("right", "up")
        assert screen.at == course.turns[3]
        await pilot.press("c")
        everything = screen_text(app)
        assert all(name in everything for name in ("South", "West", "North", "East"))
        await pilot.press("escape", "v", "v")
        assert screen.sight == 1
        assert screen.model.state is not None
        assert screen.model.state.seat == 1
        assert not any(seat.shows for seat in screen.model.state.seats)
        await pilot.press("c")
        assert app.screen is screen, "who looks through one player's eyes sees no other cards"
        await pilot.press("v", "v", "v")
        assert screen.sight == -1


async def test_a_record_that_breaks_a_rule_is_shown_up_to_there() -> None:
    lines = EVENING.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("hand 1")) + 6
    course = ReplayPositions("\n".join([*lines[:at], "0: meld K K K", *lines[at:], ""]))
    list(course.read())
    assert len(course) == 6
    text = await shown(ReplayScreen(course, TextStyle()), (80, 24), "end")
    assert f"line {at + 1}" in text


async def test_a_replay_tells_how_a_hand_was_played() -> None:
    """In a short hand, somebody makes a bad discard, and the sheet leads to that position."""
    match = Match.new(load_ruleset("two-player", 2, {"hand_size": 4, "canastas_to_go_out": 0}), "49")
    record = begin_record(match, seed="49")
    play_hand(match, record)
    record.note_left()
    course = ReplayPositions(record.text())
    list(course.read())
    screen = ReplayScreen(course, TextStyle())
    screen.worlds = 8
    app = TerminalTable(screen)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.screen, ReviewSheet) and "own play" in screen_text(app))
        told = screen_text(app)
        assert "South discarded a king; discarding a five" in told
        await pilot.press("end", "enter")
        await until(pilot, lambda: screen.at == 5)
        # Finished work is kept: leaving in between only stops the rest.
        await pilot.press("g")
        await until(pilot, lambda: "own play" in screen_text(app))
        await pilot.press("escape")
        assert screen.at == 5


async def test_replay(snapshot: SnapshotAssertion) -> None:
    course = ReplayPositions(EVENING.read_text())
    assert [*course.read()][-1] == len(course)
    assert await shown(ReplayScreen(course, TextStyle()), (80, 24), "down", "down", "right") == snapshot


async def test_replay_ends_with_the_score_sheet(snapshot: SnapshotAssertion) -> None:
    course = ReplayPositions(EVENING.read_text())
    list(course.read())
    assert await shown(ReplayScreen(course, TextStyle()), (80, 30), "end", "s") == snapshot


async def test_without_colour_the_text_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ("d", "space", "end", "space")
    coloured = await shown(table(position(EVENING, 40)), (80, 24), *keys)
    monkeypatch.setenv("NO_COLOR", "1")
    screen = table(position(EVENING, 40))
    assert await shown(screen, (80, 24), *keys) == coloured
    # Everything shown by colour also has a sign: selected cards, canastas, the player to move.
    assert coloured.count("[") >= 2


@pytest.mark.parametrize("size", [(79, 24), (80, 19), (20, 5)])
async def test_a_window_that_is_too_small_is_told(size: tuple[int, int]) -> None:
    text = await shown(table(position(EVENING, 40)), size)
    assert "80 × 20" in " ".join(text.split())


@pytest.mark.parametrize("size", [(40, 24), (80, 19)])
async def test_a_new_game_tells_at_once_that_there_is_no_room(size: tuple[int, int]) -> None:
    form = NewGameScreen(lambda rules, level: table(Match.new(rules, "table")))
    text = await shown(form, size)
    assert "The table needs 80 × 20 characters" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= size[0]
