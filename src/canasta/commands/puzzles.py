"""`canasta puzzles`: positions with one best way to go on; which there are, one of them, more of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from canasta.commands.arena import progress
from canasta.commands.asked import Asked
from canasta.commands.options import (
    MOST_RUN,
    Json,
    Lang,
    Options,
    Players,
    Rules,
    RunSeed,
    examples,
    new_command,
)
from canasta.commands.output import (
    ask_for,
    can_show_suits,
    console,
    fail_saying,
    print_json,
    print_table,
    print_wrapped,
)
from canasta.commands.printed_table import show_table
from canasta.commands.spoken import spoken
from canasta.notation.errors import short
from canasta.notation.moves import parse_move
from canasta.notation.seat_names import SEAT_NAMES
from canasta.review.judging import KINDS
from canasta.review.puzzles import Option, Puzzle, find_puzzles, shipped_puzzles
from canasta.review.telling import told_moves
from canasta.words import Facts, Voice, say
from canasta.words.events import Speaker


def _say(code: str, facts: Facts | None = None) -> str:
    return say(f"review.{code}", facts, spoken())


def _games() -> list[str]:
    """Those of the shipped puzzles."""
    return sorted({puzzle.rules for puzzle in shipped_puzzles()})


def _complete_game(incomplete: str) -> list[str]:
    return [name for name in _games() if name.startswith(incomplete)]


def _complete_theme(incomplete: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(incomplete)]


def _one_of(name: str | None, known: Sequence[str]) -> None:
    """Refuses a name that would silently choose nothing."""
    if name is not None and name not in known:
        fail_saying(_say("puzzle.none_of", {"text": short(name), "choices": ", ".join(known)}))


app = new_command()
app.info.help = "List the puzzles, show one, find more."
app.info.epilog = examples("canasta puzzles list --rules caliente")


@app.callback(invoke_without_command=True)
def what(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list", epilog=examples("canasta puzzles list --rules caliente --theme discards"))
def list_puzzles(
    rules: Annotated[
        str | None,
        typer.Option("--rules", "-r", metavar="NAME", help="The game.", autocompletion=_complete_game),
    ] = None,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="takes, openings, melds, discards, freezing or going_out.",
            autocompletion=_complete_theme,
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List the puzzles that come with the program.

    The difficulty is 1 where a novice finds the best, 2 a casual player, 3 a club player, and 4 where none of
    these computer players does.
    """

    ask_for(lang)
    _one_of(rules, _games())
    _one_of(theme, KINDS)
    found = [
        puzzle
        for puzzle in shipped_puzzles()
        if rules in (None, puzzle.rules) and theme in (None, puzzle.theme)
    ]
    if json:
        print_json([puzzle.as_data() for puzzle in found])
        return
    heads = [_say("puzzle.difficulty"), _say("puzzle.options")]
    rows = [
        (each.id, each.rules, _say(f"kind.{each.theme}"), str(each.difficulty), str(len(each.options)))
        for each in found
    ]
    print_table(("", _say("puzzle.game"), _say("puzzle.theme"), *heads), rows, right=heads)
    print_wrapped(console(), _say("puzzle.counted", {"count": len(found)}))


@app.command("show", epilog=examples("canasta puzzles show 1b8aaa83 --answer"))
def show_puzzle(
    name: Annotated[str, typer.Argument(metavar="ID", help="The puzzle, as the list names it.")],
    answer: Annotated[bool, typer.Option("--answer", help="Tell the best way, the numbers and why.")] = False,
    lang: Lang = None,
) -> None:
    """Show a puzzle: the table as its player sees it, and the ways to go on."""

    ask_for(lang)
    puzzle = next((each for each in shipped_puzzles() if each.id == name), None)
    if puzzle is None:
        fail_saying(_say("puzzle.none", {"name": short(name)}))
    _print(puzzle, answer=answer)


def _print(puzzle: Puzzle, *, answer: bool) -> None:
    where = console()
    match = puzzle.match()
    voice = Voice(spoken(), match.rules.deck.caliente_names, can_show_suits())
    show_table(where, match, Speaker(SEAT_NAMES[match.rules.seats.players], match.hand.turn, voice))
    where.print()
    print_wrapped(where, _say("puzzle.question", {"name": puzzle.id}), style="title")
    if not answer:
        # In an order that tells nothing.
        for told in sorted(_told(each, voice) for each in puzzle.options):
            print_wrapped(where, told, first="  ", rest="    ")
        print_wrapped(where, _say("puzzle.see", {"name": puzzle.id}), style="quiet")
        return
    heads = [_say("puzzle.less"), "±"]
    rows = [(_told(each, voice), f"{each.behind:.0f}", f"{2 * each.error:.0f}") for each in puzzle.options]
    print_table((_say("puzzle.options"), *heads), rows, right=heads)
    best: Facts = {
        "text": _told(puzzle.options[0], voice),
        "points": round(min(each.behind for each in puzzle.options[1:])),
        "count": puzzle.worlds,
    }
    print_wrapped(where, " ".join([_say("puzzle.best", best), puzzle.why(voice)]).strip())


def _told(option: Option, voice: Voice) -> str:
    return told_moves([parse_move(move) for move in option.moves], voice)


@app.command(epilog=examples("canasta puzzles find --rules two-player --hands 1 --to more.jsonl"))
def find(
    to: Annotated[str, typer.Option("--to", metavar="FILE", help="Add the puzzles to this file.")],
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", metavar="N", min=1, max=MOST_RUN, help="How many hands.")
    ] = 20,
    seed: RunSeed = "puzzles",
    lang: Lang = None,
) -> None:
    """Find puzzles in hands that the club player plays against itself.

    A puzzle is a position in which one way to go on is at least 40 points and three standard errors better
    than every other. They are written as JSON, one a line.
    """

    ask_for(lang)
    game = Asked([rules], players, option or []).rules()
    found = 0
    with (
        Path(to).open("a", encoding="utf-8") as file,
        progress(_say("puzzle.looking", {"name": rules}), hands) as told,
    ):
        for number in range(hands):
            for puzzle in find_puzzles(game, f"{seed} {number}"):
                file.write(puzzle.text() + "\n")
                file.flush()
                found += 1
            told(number + 1)
    print_wrapped(console(), _say("puzzle.found", {"count": found, "number": hands}))
