"""`python -m training train …` and `python -m training duel …`"""

import argparse
import sys
import time
from pathlib import Path

from canasta.extras import why_missing
from canasta.rules import load_ruleset

try:
    import torch
except ModuleNotFoundError as missing:
    sys.exit(f"training: {why_missing('training', missing.name)}")

from training.duel import duel
from training.keeping import WrongWeights, load_memory, load_network, rules_of, save
from training.learner import Learner, Plan, Told
from training.network import Network
from training.sampler import Sampler


def train(asked: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    games: list[str] = asked.games.split(",")
    file = Path(asked.weights)
    # Two groups at the least: one is stepped while the network looks at the other.
    groups = games if len(games) > 1 else games * 2
    rules = [load_ruleset(*rules_of(game)) for game in groups]
    sampler = Sampler(rules, asked.tables, asked.processes, asked.seed)
    first = sampler.groups[0]
    sizes = {(group.observation_size, group.action_count) for group in sampler.groups}
    if len(sizes) > 1:
        sys.exit(f"these games do not have one layout: {sorted(sizes)}")
    if file.exists():
        network, known = load_network(file)
        if known != games:
            raise WrongWeights(f"{file} was trained for {', '.join(known)}; --from begins with them")
    elif asked.begin_from:
        network, _ = load_network(Path(asked.begin_from), games)
    else:
        network = Network(first.observation_size, first.action_count, len(games), asked.width, asked.depth)
    network = network.to(device)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=asked.rate, betas=(0.9, 0.99), eps=1e-6, weight_decay=1e-4,
        fused=device.type == "cuda",
    )  # fmt: skip
    load_memory(file, optimiser)
    plan = Plan(
        seconds=asked.seconds, rate=asked.rate, final_rate=asked.final_rate, stretch=asked.stretch,
        batch=asked.batch, entropy=asked.entropy, passes=asked.passes,
    )  # fmt: skip
    learner = Learner(network, optimiser, sampler, [games.index(game) for game in groups], plan)
    count = sum(parameter.numel() for parameter in network.parameters())
    print(f"{device}: {count:,} parameters, {asked.tables} tables of {', '.join(games)}", flush=True)
    next_word = next_save = 0.0

    def tell(told: Told) -> None:
        nonlocal next_word, next_save
        if told.seconds >= next_word:
            print(told.line(), flush=True)
            next_word = told.seconds + asked.every
        if told.seconds >= next_save:
            save(file, network, optimiser, games, told.steps)
            next_save = told.seconds + 120

    try:
        learner.run(tell)
    finally:
        sampler.close()
    print(learner.told.line(), flush=True)
    save(file, network, optimiser, games, learner.told.steps)


def measure(asked: argparse.Namespace) -> None:
    for game in asked.games.split(","):
        name, players = rules_of(game)
        for opponent in asked.opponents.split(","):
            begun = time.monotonic()
            result = duel(
                Path(asked.weights), name, players, opponent, pairs=asked.pairs, processes=asked.processes
            )
            print(f"{result.line()}  [{time.monotonic() - begun:.0f} s]", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train", help="play and learn; goes on from the weights if they are there")
    training.set_defaults(do=train)
    for name, kind, usual in (
        ("seconds", float, 300.0), ("tables", int, 8192), ("stretch", int, 128), ("width", int, 512),
        ("depth", int, 3), ("rate", float, 4e-4), ("final-rate", float, 0.1), ("batch", int, 32768),
        ("entropy", float, 0.01), ("passes", int, 2), ("every", float, 20.0), ("seed", str, "t"),
    ):  # fmt: skip
        training.add_argument(f"--{name}", type=kind, default=usual)
    training.add_argument("--from", dest="begin_from", help="weights of another game with the same layout")
    duelling = commands.add_parser("duel", help="measure the weights against scripted players")
    duelling.set_defaults(do=measure)
    duelling.add_argument("--opponents", default="casual,club")
    duelling.add_argument("--pairs", type=int, default=200)
    for one in (training, duelling):
        one.add_argument("--games", default="caliente/4")
        one.add_argument("--weights", default="weights.pt")
        one.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    try:
        asked.do(asked)
    except WrongWeights as problem:
        sys.exit(f"training: {problem}")


if __name__ == "__main__":
    main()
