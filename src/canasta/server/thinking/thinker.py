"""A process in which computer players think: questions on standard input, answers on standard output.

It rebuilds the match from its deals and moves, as anybody could from the record, and shows the player the
view of its seat. It loads the engine and the computer players and nothing of the server, so that it is there
quickly and takes little memory.
"""

import faulthandler
import os
import signal
import struct
import sys
import time
from typing import BinaryIO, Final, NamedTuple

import msgspec
from msgspec import Struct, field

if sys.platform == "win32":
    import msvcrt

from canasta.bots import Bot, get_bot
from canasta.bots.hearing import Listeners, hears
from canasta.engine.match import Match
from canasta.engine.shuffle import FairDeal
from canasta.notation.moves import parse_move
from canasta.rules import resolve_ruleset
from canasta.table.deals_and_moves import FairStep, LaidStep, Step
from canasta.table.happenings import hint_view
from canasta.table.log import Option
from canasta.table.wire import HintView

ADVISER: Final = "club"
"""Gives the hints."""
_LENGTH: Final = struct.Struct("!I")
_MOST_TABLES: Final = 400
"""That a process remembers; the others it is told anew."""


class Question(Struct, kw_only=True):
    """What to do at this table?"""

    table: str
    rules: str
    version: int
    players: int
    options: dict[str, Option]
    since: int
    """So many steps the process has been told already."""
    steps: list[Step]
    """Those after them: deals and moves."""
    seat: int
    level: str
    """Empty: what to tell a person who asks for a hint?"""
    budget: float
    """Seconds for a player who searches."""
    seed: str = ""
    """What computer players leave to chance follows from it; empty: from the name of the table."""
    most: float
    """Seconds of the processor's time after which the system ends this process, whatever it is doing."""


class Answer(Struct, kw_only=True):
    move: str = ""
    advice: list[HintView] = field(default_factory=list)
    took: float = 0.0
    """Seconds of the processor's time."""
    is_behind: bool = False
    """The process does not know the steps before those it was told: ask again with all of them."""
    problem: str = ""


def packed(message: Struct) -> bytes:
    content = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(content)) + content


def length_of(head: bytes) -> int:
    return int(_LENGTH.unpack(head)[0])


HEAD: Final = _LENGTH.size
"""Bytes before each message, which say how long it is."""


class _Seated(NamedTuple):
    bot: Bot
    seed: str
    budget: float


class Thinker:
    """The tables that this process knows, and the computer players at them."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Match, int]] = {}
        """Matches, with the number of steps that they have gone; the one asked for last is the last."""
        self._bots: dict[tuple[str, int, str], _Seated] = {}
        """By table, seat and level."""

    def answer(self, question: Question) -> Answer:
        bot = self._bot(question)
        # A player that reads its weights when it first sits down does not make the table a slow one.
        began = time.process_time()
        match = None if bot is None else self._match(question)
        if bot is None or match is None:
            return Answer(is_behind=True)
        view = match.hand.view(question.seat)
        if question.level:
            said = Answer(move=str(bot.choose(view)))
        else:
            said = Answer(advice=[hint_view(hint) for hint in bot.hint(view)])
        said.took = time.process_time() - began
        return said

    def _bot(self, question: Question) -> Bot | None:
        """The player asked; None where it has to hear the whole game first and was told only the end."""
        level = question.level or ADVISER
        key = (question.table, question.seat, level)
        if question.since == 0:
            # The game is told from its beginning: who listens hears it so, and not for the second time.
            for known, seated in self._at(question.table):
                if hears(seated.bot):
                    self._bots[known] = _sit_down(known, seated.seed, seated.budget)
        if key not in self._bots:
            seated = _sit_down(key, question.seed or question.table, question.budget)
            if question.since and hears(seated.bot):
                return None
            self._bots[key] = seated
        return self._bots[key].bot

    def _at(self, table: str) -> list[tuple[tuple[str, int, str], _Seated]]:
        return [(key, seated) for key, seated in self._bots.items() if key[0] == table]

    def _match(self, question: Question) -> Match | None:
        # Taken out first: should a step fail, the next question begins anew.
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


def _sit_down(key: tuple[str, int, str], seed: str, budget: float) -> _Seated:
    _, seat, level = key
    return _Seated(get_bot(level, f"{seed}/{seat}", budget), seed, budget)


def _dealt(
    match: Match | None, question: Question, step: tuple[str, tuple[str, ...]] | FairStep | LaidStep
) -> Match:
    if isinstance(step, LaidStep):
        return step.match()
    fair = step.fair_round(question.table) if isinstance(step, FairStep) else FairDeal(*step)
    if match is not None:
        match.deal_next(fair)
        return match
    rules = resolve_ruleset(question.rules, question.players, question.options, version=question.version)
    first_dealer = step.first_dealer if isinstance(step, FairStep) else None
    return Match.new(rules, question.table, fair=fair, first_dealer=first_dealer)


if sys.platform == "win32":

    def end_after(seconds: float) -> None:
        """End this process unless it is told otherwise by then; 0: never.

        The clock's time, for there is nothing better; a thread of the interpreter's own, which needs not wait
        for compiled code as others do.
        """
        if seconds > 0:
            faulthandler.dump_traceback_later(2 * seconds, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()

else:

    def end_after(seconds: float) -> None:
        """End this process unless it is told otherwise by then; 0: never.

        By the system and not by a thread: compiled code lets no thread in. The processor's time and not the
        clock's: on a busy machine the same thoughts take longer.
        """
        signal.setitimer(signal.ITIMER_PROF, seconds)


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answers until nobody asks any more."""
    thinker = Thinker()
    while len(head := asked.read(HEAD)) == HEAD:
        content = asked.read(length_of(head))
        try:
            question = msgspec.msgpack.decode(content, type=Question)
            end_after(question.most)
            said = thinker.answer(question)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other tables still have questions
            said = Answer(problem=f"{type(error).__name__}: {error}"[:300])
        end_after(0)
        told.write(packed(said))
        told.flush()


def main() -> None:
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        if len(sys.argv) > 1:
            os.nice(int(sys.argv[1]))
    else:
        msvcrt.setmode(0, os.O_BINARY)
    told = os.fdopen(os.dup(1), "wb")
    # Nothing that prints may come between the answers.
    os.dup2(2, 1)
    serve(sys.stdin.buffer, told)


if __name__ == "__main__":
    main()
