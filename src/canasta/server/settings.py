"""How a server is run. Everything has a default that suits one process for a household or a club."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from canasta.review.hand import WORLDS
from canasta.review.process import LOWEST
from canasta.rules.rules_file import RulesFile
from canasta.table.day import GAMES, DayGame

PUSH_SERVICES: Final = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""Those of Chrome and its kin, Firefox, Safari and Edge; `*.` stands for any name below."""

STATIC: Final = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Limits:
    """Token buckets: so many at once, and so many a second after that."""

    requests: tuple[float, float] = (200.0, 40.0)
    """REST calls by address."""
    guests: tuple[float, float] = (40.0, 0.5)
    """New guests and attempts to log in, by address."""
    logins: tuple[float, float] = (10.0, 0.1)
    """Attempts to log in to one account from one address, or from one browser that its owner has used before:
    nobody can use up what is somebody else's."""
    tables: tuple[float, float] = (10.0, 0.1)
    """New tables, by player."""
    tables_from: tuple[float, float] = (30.0, 0.2)
    """New tables, by address: half of what a lobby lists, since one address can be many guests."""
    practice: tuple[float, float] = (20.0, 0.2)
    """New tables for practice, by player: a lesson opens one for each step."""
    practice_from: tuple[float, float] = (60.0, 0.5)
    """… and by address."""
    sockets: tuple[float, float] = (60.0, 5.0)
    """New connections to tables, by address."""
    commands: tuple[float, float] = (40.0, 15.0)
    """Messages on one connection."""
    hints: tuple[float, float] = (20.0, 1.0)
    """Hints asked for by one player, at whatever tables and connections."""
    hints_from: tuple[float, float] = (80.0, 4.0)
    """… and by address."""
    checks: tuple[float, float] = (60.0, 10.0)
    """Moves that one player has looked at without making them."""
    checks_from: tuple[float, float] = (240.0, 40.0)
    """… and by address."""
    phrases: tuple[float, float] = (4.0, 0.5)
    """Phrases said by one player at one table."""
    moves: tuple[float, float] = (60.0, 10.0)
    """Moves of one player at one table."""
    changes: tuple[float, float] = (30.0, 1.0)
    """What else one player writes into the log of one table."""
    replays: tuple[float, float] = (40.0, 1.0)
    """Hands of records looked at again, by address."""
    reviews: tuple[float, float] = (20.0, 0.2)
    """Reviews of hands that begin, by address."""
    body: int = 64 * 1024
    """Bytes of the largest request."""
    sockets_open: int = 400
    """Connections at one time, by address."""

    @classmethod
    def loose(cls) -> "Limits":
        """For measuring and for tests on one machine, where all clients have one address."""
        free = (1e9, 1e9)
        return cls(
            requests=free, guests=free, logins=free, tables=free, tables_from=free, sockets=free,
            practice=free, practice_from=free,
            commands=free, hints=free, hints_from=free, checks=free, checks_from=free, moves=free,
            changes=free, replays=free, reviews=free, sockets_open=10**9,
        )  # fmt: skip


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """URL of the database; empty: a file in the user's own data folder."""
    redis: str = ""
    """URL of a Redis or Valkey, when several processes serve the same tables."""
    pace: float = 0.6
    """Seconds that a computer player waits before each move, so that people can follow."""
    away_after: float = 30.0
    """Seconds without a connection until a computer player takes over."""
    next_after: float = 60.0
    """Seconds from the end of a hand to the next one, when somebody is not ready."""
    fair_patience: float = 4.0
    """Seconds that a deal waits for the seed of somebody's page; 0: not at all."""
    cut_pause: float = 12.0
    """Seconds from the cut to the first deal, when somebody is not ready."""
    idle_after: float = 600.0
    """Seconds until a table that nobody looks at leaves the memory; its log stays."""
    expert_budget: float = 1.0
    """Seconds a turn for the searching player."""
    review_worlds: int = WORLDS
    """Possible deals in which a review measures a decision; half as many take half as long."""
    review_nice: int = LOWEST
    """How far a review gives way to everything else on the machine."""
    origins: tuple[str, ...] = ()
    """Hosts besides the server's own whose pages may use it: `cards.example.org`."""
    house_rules: tuple[RulesFile, ...] = ()
    """What the new-table page offers besides the games by the book."""
    day_games: tuple[DayGame, ...] = GAMES
    """What the deal of the day is, from Monday on."""
    wall_clock: Callable[[], float] = time.time
    """Seconds since 1970, by which a day begins and ends."""
    push: str = ""
    """Whom the push services can write to about this server, `mailto:…` or `https://…`; empty: no notices to
    closed pages."""
    push_services: tuple[str, ...] = PUSH_SERVICES
    """The only hosts that notices are sent to."""
    push_after: float = 5.0
    """Seconds without a connection until somebody is told of their turn: a page that is opened anew is back
    before."""
    limits: Limits = field(default_factory=Limits)
    static: Path = STATIC
    secure_cookies: bool | None = None
    """None: on connections that are encrypted."""
