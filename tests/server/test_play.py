"""Whole hands over real connections, and what each viewer sees of them."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from server.running_server import deal_alone, running

from canasta.bots import get_bot
from canasta.engine.determinize import determinize
from canasta.engine.events import Drew, Event, FootPickedUp
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.engine.hand import Hand
from canasta.engine.rng import Rng
from canasta.notation.cards import format_card
from canasta.notation.moves import parse_move
from canasta.notation.replay import replay
from canasta.rules import default_players, player_numbers, preset_names
from canasta.rules.preset_files import preset
from canasta.rules.special_hands import SPECIAL_NAMES
from canasta.table.commands import CommandError, propose
from canasta.table.event_views import Change
from canasta.table.frames import Frames
from canasta.table.log import Created, Entry, Moved, Seated, decode_entry
from canasta.table.player_view import your_view
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.views import score_history
from canasta.table.wire import Done, EventView
from canasta.table.wire_commands import TakeSeat

_CARD = re.compile(r"(?<![0-9A-Za-z])(?:[4-9TJQKA23][cdhs♣♦♥♠]|Jo|Ca)(?![0-9A-Za-z])")


def new_room(rules: str, players: int, **options: Any) -> Table:
    created = Created(
        rules=rules, version=preset(rules).version, players=players, options=options, public=False,
        level="club", clock=0, spectators=True, seed="ab" * 32, made=0.0,
    )  # fmt: skip
    return Table("table234567abc", created)


def one_of_each_family() -> list[object]:
    """Return every game; all but the first of each family are for the long mode."""
    families: set[str] = set()
    games: list[object] = []
    for name in preset_names():
        is_first = preset(name).family not in families
        families.add(preset(name).family)
        games.append(name if is_first else pytest.param(name, marks=pytest.mark.long))
    return games


@pytest.mark.parametrize("rules", one_of_each_family())
async def test_a_guest_plays_a_hand_against_computer_players(rules: str, tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules=rules, start=True)
        async with ada.join(table) as seat:
            assert seat.welcome.game.rules == rules
            state = await seat.play_hand()
            assert state.sheet is not None
            assert state.history == [state.sheet.totals]
            assert state.events[-1].what in ("hand_ended", "game_over")
            first = state.fair
            assert first is not None
            assert first.dealt is not None
            assert first.dealt.server_seed
            assert not first.dealt.seats
            if state.status == "playing":
                answer = await seat.ask("next")
                assert isinstance(answer, Done)
                state = await seat.until(lambda state: state.hand == 2)
                assert state.fair is not None
                assert first.next is not None
                assert state.fair.dealt is not None
                assert state.fair.dealt.commitment == first.next.commitment
                assert not state.fair.dealt.server_seed
        record = (await ada.rest.get(f"/api/tables/{table}/record")).text
        again = replay(record)
        assert again.is_good, again.problem
        assert again.match is not None
        assert again.match.scores == (await ada.rest.get(f"/api/tables/{table}/scores")).json()["history"][0]


async def test_the_same_frames_whatever_the_hidden_cards_are() -> None:
    """The strictest test of a view: deal the hidden cards again, and the frames must not change."""
    for rules in preset_names():
        for players in {default_players(rules), default_players(rules) + 1} & {*player_numbers(rules)}:
            table = new_room(rules, players)
            table.apply([Seated(seat=0, player="a", name="Ada")])
            deal_alone(table)
            bot, rng = get_bot("club"), Rng(f"{rules}/{players}")
            assert table.match is not None
            hand = table.match.hand
            for number in range(400):
                if hand.over:
                    break
                seat = hand.turn
                move = bot.choose(hand.view(seat))
                change = table.apply([Moved(seat=seat, move=str(move))])
                if not hand.over:
                    _check_what_can_be_done(hand)
                if number % 7 == 0 and not hand.over:
                    for viewer in (None, *range(players)):
                        _compare(table, hand, change, viewer, rng)
            assert hand.over


def _compare(table: Table, hand: Hand, change: Change, viewer: int | None, rng: Rng) -> None:
    shown = Frames(table, change, present=[0], watching=1, clock=None).text(viewer, is_host=False)
    true = hand.state
    hand.state = determinize(hand.view(viewer), rng)
    try:
        other = [_with_other_cards(part, viewer, rng) for part in change]
        again = Frames(table, other, present=[0], watching=1, clock=None).text(viewer, is_host=False)
    finally:
        hand.state = true
    assert shown == again


def _check_what_can_be_done(hand: Hand) -> None:
    """Check that the cardless moves offered to a player are those that the rules allow."""
    shown = your_view(hand, hand.view(hand.turn))
    words = [
        *"draw pass keep caliente ask putback undo".split(),
        "answer yes",
        "answer no",
        "lay 3r",
        "lay 3b",
    ]
    words += [f"special {name}" for name in SPECIAL_NAMES]
    allowed = {word for word in words if hand.check(parse_move(word)) is None}
    idle = set() if out_in_reach(hand.view(hand.turn).state) else {"ask"}
    assert set(shown.can) == allowed - idle
    discards = [card for card in shown.cards if hand.check(parse_move(f"discard {card}")) is None]
    assert shown.can_discard == bool(discards)


def _with_other_cards(part: EventView | Event, viewer: int | None, rng: Rng) -> EventView | Event:
    if isinstance(part, (Drew, FootPickedUp)) and part.seat != viewer:
        return type(part)(part.seat, part.count, tuple(rng.below(52) for _ in part.cards))
    return part


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _strings(part)]


def _as_written(text: str) -> str:
    return text.translate(str.maketrans("♣♦♥♠", "cdhs"))


async def _log_of(server: Any, table: str) -> list[Entry]:
    return [decode_entry(row.payload) for row in await server.services.store.entries(table)]


@pytest.mark.parametrize(("rules", "players"), [("caliente", 4), ("hand-and-foot", 2), ("jaques-samba", 5)])
async def test_every_frame_on_the_wire_is_free_of_hidden_cards(
    rules: str, players: int, tmp_path: Path
) -> None:
    async with running(tmp_path) as server:
        ada, ben, eve = [await server.guest(name) for name in ("Ada", "Ben", "Eve")]
        table = await ada.open_table(rules=rules, players=players)
        async with ada.join(table) as first, ben.join(table) as second, eve.join(table) as watcher:
            assert isinstance(await second.ask("sit", seat=1), Done)
            assert isinstance(await first.ask("start"), Done)
            await second.until(lambda state: state.hand == 1)
            await watcher.until(lambda state: state.hand == 1)
            await asyncio.gather(first.play_hand(), second.play_hand())
            await watcher.until(lambda state: state.phase == "over")
            log = await _log_of(server, table)
            # If the players cut, they change seats.
            for viewer, at in ((first.state.seat, first), (second.state.seat, second), (None, watcher)):
                _check_frames(table, log, viewer, at.frames)


def _check_frames(table: str, log: Sequence[Entry], viewer: int | None, frames: Sequence[str]) -> None:
    """Check every frame against the true table in its state."""
    assert isinstance(log[0], Created)
    room = Table(table, log[0])
    seeds = {log[0].seed}
    changes: dict[int, Change] = {}
    for entry in log[1:]:
        change = room.apply([entry])
        changes[room.length] = change
    room = Table(table, log[0])
    at = 1
    checked = 0
    for text in frames:
        frame = msgspec.json.decode(text)
        if frame["t"] != "state":
            assert frame["t"] in ("welcome", "hints") or not _CARD.search(text)
            continue
        length = frame["state"] // 1000
        while at < length:
            room.apply([log[at]])
            at += 1
        if room.fair is not None and not room.match.hand.over:  # type: ignore[union-attr]
            secret = (room.fair.server_seed, room.shuffling.server_seed)
            seeds.update(secret)
            assert not any(seed in text for seed in secret)
        cut = {format_card(card) for cards in room.cut.cards for card in cards} if room.cut else set()
        if room.cut_round is not None:
            seeds.discard(room.cut_round.server_seed)
        if room.match is None:
            assert not any(seed in text for seed in seeds)
            assert {found for part in _strings(frame) for found in _CARD.findall(part)} <= cut
            continue
        _check_frame(room, frame, viewer, changes[length] if frame["events"] else [])
        checked += 1
    assert checked > 20


def _check_frame(table: Table, frame: dict[str, Any], viewer: int | None, change: Change) -> None:
    assert table.match is not None
    hand = table.match.hand
    public = [*hand.pile, *(card for side in range(table.match.sides) for card in hand.bonus(side))]
    public += [card for side in range(table.match.sides) for meld in hand.melds(side) for card in meld.cards]
    own = hand.hand_cards(viewer) if viewer is not None and viewer in hand.state.order else []
    shown = [row["shows"] for row in frame["seats"]]
    if hand.over:  # the remaining cards are face up
        public += [card for seat in hand.state.order for card in hand.hand_cards(seat)]
    else:
        assert not any(shown)
    if frame["you"] is not None:
        assert sorted(frame["you"]["cards"]) == sorted(map(format_card, own))
    else:
        assert not own or viewer is None
    for part in change:
        if isinstance(part, (Drew, FootPickedUp)) and part.seat != viewer:
            continue
        cards = getattr(part, "cards", ()) or ((part.card,) if hasattr(part, "card") else ())
        if not isinstance(part, EventView):
            public += cards
            public += [part.top] if hasattr(part, "top") else []
    if table.cut is not None:
        public += [card for cards in table.cut.cards for card in cards]
    known = {format_card(card) for card in (*public, *own)}
    for text in _strings(frame):
        for found in _CARD.findall(text):
            assert _as_written(found) in known, (found, text)


async def test_a_log_applied_again_gives_the_same_table(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="caliente-samba", start=True)
        async with ada.join(table) as seat:
            await seat.play_hand()
            await seat.ask("next")
            await seat.my_turn()
            log = await _log_of(server, table)
            assert isinstance(log[0], Created)
            room = Table(table, log[0])
            for entry in log[1:]:
                room.apply([entry])
            live = await server.services.registry.find(table)
            assert live is not None
            assert room.length == live.table.length
            assert room.move_state == live.table.move_state
            assert room.host == live.table.host
            assert room.chairs == live.table.chairs
            for viewer in (None, 0, 1, 2, 3):
                frames = [
                    Frames(one, [], present=[0], watching=0, clock=None).text(viewer, is_host=False)
                    for one in (room, live.table)
                ]
                states = [msgspec.json.decode(frame) for frame in frames]
                for state in states:
                    del state["state"]
                assert states[0] == states[1]


async def test_five_hands_of_a_whole_match_can_be_replayed() -> None:
    table = new_room("caliente", 4, target=1000)
    table.apply([Seated(seat=0, player="a", name="Ada")])
    deal_alone(table)
    assert table.match is not None
    bot = get_bot("club")
    while not table.match.over:
        if table.match.hand.over:
            deal_alone(table)
        seat = table.match.hand.turn
        move = bot.choose(table.match.hand.view(seat))
        table.apply([Moved(seat=seat, move=str(move))])
    again = replay(table.record())
    assert again.is_good, again.problem
    assert again.match is not None
    assert again.match.over
    assert again.match.scores == table.match.scores
    assert table.open_seats() == []
    with pytest.raises(CommandError, match="is over"):
        propose(table, Person("b", "Ben"), TakeSeat(id="1", seat=1))
    assert score_history(table.match)[-1] == table.match.scores
    assert len(table.went_out) == len(table.match.sheets)
