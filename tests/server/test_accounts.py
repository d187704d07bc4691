"""Names and passwords."""

import asyncio
from asyncio import QueueFull
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from argon2 import Parameters, PasswordHasher, Type, extract_parameters
from hypothesis import given
from hypothesis import strategies as st

from canasta.errors import InputError
from canasta.server.accounts.accounts import Accounts
from canasta.server.store import ConflictError
from canasta.server.store.store import Store, make_store
from canasta.table.names import clean_name, name_key, name_keys


@pytest.fixture
async def file_store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = make_store(f"sqlite:///{tmp_path / 'canasta.db'}")
    await opened.open()
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    ("text", "name"),
    [("South", "South"), ("  Tía  Ana ", "Tía Ana"), ("Ti\u0301a", "Tía"), ("东", "东"), ("🃏", "🃏")],
)
def test_a_name_is_tidied(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 25,
        "a\x00b",
        "a\u202eb",
        "\u200b",
        "\u3164",
        "e" + "\u0301\u0300\u0302\u0303" * 3,
        "\u2800 \u2800",
        "a" + "\u0e34" * 3,
    ],
)
def test_a_name_that_will_not_do_is_explained(text: str) -> None:
    with pytest.raises(InputError, match=r"A name .*\.$"):
        clean_name(text)


@pytest.mark.parametrize("unseen", ["\ufe0f", "\u034f", "\u3164", "\u180b", "\u2800", "\U000e0100"])
def test_names_that_look_the_same_are_the_same(unseen: str) -> None:
    for text in (f"{unseen}Anna", f"An{unseen}na", f"Anna{unseen}"):
        assert name_key(clean_name(text)) == name_key("Anna")


@given(st.text(max_size=40))
def test_a_tidied_name_is_tidy(text: str) -> None:
    try:
        name = clean_name(text)
    except InputError:
        return
    assert clean_name(name) == name
    assert 1 <= len(name) <= 24
    assert name_key(name) == name_key(name_key(name))
    assert len(name_key(name)) <= 24 * 18


async def test_a_guest_becomes_an_account_and_logs_in(file_store: Store) -> None:
    accounts = Accounts(file_store)
    await file_store.add_player("p", "Guest")
    row = await accounts.register("p", " South ", "eight letters")
    assert (row.id, row.name, row.account) == ("p", "South", "south")
    assert row.password_hash is not None
    assert row.password_hash.startswith("$argon2id$")
    assert "eight" not in row.password_hash
    for name in ("South", "SOUTH", " south"):
        assert await accounts.login(name, "eight letters") == row
    assert await accounts.login("South", "eight Letters") is None
    assert await accounts.login("North", "eight letters") is None
    for name in ("", "x" * 10_000, "\x00", "\ufdfa" * 24):
        assert await accounts.login(name, "x" * 10_000) is None


async def test_a_name_belongs_to_one_account(file_store: Store) -> None:
    accounts = Accounts(file_store)
    await file_store.add_player("p", "Guest")
    await file_store.add_player("q", "Guest")
    await file_store.add_player("r", "Guest")
    await accounts.register("p", "Straße", "eight letters")
    with pytest.raises(InputError):
        await accounts.register("q", "STRASSE", "eight letters")
    other = await accounts.register("q", "East", "eight letters")
    with pytest.raises(InputError):
        await accounts.rename(other, "straße")
    assert await accounts.rename(other, " EAST ") == "EAST"
    guest = await file_store.player("r")
    assert guest is not None
    for name in (
        "East",
        " eAST ",
        "\uff25ast",
        "E\ufe0fast",
        "E.a.s.t",
        "E a s t",
        "\u00c9ast",
        "East \u2713",
    ):
        with pytest.raises(InputError, match="belongs to an account"):
            await accounts.rename(guest, name)
    assert await accounts.rename(guest, "Easter") == "Easter"
    assert await accounts.login("east", "eight letters") is not None


ALIKE = (
    ("Paul", "PauI"),
    ("Paul", "Pau1"),
    ("Guillaume", "GuiI1aume"),
    ("Otto", "0tto"),
    ("Jo", "\u1d0a\u1d0f"),
    ("Dad", "\u13a0\u13aa\u13a0"),
    ("Coco", "\u0421\u043e\u0441\u043e"),
    ("Paul", "P.a.u.l"),
    ("Paul", "P a u l"),
    ("Paul", "Pau\u1e37"),
    ("Paul", "Paul\u2605"),
    ("Paul", "_Paul_"),
    ("Iris B", "irisb"),
    ("Arnold", "Amold"),
    ("Willi", "VVilli"),
    ("Sofia", "S\u1d0f\ua730\u026a\u1d00"),
    ("Sofia", "Sofia\u00b2"),
    ("Sofia", "\ua7a8ofia"),
    ("Sofia", "Sof!a"),
    ("Sofia", "Sofi@"),
    ("Sofia", "$ofia"),
)
MIXED = (
    "\u0415v\u0430",
    "\u039dina",
    "M\u0585",
    "\ua4eeda",
    "\u03f9od",
    "\u03f2\u0585\u0501",
    "Anna \u0410\u043d\u043d\u0430",
)
"""Names that mix two alphabets."""


@pytest.mark.parametrize("names", [*ALIKE, *((other, name) for name, other in ALIKE)], ids=ascii)
async def test_nobody_has_a_name_that_could_be_taken_for_that_of_an_account(
    file_store: Store, names: tuple[str, str]
) -> None:
    accounts = Accounts(file_store)
    first, second = names
    for player in "pqr":
        await file_store.add_player(player, "Guest")
    await accounts.register("p", first, "eight letters")
    with pytest.raises(InputError):
        await accounts.register("q", second, "eight letters")
    other = await accounts.register("q", "Somebody", "eight letters")
    guest = await file_store.player("r")
    assert guest is not None
    for row in (other, guest):
        with pytest.raises(InputError):
            await accounts.rename(row, second)
    # If the name was free when it was checked, the database still refuses the second one.
    with pytest.raises(ConflictError):
        await file_store.rename("q", second, is_account=True)
    mine = await file_store.player("p")
    assert mine is not None
    assert await accounts.rename(mine, second) == second


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ali", "All"),
        ("MARIA", "Marla"),
        ("Ina", "Lina"),
        ("Anna", "Hanna"),
        ("Paul", "Paul 2"),
        ("は", "ば"),
        ("Anna1", "Anna2"),
        ("Sofia", "Sofia2"),
        ("Anna", "Annai"),
    ],
)
def test_names_that_can_be_told_apart_stay_apart(name: str, other: str) -> None:
    assert name_keys(name).isdisjoint(name_keys(other))


@pytest.mark.parametrize("name", MIXED, ids=ascii)
def test_a_name_of_two_alphabets_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="single alphabet"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    ["Ана", "Ἄννα", "東京 Tom", "はなこさん", "ヴァイ・Vi", "김Kim", "Søren", "محمد", "O'Neill", "Łukasz 2"],
)
def test_names_of_one_alphabet_and_those_that_are_written_with_several_are_taken(name: str) -> None:
    assert clean_name(name) == name


RESERVED = (
    *("Admin", "Adm1n", "A.d.m.i.n", "ADMIN 2", "Paul Admin", "PaulAdmin", "Adrnin", "Administrateur"),
    *("Server", "Moderator", "Moderatore", "Canasta", "Canasta Team", "System", "Computer", "Soporte"),
    *("Der Server", "CanastaServer", "TheDealer", "El Servidor", "The Canasta Team", "The Server 2"),
)
GUESTS = ("Guest", "guest", "GUEST 2", "G u e s t", "Gast", "Invité 3", "Ospite", "Convidado", "Invitado")


@pytest.mark.parametrize("name", RESERVED + GUESTS)
async def test_nobody_is_called_like_the_server_and_no_account_like_a_guest(
    file_store: Store, name: str
) -> None:
    accounts = Accounts(file_store)
    await file_store.add_player("p", "Guest")
    with pytest.raises(InputError, match="can’t be called"):
        await accounts.register("p", name, "eight letters")
    if name in GUESTS:
        assert await accounts.check_guest_name("p", name) == name
    else:
        with pytest.raises(InputError, match="can’t be called"):
            await accounts.check_guest_name("p", name)


@pytest.mark.parametrize(
    "name",
    ["Canasta Kid", "Badminton", "Modesto", "Bottas", "Rooth", "Ste11a", "Theo", "El", "La Rosa", "Leila"],
)
async def test_names_that_only_contain_such_a_word_are_free(file_store: Store, name: str) -> None:
    await file_store.add_player("p", "Guest")
    assert (await Accounts(file_store).register("p", name, "eight letters")).name == name


async def test_somebody_known_does_not_wait_for_a_row_of_strangers(file_store: Store) -> None:
    accounts = CountingAccounts(file_store)
    await file_store.add_player("p", "Guest")
    await accounts.register("p", "South", "eight letters")
    strangers = [asyncio.create_task(accounts.login("South", "wrong password")) for _ in range(60)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(accounts.login("South", "eight letters", is_known=True))
    assert await owner is not None
    assert sum(task.done() and not task.exception() for task in strangers) <= 3
    results = await asyncio.gather(*strangers, return_exceptions=True)
    assert sum(isinstance(result, QueueFull) for result in results) == 20
    assert results.count(None) == 40


async def test_somebody_known_does_not_wait_for_wrong_passwords_in_sessions(
    file_store: Store,
) -> None:
    accounts = CountingAccounts(file_store)
    for player, name in (("p", "South"), ("q", "East")):
        await file_store.add_player(player, "Guest")
        await accounts.register(player, name, "eight letters")
    guesses = [
        *(asyncio.create_task(accounts.is_password("q", "wrong password")) for _ in range(30)),
        *(asyncio.create_task(accounts.change_password("q", "wrong", "eight letters")) for _ in range(30)),
    ]
    await asyncio.sleep(0)
    assert await accounts.login("South", "eight letters", is_known=True) is not None
    assert len(accounts.verified) <= 4
    results = await asyncio.gather(*guesses, return_exceptions=True)
    assert sum(isinstance(result, QueueFull) for result in results) == 20
    assert results.count(False) == 40


@pytest.mark.parametrize("password", ["", "seven77", "x" * 129])
async def test_a_password_that_will_not_do_is_explained(file_store: Store, password: str) -> None:
    await file_store.add_player("p", "Guest")
    with pytest.raises(InputError, match=r"A password (needs|can have) at"):
        await Accounts(file_store).register("p", "South", password)
    player = await file_store.player("p")
    assert player is not None
    assert player.account is None


class CountingAccounts(Accounts):
    """Records the settings with which each password was verified; they are the costly part of a hash."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.verified: list[Parameters] = []

    async def _verify(self, password_hash: str, password: str) -> bool:
        self.verified.append(extract_parameters(password_hash))
        return await super()._verify(password_hash, password)


async def test_an_unknown_name_costs_what_a_wrong_password_costs(file_store: Store) -> None:
    accounts = CountingAccounts(file_store)
    await file_store.add_player("p", "Guest")
    await accounts.register("p", "South", "eight letters")
    for name in ("South", "Nobody", ""):
        assert await accounts.login(name, "wrong password") is None
    assert len(accounts.verified) == 3
    assert len(set(map(repr, accounts.verified))) == 1


def test_a_password_is_looked_at_at_a_cost(usual_hasher: PasswordHasher) -> None:
    """The cost is at least what OWASP recommends: 19 MiB, two iterations."""
    assert usual_hasher.type is Type.ID
    assert usual_hasher.memory_cost >= 19 * 1024
    assert usual_hasher.time_cost >= 2


async def test_a_weaker_hash_is_renewed_at_the_next_login(file_store: Store) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("eight letters")
    await file_store.add_player("p", "South", "south", weak)
    accounts = Accounts(file_store)
    assert await accounts.login("south", "eight letters") is not None
    row = await file_store.player("p")
    assert row is not None
    assert row.password_hash != weak
    assert await accounts.login("south", "eight letters") is not None


async def test_a_damaged_hash_lets_nobody_in(file_store: Store) -> None:
    await file_store.add_player("p", "South", "south", "not a hash")
    assert await Accounts(file_store).login("south", "eight letters") is None
