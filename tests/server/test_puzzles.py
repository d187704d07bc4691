"""Puzzles over REST: what is shown before an answer, which answers count, and who can see them."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from server.running_server import Person, running
from sqlalchemy import select

from canasta.review.evaluation import KINDS
from canasta.review.puzzle_progress import STATES
from canasta.review.puzzles import Puzzle, shipped_puzzles
from canasta.review.rating import NEW_SOLVER, after_answer, puzzle_start
from canasta.server.http.rest import puzzles as rest
from canasta.server.store.puzzles import PuzzleStore
from canasta.server.store.schema import puzzle_answers
from canasta.server.store.store import make_store

PUZZLES = shipped_puzzles()
GAMES = sorted({puzzle.rules for puzzle in PUZZLES})


def test_the_calls_name_every_theme_and_state() -> None:
    assert (get_args(rest.Theme), get_args(rest.State)) == (KINDS, STATES)


def right_way(puzzle: Puzzle) -> int:
    return puzzle.shown.index(puzzle.options[0])


def wrong_way(puzzle: Puzzle) -> int:
    return (right_way(puzzle) + 1) % len(puzzle.options)


def exchanged(puzzle: Puzzle) -> Puzzle | None:
    """Return the puzzle with other hidden cards, or None if there are not enough of them.

    Another player's hand is exchanged with cards of the stock.
    """
    seat = puzzle.match().hand.turn
    hands = re.search(r"hands: \{([^}]*)\}", puzzle.position)
    stock = re.search(r"stock_is: ([^,}]*)", puzzle.position)
    assert hands is not None
    assert stock is not None
    held = dict(part.split(": ") for part in hands[1].split(", "))
    other = next(name for name, cards in held.items() if name != str(seat) and cards.split())
    there, mine = stock[1].split(), held[other].split()
    # The first cards of the stock have already been drawn by then.
    plain = [place for place, card in enumerate(there) if place > 3 and not card.startswith("3")]
    if len(plain) < len(mine) or any(card.startswith("3") for card in mine):
        return None
    for place, at in enumerate(plain[-len(mine) :]):
        mine[place], there[at] = there[at], mine[place]
    held[other] = " ".join(mine)
    position = puzzle.position.replace(hands[1], ", ".join(f"{name}: {held[name]}" for name in held))
    position = position.replace(stock[1], " ".join(there))
    return Puzzle(position, puzzle.theme, puzzle.difficulty, puzzle.worlds, puzzle.options)


def told(puzzle: Puzzle) -> Any:
    """Return all that is shown before an answer, with the options sorted: their order depends on the id."""
    view = msgspec.to_builtins(rest.shown(puzzle, "en", puzzle_start(puzzle.difficulty)))
    view["ways"].sort(key=str)
    return view | {"id": ""}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_is_the_same_whatever_lies_hidden(game: str) -> None:
    tried = 0
    for puzzle in [each for each in PUZZLES if each.rules == game][:12]:
        other = exchanged(puzzle)
        if other is not None and other.position != puzzle.position:
            assert told(other) == told(puzzle)
            tried += 1
    assert tried


def test_ways_are_named_and_their_cards_drawn_as_the_player_holds_them() -> None:
    for puzzle in PUZZLES[::9]:
        view = rest.shown(puzzle, "en", puzzle_start(1))
        assert view.state.you is not None
        assert len({way.text for way in view.ways}) == len(puzzle.options)
        on_pile = view.state.pile.cards if view.state.pile else []
        mine = Counter(view.state.you.cards) + Counter(on_pile)
        for way in view.ways:
            assert not Counter(card for group in way.cards for card in group) - mine
        assert [seat.shows for seat in view.state.seats] == [[]] * len(view.state.seats)


async def test_a_puzzle_is_chosen_shown_answered_and_told(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, stranger = await server.guest("Ada"), Person(server, "")
        every = (await stranger.rest.get("/api/puzzles")).json()
        assert len(every["puzzles"]) == len(PUZZLES)
        assert {row["mine"] for row in every["puzzles"]} == {"new"}
        assert every["standing"]["rating"] == 1500
        asked: dict[str, str | int] = {"rules": "two-player", "theme": "discards", "difficulty": 1}
        some = (await ada.rest.get("/api/puzzles", params=asked)).json()["puzzles"]
        assert some
        assert all((row["rules"], row["theme"], row["difficulty"]) == tuple(asked.values()) for row in some)
        family = (await ada.rest.get("/api/puzzles", params={"rules": "Samba"})).json()["puzzles"]
        assert {row["rules"] for row in family} >= {"samba-common"}
        for wrong in ({"rules": "chess"}, {"theme": "chess"}, {"difficulty": 9}, {"mine": "solved"}):
            assert (await ada.rest.get("/api/puzzles", params=wrong)).status_code in (400, 404)

        name = (await ada.rest.get("/api/puzzles/next", params=asked)).json()["id"]
        puzzle = next(each for each in PUZZLES if each.id == name)
        address = f"/api/puzzles/{name}"
        before = (await ada.rest.get(address)).json()
        assert before["solution"] is None
        assert (await stranger.rest.post(f"{address}/answer", json={"way": 0})).status_code == 401
        assert (await ada.rest.post(f"{address}/answer", json={"way": 7})).status_code == 400
        assert (await ada.rest.get("/api/puzzles/nothing")).status_code == 404
        answer = {"way": wrong_way(puzzle)}
        solved = (await ada.rest.post(f"{address}/answer", params={"lang": "de"}, json=answer)).json()
        assert (solved["chosen"], solved["best"], solved["counted"]) == (
            answer["way"],
            right_way(puzzle),
            True,
        )
        assert [number["behind"] for number in solved["numbers"]] == [way.behind for way in puzzle.shown]
        assert solved["reason"].startswith("Am besten")
        assert solved["mistake"].startswith("Du ")
        expected, _ = after_answer(
            NEW_SOLVER, puzzle_start(puzzle.difficulty), puzzle.difficulty, right=False
        )
        assert solved["standing"]["rating"] == round(expected.value)

        again = (await ada.rest.post(f"{address}/answer", json={"way": right_way(puzzle)})).json()
        assert (again["chosen"], again["counted"]) == (answer["way"], False)
        assert again["standing"] == solved["standing"]
        assert (await ada.rest.get(address)).json()["solution"]["chosen"] == answer["way"]
        assert (await stranger.rest.get(address)).json()["solution"] is None
        missed = (await ada.rest.get("/api/puzzles", params={"mine": "wrong"})).json()["puzzles"]
        assert [row["id"] for row in missed] == [name]
        left = {"rules": puzzle.rules, "mine": "wrong", "besides": name}
        assert (await ada.rest.get("/api/puzzles/next", params=left)).status_code == 404

        kept = (await ada.rest.get("/api/me/export")).json()["puzzles"]
        assert [(row["puzzle"], row["way"], row["right"]) for row in kept] == [(name, answer["way"], False)]
        assert (await ada.rest.post("/api/me/delete", json={})).status_code == 204
        await server.services.deletions.finished()
        left_over = await server.services.store.read(
            lambda connection: connection.execute(select(puzzle_answers)).all()
        )
        assert left_over == [], "the answers go with their owner"


async def test_of_answers_at_once_one_is_the_first(database_url: str) -> None:
    """Two processes on one database: the same puzzle in two tabs, and many puzzles at the same moment."""
    stores = [make_store(database_url), make_store(database_url)]
    for store in stores:
        await store.open()
    try:
        await stores[0].add_player("ada", "Ada")
        doors = [PuzzleStore(store) for store in stores]
        puzzle = PUZZLES[0]
        ways = [right_way(puzzle), wrong_way(puzzle)] * 4
        counted = await asyncio.gather(
            *(doors[number % 2].answer("ada", puzzle, way, "192.0.2.1") for number, way in enumerate(ways))
        )
        assert sum(counted) == 1
        (first,) = await doors[0].answers_of("ada")
        assert first.choice == ways[counted.index(True)]
        assert first.right == (first.choice == right_way(puzzle))

        others = PUZZLES[1:13]
        both = [door.answer("ada", each, right_way(each), "192.0.2.1") for each in others for door in doors]
        assert sum(await asyncio.gather(*both)) == len(others)
        answers = await doors[1].answers_of("ada")
        assert {answer.puzzle for answer in answers[1:]} == {each.id for each in others}
        rating = answers[0].rating
        for answer in answers[1:]:
            each = next(one for one in others if one.id == answer.puzzle)
            rating, _ = after_answer(rating, puzzle_start(each.difficulty), each.difficulty, right=True)
            assert answer.rating.value == pytest.approx(rating.value), "each is rated after the one before"
        assert await doors[0].ratings() == {}, "a newcomer moves no puzzle"
    finally:
        for store in stores:
            await store.close()


async def test_who_is_gone_at_the_moment_of_an_answer_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as server:
        ada, puzzles = await server.guest("Ada"), server.services.puzzles
        answer = puzzles.answer

        async def too_late(player: str, puzzle: Puzzle, choice: int, address: str) -> bool:
            await server.services.store.drop_player(player)
            return await answer(player, puzzle, choice, address)

        monkeypatch.setattr(puzzles, "answer", too_late)
        told = await ada.rest.post(f"/api/puzzles/{PUZZLES[0].id}/answer", json={"way": 0})
        assert (told.status_code, told.json()["reason"]) == (401, "UNKNOWN_PERSON")
