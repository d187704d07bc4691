"""A server that cheats at some tables: `python -m browser.unfair_server PORT FOLDER`.

A game's target selects the cheat.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from browser.table_server import patient_settings, run

from canasta.bots import get_bot
from canasta.engine.cards import KINDS, WILD_CARD
from canasta.engine.events import Event
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.engine.state import HandState
from canasta.notation.record import CutMade, HandStarts, Record, RoundVoid, entries_after
from canasta.notation.record import Entry as RecordEntry
from canasta.server.fair_queue import Asker
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.timers import SeedTimeouts
from canasta.server.workers.pool import TableBots
from canasta.table import commands, frames
from canasta.table.commands import not_now
from canasta.table.event_views import Change
from canasta.table.frames import Frames
from canasta.table.next_action import BotMove
from canasta.table.table import Table
from canasta.table.wire import EventView, TableState

HONEST: Final = 5_001
STRONG_OPPONENT: Final = 5_002
"""The computer player gets wild cards from deep in the stock."""
DROPPED_LINE: Final = 5_003
"""The connection breaks at the deal, and the person has other cards afterwards."""
NOTHING_SAID: Final = 5_004
"""The person's cards are swapped, and the page gets no events for the deal or the draws."""
EARLY_SEED: Final = 5_005
NO_COMMITMENTS: Final = 5_006
"""Every commitment is refused as late."""
FORGED_RECORD: Final = 5_007
"""The record has the seeds of the game but other moves."""

PERSON: Final = 0
_RETRY: Final = 1012
"""WebSocket close code after which the page reconnects."""


def cheat_of(table: Table) -> int:
    target = table.created.options.get("target", 0)
    return target if isinstance(target, int) else 0


def give_wilds(state: HandState, seat: int, count: int = 4) -> None:
    """Exchange cards of a hand for cards from deep in the stock, wild ones if it has any."""
    deck, roles = list(state.deck), state.compiled.role_of
    places = sorted(range(state.at, len(deck)), key=lambda at: (roles[deck[at]] == WILD_CARD, at))
    held = [kind for kind in range(KINDS) for _ in range(state.held(seat, kind))]
    plain = [kind for kind in held if roles[kind] != WILD_CARD]
    for at in reversed(places[-count:]):
        kind = next(kind for kind in plain if kind != deck[at])
        plain.remove(kind)
        state.remove(seat, kind)
        state.give(seat, deck[at])
        deck[at] = kind
    state.set_deck(deck)


def forged(table: Table) -> Record:
    """Return the hands of a table as computer players would have played them, dealt from the same seeds."""
    bot = get_bot("novice")
    entries: list[RecordEntry] = []
    match: Match | None = None
    for entry in table.record_entries:
        if isinstance(entry, (RoundVoid, CutMade)):
            entries.append(entry)
        if not isinstance(entry, HandStarts):
            continue
        entries.append(entry)
        if match is None:
            match = Match.new(table.rules, table.seed, fair=entry.fair)
        else:
            match.deal_next(entry.fair)
        while not match.hand.over:
            seat = match.hand.turn
            move = bot.choose(match.hand.view(seat))
            match.apply(move)
            entries += entries_after(match, seat, move)
    record = Record(table.header(), entries)
    record.note_left()
    return record


def replace_method(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    setattr(owner, name, make(getattr(owner, name)))


def cheat() -> None:
    """Patch the server's code, as an operator could."""

    def dealt(usual: Any) -> Any:
        def deal(table: Table, *given: Any) -> Change:
            told: Change = usual(table, *given)
            assert table.match is not None
            state = table.match.hand.state
            if cheat_of(table) == STRONG_OPPONENT:
                give_wilds(state, PERSON + 1)
            elif cheat_of(table) in (DROPPED_LINE, NOTHING_SAID):
                give_wilds(state, PERSON)
            return told

        return deal

    def shown(usual: Any) -> Any:
        def show(live: LiveTable, change: Sequence[EventView | Event], without: Any = None) -> None:
            is_deal = any(isinstance(part, EventView) and part.what == "dealt" for part in change)
            if cheat_of(live.table) == DROPPED_LINE and is_deal:
                for viewer in live._viewers:
                    viewer.close(_RETRY, "")
                return
            usual(live, change, without)

        return show

    def state_made(usual: Any) -> Any:
        def state(made: Frames, *given: Any) -> TableState:
            told: TableState = usual(made, *given)
            if cheat_of(made._table) == NOTHING_SAID:
                # Report different events from those that happened.
                told.events = [
                    EventView(what="hurried", seat=event.seat) if event.what == "drew" else event
                    for event in told.events
                    if event.what != "dealt"
                ]
            return told

        return state

    def in_play(usual: Any) -> Any:
        def view(table: Table, match: Match) -> Any:
            told = usual(table, match)
            if cheat_of(table) == EARLY_SEED and isinstance(table.fair, FairRound):
                told.dealt = frames.round_view(table.fair)
            return told

        return view

    def written(usual: Any) -> Any:
        def record(table: Table, **given: Any) -> Record:
            return forged(table) if cheat_of(table) == FORGED_RECORD else usual(table, **given)

        return record

    async def choose(_: TableBots, match: Match, seat: int, level: str, _asker: Asker) -> BotMove:
        """Think in this process: the worker processes don't have the exchanged cards."""
        return BotMove(match.try_move(get_bot(level).choose(match.hand.view(seat))))

    replace_method(TableBots, "choose", lambda _: choose)
    replace_method(Table, "_dealt", dealt)
    replace_method(LiveTable, "_show", shown)
    replace_method(Frames, "_state", state_made)
    replace_method(frames, "_fair", in_play)
    replace_method(Table, "written", written)


def refuse_commitments() -> None:
    """Refuse the commitment of the page, and close the list soon afterwards."""
    refused: set[str] = set()
    """Tables at which a commitment was refused."""

    def commit(usual: Any) -> Any:
        def order(table: Table, *given: Any) -> Any:
            if cheat_of(table) == NO_COMMITMENTS:
                refused.add(table.name)
                raise not_now("LATE_SEED", stale=True)
            return usual(table, *given)

        return order

    def until(usual: Any) -> Any:
        def ends(patience: SeedTimeouts, *given: Any) -> float:
            end: float = patience._since if patience._table.name in refused else usual(patience, *given)
            return end

        return ends

    def due(usual: Any) -> Any:
        def look_again(patience: SeedTimeouts, *given: Any) -> float | None:
            """Close the list soon after a commitment was refused, which doesn't wake the table."""
            when: float | None = usual(patience, *given)
            is_open = cheat_of(patience._table) == NO_COMMITMENTS and when is not None
            return time.monotonic() + 0.1 if is_open and patience._table.name not in refused else when

        return look_again

    replace_method(commands, "_commit_seed", commit)
    replace_method(SeedTimeouts, "_until", until)
    replace_method(SeedTimeouts, "due", due)


def main(port: str, folder: str) -> int:
    cheat()
    refuse_commitments()
    return run(patient_settings(port, folder))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
