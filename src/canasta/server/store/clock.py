"""The time by which sessions grow old.

The system's clock can be wrong, be set, or begin in 1970 after a power cut; this one never goes back and
never leaps. While the server runs it follows the monotonic clock. What passed while nobody ran is taken from
the system's clock, as far as that is believable.
"""

import time
from typing import Final

LONGEST_PAUSE: Final = 30 * 24 * 3600.0
"""Seconds: so much, and no more, is believed to have passed between two runs."""


class HouseClock:
    """Seconds, about those since 1970 as long as the system's clock is right."""

    def __init__(self) -> None:
        self._base = time.time()
        self._since = time.monotonic()

    @property
    def now(self) -> float:
        return self._base + time.monotonic() - self._since

    def go_on(self, now: float, wall: float) -> None:
        """From what was noted last: this clock, and the system's at that moment."""
        self._base = now + min(max(0.0, time.time() - wall), LONGEST_PAUSE)
        self._since = time.monotonic()
