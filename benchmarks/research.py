"""How fast the vector environment is, with observations and masks, for every preset.

    python benchmarks/research.py [--seconds 3] [--processes 2] [--tables 64]

Actions are random and legal, and choosing them is part of the time. Two rates are told: by the clock, which
depends on what else the machine does, and by the processor's time, times the number of processes.
"""

import argparse
import resource
import time

from canasta import research
from canasta.rules import preset_names


def processor_time() -> float:
    """Of this process and of those that it started and that have ended."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def measure(preset: str, tables: int, processes: int, seconds: float) -> tuple[float, float]:
    """Actions a second by the clock (the best stretch) and by the processor's time (all of it)."""
    best = 0.0
    made = 0
    used = processor_time()
    with research.vector_env(tables * processes, preset, processes=processes) as many:
        many.reset(0)
        begun = time.perf_counter()
        while time.perf_counter() - begun < seconds:
            start = time.perf_counter()
            many.step_randomly(100)
            made += 100 * many.count
            best = max(best, 100 * many.count / (time.perf_counter() - start))
    return best, processes * made / (processor_time() - used)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the vector environment.")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tables", type=int, default=64, help="tables for each process")
    asked = parser.parse_args()
    for preset in preset_names():
        clock, processor = measure(preset, asked.tables, asked.processes, asked.seconds)
        print(f"{preset:<16} {clock:>10,.0f} by the clock {processor:>10,.0f} by processor time")


if __name__ == "__main__":
    main()
