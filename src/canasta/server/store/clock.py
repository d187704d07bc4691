"""The clock for session lifetimes.

The system clock can be wrong, be changed, or start in 1970 after a power cut; this clock never jumps or runs
backwards. It follows the monotonic clock while the server runs. Downtime is taken from the system clock, up
to a limit.
"""

import time
from typing import Final

LONGEST_PAUSE: Final = 30 * 24 * 3600.0
"""Maximum downtime in seconds that is counted between two runs."""


class HouseClock:
    """A clock close to Unix time as long as the system clock is right."""

    def __init__(self) -> None:
        self._base = time.time()
        self._since = time.monotonic()

    @property
    def now(self) -> float:
        return self._base + time.monotonic() - self._since

    def go_on(self, now: float, wall: float) -> None:
        """Resume from the last saved reading of this clock and of the system clock at that moment."""
        self._base = now + min(max(0.0, time.time() - wall), LONGEST_PAUSE)
        self._since = time.monotonic()
