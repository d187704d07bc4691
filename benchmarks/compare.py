"""Compare two builds of canasta: moves per second, and the speed of 4,096 tables against 64.

    python benchmarks/compare.py OLD NEW --keep

OLD and NEW are folders containing an unpacked compiled wheel. The builds take turns, run by run, so that
other load on the machine affects both; times are process times, and the best run of each counts. `--keep`
writes the results to benchmarks/compare.json.

    python benchmarks/compare.py OLD NEW --every-game --runs 10 --keep

This measures the engine alone, in every game; the median of the runs counts. It writes compare-engine.json.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from canasta.rules import preset_names

KEPT = Path(__file__).with_suffix(".json")
KEPT_ENGINE = KEPT.with_name("compare-engine.json")

ENGINE = """
import sys, time
sys.path.insert(0, sys.argv[1])
try:
    from canasta.arena.benchmark import RandomTable
except ImportError:  # an older build
    from canasta.arena.speed import RandomTable
from canasta.rules import load_ruleset
table = RandomTable(load_ruleset(sys.argv[2]), "bench")
begun, moves, passed = time.process_time(), 0, 0.0
while passed < float(sys.argv[3]):
    moves += table.play_hand()
    passed = time.process_time() - begun
print(moves / passed)
"""

VECTOR = """
import sys, time
sys.path.insert(0, sys.argv[1])
from canasta import research
count = int(sys.argv[4])
with research.vector_env(count, sys.argv[2]) as many:
    many.reset(0)
    many.step_randomly(40)
    begun, made, passed = time.process_time(), 0, 0.0
    while passed < float(sys.argv[3]):
        many.step_randomly(max(1, 6400 // count))
        made += max(1, 6400 // count) * count
        passed = time.process_time() - begun
print(made / passed)
"""


def rates(program: str, builds: list[str], runs: int, *args: str) -> list[list[float]]:
    """Return the rates of each build, alternating between the builds."""
    measured: list[list[float]] = [[] for _ in builds]
    for _ in range(runs):
        for place, build in enumerate(builds):
            command = [sys.executable, "-P", "-c", program, build, *args]
            finished = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own
            measured[place].append(float(finished.stdout))
    return measured


def best(program: str, builds: list[str], runs: int, *args: str) -> list[int]:
    """Return the best rate of each build."""
    return [round(max(each)) for each in rates(program, builds, runs, *args)]


def compare_every_game(builds: list[str], runs: int, seconds: str) -> list[dict[str, Any]]:
    """Return the median rates of the engine in every game, and their ratio."""
    results: list[dict[str, Any]] = []
    for rules in preset_names():
        old, new = (round(median(each)) for each in rates(ENGINE, builds, runs, rules, seconds))
        results.append({"rules": rules, "old": old, "new": new, "ratio": round(new / old, 3)})
        print(json.dumps(results[-1]), flush=True)
    return results


def keep(path: Path, args: argparse.Namespace, results: list[dict[str, Any]]) -> None:
    runs = f"{'--every-game ' if args.every_game else ''}--runs {args.runs} --seconds {args.seconds}"
    kept = {
        "command": f"python benchmarks/compare.py OLD NEW {runs}",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "results": results,
    }
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare two builds.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--seconds", default="0.5", help="seconds per run")
    parser.add_argument("--runs", type=int, default=3, help="runs of each build; the best one counts")
    parser.add_argument("--rules", nargs="+", default=["caliente", "bolivia"])
    parser.add_argument(
        "--every-game", action="store_true", help="the engine alone, in every game; medians count"
    )
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name} or {KEPT_ENGINE.name}")
    args = parser.parse_args()
    builds = [args.old, args.new]
    if args.every_game:
        measured = compare_every_game(builds, args.runs, args.seconds)
        if args.keep:
            keep(KEPT_ENGINE, args, measured)
        return
    results: list[dict[str, Any]] = []
    for rules in args.rules:
        old, new = best(ENGINE, builds, args.runs, rules, args.seconds)
        few = best(VECTOR, builds, args.runs, rules, args.seconds, "64")
        many = best(VECTOR, builds, args.runs, rules, args.seconds, "4096")
        results.append(
            {
                "rules": rules,
                "moves_per_second": {"old": old, "new": new, "ratio": round(new / old, 2)},
                "actions_64_tables": {"old": few[0], "new": few[1]},
                "actions_4096_tables": {"old": many[0], "new": many[1]},
                "4096_against_64": {"old": round(many[0] / few[0], 2), "new": round(many[1] / few[1], 2)},
            }
        )
        print(json.dumps(results[-1]), flush=True)
    if args.keep:
        keep(KEPT, args, results)


if __name__ == "__main__":
    main()
