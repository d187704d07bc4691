"""Managing an account: password, sessions, export, deletion, and ownership of the name."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from server.running_server import Person, Running, running

from canasta.server.accounts.accounts import device_label
from canasta.server.settings import Limits
from canasta.server.store.store import StoredEntry
from canasta.table.log import Created, decode_entry
from canasta.table.table import Table
from canasta.table.wire import Done, Refused

ADA = {"name": "Ada", "password": "correct horse"}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@asynccontextmanager
async def at_home(tmp_path: Path, url: str = "") -> AsyncIterator[tuple[Running, Person]]:
    """Run a server on which Ada has an account."""
    changes = {"database": url} if url else {}
    async with running(tmp_path, pace=3600.0, **changes) as server:
        ada = await server.guest("Ada")
        assert (await ada.rest.post("/api/accounts", json=ADA)).status_code == 200
        yield server, ada


async def logged_in(server: Running, agent: str = "") -> Person:
    person = Person(server, "Ada")
    if agent:
        person.rest.headers["user-agent"] = agent
    (await person.rest.post("/api/login", json=ADA)).raise_for_status()
    return person


async def test_a_new_password_ends_all_other_sessions(tmp_path: Path, database_url: str) -> None:
    async with at_home(tmp_path, database_url) as (server, ada):
        thief = await logged_in(server)
        table = await ada.open_table(start=True)
        async with ada.join(table) as seat, thief.join(table) as second:
            wrong = await ada.rest.post(
                "/api/me/password", json={"old": "wrong horse", "new": "battery staple"}
            )
            assert (wrong.status_code, wrong.json()["detail"]) == (
                400,
                "The old password is wrong. Type it again.",
            )
            short = await ada.rest.post("/api/me/password", json={"old": ADA["password"], "new": "short"})
            assert short.status_code == 400
            assert (await thief.rest.get("/api/me")).status_code == 200
            changed = await ada.rest.post(
                "/api/me/password", json={"old": ADA["password"], "new": "battery staple"}
            )
            assert (changed.status_code, changed.json()["name"]) == (200, "Ada")
            assert await second.end() == 4401
            assert isinstance(await seat.ask("ping"), Done)
        assert (await thief.rest.get("/api/me")).status_code == 401
        assert (await ada.rest.get("/api/me")).status_code == 200
        assert (await Person(server, "").rest.post("/api/login", json=ADA)).status_code == 401
        new = ADA | {"password": "battery staple"}
        assert (await Person(server, "").rest.post("/api/login", json=new)).status_code == 200


async def test_an_old_password_is_worth_nothing_however_quick_one_is(tmp_path: Path) -> None:
    """The password changes between the check of the old one and the start of the new session."""
    async with at_home(tmp_path) as (server, ada):
        accounts = server.services.sessions.accounts
        login = accounts.login

        async def slow_login(name: str, password: str, *, is_known: bool = False) -> object:
            row = await login(name, password, is_known=is_known)
            new = {"old": ADA["password"], "new": "battery staple"}
            assert (await ada.rest.post("/api/me/password", json=new)).status_code == 200
            return row

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(accounts, "login", slow_login)
            thief = Person(server, "")
            assert (await thief.rest.post("/api/login", json=ADA)).status_code == 401
        assert len((await ada.rest.get("/api/me/sessions")).json()) == 1


async def test_a_guest_has_no_password_to_change(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        guest = await server.guest("Ben")
        answer = await guest.rest.post("/api/me/password", json={"old": "", "new": "battery staple"})
        assert (answer.status_code, answer.json()["detail"]) == (
            409,
            "You don’t have an account. Create one first.",
        )


async def test_the_old_password_is_not_guessed_at_an_open_browser(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(logins=(3.0, 0.001))) as server:
        ada = await server.guest("Ada")
        await ada.rest.post("/api/accounts", json=ADA)
        tries = [
            (
                await ada.rest.post("/api/me/password", json={"old": "wrong", "new": "battery staple"})
            ).status_code
            for _ in range(4)
        ]
        assert tries == [400, 400, 400, 429]
        assert (await ada.rest.post("/api/me/delete", json={"password": "wrong"})).status_code == 429


async def test_one_address_has_few_password_checks_however_many_accounts_it_has(tmp_path: Path) -> None:
    # Each account takes one attempt for the guest and one to sign up.
    async with running(tmp_path, limits=Limits(guests=(6.0, 0.0))) as server:
        statuses = []
        for name in ("Ada", "Ben"):
            person = await server.guest(name, "198.51.100.1")
            await person.rest.post("/api/accounts", json={"name": name, "password": "correct horse"})
            wrong = {"old": "wrong horse", "new": "another horse"}
            statuses.append((await person.rest.post("/api/me/password", json=wrong)).status_code)
            answer = await person.rest.post("/api/me/delete", json={"password": "wrong horse"})
            statuses.append(answer.status_code)
        assert statuses == [400, 400, 429, 429]


async def test_sessions_are_listed_and_ended_one_by_one(tmp_path: Path, database_url: str) -> None:
    async with at_home(tmp_path, database_url) as (server, ada):
        phone, lost = await logged_in(server, FIREFOX), await logged_in(server)
        listed = (await phone.rest.get("/api/me/sessions")).json()
        assert [row["current"] for row in listed].count(True) == 1
        own = next(row for row in listed if row["current"])
        assert own["device"] == "Firefox, Linux"
        assert 0 <= own["used"] <= own["begun"] + 1
        assert len(listed) == 3
        # The listed ids don't work as cookies, and another person's sessions can't be ended.
        cookie = {"cookie": f"canasta_session={own['id']}"}
        assert (await Person(server, "").rest.get("/api/me", headers=cookie)).status_code == 401
        stranger = await server.guest("Ben")
        assert (await stranger.rest.delete(f"/api/me/sessions/{own['id']}")).status_code == 404
        rows = (await lost.rest.get("/api/me/sessions")).json()
        name = next(row["id"] for row in rows if row["current"])
        assert (await ada.rest.delete(f"/api/me/sessions/{name}")).status_code == 204
        assert (await lost.rest.get("/api/me")).status_code == 401
        assert (await ada.rest.delete(f"/api/me/sessions/{name}")).status_code == 404
        assert (await ada.rest.delete("/api/me/sessions")).status_code == 204
        assert (await phone.rest.get("/api/me")).status_code == 401
        assert [row["current"] for row in (await ada.rest.get("/api/me/sessions")).json()] == [True]


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (FIREFOX, "Firefox, Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1",
            "Safari, iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("canasta-terminal", "canasta tui"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_a_session_is_called_by_browser_and_system(agent: str, label: str) -> None:
    assert device_label(agent) == label


async def test_everything_that_is_kept_can_be_had(tmp_path: Path, database_url: str) -> None:
    async with at_home(tmp_path, database_url) as (server, ada):
        first, second = await ada.open_table(), await (await server.guest("Ben")).open_table()
        async with ada.join(second) as seat:
            assert isinstance(await seat.ask("sit", seat=2), Done)
            assert isinstance(await seat.ask("sit", seat=1), Done)
        kept = (await ada.rest.get("/api/me/export")).json()
        assert (kept["name"], kept["account"]) == ("Ada", True)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", kept["since"])
        assert {table["id"] for table in kept["tables"]} == {first, second}
        assert [row["current"] for row in kept["sessions"]] == [True]
        assert "argon2" not in str(kept)
        assert (await ada.rest.get(kept["tables"][0]["record"])).status_code == 200
        assert (await Person(server, "").rest.get("/api/me/export")).status_code == 401


async def test_a_deleted_account_is_gone_from_tables_and_doors(tmp_path: Path, database_url: str) -> None:
    async with at_home(tmp_path, database_url) as (server, ada):
        ben = await server.guest("Ben")
        over = await ada.open_table(players=2, rules="two-player")
        await server.services.store.set_status(over, "over")
        server.services.registry._open.pop(over)
        waiting, playing = await ada.open_table(), await ben.open_table(players=2, rules="two-player")
        async with ada.join(playing) as first, ben.join(playing) as second, ben.join(waiting) as third:
            await first.ask("sit", seat=1)
            await second.ask("start")
            await first.until(lambda state: state.hand == 1)
            assert (await ada.rest.post("/api/me/delete", json={"password": "wrong"})).status_code == 400
            assert (await ada.rest.post("/api/me/delete", json={})).status_code == 400
            gone = await ada.rest.post("/api/me/delete", json={"password": ADA["password"]})
            assert gone.status_code == 204
            assert await first.end() == 4401
            await server.services.deletions.finished()
            state = await second.until(lambda state: state.seats[1].who == "bot")
            assert state.seats[1].name != "Ada"
            state = await third.until(lambda state: state.seats[0].who == "free")
            assert state.host is False
        assert (await ada.rest.get("/api/me")).status_code == 401
        assert (await ada.rest.post("/api/login", json=ADA)).status_code == 401
        for table in (waiting, playing):
            rows = await server.services.store.entries(table)
            assert not any(b"Ada" in row.payload for row in rows)
            assert "Ada" not in (await ben.rest.get(f"/api/tables/{table}/record")).text
        other = await server.guest("Eve")
        assert (await other.rest.post("/api/accounts", json=ADA)).status_code == 200
        # One of her tables is finished, and nobody has it open.
        assert not any(b"Ada" in row.payload for row in await server.services.store.entries(over))
        rows = await server.services.store.entries(over)
        again = Table(over, created_of(rows))
        again.apply([decode_entry(row.payload) for row in rows[1:]])
        assert again.names == ["South", "North"]
    # The logs still rebuild their tables.
    changes = {"database": database_url}
    async with running(tmp_path, pace=3600.0, **changes) as server:
        ben = Person(server, "")
        assert (await ben.rest.get(f"/api/tables/{playing}")).json()["status"] == "playing"
        assert (await ben.rest.get(f"/api/tables/{waiting}")).json()["seats"] == ["", "", "", ""]


def created_of(rows: list[StoredEntry]) -> Created:
    entry = decode_entry(rows[0].payload)
    assert isinstance(entry, Created)
    return entry


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ada", " aDA ", "\uff21da", "A.d.a", "\u00c1da", "A\ufe0fda"])
async def test_a_guest_cannot_have_the_name_of_an_account(tmp_path: Path, name: str) -> None:
    async with at_home(tmp_path) as (server, ada):
        guest = Person(server, "")
        refused = await guest.rest.post("/api/guests", json={"name": name})
        assert refused.status_code == 409
        assert "belongs to an account" in refused.json()["detail"]
        await guest.rest.post("/api/guests", json={"name": "Ben"})
        assert (await guest.rest.post("/api/guests", json={"name": name})).status_code == 409
        assert (await guest.rest.patch("/api/me", json={"name": name})).status_code == 409
        assert (await guest.rest.get("/api/me")).json()["name"] == "Ben"
        table = await guest.open_table()
        async with guest.join(table) as seat, ada.join(table) as own:
            answer = await seat.ask("sit", seat=0, name=name)
            assert isinstance(answer, Refused)
            assert answer.why.reason == "NAME_OWNED"
            assert isinstance(await own.ask("sit", seat=1, name="Ada"), Done)
            state = await seat.until(lambda state: state.seats[1].who == "person")
            assert [(row.name, row.account) for row in state.seats[:2]] == [("Ben", False), ("Ada", True)]
            # A player seated under another name isn't marked: only the account's own name is.
            assert isinstance(await own.ask("sit", seat=1, name="Countess"), Done)
            state = await seat.until(lambda state: state.seats[1].name == "Countess")
            assert not state.seats[1].account


async def test_a_name_with_a_number_is_not_that_of_an_account_either(tmp_path: Path) -> None:
    """A number distinguishes two guests of the same name."""
    async with running(tmp_path, pace=3600.0) as server:
        owner = await server.guest("x")
        await owner.rest.post("/api/accounts", json=ADA | {"name": "Ben 2"})
        one, other = await server.guest("Ben"), await server.guest("Ben")
        table = await one.open_table()
        async with other.join(table) as seat:
            assert isinstance(await seat.ask("sit", seat=1), Done)
            state = await seat.until(lambda state: state.seats[1].who == "person")
            assert [row.name for row in state.seats[:2]] == ["Ben", "Ben 3"]


async def test_a_guest_whose_name_has_become_an_accounts_sits_down_under_another(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        guest, ada = await server.guest("Ada"), await server.guest("x")
        await ada.rest.post("/api/accounts", json=ADA)
        assert (await ada.rest.get("/api/me")).json()["name"] == "Ada"
        table = await guest.open_table()
        assert (await ada.rest.get(f"/api/tables/{table}")).json()["seats"][0] == "Guest"
        other = await ada.open_table()
        async with guest.join(other) as seat:
            assert isinstance(refused := await seat.ask("sit", seat=1), Refused)
            assert refused.why.reason == "NAME_OWNED"
            assert isinstance(await seat.ask("sit", seat=1, name="Adam"), Done)
