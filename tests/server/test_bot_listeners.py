"""A listening player hears the whole game in its worker process, whenever it is first asked."""

import time

import pytest

from canasta.bots import Bot, get_bot
from canasta.bots.protocol import Listeners
from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.view import View
from canasta.rules import resolve_ruleset
from canasta.server.workers import bot_worker
from canasta.server.workers.bot_worker import BotQuestion, BotWorker
from canasta.table.log import FairStep, Step

DEAL = FairStep(hand=1, number=1, server_seed="ab" * 32, seeds={0: "cd" * 32})


class Listener(Bot):
    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.deals = 0
        self.club = get_bot("club")

    def begin(self, view: View) -> None:
        self.deals += 1

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def choose(self, view: View) -> Move:
        return self.club.choose(view)


def asked(steps: list[Step], since: int, seat: int, level: str = "listener") -> BotQuestion:
    return BotQuestion(
        table="t", rules="two-player", version=2, players=2, options={}, since=since, steps=steps[since:],
        seat=seat, level=level, budget=0.0, time_limit=1.0,
    )  # fmt: skip


def test_everything_is_heard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Listener] = []

    def seat_one(level: str, seed: str, budget: float) -> Bot:
        made.append(Listener())
        return made[-1]

    monkeypatch.setattr(bot_worker, "get_bot", seat_one)
    match = Match.new(resolve_ruleset("two-player", 2, {}), "t", fair=DEAL.fair_round("t"))
    steps: list[Step] = [DEAL]
    club = get_bot("club")
    events: list[Event] = []
    process = BotWorker()
    told = 0
    behind = 0
    for number in range(60):
        seat = match.hand.turn
        # For the first twenty moves, only one of the two is asked.
        if number >= 20 or seat == 0:
            said = process.answer(asked(steps, told, seat))
            if said.is_behind:
                behind += 1
                said = process.answer(asked(steps, 0, seat))
            assert said.move
            told = len(steps)
        move = club.choose(match.hand.view(seat))
        events += match.apply(move)
        steps.append(str(move))
    process.answer(asked(steps, told, match.hand.turn))
    assert behind == 1
    # The first bot was asked alone, then both heard the whole game; a third one only returned a wait.
    listening = [bot for bot in made if len(bot.heard) == len(events)]
    assert len(listening) == 2
    for bot in listening:
        assert bot.deals == 1
        assert [type(event) for event in bot.heard] == [type(event) for event in events]


def test_a_master_that_is_asked_late_remembers_the_hand_as_one_that_heard_it_all() -> None:
    match = Match.new(resolve_ruleset("two-player", 2, {}), "t", fair=DEAL.fair_round("t"))
    heard = [get_bot("master") for _ in range(2)]
    listeners = Listeners(dict(enumerate(heard)))
    listeners.deal(match.hand.state, match.hand.scores)
    deaf = get_bot("master")
    steps: list[Step] = [DEAL]
    process = BotWorker()
    told = 0
    forgotten = 0
    for number in range(90):
        if match.hand.over:
            break
        seat = match.hand.turn
        view = match.hand.view(seat)
        move = heard[seat].choose(view)
        # One seat is asked from the start, the other only now and then from the middle of the hand.
        if seat == 0 or (number > 40 and number % 3):
            said = process.answer(asked(steps, told, seat, "master"))
            if said.is_behind:
                said = process.answer(asked(steps, 0, seat, "master"))
            told = len(steps)
            assert said.move == str(move)
            forgotten += deaf.choose(view) != move
        listeners.tell(match.apply(move))
        steps.append(str(move))
    assert told > 60
    # The events matter: without them, the player would choose differently.
    assert forgotten > 0


def test_sitting_down_is_not_counted_as_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the first question to a player with weights would make every such table look slow."""
    clock = [0.0]

    def sit_down(level: str, seed: str, budget: float) -> Bot:
        clock[0] += 10.0
        return get_bot("club")

    monkeypatch.setattr(bot_worker, "get_bot", sit_down)
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    said = BotWorker().answer(asked([DEAL], 0, 0))
    assert said.move
    assert said.took == 0.0
