"""Processes on one database know who is connected to which, however a process ends."""

import pytest

from canasta.server.store.store import Store
from canasta.server.tables import cluster
from canasta.server.tables.cluster import Cluster


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
def pair(store: Store) -> tuple[Cluster, Cluster]:
    """Return two processes whose clock only the test advances."""
    return Cluster(store), Cluster(store)


async def step(process: Cluster) -> None:
    await process._announce()
    await process._poll()


async def test_each_sees_who_is_at_the_other(pair: tuple[Cluster, Cluster], clock: Hands) -> None:
    one, two = pair
    moved: list[str] = []
    two.subscribe(open_logs=dict, on_new_entries=lambda *_: None, on_presence_change=moved.append)
    one.connected("t", "ada")
    one.connected("t", "")
    two.connected("t", "ben")
    await step(one)
    await step(two)
    await step(one)
    assert [*one.players_elsewhere("t"), *two.players_elsewhere("t")] == ["ben", "ada"]
    assert moved == ["t"]
    # A second connection of the same person changes nothing when it opens or closes.
    one.connected("t", "ada")
    one.disconnected("t", "ada")
    await step(one)
    assert await two.refresh_players_elsewhere("t") == {"ada"}
    one.disconnected("t", "ada")
    await step(one)
    assert await two.refresh_players_elsewhere("t") == frozenset()
    assert moved == ["t", "t"]


async def test_a_process_that_is_silent_is_gone_and_may_come_back(
    pair: tuple[Cluster, Cluster], clock: Hands
) -> None:
    one, two = pair
    one.connected("t", "ada")
    two.connected("t", "ben")
    await step(one)
    await step(two)
    clock.now += cluster.LOST_AFTER - 1
    assert await two.refresh_players_elsewhere("t") == {"ada"}
    clock.now += 2
    assert await two.refresh_players_elsewhere("t") == frozenset()
    await step(one)
    assert await two.refresh_players_elsewhere("t") == {"ada"}


async def test_who_comes_back_at_that_moment_is_not_forgotten(
    pair: tuple[Cluster, Cluster], clock: Hands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    one.connected("t", "ada")
    await step(one)
    two.connected("t", "ben")
    await step(two)
    clock.now += cluster.LOST_AFTER + 1
    write = store.write

    async def late(work: object) -> None:
        """Let the silent process report in between the check and its consequences."""
        monkeypatch.setattr(store, "write", write)
        one.connected("t", "cleo")
        await one._announce()
        await write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "write", late)
    await two.refresh_players_elsewhere("t")
    assert await two.refresh_players_elsewhere("t") == {"ada", "cleo"}


async def test_what_others_have_written_is_heard(
    pair: tuple[Cluster, Cluster], clock: Hands, store: Store
) -> None:
    one, two = pair
    heard: list[tuple[str, int]] = []
    lengths = {"t": 1, "u": 1}
    two.subscribe(
        open_logs=lambda: lengths,
        on_new_entries=lambda *entry: heard.append(entry),
        on_presence_change=lambda _: None,
    )
    for table in ("t", "u"):
        await store.create_table(table, public=False, payload=b"0")
    one.connected("t", "ada")
    two.connected("t", "ben")
    await step(one)
    await step(two)
    assert heard == []
    await store.append("t", 1, [(None, b"1"), (None, b"2")])
    await step(two)
    assert heard == [("t", 2)]
    assert await two.players_at(["t", "u"]) == {"t": {"ada", "ben"}}
