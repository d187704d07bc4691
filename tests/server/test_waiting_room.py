"""The waiting room: who sits where, which game is played, and who may change that."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from server.running_server import AtTable, running
from server.running_server import Person as Somebody

from canasta.engine.fairness import CUT
from canasta.i18n.catalogue import languages
from canasta.server.settings import Limits
from canasta.table.commands import CommandError, propose, start_entries
from canasta.table.log import Arranged, BotSeated, Committed, Created, decode_entry, encode_entry
from canasta.table.seats import FACES, Person
from canasta.table.table import Table
from canasta.table.wire import Done, Problem, Refused, Welcome
from canasta.table.wire_commands import ArrangeSeats, ChangeGame, TakeSeat

ADA, BEN, EVE = (Person(name.lower(), name) for name in ("Ada", "Ben", "Eve"))
LATE = 10**12
"""The number of a state that no table ever reaches."""


def a_table(rules: str = "caliente", players: int = 4, people: int = 3) -> Table:
    created = Created(
        rules=rules,
        version=1,
        players=players,
        options={},
        public=False,
        level="club",
        clock=0,
        spectators=True,
        seed="00" * 32,
        made=0.0,
    )
    table = Table("abc", created)
    table.apply([person.sits(seat) for seat, person in enumerate((ADA, BEN, EVE)[:people])])
    return table


def names(table: Table) -> list[str]:
    return [chair.name for chair in table.chairs]


def order(table: Table, who: Person, command: Any) -> None:
    entries = propose(table, who, command).entries
    table.apply([decode_entry(encode_entry(entry)) for entry in entries])


def refusal(table: Table, who: Person, command: Any) -> tuple[str, bool]:
    before = table.length
    with pytest.raises(CommandError) as refused:
        propose(table, who, command)
    assert table.length == before
    return refused.value.why.reason, refused.value.stale


def game(rules: str = "bolivia", players: int | None = 4, state: int = LATE, **options: Any) -> ChangeGame:
    return ChangeGame(id="1", state=state, rules=rules, players=players, options=options)


def seats(*order: int, state: int = LATE) -> ArrangeSeats:
    return ArrangeSeats(id="1", state=state, seats=list(order))


def test_the_host_says_who_sits_where() -> None:
    table = a_table()
    table.apply([BotSeated(seat=3, level="expert")])
    order(table, ADA, seats(1, 3, 0, 2))
    assert names(table) == ["Ben", "West", "Ada", "Eve"], "a computer player has the name of its seat"
    assert (table.chairs[1].level, table.host) == ("expert", "ada")
    order(table, ADA, seats(0, 1, 2, 3))
    assert propose(table, ADA, seats(0, 1, 2, 3)).entries == [], "nothing is written where nothing changes"


def test_another_game_keeps_the_people() -> None:
    table = a_table(players=6)
    table.apply([Arranged(seats=[5, 1, 2, 3, 4, 0]), BotSeated(seat=0, level="novice")])
    assert [seat for seat, chair in enumerate(table.chairs) if chair.player] == [1, 2, 5]
    order(table, ADA, game("caliente", 4, hand_size=11))
    assert names(table) == ["South", "Ben", "Eve", "Ada"], "whose seat is gone has a free one"
    assert table.rules.deal.hand_size == 11
    order(table, ADA, game("caliente", 3))
    assert sorted(names(table)) == ["Ada", "Ben", "Eve"], "or that of a computer player"
    assert (table.created.options, table.rules.seats.players) == ({}, 3)
    assert table.side_of == [0, 1, 2]
    order(table, ADA, game("caliente", 6))
    assert [chair.is_free for chair in table.chairs[3:]] == [True] * 3
    assert propose(table, ADA, game("caliente", 6)).entries == []


def test_what_is_refused_in_the_waiting_room() -> None:
    table = a_table()
    for command in (game(), seats(1, 0, 2, 3)):
        assert refusal(table, BEN, command) == ("NOT_HOST", False)
        assert refusal(table, Person("", ""), command) == ("NOT_HOST", False)
    assert refusal(table, ADA, game("two-player", 2)) == ("MANY_PEOPLE", False)
    assert refusal(table, ADA, game("gin")) == ("BAD_RULES", False)
    assert refusal(table, ADA, game("bolivia", 9)) == ("BAD_RULES", False)
    assert refusal(table, ADA, game("bolivia", 4, no_such_option=1)) == ("BAD_RULES", False)
    for wrong in ((), (0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), (-1, 0, 1, 2), (0, 1, 2, 3, 3)):
        assert refusal(table, ADA, seats(*wrong)) == ("BAD_SEATS", False)


def test_what_the_host_did_not_see_is_not_changed() -> None:
    table = a_table(people=2)
    seen = table.state
    table.unlogged += 1  # somebody connects, but nobody changes seats
    assert propose(table, ADA, seats(1, 0, 2, 3, state=seen)).entries
    table.apply([EVE.sits(2)])
    assert refusal(table, ADA, seats(1, 0, 2, 3, state=seen)) == ("STALE", True)
    assert refusal(table, ADA, game(state=seen)) == ("STALE", True)
    assert propose(table, ADA, game(state=table.state)).entries


def test_once_the_cards_are_wanted_nothing_is_changed() -> None:
    table = a_table()
    table.apply(start_entries(table))
    for command in (game(), seats(1, 0, 2, 3)):
        assert refusal(table, ADA, command) == ("DEALING", True)
    table.apply(table.following_entries([], lambda _: False))
    for command in (game(), seats(1, 0, 2, 3)):
        assert refusal(table, ADA, command) == ("STARTED", False)


def test_who_has_cut_plays_that_game() -> None:
    table = a_table("jaques")
    assert table.shuffling.hand == CUT
    table.apply(start_entries(table))
    table.apply(table.following_entries([], lambda _: False))
    assert table.cut is not None
    assert refusal(table, ADA, game()) == ("STARTED", False)


def test_what_was_committed_to_stays_so_whatever_game_is_chosen() -> None:
    """A page remembers the server's commitment for each hand, and whether its own was accepted."""
    table = a_table("caliente")
    first = table.shuffling.server_commitment
    table.apply([Committed(seat=seat, commitment=f"{seat}" * 64) for seat in (0, 1)])
    order(table, ADA, game("caliente-samba", 4))
    assert (table.shuffling.server_commitment, sorted(table.shuffling.commitments)) == (first, [0, 1])
    order(table, ADA, game("jaques", 4))
    cut = table.shuffling.server_commitment
    assert (table.shuffling.hand, table.shuffling.commitments) == (CUT, {})
    table.apply([Committed(seat=2, commitment="2" * 64)])
    order(table, ADA, game("caliente", 4))
    assert (table.shuffling.server_commitment, sorted(table.shuffling.commitments)) == (first, [0, 1])
    order(table, ADA, seats(1, 0, 2, 3))
    assert table.shuffling.commitments == {}, "who has moved commits anew"
    order(table, ADA, game("jaques", 4))
    assert (table.shuffling.server_commitment, list(table.shuffling.commitments)) == (cut, [2])
    order(table, ADA, seats(0, 1, 3, 2))
    table.apply(start_entries(table))
    table.apply(table.following_entries([], lambda _: False))
    assert table.cut is not None
    assert (table.shuffling.hand, table.shuffling.server_commitment) == (1, first)


async def reason(at: AtTable, kind: str, **parts: Any) -> str:
    answer = await at.ask(kind, **parts)
    assert isinstance(answer, Refused), answer
    return answer.why.reason


async def test_everybody_sees_the_other_game(tmp_path: Path) -> None:
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(rules="caliente", players=4)
        one = await stack.enter_async_context(ada.join(table, fair=True))
        two = await stack.enter_async_context(ben.join(table, fair=True))
        assert isinstance(await two.ask("sit", seat=3), Done)
        chosen = {"rules": "two-player", "players": 2, "options": {"target": 500}}
        assert await reason(two, "game", state=two.state.state, **chosen) == "NOT_HOST"
        assert await reason(one, "game", state=0, **chosen) == "STALE"
        await one.until(lambda state: state.seats[3].who == "person")
        assert isinstance(await one.ask("game", state=one.state.state, **chosen), Done)
        for seat in (one, two):
            await seat.until(lambda state: len(state.seats) == 2)
            games = [frame.game for frame in _welcomes(seat)]
            assert [(game.rules, game.players) for game in games] == [("caliente", 4), ("two-player", 2)]
        assert [seat.name for seat in two.state.seats] == ["Ada", "Ben"]
        assert isinstance(await one.ask("arrange", state=one.state.state, seats=[1, 0]), Done)
        assert isinstance(await one.ask("start"), Done)
        for seat in (one, two):
            await seat.until(lambda state: state.hand == 1)
            assert [view.name for view in seat.state.seats] == ["Ben", "Ada"]
        row = (await ada.rest.get(f"/api/tables/{table}")).json()
        assert (row["rules"], row["players"], row["next"]) == ("two-player", 2, "")


def _welcomes(seat: AtTable) -> list[Welcome]:
    from server.running_server import _frames  # noqa: PLC0415 - the decoder of the clients

    return [frame for text in seat.frames if isinstance(frame := _frames.decode(text), Welcome)]


async def test_the_same_orders_without_a_connection(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(rules="caliente", players=4)
        door = f"/api/tables/{table}/orders"

        async def told(person: Any, lang: str = "en", **parts: Any) -> tuple[int, str]:
            answer = await person.rest.post(door, json=parts, headers={"Accept-Language": lang})
            assert answer.status_code == 200 or answer.json()["detail"], answer.text
            return answer.status_code, answer.json().get("reason", "")

        assert await told(ben, t="sit", id="1", seat=2) == (200, "")
        assert await told(ben, t="sit", id="2", seat=0) == (409, "TAKEN")
        state = server.services.registry._open[table].table.state
        assert await told(ben, t="game", id="3", state=state, rules="bolivia") == (409, "NOT_HOST")
        assert await told(ada, t="game", id="4", state=1, rules="bolivia") == (409, "STALE")
        bad = await ada.rest.post(
            door, json={"t": "game", "id": "5", "state": state, "rules": "bolivia", "options": {"no": 1}}
        )
        assert (bad.status_code, bad.json()["extra"]["defects"][0]["option"]) == (400, "no")
        many = {f"no_such_option_{number}": 1 for number in range(190)}
        assert (await told(ada, t="game", id="6", state=state, rules="bolivia", options=many))[0] == 400
        assert await told(await server.guest("Eve"), t="sit", id="x") == (200, "")
        few = {"t": "game", "id": "7", "state": LATE, "rules": "two-player", "players": 2}
        sentences = set()
        for lang in languages():
            answer = await ada.rest.post(door, json=few, headers={"Accept-Language": lang})
            assert (answer.status_code, answer.json()["reason"]) == (409, "MANY_PEOPLE")
            sentences.add(answer.json()["detail"])
        assert len(sentences) == len(languages())
        assert await told(ada, t="game", id="8", state=LATE, rules="caliente", players=6) == (200, "")
        assert await told(ada, t="arrange", id="9", state=LATE, seats=[5, 0, 1, 2, 3, 4]) == (200, "")
        assert await told(ada, t="bot", id="10", seat=0, level="expert") == (200, "")
        assert await told(ada, t="again", id="11") == (409, "NOT_OVER")
        assert await told(ada, t="start", id="12") == (200, "")
        assert await told(ada, t="start", id="12") == (200, ""), "sent again, done once"
        assert await told(ada, t="start", id="13") == (409, "STARTED")
        late = await server.guest("Late")
        assert await told(late, t="sit", id="1") == (409, "STARTED"), "nobody else waits for the deal"
        assert await told(ada, t="move", id="14", state=LATE, move="draw") == (400, "MALFORMED")
        assert await told(ada, t="leave", id="") == (400, "BAD_ID")
        assert (await told(Somebody(server, ""), t="start", id="15"))[0] == 401


async def test_a_table_without_spectators_has_no_back_door(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table(rules="two-player", players=2, spectators=False, start=True)
        answer = await eve.rest.post(f"/api/tables/{table}/orders", json={"t": "sit", "id": "1"})
        assert (answer.status_code, answer.json()["reason"]) == (403, "NO_SPECTATORS")
        # No endpoint that takes the link returns anything but the rules of the game.
        described = (await eve.rest.get("/api/openapi.json")).json()["paths"]
        calls = [(verb, path) for path in described if "{table}" in path for verb in described[path]]
        assert len(calls) >= 8
        bodies: dict[str, Any] = {
            "orders": {"t": "sit", "id": "2"},
            "replay": {"hand": 1, "instead": {"after": 0, "moves": ["draw"]}},
        }
        for verb, path in calls:
            body = bodies.get(path.rpartition("/")[2]) if verb == "post" else None
            answer = await eve.rest.request(verb, path.replace("{table}", table), json=body)
            expected = 200 if path.endswith("/rules") else 403
            assert answer.status_code == expected, (verb, path, answer.text)
            assert "Ada" not in answer.text
        practice = {"review": {"game": table, "hand": 1, "after": 0}}
        assert (await eve.rest.post("/api/practice", json=practice)).status_code == 403
        assert (await ada.rest.get(f"/api/tables/{table}/scores")).status_code == 200


def test_a_portrait_goes_along_to_another_seat_and_name() -> None:
    table = a_table(people=2)
    one, two = FACES[3], FACES[7]
    order(table, EVE, TakeSeat(id="1", seat=2, face=one))
    assert table.chairs[2].face == one
    order(table, EVE, TakeSeat(id="2", seat=3))
    order(table, EVE, TakeSeat(id="3", name="Eva"))
    assert (table.chairs[3].name, table.chairs[3].face, table.chairs[2].face) == ("Eva", one, "")
    order(table, EVE, TakeSeat(id="4", seat=2, face=two))
    assert table.chairs[2].face == two
    order(table, EVE, TakeSeat(id="5", face="no such face"))
    assert table.chairs[2].face == two


async def test_one_address_changes_the_game_a_few_times_at_all_its_tables(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(game_changes_from=(3.0, 0.0))) as server:
        ada, ben = await server.guest("Ada", "203.0.113.7"), await server.guest("Ben", "198.51.100.20")

        async def change(person: Somebody, rules: str) -> int:
            table = await person.open_table()
            live = await server.services.registry.find(table)
            assert live is not None
            order = {"t": "game", "id": "1", "state": live.table.state, "rules": rules}
            status = (await person.rest.post(f"/api/tables/{table}/orders", json=order)).status_code
            assert (live.table.created.rules == rules) == (status == 200)
            return status

        assert [await change(ada, "bolivia") for _ in range(4)] == [200, 200, 200, 429]
        assert await change(ben, "bolivia") == 200
        table = await ada.open_table()
        async with ada.join(table) as seat:
            answer = await seat.ask("game", state=seat.state.state, rules="bolivia")
            assert isinstance(answer, Problem)
            assert answer.code == "too_fast"


async def test_one_address_writes_little_into_the_logs_of_all_its_tables(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(changes_from=(4.0, 0.0))) as server:
        ada, ben = await server.guest("Ada", "203.0.113.7"), await server.guest("Ben", "198.51.100.20")

        async def arrange(person: Somebody) -> bool:
            async with person.join(await person.open_table()) as seat:
                answer = await seat.ask("arrange", state=LATE, seats=[1, 0, 2, 3])
            return isinstance(answer, Done)

        assert [await arrange(ada) for _ in range(5)] == [True] * 4 + [False]
        assert await arrange(ben)
