"""`day_server.py PORT FOLDER MOMENT`: a server whose day a test sets, with a short deal. MOMENT is a file
with the time in seconds since 1970, which a test writes anew."""

import itertools
import sys
from pathlib import Path

from canasta.server.run import serve
from canasta.server.settings import Limits, Settings
from canasta.server.tables import days
from canasta.table.day import DayGame

SHORT = DayGame(rules="original", players=4, level="novice", options={"deal.hand_size": 20})
"""So many cards are dealt that the stock is gone after a few turns."""


def main(port: str, folder: str, moment: str) -> int:
    numbers = itertools.count()
    # The same cards in every run of the tests.
    vars(days)["new_seed"] = lambda: f"{next(numbers):064x}"
    days._BUDGET = 0.02  # type: ignore[misc]  # the computer player who searches is not what is tested
    settings = Settings(
        port=int(port),
        database=f"sqlite:///{Path(folder) / 'tables.db'}",
        pace=0.01,
        limits=Limits.loose(),
        day_games=(SHORT,),
        wall_clock=lambda: float(Path(moment).read_text(encoding="utf-8")),
    )
    return serve(settings, log_level="warning")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
