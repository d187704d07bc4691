"""A seat taken in mid-hand: nobody sees two hands of one deal, however they sit, leave and return."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from server.running_server import AtTable, deal_alone, dealt_alone, running

from canasta.bots import get_bot
from canasta.engine.determinize import determinize
from canasta.engine.rng import Rng
from canasta.table.commands import CommandError, propose
from canasta.table.frames import Frames
from canasta.table.log import (
    BotSeated,
    CameBack,
    Created,
    Entry,
    Moved,
    Seated,
    WentAway,
    decode_entry,
    encode_entry,
)
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire import Done, Refused
from canasta.table.wire_commands import AnyCommand, LeaveSeat, SeatBot, TakeSeat

# -- at the table --------------------------------------------------------------------------------------------


async def test_who_sits_down_in_mid_hand_joins_at_the_next_deal(tmp_path: Path) -> None:
    async with running(tmp_path, next_after=3600.0) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as first, eve.join(table) as third:
            await first.my_turn()
            assert isinstance(await third.ask("sit", seat=1), Done)
            state = await third.until(lambda state: state.joins == 1)
            assert (state.seat, state.you) == (-1, None)
            assert (state.seats[1].who, state.seats[1].joins) == ("bot", "Eve")
            assert any(event.what == "will_join" for event in state.events)
            for kind, parts in (("move", {"move": "draw", "state": 10**9}), ("say", {"phrase": "hello"})):
                assert isinstance(refused := await third.ask(kind, **parts), Refused)
                assert refused.why.reason == "WATCHING"
            assert third.state.you is None
            assert await third.hints() == []
            # The computer player continues with the cards, which stay hidden even at the end of the hand.
            await first.play_hand()
            state = await third.until(lambda state: state.phase == "over")
            assert (state.seat, state.joins, state.you) == (1, -1, None)
            assert state.seats[1].who == "person"
            assert isinstance(await first.ask("next"), Done)
            assert isinstance(await third.ask("next"), Done)
            state = await third.until(lambda state: state.hand == 2)
            assert state.you is not None
            assert state.you.seat == 1
            early = [frame for frame in map(frame_of, third.frames) if frame.get("hand") == 1]
            assert len(early) > 10
            assert all(frame["you"] is None for frame in early)


def frame_of(text: str) -> dict[str, Any]:
    return msgspec.json.decode(text, type=dict[str, Any])


async def test_the_seat_of_somebody_absent_is_kept_until_the_hand_is_over(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben, eve = [await server.guest(name) for name in ("Ada", "Ben", "Eve")]
        table = await ada.open_table(players=2, rules="two-player")
        async with ada.join(table) as first, ben.join(table) as second, eve.join(table) as third:
            await second.ask("sit")
            await first.ask("start")
            before = (await second.until(lambda state: state.hand == 1)).you
            await second.ask("leave")
            assert isinstance(refused := await first.ask("bot", seat=1, level="novice"), Refused)
            assert refused.why.reason == "KEPT"
            assert isinstance(await third.ask("sit", name="Eva"), Done)
            state = await third.until(lambda state: state.joins == 1)
            assert state.you is None
            assert (state.seats[1].name, state.seats[1].joins) == ("Ben", "Eva")
            # Ben knows the cards, so he gets them back at once, and nobody joins in his place.
            assert isinstance(await second.ask("sit"), Done)
            assert (await second.until(lambda state: state.you is not None)).you == before
            state = await third.until(lambda state: state.joins == -1)
            assert (state.you, state.seats[1].joins) == (None, "")
            assert isinstance(refused := await third.ask("sit"), Refused)
            assert refused.why.reason == "FULL"


async def test_one_newcomer_to_a_seat_and_one_seat_to_a_newcomer(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben, eve = [await server.guest(name) for name in ("Ada", "Ben", "Eve")]
        table = await ada.open_table(start=True)
        async with ada.join(table) as first, ben.join(table) as second:
            async with eve.join(table) as third:
                await third.ask("sit", seat=1)
                assert isinstance(refused := await second.ask("sit", seat=1), Refused)
                assert refused.why.message == "Eve takes over this seat from the next deal."
                await third.ask("sit", seat=2)
                await joined(first, {2: "Eve"})
                await third.ask("leave")
                await joined(first, {})
                # Until then, the host may still change who plays there.
                await third.ask("sit", seat=1)
                assert isinstance(await first.ask("bot", seat=1, level="novice"), Done)
                await joined(first, {1: "Eve"})
            # A person who has left does not join.
            await joined(first, {})
            assert isinstance(await second.ask("sit", seat=1), Done)


async def joined(at: AtTable, wanted: dict[int, str]) -> None:
    await at.until(lambda state: {seat.seat: seat.joins for seat in state.seats if seat.joins} == wanted)


async def test_at_a_table_that_is_over_no_seat_is_to_be_had() -> None:
    walk = Walk(["ada"], target=500)
    table = walk.table
    while table.status != "over":
        walk.play_on(400)
        if table.hand_is_over:
            deal_alone(table)
    assert table.open_seats() == []
    with pytest.raises(CommandError, match="game is over"):
        propose(table, Person("eve", "Eve"), TakeSeat(id="1", seat=1))


async def test_a_log_from_before_there_were_newcomers_gives_the_same_table() -> None:
    """In those logs, anyone who sat down in mid-hand had the cards at once and played them."""
    walk = Walk(["ada"])
    entry = decode_entry(b'{"type":"seated","seat":1,"player":"eve","name":"Eve"}')
    assert isinstance(entry, Seated)
    walk.table.apply([entry])
    assert walk.table.viewing_seat("eve") == 1
    assert not walk.table.chairs[1].has_bot


# -- as an attacker would ------------------------------------------------------------------------------------

_PLAYERS = 4
_CREATED = Created(
    rules="caliente", version=2, players=_PLAYERS, options={"target": 20_000}, public=False, level="club",
    clock=0, spectators=True, seed="ab" * 32, made=0.0,
)  # fmt: skip


class Walk:
    """A table, and every hidden card of it that each person was ever shown."""

    def __init__(self, people: Sequence[str], **options: int) -> None:
        self.table = Table(
            "table234567abc", msgspec.structs.replace(_CREATED, options=_CREATED.options | options)
        )
        self.log: list[Entry] = []
        self.rng = Rng("walk")
        self.people = people
        self.seen: dict[tuple[int, str], set[int]] = {}
        """The seats whose cards each person was sent, by hand and person."""
        self.given: list[str] = []
        """The player on each seat when this hand was dealt."""
        self.shown = 0
        self.write([Seated(seat=0, player="ada", name="Ada")])
        self.deal(dealt_alone(self.table))

    def write(self, entries: Sequence[Entry]) -> None:
        self.log += entries
        self.table.apply(entries)

    def deal(self, entries: Sequence[Entry]) -> None:
        for entry in entries[:-1]:
            self.write([entry])
        self.given = [chair.player for chair in self.table.chairs]
        self.write(entries[-1:])

    def play_on(self, moves: int) -> None:
        bot = get_bot("novice")
        for _ in range(moves):
            match = self.table.match
            assert match is not None
            if match.hand.over:
                return
            seat = match.hand.turn
            self.write([Moved(seat=seat, move=str(bot.choose(match.hand.view(seat))), by="bot")])

    def order(self, player: str, command: AnyCommand) -> None:
        try:
            who = Person(player, player.title())
            self.write(propose(self.table, who, command, present=range(_PLAYERS)).entries)
        except CommandError:
            return

    def act(self, what: str, player: str, seat: int) -> None:
        """Do something that a person can bring about."""
        table = self.table
        own = table.seat_of(player)
        match what:
            case "sit":
                self.order(player, TakeSeat(id="1", seat=seat))
            case "leave":
                self.order(player, LeaveSeat(id="1"))
            case "bot":
                self.order(table.host, SeatBot(id="1", seat=seat, level="novice"))
            case "disconnect" if own is not None and not table.chairs[own].away:
                self.write([WentAway(seat=own, left=False)])
            case "connect" if own is not None and table.chairs[own].away:
                self.write([CameBack(seat=own)])
            case "play":
                self.play_on(3)
            case "finish":
                self.play_on(500)
                if table.hand_is_over:
                    self.check()
                    self.deal(dealt_alone(table))

    def check(self) -> None:
        """Check that each person's frame doesn't depend on cards hidden from that person."""
        match = self.table.match
        assert match is not None
        for player in ("", *self.people):
            text = self.frame(player)
            you = msgspec.json.decode(text)["you"]
            if you is not None:
                self.shown += 1
                seats = self.seen.setdefault((match.hand_number, player), set())
                seats.add(you["seat"])
                assert len(seats) == 1, (player, seats, self.log)
            if match.hand.over:
                continue
            may = self.given.index(player) if player and player in self.given else None
            true = match.hand.state
            match.hand.state = determinize(match.hand.view(may), self.rng)
            try:
                assert self.frame(player) == text, (player, may, self.log)
            finally:
                match.hand.state = true

    def frame(self, player: str) -> str:
        return Frames(self.table, [], present=range(_PLAYERS), watching=1, clock=None).text_for(player)

    def check_replay(self) -> None:
        """Check that the stored log leads to the same table."""
        again = Table("table234567abc", _CREATED)
        for entry in self.log:
            again.apply([decode_entry(encode_entry(entry))])
        assert again.chairs == self.table.chairs
        assert again.dealt_to == self.table.dealt_to
        for player in ("", *self.people):
            assert Frames(again, [], present=[], watching=0, clock=None).text_for(player) == Frames(
                self.table, [], present=[], watching=0, clock=None
            ).text_for(player)


def steps(people: Sequence[str], seats: Sequence[int]) -> Iterator[tuple[str, str, int]]:
    for player in people:
        yield from (("sit", player, seat) for seat in seats)
        yield from ((what, player, 0) for what in ("leave", "disconnect", "connect"))
    yield from (("bot", "", seat) for seat in seats)
    yield from ((what, "", 0) for what in ("play", "finish"))


def test_every_short_order_of_sitting_leaving_and_returning() -> None:
    tried = list(itertools.product(steps(["eve"], [0, 1]), repeat=3))
    assert len(tried) == 9**3
    shown = 0
    for order in tried:
        walk = Walk(["ada", "eve"])
        # Eve has played the previous hand: she could profit from seeing two hands of the next one.
        walk.write([BotSeated(seat=1, level="club")])
        for step in order:
            walk.act(*step)
            walk.check()
        shown += walk.shown
    assert shown > len(tried)


@pytest.mark.parametrize("number", range(6))
def test_long_walks_of_several_people_show_nobody_two_hands(number: int) -> None:
    people = ["ada", "ben", "eve"]
    walk, rng = Walk(people), Rng(f"walk {number}")
    possible = list(steps(people, range(_PLAYERS)))
    for _ in range(250):
        walk.act(*possible[rng.below(len(possible))])
        walk.check()
    assert len({hand for hand, _ in walk.seen}) >= 2
    assert walk.shown > 50
    walk.check_replay()
