"""Entries of a table's log. Applying them in order rebuilds the table exactly; see `table.Table`.

The log never leaves the server: it contains the seeds of hands in play.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.errors import CanastaError
from canasta.scenarios.positions import after_moves, match_from_position

Option = bool | int | str | list[int]
"""The value of an option in JSON."""


class SessionTally(Struct, kw_only=True):
    """A player's results in the earlier games of a session."""

    player: str
    name: str
    games: int
    won: int
    points: int


class Created(Struct, tag="created", kw_only=True):
    """A table is opened. This is always the first entry."""

    rules: str
    version: int
    """The version of the preset. Moves made under other rules can't be replayed."""
    players: int
    options: dict[str, Option]
    public: bool
    level: str
    """Level of the computer players that fill free seats."""
    clock: int
    spectators: bool
    seed: str
    """The server's seed for the first hand, hexadecimal. The commitment to it is shown from now on."""
    made: float
    """Seconds since 1970."""
    one_seat: bool = False
    """Whether people who share a network address can have only one seat between them."""
    secret: str = ""
    """The key for hashes of addresses at this table, hexadecimal; empty if addresses aren't recorded."""
    cards: str = ""
    """The seed of all cards, which makes deals repeatable; empty if the cards are fair."""
    after: str = ""
    """The table of the previous game of these players; empty for the first game of a session."""
    evening: list[SessionTally] = []
    """Results of the earlier games of the session."""
    day: str = ""
    """The day whose cards the table has, such as `2026-11-16`; players don't contribute seeds. Empty for all
    other tables."""
    counts: bool = False
    """Whether the result is ranked."""
    practice: str = ""
    """The topic of a practice table, such as `lesson:frozen:2`. Its cards are laid out instead of dealt."""


def day_name(day: str) -> str:
    """Return the name that the seed of a day is bound to, instead of a table's name."""
    return f"day-{day}"


class GameChanged(Struct, tag="game", kw_only=True):
    """The host has chosen another game, number of players or house rules before the first cards."""

    rules: str
    version: int
    players: int
    options: dict[str, Option]
    seed: str
    """The server's seed for the first cards of this game, if it hadn't committed to one before."""


class Arranged(Struct, tag="arranged", kw_only=True):
    """The host has rearranged the seats before the first cards."""

    seats: list[int]
    """For each seat, the previous seat of the player who has it now."""


class Agreed(Struct, tag="agreed", kw_only=True):
    """This player wants another game after the one that is over."""

    seat: int


class Continued(Struct, tag="next", kw_only=True):
    """The players who want another game continue at this table. Its log starts in the same transaction."""

    table: str


class _OfPerson(Struct, kw_only=True):
    """A log entry about a player and a seat."""

    seat: int
    player: str
    name: str
    account: bool = False
    """Whether the name belongs to an account and the person owns it."""
    place: str = ""
    """A keyed hash of the person's network address; empty if the address is unknown."""


class Seated(_OfPerson, tag="seated", kw_only=True):
    """A person sits down, or changes seats before the game starts."""


class Joins(_OfPerson, tag="joins", kw_only=True):
    """A person will get this seat after the hand in play, unless its owner is back by then. Until then they
    see none of its cards."""


class Withdrew(Struct, tag="withdrew", kw_only=True):
    """The player with a promised seat no longer wants it."""

    seat: int


class BotSeated(Struct, tag="bot", kw_only=True):
    """A computer player gets a seat; an empty level frees the seat."""

    seat: int
    level: str
    name: str = ""
    """Empty for the name of the seat."""


class Removed(Struct, tag="removed", kw_only=True):
    """The host has removed a player, who can't take a seat at this table again."""

    seat: int
    player: str
    place: str = ""
    """The keyed hash of the address that they sat down from; empty if it is unknown."""


class Faced(Struct, tag="face", kw_only=True):
    """A person chooses a portrait."""

    seat: int
    face: str


class WentAway(Struct, tag="away", kw_only=True):
    """A computer player takes over for a person who left or lost the connection."""

    seat: int
    left: bool
    """Whether the person chose to leave."""


class CameBack(Struct, tag="back", kw_only=True):
    seat: int


class Readied(Struct, tag="ready", kw_only=True):
    seat: int


class DealAsked(Struct, tag="ask_deal", kw_only=True):
    """The next cards have been requested; they are dealt or cut once the list of commitments is complete."""


class Committed(Struct, tag="committed", kw_only=True):
    """A client has committed to its player's seed in the open round."""

    seat: int
    commitment: str


class ListClosed(Struct, tag="closed", kw_only=True):
    """The list of commitments is final, and the seeds are revealed."""


class Revealed(Struct, tag="revealed", kw_only=True):
    seat: int
    seed: str


class RoundVoided(Struct, tag="void", kw_only=True):
    """A player in the list hasn't revealed their seed, so the round is void. All others commit again."""

    next_seed: str
    """The server's seed for the next round."""


class SeatsCut(Struct, tag="cut", kw_only=True):
    """The players cut, using all seeds of the round, and take the seats they cut."""

    next_seed: str
    """The server's seed for the first hand."""


class FairDealt(Struct, tag="fair_dealt", kw_only=True):
    """The next hand is dealt from all seeds of the round."""

    next_seed: str
    """The server's seed for the hand after this one."""


class Laid(Struct, tag="laid", kw_only=True, omit_defaults=True):
    """The cards of a practice table are laid out."""

    position: str
    """A position in the format of `scenarios.positions`, including the moves of the turn so far."""
    seat: int = 0
    """The player's seat."""
    goals: list[str] = []
    """The player's goals; see `practice`."""
    avoid: list[str] = []
    """Goals that end the practice as failed when they are reached."""
    turns: int = 0
    """Maximum number of the player's own turns; 0 for the whole hand."""


class Moved(Struct, tag="moved", kw_only=True, omit_defaults=True):
    seat: int
    move: str
    by: str = "person"
    """`person`, `bot`, or `clock` for the first move after a player's time ran out."""
    hurried: bool = False
    """Whether a simple move was made because the computer player didn't answer in time."""


class Said(Struct, tag="said", kw_only=True):
    seat: int
    phrase: str


Shuffled = DealAsked | Committed | ListClosed | Revealed | RoundVoided | SeatsCut | FairDealt
"""Entries about the seeds of the next deal."""

Entry = (
    Created
    | Seated
    | Joins
    | Withdrew
    | BotSeated
    | Removed
    | Faced
    | WentAway
    | CameBack
    | Readied
    | Shuffled
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


class LogError(CanastaError):
    """The log can't be applied: it was not written by this program, or it is damaged."""

    def __init__(self, problem: str, *, has_newer_rules: bool = False) -> None:
        super().__init__(problem)
        self.has_newer_rules = has_newer_rules
        """Whether the table's rules are newer than this program."""


def encode_entry(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode_entry(payload: bytes) -> Entry:
    return _decoder.decode(payload)


def without_name(payload: bytes, player: str) -> bytes | None:
    """Return the entry without this player's name; `None` if it doesn't name them."""
    entry = decode_entry(payload)
    if isinstance(entry, Created):
        return encode_entry(entry) if forget_in(entry, player) else None
    if not isinstance(entry, (Seated, Joins)) or entry.player != player:
        return None
    entry.name, entry.account, entry.place = "", False, ""
    return encode_entry(entry)


def people_in(entries: Sequence[Entry]) -> set[str]:
    """Return the ids of all people that these entries name."""
    people = {entry.player for entry in entries if isinstance(entry, (Seated, Joins))}
    for entry in entries:
        if isinstance(entry, Created):
            people |= {tally.player for tally in entry.evening}
    return people


def forget_in(created: Created, player: str) -> bool:
    """Remove a player's name from the results of the session. Return whether it was in them."""
    own = [tally for tally in created.evening if tally.player == player]
    for tally in own:
        tally.name = ""
    return bool(own)


# -- the course of a match ---------------------------------------------------------------------------------


class FairStep(Struct, tag="fair", kw_only=True):
    """A deal, from fair cards at most tables."""

    hand: int
    number: int
    """The number of the seed round."""
    server_seed: str
    """Empty if the table doesn't use player-contributed seeds."""
    seeds: dict[int, str]
    """Seeds by seat."""
    first_dealer: int | None = None
    """The dealer of the first hand, if the players have cut for it."""
    bound_to: str = ""
    """The name that the seeds are bound to, if it isn't the table's name."""

    def fair_round(self, table: str) -> FairRound | None:
        if not self.server_seed:
            return None
        bound_to = self.bound_to or table
        return FairRound.of_seeds(bound_to, self.hand, self.server_seed, self.seeds, number=self.number)


class LaidStep(Struct, tag="laid", kw_only=True):
    """Cards laid out for practice."""

    position: str

    def match(self) -> Match:
        """Return the match in this position. Raises `PositionError` or `RulesetError`."""
        return after_moves(*match_from_position(self.position))


Step = str | FairStep | LaidStep
"""A move in our notation, or a deal."""
