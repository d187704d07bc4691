"""Practice tables: prepared cards, one person, unlisted, and no claim of fair cards."""

import asyncio
import time
from pathlib import Path

import pytest
from server.running_server import running
from services import wait_until

from canasta.errors import InputError
from canasta.lessons import lessons, practice_of
from canasta.server.settings import Limits
from canasta.server.store.store import Store, make_store
from canasta.server.tables import registry
from canasta.table.commands import CommandError, propose
from canasta.table.frames import Frames
from canasta.table.log import Laid, LogError, decode_entry, encode_entry
from canasta.table.next_action import Turn, next_action
from canasta.table.practice import GoalAttempt, Practice, goal_is_reached, practice_view
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire import Done
from canasta.table.wire_commands import LeaveSeat, MakeMove, NextHand, PlayAgain, TakeSeat

FIRST = {"lesson": "aim", "step": 2}
KINGS = "{rules: original, players: 4, turn: 2, hands: {2: K K K K K K K 9 4}, melds: {0: [Q Q Q]}, pile: 7}"
ADA, BEN = Person("ada", "Ada"), Person("ben", "Ben")


def laid_out(practice: Practice) -> Table:
    entries = [decode_entry(encode_entry(entry)) for entry in practice.entries("ada", made=1.0)]
    table = Table.opened("p" * 14, entries[0])
    table.apply(entries[1:])
    return table


def moved(table: Table, *moves: str) -> None:
    for number, move in enumerate(moves):
        command = MakeMove(id=str(number), state=table.state, move=move)
        table.apply(propose(table, ADA, command).entries)


def test_the_person_sits_where_the_position_has_somebody_to_move() -> None:
    table = laid_out(Practice("lesson:x:1", KINGS))
    assert [bool(chair.player) for chair in table.chairs] == [False, False, True, False]
    assert all(chair.level == "novice" and chair.name for chair in table.chairs if not chair.player)
    state = Frames(table, [], present={2}).state_for("ada")
    assert state.you is not None
    assert len(state.you.cards) == 9
    assert state.you.turn
    assert state.fair is None, "nobody claims that these cards were dealt"
    assert state.practice is not None
    assert (state.practice.thing, state.practice.goals) == ("lesson:x:1", [])


def test_goals_are_reached_lost_and_taken_back() -> None:
    table = laid_out(Practice("lesson:x:1", KINGS, goals=["canasta natural", "discard"], avoid=["discard 9"]))

    def now() -> tuple[list[bool], bool, bool]:
        view = Frames(table, [], present={2}).state_for("ada").practice
        assert view is not None
        return [goal.reached for goal in view.goals], view.done, view.lost

    assert now() == ([False, False], False, False)
    moved(table, "draw", "meld K K K K K K K")
    assert now() == ([True, False], False, False)
    moved(table, "discard 9")
    assert now() == ([True, True], False, True), "that card was to be kept"
    match = table.match
    assert match is not None
    for wrong in ("fly", "meld", ""):
        with pytest.raises(InputError):
            goal_is_reached(wrong, GoalAttempt(match, 2, []))


def test_turns_for_a_goal_run_out() -> None:
    table = laid_out(Practice("lesson:x:1", KINGS, goals=["canasta"], turns=1))
    moved(table, "draw", "discard 9")
    view = Frames(table, [], present={2}).state_for("ada").practice
    assert view is not None
    assert (view.done, view.lost) == (False, True)
    assert next_action(table, {2}) is None, "nobody plays on"
    whole = laid_out(Practice("lesson:x:1", KINGS, goals=["canasta"]))
    moved(whole, "draw", "discard 9")
    assert next_action(whole, {2}) == Turn(3, "novice")
    match = table.match
    assert match is not None
    assert not practice_view("x", [], [], 1, GoalAttempt(match, 2, [])).lost, "nothing to do is not lost"


def test_practice_ends_with_the_hand_and_has_no_next_game() -> None:
    out = "{rules: original, players: 4, turn: 0, hands: {0: 9}, melds: {0: [K K K K K K K, 9 9 9]}, pile: 7}"
    table = laid_out(Practice("lesson:x:1", out, goals=["out"]))
    moved(table, "draw")
    assert table.match is not None
    hand = [str(move) for move in table.match.hand.legal_moves()]
    add = next(move for move in hand if move.startswith("add 9"))
    moved(table, add)
    if not table.match.hand.over:
        moved(table, next(str(m) for m in table.match.hand.legal_moves() if str(m).startswith("discard")))
    assert table.status == "over"
    state = Frames(table, [], present={0}).state_for("ada")
    assert state.practice is not None
    assert (state.status, state.again, state.evening, state.practice.done) == ("over", None, [], True)
    for command, why in ((PlayAgain(id="1", now=True), "LAID_OUT"), (NextHand(id="2"), "GAME_OVER")):
        with pytest.raises(CommandError) as refused:
            propose(table, ADA, command)
        assert refused.value.why.reason == why
    assert [type(entry).__name__ for entry in propose(table, ADA, LeaveSeat(id="3")).entries] == ["WentAway"]


def test_nobody_else_sits_down_or_looks() -> None:
    table = laid_out(Practice("lesson:x:1", KINGS))
    assert [table.may_watch(player) for player in ("ada", "ben", "")] == [True, False, False]
    for seat in (None, 0, 2):
        with pytest.raises(CommandError):
            propose(table, BEN, TakeSeat(id="1", seat=seat))


def test_cards_are_laid_out_at_tables_for_it_alone() -> None:
    first, *rest = Practice("lesson:x:1", KINGS).entries("ada", made=1.0)
    other = Practice("lesson:x:1", KINGS.replace("original", "caliente")).entries("ada", made=1.0)[-1]
    for created, laid in ((first, other), (first, rest[-1])):
        table = Table.opened("p" * 14, created)
        assert isinstance(laid, Laid)
        if laid is other:
            with pytest.raises(LogError):
                table.apply([laid])
        else:
            table.apply([laid])
            with pytest.raises(LogError):
                table.apply([laid])


async def test_a_lesson_is_played_over_the_network(tmp_path: Path) -> None:
    async with running(tmp_path, idle_after=0.01) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        rows = (await ada.rest.get("/api/lessons")).json()
        assert [row["id"] for row in rows] == list(lessons())
        opened = await ada.rest.post("/api/practice", json=FIRST)
        assert opened.status_code == 201
        name = opened.json()["id"]
        async with ada.join(name) as seat:
            assert seat.state.practice is not None
            assert seat.state.practice.thing == "lesson:aim:2"
            assert isinstance(await seat.move("draw"), Done)
            assert seat.state.practice.done
            assert isinstance(await seat.move("discard 4"), Done)
            table = server.services.registry._open[name].table
            assert next_action(table, ()) is None, "the one turn is over, and nobody plays its cards away"
            assert {"Ada", "Ben"}.isdisjoint(table.names)
        # Once nobody is watching, the table is unloaded; later it is rebuilt from its log.
        await wait_until(lambda: name not in server.services.registry._open)
        async with ada.join(name) as seat:
            assert seat.state.practice is not None
            assert seat.state.practice.done
        assert (await ben.rest.get("/api/tables")).json() == []
        assert (await ada.rest.get("/api/me/games")).json() == {"open": [], "finished": []}
        assert (await ada.rest.get("/api/me/export")).json()["tables"] == []
        for path in ("record", "replay"):
            answer = await ada.rest.get(f"/api/tables/{name}/{path}")
            assert (answer.status_code, answer.json()["reason"]) == (404, "NO_RECORD_OF_PRACTICE")
        sits = await ben.rest.post(f"/api/tables/{name}/orders", json={"t": "sit", "id": "1"})
        assert (sits.status_code, sits.json()["reason"]) == (403, "NO_SPECTATORS")


async def test_only_what_the_program_has_can_be_practised(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(practice=(20.0, 0.0))) as server:
        ada = await server.guest("Ada")
        for wrong in ({"lesson": "nope"}, {"lesson": "aim", "step": 99}, {}, {"lesson": ""}):
            answer = await ada.rest.post("/api/practice", json=wrong)
            assert (answer.status_code, answer.json()["reason"]) == (404, "NO_SUCH_LESSON")
        free: dict[str, object] = {"lesson": "aim", "position": KINGS}
        for bad in ({"lesson": "a" * 100_000}, {"lesson": "aim", "step": -1}, free, {"lesson": 3}):
            answer = await ada.rest.post("/api/practice", json=bad)
            assert answer.status_code in (400, 413)
        told = [(await ada.rest.post("/api/practice", json=FIRST)).status_code for _ in range(30)]
        assert set(told) == {201, 429}
        assert told.count(201) <= 20


async def test_practice_is_forgotten_and_nothing_else(store: Store) -> None:
    await store.create_table("a", public=True, payload=b"0")
    await store.create_practice_table("p", [b"0", b"1"])
    await store.forget_practice(time.time() - 60)
    assert len(await store.entries("p")) == 2
    await store.forget_practice(time.time() + 60)
    assert await store.entries("p") == []
    assert await store.table("p") is None
    assert len(await store.entries("a")) == 1


async def test_the_house_forgets_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_FORGET_EVERY", 0.0)
    async with running(tmp_path, idle_after=0.01) as server:
        ada = await server.guest("Ada")
        name = (await ada.rest.post("/api/practice", json=FIRST)).json()["id"]
        monkeypatch.setattr(registry, "_PRACTICE_KEPT", -60.0)
        await wait_until(lambda: name not in server.services.registry._open)
        while await server.services.store.table(name) is not None:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        assert (await ada.rest.get(f"/api/tables/{name}")).status_code == 404


async def test_progress_is_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        for _ in range(2):
            assert (await ada.rest.put("/api/progress", json={"thing": "lesson:aim"})).status_code == 204
        assert list((await ada.rest.get("/api/progress")).json()["done"]) == ["lesson:aim"]
        assert (await ben.rest.get("/api/progress")).json() == {"done": {}}
        assert list((await ada.rest.get("/api/me/export")).json()["done"]) == ["lesson:aim"]
        for wrong in ("", "lesson", "lesson:" + "a" * 50, "Lesson:aim", "lesson:aim\n", "lesson:ä"):
            assert (await ada.rest.put("/api/progress", json={"thing": wrong})).status_code == 400


async def test_an_address_notes_only_so_much_progress(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(changes_from=(3.0, 0.0))) as server:
        people = [await server.guest(f"Eve {number}", "198.51.100.1") for number in range(2)]
        answers = [
            await person.rest.put("/api/progress", json={"thing": f"lesson:step-{number}"})
            for person in people
            for number in range(2)
        ]
        assert [answer.status_code for answer in answers] == [204, 204, 204, 429]
        ada = await server.guest("Ada", "203.0.113.1")
        assert (await ada.rest.put("/api/progress", json={"thing": "lesson:frozen"})).status_code == 204


async def test_several_processes_note_the_same_at_once(database_url: str) -> None:
    stores = [make_store(database_url), make_store(database_url)]
    for store in stores:
        await store.open()
    try:
        await stores[0].add_player("ada", "Ada")
        things = [f"lesson:{number}" for number in range(10)]
        await asyncio.gather(*(store.note_done("ada", thing) for thing in things for store in stores))
        assert sorted(await stores[1].things_done("ada")) == things
    finally:
        for store in stores:
            await store.close()


def test_each_step_has_a_table() -> None:
    for lesson in lessons().values():
        for number in range(1, len(lesson.step) + 1):
            assert laid_out(practice_of(lesson.id, number)).match is not None


async def test_a_tip_can_be_tried_and_shows_no_card_that_is_not_ones_own(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        rows = (await ada.rest.get("/api/advice")).json()
        trials = {row["id"]: row["trial"] for row in rows if row["trial"] is not None}
        assert len(trials) >= 10
        assert sorted(trials["freeze"]["hand"]) == sorted("Ks Kh Qc Qd Ts 9h 9c 8d 7s 2h 2c".split())
        assert "" in trials["samba"]["pile"]["cards"], "that pile is squared off"
        opened = await ada.rest.post("/api/practice", json={"advice": "freeze"})
        assert opened.status_code == 201
        for wrong in ("no-such-tip", "share"):
            refused = await ada.rest.post("/api/practice", json={"advice": wrong})
            assert refused.status_code == 404
            assert "Choose one under Advice." in refused.json()["detail"]
