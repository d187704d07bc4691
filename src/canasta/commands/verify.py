"""`canasta verify`: were these the cards that everybody had committed to?"""

from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.text import Text

from canasta.commands.options import Json, Lang, examples, new_command
from canasta.commands.output import (
    FAILED,
    ask_for,
    console,
    fail,
    in_words,
    print_fitted,
    print_json,
    print_wrapped,
    warn,
)
from canasta.commands.replay import read_record
from canasta.commands.spoken import spoken
from canasta.engine.fair import CUT, SERVER, FairRound, Part, is_seed
from canasta.notation.errors import printable, short
from canasta.notation.record import HandStarts
from canasta.notation.replay import Replayer
from canasta.notation.seat_names import SEAT_NAMES
from canasta.words import Facts
from canasta.words.files import tell_wrong, wrong_line


@dataclass
class Noted:
    """What a player noted at the table, and what of it the record does not have."""

    seeds: list[str]
    commitments: list[str]
    seeds_missing: list[str] = field(default_factory=list)
    commitments_missing: list[str] = field(default_factory=list)

    @classmethod
    def typed(cls, seeds: list[str], commitments: list[str]) -> "Noted":
        return cls(_read(seeds, "verify.no_seed"), _read(commitments, "verify.no_commitment"))

    def look_for(self, replayer: Replayer) -> None:
        """Also in rounds that came to nothing: there a seed is told if it was revealed."""
        told = [part for hand in replayer.fair_hands for part in _parts(hand)]
        told += [part for fair in replayer.void_rounds for part in (fair.server, *fair.parts)]
        rounds = [hand.fair for hand in replayer.fair_hands if isinstance(hand.fair, FairRound)]
        seeds = {part.seed for part in told}
        commitments = {part.commitment for part in told}
        # A closed list is named by its digest, which commits to all that is in it.
        commitments |= {fair.list_digest() for fair in [*rounds, *replayer.void_rounds]}
        self.seeds_missing = [seed for seed in self.seeds if seed not in seeds]
        self.commitments_missing = [each for each in self.commitments if each not in commitments]

    @property
    def is_found(self) -> bool:
        return not self.seeds_missing and not self.commitments_missing


def _read(typed: list[str], otherwise: str) -> list[str]:
    texts = [text.strip().lower() for text in typed]
    for text in texts:
        if not is_seed(text):
            fail(otherwise, {"text": short(text)})
    return texts


def _parts(hand: HandStarts) -> list[Part]:
    """What was contributed to a hand; of version 1 the server's part alone was committed to."""
    if isinstance(hand.fair, FairRound):
        return [hand.fair.server, *hand.fair.parts]
    return [] if hand.fair is None else [Part(SERVER, hand.commitment, hand.fair.server_seed)]


def print_verification(file: str, *, seeds: list[str], commitments: list[str], as_json: bool) -> None:
    """Deals every hand of a record again from its seeds and plays it; the status is 1 where it does not hold.

    `seeds` and `commitments` are what the player's own page or terminal has kept.
    """
    noted = Noted.typed(seeds, commitments)
    replayer = Replayer(read_record(file))
    while replayer.step() is not None:
        pass
    noted.look_for(replayer)
    holds = replayer.replay.is_good and bool(replayer.fair_hands) and noted.is_found
    if as_json:
        _print_as_data(replayer, noted, holds=holds)
    else:
        _Report(file, replayer, noted).print()
    if not holds:
        raise typer.Exit(FAILED)


def _print_as_data(replayer: Replayer, noted: Noted, *, holds: bool) -> None:
    problem = replayer.replay.problem or replayer.replay.breaks_off
    print_json(
        {
            "fair": holds,
            "hands": [_as_data(hand) for hand in replayer.fair_hands],
            "void_rounds": [
                {**_round_data(fair), "unrevealed": list(fair.unrevealed)} for fair in replayer.void_rounds
            ],
            "seeds_not_found": noted.seeds_missing,
            "commitments_not_found": noted.commitments_missing,
            "problem": None if problem is None else wrong_line(problem, spoken()),
        }
    )


def _as_data(hand: HandStarts) -> dict[str, object]:
    fair = hand.fair
    if isinstance(fair, FairRound):
        return {"version": 2, **_round_data(fair)}
    assert fair is not None
    return {
        "version": 1,
        "hand": hand.number,
        "commitment": hand.commitment,
        "server_seed": fair.server_seed,
        "player_seeds": list(fair.player_seeds),
    }


def _round_data(fair: FairRound) -> dict[str, object]:
    return {
        "hand": fair.hand,
        "round": fair.number,
        "commitment": fair.commitment,
        "server_seed": fair.server_seed,
        "contributed": list(fair.contributors),
        "seats": [
            {"seat": part.seat, "commitment": part.commitment, "seed": part.seed or None}
            for part in fair.parts
        ],
    }


class _Report:
    """The same in sentences."""

    def __init__(self, file: str, replayer: Replayer, noted: Noted) -> None:
        self.file = printable(file)
        self.replayer = replayer
        self.noted = noted
        header = replayer.replay.header
        self.names: list[str] = []
        if header is not None and header.players in SEAT_NAMES:
            usual = SEAT_NAMES[header.players]
            self.names = [header.names.get(seat, usual[seat]) for seat in range(header.players)]

    def print(self) -> None:
        hands = self.replayer.fair_hands
        problem = self.replayer.replay.problem or self.replayer.replay.breaks_off
        if hands:
            self._print_hands(hands)
        for fair in self.replayer.void_rounds:
            who = ", ".join(self._name(fair, seat) for seat in fair.unrevealed)
            self._say("void", {"count": _count(fair.hand), "round": fair.number, "text": who})
        if problem is not None:
            said = tell_wrong(problem, spoken())
            warn("record_line", {"name": self.file, "number": problem.line, "text": said})
        elif not hands:
            warn("verify.not_fair", {"name": self.file})
        for seed in self.noted.seeds_missing:
            warn("verify.seed_missing", {"text": seed})
        for commitment in self.noted.commitments_missing:
            warn("verify.commitment_missing", {"text": commitment})
        if problem is None and hands and self.noted.is_found:
            self._print_result(hands)

    def _say(self, code: str, facts: Facts | None = None) -> None:
        print_wrapped(console(), in_words(f"verify.{code}", facts))

    def _name(self, fair: FairRound, seat: int) -> str:
        """Before the cut they sat elsewhere, so there the seat is all that can be said."""
        if fair.hand == CUT or seat >= len(self.names):
            return in_words("record_seat", {"number": seat})
        return self.names[seat]

    def _print_hands(self, hands: list[HandStarts]) -> None:
        rows = [tuple(in_words(f"verify.head.{head}") for head in ("hand", "from", "commitment"))]
        for hand in hands:
            number = in_words("verify.cut") if hand.number == CUT else str(hand.number)
            rows.append((number, self._contributors(hand), hand.commitment))
        width = max(len(contributors) for _, contributors, _ in rows)
        first = max(4, *(len(number) for number, _, _ in rows))
        for at, (number, contributors, commitment) in enumerate(rows):
            # Not broken: a commitment is there to be copied.
            where, style = console(), "" if at else "title"
            line = f"{number:>{first}}  {contributors.ljust(width)}  {commitment}"
            if where.is_terminal and len(rows[-1][2]) + width + first + 4 > where.width:
                print_fitted(
                    where, contributors, first=f"{number:>{first}}  ", rest=" " * (first + 2), style=style
                )
                line = " " * (first + 2) + commitment
            where.print(Text(line, style=style), soft_wrap=True)

    def _contributors(self, hand: HandStarts) -> str:
        fair = hand.fair
        if isinstance(fair, FairRound):
            return ", ".join(
                [in_words("verify.server"), *(self._name(fair, seat) for seat in fair.contributors)]
            )
        return " ".join([in_words("verify.server_1"), *(fair.player_seeds if fair is not None else ())])

    def _print_result(self, hands: list[HandStarts]) -> None:
        moves = len(self.replayer.replay.moves)
        dealt = sum(hand.number != CUT for hand in hands)
        print_fitted(console(), in_words("verify.holds", {"count": dealt, "number": moves}), style="title")
        old = [hand for hand in hands if not isinstance(hand.fair, FairRound)]
        alone = [hand for hand in hands if isinstance(hand.fair, FairRound) and not hand.fair.parts]
        if old:
            self._say("version_1", {"text": _listed(old)})
        if alone:
            self._say("alone", {"text": _listed(alone)})
        if len(old) + len(alone) < len(hands):
            self._say("nobody_other" if old or alone else "nobody")
            if not self.noted.seeds:
                self._say("for_you")


def _count(hand: int) -> int:
    """For a message that has words for the cut where others have them for none."""
    return 0 if hand == CUT else hand


def _listed(hands: list[HandStarts]) -> str:
    words = ", ".join(in_words("verify.hand", {"count": _count(hand.number)}) for hand in hands)
    return words[:1].upper() + words[1:]


app = new_command()


@app.command(epilog=examples("canasta verify evening.canasta"))
def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The record of a game; - reads standard input.")
    ],
    commitment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX",
            help="A commitment, or a list of them, that you saw before a deal; may be given several times.",
        ),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX", help="A seed of your own that your page has kept; may be given several times."
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check that the cards were those committed to before the deal, and say who contributed.

    Deals every hand again from its revealed seeds and plays its moves. The status is 1 if a seed does not
    fit its commitment, if a move does not fit the cards, if one of your seeds or commitments is not there, or
    if the record has no commitments.
    """

    ask_for(lang)
    print_verification(file, seeds=seed or [], commitments=commitment or [], as_json=json)
