"""Cheating servers, and the terminal program that detects them: real connections, screens and files."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from server.running_server import AtTable, running
from terminal.person import screen_text, until
from textual.pilot import Pilot
from typer.testing import CliRunner

from canasta.bots import get_bot
from canasta.commands.cli import app
from canasta.engine.cards import NATURAL_CARD, WILD_CARD
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.engine.state import HandState
from canasta.notation.record import Entry, GameLeft, Header, Record, entries_after, hand_starts
from canasta.server.tables.live_table import LiveTable
from canasta.table import commands, frames
from canasta.table.commands import not_now
from canasta.table.event_views import Change
from canasta.table.wire_commands import MakeMove, TakeSeat
from canasta.terminal import remote
from canasta.terminal.dialogs import AlarmDialog
from canasta.terminal.fairness import CHECKED, transcript_name
from canasta.terminal.remote import Link, RemoteTable
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

GAME: dict[str, Any] = {"rules": "two-player", "options": {"hand_size": 6, "canastas_to_go_out": 0}}
FRIEND, TESS = 0, 1

Cheat = Callable[[LiveTable], None]


class EvilTable:
    """A table at which Tess plays in the terminal against an accomplice of the server."""

    def __init__(
        self, live: LiveTable, source: RemoteTable, screen: TableScreen, pilot: "Pilot[None]"
    ) -> None:
        self.live, self.source, self.screen, self.pilot = live, source, screen, pilot
        assert isinstance(screen.app, TerminalTable)
        self.app = screen.app

    @property
    def results(self) -> list[str]:
        return [verdict.result for verdict in self.source.witness.verdicts]

    async def play_hand(self, friend: AtTable) -> None:
        """Play a hand in which both play as novices."""
        bot, table = get_bot("novice"), self.live.table
        assert table.match is not None
        while not table.match.hand.over:
            turn, before = table.match.hand.turn, table.length
            move = str(bot.choose(table.match.hand.view(turn)))
            if turn == FRIEND:
                await friend.move(move, state=10**12)
            else:
                self.source.send(MakeMove(id=f"m{before}", state=10**12, move=move))
                await friend.until(lambda _, was=before: table.length > was)
        await until(self.pilot, lambda: bool(self.results))

    async def save(self) -> Path:
        """Save the transcript with its key, from the alarm if there is one."""
        await until(self.pilot, lambda: self.screen.app.screen is not self.screen)
        if not isinstance(self.screen.app.screen, AlarmDialog):
            await self.pilot.press("escape")
            await until(self.pilot, lambda: self.screen.app.screen is self.screen)
        await self.pilot.press("f")
        file = Path(transcript_name(self.live.table.name))
        await until(self.pilot, lambda: bool(self.screen.model.notice) and file.exists())
        return file


@asynccontextmanager
async def a_hand(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cheat: Cheat, *, patience: float = 3600.0
) -> AsyncIterator[EvilTable]:
    """Yield a finished hand at a table where the server cheats from the first deal on."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(remote, "_WAITS", (0.01,))
    async with running(folder, fair_patience=patience) as server:
        friend = await server.guest("Ada")
        table = await friend.open_table(**GAME)
        live = await server.services.registry.find(table)
        assert live is not None
        source = RemoteTable(Link.parse(f"{server.url}/t/{table}"), name="Tess")
        screen = TableScreen(source, TextStyle())
        app = TerminalTable(screen)
        async with app.run_test(size=(100, 30)) as pilot, friend.join(table, fair=True) as seat:
            cheat(live)
            await until(pilot, lambda: screen.model.state is not None)
            source.send(TakeSeat(id="sit"))
            await seat.until(lambda state: state.seats[TESS].who == "person")
            await until(pilot, lambda: any(kept.seat == TESS for kept in source.witness.kept))
            await seat.ask("ping")
            # An honest server has both commitments by now; a dishonest one has refused Tess's.
            await until(pilot, lambda: not source.witness._commits)
            await seat.ask("start")
            await seat.until(lambda state: state.hand == 1)
            at_table = EvilTable(live, source, screen, pilot)
            await at_table.play_hand(seat)
            yield at_table


def at_deal(live: LiveTable, change: Callable[[HandState], None]) -> None:
    """Have the server change the cards once they are dealt."""
    table = live.table
    dealt = table._dealt

    def changed(fair: Any, first_dealer: int | None) -> Change:
        told = dealt(fair, first_dealer)
        assert table.match is not None
        change(table.match.hand.state)
        return told

    table._dealt = changed  # type: ignore[method-assign]  # a patched server


def swap_with_stock(state: HandState, seat: int, role: int, number: int) -> None:
    """Exchange a seat's cards of this role for cards from deep in the stock."""
    deck = [state.deck_card(at) for at in range(state.deck_size())]
    role_of = state.compiled.role_of
    held = [kind for kind in range(len(role_of)) if role_of[kind] == NATURAL_CARD and state.held(seat, kind)]
    places = [at for at in range(len(deck) - 1, state.at, -1) if role_of[deck[at]] == role]
    places = [at for at in places if deck[at] not in held][:number]
    for at, kind in zip(places, held, strict=False):
        state.remove(seat, kind)
        state.give(seat, deck[at])
        deck[at] = kind
    state.set_deck(deck)


async def test_an_honest_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_hand(tmp_path, monkeypatch, lambda live: None) as table:
        assert table.results == [CHECKED]
        assert verified(table, await table.save())


async def test_wild_cards_for_the_other_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cheat(live: LiveTable) -> None:
        at_deal(live, lambda state: swap_with_stock(state, FRIEND, WILD_CARD, 3))

    async with a_hand(tmp_path, monkeypatch, cheat) as table:
        await alarmed(table, "cards")


async def test_another_hand_behind_a_broken_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cheat(live: LiveTable) -> None:
        def change(state: HandState) -> None:
            swap_with_stock(state, FRIEND, WILD_CARD, 3)
            swap_with_stock(state, TESS, NATURAL_CARD, 3)
            for viewer in live._viewers:
                if live.table.seat_of(viewer.player) == TESS:
                    viewer.show = lambda text: None  # type: ignore[method-assign]  # a patched server
                    viewer.close(1012, "The server restarts.")

        at_deal(live, change)

    async with a_hand(tmp_path, monkeypatch, cheat) as table:
        assert table.source.connections > 1
        await alarmed(table, "cards")


async def test_deal_and_draws_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = frames._events
    withheld = ("dealt", "drew")
    monkeypatch.setattr(
        frames, "_events", lambda *args: [event for event in events(*args) if event.what not in withheld]
    )

    def cheat(live: LiveTable) -> None:
        at_deal(live, lambda state: swap_with_stock(state, TESS, NATURAL_CARD, 3))

    async with a_hand(tmp_path, monkeypatch, cheat) as table:
        await alarmed(table, "no_deal")


async def test_a_seed_shown_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_in_play", frames.round_view)

    def cheat(live: LiveTable) -> None:
        at_deal(live, lambda state: swap_with_stock(state, FRIEND, WILD_CARD, 3))

    async with a_hand(tmp_path, monkeypatch, cheat) as table:
        await alarmed(table, "early_seed")


async def test_every_commitment_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = commands._commit_seed

    def late(table: Any, player: str, command: Any) -> Any:
        if table.seat_of(player) == TESS:
            raise not_now("LATE_SEED", stale=True)
        return commit(table, player, command)

    monkeypatch.setattr(commands, "_commit_seed", late)
    async with a_hand(tmp_path, monkeypatch, lambda live: None, patience=0.0) as table:
        await alarmed(table, "refused")


async def test_a_forged_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record has the same seeds and other moves: without a transcript, nothing is wrong with it."""
    async with a_hand(tmp_path, monkeypatch, lambda live: None) as table:
        witness = await table.save()
        room = table.live.table
        assert isinstance(room.fair, FairRound)
        assert room.match is not None
        forged = another_game(room.fair, room.header(), room.match)
        assert CliRunner().invoke(app, ["verify", "-"], input=forged).exit_code == 0
        result = CliRunner().invoke(app, ["verify", "-", "--witness", str(witness)], input=forged)
        assert result.exit_code == 1
        assert "this record isn’t the game you saw" in result.output
        assert verified(table, witness)


def another_game(fair: FairRound, header: Header, played: Match) -> str:
    """Return the record of a hand with the same cards, played differently."""
    match = Match.new(played.rules, header.seed, fair=fair)
    entries: list[Entry] = [hand_starts(1, fair)]
    bot = get_bot("random", "forger")
    while not match.hand.over:
        seat, move = match.hand.turn, bot.choose(match.hand.view(match.hand.turn))
        match.apply(move)
        entries += entries_after(match, seat, move)
    return Record(header, entries if match.over else [*entries, GameLeft()]).text()


def verified(table: EvilTable, witness: Path) -> bool:
    """Return whether the table's own record is the game that Tess saw."""
    record = table.live.table.record()
    result = CliRunner().invoke(app, ["verify", "-", "--witness", str(witness)], input=record)
    return result.exit_code == 0


async def alarmed(table: EvilTable, result: str) -> None:
    """Check that Tess sees an alarm, and that the file she saves contradicts the game."""
    assert table.results[0] == result
    assert CHECKED not in table.results
    await until(table.pilot, lambda: isinstance(table.screen.app.screen, AlarmDialog))
    await until(table.pilot, lambda: "aren’t fair" in screen_text(table.app))
    witness = await table.save()
    assert not verified(table, witness)
