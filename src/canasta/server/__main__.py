"""`python -m canasta.server`: serve tables until interrupted."""

import argparse
import math
import sys
from collections.abc import Sequence

from canasta.extras import why_missing

try:
    from canasta.server.run import serve
    from canasta.server.settings import Limits, Settings
except ModuleNotFoundError as error:
    if not (sentence := why_missing("a server", error.name)):
        raise
    sys.exit(f"canasta: {sentence}")


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError("a number of seconds is 0 or more")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m canasta.server", description="Serve Canasta tables.")
    usual = Settings()
    parser.add_argument("--host", default=usual.host)
    parser.add_argument("--port", type=port, default=usual.port)
    parser.add_argument("--database", default="", help="sqlite:///FILE or postgresql://…")
    parser.add_argument("--redis", default="", help="redis://… when several processes serve the same tables")
    parser.add_argument(
        "--pace", type=seconds, default=usual.pace, help="seconds before a computer player's move"
    )
    parser.add_argument("--away-after", type=seconds, default=usual.away_after)
    parser.add_argument("--next-after", type=seconds, default=usual.next_after)
    parser.add_argument(
        "--fair-patience",
        type=seconds,
        default=usual.fair_patience,
        help="seconds that a deal waits for the seed of somebody's page",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        help="a further host, such as that of a proxy, by which this is reached",
    )
    parser.add_argument("--log-level", default="info", choices=["debug", "info", "warning", "error"])
    parser.add_argument(
        "--no-limits", action="store_true", help="no rate limits, for measuring on one machine"
    )
    given = parser.parse_args(arguments)
    settings = Settings(
        host=given.host,
        port=given.port,
        database=given.database,
        redis=given.redis,
        pace=given.pace,
        away_after=given.away_after,
        next_after=given.next_after,
        fair_patience=given.fair_patience,
        origins=tuple(origin.lower() for origin in given.origin),
        limits=Limits.loose() if given.no_limits else Limits(),
    )
    return serve(settings, log_level=given.log_level)


if __name__ == "__main__":
    sys.exit(main())
