"""Processes on one database know who is connected to which, however a process ends."""

import pytest

from canasta.server.store.store import Store
from canasta.server.tables import cluster
from canasta.server.tables.cluster import Neighbours


class Hands:
    """A clock for the processes that only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(cluster, "time", hands)
    return hands


@pytest.fixture
def pair(store: Store) -> tuple[Neighbours, Neighbours]:
    """Return two processes whose clock only the test advances."""
    return Neighbours(store), Neighbours(store)


async def step(process: Neighbours) -> None:
    await process._say()
    await process._look()


async def test_each_sees_who_is_at_the_other(pair: tuple[Neighbours, Neighbours], clock: Hands) -> None:
    one, two = pair
    moved: list[str] = []
    two.tell(lengths=dict, heard=lambda *_: None, moved=moved.append)
    one.came("t", "ada")
    one.came("t", "")
    two.came("t", "ben")
    await step(one)
    await step(two)
    await step(one)
    assert [*one.elsewhere("t"), *two.elsewhere("t")] == ["ben", "ada"]
    assert moved == ["t"]
    # A second connection of the same person changes nothing when it opens or closes.
    one.came("t", "ada")
    one.went("t", "ada")
    await step(one)
    assert await two.ask_elsewhere("t") == {"ada"}
    one.went("t", "ada")
    await step(one)
    assert await two.ask_elsewhere("t") == frozenset()
    assert moved == ["t", "t"]


async def test_a_process_that_is_silent_is_gone_and_may_come_back(
    pair: tuple[Neighbours, Neighbours], clock: Hands
) -> None:
    one, two = pair
    one.came("t", "ada")
    two.came("t", "ben")
    await step(one)
    await step(two)
    clock.now += cluster.LOST_AFTER - 1
    assert await two.ask_elsewhere("t") == {"ada"}
    clock.now += 2
    assert await two.ask_elsewhere("t") == frozenset()
    await step(one)
    assert await two.ask_elsewhere("t") == {"ada"}


async def test_who_comes_back_at_that_moment_is_not_forgotten(
    pair: tuple[Neighbours, Neighbours], clock: Hands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    one.came("t", "ada")
    await step(one)
    two.came("t", "ben")
    await step(two)
    clock.now += cluster.LOST_AFTER + 1
    write = store.write

    async def late(work: object) -> None:
        """Let the silent process report in between the check and its consequences."""
        monkeypatch.setattr(store, "write", write)
        one.came("t", "cleo")
        await one._say()
        await write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "write", late)
    await two.ask_elsewhere("t")
    assert await two.ask_elsewhere("t") == {"ada", "cleo"}


async def test_what_others_have_written_is_heard(
    pair: tuple[Neighbours, Neighbours], clock: Hands, store: Store
) -> None:
    one, two = pair
    heard: list[tuple[str, int]] = []
    lengths = {"t": 1, "u": 1}
    two.tell(lengths=lambda: lengths, heard=lambda *what: heard.append(what), moved=lambda _: None)
    for table in ("t", "u"):
        await store.create_table(table, public=False, payload=b"0")
    one.came("t", "ada")
    two.came("t", "ben")
    await step(one)
    await step(two)
    assert heard == []
    await store.append("t", 1, [(None, b"1"), (None, b"2")])
    await step(two)
    assert heard == [("t", 2)]
    assert await two.people_at(["t", "u"]) == {"t": {"ada", "ben"}}
