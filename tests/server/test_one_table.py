"""One log gives the same table on a server, in the full-screen terminal and in typed play.

The tables are compared frame by frame.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from server.test_commands import Onlooker, Shelf, a_house

from canasta.bots import get_bot
from canasta.commands.play import PlayTable
from canasta.rules import load_ruleset
from canasta.server.http.websocket import carry_out
from canasta.table.frames import encode_frame
from canasta.table.log import Entry, decode_entry, encode_entry
from canasta.table.next_action import Turn
from canasta.table.table import Table
from canasta.table.wire import AnyFrame, TableState
from canasta.table.wire_commands import AnyCommand, CheckMove, MakeMove, NextHand, Say, StartGame, new_id
from canasta.terminal.game_file import GameFile
from canasta.terminal.local_table import YOU, Host, LocalTable, new_table

NAME = "dea234567cards"


def a_log(rules: str, seed: str | None) -> list[Entry]:
    """Return the log of a few turns, with the person to move."""
    chosen = load_ruleset(rules, 4, {} if rules == "hand-and-foot" else {"target": 20_000})
    table = Table(NAME, new_table(chosen, "novice", seed).created)
    host = Host(table)
    log: list[Entry] = [table.created]
    host._write_log = log.extend  # type: ignore[method-assign, assignment]
    host.enter()
    moves = 12
    while True:
        due = host.due()
        if not isinstance(due, Turn):
            host.handle(NextHand(id=new_id()))
        elif due.level:
            host.play(due, host.choose(due))
        elif not moves:
            return log
        else:
            assert table.match is not None
            move = str(get_bot("novice").choose(table.match.hand.view(due.seat)))
            host.handle(MakeMove(id=new_id(), state=10**12, move=move))
            moves -= 1


def told(frame: AnyFrame | str) -> object:
    """Return a frame as sent, without the server's count of connections since the last log entry."""
    frame = frame if isinstance(frame, str) else encode_frame(frame)
    plain = msgspec.json.decode(frame)
    if "state" in plain:
        plain["state"] -= plain["state"] % 1000
    return plain


WANTED: list[AnyCommand] = [
    CheckMove(id="a", move="meld 4 4 4 4 4 4 4"),
    MakeMove(id="b", state=10**12, move="discrad 4"),
    MakeMove(id="c", state=0, move="draw"),
    MakeMove(id="d", state=10**12, move="meld 4 4 4 4 4 4 4"),
    NextHand(id="e"),
    StartGame(id="f"),
    Say(id="g", phrase="hello"),
]
"""Commands that ask a question, and commands that are refused."""


async def on_a_server(log: Sequence[Entry], move: str) -> list[object]:
    shelf = Shelf()
    await shelf.create_table(NAME, public=False, payload=encode_entry(log[0]))
    await shelf.append(NAME, 1, [(None, encode_entry(entry)) for entry in log[1:]])
    house = a_house(shelf, pace=3600.0)
    live = await house.find(NAME)
    assert live is not None
    viewer = Onlooker(YOU, "")
    await live.enter(viewer)
    frames: list[object] = [told(viewer.texts[-1])]
    for command in [*WANTED, MakeMove(id="z", state=10**12, move=move)]:
        before = len(viewer.texts)
        answer = await carry_out(command, viewer, live)
        frames += [told(text) for text in viewer.texts[before:]]
        frames.append(told(answer))
    await live.leave(viewer)
    return frames


async def on_the_screen(log: Sequence[Entry], move: str, path: Path) -> list[object]:
    source = LocalTable(host_of(log, path), pace=3600)
    heard: list[AnyFrame] = []
    task = asyncio.create_task(source.run(heard.append, lambda link, trouble: None))
    await asyncio.sleep(0)
    frames: list[object] = [told(heard[-1])]
    for command in [*WANTED, MakeMove(id="z", state=10**12, move=move)]:
        before = len(heard)
        source.send(command)
        frames += [told(frame) for frame in heard[before:]]
    task.cancel()
    source.host.close()
    return frames


def in_typed_play(log: Sequence[Entry], move: str, path: Path) -> list[object]:
    table = PlayTable(host_of(log, path))
    frames: list[object] = []
    tell = table.host.on_change

    def hear(frame: TableState, change: object) -> None:
        frames.append(told(frame))
        tell(frame, change)  # type: ignore[arg-type]

    table.host.on_change = hear
    table.host.enter()
    for command in [*WANTED, MakeMove(id="z", state=10**12, move=move)]:
        answer = table.host.handle(command)
        frames.append(told(answer))
    table.host.close()
    return frames


def host_of(log: Sequence[Entry], path: Path) -> Host:
    file = GameFile.create(path, NAME)
    file.append([decode_entry(encode_entry(entry)) for entry in log])
    file.close()
    host = Host.reopened(path)
    host._unseen = []
    return host


@pytest.mark.parametrize("seed", [None, "tuesday"])
@pytest.mark.parametrize("rules", ["caliente", "jaques", "hand-and-foot"])
async def test_a_log_is_the_same_table_everywhere(rules: str, seed: str | None, tmp_path: Path) -> None:
    log = a_log(rules, seed)
    host = host_of(log, tmp_path / "first")
    due, match = host.due(), host.table.match
    assert isinstance(due, Turn)
    assert match is not None
    move = str(get_bot("novice").choose(match.hand.view(due.seat)))
    host.close()
    server = await on_a_server(log, move)
    screen = await on_the_screen(log, move, tmp_path / "screen")
    typed = in_typed_play(log, move, tmp_path / "typed")
    assert len(server) == len(WANTED) + 4
    assert screen == server
    assert typed == server
