"""Measure startup costs: processes that import the package, play, or request a computer player.

    python benchmarks/start.py --keep

Every program runs in fresh processes, alternating with the others. A first round does not count; it leaves
compiled bytecode behind, as before any second start. The results are the medians of wall-clock and process
time, the lowest of each, the peak memory (on Linux), and whether NumPy was imported. `--keep` writes the
results to benchmarks/start.json. Install the compiled package first.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from canasta.bots.club import policy

KEPT = Path(__file__).with_suffix(".json")
MATCH = "import canasta; match = canasta.Match('caliente', seed=1)"
CLUB = f"{MATCH}; canasta.get_bot('club').choose(match.view(match.turn))"
RUN = "from canasta.__main__ import main; main()"
ONE_THREAD = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'"
PROGRAMS = {
    "python alone": "pass",
    "import canasta": "import canasta",
    "a first move": f"{MATCH}; match.push('draw')",
    "a move of club": CLUB,
    "club, then numpy": f"{CLUB}; import numpy",
    "club, numpy, one thread": f"{ONE_THREAD}; {CLUB}; import numpy",
    "a move of master": f"{ONE_THREAD}; {CLUB.replace('club', 'master')}",
    "import numpy": "import numpy",
    "import numpy, one thread": f"{ONE_THREAD}; import numpy",
    "canasta version": f"import sys; sys.argv[1:] = ['version']; {RUN}",
    "canasta play --help": f"import sys; sys.argv[1:] = ['play', '--help']; {RUN}",
    "the server's application": "from canasta.server.http.app import create_app; create_app()",
}
SAY = """
import sys
from pathlib import Path
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else ["VmHWM: 0 kB"]
most = [line.split()[1] for line in lines if line.startswith("VmHWM")]
print("\\n", int("numpy" in sys.modules), *most, file=sys.stderr)
"""


class Start(NamedTuple):
    clock: float
    processor: float
    megabytes: float
    numpy: bool


def started(program: str, folder: str) -> Start:
    """Run one process, with its bytecode cached in the folder."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    for name in ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS"):
        environment.pop(name, None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    finished = subprocess.run(  # noqa: S603 - one of ours
        [sys.executable, "-P", "-c", f"try:\n {program}\nexcept SystemExit: pass{SAY}"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    clock = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    numpy, kilobytes = finished.stderr.split()[-2:]
    return Start(1000 * clock, 1000 * processor, int(kilobytes) / 1024, numpy == "1")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure startup costs.")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    found: dict[str, list[Start]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.rounds + 1):
            for name, program in PROGRAMS.items():
                start = started(program, folder)
                if number > 0:
                    found[name].append(start)
    results: list[dict[str, Any]] = []
    print(f"{'program':<26}{'ms':>7}{'lowest':>8}{'processor':>11}{'lowest':>8}{'MB':>7}  NumPy")
    for name, starts in found.items():
        row = {
            "program": name,
            "clock_ms": round(median(start.clock for start in starts), 1),
            "lowest_clock_ms": round(min(start.clock for start in starts), 1),
            "processor_ms": round(median(start.processor for start in starts), 1),
            "lowest_processor_ms": round(min(start.processor for start in starts), 1),
            "megabytes": round(median(start.megabytes for start in starts), 1),
            "numpy": any(start.numpy for start in starts),
        }
        results.append(row)
        print(
            f"{name:<26}{row['clock_ms']:>7}{row['lowest_clock_ms']:>8}{row['processor_ms']:>11}"
            f"{row['lowest_processor_ms']:>8}{row['megabytes']:>7}  {row['numpy']}"
        )
    if arguments.keep:
        kept = {
            "command": "python benchmarks/start.py --keep",
            "rounds": arguments.rounds,
            "python": platform.python_version(),
            "compiled": not str(policy.__file__).endswith(".py"),
            "cores": os.cpu_count(),
            "load_before": round(load, 2),
            "results": results,
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
