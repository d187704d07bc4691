"""`canasta verify`: were these the cards that the server had committed to?"""

import typer
from rich.table import Table
from rich.text import Text

from canasta.commands.output import FAILED, console, fail, print_json, warn
from canasta.commands.replay import read_record
from canasta.notation.errors import printable, quoted
from canasta.notation.record import HandStarts
from canasta.notation.replay import Replayer


def print_verification(file: str, *, seen: list[str], as_json: bool) -> None:
    """Deals every hand of a record again from its seeds and plays it; the status is 1 where it does not hold.

    `seen` are commitments that the player noted before the deal.
    """
    wanted = [commitment.strip().lower() for commitment in seen]
    for commitment in wanted:
        if len(commitment) != 64 or not set(commitment) <= set("0123456789abcdef"):
            fail(f"{quoted(commitment)} is no commitment, which is 64 hexadecimal digits.")
    replayer = Replayer(read_record(file))
    while replayer.step() is not None:
        pass
    hands = replayer.fair_hands
    problem = replayer.replay.problem
    missing = [commitment for commitment in wanted if commitment not in [hand.commitment for hand in hands]]
    holds = problem is None and bool(hands) and not missing
    if as_json:
        print_json(
            {
                "fair": holds,
                "hands": [_as_data(hand) for hand in hands],
                "commitments_not_found": missing,
                "problem": None if problem is None else str(problem),
            }
        )
    else:
        _print_hands(hands)
        _tell(file, replayer, missing)
    if not holds:
        raise typer.Exit(FAILED)


def _as_data(hand: HandStarts) -> dict[str, object]:
    assert hand.fair is not None
    return {
        "hand": hand.number,
        "commitment": hand.commitment,
        "server_seed": hand.fair.server_seed,
        "player_seeds": list(hand.fair.player_seeds),
    }


def _print_hands(hands: list[HandStarts]) -> None:
    if not hands:
        return
    table = Table(box=None, pad_edge=False, header_style="title")
    table.add_column("hand", justify="right")
    table.add_column("committed to before the deal", no_wrap=True)
    table.add_column("players' seeds")
    for hand in hands:
        seeds = hand.fair.player_seeds if hand.fair is not None else ()
        table.add_row(str(hand.number), hand.commitment, " ".join(seeds))
    console().print(table, soft_wrap=True)


def _tell(file: str, replayer: Replayer, missing: list[str]) -> None:
    problem = replayer.replay.problem
    hands = len(replayer.fair_hands)
    if problem is not None:
        warn(f"{printable(file)}, {problem}".rstrip(".") + ".")
    elif not hands:
        warn(
            f"{printable(file)} was not dealt from fair shuffles: its cards come from a seed alone, "
            "and there is no commitment to verify."
        )
    for commitment in missing:
        warn(f"no hand of this record was committed to by {commitment}.")
    if problem is None and hands and not missing:
        moves = len(replayer.replay.moves)
        words = "hand was" if hands == 1 else "hands were"
        text = f"{hands} {words} dealt from the committed seeds, and all {moves} moves hold with those cards."
        console().print(Text(text, style="title"), soft_wrap=True)
