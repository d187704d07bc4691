"""Sessions: new cookies, limits on guessing, and the consequences of ending a session."""

import hashlib
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from server.running_server import Person, running

from canasta.server.settings import Limits
from canasta.table.wire import Done

RIGHT = {"name": "Ada", "password": "correct horse"}
WRONG = {"name": "Ada", "password": "wrong horse"}


async def test_a_new_account_gets_a_new_cookie(tmp_path: Path) -> None:
    """Anyone who planted or knew the guest's cookie can't use it for the account."""
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        old = ada.headers()
        assert (await ada.rest.post("/api/accounts", json=RIGHT)).status_code == 200
        assert ada.headers() != old
        assert (await ada.rest.get("/api/me")).json()["account"]
        assert (await Person(server, "").rest.get("/api/me", headers=old)).status_code == 401


async def test_an_account_cannot_be_registered_over(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        await ada.rest.post("/api/accounts", json=RIGHT)
        again = await ada.rest.post("/api/accounts", json={"name": "Ada", "password": "another one"})
        assert again.status_code == 409
        assert again.json()["detail"] == "You already have an account. Sign out first to create another one."
        other = Person(server, "")
        changed = await other.rest.post("/api/login", json={"name": "Ada", "password": "another one"})
        assert changed.status_code == 401
        assert (await other.rest.post("/api/login", json=RIGHT)).status_code == 200


async def test_guessing_a_password_is_limited_by_account_and_address(tmp_path: Path) -> None:
    limits = Limits(logins=(3.0, 0.001))
    async with running(tmp_path, limits=limits) as server:
        ada = await server.guest("Ada")
        await ada.rest.post("/api/accounts", json=RIGHT)
        thief = Person(server, "", "203.0.113.7")
        wrong = [
            await thief.rest.post("/api/login", json={"name": name, "password": "wrong horse"})
            for name in ("Ada", " ADA ", "a\ufe0fda", "ada")
        ]
        assert [answer.status_code for answer in wrong] == [401, 401, 401, 429]
        assert "Wait a minute" in wrong[3].json()["detail"]
        other = await thief.rest.post("/api/login", json={"name": "Ben", "password": "wrong horse"})
        assert other.status_code == 401
        assert (await ada.rest.get("/api/me")).status_code == 200


async def test_a_stranger_cannot_keep_the_owner_out(tmp_path: Path) -> None:
    """This holds elsewhere, and at the owner's address if the owner's browser is known."""
    limits = Limits(logins=(3.0, 0.001), guests=(6.0, 0.001))
    async with running(tmp_path, limits=limits) as server:
        ada = await server.guest("Ada", "203.0.113.7")
        await ada.rest.post("/api/accounts", json=RIGHT)
        await ada.rest.post("/api/logout")
        for address in ("198.51.100.20", "203.0.113.7"):
            stranger = Person(server, "", address)
            while (await stranger.rest.post("/api/login", json=WRONG)).status_code == 401:
                continue
            assert (await stranger.rest.post("/api/login", json=RIGHT)).status_code == 429
        elsewhere = Person(server, "", "192.0.2.1")
        assert (await elsewhere.rest.post("/api/login", json=RIGHT)).status_code == 200
        assert (await ada.rest.post("/api/login", json=RIGHT)).status_code == 200
        # Its own attempts count too, and its cookie is worthless for another account.
        await ada.rest.post("/api/logout")
        answers = [(await ada.rest.post("/api/login", json=WRONG)).status_code for _ in range(4)]
        assert answers == [401, 401, 401, 429]
        await elsewhere.rest.post("/api/accounts", json={"name": "Ben", "password": "correct horse"})
        assert (await ada.rest.post("/api/login", json=RIGHT | {"name": "Ben"})).status_code == 429


async def test_the_end_of_a_session_ends_its_connections_and_no_others(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        desk, phone = await server.guest("Ada"), Person(server, "")
        table = await desk.open_table(start=True)
        async with desk.join(table) as seat:
            # The account has a new cookie, so anyone with the guest's cookie is refused.
            await desk.rest.post("/api/accounts", json=RIGHT)
            assert await seat.end() == 4401
        await phone.rest.post("/api/login", json=RIGHT)
        watcher = Person(server, "")
        async with desk.join(table) as one, phone.join(table) as two, watcher.join(table) as three:
            await desk.rest.post("/api/logout")
            assert await one.end() == 4401
            assert two.state.you is not None
            assert isinstance(await two.ask("say", phrase="hello"), Done)
            assert isinstance(await three.ask("ping"), Done)


async def test_a_session_that_ended_elsewhere_moves_nothing(tmp_path: Path) -> None:
    """Another process has ended it, or it has expired."""
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(start=True)
        async with ada.join(table) as seat:
            token = ada.rest.cookies["canasta_session"]
            await server.services.store.drop_session(hashlib.sha256(token.encode()).hexdigest())
            assert isinstance(await seat.ask("ping"), Done)
            rows = len(await server.services.store.entries(table))
            with pytest.MonkeyPatch.context() as patch:
                later = time.monotonic() + 61.0
                patch.setattr(
                    "canasta.server.accounts.accounts.time", SimpleNamespace(monotonic=lambda: later)
                )
                await seat.send("say", phrase="hello")
                assert await seat.end() == 4401
            assert len(await server.services.store.entries(table)) == rows
