"""The fair queue: networks take turns, and people within a network."""

import asyncio
from asyncio import QueueFull

import pytest

from canasta.server.fair_queue import Asker, FairQueue, FairTurns

ADA, EVE = Asker("ada", "203.0.113.1"), Asker("eve", "198.51.100.1")


def taken(queue: FairQueue[str]) -> list[str]:
    return [queue.take() for _ in range(len(queue))]


def test_networks_take_turns_and_so_do_people_within_them() -> None:
    queue: FairQueue[str] = FairQueue()
    for name in ("eve 1", "eve 2", "eve 3"):
        queue.put(name, EVE)
    queue.put("mallory 1", Asker("mallory", EVE.address))
    queue.put("ada 1", ADA)
    queue.put("ada 2", ADA)
    expected = ["eve 1", "ada 1", "mallory 1", "ada 2", "eve 2", "eve 3"]
    assert list(queue) == expected
    assert taken(queue) == expected


def test_a_newcomer_goes_before_the_second_request_of_others() -> None:
    """This also holds if their first request is being served and the second one came long before."""
    queue: FairQueue[str] = FairQueue()
    for number in range(5):
        queue.put(f"eve {number}", EVE)
    assert queue.take() == "eve 0"
    queue.put("ada 0", ADA)
    queue.put("ada 1", ADA)
    assert list(queue) == ["ada 0", "eve 1", "ada 1", "eve 2", "eve 3", "eve 4"]
    assert [queue.take() for _ in range(4)] == ["ada 0", "eve 1", "ada 1", "eve 2"]


def test_a_network_whose_requests_were_all_taken_has_had_its_turn() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("eve 0", EVE)
    assert queue.take() == "eve 0"
    queue.put("eve 1", EVE)
    queue.put("ada 0", ADA)
    assert taken(queue) == ["ada 0", "eve 1"]
    # Nobody waits forever, however many newcomers arrive.
    queue.put("eve 2", EVE)
    for number in range(200):
        queue.put(f"guest {number}", Asker(f"guest {number}", f"192.0.2.{number}"))
        queue.take()
        if "eve 2" not in queue:
            break
    assert "eve 2" not in queue


def test_a_48_takes_turns_as_one_network() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(8):
        queue.put(f"eve {number}", Asker(f"eve{number}", f"2001:db8:7:{number}::/64"))
    queue.put("ada", ADA)
    assert list(queue)[:3] == ["eve 0", "ada", "eve 1"]


def test_a_full_queue_replaces_the_last_in_turn() -> None:
    queue: FairQueue[str] = FairQueue(3)
    for number in range(3):
        assert queue.put(f"eve {number}", EVE) is None
    with pytest.raises(QueueFull):
        queue.put("eve 3", EVE)
    assert queue.put("ada 0", ADA) == "eve 2"
    assert queue.put("ben 0", Asker("ben", "192.0.2.9")) == "eve 1"
    with pytest.raises(QueueFull):
        queue.put("ada 1", ADA)
    with pytest.raises(QueueFull):
        queue.put("col 0", Asker("col", "192.0.2.10"))
    assert taken(queue) == ["eve 0", "ada 0", "ben 0"]


def test_what_is_removed_leaves_nothing_behind() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("eve", EVE)
    queue.put("ada", ADA)
    queue.remove("eve")
    queue.remove("eve")
    assert list(queue) == ["ada"]
    assert len(queue) == 1
    assert "eve" not in queue


async def test_turns_are_handed_over_fairly_and_a_full_queue_refuses_the_last() -> None:
    turns = FairTurns(1, most_waiting=2)
    done: list[str] = []
    gate = asyncio.Event()

    async def work(name: str, asker: Asker) -> None:
        async with turns.turn(asker):
            await gate.wait()
            done.append(name)

    tasks = []
    for name, asker in (("eve 0", EVE), ("eve 1", EVE), ("eve 2", EVE), ("ada 0", ADA)):
        tasks.append(asyncio.create_task(work(name, asker)))
        await asyncio.sleep(0)
    with pytest.raises(QueueFull):
        await tasks[2]
    gate.set()
    await asyncio.gather(tasks[0], tasks[1], tasks[3])
    assert done == ["eve 0", "ada 0", "eve 1"]


async def test_who_stops_waiting_takes_no_turn() -> None:
    turns = FairTurns(1, most_waiting=5)
    first = turns.turn(EVE)
    await first.__aenter__()

    async def wait_for_turn() -> None:
        async with turns.turn(ADA):
            pass

    waiting, other = asyncio.create_task(wait_for_turn()), asyncio.create_task(wait_for_turn())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    # The turn isn't lost if its task is cancelled at the very moment it gets the turn.
    third = asyncio.create_task(wait_for_turn())
    await asyncio.sleep(0)
    await first.__aexit__(None, None, None)
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    await third
    async with turns.turn(EVE):
        pass
