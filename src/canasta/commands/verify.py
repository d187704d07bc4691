"""`canasta verify`: check that a record's cards match the commitments made before the deals."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from canasta.commands.options import Json, Lang, RecordToRead, examples, new_command
from canasta.commands.output import (
    FAILED,
    console,
    fail,
    in_words,
    language,
    phrase,
    print_fitted,
    print_json,
    print_wrapped,
    use_language,
    warn,
    warn_saying,
)
from canasta.commands.replay import read_record
from canasta.engine.fairness import CUT, Contribution, FairRound, is_seed
from canasta.i18n import Facts
from canasta.i18n.safe_text import printable, short
from canasta.i18n.voice import SEAT_NAMES, reason_in
from canasta.notation.record import HandStarts
from canasta.notation.replay import Replayer
from canasta.table.fairness.comparison import Comparison, compare_with_record
from canasta.table.fairness.observation import FairnessError
from canasta.table.fairness.transcript import LARGEST_FILE, Verdict, WitnessFile, decode_transcript
from canasta.terminal.fairness import PROBLEMS, RESULTS


@dataclass
class PlayerNotes:
    """The seeds and commitments that a player noted at the table, and those that the record lacks."""

    seeds: list[str]
    commitments: list[str]
    seeds_missing: list[str] = field(default_factory=list)
    commitments_missing: list[str] = field(default_factory=list)

    @classmethod
    def typed(cls, seeds: list[str], commitments: list[str]) -> "PlayerNotes":
        return cls(_read(seeds, "verify.no_seed"), _read(commitments, "verify.no_commitment"))

    def look_for(self, replayer: Replayer) -> None:
        """Find the notes that the record lacks. Void rounds count too, since they contain revealed seeds."""
        contributions = [part for hand in replayer.fair_hands for part in _parts(hand)]
        contributions += [part for fair in replayer.void_rounds for part in (fair.server, *fair.parts)]
        rounds = [hand.fair for hand in replayer.fair_hands if hand.fair is not None]
        seeds = {part.seed for part in contributions}
        commitments = {part.commitment for part in contributions}
        # The digest of a closed list is a commitment to all its entries.
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


def _parts(hand: HandStarts) -> list[Contribution]:
    """Return all contributions to a hand."""
    return [] if hand.fair is None else [hand.fair.server, *hand.fair.parts]


@dataclass
class _WitnessedGame:
    """A saved transcript and its comparison with the record."""

    file: str
    transcript: WitnessFile
    comparison: Comparison

    @property
    def alarms(self) -> list[Verdict]:
        """Problems that the player's own program found during the game."""
        return [verdict for verdict in self.transcript.verdicts if verdict.result in PROBLEMS]

    @property
    def holds(self) -> bool:
        return self.comparison.difference is None and not self.alarms

    def print(self) -> None:
        facts: dict[str, int | str] = {"name": printable(self.file)}
        for verdict in self.alarms:
            warn_saying(phrase(f"events.fair.{verdict.result}", {"count": verdict.hand}))
        for hand in self.comparison.dropped:
            warn("verify.witness.dropped", {"count": hand})
        difference = self.comparison.difference
        if difference is not None:
            facts |= {"count": difference.hand, "number": difference.state}
            if difference.code == "table":
                facts["text"] = in_words(f"verify.witness.field.{difference.what}")
            warn(f"verify.witness.{difference.code}", facts)
            return
        if self.alarms:
            return
        hands = self.comparison.hands
        self._say("holds", {"count": len(hands), "number": self.comparison.states})
        if self.comparison.seen_until is not None:
            hand, moves = self.comparison.seen_until
            self._say("until", {"count": moves, "number": hand})
        for hand in self.comparison.unrecorded:
            self._say("unrecorded", {"count": hand})

    def _say(self, code: str, facts: Facts) -> None:
        print_wrapped(console(), in_words(f"verify.witness.{code}", facts))

    def data(self) -> dict[str, object]:
        difference, until = self.comparison.difference, self.comparison.seen_until
        return {
            "holds": self.holds,
            "states": self.comparison.states,
            "hands": self.comparison.hands,
            "alarms": [{"hand": verdict.hand, "result": verdict.result} for verdict in self.alarms],
            "difference": None
            if difference is None
            else {
                "code": difference.code,
                "hand": difference.hand,
                "state": difference.state,
                "field": difference.what or None,
            },
            "seen_until": None if until is None else {"hand": until[0], "move": until[1]},
            "not_in_record": self.comparison.unrecorded,
            "dropped": self.comparison.dropped,
        }


def read_transcript(file: str) -> WitnessFile:
    """Read a saved transcript; end the command if the file isn't one."""
    name = printable(file)
    try:
        with Path(file).open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        fail("record_unreadable", {"name": name, "text": reason_in(error, language())})
    try:
        transcript = decode_transcript(content)
    except FairnessError as error:
        fail(f"verify.witness.{error}", {"name": name})
    if any(verdict.result not in RESULTS for verdict in transcript.verdicts):
        fail("verify.witness.other", {"name": name})
    return transcript


def _print_as_data(
    replayer: Replayer, noted: PlayerNotes, witnessed: _WitnessedGame | None, *, holds: bool
) -> None:
    problem = replayer.replay.problem or replayer.replay.breaks_off
    print_json(
        {
            "fair": holds,
            "hands": [_round_data(hand.fair) for hand in replayer.fair_hands if hand.fair is not None],
            "void_rounds": [
                {**_round_data(fair), "unrevealed": list(fair.unrevealed)} for fair in replayer.void_rounds
            ],
            "seeds_not_found": noted.seeds_missing,
            "commitments_not_found": noted.commitments_missing,
            "problem": None if problem is None else problem.line_in(language()),
            **({} if witnessed is None else {"witness": witnessed.data()}),
        }
    )


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
    """The verification as text."""

    def __init__(self, file: str, replayer: Replayer, noted: PlayerNotes) -> None:
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
            message = problem.message_in(language())
            warn("record_line", {"name": self.file, "number": problem.line, "text": message})
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
        """Return a player's name. Before the cut, when players have other seats, return only the seat."""
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
            # Don't wrap commitments: users copy them.
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
        players = [] if fair is None else [self._name(fair, seat) for seat in fair.contributors]
        return ", ".join([in_words("verify.server"), *players])

    def _print_result(self, hands: list[HandStarts]) -> None:
        moves = len(self.replayer.replay.moves)
        dealt = sum(hand.number != CUT for hand in hands)
        print_fitted(console(), in_words("verify.holds", {"count": dealt, "number": moves}), style="title")
        alone = [hand for hand in hands if hand.fair is not None and not hand.fair.parts]
        if alone:
            self._say("alone", {"text": _listed(alone)})
        if len(alone) < len(hands):
            self._say("nobody_other" if alone else "nobody")
            if not self.noted.seeds:
                self._say("for_you")


def _count(hand: int) -> int:
    """Return the count for a plural message; 0 selects the text for the cut."""
    return 0 if hand == CUT else hand


def _listed(hands: list[HandStarts]) -> str:
    words = ", ".join(in_words("verify.hand", {"count": _count(hand.number)}) for hand in hands)
    return words[:1].upper() + words[1:]


app = new_command()


@app.command(
    epilog=examples("canasta verify evening.canasta", "canasta verify evening.canasta --witness seen.json")
)
def verify(
    file: RecordToRead,
    commitment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX",
            help="A commitment, or the digest of a list, that you saw before a deal; can be repeated.",
        ),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="One of your own seeds, as saved by your page; can be repeated."),
    ] = None,
    witness: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A transcript saved by your page or terminal, to check that this is the game you saw.",
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check that the cards match the commitments made before the deal.

    Deals every hand again from its revealed seeds, replays its moves, and lists the players who contributed
    seeds. The exit status is 1 if a seed doesn't match its commitment, a move doesn't match the cards, one of
    your seeds or commitments is missing, the record differs from your transcript, or the record has no
    commitments.
    """

    use_language(lang)
    seeds, commitments = list(seed or []), list(commitment or [])
    transcript = None if witness is None else read_transcript(witness)
    record = read_record(file)
    replayer = Replayer(record)
    while replayer.step() is not None:
        pass
    witnessed: _WitnessedGame | None = None
    if witness is not None and transcript is not None:
        try:
            comparison = compare_with_record(record, transcript)
        except FairnessError as error:
            fail(f"verify.witness.{error}", {"name": printable(witness)})
        witnessed = _WitnessedGame(witness, transcript, comparison)
        kept = [each for each in transcript.kept if each.hand not in comparison.unrecorded]
        last = max([hand.number for hand in replayer.fair_hands], default=0)
        kept = [each for each in kept if each.hand <= last]
        seeds += [each.seed for each in kept]
        commitments += [each.server for each in kept]
        commitments += [each.listed for each in kept]
    noted = PlayerNotes.typed(seeds, commitments)
    noted.look_for(replayer)
    holds = replayer.replay.is_good and bool(replayer.fair_hands) and noted.is_found
    holds = holds and (witnessed is None or witnessed.holds)
    if json:
        _print_as_data(replayer, noted, witnessed, holds=holds)
    else:
        _Report(file, replayer, noted).print()
        if witnessed is not None:
            witnessed.print()
    if not holds:
        raise typer.Exit(FAILED)
