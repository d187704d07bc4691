"""A name said while the table waits: the seat takes it."""

from pathlib import Path

from server.playing import running


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
