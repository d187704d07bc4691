"""A server whose date a test controls: `python -m browser.day_server PORT FOLDER MOMENT OPTIONS`.

MOMENT is a file with the time in seconds since 1970, which the test rewrites. Two people play with OPTIONS,
house rules as JSON.
"""

import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path

from browser.table_server import patient_settings, run

from canasta.server.tables import days
from canasta.server.tables.days import Days
from canasta.table.day import DayGame


def know_seeds(change: Callable[[object, str, object], None]) -> None:
    """Use the same cards in every test run; `change` is `setattr`, or a version that is undone later."""
    numbers, usual = itertools.count(), Days.open

    async def opened(self: Days) -> None:
        # Commit before anyone asks: a request in the meantime would make seeds too, and either could be kept.
        await self.commit()
        await usual(self)

    change(days, "new_seed", lambda: f"{next(numbers):064x}")
    change(Days, "open", opened)


def main(port: str, folder: str, moment: str, options: str) -> int:
    know_seeds(setattr)
    days._BUDGET = 0.02  # type: ignore[misc]  # the computer player who searches is not what is tested
    settings = patient_settings(
        port,
        folder,
        day_games=(DayGame(rules="two-player", players=2, level="novice", options=json.loads(options)),),
        wall_clock=lambda: float(Path(moment).read_text(encoding="utf-8")),
    )
    return run(settings)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
