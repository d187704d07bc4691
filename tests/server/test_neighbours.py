"""Processes on one database know who is connected to which, however they end."""

import pytest

from canasta.server.store.store import DatabaseStore
from canasta.server.tables import neighbours
from canasta.server.tables.neighbours import Neighbours


class Hands:
    """The clock of the processes, which only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(neighbours, "time", hands)
    return hands


@pytest.fixture
def pair(store: DatabaseStore) -> tuple[Neighbours, Neighbours]:
    """Two processes whose watches go only when the test winds them."""
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
    # A second connection of the same person changes nothing, and neither does its end.
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
    clock.now += neighbours.LOST_AFTER - 1
    assert await two.ask_elsewhere("t") == {"ada"}
    clock.now += 2
    assert await two.ask_elsewhere("t") == frozenset()
    await step(one)
    assert await two.ask_elsewhere("t") == {"ada"}


async def test_who_comes_back_at_that_moment_is_not_forgotten(
    pair: tuple[Neighbours, Neighbours], clock: Hands, store: DatabaseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    one.came("t", "ada")
    await step(one)
    two.came("t", "ben")
    await step(two)
    clock.now += neighbours.LOST_AFTER + 1
    write = store.write

    async def late(work: object) -> None:
        """Between the look and what follows from it, the silent one speaks."""
        monkeypatch.setattr(store, "write", write)
        one.came("t", "cleo")
        await one._say()
        await write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "write", late)
    await two.ask_elsewhere("t")
    assert await two.ask_elsewhere("t") == {"ada", "cleo"}


async def test_what_others_have_written_is_heard(
    pair: tuple[Neighbours, Neighbours], clock: Hands, store: DatabaseStore
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
    assert await two.occupied(["t", "u"]) == {"t"}
