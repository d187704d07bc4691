"""Processes notify each other when a log has grown."""

import pytest
import structlog
from services import RedisServer, wait_until

from canasta.server.tables.pubsub import CHANNEL, NoFanout, RedisFanout, make_fanout


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str | None, int]] = []

    def __call__(self, table: str | None, seq: int) -> None:
        self.heard.append((table, seq))


async def test_one_process_hears_nothing() -> None:
    fanout, ear = make_fanout(None), Ear()
    assert isinstance(fanout, NoFanout)
    await fanout.open()
    fanout.subscribe(ear)
    fanout.publish("t", 1)
    await fanout.close()
    assert ear.heard == []


async def test_the_others_hear_and_the_speaker_does_not(redis_server: RedisServer) -> None:
    speaker, listener = make_fanout(redis_server.url), make_fanout(redis_server.url)
    own, other = Ear(), Ear()
    speaker.subscribe(own)
    listener.subscribe(other)
    await speaker.open()
    await listener.open()
    speaker.publish("t", 7)
    speaker.publish("a table with spaces", 1)
    await wait_until(lambda: len(other.heard) == 2)
    assert other.heard == [("t", 7), ("a table with spaces", 1)]
    assert own.heard == []
    await speaker.close()
    await listener.close()


async def test_only_the_newest_number_of_a_moment_travels(redis_server: RedisServer) -> None:
    speaker, listener, ear = make_fanout(redis_server.url), make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await speaker.open()
    await listener.open()
    for seq in (3, 5, 4):
        speaker.publish("t", seq)
    await wait_until(lambda: bool(ear.heard))
    assert ear.heard == [("t", 5)]
    await speaker.close()
    await listener.close()


async def test_after_an_outage_listeners_know_that_they_may_have_missed_something(
    redis_server: RedisServer,
) -> None:
    speaker, listener, ear = make_fanout(redis_server.url), make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await speaker.open()
    await listener.open()
    with structlog.testing.capture_logs() as told:
        redis_server.stop()
        speaker.publish("t", 1)
        await wait_until(lambda: {"fanout_lost", "fanout_send_failed"} <= {line["event"] for line in told})
    assert ear.heard == []
    redis_server.start()
    await wait_until(lambda: (None, 0) in ear.heard)
    speaker.publish("t", 2)
    await wait_until(lambda: ("t", 2) in ear.heard)
    await speaker.close()
    await listener.close()


async def test_a_table_plays_on_without_redis() -> None:
    fanout = RedisFanout("redis://127.0.0.1:9/0")
    fanout.subscribe(Ear())
    await fanout.open()
    for seq in range(1000):
        fanout.publish("t", seq)
    await fanout.close()


@pytest.mark.parametrize("message", [b"", b"one two", b"x y z", b"\xff\xfe 3 t", b"x 3"])
async def test_strange_messages_are_passed_over(redis_server: RedisServer, message: bytes) -> None:
    import redis.asyncio  # noqa: PLC0415 - an extra

    listener, ear = make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await listener.open()
    client = redis.asyncio.Redis.from_url(redis_server.url)
    await client.publish(CHANNEL, message)
    await client.publish(CHANNEL, b"somebody 12 t")
    await wait_until(lambda: ("t", 12) in ear.heard)
    assert [table for table, _ in ear.heard if table != "t"] == []
    await client.aclose()
    await listener.close()
