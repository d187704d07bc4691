"""Moves and hints of the computer players at a table."""

import asyncio
from asyncio import QueueFull
from typing import Final

import structlog

from canasta.bots import MAY_SEARCH
from canasta.engine.match import Match
from canasta.engine.moves.refusals import RefusedMove
from canasta.notation.errors import NotationError
from canasta.notation.moves import parse_move
from canasta.server.fair_queue import Asker
from canasta.server.workers.bot_worker import BotReply
from canasta.server.workers.pool import BotRequest, Thinkers
from canasta.table.next_action import BotMove, simple_move
from canasta.table.practice import FROM_RECORD
from canasta.table.table import Table
from canasta.table.wire import HintView

_logger = structlog.get_logger()

PATIENCE: Final = 10.0
"""Seconds that a table waits for a move or hint, in addition to the search budget."""


class Brains:
    """The computer players of one table. They see only the view of their seat."""

    def __init__(self, table: Table, thinkers: Thinkers, budget: float) -> None:
        self._table = table
        self._thinkers = thinkers
        self._budget = budget

    def warm(self) -> None:
        self._thinkers.warm()

    async def choose(self, match: Match, seat: int, level: str, asker: Asker) -> BotMove | None:
        """Return a move for the seat to act; `None` if the cards have changed in the meantime.

        The request takes the turn of `asker` in the queue.
        """
        seen = self._table.move_state
        try:
            said = await self._ask(seat, level, asker)
        except QueueFull:
            said = None
        if self._table.move_state != seen:
            return None
        if said is not None:
            try:
                return BotMove(match.try_move(parse_move(said.move)))
            except (NotationError, RefusedMove) as error:
                _logger.error(
                    "bot_move_refused",
                    table=self._table.name,
                    level=level,
                    move=said.move,
                    problem=str(error),
                )
        return BotMove(simple_move(match), hurried=True)

    async def hints(self, seat: int, asker: Asker) -> list[HintView]:
        """Return hints; empty if the cards have changed in the meantime or none came in time.

        Raise `QueueFull`.
        """
        seen = self._table.move_state
        said = await self._ask(seat, "", asker)
        if said is None or self._table.move_state != seen:
            return []
        return said.advice

    async def _ask(self, seat: int, level: str, asker: Asker) -> BotReply | None:
        created = self._table.created
        ask = BotRequest(
            table=self._table.name,
            rules=created.rules,
            version=created.version,
            players=created.players,
            options=created.options,
            steps=self._table.steps,
            length=len(self._table.steps),
            seat=seat,
            level=level,
            budget=self._budget if level in MAY_SEARCH else 0.0,
            # Everyone who practises the same position gets the same moves.
            seed=created.practice,
            from_record=created.practice.startswith(FROM_RECORD),
            asker=asker,
        )
        try:
            async with asyncio.timeout(ask.budget + PATIENCE):
                return await self._thinkers.answer(ask)
        except TimeoutError:
            _logger.warning("thinker_too_slow", table=self._table.name)
            return None
