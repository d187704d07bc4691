"""The command line: `python -m training train …`, `improve …`,
`plot …`, `duel …`, `self-play …`, `export …`."""

import argparse
import sys
from pathlib import Path

from canasta.errors import CanastaError
from canasta.installation import why_missing
from training.arguments import amount, is_text, log_file, part, positive, weights_file, whole
from training.curves import curves
from training.log import read_log


def plot(arguments: argparse.Namespace) -> None:
    files = [Path(name) for name in arguments.logs]
    names = [file.name.removesuffix(".jsonl").removesuffix(".log") for file in files]
    if len(set(names)) < len(names) or not all(map(str.isprintable, names)):
        names = [str(number) for number, _ in enumerate(files, 1)]
    logs = {name: read_log(file) for name, file in zip(names, files, strict=True)}
    drawn = curves(logs, arguments.games.split(",") if arguments.games else (), arguments.by).encode()
    try:
        Path(arguments.to).write_bytes(drawn)
    except OSError as error:
        raise CanastaError(f"{arguments.to} cannot be written: {error.strerror}.") from error
    print(f"{arguments.to}: {len(drawn):,} bytes")


def learn(arguments: argparse.Namespace) -> None:
    """Run a command that needs PyTorch, which is only imported here."""
    try:
        from training import commands  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError as missing:
        if why := why_missing("training", missing.name):
            raise CanastaError(why) from missing
        raise
    commands.COMMANDS[arguments.command](arguments)


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training")
    commands = parser.add_subparsers(required=True, dest="command")
    training = commands.add_parser("train", help="play and learn; continues from the weights if they exist")
    for name, kind, usual in (
        ("seconds", amount, 300.0), ("imitate", amount, 0.0), ("tables", whole, 12288),
        ("stretch", whole, 128), ("width", whole, 512), ("depth", whole, 3), ("rate", positive, 4e-4),
        ("final-rate", amount, 0.1), ("hold", part, 0.0), ("batch", whole, 32768),
        ("entropy", amount, 0.01), ("passes", whole, 2), ("every", amount, 20.0), ("club", part, 0.08),
        ("league", part, 0.1), ("house-rules", part, 0.12),
    ):  # fmt: skip
        training.add_argument(f"--{name}", type=kind, default=usual)
    training.add_argument("--imitated", default="all", help="the games in which club is imitated")
    training.add_argument("--earlier", nargs="*", default=[], help="weights of earlier selves for the league")
    improving = commands.add_parser("improve", help="try out decisions during play, and learn from them")
    for name, kind, usual in (
        ("seconds", amount, 300.0), ("tables", whole, 12288), ("stretch", whole, 131072),
        ("rate", positive, 1e-4), ("final-rate", amount, 0.1), ("hold", part, 0.3), ("batch", whole, 16384),
        ("passes", whole, 2), ("caution", amount, 0.6), ("generation", amount, 40.0), ("every", amount, 20.0),
        ("house-rules", part, 0.1),
    ):  # fmt: skip
        improving.add_argument(f"--{name}", type=kind, default=usual)
    for one in (training, improving):
        one.add_argument("--weights", type=weights_file, default="weights.pt")
        one.add_argument("--log", type=log_file, help="log of the run; by default next to the weights")
        one.add_argument("--from", dest="begin_from", help="weights to start from")
    plotting = commands.add_parser("plot", help="draw the curves of logs; needs no PyTorch")
    plotting.set_defaults(do=plot)
    plotting.add_argument("logs", nargs="+", metavar="LOG", help="one log per training")
    plotting.add_argument("--to", default="curves.svg", help="the picture, an SVG file")
    plotting.add_argument("--games", help="such as caliente/4,jaques/4; by default those with the most hands")
    plotting.add_argument("--by", choices=("steps", "time"), help="the horizontal axis")
    duelling = commands.add_parser(
        "duel", help="measure the weights against scripted players and other weights"
    )
    duelling.add_argument("--opponents", default="club", help="club,expert:16,other.pt")
    duelling.add_argument("--house-rules", action="store_true", help="different house rules in every pair")
    duelling.add_argument("--pairs", type=whole, default=200)
    playing = commands.add_parser(
        "self-play", help="play a number of hands of each game, checking every step"
    )
    playing.add_argument("--hands", type=whole, default=10_000)
    playing.add_argument("--tables", type=whole, default=8192)
    exporting = commands.add_parser("export", help="write the weights in the format of the package")
    exporting.add_argument("--without", default="", help="games to leave to the expert")
    exporting.add_argument(
        "--to", default="src/canasta/bots/learned/master.npz", help="by default the weights of the package"
    )
    for one, seed in ((training, "t"), (improving, "i"), (duelling, "duel"), (playing, "self-play")):
        one.add_argument("--games", default="all", help="such as caliente/4=3,jaques/4, or all")
        one.add_argument("--processes", type=whole, default=1)
        one.add_argument("--seed", default=seed)
    for one in (duelling, playing, exporting):
        one.add_argument("--weights", default="weights.pt")
    parser.set_defaults(do=learn)
    words = sys.argv[1:] if given is None else given
    for word in words:
        if not is_text(word):
            parser.error(f"{word!a} is no text")
    arguments = parser.parse_args(words)
    try:
        arguments.do(arguments)
    except CanastaError as problem:
        sys.exit(f"training: {problem}")


if __name__ == "__main__":
    main()
