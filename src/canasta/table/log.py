"""What a table's log holds. Applying the entries in order rebuilds the table exactly; see `table.Table`.

The log is the server's own: it holds the seeds of hands that are still in play and is never sent to anyone.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

Option = bool | int | str | list[int]
"""The value of an option as it travels in JSON."""


class Tally(Struct, kw_only=True):
    """How somebody has fared so far in the games of an evening."""

    player: str
    name: str
    games: int
    won: int
    points: int


class Created(Struct, tag="created", kw_only=True):
    """A table is opened. Always the first entry."""

    rules: str
    version: int
    """Of the preset: moves made by other rules cannot be made again."""
    players: int
    options: dict[str, Option]
    public: bool
    level: str
    """Of the computer players that fill free seats."""
    clock: int
    spectators: bool
    seed: str
    """The server's seed for the first hand, hexadecimal: the commitment to it is shown from now on."""
    made: float
    """Seconds since 1970."""
    one_seat: bool = False
    """People of one network address get one seat between them."""
    secret: str = ""
    """Key to the hashes of addresses at this table, hexadecimal; older logs have none."""
    cards: str = ""
    """All cards follow from this text, so that the same can be dealt again; empty: they are fair."""
    after: str = ""
    """The table at which these people have played before; empty for the first of an evening."""
    evening: list[Tally] = []
    """What came of the games before this one."""
    day: str = ""
    """The table has the cards of this day, `2026-11-16`, and nobody adds a seed; empty for all others."""
    counts: bool = False
    """… and it is somebody's one try that counts."""
    practice: str = ""
    """What the table is for, where its cards are laid out and not dealt: `lesson:frozen:2`."""


def day_name(day: str) -> str:
    """What the seed of a day is bound to, in place of the name of a table."""
    return f"day-{day}"


class GameChanged(Struct, tag="game", kw_only=True):
    """The host has chosen another game, number of players or house rules before the first cards."""

    rules: str
    version: int
    players: int
    options: dict[str, Option]
    seed: str
    """The server's seed for the first cards of this game, where none was committed to before."""


class Arranged(Struct, tag="arranged", kw_only=True):
    """The host has changed who sits where before the first cards."""

    seats: list[int]
    """By seat: where whoever sits there now sat before."""


class Agreed(Struct, tag="agreed", kw_only=True):
    """The game is over, and this person wants another."""

    seat: int


class Continued(Struct, tag="next", kw_only=True):
    """Those who want another game go on at this table. Its log begins in the same transaction."""

    table: str


class Seated(Struct, tag="seated", kw_only=True):
    """A person sits down, or moves to this seat while the table waits."""

    seat: int
    player: str
    name: str
    account: bool = False
    """The name is that of an account, and they own it."""
    place: str = ""
    """A keyed hash of the address that they came from; empty where it says nothing."""


class Joins(Struct, tag="joins", kw_only=True):
    """A person will have this seat when the hand in play is over, unless its owner is back by then. Until
    then they see none of its cards."""

    seat: int
    player: str
    name: str
    account: bool = False
    place: str = ""


class Withdrew(Struct, tag="withdrew", kw_only=True):
    """Whoever was to have this seat does not want it any more."""

    seat: int


class BotSeated(Struct, tag="bot", kw_only=True):
    """A computer player gets a seat; without a level the seat becomes free."""

    seat: int
    level: str
    name: str = ""
    """Empty: that of the seat."""


class Faced(Struct, tag="face", kw_only=True):
    """A person chooses a portrait."""

    seat: int
    face: str


class WentAway(Struct, tag="away", kw_only=True):
    """A computer player takes over for a person who left or lost the connection."""

    seat: int
    left: bool
    """Of their own will."""


class CameBack(Struct, tag="back", kw_only=True):
    seat: int


class Seeded(Struct, tag="seeded", kw_only=True):
    """A player's own seed for the next hand, at a table of fair cards version 1. No longer written."""

    seat: int
    seed: str


class Readied(Struct, tag="ready", kw_only=True):
    seat: int


class DealAsked(Struct, tag="ask_deal", kw_only=True):
    """The cards are to be dealt, or cut: now the list of commitments is closed as soon as all are there."""


class Committed(Struct, tag="committed", kw_only=True):
    """A person's page has committed to its seed in the round that is open."""

    seat: int
    commitment: str


class ListClosed(Struct, tag="closed", kw_only=True):
    """No commitment is added any more, and the seeds are revealed."""


class Revealed(Struct, tag="revealed", kw_only=True):
    seat: int
    seed: str


class RoundVoided(Struct, tag="void", kw_only=True):
    """Who is in the list has not revealed: everybody else commits anew."""

    next_seed: str
    """The server's seed for the next round."""


class SeatsCut(Struct, tag="cut", kw_only=True):
    """The players cut, with all seeds of the round, and sit down accordingly."""

    next_seed: str
    """The server's seed for the first hand."""


class FairDealt(Struct, tag="fair_dealt", kw_only=True):
    """The next hand is dealt, with all seeds of the round."""

    next_seed: str
    """The server's seed for the hand after this one."""


class Dealt(Struct, tag="dealt", kw_only=True):
    """The next hand is dealt by fair cards version 1, from the seed that was committed to before and those of
    the players. No longer written."""

    player_seeds: list[str]
    next_seed: str
    """The server's seed for the hand after this one."""


class Laid(Struct, tag="laid", kw_only=True, omit_defaults=True):
    """The cards of a table for practice are laid out."""

    position: str
    """As `notation.positions` reads it, with the moves that have been made since."""
    seat: int = 0
    """Of the person who practises."""
    goals: list[str] = []
    """What its player is to do, see `goals`."""
    avoid: list[str] = []
    """What ends the try."""
    turns: int = 0
    """Of the player's own, for reaching the goals; 0: the whole hand."""


class Moved(Struct, tag="moved", kw_only=True, omit_defaults=True):
    seat: int
    move: str
    by: str = "person"
    """`person`, `bot`, or `clock` for the first move after a player's time ran out."""
    hurried: bool = False
    """The computer player did not answer in time, and a simple move was made for it."""


class Said(Struct, tag="said", kw_only=True):
    seat: int
    phrase: str


Shuffled = DealAsked | Committed | ListClosed | Revealed | RoundVoided | SeatsCut | FairDealt
"""What has to do with the seeds of the next deal."""

Entry = (
    Created
    | Seated
    | Joins
    | Withdrew
    | BotSeated
    | Faced
    | WentAway
    | CameBack
    | Seeded
    | Readied
    | Shuffled
    | Dealt
    | Laid
    | Moved
    | Said
    | GameChanged
    | Arranged
    | Agreed
    | Continued
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


class WrongLog(Exception):
    """The log cannot be applied: it was not written by this program, or it is damaged."""


class NewerRules(WrongLog):
    """The table plays a version of its rules that is not known here."""


def encode_entry(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode_entry(payload: bytes) -> Entry:
    return _decoder.decode(payload)


def without_name(payload: bytes, player: str) -> bytes | None:
    """An entry that names this player, as it is without the name; None for any other."""
    entry = decode_entry(payload)
    if isinstance(entry, Created):
        return encode_entry(entry) if forget_in(entry, player) else None
    if not isinstance(entry, (Seated, Joins)) or entry.player != player:
        return None
    entry.name, entry.account, entry.place = "", False, ""
    return encode_entry(entry)


def people_in(entries: Sequence[Entry]) -> set[str]:
    """Ids of all whom these entries name."""
    found = {entry.player for entry in entries if isinstance(entry, (Seated, Joins))}
    for entry in entries:
        if isinstance(entry, Created):
            found |= {tally.player for tally in entry.evening}
    return found


def forget_in(created: Created, player: str) -> bool:
    """Take the name of this player from what the evening has been; whether it was there."""
    own = [tally for tally in created.evening if tally.player == player]
    for tally in own:
        tally.name = ""
    return bool(own)
