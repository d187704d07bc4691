"""Check that nothing is lost or done twice when the server is killed while it is working.

    python -m benchmarks.crash --keep

Many tables of four connected players make moves. At random moments the server is killed (SIGKILL) and
restarted. The clients reconnect automatically and resend any unanswered command with the same id. Finally the
log is checked: it must contain every acknowledged move exactly once and in order, and nothing that was not
sent; and every table must replay. `--keep` writes benchmarks/crash.json.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.load import is_compiled
from benchmarks.table_load import SEATS, LoadedTable, Server, open_tables
from canasta.notation.moves import parse_move
from canasta.server.store.store import Store, make_store
from canasta.table.log import Created, Moved, decode_entry
from canasta.table.table import Table

KEPT = Path(__file__).with_suffix(".json")


class Witness:
    """A table, and the moves that its players remember."""

    def __init__(self, table: LoadedTable, sending: asyncio.Event) -> None:
        self.table = table
        self.sending = sending
        self.acknowledged: list[tuple[str, str]] = []
        """Command id and move, in the order of acknowledgement."""
        self.refused: set[str] = set()
        self.stale = 0

    async def play(self, every: float) -> None:
        while not self.table.is_over:
            await asyncio.sleep(every * random.uniform(0.5, 1.5))
            if self.table.is_between_hands:
                await asyncio.gather(*(self.table.ask(player, t="next") for player in self.table.players))
            elif (player := self.table.mover()) is not None:
                state = player.state
                move = await self.table.choose(player)
                self.sending.set()
                answer = await self.table.ask(player, t="move", state=state, move=move)
                if answer.t == "done":
                    self.acknowledged.append((answer.id, move))
                    await self.table.until(lambda: player.state > state)  # noqa: B023  # awaited before it changes
                else:
                    self.refused.add(answer.id)
                    self.stale += answer.stale
                    if not answer.stale:
                        self.table.note_refusal(state, move, answer)

    async def problems(self, store: Store) -> list[str]:
        """Return what is wrong with the log of this table; empty if all is well."""
        entries = await store.entries(self.table.name)
        problems = []
        if [entry.seq for entry in entries] != list(range(len(entries))):
            problems.append("the log has a gap")
        # The log identifies a command by its player and the player's own id for it.
        rows = [(entry.command.rpartition(":")[2], entry.payload) for entry in entries if entry.command]
        logged = {command: decode_entry(payload) for command, payload in rows}
        times = Counter(command for command, _ in rows)
        for command, move in self.acknowledged:
            entry = logged.get(command)
            if times[command] != 1:
                problems.append(f"{move} was acknowledged and is there {times[command]} times")
            elif not isinstance(entry, Moved) or entry.move != str(parse_move(move)):
                problems.append(f"{move} was acknowledged and the log says {entry}")
        order = [command for command in logged if command in dict(self.acknowledged)]
        if order != [command for command, _ in self.acknowledged]:
            problems.append("the moves are not in the order in which they were acknowledged")
        moves = {command for command, entry in logged.items() if isinstance(entry, Moved)}
        if moves & self.refused:
            problems.append("a refused move is in the log")
        # At most one move can be unanswered: the one in progress at the end.
        if len(moves) > len(self.acknowledged) + 1:
            problems.append(f"{len(moves)} moves in the log, {len(self.acknowledged)} acknowledged")
        problems += self._replay([decode_entry(entry.payload) for entry in entries])
        return [f"{self.table.name}: {problem}" for problem in problems]

    def _replay(self, entries: list[Any]) -> list[str]:
        if not entries or not isinstance(entries[0], Created):
            return ["the log does not begin with the table"]
        table = Table(self.table.name, entries[0])
        try:
            table.apply(entries[1:])
        except Exception as error:  # noqa: BLE001  # whatever it is, the table does not replay
            return [f"does not replay: {type(error).__name__}: {error}"]
        seen = max(player.shown.state for player in self.table.players if player.shown is not None)
        return [] if table.state // 1000 >= seen // 1000 else ["a client saw more than the log holds"]


class Killer:
    """Kills the server at random moments and restarts it."""

    def __init__(self, server: Server, witnesses: list[Witness], sending: asyncio.Event) -> None:
        self.server = server
        self.witnesses = witnesses
        self.sending = sending
        self.answered: list[float] = []
        """Seconds from each start to the first answer."""
        self.all_back: list[float] = []
        """Seconds from each start until every table has made a move."""

    def moves(self) -> list[int]:
        return [len(witness.acknowledged) for witness in self.witnesses]

    def _still(self, before: list[int]) -> list[LoadedTable]:
        """Return the tables at which nobody has moved since."""
        return [
            witness.table
            for now, then, witness in zip(self.moves(), before, self.witnesses, strict=True)
            if now == then and not witness.table.is_over
        ]

    async def kill_once(self, after: float) -> None:
        await asyncio.sleep(after)
        # Wait until some moves are in progress: sent, perhaps written, perhaps not yet acknowledged.
        self.sending.clear()
        await self.sending.wait()
        await asyncio.sleep(random.uniform(0, 0.006))
        self.server.kill()
        before = self.moves()
        began = time.perf_counter()
        await asyncio.to_thread(self.server.start)
        self.answered.append(time.perf_counter() - began)
        while still := self._still(before):
            if time.perf_counter() - began > 90:
                raise SystemExit("\n".join(table.describe() for table in still))
            await asyncio.sleep(0.1)
        self.all_back.append(time.perf_counter() - began)


async def run(server: Server, tables: int, kills: int, every: float, rules: str) -> dict[str, Any]:
    print(f"Opening {tables} tables of {SEATS} players")
    sending = asyncio.Event()
    witnesses = [Witness(table, sending) for table in await open_tables(server, tables, rules)]
    playing = [asyncio.create_task(witness.play(every)) for witness in witnesses]
    killer = Killer(server, witnesses, sending)
    for number in range(1, kills + 1):
        await killer.kill_once(random.uniform(0.5, 2.5) * every)
        moves = f"{sum(killer.moves())} moves so far"
        print(
            f"  killed {number} of {kills}: answered after {killer.answered[-1]:.1f} s, "
            f"all tables moved on after {killer.all_back[-1]:.1f} s; {moves}",
            flush=True,
        )
        if failed := [task for task in playing if task.done() and task.exception() is not None]:
            await failed[0]
    await asyncio.sleep(every)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await asyncio.gather(*(witness.table.close() for witness in witnesses))
    server.kill()
    store = make_store(server.database)
    await store.open()
    problems = [problem for witness in witnesses for problem in await witness.problems(store)]
    await store.close()
    return {
        "tables": tables,
        "clients": tables * SEATS,
        "kills": kills,
        "acknowledged_moves": sum(killer.moves()),
        "lost_connections": sum(player.lost for witness in witnesses for player in witness.table.players),
        "sent_again": sum(witness.table.resent for witness in witnesses),
        "sent_again_and_found_done": sum(witness.table.found_done for witness in witnesses),
        "longest_seconds_until_answering": round(max(killer.answered, default=0), 2),
        "longest_seconds_until_all_tables_moved": round(max(killer.all_back, default=0), 2),
        "refused_as_stale": sum(witness.stale for witness in witnesses),
        "problems": problems,
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--every", type=float, default=1, help="seconds between moves at a table")
    parser.add_argument("--rules", default="caliente")
    parser.add_argument("--seed", type=int, default=0, help="seed for the moments of the crashes")
    parser.add_argument("--python", default=sys.executable, help="the Python that runs the server")
    parser.add_argument("--database", default="", help="URL; default: SQLite in a temporary folder")
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    server = Server(arguments.python, arguments.database)
    try:
        server.start()
        seen = uvloop.run(run(server, arguments.tables, arguments.kills, arguments.every, arguments.rules))
    except BaseException:
        print(server.said(), file=sys.stderr)
        raise
    finally:
        server.close()
    result = {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, which run server and clients",
        "engine": "compiled" if is_compiled(arguments.python) else "plain Python",
        "store": (arguments.database or "sqlite").partition(":")[0],
        **seen,
    }
    print(json.dumps(result, indent=2))
    if arguments.keep:
        KEPT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return int(bool(seen["problems"]))


if __name__ == "__main__":
    sys.exit(main())
