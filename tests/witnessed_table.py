"""Games at one table, seen by witnesses: honest ones, and ways to record and alter what they saw."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from canasta.bots import get_bot
from canasta.engine.hand import TriedMove
from canasta.engine.match import Match
from canasta.engine.moves.types import Move, PutBack, Undo
from canasta.rules import Ruleset, resolve_ruleset
from canasta.table.commands import CommandError, propose
from canasta.table.event_views import Change
from canasta.table.frames import Frames, encode_frame, welcome
from canasta.table.log import BotSeated, Created, Entry, Moved, RoundVoided
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire import AnyFrame, Done, Refused, TableState
from canasta.table.wire_commands import AnyCommand, CommitSeed, NextHand, RevealSeed, StartGame
from canasta.terminal.fairness import FairnessClient

_frames: Final[msgspec.json.Decoder[AnyFrame]] = msgspec.json.Decoder(AnyFrame)

Bend = Callable[[AnyFrame], AnyFrame | None]
"""A change that a cheating server makes to a frame; None drops the frame."""


def decoded(frame: AnyFrame) -> AnyFrame:
    """Return a frame as it arrives."""
    return _frames.decode(encode_frame(frame))


@dataclass
class Viewing:
    """One person at the table and their witness."""

    player: str
    witness: FairnessClient
    steps: list[tuple[float, AnyFrame | None]] = field(default_factory=list)
    """Every frame they were sent, with the time; None marks a new connection."""
    orders: list[CommitSeed | RevealSeed] = field(default_factory=list)
    """Every command that their program sent."""
    seeds: list[str] = field(default_factory=list)
    """The seeds that their program chose, in order."""
    inbox: list[AnyFrame] = field(default_factory=list)
    """Frames in transit."""
    connected: bool = True
    reveals: bool = True
    missed: bool = False
    """Whether a state was dropped; the next one then has the whole log."""
    bend: Bend = field(default=lambda frame: frame)

    def results(self, hand: int = 1) -> list[str]:
        return [verdict.result for verdict in self.witness.verdicts if verdict.hand == hand]


class WitnessedTable:
    """A table without a server: people on the first seats, bots on the others, everything seeded."""

    def __init__(
        self,
        rules: Ruleset | str,
        players: int,
        people: int,
        *,
        seed: object = 0,
        options: dict[str, Any] | None = None,
        moves: str = "bot",
    ) -> None:
        """`moves`: `bot`; `undo` for a bot that often takes melds back; `random` for random legal moves."""
        name = rules if isinstance(rules, str) else rules.name
        self.rules = resolve_ruleset(name, players, options or {})
        self.luck = Random(f"{name}/{players}/{people}/{seed}")
        self.now = 1000.0
        created = Created(
            rules=name,
            version=self.rules.version,
            players=players,
            options=options or {},
            public=False,
            level="novice",
            clock=0,
            spectators=False,
            seed=self._seed(),
            made=0.0,
        )
        self.table = Table(f"table-{seed}", created)
        self._bot = get_bot("random" if moves == "random" else "novice", f"{seed}")
        self.viewings: list[Viewing] = []
        self._moves = moves
        for seat in range(players):
            if seat < people:
                self.seat_person(seat)
            else:
                self._do([BotSeated(seat=seat, level="novice")])
        for viewing in self.viewings:
            self.connect(viewing)
        self.settle()

    def seat_person(self, seat: int) -> Viewing:
        """Seat a person who isn't connected yet."""
        player = f"player{seat}"
        seeds: list[str] = []
        viewing = Viewing(player, self.new_witness(seeds), seeds=seeds, connected=False)
        self.viewings.append(viewing)
        self._do([Person(player, player.capitalize()).sits(seat)])
        return viewing

    def _seed(self) -> str:
        return self.luck.randbytes(32).hex()

    def new_witness(self, seeds: list[str]) -> FairnessClient:
        """Return a program that watches this table; `seeds` collects the seeds that it chooses."""

        def choose(_hand: int, _commitment: str) -> str:
            seeds.append(self._seed())
            return seeds[-1]

        return FairnessClient(self.table.bound_to, choose, clock=lambda: self.now)

    # -- frames ----------------------------------------------------------------------------------------------

    def connect(self, viewing: Viewing, witness: FairnessClient | None = None) -> None:
        """Open a new connection, of the same program or (with `witness`) of another one."""
        viewing.witness = witness or viewing.witness
        viewing.connected = True
        viewing.inbox.clear()
        viewing.steps.append((self.now, None))
        viewing.witness.connected()
        self._give(viewing, welcome(self.table, viewing.player))
        self._give(viewing, self._state(viewing, [], first=True))

    def _state(self, viewing: Viewing, change: Change, *, first: bool = False) -> TableState:
        present = {seat for seat in range(len(self.table.chairs)) if self.table.chairs[seat].player}
        frames = Frames(self.table, change, present=present, open_for=lambda _: 4.0)
        return frames.first_state_for(viewing.player) if first else frames.state_for(viewing.player)

    def _give(self, viewing: Viewing, frame: AnyFrame) -> None:
        bent = viewing.bend(decoded(frame))
        if bent is not None:
            viewing.inbox.append(bent)

    def settle(self) -> None:
        """Deliver all frames, and carry out the programs' answers."""
        while any(viewing.inbox for viewing in self.viewings):
            for viewing in self.viewings:
                if not viewing.inbox:
                    continue
                frame = viewing.inbox.pop(0)
                viewing.steps.append((self.now, copy.deepcopy(frame)))
                for command in viewing.witness.hear(frame):
                    viewing.orders.append(command)
                    if viewing.reveals or not isinstance(command, RevealSeed):
                        self._give(viewing, self._carried_out(viewing, command))

    def order(self, viewing: Viewing, command: AnyCommand) -> AnyFrame:
        """Carry out a person's command and everything that follows from it."""
        answer = self._carried_out(viewing, command)
        self.settle()
        return answer

    def _carried_out(self, viewing: Viewing, command: AnyCommand) -> AnyFrame:
        """Carry out a person's command; everyone is shown the result before the answer is returned."""
        seat = self.table.seat_of(viewing.player)
        name = "" if seat is None else self.table.chairs[seat].name
        present = range(len(self.viewings))
        try:
            proposal = propose(self.table, Person(viewing.player, name), command, present=present)
        except CommandError as refusal:
            return Refused(id=command.id, state=self.table.state, why=refusal.why, stale=refusal.stale)
        if proposal.entries:
            self._do(proposal.entries, proposal.move)
        return Done(id=command.id, state=self.table.state)

    def _do(self, entries: Sequence[Entry], tried: TriedMove | None = None) -> None:
        awaited = {seat for seat, chair in enumerate(self.table.chairs) if chair.player}
        whole = [*entries, *self.table.following_entries(entries, lambda seat: seat in awaited)]
        whole = [self._with_own_seed(entry) for entry in whole]
        change = self.table.apply(whole, tried=tried)
        self.show(change)

    def _with_own_seed(self, entry: Entry) -> Entry:
        """Replace the table's own seed by one drawn from the session's seed."""
        if hasattr(entry, "next_seed"):
            return msgspec.structs.replace(entry, next_seed=self._seed())
        return entry

    def show(self, change: Change) -> None:
        self.now += 0.1
        for viewing in self.viewings:
            if viewing.connected:
                self._give(
                    viewing, self._state(viewing, [] if viewing.missed else change, first=viewing.missed)
                )
                viewing.missed = False
            else:
                viewing.missed = False

    # -- playing ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        host = self.viewings[0]
        self.order(host, StartGame(id="start"))
        if self.table.waits_after_cut:
            self.next_hand()
        assert self.table.match is not None or self.table.is_dealing, (self.table.cut, self.table.shuffling)

    def next_hand(self) -> None:
        for viewing in self.viewings:
            self.order(viewing, NextHand(id=f"next-{viewing.player}-{self.table.length}"))

    def void_round(self) -> None:
        """Exclude the players who haven't revealed."""
        self._do([RoundVoided(next_seed=self._seed())])
        self.settle()

    def move(self) -> None:
        """Let the player to move make a move."""
        match = self.table.match
        assert match is not None
        seat = match.hand.turn
        move = None
        if self._moves != "bot":
            undo = [move for move in _cheap_moves(match) if self.luck.random() < 0.3]
            move = undo[0] if undo else None
        if move is None:
            move = self._bot.choose(match.hand.view(seat))
        self._do([Moved(seat=seat, move=str(move), by="bot")])
        self.settle()

    def play_hand(self, each: Callable[[int], None] = lambda move: None, most: int = 4000) -> None:
        """Play the hand to its end; `each` is called before each move."""
        assert self.table.match is not None
        number = 0
        while not self.table.match.hand.over and number < most:
            each(number)
            self.move()
            number += 1


def _cheap_moves(match: Match) -> list[Move]:
    moves: tuple[Move, ...] = (Undo(), PutBack())
    return [move for move in moves if match.hand.check(move) is None]
