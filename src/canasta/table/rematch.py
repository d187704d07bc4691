"""Rematches: a new table for each further game of the same players.

Each game has its own table, so that records, proofs and lists of games stay simple. The log of a finished
table names the next one.
"""

import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from canasta.i18n.voice import SEAT_NAMES
from canasta.table.log import Agreed, BotSeated, Continued, Created, Entry, Faced, SessionTally, WentAway
from canasta.table.seats import Person
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table
from canasta.table.wire import AgainView, SessionResult

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""Characters used in table names, without any that look alike."""
NAME_LENGTH: Final = 14


def new_table_name() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(NAME_LENGTH))


def _seats_for_rematch(table: Table, entries: Sequence[Entry]) -> set[int]:
    """Return the seats of players who want another game, once these entries are written."""
    agreed = {entry.seat for entry in entries if isinstance(entry, Agreed)}
    left = {entry.seat for entry in entries if isinstance(entry, WentAway) and entry.left}
    # A deleted player's chair has no name.
    return {seat for seat in (table.agreed | agreed) - left if table.chairs[seat].name}


def rematch_entries(table: Table, entries: Sequence[Entry], *, at_once: bool = False) -> list[Entry]:
    """Return the entry that opens the next table, once everybody present wants another game; otherwise an
    empty list.

    entries: the entries that are about to be written. at_once: don't wait for the others.
    """
    if table.status != "over" or table.next_table or table.created.practice:
        return []
    players = _seats_for_rematch(table, entries)
    there = {seat for seat in table.people if table.chairs[seat].name}
    awaited = there - players - {entry.seat for entry in entries if isinstance(entry, WentAway)}
    return [Continued(table=new_table_name())] if players and (at_once or not awaited) else []


def next_table(table: Table, entries: Sequence[Entry], made: float) -> list[Entry]:
    """Return the first log entries of the next table.

    The game, the host and the computer players stay the same. Players who want the rematch keep their seats.
    """
    created: Created = msgspec.structs.replace(
        table.created, seed=new_seed(), made=made, after=table.name, evening=session_tallies(table)
    )
    chairs = table.chairs
    # The first player to sit down becomes the host, so start with the current host.
    people = sorted(
        _seats_for_rematch(table, entries), key=lambda seat: (chairs[seat].player != table.host, seat)
    )
    usual = SEAT_NAMES[len(chairs)]
    return [
        created,
        *(Person.of(chairs[seat]).sits(seat) for seat in people),
        *(Faced(seat=seat, face=chairs[seat].face) for seat in people if chairs[seat].face),
        *(
            BotSeated(seat=seat, level=chair.level, name="" if chair.name == usual[seat] else chair.name)
            for seat, chair in enumerate(chairs)
            if chair.level and not chair.player
        ),
    ]


def session_tallies(table: Table) -> list[SessionTally]:
    """Return the results of the session, including the game at this table if it is over."""
    by_player = {tally.player: tally for tally in table.created.evening}
    match = table.match
    if match is None or not match.over:
        return list(by_player.values())
    for seat, chair in enumerate(table.chairs):
        if not chair.player:
            continue
        side = match.side_of[seat]
        before = by_player.get(chair.player)
        by_player[chair.player] = SessionTally(
            player=chair.player,
            name=chair.name,
            games=1 + (0 if before is None else before.games),
            won=int(match.winner == side) + (0 if before is None else before.won),
            points=match.scores[side] + (0 if before is None else before.points),
        )
    return list(by_player.values())


def again_view(table: Table) -> AgainView:
    return AgainView(yes=sorted(table.agreed), next=table.next_table)


def session_view(table: Table) -> list[SessionResult]:
    rows: list[SessionResult] = []
    for tally in session_tallies(table):
        seat = table.seat_of(tally.player)
        rows.append(
            SessionResult(
                name=tally.name if seat is None else table.names[seat],
                seat=-1 if seat is None else seat,
                games=tally.games,
                won=tally.won,
                points=tally.points,
            )
        )
    return sorted(rows, key=lambda row: (-row.won, -row.points))
