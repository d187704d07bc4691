"""Fair deals from a log: stopped at any moment, of version 1, and as their record tells them."""

from collections.abc import Sequence
from typing import Any

import pytest
from server.fair_table import FairTable, Someone, whole
from server.test_commands import Shelf, a_house

from canasta.engine.fair import FairRound, commit_to
from canasta.notation.record import HandStarts, RoundVoid
from canasta.notation.record_reader import parse_record
from canasta.server.store.store import StoredEntry
from canasta.table.log import (
    BotSeated,
    Created,
    Dealt,
    FairDealt,
    Moved,
    Revealed,
    Seated,
    Seeded,
    WrongLog,
    decode_entry,
    encode_entry,
)
from canasta.table.table import Table
from canasta.terminal.witness import CHECKED, Witness

# -- stops at any moment ----------------------------------------------------------------------------------


async def a_log() -> tuple[str, Sequence[StoredEntry], dict[str, Witness]]:
    """Of a cut and a deal, both with a void round."""
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
        # The people come back with what their pages know: nothing, which is the worst case.
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
        # What was in the log before the stop is still the beginning of the log.
        assert shelf.logs[name][:length] == log[:length]
        again = await a_house(shelf).find(name)
        assert again is not None
        assert again.table.steps == live.table.steps
        await table.close()


async def test_pages_that_remember_go_on_in_the_same_round() -> None:
    """The server stops when one of two seeds is revealed; nobody has to commit again."""
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


# -- tables of version 1 ----------------------------------------------------------------------------------

OLD_TABLE = "tabbe234567abc"


def old_log() -> list[Any]:
    """The log of a table as version 1 wrote it, to the end of its first hand."""
    log: list[Any] = [
        Created(
            rules="two-player", version=1, players=2, options={"target": 20_000}, public=False, level="club",
            clock=0, spectators=True, seed="ab" * 32, made=0.0,
        ),
        Seated(seat=0, player="ada", name="Ada"),
        Seated(seat=1, player="ben", name="Ben"),
        Seeded(seat=0, seed="my-own-luck"),
        Dealt(player_seeds=["my-own-luck", "seat-1"], next_seed="cd" * 32),
    ]  # fmt: skip
    return log


async def test_an_old_table_goes_on_with_version_2() -> None:
    shelf = Shelf()
    shelf.logs[OLD_TABLE] = [
        StoredEntry(number, None, encode_entry(entry)) for number, entry in enumerate(old_log())
    ]
    house = a_house(shelf, fair_patience=3600.0)
    live = await house.find(OLD_TABLE)
    assert live is not None
    people = [Someone(player, OLD_TABLE) for player in ("ada", "ben")]
    table = FairTable(house, shelf, live, people)
    for person in people:
        await live.enter(person)
    await table.play_hand()
    await table.next_hand()
    await table.play_hand()
    replayer = whole(live.table.record())
    assert [isinstance(hand.fair, FairRound) for hand in replayer.fair_hands] == [False, True]
    assert people[0].results == [(2, CHECKED)]
    await table.close()


def test_an_old_waiting_table_of_a_game_with_a_cut_cuts() -> None:
    created = old_log()[0]
    created.rules, created.players = "jaques", 4
    table = Table(OLD_TABLE, created)
    table.apply([Seated(seat=0, player="ada", name="Ada")])
    assert table.shuffling.hand == 0


def test_a_log_that_deals_without_its_seeds_is_no_log() -> None:
    table = Table(OLD_TABLE, old_log()[0])
    table.apply(old_log()[1:3])
    with pytest.raises(WrongLog):
        table.apply([FairDealt(next_seed="00" * 32)])


def test_moves_of_an_old_log() -> None:
    table = Table(OLD_TABLE, old_log()[0])
    table.apply([*old_log()[1:], BotSeated(seat=1, level="club")])
    assert table.match is not None
    table.apply([Moved(seat=table.match.hand.turn, move="draw")])
    assert table.steps[-1] == "draw"


def test_the_commitment_of_the_wire_is_that_of_the_documentation() -> None:
    table = Table(OLD_TABLE, old_log()[0])
    assert table.shuffling.server_commitment == commit_to(
        "ab" * 32, table=OLD_TABLE, hand=1, number=1, seat=-1
    )


async def test_a_record_tells_void_rounds_before_their_hand() -> None:
    table = await FairTable.open("ben")
    table.people[1].reveals = False
    await table.start()
    await table.patience_ends()
    await table.play_hand()
    kinds = [type(entry) for entry in parse_record(table.live.table.record()).entries[:2]]
    assert kinds == [RoundVoid, HandStarts]
    await table.close()
