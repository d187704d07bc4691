"""`python -m training train …`, `duel …`, `self-play …` and `export …`"""

import argparse
import sys
import time
from pathlib import Path

from canasta.extras import why_missing

try:
    import torch
except ModuleNotFoundError as missing:
    sys.exit(f"training: {why_missing('training', missing.name)}")

from training.duel import Asked, Duels
from training.export import export
from training.keeping import Kept, WrongWeights, fresh_network, load_memory, load_network, save
from training.learner import Learner, Plan, Told
from training.mixture import Mix, sorts_of, weighed
from training.sampler import Sampler
from training.self_play import self_play

GROUPS = 2
"""One is stepped while the network looks at the other."""


def train(asked: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    weights = weighed(asked.games)
    games = list(weights)
    file = Path(asked.weights)
    begin = file if file.exists() else Path(asked.begin_from) if asked.begin_from else None
    before = Kept(fresh_network(asked.width, asked.depth), [], 0, False)
    if begin:
        before = load_network(begin)
    network = before.network.to(device)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=asked.rate, betas=(0.9, 0.99), eps=1e-6, weight_decay=1e-4,
        fused=device.type == "cuda",
    )  # fmt: skip
    if begin:
        load_memory(begin, optimiser)
    shown = weighed(asked.imitated) if asked.imitate > 0 else {}
    mix = Mix(club=asked.club, league=asked.league, house_rules=asked.house_rules)
    sorts = [
        sorts_of(weights, asked.tables // GROUPS // asked.processes, mix, f"{asked.seed}/{number}", shown)
        for number in range(asked.processes)
    ]
    sampler = Sampler(sorts, GROUPS, asked.seed, advised=asked.imitate > 0)
    league = [load_network(Path(name)).network.to(device).state_dict() for name in asked.earlier]
    plan = Plan(
        seconds=asked.seconds, imitate=asked.imitate, rate=asked.rate, final_rate=asked.final_rate,
        hold=asked.hold, stretch=asked.stretch, batch=asked.batch, entropy=asked.entropy, passes=asked.passes,
    )  # fmt: skip
    learner = Learner(network, optimiser, sampler, games, plan, league)
    count = sum(parameter.numel() for parameter in network.parameters())
    tables = sum(group.count for group in sampler.groups)
    print(f"{device}: {count:,} parameters, {tables} tables of {len(games)} games", flush=True)
    next_word = next_save = 0.0

    def keep(steps: int) -> None:
        met = before.house_rules or asked.house_rules > 0
        save(file, Kept(network, games, before.steps + steps, met), optimiser)

    def tell(told: Told) -> None:
        nonlocal next_word, next_save
        if told.seconds >= next_word:
            print(told.line(), flush=True)
            next_word = told.seconds + asked.every
        if told.seconds >= next_save:
            keep(told.steps)
            next_save = told.seconds + 120

    try:
        learner.run(tell)
    finally:
        sampler.close()
    print(learner.told.line(), flush=True)
    keep(learner.told.steps)


def measure(asked: argparse.Namespace) -> None:
    duels = Duels(asked.processes)
    for game in weighed(asked.games):
        for opponent in asked.opponents.split(","):
            begun = time.monotonic()
            what = Asked(Path(asked.weights), game, opponent, house_rules=asked.house_rules)
            result = duels.play(what, pairs=asked.pairs, seed=asked.seed)
            print(f"{result.line()}  [{time.monotonic() - begun:.0f} s]", flush=True)
    duels.close()


def play(asked: argparse.Namespace) -> None:
    for line in self_play(
        Path(asked.weights), asked.games, asked.hands, asked.tables, asked.processes, asked.seed
    ):
        print(line, flush=True)


def write(asked: argparse.Namespace) -> None:
    size = export(Path(asked.weights), Path(asked.to), weighed(asked.without) if asked.without else ())
    print(f"{asked.to}: {size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train", help="play and learn; goes on from the weights if they are there")
    training.set_defaults(do=train)
    for name, kind, usual in (
        ("seconds", float, 300.0), ("imitate", float, 0.0), ("tables", int, 12288), ("stretch", int, 128),
        ("width", int, 512), ("depth", int, 3), ("rate", float, 4e-4), ("final-rate", float, 0.1),
        ("hold", float, 0.0), ("batch", int, 32768), ("entropy", float, 0.01), ("passes", int, 2),
        ("every", float, 20.0), ("club", float, 0.08), ("league", float, 0.1), ("house-rules", float, 0.12),
    ):  # fmt: skip
        training.add_argument(f"--{name}", type=kind, default=usual)
    training.add_argument("--imitated", default="all", help="the games in which club is imitated")
    training.add_argument("--from", dest="begin_from", help="weights to begin with")
    training.add_argument("--earlier", nargs="*", default=[], help="weights of earlier selves for the league")
    duelling = commands.add_parser(
        "duel", help="measure the weights against scripted players and other weights"
    )
    duelling.set_defaults(do=measure)
    duelling.add_argument("--opponents", default="club", help="club,expert:16,other.pt")
    duelling.add_argument("--house-rules", action="store_true", help="other house rules in every pair")
    duelling.add_argument("--pairs", type=int, default=200)
    playing = commands.add_parser("self-play", help="play so many hands of each game, and check every step")
    playing.set_defaults(do=play)
    playing.add_argument("--hands", type=int, default=10_000)
    playing.add_argument("--tables", type=int, default=8192)
    exporting = commands.add_parser("export", help="write the weights as the package reads them")
    exporting.set_defaults(do=write)
    exporting.add_argument("--weights", default="weights.pt")
    exporting.add_argument("--without", default="", help="games that the expert shall play")
    exporting.add_argument("--to", default="src/canasta/bots/learned/master.npz")
    for one, seed in ((training, "t"), (duelling, "duel"), (playing, "self-play")):
        one.add_argument("--games", default="all", help="such as caliente/4=3,jaques/4; or all")
        one.add_argument("--weights", default="weights.pt")
        one.add_argument("--processes", type=int, default=1)
        one.add_argument("--seed", default=seed)
    asked = parser.parse_args()
    try:
        asked.do(asked)
    except WrongWeights as problem:
        sys.exit(f"training: {problem}")


if __name__ == "__main__":
    main()
