"""A table in memory with people who contribute seeds and watch the cards; time passes only on request."""

import itertools
from collections import deque

import msgspec
from server.test_commands import HOST, Onlooker, Shelf, a_house

from canasta.bots import get_bot
from canasta.notation.replay import Replayer
from canasta.server.http.websocket import carry_out
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.registry import NewTable, TableRegistry
from canasta.table.fairness.transcript import Verdict
from canasta.table.wire import AnyFrame, Done
from canasta.table.wire_commands import (
    AnyCommand,
    MakeMove,
    NextHand,
    RevealSeed,
    StartGame,
    TakeSeat,
)
from canasta.terminal.fairness import FairnessClient

_frames: msgspec.json.Decoder[AnyFrame] = msgspec.json.Decoder(AnyFrame)
_ids = itertools.count(1)


class Someone(Onlooker):
    """A person with a page that takes part in fair deals."""

    def __init__(self, player: str, table: str, witness: FairnessClient | None = None) -> None:
        super().__init__(player, player.capitalize())
        self.witness = witness or FairnessClient(table)
        self.witness.connected()
        self.frames: deque[AnyFrame] = deque()
        self.reveals = True
        """Whether the page sends its seed."""

    def show(self, text: str) -> None:
        super().show(text)
        self.frames.append(_frames.decode(text))

    def answer(self, text: str) -> None:
        super().answer(text)
        self.frames.append(_frames.decode(text))

    def wants(self) -> list[AnyCommand]:
        """Return the commands that the page sends in response to the next frame."""
        said = self.witness.hear(self.frames.popleft())
        return [command for command in said if self.reveals or not isinstance(command, RevealSeed)]

    @property
    def results(self) -> list[tuple[int, str]]:
        return [(verdict.hand, verdict.result) for verdict in self.verdicts]

    @property
    def verdicts(self) -> list[Verdict]:
        return self.witness.verdicts


class FairTable:
    """A table with people on the first seats."""

    def __init__(self, house: TableRegistry, shelf: Shelf, live: LiveTable, people: list[Someone]) -> None:
        self.registry, self.shelf, self.live, self.people = house, shelf, live, people

    @classmethod
    async def open(
        cls,
        *names: str,
        rules: str = "two-player",
        players: int | None = None,
        start: bool = False,
        patience: float = 3600.0,
    ) -> "FairTable":
        shelf = Shelf()
        house = a_house(shelf, fair_patience=patience, cut_pause=3600.0)
        # The target is too high for a single hand, and the cards differ every time.
        wish = NewTable(rules=rules, players=players, start=start, options={"target": 20_000})
        live = await house.open_table(HOST, wish)
        people = [Someone(name, live.table.name) for name in (HOST.id, *names)]
        table = cls(house, shelf, live, people)
        for person in people:
            await live.enter(person)
            if not start:
                await table.tell(person, TakeSeat(id=new_name()))
        return table

    @property
    def is_dealt(self) -> bool:
        return self.live.table.match is not None

    async def tell(self, person: Someone, command: AnyCommand) -> AnyFrame:
        answer = await carry_out(command, person, self.live)
        person.frames.append(answer)
        return answer

    async def settle(self) -> None:
        """Deliver frames and commands until nobody has anything left to send."""
        while any(person.frames for person in self.people):
            for person in self.people:
                while person.frames:
                    for command in person.wants():
                        await self.tell(person, command)

    async def start(self) -> None:
        await self.settle()
        assert isinstance(await self.tell(self.people[0], StartGame(id=new_name())), Done)
        await self.settle()

    async def next_hand(self) -> None:
        for person in self.people:
            await self.tell(person, NextHand(id=new_name()))
        await self.settle()

    async def patience_ends(self) -> None:
        """Let all time limits expire."""
        self.live._seed_timeouts._since -= 10 * 3600.0  # move the start of the wait into the past
        self.live._seed_timeouts._came.clear()
        await self.live._do_what_is_due()
        await self.settle()

    async def play_hand(self) -> None:
        """Play a hand in which people and computer players alike play as novices."""
        bot = get_bot("novice")
        table = self.live.table
        assert table.match is not None
        seated = {table.seat_of(person.player): person for person in self.people}
        while not table.match.hand.over:
            seat = table.match.hand.turn
            move = str(bot.choose(table.match.hand.view(seat)))
            command = MakeMove(id=new_name(), state=10**12, move=move)
            assert isinstance(await self.tell(seated[seat], command), Done)
            await self.settle()

    async def close(self) -> None:
        for person in self.people:
            await self.live.leave(person)
        await self.registry.close()


def new_name() -> str:
    return f"t{next(_ids)}"


def whole(record: str) -> Replayer:
    replayer = Replayer(record)
    while replayer.step() is not None:
        pass
    assert replayer.replay.problem is None, replayer.replay.problem
    return replayer
