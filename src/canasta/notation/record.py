"""Records of games: a header, a blank line, then the moves hand by hand, one per line.

    format: canasta 1
    rules: caliente
    version: 1
    players: 4
    seat 0: South
    seed: 5f0c

    hand 1
    1: draw
    1: discard 7h    # nobody wants sevens

Reading keeps every comment. Only `replay.py` interprets the moves.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TextIO, assert_never

from canasta.engine.fairness import CUT, Contribution, FairRound, participant_name
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.seating import Cut
from canasta.i18n.safe_text import printable
from canasta.notation.cards import format_card
from canasta.rules import load_ruleset
from canasta.rules.loader import options_of
from canasta.rules.model import Ruleset

FORMAT: Final = "canasta 1"
"""Name and version of this format. A reader rejects any other."""
UNFINISHED: Final = "unfinished"
UNREVEALED: Final = "unrevealed"

LARGEST_RECORD: Final = 4_000_000
LONGEST_LINE: Final = 4_000
LONGEST_NAME: Final = 60


@dataclass(frozen=True)
class GameResult:
    """The result of a game. `winner` is the winning side, or `None` for a draw."""

    winner: int | None
    scores: tuple[int, ...]

    def __str__(self) -> str:
        outcome = "draw" if self.winner is None else f"side {self.winner} wins"
        return " ".join([outcome, *map(str, self.scores)])


@dataclass(frozen=True)
class Remark:
    """A comment on a line of its own. An empty line is a remark without a text."""

    text: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class HandStarts:
    """A hand is dealt, from the seed of the game or from a fair shuffle with its commitment.

    Hand 0 is the fair shuffle for the cut.
    """

    number: int
    comment: str = ""
    fair: FairRound | None = None
    commitment: str = ""
    """The server's commitment as written in the record."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RoundVoid:
    """A seed round in which a player failed to reveal. It precedes the hand that it was for."""

    fair: FairRound
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class CutMade:
    """The cards that each player cut for seats and dealer, by the seats before the cut."""

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
    """A hand ended with these points, by side."""

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
    """The game was abandoned. A record without any such ending was cut off."""

    comment: str = ""
    line: int = field(default=0, compare=False)


Entry = Remark | RoundVoid | CutMade | HandStarts | MoveMade | HandEnds | GameEnds | GameLeft


@dataclass
class Header:
    """The rules, players and seed of a game."""

    rules: str
    version: int
    players: int
    seed: str
    options: dict[str, object] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    """Names of the players by seat. Seats without a name are left out."""
    first_dealer: int | None = None
    result: GameResult | None = None
    unfinished: bool = False
    """Whether an older record says here that the game was abandoned. New records say so in the last line."""
    more: dict[str, str] = field(default_factory=dict)
    """The fields `date`, `place` and any whose key starts with `x-`."""
    comments: dict[str, list[str]] = field(default_factory=dict)
    """Comments by the key they precede; those at the end of the header are under the empty key."""
    lines: dict[str, int] = field(default_factory=dict, compare=False)
    """The line number of each key, if the record was read from text."""

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
        """Create the header of a new game.

        By default the options are every field in which the rules differ from the preset. Raise `ValueError`
        if the options do not reproduce the rules, or if the seed cannot be written on one line.
        """
        why_not = why_not_seed(seed)
        if why_not:
            raise ValueError(why_not)
        chosen = dict(options_to_record(rules) if options is None else options)
        if load_ruleset(rules.name, rules.seats.players, chosen) != rules:
            raise ValueError("these options do not lead to these rules")
        header = cls(rules.name, rules.version, rules.seats.players, seed, options=chosen)
        header.first_dealer = first_dealer
        header.names = {seat: one_line(name, LONGEST_NAME) for seat, name in enumerate(names) if name.strip()}
        return header

    def text(self) -> str:
        """Return the header's text, without the blank line after it."""
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
    """Return why this text cannot be the seed of a game in a record; empty if it can."""
    if text and one_line(text, LONGEST_LINE // 2) == text:
        return ""
    return "a seed is one line of text, without blanks around it"


def options_to_record(rules: Ruleset) -> dict[str, object]:
    """Return the options that turn the preset into these rules, as a record writes them."""
    return {
        path: list(value) if isinstance(value, tuple) else value for path, value in options_of(rules).items()
    }


def one_line(text: str, longest: int) -> str:
    """Normalise a text for a record: one line, no surrounding blanks, at most `longest` characters."""
    return " ".join(printable(" ".join(text.split())).split())[:longest].rstrip()


@dataclass
class Record:
    """A complete record."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    def note_left(self) -> None:
        """Append that the players abandoned the game."""
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
        """Return the text of the record. Parsing it gives an equal record."""
        return self.header.text() + "\n" + "".join(f"{format_entry(entry)}\n" for entry in self.entries)


def hand_starts(number: int, fair: FairRound | None) -> HandStarts:
    return HandStarts(number, fair=fair, commitment="" if fair is None else fair.commitment)


def cut_entries(cut: Cut, fair: FairRound | None) -> list[Entry]:
    """Return the entries that a cut adds to a record."""
    cut_made = CutMade(cut.cards)
    return [cut_made] if fair is None else [hand_starts(CUT, fair), cut_made]


def entries_after(match: Match, seat: int, move: Move) -> list[Entry]:
    """Return the entries that a move adds to a record, including the end of the hand or game."""
    entries: list[Entry] = [MoveMade(seat, move)]
    if match.hand.over:
        entries.append(HandEnds(tuple(sheet.total for sheet in match.hand.score_sheets())))
    if match.over:
        entries.append(GameEnds(GameResult(match.winner, tuple(match.scores))))
    return entries


def format_entry(entry: Entry) -> str:
    """Return the line of an entry."""
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
    return f"hand {entry.number} fair-2 {_round_told(fair)}"


def _round_told(fair: FairRound) -> str:
    return ", ".join([f"round {fair.number}", *map(_part_told, (fair.server, *fair.parts))])


def _part_told(part: Contribution) -> str:
    return f"{participant_name(part.seat)} {part.commitment} {part.seed or UNREVEALED}"


class RecordWriter:
    """Writes a record during the game.

    Each line is flushed at once, so nothing is lost if the program stops.
    """

    def __init__(self, stream: TextIO, header: Header) -> None:
        self._stream = stream
        stream.write(header.text() + "\n")

    def write(self, entries: Iterable[Entry]) -> None:
        """Write the entries added since the last call."""
        self._stream.write("".join(f"{format_entry(entry)}\n" for entry in entries))
        self._stream.flush()
