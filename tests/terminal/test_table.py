"""Single actions of a player at the terminal's table, and the table's messages."""

import asyncio
import io
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from terminal.person import hosted, screen_text, until
from textual.pilot import Pilot

from canasta.engine.match import Match
from canasta.engine.position import Position
from canasta.i18n.voice import SEAT_NAMES
from canasta.notation.cards import parse_cards
from canasta.notation.replay import replay
from canasta.rules import load_ruleset
from canasta.table.wire import (
    AnyFrame,
    Checked,
    Done,
    EventView,
    Problem,
    Refused,
    SheetView,
    TableState,
    Welcome,
)
from canasta.table.wire_commands import AnyCommand, CheckMove, MakeMove, NextHand, Say
from canasta.terminal.dialogs import Chooser
from canasta.terminal.fairness import FairnessClient
from canasta.terminal.hand import ActionBar
from canasta.terminal.local_table import Host, LocalTable, OnFrame, OnLink, new_table
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

TUESDAY = "tuesday"
"""Deals 5d 6d 9c 9h Kd Kh Ad Ah 2c 2d Jo to seat 0, which begins, with a frozen six of hearts on the pile."""


class Sitting:
    """A person at a table, and the pilot who presses their keys."""

    def __init__(self, screen: TableScreen, pilot: Pilot[None]) -> None:
        self.screen = screen
        self.model = screen.model
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        await self.pilot.pause()
        while self.screen.actions.waits or self.model.state is None:
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    def text(self) -> str:
        app = self.screen.app
        assert isinstance(app, TerminalTable)
        return screen_text(app)

    @property
    def state(self) -> TableState:
        assert self.model.state is not None
        return self.model.state


@asynccontextmanager
async def seated(
    match: Match, size: tuple[int, int] = (80, 24), source: type[LocalTable] = LocalTable
) -> AsyncIterator[Sitting]:
    screen = TableScreen(source(hosted(match), pace=0), TextStyle())
    async with TerminalTable(screen).run_test(size=size) as pilot:
        sitting = Sitting(screen, pilot)
        await sitting.settle()
        yield sitting


def tuesday(**options: object) -> Match:
    return Match.new(load_ruleset("caliente", 4, options), TUESDAY, first_dealer=3)


async def test_a_first_meld_is_staged_until_it_is_worth_enough() -> None:
    async with seated(tuesday()) as me:
        await me.press("d", "9", "9", "2", "m")
        assert me.model.staged.groups == [("9c", "9h", "2c")]
        assert "9h" not in me.model.hand
        assert "40 of 50 needed" in me.text()
        await me.press("K", "K", "2", "m")
        assert not me.model.staged
        assert [meld.name for meld in me.model.own_melds()] == ["9", "K"]
        assert "Us · 80 on the table" in me.text()


async def test_staged_melds_and_melds_are_taken_back() -> None:
    async with seated(tuesday(**{"turn.undo": True})) as me:
        await me.press("d", "9", "9", "2", "m", "u")
        assert not me.model.staged
        assert "9h" in me.model.hand
        await me.press("A", "A", "W", "m")
        assert [meld.name for meld in me.model.own_melds()] == ["A"]
        await me.press("u")
        assert me.model.own_melds() == []
        assert me.model.hand.count("Jo") == 1


class LateTable(LocalTable):
    """A table that shows a move's result and answers it when `answer` is called, as a remote one may."""

    def __init__(self, host: Host, *, pace: float) -> None:
        super().__init__(host, pace=pace)
        self._done: list[AnyFrame] = []

    def send(self, command: AnyCommand) -> None:
        answer = self.host.handle(command)
        if isinstance(command, MakeMove):
            self._done.append(answer)
        else:
            self._on_frame(answer)
        self._acted.set()

    def answer(self) -> None:
        self._on_frame(self._done.pop(0))


async def test_cards_are_chosen_and_discarded_before_the_draw_is_answered() -> None:
    async with seated(tuesday(), source=LateTable) as me:
        source = me.screen.source
        assert isinstance(source, LateTable)
        await me.pilot.press("A", "d")
        assert (me.state.phase, len(me.model.hand), me.model.chosen) == ("play", 12, set())
        await me.pilot.press("5", "x")
        assert len(me.model.hand) == 12
        source.answer()
        await until(me.pilot, lambda: len(me.model.hand) == 11)
        assert "5d" not in me.model.hand
        assert not me.model.chosen
        source.answer()
        await until(me.pilot, lambda: not me.screen.actions.busy)
        assert me.model.refusal is None
        assert not me.model.notice


async def test_a_refusal_has_its_sentence_its_remedy_and_the_rule_is_one_key_away() -> None:
    async with seated(tuesday()) as me:
        await me.press("t")
        assert "The pile is frozen" in me.text()
        assert "PILE-8" in me.text()
        await me.press("r")
        assert "PILE-8  a frozen pile" in me.text()
        await me.press("escape")
        assert me.screen.app.screen is me.screen


def offered(me: Sitting) -> dict[str, str]:
    """Return the labels in the bar by their sign: main [], possible, or not ()."""
    items = me.screen.query_one(ActionBar).items
    return {item.label: "main" if item.main else "able" if item.able else "no" for item in items}


async def test_the_bar_offers_what_the_rules_allow_and_nothing_else() -> None:
    async with seated(tuesday()) as me:
        await me.press("d", "5")
        assert {"Meld": "no", "Discard": "main"}.items() <= offered(me).items()
        await me.press("6")
        assert {"Meld": "no", "Discard": "no"}.items() <= offered(me).items()
        assert "these cards don’t make a meld" in me.text()
        await me.press("escape", "9", "9", "2")
        assert offered(me)["Stage"] == "main"
        await me.press("m")
        assert me.model.staged
        assert offered(me)["Meld"] == "no"
        await me.press("K", "K", "2")
        assert offered(me)["Meld"] == "main"
        await me.press("m", "A", "A", "A")
        assert me.model.own_melds()
        assert offered(me)["Meld"] == "no"


async def test_the_bar_offers_the_pile_with_the_chosen_cards() -> None:
    hands = {0: [*parse_cards("Kc Kd Kh 9c 5c 5d")], 1: [*parse_cards("4c 4d")]}
    melds = {0: [[*parse_cards("Qc Qd Qs")]]}
    position = Position(turn=0, phase="draw", hands=hands, melds=melds, pile=[*parse_cards("7c Ks")])
    async with seated(Match.from_position(load_ruleset("caliente", 2), position)) as me:
        assert offered(me)["Take the pile"] == "able"
        await me.press("5", "5")
        assert offered(me)["Take the pile"] == "no"
        await me.press("escape", "K", "K")
        assert offered(me)["Take the pile"] == "able"


async def test_the_way_to_going_out_and_the_foot_are_shown() -> None:
    rules = load_ruleset("hand-and-foot", 4)
    hands = {seat: [*parse_cards("4c 5c 6c 7c 8c 9c")] for seat in range(4)}
    melds = {0: [[*parse_cards("Kc Kd Ks Kh Kc Kd Ks")], [*parse_cards("9c 9d 9s")]]}
    position = Position(turn=0, phase="draw", hands=hands, melds=melds)
    async with seated(Match.from_position(rules, position)) as me:
        assert "out: nat. 1/2" in me.text()
    async with seated(Match.new(rules, "feet", first_dealer=3)) as me:
        assert "your foot waits" in me.text()
    few = {seat: [*parse_cards(cards)] for seat, cards in enumerate(("4c 5c 6c", "7c 8c", "4d 5d", "6d 7d"))}
    ready = Position(turn=0, phase="draw", hands=few, melds={0: [[*parse_cards("Kc Kd Ks Kh Kc Kd Ks")]]})
    async with seated(Match.from_position(load_ruleset("jaques", 4), ready)) as me:
        assert "ready to go out" in me.text()


@pytest.mark.parametrize("size", [(80, 20), (80, 24), (160, 50)])
async def test_partners_are_marked_among_six(size: tuple[int, int]) -> None:
    match = Match.new(load_ruleset("hand-and-foot", 6, {"sides": 2}), "six", first_dealer=5)
    async with seated(match, size) as me:
        seats = me.text().splitlines()[1]
        partners = [name for name, view in zip(SEAT_NAMES[6], me.state.seats, strict=True) if view.side == 0]
        marked = re.findall(r"(\w+)(?:\*|, partner)", seats)
        assert sorted(marked) == sorted(partners[1:])


async def test_cards_that_are_no_meld_are_refused_and_stay_chosen() -> None:
    async with seated(tuesday()) as me:
        await me.press("d", "5", "6", "m")
        assert me.model.refusal is not None
        assert me.model.refusal.clause.startswith("MELD")
        assert sorted(me.model.chosen_cards()) == ["5d", "6d"]
        await me.press("escape")
        assert me.model.chosen == set()
        assert me.model.refusal is None


@pytest.mark.parametrize("keys", [("d",), ("x",), ("m",), ("5", "6", "x")])
async def test_an_unclear_wish_is_answered_with_what_to_do(keys: tuple[str, ...]) -> None:
    async with seated(tuesday()) as me:
        await me.press("d")
        before = me.state.state
        await me.press(*keys)
        assert me.state.state == before
        assert me.model.notice


async def test_a_rank_that_is_not_held_is_told() -> None:
    async with seated(tuesday()) as me:
        await me.press("Q")
        assert "You have no such card." in me.text()


async def test_a_rank_key_chooses_one_after_the_other_and_lets_go() -> None:
    async with seated(tuesday()) as me:
        await me.press("K")
        assert me.model.chosen_cards() == ["Kd"]
        await me.press("K")
        assert me.model.chosen_cards() == ["Kd", "Kh"]
        await me.press("K")
        assert me.model.chosen_cards() == []


async def test_arrows_go_round_the_hand_and_choose() -> None:
    async with seated(tuesday()) as me:
        await me.press("left", "space")
        assert me.model.chosen_cards() == ["Jo"]
        await me.press("right", "up")
        assert me.model.chosen_cards() == ["5d", "Jo"]
        await me.press("down", "end", "space")
        assert me.model.chosen_cards() == []


async def test_the_hand_is_sorted_by_suit_and_back_with_the_choice_kept() -> None:
    async with seated(tuesday()) as me:
        by_rank = list(me.model.hand)
        await me.press("K", "o")
        assert me.model.hand[:3] == ["9c", "5d", "6d"]
        assert me.model.chosen_cards() == ["Kd"]
        await me.press("o")
        assert me.model.hand == by_rank


async def test_the_hint_gives_reasons_and_plays_on_enter() -> None:
    async with seated(tuesday()) as me:
        await me.press("h")
        await until(me.pilot, lambda: isinstance(me.screen.app.screen, Chooser))
        assert "draw" in me.text()
        assert "Thinking" not in me.text()
        await me.press("enter")
        await me.settle()
        assert me.state.phase == "play"


async def test_leaving_is_asked_first() -> None:
    async with seated(tuesday()) as me:
        await me.press("q")
        assert "Leave the table?" in me.text()
        await me.press("escape")
        assert me.screen.app.screen is me.screen
        await me.press("q", "2")
        await me.pilot.pause()
        assert me.screen.app._exit


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("w", "Events"),
        ("i", "The pile"),
        ("s", "No hand is finished yet"),
        ("question_mark", "Your cards"),
    ],
)
async def test_there_is_something_to_read(key: str, words: str) -> None:
    async with seated(tuesday()) as me:
        await me.press(key)
        assert words in me.text()
        await me.press("down", "pagedown", "end", "escape")
        assert me.screen.app.screen is me.screen


async def test_a_wild_alone_asks_where_it_goes() -> None:
    rules = load_ruleset("caliente", 4)
    hands = {0: [*parse_cards("2c 5d 6d 7h")], 1: [], 2: [], 3: []}
    position = Position(
        turn=0, phase="play", hands=hands, melds={0: [[*parse_cards("Kc Kd Ks")], [*parse_cards("9c 9d 9s")]]}
    )
    async with seated(Match.from_position(rules, position)) as me:
        await me.press("2", "m")
        assert "Which way?" in me.text()
        await me.press("escape")
        assert me.model.chosen_cards() == ["2c"]
        await me.press("m", "2")
        assert [len(meld.cards) for meld in me.model.own_melds()] in ([3, 4], [4, 3])


KEYS = [
    *("left right up down home end space escape enter tab backspace delete pageup pagedown f1").split(),
    *("slash question_mark left_square_bracket right_square_bracket left_curly_bracket").split(),
    *"dtmuhpkgyncblorwisx234567890TJQKAWC",
]


@pytest.mark.parametrize(("preset", "players"), [("jaques-samba", 3), ("bolivia", 5)])
async def test_whatever_is_pressed_the_table_stays(preset: str, players: int) -> None:
    rng = random.Random(f"{preset} {players}")
    match = Match.new(load_ruleset(preset, players), "keys")
    async with seated(match) as me:
        app = me.screen.app
        for number in range(100):
            await app.run_action(f"simulate_key({rng.choice(KEYS)!r})")
            if number % 10 == 0:
                await me.pilot.resize_terminal(rng.choice([60, 80, 100, 160]), rng.choice([20, 24, 36, 50]))
        await me.pilot.pause()
        assert app.is_running
        assert me.model.state is not None


async def test_a_frame_that_arrives_while_the_screen_closes_is_not_drawn() -> None:
    async with seated(tuesday()) as me:
        state = me.model.state
        assert state is not None
        closing = me.screen.app.pop_screen()
        while me.screen.query("#ours"):
            me.screen.receive(state)
            await asyncio.sleep(0)
        await closing


# -- the local table -----------------------------------------------------------------------------------------


@asynccontextmanager
async def local_table(host: Host) -> AsyncIterator[tuple[LocalTable, list[AnyFrame]]]:
    frames: list[AnyFrame] = []
    table = LocalTable(host, pace=0)
    task = asyncio.create_task(table.run(frames.append, lambda link, trouble: None))
    await asyncio.sleep(0)
    yield table, frames
    task.cancel()


def dealt() -> Host:
    """Return a new table with the cards of a seed."""
    return Host(new_table(load_ruleset("caliente", 4), "novice", TUESDAY))


async def test_a_local_table_answers_like_a_server() -> None:
    async with local_table(hosted(tuesday())) as (table, frames):
        assert isinstance(frames[0], Welcome)
        assert isinstance(frames[1], TableState)
        now = frames[1].state
        commands: list[AnyCommand] = [
            CheckMove(id="a", move="discard 5"),
            MakeMove(id="b", state=now, move="discard 5"),
            MakeMove(id="c", state=now, move="no such move"),
            MakeMove(id="d", state=now, move="draw"),
            Say(id="e", phrase="hello"),
            MakeMove(id="f", state=now, move="meld A A Jo"),
        ]
        for command in commands:
            table.send(command)
        answers = [(type(frame), frame.id) for frame in frames if isinstance(frame, (Checked, Refused, Done))]
        kinds = [Checked, Refused, Refused, Done, Done, Refused]
        assert answers == list(zip(kinds, "abcdef", strict=True))
        refusals = [frame.why.reason for frame in frames if isinstance(frame, Refused)]
        assert refusals == ["NOT_IN_THIS_PHASE", "UNREADABLE", "STALE"]
        states = [frame.phase for frame in frames if isinstance(frame, TableState)]
        assert states == ["draw", "play", "play"]


async def test_next_hand_in_the_middle_of_one_is_refused() -> None:
    match = tuesday()
    async with local_table(hosted(match)) as (table, frames):
        table.send(NextHand(id="a"))
        assert isinstance(frames[-1], Refused)
        assert frames[-1].why.reason == "NOT_BETWEEN_HANDS"
        assert match.hand_number == 1


async def test_frames_hide_the_cards_of_the_others() -> None:
    async with local_table(hosted(tuesday())) as (_, frames):
        state = frames[1]
        assert isinstance(state, TableState)
        assert state.you is not None
        assert state.you.seat == 0
        assert sum(seat.cards for seat in state.seats) == 44
        assert len(state.you.cards) == 11


async def test_the_record_of_a_table_can_be_replayed() -> None:
    stream = io.StringIO()
    host = dealt()
    host.record_to(stream)
    async with local_table(host) as (table, _):
        for move in ("draw", "meld A A Jo"):
            table.send(MakeMove(id=move, state=host.table.state, move=move))
    host.close()
    assert stream.getvalue() == host.table.record(whole=True)
    result = replay(stream.getvalue())
    assert result.is_good
    assert len(result.moves) == 2


async def test_a_record_that_cannot_be_written_ends_and_the_game_goes_on() -> None:
    stream = io.StringIO()
    host = dealt()
    host.record_to(stream)
    async with local_table(host) as (table, frames):
        stream.close()
        for move in ("draw", "meld A A Jo"):
            table.send(MakeMove(id=move, state=host.table.state, move=move))
            assert isinstance(frames[-1], Done)
        assert [frame.code for frame in frames if isinstance(frame, Problem)] == ["server_error"]


# -- frames from elsewhere -----------------------------------------------------------------------------------


class Frames:
    """A source that replays given frames."""

    is_local = False

    def __init__(self, frames: list[AnyFrame]) -> None:
        self._frames = frames
        self.witness = FairnessClient("frames")

    async def run(self, hear: OnFrame, sign: OnLink) -> None:
        for frame in self._frames:
            hear(frame)

    def send(self, command: AnyCommand) -> None:
        pass

    def hurry(self) -> None:
        pass


async def test_a_name_cannot_command_the_terminal() -> None:
    async with local_table(hosted(tuesday())) as (_, frames):
        state = frames[1]
    assert isinstance(state, TableState)
    state.seats[1].name = "\x1b[2J\x07\u202e東西南北"
    state.events.append(EventView(what="said", seat=1, phrase="\x1b]0;owned\x07"))
    state.events.append(EventView(what="sat_down", seat=1, text="sat\x1b[31m down"))
    screen = TableScreen(Frames(frames[:2]), TextStyle())
    app = TerminalTable(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "東西" in screen_text(app))
        for key in ("", "w", "escape", "s"):
            await pilot.press(*([key] if key else []))
            await pilot.pause()
            assert not any(letter in screen_text(app) for letter in "\x1b\x07\u202e")


async def test_the_score_sheet_goes_when_the_next_hand_is_dealt() -> None:
    async with local_table(hosted(tuesday())) as (_, frames):
        welcome, playing = frames[:2]
    assert isinstance(playing, TableState)
    sheet = SheetView(hand=1, lines=[{"going_out": 100}, {}], totals=[100, 0], scores=[100, 0], out=0)
    over = replace(playing, phase="over", turn=-1, sheet=sheet, history=[[100, 0]], state=2)
    screen = TableScreen(Frames([welcome, playing, over]), TextStyle())
    app = TerminalTable(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Score of hand 1" in screen_text(app))
        screen.receive(replace(playing, hand=2, state=3))
        await until(pilot, lambda: app.screen is screen and "hand 2" in screen_text(app))
