"""What people have answered to puzzles, in the database, and how the puzzles are rated on this server."""

import time
from typing import Final

from sqlalchemy import Connection, insert, select, update

from canasta.review.puzzles import Puzzle
from canasta.review.rating import Rating, after_answer, puzzle_start
from canasta.review.solving import Answer, rating_of
from canasta.server.store.schema import puzzle_answers, puzzle_ratings
from canasta.server.store.store import Conflict, Store

_TRIES: Final = 20
"""Answers that come together are rated one after the other; the same number cannot be taken twice."""


class PuzzleStore:
    """The answers of one person are numbered, and of each puzzle there is one: of two that come at once one
    is the first, and the other is none."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def answers_of(self, player: str) -> list[Answer]:
        """In their order."""
        return await self._store.read(lambda connection: _answers(connection, player))

    async def times_of(self, player: str) -> dict[str, float]:
        """When each puzzle was answered, in seconds since 1970."""
        asked = select(puzzle_answers.c.puzzle, puzzle_answers.c.answered)
        mine = asked.where(puzzle_answers.c.player_id == player)
        return await self._store.read(lambda connection: {row[0]: row[1] for row in connection.execute(mine)})

    async def ratings(self) -> dict[str, Rating]:
        """Of the puzzles that somebody has answered."""
        asked = select(*_RATED)
        return await self._store.read(
            lambda connection: {row[0]: Rating(*row[1:]) for row in connection.execute(asked)}
        )

    async def answer(self, player: str, puzzle: Puzzle, choice: int) -> bool:
        """Keeps a first answer, and rates solver and puzzle by it; False where there is one already. Raises
        `Conflict` where the player is gone."""
        for left in reversed(range(_TRIES)):
            counted: list[bool] = []

            def work(connection: Connection, counted: list[bool] = counted) -> None:
                # Whoever writes together with others may be asked twice.
                counted[:] = [_answer(connection, player, puzzle, choice)]

            try:
                await self._store.write(work)
            except Conflict:
                if left == 0:
                    raise
                continue
            return counted[0]
        return False


_RATED: Final = tuple(puzzle_ratings.c[name] for name in ("puzzle", "value", "deviation", "volatility"))


def _answers(connection: Connection, player: str) -> list[Answer]:
    rows = connection.execute(
        select(*(puzzle_answers.c[name] for name in ("puzzle", "choice", "right", *Rating._fields)))
        .where(puzzle_answers.c.player_id == player)
        .order_by(puzzle_answers.c.number)
    )
    return [Answer(row[0], row[1], bool(row[2]), Rating(*row[3:])) for row in rows]


def _answer(connection: Connection, player: str, puzzle: Puzzle, choice: int) -> bool:
    before = _answers(connection, player)
    if any(answer.puzzle == puzzle.id for answer in before):
        return False
    # Where several processes write, the row is held until this answer is kept.
    held = select(*_RATED).where(puzzle_ratings.c.puzzle == puzzle.id).with_for_update()
    known = connection.execute(held).first()
    rating = puzzle_start(puzzle.difficulty) if known is None else Rating(*known[1:])
    right = puzzle.shown[choice] == puzzle.options[0]
    solver, rated = after_answer(rating_of(before), rating, puzzle.difficulty, right=right)
    connection.execute(
        insert(puzzle_answers).values(
            player_id=player,
            puzzle=puzzle.id,
            number=len(before),
            choice=choice,
            right=right,
            answered=time.time(),
            **_columns(solver),
        )
    )
    if known is None:
        connection.execute(insert(puzzle_ratings).values(puzzle=puzzle.id, **_columns(rated)))
    else:
        changed = update(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle.id)
        connection.execute(changed.values(**_columns(rated)))
    return True


def _columns(rating: Rating) -> dict[str, float]:
    return dict(rating._asdict())
