"""Guessing passwords and names, from one address and from many."""

import asyncio
from asyncio import QueueFull
from collections import Counter
from pathlib import Path

import pytest
from server.running_server import Person, running

from canasta.server.accounts import rate_limits
from canasta.server.accounts.rate_limits import MOST_WAITING, SignInLimits
from canasta.server.settings import Limits
from canasta.table.wire import Problem

RIGHT = {"name": "Ada", "password": "correct horse"}
WRONG = {"name": "Ada", "password": "wrong horse"}
NEVER = 1e-9
"""An allowance that doesn't grow while a test runs."""


async def test_many_addresses_share_the_guesses_at_one_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "LONGEST_WAIT", 0.2)
    async with running(tmp_path, limits=Limits(strangers=(10.0, NEVER))) as server:
        ada = await server.guest("Ada", "203.0.113.7")
        assert (await ada.rest.post("/api/accounts", json=RIGHT)).status_code == 200
        for name in ("Ada", "Nobody"):  # a name without an account gets the same treatment
            strangers = [Person(server, "", f"198.51.100.{number}") for number in range(60)]
            guesses = [each.rest.post("/api/login", json=WRONG | {"name": name}) for each in strangers]
            answers = await asyncio.gather(*guesses)
            assert Counter(answer.status_code for answer in answers) == {401: 10, 429: 50}
            told = {(answer.status_code, answer.json()["reason"]) for answer in answers}
            assert told == {(401, "WRONG_LOGIN"), (429, "MANY_LOGINS")}
        assert (await ada.rest.get("/api/me")).status_code == 200, "the owner's session lasts"
        await ada.rest.post("/api/logout")
        assert (await ada.rest.post("/api/login", json=RIGHT)).status_code == 200, "and so does the browser"


async def test_a_right_password_uses_nothing_up(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(strangers=(2.0, NEVER), guests=(100.0, 1.0))) as server:
        ada = await server.guest("Ada", "203.0.113.7")
        await ada.rest.post("/api/accounts", json=RIGHT)
        for number in range(6):
            device = Person(server, "", f"203.0.113.{number}")
            assert (await device.rest.post("/api/login", json=RIGHT)).status_code == 200


async def test_an_address_that_has_not_failed_goes_first() -> None:
    limits = SignInLimits((6.0, NEVER))
    for number in range(6):
        await limits.wait_turn("ada", f"198.51.100.{number}")
        limits.failed("ada", f"198.51.100.{number}")
    order: list[str] = []

    async def attempt(address: str) -> None:
        await limits.wait_turn("ada", address)
        order.append(address)

    thieves = [asyncio.create_task(attempt(f"198.51.100.{number}")) for number in range(6)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(attempt("203.0.113.7"))
    await asyncio.sleep(0)
    assert order == []
    limits.succeeded("ada")
    await owner
    assert order == ["203.0.113.7"]
    for thief in thieves:
        thief.cancel()
    await asyncio.gather(*thieves, return_exceptions=True)


async def test_one_attempt_waits_for_each_address_and_few_in_all() -> None:
    limits = SignInLimits((1.0, NEVER))
    await limits.wait_turn("ada", "198.51.100.1")
    limits.failed("ada", "198.51.100.1")
    waiting = [asyncio.create_task(limits.wait_turn("ada", "198.51.100.1")) for _ in range(3)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [False, True, True]
    more = [asyncio.create_task(limits.wait_turn("ada", f"192.0.2.{number}")) for number in range(20)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(not task.done() for task in more) == MOST_WAITING
    assert waiting[0].done(), "an address that has failed makes room for those that have not"
    for task in (*waiting, *more):
        task.cancel()
    results = await asyncio.gather(*waiting, *more, return_exceptions=True)
    assert sum(isinstance(result, QueueFull) for result in results) == 23 - MOST_WAITING


async def test_an_ipv6_site_counts_as_one_address_that_has_failed() -> None:
    limits = SignInLimits((1.0, NEVER))
    await limits.wait_turn("ada", "2001:db8:1:1::/64")
    limits.failed("ada", "2001:db8:1:1::/64")
    order: list[str] = []

    async def attempt(address: str) -> None:
        await limits.wait_turn("ada", address)
        order.append(address)

    same_site = [asyncio.create_task(attempt(f"2001:db8:1:{number}::/64")) for number in range(2, 6)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(attempt("2001:db8:2:1::/64"))
    await asyncio.sleep(0)
    limits.succeeded("ada")
    await owner
    assert order == ["2001:db8:2:1::/64"]
    for task in same_site:
        task.cancel()
    await asyncio.gather(*same_site, return_exceptions=True)


# -- names ---------------------------------------------------------------------------------------------------


async def test_nobody_finds_out_many_names(tmp_path: Path) -> None:
    """All calls that reveal whether a name exists share one limit, by person and by address."""
    limits = Limits(names=(4.0, NEVER), names_from=(9.0, NEVER), guests=(1000.0, 1.0))
    async with running(tmp_path, limits=limits, pace=3600.0) as server:
        eve = await server.guest("Eve", "198.51.100.1")
        table = await eve.open_table(rules="caliente", players=4)
        names = iter(f"Somebody {number}" for number in range(100))
        taken = {"password": "correct horse"}
        assert (await eve.rest.patch("/api/me", json={"name": next(names)})).status_code == 200
        assert (await eve.rest.post("/api/guests", json={"name": next(names)})).status_code == 200
        order = {"t": "sit", "seat": 0, "id": "a", "name": next(names)}
        assert (await eve.rest.post(f"/api/tables/{table}/orders", json=order)).status_code == 200
        async with eve.join(table) as seat:
            assert not isinstance(await seat.ask("sit", seat=0, name=next(names)), Problem)
            refused = await seat.ask("sit", seat=0, name=next(names))
            assert isinstance(refused, Problem)
            assert not isinstance(await seat.ask("sit", seat=0), Problem), "sitting down tells nothing"
        tried = [
            await eve.rest.patch("/api/me", json={"name": next(names)}),
            await eve.rest.post("/api/guests", json={"name": next(names)}),
            await eve.rest.post("/api/accounts", json={"name": next(names), **taken}),
            await eve.rest.post(f"/api/tables/{table}/orders", json=order | {"id": "b", "name": next(names)}),
        ]
        assert {(answer.status_code, answer.json()["reason"]) for answer in tried} == {(429, "MANY_NAMES")}
        # New guests from the same address share its limit; another address has its own.
        codes = []
        for _ in range(12):
            newcomer = Person(server, "", "198.51.100.1")
            codes.append((await newcomer.rest.post("/api/guests", json={"name": next(names)})).status_code)
        assert codes.count(200) <= 5
        assert codes[-1] == 429
        nameless = Person(server, "", "198.51.100.1")
        assert (await nameless.rest.post("/api/guests", json={})).status_code == 200
        await server.guest("Ada", "203.0.113.7")
