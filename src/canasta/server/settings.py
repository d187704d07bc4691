"""Server settings. The defaults suit one process for a household or a club."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from canasta.review.hand import WORLDS
from canasta.review.worker import LOWEST
from canasta.rules.rules_file import RulesFile
from canasta.table.day import GAMES, DayGame

PUSH_SERVICES: Final = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""Push services of Chromium browsers, Firefox, Safari and Edge; `*.` matches any subdomain."""

STATIC: Final = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Limits:
    """Rate limits as token buckets: the burst size, and the refill per second."""

    requests: tuple[float, float] = (200.0, 40.0)
    """REST calls, by address."""
    guests: tuple[float, float] = (40.0, 0.5)
    """New guests and sign-in attempts, by address."""
    logins: tuple[float, float] = (10.0, 0.1)
    """Sign-in attempts per account from one address, or from one browser that its owner has used before.
    Nobody can use up another player's limit."""
    strangers: tuple[float, float] = (10.0, 1 / 30)
    """Sign-in attempts per account from browsers that its owner hasn't used, over all addresses. Further ones
    wait their turn."""
    names: tuple[float, float] = (20.0, 0.1)
    """Names tried by one player, in any call: each answer reveals whether the name is taken."""
    names_from: tuple[float, float] = (60.0, 0.5)
    """The same by address."""
    tables: tuple[float, float] = (10.0, 0.1)
    """New tables, by player."""
    tables_from: tuple[float, float] = (30.0, 0.2)
    """New tables, by address: half of the size of the lobby's list, since many guests can share one
    address."""
    waiting_tables: int = 3
    """Public tables of one player that wait for players at the same time."""
    waiting_tables_from: int = 12
    """The same by address."""
    practice: tuple[float, float] = (20.0, 0.2)
    """New practice tables, by player: a lesson opens one per step."""
    practice_from: tuple[float, float] = (60.0, 0.5)
    """The same by address."""
    sockets: tuple[float, float] = (60.0, 5.0)
    """New connections to tables, by address."""
    commands: tuple[float, float] = (40.0, 15.0)
    """Messages on one connection. Above the limit they are refused, and a client that continues is
    disconnected."""
    commands_from: tuple[float, float] = (400.0, 100.0)
    """Messages on all connections from one address."""
    hints: tuple[float, float] = (20.0, 1.0)
    """Hints requested by one player, over all tables and connections."""
    hints_from: tuple[float, float] = (80.0, 4.0)
    """The same by address."""
    checks: tuple[float, float] = (60.0, 10.0)
    """Moves that one player checks without making them."""
    checks_from: tuple[float, float] = (240.0, 40.0)
    """The same by address."""
    phrases: tuple[float, float] = (4.0, 0.5)
    """Phrases said by one player at one table."""
    moves: tuple[float, float] = (60.0, 10.0)
    """Moves of one player at one table."""
    changes: tuple[float, float] = (30.0, 1.0)
    """Other log entries by one player at one table."""
    changes_from: tuple[float, float] = (240.0, 4.0)
    """The same by address, at all tables. Items marked as completed count as well."""
    game_changes_from: tuple[float, float] = (30.0, 0.1)
    """Changes of the game in waiting rooms, by address: each one writes all house rules to a log."""
    replays: tuple[float, float] = (40.0, 1.0)
    """Replays, by address."""
    records: int = 2_000_000
    """Stored size in bytes of an account's imported records."""
    records_of_guest: int = 400_000
    """The same for a guest."""
    records_from: tuple[float, float] = (2_000_000.0, 2_000_000 / 86_400)
    """Bytes of imported records stored, by address; the refill is the same amount per day."""
    reviews: tuple[float, float] = (20.0, 0.2)
    """New reviews, by address."""
    body: int = 64 * 1024
    """Maximum size of a request body in bytes."""
    sockets_open: int = 400
    """Open connections to tables, by address."""
    spectators: int = 200
    """Spectators of one table."""
    viewers_from: int = 20
    """Connections of one seated player, or of the spectators at one address, to one table."""

    @classmethod
    def loose(cls) -> "Limits":
        """Return limits for benchmarks and tests, in which all clients share one address."""
        kept = ("body", "records", "records_of_guest", "phrases")
        loose: dict[str, Any] = {
            name: (1e9, 1e9) if isinstance(value, tuple) else 10**9
            for name, value in vars(cls()).items()
            if name not in kept
        }
        return replace(cls(), **loose)


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """URL of the database; empty: a file in the user's data folder."""
    redis: str = ""
    """URL of Redis or Valkey, if several processes serve the same tables."""
    pace: float = 0.6
    """Seconds that a computer player waits before each move, so that players can follow the game."""
    away_after: float = 30.0
    """Seconds without a connection until a computer player takes over."""
    next_after: float = 60.0
    """Seconds from the end of a hand until the next one is dealt if a player isn't ready."""
    public_turn: float = 180.0
    """Seconds per turn at a public table without a clock while other players wait."""
    fair_patience: float = 4.0
    """Seconds for which a deal waits for the seed from a player's client; 0: don't wait."""
    cut_pause: float = 12.0
    """Seconds from the cut until the first deal if a player isn't ready."""
    idle_after: float = 600.0
    """Seconds until a table without connections is unloaded; its log is kept."""
    expert_budget: float = 1.0
    """Seconds per turn for bots that search."""
    review_worlds: int = WORLDS
    """Number of simulated deals per decision in a review; half as many take half as long."""
    review_nice: int = LOWEST
    """Niceness of review processes."""
    origins: tuple[str, ...] = ()
    """Other hosts whose pages may use this server, such as `cards.example.org`."""
    house_rules: tuple[RulesFile, ...] = ()
    """House rules offered on the page for new tables."""
    day_games: tuple[DayGame, ...] = GAMES
    """Games for the deal of the day, starting with Monday's."""
    wall_clock: Callable[[], float] = time.time
    """Clock for the start and end of days, as Unix time."""
    push: str = ""
    """Contact for push services, `mailto:…` or `https://…`; empty: no turn alerts."""
    push_services: tuple[str, ...] = PUSH_SERVICES
    """The only hosts that turn alerts are sent to."""
    push_after: float = 5.0
    """Seconds without a connection until a turn alert is sent; reloading a page takes less."""
    limits: Limits = field(default_factory=Limits)
    static: Path = STATIC
    secure_cookies: bool | None = None
    """`None`: only on encrypted connections."""
