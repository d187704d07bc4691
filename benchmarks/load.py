"""Measure how quickly a move reaches everyone at the table when one server process holds many tables.

    python -m benchmarks.load --keep

Starts a server on loopback, opens tables of four connected players, and makes a legal move at each table
every second. The result is the time from sending a move until the last of the four clients has received the
table after it. The clients run in this process on the same machine. `--keep` writes the result to
benchmarks/load.json. Install the compiled package first; the result states which one ran. On a busy machine,
`chrt --rr 1 python -m benchmarks.load` keeps other work out of the measurement, and the result states that
too.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import resource
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.table_load import SEATS, LoadedTable, Server, open_tables

KEPT = Path(__file__).with_suffix(".json")


class Course:
    """The measured part of the run, and its results."""

    def __init__(self, every: float, warm_up: float, seconds: float) -> None:
        self.every = every
        self.begins = time.perf_counter() + warm_up
        self.ends = self.begins + seconds
        self.took: list[float] = []
        """Seconds from sending a move until everyone has received it."""
        self.late = 0
        """Moves delayed because the previous one had not reached everyone."""


async def make_move(table: LoadedTable) -> float | None:
    """Make a move. Return the seconds until everyone had seen it, or `None` if there was none to make."""
    if table.is_between_hands:
        await asyncio.gather(*(table.ask(player, t="next") for player in table.players))
        await table.until(lambda: table.mover() is not None)
        return None
    while (player := table.mover()) is not None:
        state, command = player.state, secrets.token_hex(8)
        move = await table.choose(player)
        sent = time.perf_counter()
        await player.send(t="move", id=command, state=state, move=move)
        await table.until(lambda: command in player.answers, 30)  # noqa: B023  # awaited before it changes
        answer = player.answers.pop(command)
        if answer.t == "done":
            await table.until(lambda: all(other.state >= answer.state for other in table.players), 30)  # noqa: B023
            return max(other.shown_at for other in table.players) - sent
        table.note_refusal(state, move, answer)
    return None


async def play(table: LoadedTable, course: Course) -> None:
    due = time.perf_counter() + random.random() * course.every
    while due < course.ends and not table.is_over:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        began = time.perf_counter()
        took = await make_move(table)
        if took is not None and course.begins <= began < course.ends:
            course.took.append(took)
            course.late += began > due + course.every / 2
        due = max(due + course.every, time.perf_counter())


def quantiles(took: list[float]) -> dict[str, float]:
    """Return quantiles in milliseconds."""
    ordered = sorted(took) or [0.0]
    places = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99.9": 0.999}
    figures = {
        name: ordered[min(int(len(ordered) * place), len(ordered) - 1)] for name, place in places.items()
    }
    return {name: round(1000 * value, 2) for name, value in {**figures, "max": ordered[-1]}.items()}


async def tell_progress(course: Course) -> None:
    reported = 0
    while True:
        await asyncio.sleep(5)
        if course.took[reported:]:
            numbers = quantiles(course.took[reported:])
            left = max(0, round(course.ends - time.perf_counter()))
            print(
                f"  {len(course.took):6} moves, p50 {numbers['p50']}, p99 {numbers['p99']} ms; {left} s left"
            )
            reported = len(course.took)


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Return the memory of a process in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def is_compiled(python: str) -> bool:
    code = "import canasta.engine.cards as cards; print(cards.__file__)"
    output = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return not output.strip().endswith(".py")


async def run(
    server: Server, tables: int, rules: str, every: float, warm_up: float, seconds: float
) -> dict[str, Any]:
    began = time.perf_counter()
    print(f"Opening {tables} tables of {SEATS} players")
    loaded = await open_tables(
        server, tables, rules, lambda done: print(f"  {done} tables") if done % 50 == 0 else None
    )
    print(f"  in {time.perf_counter() - began:.1f} s; {warm_up:.0f} s to warm up, {seconds:.0f} s that count")
    course = Course(every, warm_up, seconds)
    progress = asyncio.create_task(tell_progress(course))
    players = [asyncio.create_task(play(table, course)) for table in loaded]
    await asyncio.sleep(max(0.0, course.begins - time.perf_counter()))
    server_before, own_before = (
        processor_seconds(server.pid),
        sum(resource.getrusage(resource.RUSAGE_SELF)[:2]),
    )
    done, _ = await asyncio.wait(players, timeout=course.ends + 20 - time.perf_counter())
    if still := [table.describe() for table, task in zip(loaded, players, strict=True) if task not in done]:
        raise SystemExit("\n".join(["Tables that stand still:", *still]))
    await asyncio.gather(*players)
    server_after, own_after = processor_seconds(server.pid), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    progress.cancel()
    result = {
        "tables": tables,
        "clients": tables * SEATS,
        "rules": rules,
        "seconds": seconds,
        "moves": len(course.took),
        "moves_per_second": round(len(course.took) / seconds, 1),
        "late": course.late,
        "refused": sum(table.refused for table in loaded),
        "lost_connections": sum(player.lost for table in loaded for player in table.players),
        "problems": sorted(
            {text for table in loaded for player in table.players for text in player.problems}
        ),
        "milliseconds_to_everyone": quantiles(course.took),
        "server_cores": round((server_after - server_before) / seconds, 2),
        "client_cores": round((own_after - own_before) / seconds, 2),
        "server_megabytes": memory(server.pid),
    }
    await asyncio.gather(*(table.close() for table in loaded))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30, help="length of the measured part")
    parser.add_argument("--warm-up", type=float, default=5)
    parser.add_argument("--every", type=float, default=1, help="seconds between moves at a table")
    parser.add_argument("--rules", default="caliente")
    parser.add_argument("--python", default=sys.executable, help="the Python that runs the server")
    parser.add_argument("--database", default="", help="URL; default: SQLite in a temporary folder")
    parser.add_argument("--goal", type=float, default=100, help="milliseconds for 99 of 100 moves")
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    args = parser.parse_args()
    server = Server(args.python, args.database)
    try:
        server.start()
        measured = uvloop.run(
            run(
                server,
                args.tables,
                args.rules,
                args.every,
                args.warm_up,
                args.seconds,
            )
        )
    finally:
        server.close()
    result = {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, which run server and clients",
        "scheduling": "normal" if os.sched_getscheduler(0) == os.SCHED_OTHER else "real-time",
        "engine": "compiled" if is_compiled(args.python) else "plain Python",
        "store": (args.database or "sqlite").partition(":")[0],
        **measured,
    }
    print(json.dumps(result, indent=2))
    if args.keep:
        KEPT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return int(measured["milliseconds_to_everyone"]["p99"] > args.goal)


if __name__ == "__main__":
    sys.exit(main())
