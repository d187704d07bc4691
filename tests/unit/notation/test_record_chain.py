"""The hash chain of a record: the same at the table and from the record, and keyed with a secret."""

from dataclasses import replace

from witnessed_table import WitnessedTable

from canasta.engine.fairness import FairRound
from canasta.notation.record import Entry, GameLeft, HandStarts, MoveMade, Remark
from canasta.notation.record_fairness import chain_line, chain_values
from canasta.notation.record_reader import RecordReader

SMALL = {"hand_size": 5, "canastas_to_go_out": 0}


def played() -> WitnessedTable:
    """Return a game with a cut and a void round."""
    table = WitnessedTable("jaques", 4, 2, seed="chain", options=SMALL)
    table.viewings[1].reveals = False
    table.start()
    table.void_round()
    if table.table.match is None:
        table.next_hand()
        table.void_round()
    table.play_hand()
    return table


def entries_of(watched: WitnessedTable) -> list[Entry]:
    """Return the entries of the record, as read from its text."""
    reader = RecordReader(watched.table.record())
    reader.header()
    return list(reader.entries())


def test_the_record_gives_the_values_that_the_table_showed() -> None:
    watched = played()
    reader = RecordReader(watched.table.record())
    header, entries = reader.header(), list(reader.entries())
    values = chain_values(header.seed, entries)
    assert watched.table.voids or any(type(entry).__name__ == "RoundVoid" for entry in entries)
    shown = [seen.chain for seen in watched.viewings[0].witness.hands[1].observations]
    assert len(shown) > 5
    assert set(shown) <= set(values)
    assert values[-1 if not isinstance(entries[-1], GameLeft) else -2] == watched.table.chain


def test_comments_change_nothing_and_moves_do() -> None:
    entries = entries_of(played())
    values = chain_values("table", entries)
    commented = [replace(each, comment="well") if isinstance(each, MoveMade) else each for each in entries]
    assert chain_values("table", [Remark("hello"), *commented])[2:] == values[1:]
    at = next(number for number, each in enumerate(entries) if isinstance(each, MoveMade))
    other = chain_values("table", [*entries[:at], *entries[at + 1 :]])
    assert not set(other[at + 1 :]) & set(values)
    assert chain_values("another", entries)[0] != values[0]


def test_the_hash_of_a_move_needs_the_secret_seed() -> None:
    """Without the secret, anyone could use the hash to guess a card that was discarded face down."""
    entries = entries_of(played())
    at = next(number for number, each in enumerate(entries) if isinstance(each, HandStarts) and each.number)
    start = entries[at]
    assert isinstance(start, HandStarts)
    fair = start.fair
    assert isinstance(fair, FairRound)
    assert fair.server_seed not in chain_line(start)
    guessed = replace(fair, server=replace(fair.server, seed="00" * 32))
    values = chain_values("table", entries)
    others = chain_values("table", [*entries[:at], replace(start, fair=guessed), *entries[at + 1 :]])
    assert not set(values[at + 1 :]) & set(others)


def test_games_from_a_seed_have_none() -> None:
    assert chain_values("table", [HandStarts(1)])[1:] == [""]
