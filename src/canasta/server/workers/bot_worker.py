"""A worker process for computer players.

It rebuilds the match from its deals and moves, and shows the bot the view of its seat. It imports only the
engine and the bots, nothing of the server, so it starts quickly and uses little memory. `exit_after` enforces
the time limit of each request.
"""

import sys
import time
from typing import Final, NamedTuple

from msgspec import Struct, field

from canasta.bots import Bot, get_bot
from canasta.bots.protocol import Listeners, hears
from canasta.engine.match import Match
from canasta.notation.moves import parse_move
from canasta.rules import resolve_ruleset
from canasta.table.event_views import hint_view
from canasta.table.log import FairStep, LaidStep, Option, Step
from canasta.table.wire import HintView
from canasta.worker_process import answer_requests, exit_after, lower_priority

ADVISER: Final = "club"
"""Level of the bot that gives hints."""
_MOST_TABLES: Final = 400
"""Maximum number of tables that a process remembers. For a forgotten table, the client must send all steps
again."""


class BotTask(Struct, kw_only=True):
    """A request for a move or a hint."""

    table: str
    rules: str
    version: int
    players: int
    options: dict[str, Option]
    seat: int
    level: str
    """Level of the bot; empty for a hint to a person."""
    budget: float
    """Search time in seconds."""
    seed: str = ""
    """Seed of the bots' random choices; empty: the name of the table."""


class BotQuestion(BotTask, kw_only=True):
    """A task as it is sent to the process."""

    since: int
    """Number of steps that the process already knows."""
    steps: list[Step]
    """The steps after them: deals and moves."""
    time_limit: float
    """Time limit in CPU seconds, after which the process is killed."""


class BotReply(Struct, kw_only=True):
    move: str = ""
    advice: list[HintView] = field(default_factory=list)
    took: float = 0.0
    """CPU seconds used."""
    is_behind: bool = False
    """True if the process lacks earlier steps: the client must send all of them."""
    problem: str = ""


class _SeatedBot(NamedTuple):
    bot: Bot
    seed: str
    budget: float


class BotWorker:
    """The tables that this process remembers, with their computer players."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Match, int]] = {}
        """Matches with their number of steps, most recently used last."""
        self._bots: dict[tuple[str, int, str], _SeatedBot] = {}
        """Bots by table, seat and level."""

    def answer(self, question: BotQuestion) -> BotReply:
        bot = self._bot(question)
        # Don't count the loading of the bot's weights, which would put the table in the slow queue.
        began = time.process_time()
        match = None if bot is None else self._match(question)
        if bot is None or match is None:
            return BotReply(is_behind=True)
        view = match.hand.view(question.seat)
        if question.level:
            reply = BotReply(move=str(bot.choose(view)))
        else:
            reply = BotReply(advice=[hint_view(hint) for hint in bot.hint(view)])
        reply.took = time.process_time() - began
        return reply

    def _bot(self, question: BotQuestion) -> Bot | None:
        """Return the bot for a request; `None` if it must observe the whole game, but the request contains
        only the last steps."""
        level = question.level or ADVISER
        key = (question.table, question.seat, level)
        if question.since == 0:
            # The request replays the whole game: restart listening bots so that they don't observe it twice.
            for known, seated in self._at(question.table):
                if hears(seated.bot):
                    self._bots[known] = _sit_down(known, seated.seed, seated.budget)
        if key not in self._bots:
            seated = _sit_down(key, question.seed or question.table, question.budget)
            if question.since and hears(seated.bot):
                return None
            self._bots[key] = seated
        return self._bots[key].bot

    def _at(self, table: str) -> list[tuple[tuple[str, int, str], _SeatedBot]]:
        return [(key, seated) for key, seated in self._bots.items() if key[0] == table]

    def _match(self, question: BotQuestion) -> Match | None:
        # Remove it first, so that a failing step makes the next request start over.
        match, gone = self._tables.pop(question.table, (None, 0))
        steps = question.steps
        if question.since == 0:
            match = None
        elif match is None or gone != question.since:
            return None
        listeners = [Listeners({seat: seated.bot}) for (_, seat, _), seated in self._at(question.table)]
        for step in steps:
            if isinstance(step, str):
                assert match is not None, "a game begins with a deal"
                events = match.apply(parse_move(step))
                for listener in listeners:
                    listener.tell(events)
            else:
                match = _dealt(match, question, step)
                for listener in listeners:
                    listener.deal(match.hand.state, match.hand.scores)
        assert match is not None, "a game begins with a deal"
        if len(self._tables) >= _MOST_TABLES:
            oldest = next(iter(self._tables))
            del self._tables[oldest]
            for key, _ in self._at(oldest):
                del self._bots[key]
        self._tables[question.table] = (match, question.since + len(steps))
        return match


def _sit_down(key: tuple[str, int, str], seed: str, budget: float) -> _SeatedBot:
    _, seat, level = key
    return _SeatedBot(get_bot(level, f"{seed}/{seat}", budget), seed, budget)


def _dealt(match: Match | None, question: BotQuestion, step: FairStep | LaidStep) -> Match:
    if isinstance(step, LaidStep):
        return step.match()
    fair = step.fair_round(question.table)
    if match is not None:
        match.deal_next(fair)
        return match
    rules = resolve_ruleset(question.rules, question.players, question.options, version=question.version)
    return Match.new(rules, question.table, fair=fair, first_dealer=step.first_dealer)


def answer(worker: BotWorker, question: BotQuestion) -> BotReply:
    exit_after(question.time_limit)
    try:
        return worker.answer(question)
    except Exception as error:  # noqa: BLE001 - one table's error must not affect the others
        return BotReply(problem=f"{type(error).__name__}: {error}"[:300])


def main() -> None:
    if len(sys.argv) > 1:
        lower_priority(int(sys.argv[1]))
    worker = BotWorker()
    answer_requests(BotQuestion, lambda question, send: send(answer(worker, question)))


if __name__ == "__main__":
    main()
