"""What a client sends over the wire."""

from msgspec import Struct

from canasta.table.log import Option

LONGEST_COMMAND = 2_000
"""Bytes of the longest message that a client may send."""


class Command(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    """`id` is the client's own name for the command: sent again with the same id it is applied once."""

    id: str


class MakeMove(Command, tag="move"):
    """`state` is the number of the state that the player saw."""

    state: int
    move: str


class CheckMove(Command, tag="check"):
    """Would this move be allowed? Answered by `Checked`; nothing changes."""

    move: str


class AskHint(Command, tag="hint"):
    """Answered by `Hints`."""


class TakeSeat(Command, tag="sit"):
    """Sit down on a free seat, or on one that a computer player keeps. Without `seat` any will do. While a
    hand is played one watches, and has the seat from the next deal on."""

    seat: int | None = None
    name: str | None = None
    face: str = ""
    """The portrait that one wants to have; on the own seat at any time."""


class LeaveSeat(Command, tag="leave"):
    """A computer player takes over; the seat stays yours until the hand is over, and as long as nobody else
    wants it. Somebody who was to join at the next deal does not."""


class SeatBot(Command, tag="bot"):
    """The host puts a computer player on a seat; an empty `level` frees the seat."""

    seat: int
    level: str


class ChangeGame(Command, tag="game"):
    """The host chooses another game, number of players or house rules, as long as no cards are wanted.
    `state` is the number of the state that the host saw. Everybody gets a new `Welcome`."""

    state: int
    rules: str
    players: int | None = None
    """None: as many as usual."""
    options: dict[str, Option] = {}


class ArrangeSeats(Command, tag="arrange"):
    """The host changes who sits where, as long as no cards are wanted. `state` as above."""

    state: int
    seats: list[int]
    """By seat: where whoever shall sit there sits now."""


class StartGame(Command, tag="start"):
    """The host starts the game; free seats are filled with computer players."""


class NextHand(Command, tag="next"):
    """Ready for the next hand: dealt when all who are there are ready."""


class PlayAgain(Command, tag="again"):
    """The game is over: once more. The next table opens when everybody who is there has said so."""

    now: bool = False
    """Without those who have not said so."""


class Say(Command, tag="say"):
    phrase: str


class CommitSeed(Command, tag="commit"):
    """The commitment to a player's own seed for the next deal (see `docs/fair-cards`). It can be replaced as
    long as the list is open."""

    hand: int
    round: int
    commitment: str


class RevealSeed(Command, tag="reveal"):
    """The seed, once the list is closed."""

    hand: int
    round: int
    seed: str


class Ping(Command, tag="ping"):
    """Answered by `Done`."""


AnyCommand = (
    MakeMove
    | CheckMove
    | AskHint
    | TakeSeat
    | LeaveSeat
    | SeatBot
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
