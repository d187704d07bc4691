"""`canasta review`: which decisions in a game cost points, and how much of the result was luck."""

from typing import Annotated

import typer
from rich.rule import Rule
from rich.text import Text

from canasta.arena.intervals import number, signed
from canasta.commands.arena import ProgressCallback, progress
from canasta.commands.options import Json, Lang, RecordToRead, examples, new_command
from canasta.commands.output import (
    FAILED,
    can_show_suits,
    console,
    fail_saying,
    language,
    phrase,
    print_json,
    print_table,
    print_wrapped,
    use_language,
    warn,
)
from canasta.commands.replay import read_record
from canasta.engine.match import Match
from canasta.i18n import Facts
from canasta.i18n.events import Speaker
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import SEAT_NAMES, Voice
from canasta.notation.record import Header
from canasta.review.data import as_data
from canasta.review.hand import (
    WORLDS,
    DealtHand,
    HandReview,
    Progress,
    Review,
    Shares,
    accuracy,
    hands_of,
    review_hand,
    summed,
)
from canasta.review.narrative import most_important, tell, turning_points


def _percent(told: ProgressCallback) -> Progress:
    return lambda done, of: told(100 * done // of)


def _hands_to_review(hands: list[DealtHand], hand_number: int | None) -> list[DealtHand]:
    over = [hand for hand in hands if hand.points is not None]
    if not over:
        fail_saying(phrase("review.none_over"))
    hands_to_review = [hand for hand in over if hand_number in (None, hand.number)]
    if not hands_to_review:
        choices = ", ".join(str(hand.number) for hand in over)
        fail_saying(phrase("review.no_hand", {"number": hand_number or 0, "choices": choices}))
    return hands_to_review


def _speaker(header: Header, match: Match, seat: int | None) -> Speaker:
    usual = SEAT_NAMES[match.rules.seats.players]
    names = [printable(header.names.get(seat, name)) for seat, name in enumerate(usual)]
    return Speaker(names, seat, Voice(language(), match.rules.deck.caliente_names, can_show_suits()))


# -- as text -------------------------------------------------------------------------------------------------


def _print(review: Review, speaker: Speaker, match: Match, seat: int | None) -> None:
    where = console()
    sides = [speaker.side_name(seats) for seats in match.hand.sides]
    for hand in review.hands:
        result = ", ".join(f"{name} {points}" for name, points in zip(sides, hand.points, strict=True))
        where.print(
            Rule(phrase("review.title", {"number": hand.number, "text": result}), style="quiet", align="left")
        )
        _print_shares(sides, [hand.shares(side) for side in range(review.sides)])
        _print_turning_points(hand, speaker, seat)
        where.print()
    if len(review.hands) > 1:
        where.print(Rule(phrase("review.total"), style="quiet", align="left"))
        _print_shares(sides, [review.shares(side) for side in range(review.sides)])
        where.print()
    _print_accuracy(review, speaker, seat)
    where.print()
    print_wrapped(where, phrase("review.ahead_is"), style="quiet")
    print_wrapped(
        where, phrase("review.measured", {"count": min(hand.worlds for hand in review.hands)}), style="quiet"
    )
    for hand in review.hands:
        judged = len(hand.changes)
        if judged < hand.choices:
            facts: Facts = {"number": hand.number, "count": judged, "most": hand.choices}
            print_wrapped(where, phrase("review.first_only", facts), style="quiet")


_PARTS = ("points", "ahead", "luck", "deal", "draws", "lay", "play", "others")


def _print_shares(sides: list[str], shares: list[Shares]) -> None:
    heads = [phrase(f"review.head.{part}") for part in _PARTS]
    rows = [(name, *_row(each)) for name, each in zip(sides, shares, strict=True)]
    print_table((phrase("review.head.side"), *heads), rows, right=heads)


def _row(shares: Shares) -> list[str]:
    """Format the shares in whole points that add up; the rounding error goes into `lay`."""
    ahead, deal, draws = round(shares.margin), round(shares.deal), round(shares.draws)
    play, others = round(shares.play), round(shares.others)
    luck = ahead - play - others
    parts = (ahead, luck, deal, draws, luck - deal - draws, play, others)
    return [f"{shares.points:,}", *(signed(points) for points in parts)]


def _print_turning_points(hand: HandReview, speaker: Speaker, seat: int | None) -> None:
    where = console()
    points = most_important(turning_points(hand), seat)
    where.print()
    if points or hand.can_be_clear:
        where.print(
            Text(phrase("review.turning_points" if points else "review.no_turning_points"), style="title")
        )
    else:
        print_wrapped(where, phrase("review.too_few", {"count": hand.worlds}))
    for point in points:
        at = phrase("review.where", {"number": hand.number, "round": point.turn})
        print_wrapped(where, " ".join([at, *tell(point, speaker)]), first="  ", rest="    ")


def _print_accuracy(review: Review, speaker: Speaker, seat: int | None) -> None:
    rows: dict[str, list[tuple[str, ...]]] = {}
    # If no mistake could be significant, don't show any player as faultless.
    known = all(hand.can_be_clear for hand in review.hands)
    for other in range(len(speaker.names)):
        decisions = review.decisions(other)
        if seat in (None, other) and decisions:
            by_kind = {**accuracy(decisions), "all": summed(decisions)}
            rows[speaker.name(other)] = [
                (
                    phrase(f"review.kind.{kind}"),
                    str(each.count),
                    f"{each.good / each.count:.0%}" if known else "–",
                    f"{number(round(each.lost))} ± {number(round(2 * each.error))}",
                    number(round(each.lost / each.count, 1)),
                    f"{signed(round(each.against_club))} ± {number(round(2 * each.against_error))}",
                )
                for kind, each in by_kind.items()
            ]
    heads = [phrase(f"review.head.{head}") for head in ("kind", "count", "good", "lost", "each", "club")]
    print_table(heads, rows, right=heads[1:])


app = new_command()


@app.command(
    epilog=examples("canasta review evening.canasta", "canasta review evening.canasta --hand 1 --seat 0")
)
def review(
    file: RecordToRead,
    hand: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Review only this hand. Default: all finished hands."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Show only the decisions of this seat; the first is 0."),
    ] = None,
    worlds: Annotated[
        int,
        typer.Option(metavar="N", min=2, max=10_000, help="Simulated deals per decision."),
    ] = WORLDS,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="The same text gives the same review.")
    ] = "review",
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show which decisions cost points, and how much was luck.

    Each decision is compared with the best one found, given what the player could know. The turning points
    are described in words; luck and play add up to a side's lead. Only finished hands are reviewed.
    """

    use_language(lang)
    replay, hands = hands_of(read_record(file))
    problem = replay.problem or replay.breaks_off
    if problem is not None:
        message = problem.message_in(language())
        warn("record_line", {"name": printable(file), "number": problem.line, "text": message})
    if replay.match is None or replay.header is None:
        raise typer.Exit(FAILED)
    seats = replay.match.rules.seats.players
    if seat is not None and seat >= seats:
        fail_saying(phrase("review.no_seat", {"number": seat, "most": seats - 1}))
    review = Review(replay.match.sides, worlds, seed)
    for dealt in _hands_to_review(hands, hand):
        with progress(phrase("review.judging", {"number": dealt.number}), 100) as show_progress:
            done = review_hand(dealt, worlds=worlds, seed=seed, progress=_percent(show_progress))
        review.hands.append(done)
    speaker = _speaker(replay.header, replay.match, seat)
    if json:
        print_json(as_data(review, speaker, seat))
    else:
        _print(review, speaker, replay.match, seat)
    if problem is not None:
        raise typer.Exit(FAILED)
