"""What computer players do at a table."""

from typing import Final

import structlog

from canasta.bots import Bot, get_bot
from canasta.engine.match import Match
from canasta.engine.moves import Move
from canasta.notation.errors import NotationError
from canasta.notation.moves import format_move, parse_move
from canasta.server.rooms import STAND_IN, Room
from canasta.server.thinking import Question, Thinkers
from canasta.server.wire import HintView

_logger = structlog.get_logger()

_SEARCHING: Final = "expert"
"""Takes its time; the others answer at once."""


class Brains:
    """The computer players of one table. They see the view of their seat and nothing else."""

    def __init__(self, room: Room, thinkers: Thinkers, budget: float) -> None:
        self._room = room
        self._thinkers = thinkers
        self._budget = budget
        self._bots: dict[str, Bot] = {}

    def _bot(self, level: str) -> Bot:
        """One for all seats: what answers at once remembers nothing."""
        if level not in self._bots:
            self._bots[level] = get_bot(level)
        return self._bots[level]

    async def choose(self, match: Match, seat: int, level: str) -> Move:
        """A move for the seat to act. Should the table change meanwhile, the move is worth nothing."""
        seen = self._room.move_state
        if level == _SEARCHING:
            move = await self._searched(seat, level)
            if move is not None and (self._room.move_state != seen or match.check(move) is None):
                return move
            level = STAND_IN
        return self._at_once(match, seat, level)

    def _at_once(self, match: Match, seat: int, level: str) -> Move:
        try:
            move = self._bot(level).choose(match.hand.view(seat))
            if match.check(move) is None:
                return move
            _logger.error("bot_move_refused", table=self._room.table, level=level)
        except Exception:  # a table must not stop because a computer player stumbles
            _logger.exception("bot_failed", table=self._room.table, level=level)
        return match.hand.legal_moves()[0]

    async def _searched(self, seat: int, level: str) -> Move | None:
        created = self._room.created
        question = Question(
            table=self._room.table,
            rules=created.rules,
            players=created.players,
            options=created.options,
            steps=list(self._room.steps),
            seat=seat,
            level=level,
            budget=self._budget,
        )
        try:
            text = await self._thinkers.move_for(question)
            return None if text is None else parse_move(text)
        except (NotationError, AssertionError, RuntimeError, ValueError, OSError):
            _logger.exception("thinker_failed", table=self._room.table)
            return None

    def hints(self, match: Match, seat: int) -> list[HintView]:
        return [
            HintView(move=format_move(hint.move), text=hint.reason.text, numbers=hint.reason.numbers)
            for hint in self._bot(STAND_IN).hint(match.hand.view(seat))
        ]
