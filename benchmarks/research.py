"""How fast the vector environment is, with observations and masks, for every preset.

    python benchmarks/research.py [--seconds 3] [--processes 2] [--tables 64]

Actions are random and legal, and choosing them is part of the time. One process is measured by the
processor's time, several by the clock, for which the machine must have as many idle cores; the best stretch
is told.
"""

import argparse
import time

from canasta import research
from canasta.rules import preset_names


def measure(preset: str, tables: int, processes: int, seconds: float) -> float:
    """Actions a second."""
    now = time.process_time if processes == 1 else time.perf_counter
    best = 0.0
    with research.vector_env(tables * processes, preset, processes=processes) as many:
        many.reset(0)
        many.step_randomly(200)
        begun = now()
        while now() - begun < seconds:
            start = now()
            many.step_randomly(200)
            best = max(best, 200 * many.count / (now() - start))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the vector environment.")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tables", type=int, default=64, help="tables for each process")
    asked = parser.parse_args()
    for preset in preset_names():
        rate = measure(preset, asked.tables, asked.processes, asked.seconds)
        print(f"{preset:<16} {rate:>10,.0f} actions/s")


if __name__ == "__main__":
    main()
