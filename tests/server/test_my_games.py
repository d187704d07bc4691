"""Lists of finished games: their contents, and that only their owners can read them."""

import asyncio
import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.running_server import AtTable, Person, running
from services import PATIENCE

from canasta.server.http.rest import records
from canasta.server.settings import Limits
from canasta.server.store.store import RecordsSize, Store, stored_size
from canasta.table.game_summary import PEOPLE, PlayedGame, played_game
from canasta.table.wire import Done

EVENING = (Path(__file__).resolve().parents[2] / "examples" / "evening.canasta").read_text()


def evening(seat: int = 0) -> PlayedGame:
    games = played_game(EVENING, lambda: False)
    assert games is not None
    return games[seat]


def test_a_game_in_numbers() -> None:
    """The sheet from the README: South and North, with a natural canasta, a mixed one and going out."""
    south, north, west = evening(0), evening(2), evening(1)
    assert (south.scores, south.winner, south.side) == ([1370, 830], 0, 0)
    assert [(hand.points, hand.canastas, hand.out) for hand in south.hands] == [(1370, 2, False)]
    assert [hand.out for hand in north.hands] == [True]
    assert [(hand.points, hand.canastas, hand.out) for hand in west.hands] == [(830, 1, False)]
    assert sum(hand.piles for seat in range(4) for hand in evening(seat).hands) == EVENING.count(": take ")
    assert played_game(EVENING, lambda: True) is None
    assert played_game(EVENING.replace("result: side 0", "result: side 1"), lambda: False) is None


async def test_a_list_is_its_owners(store: Store) -> None:
    for player in ("ada", "ben"):
        await store.add_player(player, player.capitalize())
    game = evening()
    game.people = ["ada", "", "ben", ""]
    game.names = ["Ada", "West", "Ben", "East"]
    await store.keep_games("table1", {"ada": game, "ben": game, "gone": game})
    await store.keep_games("table1", {"ada": evening(1), "ben": game})
    assert await store.keep_record("ada", "my.1", evening(), b"text", RecordsSize(1, 10_000))
    assert [kept.id for kept in await store.games_of("ada")] == ["my.1", "table1"]
    assert [(kept.id, kept.is_record) for kept in await store.games_of("ben")] == [("table1", False)]
    assert (await store.games_of("ada"))[1].game == game, "a game is kept once"
    size = RecordsSize(1, stored_size(evening(), b"text"))
    assert (await store.records_of("ada"), await store.records_of("ben")) == (size, (0, 0))
    for most in (RecordsSize(1, 10_000), RecordsSize(2, 2 * size.size - 1)):
        assert not await store.keep_record("ada", "my.2", evening(), b"text", most)
    assert (await store.kept_record("ada", "my.1"), await store.kept_record("ben", "my.1")) == (b"text", None)
    assert not await store.drop_game("ben", "my.1")
    assert not await store.drop_game("ben", "\0")
    assert await store.drop_game("ada", "table1")
    assert [kept.id for kept in await store.games_of("ada")] == ["my.1"]
    await store.forget_in_games("ada", "table1")
    (left,) = await store.games_of("ben")
    assert (left.game.names, left.game.people) == (["South", "West", "Ben", "East"], ["", "", "ben", ""])
    await store.drop_player("ben")
    assert await store.games_of("ben") == []


async def listed(person: Person) -> dict[str, Any]:
    answer = await person.rest.get("/api/me/games")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def play_to_the_end(ada: Person, ben: Person) -> str:
    table = await ada.open_table(rules="two-player", options={"target": 100})
    async with ada.join(table) as one, ben.join(table) as two:
        assert isinstance(await two.ask("sit"), Done)
        await one.ask("start")
        await asyncio.gather(_play(one), _play(two))
    async with asyncio.timeout(PATIENCE):
        while not (await listed(ada))["finished"]:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)
    return table


async def _play(seat: AtTable) -> None:
    while (await seat.play_hand()).status != "over":
        await seat.ask("next")
        await seat.until(lambda state: state.phase != "over")


async def test_finished_games_open_tables_and_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        assert (await Person(server, "").rest.get("/api/me/games")).status_code == 401
        await ada.rest.post("/api/accounts", json={"name": "Ada", "password": "correct horse"})
        table = await play_to_the_end(ada, ben)
        waiting = await ada.open_table(rules="caliente")
        mine = await listed(ada)
        assert [row["id"] for row in mine["open"]] == [waiting]
        (game,) = mine["finished"]
        assert (game["id"], game["level"], game["kept"]) == (table, PEOPLE, False)
        assert sorted(game["names"]) == ["Ada", "Ben"]
        assert sum(hand["points"] for hand in game["hands"]) == game["scores"][game["side"]]
        (theirs,) = (await listed(ben))["finished"]
        assert theirs["side"] != game["side"]
        exported = (await ada.rest.get("/api/me/export")).json()["games"]
        assert [(row["id"], row["scores"]) for row in exported] == [(table, game["scores"])]
        phone = Person(server, "")
        await phone.rest.post("/api/login", json={"name": "Ada", "password": "correct horse"})
        assert (await listed(phone))["finished"] == mine["finished"], "an account has it on every device"

        kept = await ada.rest.post("/api/me/games", json={"text": EVENING})
        assert kept.status_code == 201
        own = kept.json()["id"]
        assert (kept.json()["seat"], kept.json()["hands"]) == (-1, [])
        assert (await ada.rest.get(f"/api/me/games/{own}/record")).text == EVENING
        assert (await ada.rest.get(f"/api/me/games/{own}/replay")).json()["lengths"] == [104]
        for address in (f"/api/me/games/{own}/record", f"/api/me/games/{own}/replay"):
            assert (await ben.rest.get(address)).status_code == 404
        assert (await ben.rest.delete(f"/api/me/games/{own}")).status_code == 404
        broken = await ada.rest.post("/api/me/games", json={"text": EVENING.replace("draw", "pass", 1)})
        assert (broken.status_code, broken.json()["reason"]) == (400, "RECORD_NOT_KEPT")

        assert (await ben.rest.delete(f"/api/me/games/{table}")).status_code == 204
        assert (await listed(ben))["finished"] == []
        assert len((await listed(ada))["finished"]) == 2, "only the own list is shorter"
        monkeypatch.setattr(records, "MOST_KEPT", 1)
        full = await ada.rest.post("/api/me/games", json={"text": EVENING})
        assert (full.status_code, full.json()["reason"]) == (409, "MANY_RECORDS")


async def test_who_deletes_an_account_is_in_nobodys_list(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        await play_to_the_end(ada, ben)
        assert (await ben.rest.post("/api/me/delete", json={})).status_code == 204
        await server.services.deletions.finished()
        (game,) = (await listed(ada))["finished"]
        assert "Ben" not in game["names"]


def with_junk(seed: int) -> str:
    """Return the record with 30 kB of comments that hardly compress."""
    draw = random.Random(seed)
    lines = ["# " + "".join(chr(draw.randrange(0x20000, 0x2A6D0)) for _ in range(750)) for _ in range(10)]
    return EVENING.replace("\nhand 1\n", "\n" + "\n".join(lines) + "\nhand 1\n")


async def test_imported_records_are_bounded_in_bytes(tmp_path: Path) -> None:
    limits = replace(Limits.loose(), records=150_000, records_of_guest=80_000, records_from=(400_000.0, 0.0))
    async with running(tmp_path, limits=limits) as server:
        numbers = itertools.count()

        async def keep(person: Person) -> tuple[int, str]:
            answer = await person.rest.post("/api/me/games", json={"text": with_junk(next(numbers))})
            return answer.status_code, answer.json().get("reason", "")

        async def kept_bytes(person: Person) -> int:
            games = (await listed(person))["finished"]
            texts = [await person.rest.get(f"/api/me/games/{game['id']}/record") for game in games]
            return sum(len(text.content) for text in texts)

        async def fill(person: Person) -> tuple[int, str]:
            answers = [await keep(person) for _ in range(8)]
            assert (201, "") in answers
            return answers[-1]

        ada, ben = await server.guest("Ada", "198.51.100.1"), await server.guest("Ben", "198.51.100.1")
        await ada.rest.post("/api/accounts", json={"name": "Ada", "password": "correct horse"})
        assert await fill(ada) == await fill(ben) == (409, "RECORDS_FULL")
        assert 2 * await kept_bytes(ben) <= await kept_bytes(ada), "a guest can keep less"
        games = (await listed(ben))["finished"]
        await ben.rest.delete(f"/api/me/games/{games[0]['id']}")
        assert (await keep(ben))[0] == 201

        # New guests from the same address get only what is left of its share of the day.
        others = [await server.guest(f"Eve {number}", "198.51.100.1") for number in range(8)]
        refusals = {(await keep(other)) for other in others for _ in range(2)}
        assert (429, "MANY_RECORDS_FROM") in refusals
        assert (await keep(await server.guest("Fay", "198.51.100.1"))) == (429, "MANY_RECORDS_FROM")
        assert (await keep(await server.guest("Gil", "198.51.100.2")))[0] == 201

        wide = await ada.rest.post("/api/me/games", json={"text": EVENING + "# " + "\u4e00" * 70_000})
        assert (wide.status_code, wide.json()["reason"]) == (413, "TOO_LARGE"), "bytes count, not characters"
