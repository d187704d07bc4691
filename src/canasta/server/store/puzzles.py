"""Players' answers to puzzles, and the puzzles' ratings on this server."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from canasta.review.puzzle_progress import PuzzleAnswer, rating_of
from canasta.review.puzzles import Puzzle
from canasta.review.rating import PROVISIONAL, Rating, after_answer, puzzle_start
from canasta.server.store import ConflictError
from canasta.server.store.database import REMEMBERED, AddressHash, AddressHashStore, Database, columns_of
from canasta.server.store.schema import players, puzzle_answers, puzzle_ratings, puzzle_sights

_TRIES: Final = 20
"""Maximum attempts to store an answer. Simultaneous answers of a player compete for the same number, so all
but one have to retry."""
_DAY: Final = 86_400.0
ACCOUNT_AGE: Final = _DAY
GUEST_AGE: Final = 7 * _DAY
"""Minimum age in seconds of a player whose answers change puzzle ratings."""
MOST_MOVED: Final = 40
"""Maximum number of puzzles whose rating one address can change per day."""


class PuzzleStore:
    """The part of the store for puzzle answers, numbered by player.

    A player has at most one answer per puzzle: of two simultaneous ones, the second is dropped.
    """

    def __init__(self, store: Database) -> None:
        self._store = store
        self._places = AddressHashStore(store)

    async def answers_of(self, player: str) -> list[PuzzleAnswer]:
        """Return a player's answers in order."""
        return await self._store.read(lambda connection: _answers(connection, player))

    async def times_of(self, player: str) -> dict[str, float]:
        """Return the Unix time of each answer, by puzzle."""
        statement = select(puzzle_answers.c.puzzle, puzzle_answers.c.answered)
        mine = statement.where(puzzle_answers.c.player_id == player)
        return await self._store.read(
            lambda connection: {row.puzzle: row.answered for row in connection.execute(mine)}
        )

    async def ratings(self) -> dict[str, Rating]:
        """Return the ratings of all puzzles that changed on this server."""
        statement = select(*_RATED)
        return await self._store.read(
            lambda connection: {row.puzzle: _rating(row) for row in connection.execute(statement)}
        )

    async def answer(self, player: str, puzzle: Puzzle, choice: int, address: str) -> bool:
        """Store a first answer, and rate the player and the puzzle by it.

        Return False if the player has already answered. Raise `ConflictError` if the player no longer exists.

        The player isn't rated if another player at this address has recently seen the solution. The puzzle is
        rated only if the player is rated and established.
        """
        places = await self._places.recent_hashes(address, datetime.now(UTC).date())
        for left in reversed(range(_TRIES)):
            counted: list[bool] = []

            def work(connection: Connection, counted: list[bool] = counted) -> None:
                # A write that is grouped with others may run twice.
                counted[:] = [_answer(connection, player, puzzle, choice, places)]

            try:
                await self._store.write(work)
            except ConflictError:
                if left == 0:
                    raise
                continue
            return counted[0]
        return False

    async def note_sight(self, player: str, puzzle: str, address: str) -> None:
        """Record that this player sees the solution from this address."""
        place = await self._places.on_day(address, datetime.now(UTC).date())
        known = select(puzzle_sights.c.puzzle).where(
            puzzle_sights.c.puzzle == puzzle,
            puzzle_sights.c.place == place.widest,
            puzzle_sights.c.player_id == player,
        )
        if await self._store.read(lambda connection: connection.execute(known).first()) is None:
            row = _sight(player, puzzle, place, moved=False)
            await self._store.write(lambda connection: connection.execute(insert(puzzle_sights), row))


_RATED: Final = columns_of(("puzzle", *Rating._fields), puzzle_ratings)
_ANSWER: Final = columns_of(("puzzle", "choice", "right", "rated", *Rating._fields), puzzle_answers)


def _answers(connection: Connection, player: str) -> list[PuzzleAnswer]:
    rows = connection.execute(
        select(*_ANSWER).where(puzzle_answers.c.player_id == player).order_by(puzzle_answers.c.number)
    )
    return [PuzzleAnswer(row.puzzle, row.choice, row.right, _rating(row), row.rated) for row in rows]


def _sight(player: str, puzzle: str, place: AddressHash, *, moved: bool) -> dict[str, object]:
    seen = time.time()
    return {"puzzle": puzzle, "place": place.widest, "player_id": player, "seen": seen, "moved": moved}


def _was_seen(connection: Connection, player: str, puzzle: str, places: Sequence[AddressHash]) -> bool:
    """Return whether another player has recently seen the solution from one of these addresses."""
    sights = puzzle_sights.c
    statement = select(sights.seen).where(
        sights.puzzle == puzzle,
        sights.place.in_([place.widest for place in places]),
        sights.player_id != player,
        sights.seen > time.time() - REMEMBERED * _DAY,
    )
    return connection.execute(statement.limit(1)).first() is not None


def _may_move(connection: Connection, player: str, rating: Rating, place: AddressHash) -> bool:
    """Return whether an answer may change the puzzle's rating: the player is established, and this address
    hasn't changed many puzzles today."""
    row = connection.execute(
        select(players.c.created, players.c.account).where(players.c.id == player)
    ).first()
    age = ACCOUNT_AGE if row is not None and row.account is not None else GUEST_AGE
    if row is None or rating.deviation > PROVISIONAL or row.created > time.time() - age:
        return False
    moved = (
        select(func.count())
        .select_from(puzzle_sights)
        .where(puzzle_sights.c.place == place.widest, puzzle_sights.c.moved)
    )
    return int(connection.execute(moved).scalar_one()) < MOST_MOVED


def _answer(
    connection: Connection, player: str, puzzle: Puzzle, choice: int, places: Sequence[AddressHash]
) -> bool:
    # Serialize the answers of one player across processes.
    mine_alone = select(players.c.id).where(players.c.id == player).with_for_update(key_share=True)
    connection.execute(mine_alone)
    before = _answers(connection, player)
    if any(answer.puzzle == puzzle.id for answer in before):
        return False
    # Lock the puzzle's rating until this answer is stored.
    held = select(*_RATED).where(puzzle_ratings.c.puzzle == puzzle.id).with_for_update()
    known = connection.execute(held).first()
    rating = puzzle_start(puzzle.difficulty) if known is None else _rating(known)
    right = puzzle.shown[choice] == puzzle.options[0]
    earlier = rating_of(before)
    solver, rated = after_answer(earlier, rating, puzzle.difficulty, right=right)
    counts = not _was_seen(connection, player, puzzle.id, places)
    moves = counts and _may_move(connection, player, earlier, places[0])
    if not counts:
        solver = earlier
    connection.execute(
        insert(puzzle_answers).values(
            player_id=player,
            puzzle=puzzle.id,
            number=len(before),
            choice=choice,
            right=right,
            answered=time.time(),
            rated=counts,
            **_columns(solver),
        )
    )
    mine = (
        puzzle_sights.c.puzzle == puzzle.id,
        puzzle_sights.c.place == places[0].widest,
        puzzle_sights.c.player_id == player,
    )
    connection.execute(delete(puzzle_sights).where(*mine))
    connection.execute(insert(puzzle_sights), _sight(player, puzzle.id, places[0], moved=moves))
    if not moves:
        return True
    if known is None:
        connection.execute(insert(puzzle_ratings).values(puzzle=puzzle.id, **_columns(rated)))
    else:
        changed = update(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle.id)
        connection.execute(changed.values(**_columns(rated)))
    return True


def _rating(row: Any) -> Rating:
    return Rating(row.value, row.deviation, row.volatility)


def _columns(rating: Rating) -> dict[str, float]:
    return dict(rating._asdict())
