"""Records of games: a header, a blank line, then hand by hand the moves, one a line.

    format: canasta 1
    rules: caliente
    version: 1
    players: 4
    seat 0: South
    seed: 5f0c

    hand 1
    1: draw
    1: discard 7h    # nobody wants sevens

Reading keeps every comment. What the moves mean is looked at in `replay.py` only.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TextIO, assert_never

from canasta.engine.cutting import Cut
from canasta.engine.fair import CUT, FairRound, Part, whose
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.play.deal import Fair
from canasta.notation.cards import format_card
from canasta.notation.errors import printable
from canasta.rules import load_ruleset
from canasta.rules.loader import options_of
from canasta.rules.model import Ruleset

FORMAT: Final = "canasta 1"
"""Name and version of this format; a reader refuses any other."""
UNFINISHED: Final = "unfinished"
UNREVEALED: Final = "unrevealed"

LARGEST_RECORD: Final = 4_000_000
LONGEST_LINE: Final = 4_000
LONGEST_NAME: Final = 60


@dataclass(frozen=True)
class GameResult:
    """How a game ended: `winner` is the side, None for a draw."""

    winner: int | None
    scores: tuple[int, ...]

    def __str__(self) -> str:
        outcome = "draw" if self.winner is None else f"side {self.winner} wins"
        return " ".join([outcome, *map(str, self.scores)])


@dataclass(frozen=True)
class Remark:
    """A comment on a line of its own; an empty line is one too, without a text."""

    text: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class HandStarts:
    """A hand is dealt: from the seed of the game, or from a fair shuffle with the commitment to it. Hand 0 is
    the fair shuffle for the cut."""

    number: int
    comment: str = ""
    fair: Fair | None = None
    commitment: str = ""
    """The server's, as the record has it."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RoundVoid:
    """A round of seeds in which somebody did not reveal; it stands before the hand that it was for."""

    fair: FairRound
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class CutMade:
    """What each player cut for seats and dealer, by the seats before the cut."""

    cards: tuple[tuple[int, ...], ...]
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class MoveMade:
    seat: int
    move: Move
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class HandEnds:
    """The points of a hand, by side."""

    points: tuple[int, ...]
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class GameEnds:
    result: GameResult
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class GameLeft:
    """The end of a record whose game was not played to its end. A record without any end was cut off."""

    comment: str = ""
    line: int = field(default=0, compare=False)


Entry = Remark | RoundVoid | CutMade | HandStarts | MoveMade | HandEnds | GameEnds | GameLeft


@dataclass
class Header:
    """What a game is played by and from."""

    rules: str
    version: int
    players: int
    seed: str
    options: dict[str, object] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    """Who sits where, as far as anyone has a name."""
    first_dealer: int | None = None
    result: GameResult | None = None
    unfinished: bool = False
    """Older records say here that the game was not played to its end; now the last line says so."""
    more: dict[str, str] = field(default_factory=dict)
    """`date`, `place` and whatever begins with `x-`."""
    comments: dict[str, list[str]] = field(default_factory=dict)
    """Comments, by the key that they stand above; those at the end of the header under the empty key."""
    lines: dict[str, int] = field(default_factory=dict, compare=False)
    """The line of each key, in a record that was read."""

    @classmethod
    def of(
        cls,
        rules: Ruleset,
        *,
        seed: str,
        first_dealer: int | None = None,
        names: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> "Header":
        """The header of a new game. Without `options` they are told field by field, wherever the rules
        differ from the preset. Raises `ValueError` if the options would not lead to these rules again, or
        if the seed cannot stand on a line."""
        why_not = why_not_seed(seed)
        if why_not:
            raise ValueError(why_not)
        chosen = dict(told_options(rules) if options is None else options)
        if load_ruleset(rules.name, rules.seats.players, chosen) != rules:
            raise ValueError("these options do not lead to these rules")
        header = cls(rules.name, rules.version, rules.seats.players, seed, options=chosen)
        header.first_dealer = first_dealer
        header.names = {seat: one_line(name, LONGEST_NAME) for seat, name in enumerate(names) if name.strip()}
        return header

    def text(self) -> str:
        """The header as written, without the blank line after it."""
        written: list[str] = []
        for key, value in self._values():
            written.extend(f"# {comment}".rstrip() for comment in self.comments.get(key, []))
            written.append(f"{key}: {value}".rstrip())
        written.extend(f"# {comment}".rstrip() for comment in self.comments.get("", []))
        return "".join(f"{line}\n" for line in written)

    def _values(self) -> Iterator[tuple[str, str]]:
        yield "format", FORMAT
        yield "rules", self.rules
        yield "version", str(self.version)
        for name, value in self.options.items():
            yield f"option {name}", json.dumps(value)
        yield "players", str(self.players)
        for seat in sorted(self.names):
            yield f"seat {seat}", self.names[seat]
        yield "seed", self.seed
        if self.first_dealer is not None:
            yield "first dealer", str(self.first_dealer)
        yield from self.more.items()
        if self.result is not None:
            yield "result", str(self.result)
        elif self.unfinished:
            yield "result", UNFINISHED


def why_not_seed(text: str) -> str:
    """What keeps this text from standing in a record as the seed of a game; empty when nothing does."""
    if text and one_line(text, LONGEST_LINE // 2) == text:
        return ""
    return "a seed is one line of text, without blanks around it"


def told_options(rules: Ruleset) -> dict[str, object]:
    """The options that make these rules out of their preset, as a record writes them."""
    return {
        path: list(value) if isinstance(value, tuple) else value for path, value in options_of(rules).items()
    }


def one_line(text: str, longest: int) -> str:
    """A text that can stand in a record: on one line, without blanks around it, not too long."""
    return " ".join(printable(" ".join(text.split())).split())[:longest].rstrip()


@dataclass
class Record:
    """A whole record."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    def note_left(self) -> None:
        """The players leave before the game is over."""
        self.entries.append(GameLeft())

    @property
    def moves(self) -> list[MoveMade]:
        return [entry for entry in self.entries if isinstance(entry, MoveMade)]

    def __repr__(self) -> str:
        header = self.header
        return (
            f"<Record: {header.rules}, {header.players} players, seed {header.seed}: "
            f"{len(self.moves)} moves, {header.result or UNFINISHED}>"
        )

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The record as written; reading it gives the same record."""
        return self.header.text() + "\n" + "".join(f"{format_entry(entry)}\n" for entry in self.entries)


def hand_starts(number: int, fair: Fair | None) -> HandStarts:
    return HandStarts(number, fair=fair, commitment="" if fair is None else fair.commitment)


def cut_entries(cut: Cut, fair: FairRound | None) -> list[Entry]:
    """What a cut adds to a record."""
    told = CutMade(cut.cards)
    return [told] if fair is None else [hand_starts(CUT, fair), told]


def entries_after(match: Match, seat: int, move: Move) -> list[Entry]:
    """What a move adds to a record: itself, and what ended with it."""
    entries: list[Entry] = [MoveMade(seat, move)]
    if match.hand.over:
        entries.append(HandEnds(tuple(sheet.total for sheet in match.hand.score_sheets())))
    if match.over:
        entries.append(GameEnds(GameResult(match.winner, tuple(match.scores))))
    return entries


def format_entry(entry: Entry) -> str:
    """The line of an entry."""
    if isinstance(entry, Remark):
        return "" if entry.text is None else f"# {entry.text}".rstrip()
    match entry:
        case HandStarts():
            line = _hand_line(entry)
        case RoundVoid(fair=fair):
            line = f"void {fair.hand} {_round_told(fair)}"
        case CutMade(cards=cuts):
            line = "cut: " + ", ".join([" ".join([format_card(card) for card in cards]) for cards in cuts])
        case MoveMade(seat=seat, move=move):
            line = f"{seat}: {move!s}"
        case HandEnds(points=points):
            line = f"points: {' '.join(map(str, points))}"
        case GameEnds(result=result):
            line = f"result: {result}"
        case GameLeft():
            line = f"result: {UNFINISHED}"
        case _:
            assert_never(entry)
    return f"{line}  # {entry.comment}" if entry.comment else line


def _hand_line(entry: HandStarts) -> str:
    fair = entry.fair
    if fair is None:
        return f"hand {entry.number}"
    if isinstance(fair, FairRound):
        return f"hand {entry.number} fair-2 {_round_told(fair)}"
    return " ".join([f"hand {entry.number} fair", entry.commitment, fair.server_seed, *fair.player_seeds])


def _round_told(fair: FairRound) -> str:
    return ", ".join([f"round {fair.number}", *map(_part_told, (fair.server, *fair.parts))])


def _part_told(part: Part) -> str:
    return f"{whose(part.seat)} {part.commitment} {part.seed or UNREVEALED}"


class RecordWriter:
    """Writes a record while the game goes on, each line at once, so that nothing is lost when it stops."""

    def __init__(self, stream: TextIO, header: Header) -> None:
        self._stream = stream
        stream.write(header.text() + "\n")

    def write(self, entries: Iterable[Entry]) -> None:
        """What has come to the record since it was last written."""
        self._stream.write("".join(f"{format_entry(entry)}\n" for entry in entries))
        self._stream.flush()
