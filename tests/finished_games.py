"""A finished game, as the log of its table records it."""

from collections.abc import Sequence
from typing import Any

from server.running_server import Person, dealt_alone

from canasta.bots import get_bot
from canasta.rules import resolve_ruleset
from canasta.server.accounts.accounts import Sessions
from canasta.server.store.store import Store
from canasta.table.log import BotSeated, Created, Entry, Moved, encode_entry
from canasta.table.rematch import new_table_name
from canasta.table.seats import Person as Sitter
from canasta.table.table import Table


def finished_log(
    people: Sequence[tuple[str, str]], rules: str = "two-player", players: int | None = None, **created: Any
) -> tuple[str, list[Entry]]:
    """Return the name of a table and its log; `people` are ids and names, seated from seat 0."""
    options = {"target": 100}
    chosen = resolve_ruleset(rules, players, options)
    first = Created(
        rules=rules,
        version=chosen.version,
        players=chosen.seats.players,
        options=dict(options),
        public=False,
        level="novice",
        clock=0,
        spectators=True,
        seed="00" * 32,
        made=0.0,
        secret="11" * 16,
        **created,
    )
    table = Table(new_table_name(), first)
    log: list[Entry] = [first]

    def write(entries: Sequence[Entry]) -> None:
        table.apply(entries)
        log.extend(entries)

    write([Sitter(player, name).sits(seat) for seat, (player, name) in enumerate(people)])
    seats = range(len(people), chosen.seats.players)
    write([BotSeated(seat=seat, level="novice") for seat in seats])
    novice = get_bot("novice", "finished")
    while table.status != "over":
        if table.to_act < 0:
            write(dealt_alone(table))
            continue
        match = table.match
        assert match is not None
        write([Moved(seat=table.to_act, move=str(novice.choose(match.hand.view(table.to_act))))])
    return table.name, log


async def id_of(store: Store, person: Person) -> str:
    player = await Sessions(store).player(str(person.rest.cookies["canasta_session"]))
    assert player is not None
    return player.id


async def finished_table(
    store: Store, people: Sequence[Person], rules: str = "two-player", players: int | None = None
) -> str:
    """Create a table in this database at which these people have just finished a game."""
    ids = [await id_of(store, person) for person in people]
    name, log = finished_log(
        [(one, person.name) for one, person in zip(ids, people, strict=True)], rules, players
    )
    await store.create_table(name, public=False, payload=encode_entry(log[0]))
    await store.append(name, 1, [(None, encode_entry(entry)) for entry in log[1:]])
    for one in ids:
        await store.note_sitting(one, name)
    await store.set_status(name, "over")
    return name
