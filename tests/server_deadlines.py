"""Time limits of the server that a busy machine reaches; tests of a limit set it themselves."""

from typing import Final

from canasta.server.http.rest import practice, records
from canasta.server.workers import pool

LONG_ENOUGH: Final = 600.0


def lengthen_deadlines() -> None:
    """Give computer players, hints and replays as much time as they need."""
    for module, name in (
        (pool, "ANSWER_TIMEOUT_S"),
        (records, "SECONDS"),
        (practice, "SECONDS"),
    ):
        assert hasattr(module, name)
        setattr(module, name, LONG_ENOUGH)
