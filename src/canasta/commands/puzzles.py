"""`canasta puzzles`: solve, list, show and find positions with one best move."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Final

import msgspec
import typer
from msgspec import Struct

from canasta.commands.arena import progress
from canasta.commands.options import (
    Hands,
    Json,
    Lang,
    Options,
    Players,
    Rules,
    RulesArguments,
    RunSeed,
    examples,
    new_command,
)
from canasta.commands.output import (
    can_show_suits,
    console,
    fail_saying,
    language,
    phrase,
    print_json,
    print_table,
    print_wrapped,
    use_language,
)
from canasta.commands.table_printer import show_table
from canasta.i18n import Facts
from canasta.i18n.events import Speaker
from canasta.i18n.safe_text import short
from canasta.i18n.voice import SEAT_NAMES, Voice, reason_in
from canasta.installation import data_folder
from canasta.review.evaluation import KINDS
from canasta.review.puzzle_progress import PuzzleAnswer, next_puzzle, rating_of, standing_of
from canasta.review.puzzles import (
    HARDEST,
    PUZZLE_WORLDS,
    Puzzle,
    describe_best,
    describe_mistake,
    describe_option,
    find_puzzles,
    puzzles_by_id,
    shipped_puzzles,
)
from canasta.review.rating import after_answer, puzzle_start

_NAME: Final = "puzzles.jsonl"


class _Line(Struct):
    puzzle: str
    choice: int
    right: bool
    difficulty: int


class SolvedFile:
    """The user's answers, saved in the data folder as one line of JSON per answer.

    Ratings are computed from them, so several programs can append to the file.
    """

    def __init__(self) -> None:
        self.answers: list[PuzzleAnswer] = []
        try:
            lines = (data_folder() / _NAME).read_bytes().splitlines()
        except OSError:
            # No file yet, or an unreadable one; writing reports its own failure.
            lines = []
        for line in lines:
            try:
                self._count(msgspec.json.decode(line, type=_Line))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue

    def answer(self, puzzle: Puzzle, choice: int) -> bool:
        """Save the first answer to a puzzle. Return False if it has been answered before. Raises
        `OSError`.
        """
        right = puzzle.shown[choice] == puzzle.options[0]
        line = _Line(puzzle.id, choice, right, puzzle.difficulty)
        if not self._count(line):
            return False
        with (data_folder() / _NAME).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
        return True

    def _count(self, line: _Line) -> bool:
        if any(answer.puzzle == line.puzzle for answer in self.answers):
            return False
        difficulty = min(max(line.difficulty, 1), HARDEST)
        rating, _ = after_answer(
            rating_of(self.answers), puzzle_start(difficulty), difficulty, right=line.right
        )
        self.answers.append(PuzzleAnswer(line.puzzle, line.choice, line.right, rating))
        return True


def _games() -> list[str]:
    """Return the games that have shipped puzzles."""
    return sorted({puzzle.rules for puzzle in shipped_puzzles()})


def _complete_game(incomplete: str) -> list[str]:
    return [name for name in _games() if name.startswith(incomplete)]


def _complete_theme(incomplete: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(incomplete)]


def _one_of(name: str | None, known: Sequence[str]) -> None:
    """Exit if the name is unknown, since it would select nothing."""
    if name is not None and name not in known:
        fail_saying(phrase("review.puzzle.none_of", {"text": short(name), "choices": ", ".join(known)}))


GameName = Annotated[
    str | None,
    typer.Option("--rules", "-r", metavar="NAME", help="The game.", autocompletion=_complete_game),
]
ThemeName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="takes, openings, melds, discards, freezing or going_out.",
        autocompletion=_complete_theme,
    ),
]


def _chosen(rules: str | None, theme: str | None) -> list[Puzzle]:
    _one_of(rules, _games())
    _one_of(theme, KINDS)
    return [
        puzzle
        for puzzle in shipped_puzzles()
        if rules in (None, puzzle.rules) and theme in (None, puzzle.theme)
    ]


app = new_command()
app.info.help = "Solve, list, show and find puzzles."
app.info.epilog = examples("canasta puzzles list --rules caliente")


@app.callback(invoke_without_command=True)
def show_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list", epilog=examples("canasta puzzles list --rules caliente --theme discards"))
def list_puzzles(
    rules: GameName = None,
    theme: ThemeName = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List the puzzles that come with the program.

    Difficulty 1 means that the computer player "novice" finds the best move, 2 that "casual" does, 3 that
    "club" does, and 4 that none of them does.
    """

    use_language(lang)
    puzzles = _chosen(rules, theme)
    if json:
        print_json([puzzle.as_data() for puzzle in puzzles])
        return
    heads = [phrase("review.puzzle.difficulty"), phrase("review.puzzle.options")]
    rows = [
        (
            each.id,
            each.rules,
            phrase(f"review.kind.{each.theme}"),
            str(each.difficulty),
            str(len(each.options)),
        )
        for each in puzzles
    ]
    print_table(("", phrase("review.puzzle.game"), phrase("review.puzzle.theme"), *heads), rows, right=heads)
    print_wrapped(console(), phrase("review.puzzle.counted", {"count": len(puzzles)}))


@app.command("show", epilog=examples("canasta puzzles show 1b8aaa83 --answer"))
def show_puzzle(
    name: Annotated[str, typer.Argument(metavar="ID", help="The puzzle's ID in the list.")],
    answer: Annotated[
        bool, typer.Option("--answer", help="Show the best move, the numbers and the reason.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Show a puzzle.

    Prints the table as its player sees it, and the possible moves.
    """

    use_language(lang)
    puzzle = puzzles_by_id().get(name)
    if puzzle is None:
        fail_saying(phrase("review.puzzle.none", {"name": short(name)}))
    speaker = _ask(puzzle)
    if answer:
        _tell(puzzle, speaker)
    else:
        print_wrapped(console(), phrase("review.puzzle.see", {"name": puzzle.id}), style="quiet")


def _ask(puzzle: Puzzle) -> Speaker:
    """Print the table and the options, in an order that doesn't give away the best one."""
    where = console()
    match = puzzle.match()
    voice = Voice(language(), match.rules.deck.caliente_names, can_show_suits())
    speaker = Speaker(SEAT_NAMES[match.rules.seats.players], match.hand.turn, voice)
    show_table(where, match, speaker)
    where.print()
    print_wrapped(where, phrase("review.puzzle.question", {"name": puzzle.id}), style="title")
    for number, each in enumerate(puzzle.shown, 1):
        print_wrapped(where, describe_option(puzzle, each, voice), first=f"  {number}  ", rest="     ")
    return speaker


def _tell(puzzle: Puzzle, speaker: Speaker) -> None:
    """Print the figures of the options, the best option and the reasons for it."""
    where = console()
    heads = [phrase("review.puzzle.less"), "±"]
    rows = [
        (describe_option(puzzle, each, speaker.voice), f"{each.behind:.0f}", f"{2 * each.error:.0f}")
        for each in puzzle.options
    ]
    print_table((phrase("review.puzzle.options"), *heads), rows, right=heads)
    print_wrapped(where, describe_best(puzzle, speaker.voice))


@app.command("solve", epilog=examples("canasta puzzles solve --rules caliente --theme discards"))
def solve(rules: GameName = None, theme: ThemeName = None, lang: Lang = None) -> None:
    """Solve puzzles, one after another.

    Your first answer to a puzzle counts for your rating, which is saved in your data folder. Puzzles get
    harder as your rating rises.
    """

    use_language(lang)
    there = _chosen(rules, theme)
    where = console()
    solved = SolvedFile()
    chance = Random()
    last = ""
    while True:
        puzzle = next_puzzle(
            there, solved.answers, lambda each: puzzle_start(each.difficulty), chance, besides=last
        )
        if puzzle is None:
            print_wrapped(where, phrase("review.puzzle.no_more"))
            break
        last = puzzle.id
        speaker = _ask(puzzle)
        choice = _typed(len(puzzle.options))
        if choice is None:
            break
        where.print()
        mistake = describe_mistake(puzzle, puzzle.shown[choice], speaker)
        print_wrapped(where, mistake or phrase("review.puzzle.right"), style="title")
        _tell(puzzle, speaker)
        before = rating_of(solved.answers).value
        try:
            counted = solved.answer(puzzle, choice)
        except OSError as error:
            fail_saying(phrase("review.puzzle.not_kept", {"text": reason_in(error, language())}))
        if counted:
            change = round(rating_of(solved.answers).value - before)
            facts: Facts = {"text": f"{change:+d}".replace("-", "\N{MINUS SIGN}"), **_standing(solved)}
            print_wrapped(where, phrase("review.puzzle.rated", facts))
        else:
            print_wrapped(where, phrase("review.puzzle.seen_before", _standing(solved)))
        where.print()


def _standing(solved: SolvedFile) -> Facts:
    known = puzzles_by_id()
    standing = standing_of(solved.answers, lambda name: known[name].theme if name in known else None)
    return {
        "score": standing.rating,
        "short": 2 * standing.deviation,
        "count": standing.right,
        "most": standing.answered,
        "times": standing.streak,
    }


def _typed(count: int) -> int | None:
    """Read the number of an option. Return its index, or None to stop."""
    while True:
        try:
            line = input(f"1–{count}> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            typer.echo()
            return None
        if line in ("", "q", "quit"):
            return None
        if line.isascii() and line.isdecimal() and len(line) < 3 and 1 <= int(line) <= count:
            return int(line) - 1
        print_wrapped(console(), phrase("review.puzzle.type", {"count": count}))


@app.command(epilog=examples("canasta puzzles find --rules two-player --hands 1 --to more.jsonl"))
def find(
    to: Annotated[str, typer.Option("--to", metavar="FILE", help="Add the puzzles to this file.")],
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    hands: Hands = 20,
    seed: RunSeed = "puzzles",
    worlds: Annotated[
        int,
        typer.Option(metavar="N", min=8, max=10_000, help="Simulated deals per option."),
    ] = PUZZLE_WORLDS,
    lang: Lang = None,
) -> None:
    """Find puzzles in simulated hands.

    The computer player "club" plays the hands against itself. A puzzle is a position in which one option is
    at least 40 points and three standard errors better than every other. Puzzles are written as JSON, one per
    line.
    """

    use_language(lang)
    game = RulesArguments([rules], players, option or []).rules()
    count = 0
    with (
        Path(to).open("a", encoding="utf-8") as file,
        progress(phrase("review.puzzle.looking", {"name": rules}), hands) as show_progress,
    ):
        for number in range(hands):
            for puzzle in find_puzzles(game, f"{seed} {number}", worlds):
                file.write(puzzle.text() + "\n")
                file.flush()
                count += 1
            show_progress(number + 1)
    print_wrapped(console(), phrase("review.puzzle.found", {"count": count, "number": hands}))
