"""Compare two builds of canasta: moves per second, and the speed of 4,096 tables against 64.

    python benchmarks/compare.py OLD NEW --keep

OLD and NEW are folders containing an unpacked compiled wheel. The builds take turns, run by run, so that
other load on the machine affects both; times are process times, and the best run of each counts. `--keep`
writes the results to benchmarks/compare.json.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_suffix(".json")

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


def best(program: str, builds: list[str], runs: int, *args: str) -> list[int]:
    """Return the best rate of each build, alternating between the builds."""
    rates = [0.0] * len(builds)
    for _ in range(runs):
        for place, build in enumerate(builds):
            command = [sys.executable, "-P", "-c", program, build, *args]
            finished = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own
            rates[place] = max(rates[place], float(finished.stdout))
    return [round(rate) for rate in rates]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare two builds.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--seconds", default="0.5", help="seconds per run")
    parser.add_argument("--runs", type=int, default=3, help="runs of each build; the best one counts")
    parser.add_argument("--rules", nargs="+", default=["caliente", "bolivia"])
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    args = parser.parse_args()
    builds = [args.old, args.new]
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
        kept = {
            "command": f"python benchmarks/compare.py OLD NEW --runs {args.runs} --seconds {args.seconds}",
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 2),
            "results": results,
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
