"""The server of the browser tests: `python -m browser.table_server PORT FOLDER`.

It is quick, and none of its deadlines passes while a busy machine is still loading a page.
"""

import sys
from pathlib import Path
from typing import Any

from server_deadlines import lengthen_deadlines

from canasta.server.run import serve
from canasta.server.settings import Limits, Settings

AN_HOUR = 3600.0


def patient_settings(port: str, folder: str, **changes: Any) -> Settings:
    usual: dict[str, Any] = {
        "port": int(port),
        "database": f"sqlite:///{Path(folder) / 'tables.db'}",
        "limits": Limits.loose(),
        "pace": 0.01,
        "away_after": AN_HOUR,
        "next_after": AN_HOUR,
        "fair_patience": AN_HOUR,
        "cut_pause": AN_HOUR,
        # Reviews are quick, and not at a lower priority than the rest of the tests.
        "review_worlds": 8,
        "review_nice": 0,
    }
    return Settings(**(usual | changes))


def run(settings: Settings) -> int:
    lengthen_deadlines()
    return serve(settings, log_level="warning")


if __name__ == "__main__":
    sys.exit(run(patient_settings(*sys.argv[1:])))
