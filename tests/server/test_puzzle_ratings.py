"""Which answers change the ratings of puzzles, and which answers are rated at all."""

import time
from pathlib import Path
from typing import Any

import pytest
from server.running_server import Person, Running, running
from sqlalchemy import insert, update

from canasta.review.puzzles import Puzzle, shipped_puzzles
from canasta.review.rating import (
    NEW_SOLVER,
    PROVISIONAL,
    PROVISIONAL_RANGE,
    Rating,
    after_answer,
    puzzle_start,
)
from canasta.server.store import puzzles as store_puzzles
from canasta.server.store.puzzles import PuzzleStore
from canasta.server.store.schema import players, puzzle_answers
from canasta.server.store.store import Store, make_store

PUZZLES = shipped_puzzles()
PUZZLE = PUZZLES[0]
LONG_AGO = time.time() - 30 * 86_400


def right_way(puzzle: Puzzle) -> int:
    return puzzle.shown.index(puzzle.options[0])


def wrong_way(puzzle: Puzzle) -> int:
    return (right_way(puzzle) + 1) % len(puzzle.options)


async def answer(person: Person, puzzle: Puzzle, *, right: bool) -> Any:
    way = right_way(puzzle) if right else wrong_way(puzzle)
    answer = await person.rest.post(f"/api/puzzles/{puzzle.id}/answer", json={"way": way})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def shown_rating(server: Running, puzzle: Puzzle) -> int:
    stranger = Person(server, "")
    rating: int = (await stranger.rest.get(f"/api/puzzles/{puzzle.id}")).json()["rating"]
    return rating


async def established(store: Store, player: str, *, account: bool = True, created: float = LONG_AGO) -> None:
    """Store a solver who has been here for a month and has a stable rating."""
    await store.add_player(player, player, player if account else None)
    born = update(players).where(players.c.id == player).values(created=created)
    earlier = {"player_id": player, "puzzle": "earlier", "number": 0, "choice": 0, "right": True}
    rating = Rating(1500.0, PROVISIONAL - 10)._asdict()
    await store.write(lambda connection: connection.execute(born))
    await store.write(
        lambda connection: connection.execute(
            insert(puzzle_answers), {**earlier, **rating, "answered": LONG_AGO, "rated": True}
        )
    )


async def test_new_guests_move_no_puzzle(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        before = await shown_rating(server, PUZZLE)
        for number in range(51):
            guest = await server.guest(f"Somebody {number}", f"198.51.{number % 5}.{number}")
            assert (await answer(guest, PUZZLE, right=False))["rated"]
        assert await shown_rating(server, PUZZLE) == before
        assert await server.services.puzzles.ratings() == {}


async def test_an_answer_read_elsewhere_at_the_same_address_is_not_rated(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        throwaway, ada = [await server.guest(name, "203.0.113.7") for name in ("Somebody", "Ada")]
        await ada.rest.post("/api/accounts", json={"name": "Ada", "password": "correct horse"})
        for number, puzzle in enumerate(PUZZLES[:5], 1):
            await answer(throwaway, puzzle, right=False)
            solved = await answer(ada, puzzle, right=True)
            assert (solved["counted"], solved["rated"], solved["standing"]["rating"]) == (True, False, 1500)
            assert solved["standing"]["right"] == number
        # Puzzles that nobody here has seen are rated, and so are the answers of the next household.
        assert (await answer(ada, PUZZLES[5], right=True))["standing"]["rating"] > 1500
        neighbour = await server.guest("Ben", "203.0.113.8")
        assert (await answer(neighbour, PUZZLE, right=True))["rated"]


async def test_looking_at_a_solution_again_from_elsewhere_is_noted(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        throwaway = await server.guest("Somebody", "198.51.100.1")
        await answer(throwaway, PUZZLE, right=False)
        throwaway.move_to("203.0.113.7")
        for _ in range(2):
            view = (await throwaway.rest.get(f"/api/puzzles/{PUZZLE.id}")).json()
            assert view["solution"]["rated"]
        ada = await server.guest("Ada", "203.0.113.7")
        assert not (await answer(ada, PUZZLE, right=True))["rated"]


async def test_addresses_of_one_ipv6_site_are_one(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        throwaway = await server.guest("Somebody", "2001:db8:1:1::7")
        await answer(throwaway, PUZZLE, right=False)
        ada = await server.guest("Ada", "2001:db8:1:2::7")
        assert not (await answer(ada, PUZZLE, right=True))["rated"]


async def test_established_solvers_move_a_puzzle_once_for_each_address(store: Store) -> None:
    puzzles, start = PuzzleStore(store), puzzle_start(PUZZLE.difficulty)
    for player in ("ada", "ben", "cem"):
        await established(store, player)
    await established(store, "guest", account=False)
    await established(store, "new", created=time.time())
    await established(store, "young guest", account=False, created=time.time() - 2 * 86_400)
    way = wrong_way(PUZZLE)
    for player, address in (("new", "192.0.2.1"), ("young guest", "192.0.2.2")):
        await puzzles.answer(player, PUZZLE, way, address)
    assert await puzzles.ratings() == {}
    ratings = [start]
    for player, number in (("ada", 3), ("ben", 3), ("cem", 4), ("guest", 5)):
        await puzzles.answer(player, PUZZLE, way, f"192.0.2.{number}")
        ratings.append((await puzzles.ratings())[PUZZLE.id])
    _, first = after_answer(Rating(1500.0, PROVISIONAL - 10), start, PUZZLE.difficulty, right=False)
    assert ratings[1] == pytest.approx(first)
    assert ratings[2] == ratings[1], "the same address"
    assert ratings[4].value > ratings[3].value > ratings[2].value


async def test_one_address_moves_few_puzzles_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_puzzles, "MOST_MOVED", 3)
    store = make_store(f"sqlite:///{tmp_path / 'tables.db'}")
    await store.open()
    try:
        puzzles = PuzzleStore(store)
        await established(store, "ada")
        for puzzle in PUZZLES[:6]:
            await puzzles.answer("ada", puzzle, right_way(puzzle), "192.0.2.1")
        assert set(await puzzles.ratings()) == {puzzle.id for puzzle in PUZZLES[:3]}
        assert all(each.rated for each in await puzzles.answers_of("ada")), "the solver is rated as ever"
    finally:
        await store.close()


@pytest.mark.parametrize("right", [True, False])
def test_a_provisional_rating_stays_near_the_beginning(right: bool) -> None:
    solver, hardest = NEW_SOLVER, 4 if right else 1
    provisional = 0
    for _ in range(60):
        solver, _ = after_answer(solver, puzzle_start(hardest), hardest, right=right)
        if solver.deviation > PROVISIONAL:
            provisional += 1
            assert abs(solver.value - NEW_SOLVER.value) <= PROVISIONAL_RANGE
    assert 5 <= provisional < 60
    assert abs(solver.value - NEW_SOLVER.value) > PROVISIONAL_RANGE, "then it follows its player"
