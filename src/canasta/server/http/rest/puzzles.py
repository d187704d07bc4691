"""REST: puzzles. Until somebody has answered one, an answer has nothing that its player could not see."""

import asyncio
from functools import partial
from random import Random
from typing import Annotated, Final, Literal, cast

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from canasta.engine.cards import card_text
from canasta.engine.match import Match
from canasta.engine.moves.find_cards import find_cards
from canasta.engine.moves.types import Add, Discard, LayBonus, Meld, Move, Take
from canasta.notation.seat_names import SEAT_NAMES
from canasta.review.puzzle_words import moves_of, told_best, told_mistake, told_option
from canasta.review.puzzles import HARDEST, MOST_OPTIONS, Option, Puzzle, puzzles_by_id, shipped_puzzles
from canasta.review.rating import Rating, puzzle_start
from canasta.review.solving import Answer, Standing, Wanted, next_puzzle, standing_of, state_of
from canasta.rules.preset_files import preset
from canasta.server.http.rest.calls import (
    SPEAKS,
    AnyRequest,
    Lang,
    TheServices,
    language_of,
    mistake,
    mistakes,
    player_of,
)
from canasta.server.services import Services
from canasta.server.store.store import Conflict
from canasta.table.figures import FACE_OF, name_for
from canasta.table.replaying import position_welcome
from canasta.table.views import Seen, Sitting, table_state
from canasta.table.wire import TableState, Welcome
from canasta.words import Voice
from canasta.words.events import Speaker

Theme = Literal["takes", "openings", "melds", "discards", "freezing", "going_out"]
"""The `KINDS` of decisions, for the description of the calls."""
State = Literal["new", "right", "wrong"]
_chance: Final = Random()


class PuzzleRow(Struct, kw_only=True):
    id: str
    rules: str
    theme: Theme
    difficulty: int
    mine: State
    """What the asker has made of it."""


class PuzzleGame(Struct, kw_only=True):
    name: str
    title: str
    family: str


class PuzzleList(Struct, kw_only=True):
    puzzles: list[PuzzleRow]
    games: list[PuzzleGame]
    """All games that have puzzles, whichever were asked for."""
    standing: Standing


class NextPuzzle(Struct, kw_only=True):
    id: str


class Way(Struct, kw_only=True):
    """A way to go on."""

    text: str
    cards: list[list[str]]
    """What is laid together, or thrown; nothing for a card from the stock."""


class Number(Struct, kw_only=True):
    behind: float
    """Points that the way brings less than the best."""
    error: float
    """The standard error of that."""


class Solution(Struct, kw_only=True):
    """What somebody sees who has answered."""

    chosen: int
    """Their first answer, as the ways are shown."""
    best: int
    counted: bool
    """This was the first answer."""
    numbers: list[Number]
    """By way."""
    worlds: int
    """Possible deals in which they were measured."""
    mistake: str
    """What the answer gave away; empty for the best."""
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
    """For somebody who has answered it."""


class Chosen(Struct, kw_only=True, forbid_unknown_fields=True):
    way: Annotated[int, Meta(ge=0, lt=MOST_OPTIONS)]
    """Counted from 0, as the ways are shown."""


# -- what is shown -------------------------------------------------------------------------------------------


def shown(puzzle: Puzzle, language: str, rating: Rating) -> PuzzleView:
    """Made from the view of the player to move."""
    match = puzzle.match()
    voice = Voice(language, match.rules.deck.caliente_names)
    return PuzzleView(
        id=puzzle.id,
        theme=_theme(puzzle),
        difficulty=puzzle.difficulty,
        rating=round(rating.value),
        welcome=position_welcome(match),
        state=table_state(match, Seen(_sittings(match), seat=match.hand.turn), state=0),
        ways=[
            Way(text=told_option(puzzle, option, voice), cards=_cards(match, moves_of(option)))
            for option in puzzle.shown
        ],
        solution=None,
    )


def _theme(puzzle: Puzzle) -> Theme:
    return cast("Theme", puzzle.theme)


def _sittings(match: Match) -> list[Sitting]:
    names: list[str] = []
    for seat, usual in enumerate(SEAT_NAMES[match.rules.seats.players]):
        names.append(usual if seat == match.hand.turn else name_for("club", names) or usual)
    return [Sitting(name=name, who="bot", face=FACE_OF.get(name, "")) for name in names]


def _cards(match: Match, moves: tuple[Move, ...]) -> list[list[str]]:
    """The cards of a way, as they lie in the hand and on the pile."""
    hand = match.hand.copy()
    laid: list[list[str]] = []
    for move in moves:
        top = [card_text(hand.state.top_card())] if isinstance(move, Take) else []
        groups = [[card_text(kind) for kind in group] for group in find_cards(hand.state, _groups(move))]
        if top:
            # It goes with the cards that take it, or onto a meld.
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


def _solved(puzzle: Puzzle, answers: list[Answer], language: str, *, counted: bool) -> Solution | None:
    mine = next((answer for answer in answers if answer.puzzle == puzzle.id), None)
    if mine is None:
        return None
    match = puzzle.match()
    voice = Voice(language, match.rules.deck.caliente_names)
    ways: tuple[Option, ...] = puzzle.shown
    # Puzzles of the same position may have come with other ways since.
    chosen = min(mine.choice, len(ways) - 1)
    speaker = Speaker([sitting.name for sitting in _sittings(match)], match.hand.turn, voice)
    return Solution(
        chosen=chosen,
        best=ways.index(puzzle.options[0]),
        counted=counted,
        numbers=[Number(behind=way.behind, error=way.error) for way in ways],
        worlds=puzzle.worlds,
        mistake=told_mistake(puzzle, ways[chosen], speaker),
        reason=told_best(puzzle, voice),
        standing=_standing(answers),
    )


def _standing(answers: list[Answer]) -> Standing:
    known = puzzles_by_id()
    return standing_of(answers, lambda name: known[name].theme if name in known else None)


# -- the calls -----------------------------------------------------------------------------------------------

Rules = Annotated[str, QueryParameter(max_length=100, description="The name of a game, or of a family.")]
Difficulty = Annotated[int, QueryParameter(ge=0, le=HARDEST, description="0: any.")]


def _wanted(rules: str, theme: str | None, difficulty: int, mine: str | None) -> Wanted:
    games = {puzzle.rules for puzzle in shipped_puzzles()}
    chosen = {name for name in games if rules in (name, preset(name).family)}
    if rules and not chosen:
        raise mistake(404, "NO_PUZZLE_LEFT")
    return Wanted(frozenset(chosen), theme or "", difficulty, mine or "")


async def _answers(request: AnyRequest, services: Services) -> list[Answer]:
    """Of whoever asks; somebody without a session has none."""
    player = await services.player_of(request.scope)
    return [] if player is None else await services.puzzles.answers_of(player.id)


def _chosen(wanted: Wanted, answers: list[Answer]) -> list[tuple[Puzzle, Answer | None]]:
    mine = {answer.puzzle: answer for answer in answers}
    rows = [(puzzle, mine.get(puzzle.id)) for puzzle in shipped_puzzles()]
    return [row for row in rows if wanted.takes(*row)]


def _puzzle(name: str) -> Puzzle:
    puzzle = puzzles_by_id().get(name)
    if puzzle is None:
        raise mistake(404, "NO_SUCH_PUZZLE")
    return puzzle


@get("/api/puzzles", summary="Which puzzles there are", responses=mistakes(400, 404))
async def list_puzzles(
    request: AnyRequest,
    services: TheServices,
    rules: Rules = "",
    theme: FromQuery[Theme | None] = None,
    difficulty: Difficulty = 0,
    mine: FromQuery[State | None] = None,
) -> PuzzleList:
    """With what the asker has made of them, and how they stand."""
    wanted = _wanted(rules, theme, difficulty, mine)
    answers = await _answers(request, services)
    rows = [
        PuzzleRow(
            id=puzzle.id,
            rules=puzzle.rules,
            theme=_theme(puzzle),
            difficulty=puzzle.difficulty,
            mine=cast("State", state_of(answer)),
        )
        for puzzle, answer in _chosen(wanted, answers)
    ]
    names = dict.fromkeys(puzzle.rules for puzzle in shipped_puzzles())
    games = [PuzzleGame(name=name, title=preset(name).title, family=preset(name).family) for name in names]
    return PuzzleList(puzzles=rows, games=games, standing=_standing(answers))


@get("/api/puzzles/next", summary="A puzzle for me", responses=mistakes(400, 404))
async def choose_next(
    request: AnyRequest,
    services: TheServices,
    rules: Rules = "",
    theme: FromQuery[Theme | None] = None,
    difficulty: Difficulty = 0,
    mine: FromQuery[State | None] = None,
    besides: Annotated[str, QueryParameter(max_length=16, description="The one just seen.")] = "",
) -> NextPuzzle:
    """As hard as the asker is good; those that they have not answered come first."""
    wanted = _wanted(rules, theme, difficulty, mine)
    answers = await _answers(request, services)
    ratings = await services.puzzles.ratings()
    some = [puzzle for puzzle, _ in _chosen(wanted, answers)]
    found = next_puzzle(some, answers, partial(_rating, ratings), _chance, besides)
    if found is None:
        raise mistake(404, "NO_PUZZLE_LEFT")
    return NextPuzzle(id=found.id)


def _rating(ratings: dict[str, Rating], puzzle: Puzzle) -> Rating:
    return ratings.get(puzzle.id) or puzzle_start(puzzle.difficulty)


@get("/api/puzzles/{puzzle:str}", summary="A puzzle as its player sees it", responses=mistakes(400, 404))
async def show_puzzle(
    request: AnyRequest, services: TheServices, puzzle: FromPath[str], lang: Lang = None
) -> Response[PuzzleView]:
    """With the solution for somebody who has answered it, and for nobody else."""
    found = _puzzle(puzzle)
    language = language_of(request, lang)
    answers = await _answers(request, services)
    rating = _rating(await services.puzzles.ratings(), found)

    def work() -> PuzzleView:
        view = shown(found, language, rating)
        view.solution = _solved(found, answers, language, counted=False)
        return view

    return Response(await asyncio.to_thread(work), headers=SPEAKS)


@post(
    "/api/puzzles/{puzzle:str}/answer",
    summary="Answer a puzzle",
    status_code=200,
    responses=mistakes(400, 401, 403, 404, 413),
)
async def answer_puzzle(
    request: AnyRequest,
    services: TheServices,
    puzzle: FromPath[str],
    data: JSONBody[Chosen],
    lang: Lang = None,
) -> Response[Solution]:
    """The first answer counts for the rating. Another one changes nothing: the first is told again."""
    player = await player_of(request, services)
    found = _puzzle(puzzle)
    language = language_of(request, lang)
    if data.way >= len(found.options):
        raise mistake(400, "NO_SUCH_WAY", {"count": len(found.options)})
    try:
        counted = await services.puzzles.answer(player.id, found, data.way)
    except Conflict:  # the account was deleted at this moment
        raise mistake(401, "UNKNOWN_PERSON") from None
    answers = await services.puzzles.answers_of(player.id)
    solution = await asyncio.to_thread(partial(_solved, found, answers, language, counted=counted))
    if solution is None:  # … or at this one
        raise mistake(401, "UNKNOWN_PERSON")
    return Response(solution, headers=SPEAKS)


PUZZLES = [list_puzzles, choose_next, show_puzzle, answer_puzzle]
