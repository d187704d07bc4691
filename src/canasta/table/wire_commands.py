"""Commands from clients to the server."""

import secrets

from msgspec import Struct

from canasta.table.log import Option

LONGEST_COMMAND = 2_000
"""Maximum size of a client's message in bytes."""


def new_id() -> str:
    """Return a unique id for a command."""
    return secrets.token_hex(8)


class Command(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    """A command. `id` is chosen by the client; a command sent again with the same id is applied only once."""

    id: str


class MakeMove(Command, tag="move"):
    """Make a move. `state` is the number of the state that the player saw."""

    state: int
    move: str


class CheckMove(Command, tag="check"):
    """Check whether a move would be allowed. Answered by `Checked`; nothing changes."""

    move: str


class AskHint(Command, tag="hint"):
    """Ask for a hint. Answered by `Hints`."""


class TakeSeat(Command, tag="sit"):
    """Take a free seat, or one that a computer player keeps for somebody; without `seat`, any of them.

    During a hand, the player watches and gets the seat with the next deal.
    """

    seat: int | None = None
    name: str | None = None
    face: str = ""
    """The portrait; empty for any. Players can change the portrait of their own seat at any time."""


class LeaveSeat(Command, tag="leave"):
    """Leave a seat to a computer player.

    The seat stays reserved until the hand is over, and after that until somebody takes it. A player who was
    to join with the next deal no longer does.
    """


class SeatBot(Command, tag="bot"):
    """Put a computer player in a seat, or free the seat if `level` is empty. Only for the host."""

    seat: int
    level: str


class RemovePlayer(Command, tag="remove"):
    """Remove the person in a seat, or the one who is to get it with the next deal, from the table for good.

    `state` is the number of the state that the host saw. Only for the host.
    """

    state: int
    seat: int


class ChangeGame(Command, tag="game"):
    """Change the game, number of players or house rules, until the first cards are asked for. `state` is the
    number of the state that the host saw. Everybody gets a new `Welcome`. Only for the host."""

    state: int
    rules: str
    players: int | None = None
    """None for the usual number."""
    options: dict[str, Option] = {}


class ArrangeSeats(Command, tag="arrange"):
    """Rearrange the seats, until the first cards are asked for. `state` is the number of the state that the
    host saw. Only for the host."""

    state: int
    seats: list[int]
    """For each seat, the current seat of its new occupant."""


class StartGame(Command, tag="start"):
    """Start the game and fill free seats with computer players. Only for the host."""


class NextHand(Command, tag="next"):
    """Say that the player is ready for the next hand. It is dealt when everybody present is ready."""


class PlayAgain(Command, tag="again"):
    """Vote for another game when this one is over. The next table opens when everybody present has voted for
    it."""

    now: bool = False
    """Don't wait for the others."""


class Say(Command, tag="say"):
    phrase: str


class CommitSeed(Command, tag="commit"):
    """Commit to a player's own seed for the next deal (see `docs/fair-cards`). The commitment can be replaced
    as long as the list is open."""

    hand: int
    round: int
    commitment: str


class RevealSeed(Command, tag="reveal"):
    """Reveal the seed, once the list is closed."""

    hand: int
    round: int
    seed: str


class Ping(Command, tag="ping"):
    """Check the connection. Answered by `Done`."""


AnyCommand = (
    MakeMove
    | CheckMove
    | AskHint
    | TakeSeat
    | LeaveSeat
    | SeatBot
    | RemovePlayer
    | ChangeGame
    | ArrangeSeats
    | StartGame
    | NextHand
    | PlayAgain
    | Say
    | CommitSeed
    | RevealSeed
    | Ping
)
