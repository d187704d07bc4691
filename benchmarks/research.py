"""Measure the speed of the vector environment, with observations and masks, for every preset.

    python benchmarks/research.py --keep

Actions are random and legal, and choosing them is timed too. A single process is measured by process time,
several by wall clock, which requires as many idle cores. The best of several short runs counts, since other
load on the machine can only slow a run down. `--keep` writes the results to benchmarks/research.json. Install
the compiled package first.
"""

import argparse
import json
import os
import platform
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

from canasta import research
from canasta.research import batch
from canasta.research.vector import VectorTables
from canasta.rules import preset_names

KEPT = Path(__file__).with_suffix(".json")
STRETCH = 6400
"""Approximate number of actions between checks of the clock; at least one at every table."""


def best_rate(many: VectorTables, seconds: float, runs: int, by_array: bool) -> float:
    """Return the actions per second of the best run, in one call or with an array of actions per step."""
    now = time.process_time if many.processes == 1 else time.perf_counter
    best = 0.0
    steps = max(1, STRETCH // many.count)
    for _ in range(runs):
        made = 0
        start = now()
        while (passed := now() - start) < seconds:
            if by_array:
                for _ in range(steps):
                    many.step(many.sample())
            else:
                many.step_randomly(steps)
            made += steps * many.count
        best = max(best, made / passed)
    return best


def measure(preset: str, tables: int, processes: int, seconds: float, runs: int) -> dict[str, Any]:
    with research.vector_env(tables * processes, preset, processes=processes) as many:
        many.reset(0)
        many.step_randomly(200)
        return {
            "rules": preset,
            "players": many.players,
            "processes": processes,
            "tables": many.count,
            "observation_bytes": many.observation_size,
            "mask_bytes": many.action_count,
            "actions_per_second": round(best_rate(many, seconds, runs, by_array=False)),
            "handed_in_per_second": round(best_rate(many, seconds, runs, by_array=True)),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the vector environment.")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds per run")
    parser.add_argument("--runs", type=int, default=5, help="runs, of which the best counts")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tables", type=int, nargs="+", default=[64], help="tables per process")
    parser.add_argument("--rules", nargs="+", default=preset_names(), choices=preset_names())
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    results = []
    print(f"{'rules':<16}{'processes':>10}{'tables':>8}{'actions/s':>12}{'handed in':>12}")
    for processes, preset, tables in product(arguments.processes, arguments.rules, arguments.tables):
        result = measure(preset, tables, processes, arguments.seconds, arguments.runs)
        results.append(result)
        print(
            f"{preset:<16}{processes:>10}{tables:>8}{result['actions_per_second']:>12,}"
            f"{result['handed_in_per_second']:>12,}",
            flush=True,
        )
    if arguments.keep:
        kept = {
            "command": "python benchmarks/research.py " + " ".join(sys.argv[1:]),
            "python": platform.python_version(),
            "compiled": not str(batch.__file__).endswith(".py"),
            "cores": os.cpu_count(),
            "load_before": round(load, 2),
            "results": results,
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
