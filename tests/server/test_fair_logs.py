"""Fair deals from a log: stopped at any moment, and as their record has them."""

from collections.abc import Sequence

import pytest
from server.fair_table import FairTable, Someone
from server.test_commands import Shelf, a_house

from canasta.engine.fairness import FairRound, commit_to
from canasta.notation.record import HandStarts, RoundVoid
from canasta.notation.record_reader import parse_record
from canasta.server.store.store import StoredEntry
from canasta.table.log import (
    Created,
    FairDealt,
    LogError,
    Revealed,
    Seated,
    decode_entry,
)
from canasta.table.table import Table
from canasta.terminal.fairness import CHECKED, FairnessClient

# -- interruptions at any moment --------------------------------------------------------------------------


async def a_log() -> tuple[str, Sequence[StoredEntry], dict[str, FairnessClient]]:
    """Return the log of a cut and a deal, each with a void round."""
    table = await FairTable.open("ben", "cem", rules="jaques", players=3)
    _, ben, cem = table.people
    cem.reveals = False
    await table.start()
    await table.patience_ends()
    cem.reveals = True
    ben.reveals = False
    await table.next_hand()
    await table.patience_ends()
    assert table.live.table.match is not None
    log = list(table.shelf.logs[table.live.table.name])
    witnesses = {person.player: person.witness for person in table.people}
    await table.close()
    return table.live.table.name, log, witnesses


async def test_every_beginning_of_the_log_can_be_gone_on_from() -> None:
    name, log, _ = await a_log()
    kinds = {type(decode_entry(stored.payload)).__name__ for stored in log}
    assert {
        "Committed",
        "ListClosed",
        "Revealed",
        "RoundVoided",
        "SeatsCut",
        "FairDealt",
        "DealAsked",
    } <= kinds
    for length in range(2, len(log) + 1):
        shelf = Shelf()
        shelf.logs[name] = list(log[:length])
        house = a_house(shelf, fair_patience=3600.0, cut_pause=3600.0)
        live = await house.find(name)
        assert live is not None
        seated = [chair.player for chair in live.table.chairs if chair.player]
        # The people come back with empty pages, the worst case.
        people = [Someone(player, name) for player in seated]
        table = FairTable(house, shelf, live, people)
        for person in people:
            await live.enter(person)
        await table.settle()
        if live.table.match is None and not live.table.is_dealing and live.table.cut is None:
            await table.start()
        for _ in range(8):
            if live.table.match is not None:
                break
            if live.table.is_dealing:
                await table.patience_ends()
            else:
                await table.next_hand()
        assert live.table.match is not None, length
        # The log from before the stop is still the beginning of the log.
        assert shelf.logs[name][:length] == log[:length]
        again = await a_house(shelf).find(name)
        assert again is not None
        assert again.table.steps == live.table.steps
        await table.close()


async def test_pages_that_remember_go_on_in_the_same_round() -> None:
    """The server stops when one of two seeds has been revealed; nobody has to commit again."""
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.reveals = False
    await table.start()
    name, log = table.live.table.name, table.shelf.logs[table.live.table.name]
    assert isinstance(decode_entry(log[-1].payload), Revealed)
    house = a_house(table.shelf, fair_patience=3600.0)
    live = await house.find(name)
    assert live is not None
    people = [Someone(person.player, name, person.witness) for person in (ada, ben)]
    again = FairTable(house, table.shelf, live, people)
    for person in people:
        await live.enter(person)
    await again.settle()
    fair = live.table.fair
    assert isinstance(fair, FairRound)
    assert (fair.number, fair.contributors) == (1, (0, 1))
    await again.play_hand()
    assert people[0].results == [(1, CHECKED)]
    await again.close()
    await table.close()


# -- logs that make no sense -------------------------------------------------------------------------------


TABLE = "tabbe234567abc"


def created() -> Created:
    return Created(
        rules="two-player", version=1, players=2, options={}, public=False, level="club",
        clock=0, spectators=True, seed="ab" * 32, made=0.0,
    )  # fmt: skip


def test_a_log_that_deals_without_its_seeds() -> None:
    table = Table(TABLE, created())
    table.apply([Seated(seat=0, player="ada", name="Ada"), Seated(seat=1, player="ben", name="Ben")])
    with pytest.raises(LogError):
        table.apply([FairDealt(next_seed="00" * 32)])


def test_the_commitment_of_the_wire_is_that_of_the_documentation() -> None:
    table = Table(TABLE, created())
    assert table.shuffling.server_commitment == commit_to("ab" * 32, table=TABLE, hand=1, number=1, seat=-1)


async def test_a_record_tells_void_rounds_before_their_hand() -> None:
    table = await FairTable.open("ben")
    table.people[1].reveals = False
    await table.start()
    await table.patience_ends()
    await table.play_hand()
    kinds = [type(entry) for entry in parse_record(table.live.table.record()).entries[:2]]
    assert kinds == [RoundVoid, HandStarts]
    await table.close()
