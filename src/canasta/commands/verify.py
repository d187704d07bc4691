"""`canasta verify`: were these the cards that everybody had committed to?"""

from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.text import Text

from canasta.commands.options import Json, Lang, examples, new_command
from canasta.commands.output import FAILED, console, fail, print_fitted, print_json, print_wrapped, warn
from canasta.commands.replay import read_record
from canasta.commands.spoken import ask_for, told
from canasta.engine.fair import CUT, SERVER, FairRound, Part, is_seed
from canasta.notation.errors import printable, quoted
from canasta.notation.record import HandStarts
from canasta.notation.replay import Replayer
from canasta.notation.seat_names import SEAT_NAMES


@dataclass
class Noted:
    """What a player noted at the table, and what of it the record does not have."""

    seeds: list[str]
    commitments: list[str]
    seeds_missing: list[str] = field(default_factory=list)
    commitments_missing: list[str] = field(default_factory=list)

    @classmethod
    def typed(cls, seeds: list[str], commitments: list[str]) -> "Noted":
        return cls(_read(seeds, "seed"), _read(commitments, "commitment"))

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


def _read(typed: list[str], what: str) -> list[str]:
    texts = [text.strip().lower() for text in typed]
    for text in texts:
        if not is_seed(text):
            fail(f"{quoted(text)} is no {what}, which is 64 hexadecimal digits.")
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
            "problem": None if problem is None else f"line {problem.line}: {problem.told(told)}",
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
            self._say(f"{_hand_words(fair.hand)}, round {fair.number} came to nothing: {who} did not reveal.")
        if problem is not None:
            warn(f"{self.file}, line {problem.line}: {problem.told(told)}".rstrip(".") + ".")
        elif not hands:
            warn(
                f"{self.file} was not dealt from fair shuffles: its cards come from a seed alone, "
                "and there is no commitment to verify."
            )
        for seed in self.noted.seeds_missing:
            warn(f"your seed {seed} is not in this record: its cards were dealt without you.")
        for commitment in self.noted.commitments_missing:
            warn(f"no hand of this record was committed to by {commitment}.")
        if problem is None and hands and self.noted.is_found:
            self._print_result(hands)

    def _say(self, text: str, style: str = "") -> None:
        print_wrapped(console(), text, style=style)

    def _name(self, fair: FairRound, seat: int) -> str:
        """Before the cut they sat elsewhere, so there the seat is all that can be said."""
        if fair.hand == CUT or seat >= len(self.names):
            return f"seat {seat}"
        return self.names[seat]

    def _print_hands(self, hands: list[HandStarts]) -> None:
        rows = [("hand", "seeds from", "the server's commitment")]
        for hand in hands:
            number = "cut" if hand.number == CUT else str(hand.number)
            rows.append((number, self._contributors(hand), hand.commitment))
        width = max(len(contributors) for _, contributors, _ in rows)
        for at, (number, contributors, commitment) in enumerate(rows):
            # Not broken: a commitment is there to be copied.
            where, style = console(), "" if at else "title"
            line = f"{number:>4}  {contributors.ljust(width)}  {commitment}"
            if where.is_terminal and len(rows[-1][2]) + width + 8 > where.width:
                print_fitted(where, contributors, first=f"{number:>4}  ", rest=" " * 6, style=style)
                line = f"      {commitment}"
            where.print(Text(line, style=style), soft_wrap=True)

    def _contributors(self, hand: HandStarts) -> str:
        fair = hand.fair
        if isinstance(fair, FairRound):
            return ", ".join(["server", *(self._name(fair, seat) for seat in fair.contributors)])
        return " ".join(["server (version 1)", *(fair.player_seeds if fair is not None else ())])

    def _print_result(self, hands: list[HandStarts]) -> None:
        moves = len(self.replayer.replay.moves)
        dealt = sum(hand.number != CUT for hand in hands)
        words = "hand was" if dealt == 1 else "hands were"
        text = f"{dealt} {words} dealt from the committed seeds, and all {moves} moves hold with those cards."
        print_fitted(console(), text, style="title")
        old = [hand for hand in hands if not isinstance(hand.fair, FairRound)]
        alone = [hand for hand in hands if isinstance(hand.fair, FairRound) and not hand.fair.parts]
        if old:
            self._say(
                f"{_listed(old)}: version 1. There the server saw all seeds before it dealt; it could not "
                "change its own any more, but it could have chosen the seeds of seats without a person."
            )
        if alone:
            self._say(f"{_listed(alone)}: nobody but the server gave a seed, so it could choose these cards.")
        if len(old) + len(alone) < len(hands):
            which = "the other cards" if old or alone else "the cards"
            self._say(
                f"Nobody could choose {which} alone: all had committed before anybody revealed. "
                "A computer player gives no seed."
            )
            if not self.noted.seeds:
                self._say(
                    "This holds for you if your own seed was used: --seed and --commitment look for what "
                    "your page or terminal has kept."
                )


def _hand_words(number: int) -> str:
    return "The cut" if number == CUT else f"Hand {number}"


def _listed(hands: list[HandStarts]) -> str:
    words = [_hand_words(hand.number) for hand in hands]
    return ", ".join([words[0], *(word[:1].lower() + word[1:] for word in words[1:])])


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
