"""Measure how long a decision takes in every preset with its usual number of players, on one core.

    python benchmarks/decisions.py --keep

One player plays all seats. A decision is a whole move if there is more than one choice; processing the
others' moves is excluded. Each game is played several times in processes of their own, with NumPy limited to
one thread. The fastest run counts, since other load on the machine can only slow a run down. Times are in
milliseconds, by wall clock and by process time. `master` is sometimes asked for its reasons. `--keep` writes
the results to benchmarks/decisions.json. Install the compiled package first.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from canasta.bots import get_bot
from canasta.bots.club import policy
from canasta.bots.protocol import Listeners
from canasta.engine.actions.legal import legal_steps
from canasta.engine.match import Match
from canasta.rules import load_ruleset, preset_names

KEPT = Path(__file__).with_suffix(".json")
PLAYERS = ("club", "master")
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
WARM_UP = 50
"""Number of decisions before timing starts, while weights are read and tables are built."""

Times = dict[str, list[float]]
"""Milliseconds of each decision by `clock` and by `processor`, and by wall clock for `reasons`."""


def measure(rules: str, player: str, decisions: int, asked: int) -> Times:
    """Time this many decisions, and the reasons for `asked` of them."""
    times: Times = {"clock": [], "processor": [], "reasons": []}
    seen = -WARM_UP
    number = 0
    while True:
        match = Match.new(load_ruleset(rules), f"decisions {number}")
        number += 1
        bots = [get_bot(player, f"{seat}") for seat in range(match.rules.seats.players)]
        listeners = Listeners(dict(enumerate(bots)))
        listeners.deal(match.hand.state, match.hand.scores)
        while not match.hand.over:
            seat = match.hand.turn
            view = match.hand.view(seat)
            is_choice = len(legal_steps(view.state)) > 1
            clock, processor = time.perf_counter(), time.process_time()
            move = bots[seat].choose(view)
            processor, clock = time.process_time() - processor, time.perf_counter() - clock
            if is_choice:
                if seen >= 0:
                    times["clock"].append(1000 * clock)
                    times["processor"].append(1000 * processor)
                if seen >= 0 and asked and seen % (decisions // asked) == 0:
                    start = time.perf_counter()
                    bots[seat].explain(view, move)
                    times["reasons"].append(1000 * (time.perf_counter() - start))
                seen += 1
                if seen == decisions:
                    return times
            listeners.tell(match.apply(move))


def measured_apart(rules: str, player: str, decisions: int, asked: int) -> Times:
    command = [sys.executable, "-P", __file__, "--decisions", str(decisions), "--asked", str(asked)]
    finished = subprocess.run(  # noqa: S603 - this very file
        [*command, "--raw", rules, player],
        env=os.environ | ONE_THREAD,
        check=True,
        capture_output=True,
        text=True,
    )
    times: Times = json.loads(finished.stdout)
    return times


def share(times: list[float], part: float) -> float:
    """Return the time that this fraction of all times does not exceed."""
    return sorted(times)[ceil(part * len(times)) - 1]


def summary(times: list[float]) -> dict[str, float]:
    figures = {"median": median(times), "p95": share(times, 0.95), "p99": share(times, 0.99)}
    return {name: round(value, 3) for name, value in {**figures, "most": max(times)}.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how long decisions take.")
    parser.add_argument("--rules", nargs="+", default=preset_names(), choices=preset_names())
    parser.add_argument("--decisions", type=int, default=2000, help="decisions per player and game")
    parser.add_argument("--asked", type=int, default=10, help="decisions for which master gives reasons")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the fastest counts")
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name}")
    parser.add_argument("--raw", nargs=2, metavar=("RULES", "PLAYER"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.raw:
        reasons = args.asked if args.raw[1] == "master" else 0
        print(json.dumps(measure(args.raw[0], args.raw[1], args.decisions, reasons)))
        return
    load = os.getloadavg()[0]
    results: list[dict[str, Any]] = []
    reasons_of: list[float] = []
    print(f"{'rules':<16}{'player':<8}{'':<11}{'median':>8}{'95%':>8}{'99%':>8}{'most':>8}  ms")
    for rules in args.rules:
        for player in PLAYERS:
            runs = [measured_apart(rules, player, args.decisions, args.asked) for _ in range(args.rounds)]
            best = min(runs, key=lambda run: sum(run["clock"]))
            reasons_of += best["reasons"]
            row = {"rules": rules, "players": load_ruleset(rules).seats.players, "player": player}
            row |= {"decisions": len(best["clock"])}
            for how in ("clock", "processor"):
                figures = summary(best[how])
                row[f"{how}_ms"] = figures
                numbers = "".join(f"{figures[name]:>8.2f}" for name in ("median", "p95", "p99", "most"))
                print(f"{rules:<16}{player:<8}{how:<11}{numbers}", flush=True)
            results.append(row)
    print(f"reasons of master: {summary(reasons_of)} ms, asked {len(reasons_of)} times")
    if args.keep:
        kept = {
            "command": "python benchmarks/decisions.py " + " ".join(sys.argv[1:]),
            "rounds": args.rounds,
            "python": platform.python_version(),
            "compiled": not str(policy.__file__).endswith(".py"),
            "cores": os.cpu_count(),
            "load_before": round(load, 2),
            "load_after": round(os.getloadavg()[0], 2),
            "reasons_of_master_ms": {**summary(reasons_of), "asked": len(reasons_of)},
            "results": results,
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
