"""Compare our research environment with OpenSpiel, RLCard and PettingZoo, all on one core, with observations.

    python benchmarks/peers.py --seconds 5

The first run installs the others into a virtual environment of their own, which needs a network connection.
Every environment plays uniformly random legal actions and makes an observation for each of them. Each is
measured in a process that imports nothing of canasta except what is measured. `--only TEXT` measures the
environments with this text in their name. Install the compiled package first.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PEERS = ("open-spiel", "rlcard", "pettingzoo[classic]")
"""Packages for the separate virtual environment, so that they can't affect our own versions."""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "canasta" / "peers"
ROUNDS = 5


def rate(play: Callable[[float], int], seconds: float) -> float:
    """Return actions per second: the best of several rounds, by process time."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        made = play(start + seconds / ROUNDS)
        best = max(best, made / (time.process_time() - start))
    return best


def of_zoo(table: Any) -> Callable[[float], int]:
    """Play any turn-based PettingZoo environment."""
    choice = random.Random(0)

    def play(until: float) -> int:
        made = 0
        while time.process_time() < until:
            table.reset(seed=choice.randrange(1 << 30))
            for _ in table.agent_iter():
                observation, _, terminated, truncated, info = table.last()
                if terminated or truncated:
                    table.step(None)
                    continue
                mask = observation.get("action_mask") if isinstance(observation, dict) else None
                legal = (info["action_mask"] if mask is None else mask).nonzero()[0]
                table.step(int(legal[choice.randrange(len(legal))]))
                made += 1
        return made

    return play


def of_classic(name: str) -> Callable[[float], int]:
    from importlib import import_module  # noqa: PLC0415 - each environment has packages that the others lack

    return of_zoo(import_module(f"pettingzoo.classic.{name}").env())


def of_spiel(game: Any) -> Callable[[float], int]:
    """Play any OpenSpiel game, with its observation tensor."""
    choice = random.Random(0)

    def play(until: float) -> int:
        made = 0
        while time.process_time() < until:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choice.choices(outcomes, chances)[0])
                    continue
                state.observation_tensor(state.current_player())
                state.apply_action(choice.choice(state.legal_actions()))
                made += 1
        return made

    return play


def spiel_gin() -> Callable[[float], int]:
    import pyspiel  # noqa: PLC0415 - each environment has packages that the others lack

    return of_spiel(pyspiel.load_game("gin_rummy"))


def rlcard_gin() -> Callable[[float], int]:
    import rlcard  # type: ignore[import-not-found]  # noqa: PLC0415 - each environment has packages that the others lack

    table = rlcard.make("gin-rummy", config={"seed": 0})
    choice = random.Random(0)

    def play(until: float) -> int:
        made = 0
        while time.process_time() < until:
            state, _ = table.reset()
            while not table.is_over():
                state, _ = table.step(choice.choice(list(state["legal_actions"])))
                made += 1
        return made

    return play


def canasta_zoo() -> Callable[[float], int]:
    from canasta import research  # noqa: PLC0415 - each environment has packages that the others lack

    return of_zoo(research.env("caliente", 4))


def canasta_vector() -> Callable[[float], int]:
    from canasta import research  # noqa: PLC0415 - each environment has packages that the others lack

    tables = research.vector_env(64, "caliente", 4)
    tables.reset(0)

    def play(until: float) -> int:
        made = 0
        while time.process_time() < until:
            tables.step_randomly(50)
            made += 50 * tables.count
        return made

    return play


def canasta_spiel() -> Callable[[float], int]:
    from canasta import research  # noqa: PLC0415 - each environment has packages that the others lack

    return of_spiel(research.load_game("caliente"))


RUNS: dict[str, Callable[[], Callable[[float], int]]] = {
    "canasta, vector": canasta_vector,
    "canasta, PettingZoo": canasta_zoo,
    "canasta, OpenSpiel": canasta_spiel,
    "OpenSpiel gin rummy": spiel_gin,
    "RLCard gin rummy": rlcard_gin,
    "PettingZoo Texas hold'em": lambda: of_classic("texas_holdem_v4"),
    "PettingZoo Leduc hold'em": lambda: of_classic("leduc_holdem_v4"),
    "PettingZoo connect four": lambda: of_classic("connect_four_v3"),
    "PettingZoo tic-tac-toe": lambda: of_classic("tictactoe_v3"),
}


def install(folder: Path) -> str:
    """Return the Python of the peers' virtual environment, creating it on first use."""
    python, ready = folder / "bin" / "python", folder / "peers.json"
    if not ready.exists() or json.loads(ready.read_text()) != list(PEERS):
        print(f"installing {', '.join(PEERS)} into {folder}", file=sys.stderr)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS]
        for command in ([sys.executable, "-m", "venv", "--clear", str(folder)], pip):
            subprocess.run(command, check=True)  # noqa: S603 - as listed
        ready.write_text(json.dumps(PEERS))
    return str(python)


def measure(python: str, name: str, seconds: float) -> float | None:
    """Return the actions per second in a process of this Python, or None if the run failed."""
    command = [python, "-W", "ignore", __file__, "--one", name, "--seconds", str(seconds)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - as above
    return float(done.stdout) if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per environment")
    parser.add_argument("--folder", type=Path, default=CACHE, help="where to install the others")
    parser.add_argument("--only", default="", metavar="TEXT", help="measure only these environments")
    parser.add_argument("--one", metavar="NAME", help="measure this environment in this process")
    arguments = parser.parse_args()
    if arguments.one:
        if sys.platform == "linux":
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(rate(RUNS[arguments.one](), arguments.seconds))
        return
    for name in RUNS:
        if arguments.only in name:
            python = sys.executable if name.startswith("canasta") else install(arguments.folder)
            actions = measure(python, name, arguments.seconds)
            print(f"{name:<26}", "not measured" if actions is None else f"{actions:>12,.0f} actions/s")


if __name__ == "__main__":
    main()
