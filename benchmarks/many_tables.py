"""Check whether thousands of tables in one process step as fast as sixty-four.

    python benchmarks/many_tables.py --keep
    python benchmarks/many_tables.py --before OTHER --keep

Either a learner provides the actions (choosing them is not timed), or the tables choose at random. The tables
first play until their hands are at all stages. The numbers of tables alternate, and so does another compiled
build (`--before`, its folder), each in a process of its own. The result is the median and the lowest of
several short runs, in nanoseconds per action. `--keep` writes the results to benchmarks/many_tables.json.
Install the compiled package first, and keep the machine idle meanwhile.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from canasta.research import batch, vector_env
from canasta.research.vector import VectorTables

KEPT = Path(__file__).with_suffix(".json")
SIZES = (64, 1024, 4096)
WARM_UP = 1500
"""Actions at each table before timing starts: about seven hands of `caliente`. With
fewer, many tables are still at the same stage of a hand."""
STRETCH = 49_152
"""Number of actions in a run."""
RUNS = 10

Times = dict[str, dict[int, list[float]]]
"""By source of the actions and number of tables: the nanoseconds per action of each run."""


def chosen(tables: VectorTables, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return a random legal action for every table, found from the masks as a learner does."""
    wished: npt.NDArray[np.float32] = rng.random(tables.masks.shape, dtype=np.float32)
    best: npt.NDArray[np.intp] = (wished * tables.masks).argmax(1)
    return best


def handed_in(tables: VectorTables, steps: int, rng: np.random.Generator) -> float:
    spent = 0.0
    for _ in range(steps):
        actions = chosen(tables, rng)
        start = time.perf_counter()
        tables.step(actions)
        spent += time.perf_counter() - start
    return spent


def themselves(tables: VectorTables, steps: int) -> float:
    start = time.perf_counter()
    tables.step_randomly(steps)
    return time.perf_counter() - start


def measure(rules: str, runs: int) -> Times:
    rng = np.random.default_rng(1)
    games = {size: vector_env(size, rules) for size in SIZES}
    for tables in games.values():
        tables.reset(3)
        tables.step_randomly(WARM_UP)
    times: Times = {"handed_in": {size: [] for size in SIZES}, "themselves": {size: [] for size in SIZES}}
    for _ in range(runs):
        for size, tables in games.items():
            steps = STRETCH // size
            one = 1e9 / (steps * size)
            tables.step_randomly(1)
            times["handed_in"][size].append(handed_in(tables, steps, rng) * one)
            times["themselves"][size].append(themselves(tables, steps) * one)
    return times


def measured_apart(rules: str, runs: int, build: str) -> Times:
    """Measure in a separate process, with the build in this folder or, by default, our own."""
    command = [sys.executable, "-P", __file__, "--rules", rules, "--runs", str(runs), "--raw"]
    path = {"PYTHONPATH": build} if build else {}
    finished = subprocess.run(  # noqa: S603 - this very file
        command, env=os.environ | path, check=True, capture_output=True, text=True
    )
    read: dict[str, dict[str, list[float]]] = json.loads(finished.stdout)
    return {how: {int(size): each for size, each in by_size.items()} for how, by_size in read.items()}


def summary(label: str, how: str, times: dict[int, list[float]]) -> list[dict[str, Any]]:
    few = median(times[SIZES[0]])
    return [
        {
            "build": label,
            "actions": how,
            "tables": size,
            "median_ns": round(median(each)),
            "lowest_ns": round(min(each)),
            "rate_of_64": round(few / median(each), 2),
        }
        for size, each in times.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare few tables with many.")
    parser.add_argument("--rules", default="caliente")
    parser.add_argument("--rounds", type=int, default=4, help="processes for each build, alternating")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs per process")
    parser.add_argument(
        "--before", default="", metavar="FOLDER", help="another build, measured alternately with this one"
    )
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    parser.add_argument("--raw", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.raw:
        print(json.dumps(measure(args.rules, args.runs)))
        return
    load = os.getloadavg()[0]
    builds = {"before": args.before, "now": ""} if args.before else {"now": ""}
    found: dict[tuple[str, str], dict[int, list[float]]] = {}
    for number in range(args.rounds):
        for label, build in builds.items():
            print(f"round {number + 1} of {args.rounds}, {label}", file=sys.stderr, flush=True)
            for how, times in measured_apart(args.rules, args.runs, build).items():
                so_far = found.setdefault((label, how), {size: [] for size in SIZES})
                for size, each in times.items():
                    so_far[size] += each
    results = [row for (label, how), times in found.items() for row in summary(label, how, times)]
    print(f"{'build':<8}{'actions':<12}{'tables':>8}{'median ns':>11}{'lowest ns':>11}{'of 64':>7}")
    for row in results:
        print(
            f"{row['build']:<8}{row['actions']:<12}{row['tables']:>8}{row['median_ns']:>11,}"
            f"{row['lowest_ns']:>11,}{row['rate_of_64']:>7}"
        )
    if args.keep:
        kept = {
            "command": f"python benchmarks/many_tables.py --rules {args.rules} --rounds {args.rounds} "
            f"--runs {args.runs}" + " --before FOLDER" * bool(args.before) + " --keep",
            "rules": args.rules,
            "rounds": args.rounds,
            "runs": args.runs,
            "python": platform.python_version(),
            "compiled": not str(batch.__file__).endswith(".py"),
            "cores": os.cpu_count(),
            "load_before": round(load, 2),
            "results": results,
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
