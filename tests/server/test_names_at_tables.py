"""A name chosen while the table waits is shown at the seat."""

from pathlib import Path

from server.running_server import running

from canasta.table.wire import Refused


async def test_a_player_who_sits_may_say_another_name_until_the_game_begins(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        person = await server.guest("Guest")
        table = await person.open_table(rules="caliente", players=4)
        async with person.join(table) as seat:
            await seat.ask("sit", seat=0, name="Rosa")
            state = await seat.until(lambda state: state.seats[0].name == "Rosa")
            assert state.host
            await seat.ask("start")
            await seat.ask("sit", seat=0, name="Other")
            await seat.until(lambda state: state.status == "playing")
            assert seat.state.seats[0].name == "Rosa"


async def test_nobody_at_a_table_looks_like_somebody_else(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        paul, other = await server.guest("Paul"), await server.guest("Pau1")
        await paul.rest.post("/api/accounts", json={"name": "Ida", "password": "eight letters"})
        table = await paul.open_table(rules="caliente", players=4)
        async with paul.join(table) as first, other.join(table) as second:
            await first.ask("sit", seat=0, name="Paul")
            await second.ask("sit", seat=1)
            state = await second.until(lambda state: state.seats[1].who == "person")
            assert [seat.name for seat in state.seats[:2]] == ["Paul", "Pau1 2"]
            for name, reason in (
                *(("lda", "NAME_OWNED"), ("I.d.a", "NAME_OWNED"), ("Ida \u2713", "NAME_OWNED")),
                *(("\u0399da", "NAME_MIXED"), ("Moderator", "NAME_RESERVED"), ("Server 1", "NAME_RESERVED")),
            ):
                refused = await second.ask("sit", seat=1, name=name)
                assert isinstance(refused, Refused)
                assert refused.why.reason == reason, name
