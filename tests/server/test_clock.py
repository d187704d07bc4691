"""Sessions last longer with every use, and no wrong clock ends or keeps them; whose file it all is in."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic import command
from alembic.config import Config
from server.playing import running
from server.test_store_schema import runner_for
from sqlalchemy import Connection, text

from canasta.server.people.sessions import LIFETIME
from canasta.server.store.store import DatabaseStore, make_store

DAY = 24 * 3600.0


class Clocks:
    """The clocks of a machine: `pass_on` is real time, `set_to` is what is done to the system's clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.steady = 1_800_000_000.0, 1_000.0
        both = SimpleNamespace(time=lambda: self.wall, monotonic=lambda: self.steady)
        for module in ("store.clock", "store.people", "people.sessions"):
            monkeypatch.setattr(f"canasta.server.{module}.time", both)

    def pass_on(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def set_to(self, wall: float) -> None:
        self.wall = wall

    def start_again(self) -> None:
        """A steady clock begins anew with the machine."""
        self.steady = 5.0


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


async def opened(url: str) -> DatabaseStore:
    store = make_store(url)
    await store.open()
    return store


@pytest.mark.parametrize("leap", [-20 * 365 * DAY, -400 * DAY, 400 * DAY, 70 * 365 * DAY])
async def test_a_leap_of_the_clock_ends_no_session_and_keeps_none(
    clocks: Clocks, database_url: str, leap: float
) -> None:
    store = await opened(database_url)
    await store.add_player("p", "Ada")
    await store.add_session("one", "p", LIFETIME)
    # While it runs,
    clocks.set_to(clocks.wall + leap)
    assert await store.session("one") is not None
    # and between two runs; then the clock is put right again.
    await store.close()
    clocks.start_again()
    store = await opened(database_url)
    assert await store.session("one") is not None
    await store.close()
    clocks.set_to(clocks.wall - leap)
    clocks.start_again()
    store = await opened(database_url)
    assert await store.session("one") is not None
    clocks.pass_on(LIFETIME + DAY)
    assert await store.session("one") is None
    await store.close()


async def test_a_machine_whose_clock_begins_in_1970_each_time_lets_sessions_end(
    clocks: Clocks, database_url: str
) -> None:
    store = await opened(database_url)
    await store.add_player("p", "Ada")
    await store.add_session("one", "p", LIFETIME)
    days = 0
    while await store.session("one") is not None:
        await store.close()
        clocks.set_to(0.0)
        clocks.start_again()
        store = await opened(database_url)
        clocks.pass_on(20 * DAY)
        days += 20
        assert days <= 200
    assert days >= 180
    await store.close()


async def test_days_without_the_server_count_as_far_as_they_are_believable(
    clocks: Clocks, database_url: str
) -> None:
    store = await opened(database_url)
    before = store.now
    for away, counted in ((10, 10), (300, 30), (-5, 0)):
        await store.close()
        clocks.set_to(clocks.wall + away * DAY)
        clocks.start_again()
        store = await opened(database_url)
        assert store.now == pytest.approx(before + counted * DAY)
        before = store.now
    await store.close()


async def test_use_makes_a_session_last_and_the_cookie_with_it(clocks: Clocks, tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        for _ in range(5):
            clocks.pass_on(LIFETIME / 2)
            answer = await ada.rest.get("/api/me")
            assert answer.status_code == 200
            assert f"Max-Age={LIFETIME}" in answer.headers["set-cookie"]
        rows = (await ada.rest.get("/api/me/sessions")).json()
        assert rows[0]["begun"] == pytest.approx(2.5 * LIFETIME, rel=0.01)
        assert rows[0]["used"] < 3600
        assert (await ben.rest.get("/api/me")).status_code == 401


def an_older_database(connection: Connection) -> None:
    """Before there was a clock of the house's own, with a session of last week."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "canasta.server.store:migrations")
    command.upgrade(config, "0002")
    connection.execute(text("INSERT INTO players (id, name, created) VALUES ('p', 'Ada', 0)"))
    began = 1_800_000_000.0 - 7 * DAY
    connection.execute(
        text(
            "INSERT INTO sessions (token_hash, player_id, created, expires) VALUES ('one', 'p', :from, :to)"
        ),
        {"from": began, "to": began + LIFETIME},
    )


@pytest.mark.parametrize("leap", [0.0, -20 * 365 * DAY, 70 * 365 * DAY])
async def test_sessions_of_an_older_version_last(clocks: Clocks, database_url: str, leap: float) -> None:
    """Also where the clock is wrong on the very day of the change."""
    runner = runner_for(database_url)
    await runner.write(an_older_database)
    await runner.close()
    clocks.set_to(clocks.wall + leap)
    store = await opened(database_url)
    found = await store.session("one")
    assert found is not None
    assert (found[0].name, found[1].used, found[1].device) == ("Ada", 0.0, "")
    clocks.pass_on(LIFETIME)
    assert await store.session("one") is None
    await store.close()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
async def test_the_database_is_for_its_owner_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = make_store(f"sqlite:///{tmp_path / 'new' / 'canasta.db'}")
        (tmp_path / "new").mkdir()
        (tmp_path / "new").chmod(0o755)
        await store.open()
        await store.add_player("p", "Ada")
        files = sorted((tmp_path / "new").iterdir())
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
        await store.close()
    finally:
        os.umask(before)
    assert modes == {"canasta.db": 0o600, "canasta.db-shm": 0o600, "canasta.db-wal": 0o600}


async def test_an_older_database_is_closed_to_everybody_else(tmp_path: Path) -> None:
    file = tmp_path / "canasta.db"
    store = make_store(f"sqlite:///{file}")
    await store.open()
    await store.close()
    file.chmod(0o664)
    store = make_store(f"sqlite:///{file}")
    await store.open()
    await store.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o660
