"""REST: puzzles. Before the caller has answered a puzzle, its responses contain only what the player to move
could see."""

import asyncio
from contextlib import suppress
from functools import partial
from random import Random
from typing import Annotated, Final, Literal, cast

from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from canasta.engine.cards import card_text
from canasta.engine.match import Match
from canasta.engine.moves.referee import find_cards
from canasta.engine.moves.types import Add, Discard, LayBonus, Meld, Move, Take
from canasta.i18n.events import Speaker
from canasta.i18n.voice import SEAT_NAMES, Voice
from canasta.review.puzzle_progress import (
    PuzzleAnswer,
    PuzzleFilter,
    Standing,
    next_puzzle,
    standing_of,
    state_of,
)
from canasta.review.puzzles import (
    HARDEST,
    MOST_OPTIONS,
    Puzzle,
    PuzzleOption,
    describe_best,
    describe_mistake,
    describe_option,
    moves_of,
    puzzles_by_id,
    shipped_puzzles,
)
from canasta.review.rating import Rating, puzzle_start
from canasta.rules.preset_files import preset
from canasta.server.http.rest.common import SPEAKS, Call, Lang, TheCall, api_error, endpoint
from canasta.server.store import ConflictError
from canasta.table.replay_frames import position_welcome
from canasta.table.seats import FACE_OF, name_for
from canasta.table.views import table_state
from canasta.table.wire import SeatView, TableState, Welcome

Theme = Literal["takes", "openings", "melds", "discards", "freezing", "going_out"]
"""The `KINDS` of decisions, as an enumeration for OpenAPI."""
State = Literal["new", "right", "wrong"]
_chance: Final = Random()


class PuzzleRow(Struct, kw_only=True):
    id: str
    rules: str
    theme: Theme
    difficulty: int
    mine: State
    """The caller's result."""


class PuzzleGame(Struct, kw_only=True):
    name: str
    title: str
    family: str


class PuzzleList(Struct, kw_only=True):
    puzzles: list[PuzzleRow]
    games: list[PuzzleGame]
    """All games that have puzzles, regardless of the filter."""
    standing: Standing


class NextPuzzle(Struct, kw_only=True):
    id: str


class Way(Struct, kw_only=True):
    """One of the moves to choose from."""

    text: str
    cards: list[list[str]]
    """Groups of cards that are melded or discarded; empty for a draw from the stock."""


class Loss(Struct, kw_only=True):
    behind: float
    """Points lost compared with the best move."""
    error: float
    """Standard error of `behind`."""


class Solution(Struct, kw_only=True):
    """The solution, shown only after an answer."""

    chosen: int
    """Index of the caller's first answer in `ways`."""
    best: int
    counted: bool
    """True in the response to the first answer."""
    rated: bool
    """True if the first answer changed the caller's rating.

    It doesn't if another player at the same address has recently seen the solution.
    """
    numbers: list[Loss]
    """One per move in `ways`."""
    worlds: int
    """Number of simulated deals behind `numbers`."""
    mistake: str
    """Explains the cost of the chosen move; empty for the best move."""
    reason: str
    standing: Standing


class PuzzleView(Struct, kw_only=True):
    """A puzzle as its player sees it."""

    id: str
    theme: Theme
    difficulty: int
    rating: int
    welcome: Welcome
    state: TableState
    ways: list[Way]
    solution: Solution | None
    """`None` until the caller has answered."""


class ChosenOption(Struct, kw_only=True, forbid_unknown_fields=True):
    way: Annotated[int, Meta(ge=0, lt=MOST_OPTIONS)]
    """Index in `ways`, from 0."""


# -- responses -----------------------------------------------------------------------------------------------


def shown(puzzle: Puzzle, language: str, rating: Rating) -> PuzzleView:
    """Return a puzzle, without its solution, as the player to move sees it."""
    match = puzzle.match()
    voice = Voice(language, match.rules.deck.caliente_names)
    return PuzzleView(
        id=puzzle.id,
        theme=_theme(puzzle),
        difficulty=puzzle.difficulty,
        rating=round(rating.value),
        welcome=position_welcome(match),
        state=table_state(match, _sittings(match), state=0, viewer=match.hand.turn),
        ways=[
            Way(text=describe_option(puzzle, option, voice), cards=_cards(match, moves_of(option)))
            for option in puzzle.shown
        ],
        solution=None,
    )


def _theme(puzzle: Puzzle) -> Theme:
    return cast("Theme", puzzle.theme)


def _sittings(match: Match) -> list[SeatView]:
    names: list[str] = []
    for seat, usual in enumerate(SEAT_NAMES[match.rules.seats.players]):
        names.append(usual if seat == match.hand.turn else name_for("club", names) or usual)
    return [SeatView(name=name, who="bot", face=FACE_OF.get(name, "")) for name in names]


def _cards(match: Match, moves: tuple[Move, ...]) -> list[list[str]]:
    """Return the groups of cards that a move uses, from the hand and the pile."""
    hand = match.hand.copy()
    laid: list[list[str]] = []
    for move in moves:
        top = [card_text(hand.state.top_card())] if isinstance(move, Take) else []
        groups = [[card_text(kind) for kind in group] for group in find_cards(hand.state, _groups(move))]
        if top:
            # The top card joins the cards that take it, or goes onto a meld.
            groups = [[*top, *(groups[0] if groups else [])], *groups[1:]]
        laid += groups
        hand.apply(move)
    return laid


def _groups(move: Move) -> list[tuple[int, ...]]:
    if isinstance(move, Take):
        return [move.cards, *move.melds]
    if isinstance(move, Meld):
        return list(move.melds)
    if isinstance(move, Add):
        return [move.cards]
    return [(move.card,)] if isinstance(move, (Discard, LayBonus)) else []


def _solved(puzzle: Puzzle, answers: list[PuzzleAnswer], language: str, *, counted: bool) -> Solution | None:
    mine = next((answer for answer in answers if answer.puzzle == puzzle.id), None)
    if mine is None:
        return None
    match = puzzle.match()
    voice = Voice(language, match.rules.deck.caliente_names)
    ways: tuple[PuzzleOption, ...] = puzzle.shown
    # An earlier release may have shown other moves for this position.
    choice = min(mine.choice, len(ways) - 1)
    speaker = Speaker([sitting.name for sitting in _sittings(match)], match.hand.turn, voice)
    return Solution(
        chosen=choice,
        best=ways.index(puzzle.options[0]),
        counted=counted,
        rated=mine.rated,
        numbers=[Loss(behind=way.behind, error=way.error) for way in ways],
        worlds=puzzle.worlds,
        mistake=describe_mistake(puzzle, ways[choice], speaker),
        reason=describe_best(puzzle, voice),
        standing=_standing(answers),
    )


def _standing(answers: list[PuzzleAnswer]) -> Standing:
    known = puzzles_by_id()
    return standing_of(answers, lambda name: known[name].theme if name in known else None)


# -- the calls -----------------------------------------------------------------------------------------------

Rules = Annotated[str, QueryParameter(max_length=100, description="Name of a game or family.")]
Difficulty = Annotated[int, QueryParameter(ge=0, le=HARDEST, description="0: any.")]


def _wanted(rules: str, theme: str | None, difficulty: int, mine: str | None) -> PuzzleFilter:
    games = {puzzle.rules for puzzle in shipped_puzzles()}
    matching = {name for name in games if rules in (name, preset(name).family)}
    if rules and not matching:
        raise api_error(404, "NO_PUZZLE_LEFT")
    return PuzzleFilter(frozenset(matching), theme or "", difficulty, mine or "")


async def _answers(call: Call) -> list[PuzzleAnswer]:
    """Return the caller's answers; empty without a session."""
    player = await call.visitor()
    return [] if player is None else await call.services.puzzles.answers_of(player.id)


def _chosen(
    puzzle_filter: PuzzleFilter, answers: list[PuzzleAnswer]
) -> list[tuple[Puzzle, PuzzleAnswer | None]]:
    mine = {answer.puzzle: answer for answer in answers}
    rows = [(puzzle, mine.get(puzzle.id)) for puzzle in shipped_puzzles()]
    return [row for row in rows if puzzle_filter.takes(*row)]


def _puzzle(name: str) -> Puzzle:
    puzzle = puzzles_by_id().get(name)
    if puzzle is None:
        raise api_error(404, "NO_SUCH_PUZZLE")
    return puzzle


@endpoint("GET /api/puzzles", "List puzzles", 400, 404)
async def list_puzzles(
    call: TheCall,
    rules: Rules = "",
    theme: FromQuery[Theme | None] = None,
    difficulty: Difficulty = 0,
    mine: FromQuery[State | None] = None,
) -> PuzzleList:
    """Return the matching puzzles with the caller's results and rating."""
    puzzle_filter = _wanted(rules, theme, difficulty, mine)
    answers = await _answers(call)
    rows = [
        PuzzleRow(
            id=puzzle.id,
            rules=puzzle.rules,
            theme=_theme(puzzle),
            difficulty=puzzle.difficulty,
            mine=cast("State", state_of(answer)),
        )
        for puzzle, answer in _chosen(puzzle_filter, answers)
    ]
    names = dict.fromkeys(puzzle.rules for puzzle in shipped_puzzles())
    games = [PuzzleGame(name=name, title=preset(name).title, family=preset(name).family) for name in names]
    return PuzzleList(puzzles=rows, games=games, standing=_standing(answers))


@endpoint("GET /api/puzzles/next", "Choose the next puzzle", 400, 404)
async def choose_next(
    call: TheCall,
    rules: Rules = "",
    theme: FromQuery[Theme | None] = None,
    difficulty: Difficulty = 0,
    mine: FromQuery[State | None] = None,
    besides: Annotated[str, QueryParameter(max_length=16, description="The puzzle just seen, to skip.")] = "",
) -> NextPuzzle:
    """Choose a puzzle near the caller's rating, preferring unanswered ones."""
    puzzle_filter = _wanted(rules, theme, difficulty, mine)
    answers = await _answers(call)
    ratings = await call.services.puzzles.ratings()
    some = [puzzle for puzzle, _ in _chosen(puzzle_filter, answers)]
    following = next_puzzle(some, answers, partial(_rating, ratings), _chance, besides)
    if following is None:
        raise api_error(404, "NO_PUZZLE_LEFT")
    return NextPuzzle(id=following.id)


def _rating(ratings: dict[str, Rating], puzzle: Puzzle) -> Rating:
    return ratings.get(puzzle.id) or puzzle_start(puzzle.difficulty)


@endpoint("GET /api/puzzles/{puzzle:str}", "A puzzle as its player sees it", 400, 404)
async def show_puzzle(call: TheCall, puzzle: FromPath[str], lang: Lang = None) -> Response[PuzzleView]:
    """Return a puzzle; include the solution only if the caller has answered it."""
    position = _puzzle(puzzle)
    language = call.language(lang)
    answers = await _answers(call)
    if any(answer.puzzle == position.id for answer in answers):
        player = await call.player()
        with suppress(ConflictError):  # another page of the same player was quicker
            await call.services.puzzles.note_sight(player.id, position.id, call.address)
    rating = _rating(await call.services.puzzles.ratings(), position)

    def work() -> PuzzleView:
        view = shown(position, language, rating)
        view.solution = _solved(position, answers, language, counted=False)
        return view

    return Response(await asyncio.to_thread(work), headers=SPEAKS)


@endpoint("POST /api/puzzles/{puzzle:str}/answer", "Answer a puzzle", 400, 401, 403, 404, 413)
async def answer_puzzle(
    call: TheCall, puzzle: FromPath[str], data: JSONBody[ChosenOption], lang: Lang = None
) -> Response[Solution]:
    """Answer a puzzle. Only the first answer counts for the rating; later ones return it unchanged."""
    player = await call.player()
    position = _puzzle(puzzle)
    language = call.language(lang)
    if data.way >= len(position.options):
        raise api_error(400, "NO_SUCH_WAY", {"count": len(position.options)})
    try:
        counted = await call.services.puzzles.answer(player.id, position, data.way, call.address)
    except ConflictError:  # the account was just deleted
        raise api_error(401, "UNKNOWN_PERSON") from None
    answers = await call.services.puzzles.answers_of(player.id)
    solution = await asyncio.to_thread(partial(_solved, position, answers, language, counted=counted))
    if solution is None:  # as above
        raise api_error(401, "UNKNOWN_PERSON")
    return Response(solution, headers=SPEAKS)


PUZZLES = [list_puzzles, choose_next, show_puzzle, answer_puzzle]
