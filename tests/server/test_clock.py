"""Sessions are extended by use, and a wrong clock neither ends nor prolongs them; file ownership."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from server.running_server import running

from canasta.server.accounts.accounts import LIFETIME
from canasta.server.store.store import Store, make_store

DAY = 24 * 3600.0


class Clocks:
    """The clocks of a machine: `pass_on` advances real time, `set_to` changes only the system clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.steady = 1_800_000_000.0, 1_000.0
        both = SimpleNamespace(time=lambda: self.wall, monotonic=lambda: self.steady)
        for module in ("store.database", "accounts.accounts"):
            monkeypatch.setattr(f"canasta.server.{module}.time", both)

    def pass_on(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def set_to(self, wall: float) -> None:
        self.wall = wall

    def start_again(self) -> None:
        """Restart the machine, and with it the monotonic clock."""
        self.steady = 5.0


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


async def opened(url: str) -> Store:
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
    # First the clock is wrong while the server runs,
    clocks.set_to(clocks.wall + leap)
    assert await store.session("one") is not None
    # then between two runs; afterwards it is corrected.
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
