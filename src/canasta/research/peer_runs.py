"""Measure one environment on one core: a program whose argument is the name of the environment.

It runs in the Python of that environment, so it imports nothing of canasta except what is measured. Every
environment plays uniformly random legal actions and makes an observation for each of them.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 5


def rate(play: Callable[[float], int], seconds: float) -> float:
    """Return actions per second: the best of several rounds, by process time."""
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        made = play(begun + seconds / ROUNDS)
        best = max(best, made / (time.process_time() - begun))
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
    from importlib import import_module  # noqa: PLC0415 - each peer has packages that the others lack

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
    import pyspiel  # noqa: PLC0415 - as above

    return of_spiel(pyspiel.load_game("gin_rummy"))


def rlcard_gin() -> Callable[[float], int]:
    import rlcard  # type: ignore[import-not-found] # noqa: PLC0415 - as above

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
    from canasta import research  # noqa: PLC0415 - as above

    return of_zoo(research.env("caliente", 4))


def canasta_vector() -> Callable[[float], int]:
    from canasta import research  # noqa: PLC0415 - as above

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
    from canasta import research  # noqa: PLC0415 - as above

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


def main(name: str, seconds: float) -> None:
    if sys.platform == "linux":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps({"rate": rate(RUNS[name](), seconds)}))  # noqa: T201 - read by the parent process


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
