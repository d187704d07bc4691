"""What a computer player is: views and events in, a move out, and words for why."""

from dataclasses import dataclass, field

from mypy_extensions import mypyc_attr

from canasta.engine.cards import ANY, BLACK_THREE
from canasta.engine.events import Event
from canasta.engine.meld_names import ROW_BLACK_THREES, ROW_RUN, MeldName
from canasta.engine.moves.listing import as_take, move_of_step
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Add, Meld, Move, Take
from canasta.engine.state import HandState
from canasta.engine.steps.codec import ADD_BLACK_THREE, ANSWER_YES
from canasta.engine.steps.make import make_step
from canasta.engine.view import View
from canasta.errors import CanastaError
from canasta.notation.moves import parse_move
from canasta.rules.plain_data import PlainData
from canasta.words import Voice, tell_reasons


@dataclass(frozen=True)
class Reason(PlainData):
    """One sentence: a code of the catalogues' part `reasons`, and its facts."""

    code: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation(PlainData):
    """What speaks for a move, and the numbers behind it."""

    reasons: list[Reason]
    numbers: dict[str, float] = field(default_factory=dict)

    @staticmethod
    def plain(text: str, numbers: dict[str, float] | None = None) -> "Explanation":
        """For a player that finds its own words."""
        return Explanation([Reason("plain", {"text": text})], numbers if numbers is not None else {})

    @property
    def text(self) -> str:
        """In English."""
        return self.tell("en")

    def tell(self, lang: str, caliente: bool = False) -> str:
        """In a language, with the names of the Caliente booklets where the table uses them."""
        return tell_reasons(self.reasons, Voice(lang, caliente))


@dataclass(frozen=True)
class Hint(PlainData):
    """A move worth making, and why."""

    move: Move
    reason: Explanation


class BotFailed(CanastaError):
    """A computer player did what no player can; the message says which one and what."""


@mypyc_attr(allow_interpreted_subclasses=True)  # so that anyone can write one, beside the compiled package
class Bot:
    """A player at one seat of one match. It never sees or hears more than its seat may know.

    One of `step` and `choose` must be written; `choose` is made of steps where only those are there.
    """

    name: str = "bot"

    def __repr__(self) -> str:
        return f"<computer player {self.name}>"

    def begin(self, view: View) -> None:
        """A hand has been dealt, and nobody has moved. Not called for a seat that sits out."""

    def hear(self, event: Event) -> None:
        """Something has happened at the table, by this player's own moves too. Of cards that only another
        seat sees the event tells the number."""

    def step(self, view: View) -> int:  # noqa: ARG002 - a player writes this or `choose`
        """A legal small step for the viewer, whose turn (or answer) it is."""
        raise BotFailed(
            f"{self.name} cannot play: its class has neither choose(self, view) nor step(self, view)"
        )

    def choose(self, view: View) -> Move | str:
        """A whole move as a person makes it, or its text: a first meld of several sets is one move."""
        return whole_move(self, view, self.step(view))

    def answer(self, view: View) -> bool:
        """May the partner go out?"""
        return self.step(view) == ANSWER_YES

    def explain(self, view: View, move: Move) -> Explanation:  # noqa: ARG002 - who has no words says none
        """Why this move may be made here, in card players' words."""
        return Explanation([])

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        """The best few whole moves, the best first."""
        move = chosen_move(self, view)
        return [Hint(move, self.explain(view, move))][:most]


class NoView(CanastaError, ValueError):
    """A player was asked about something that is no view of a seat whose turn it is."""


class SeatedBot(Bot):
    """A player as `get_bot` seats it: what it chooses is a move, and never a text."""

    def choose(self, view: object) -> Move:
        """Raises `NoView` for what is no view of the seat to act."""
        seen = own_view(self, view)
        return whole_move(self, seen, self.step(seen))


def own_view(bot: Bot, view: object) -> View:
    """What a player is asked about, as a view of the seat that has to act."""
    if not isinstance(view, View):
        raise NoView(
            f"{bot.name} chooses by a view, and this is of type {type(view).__name__}: "
            "give it match.view(match.turn)"
        )
    if view.phase == "over":
        raise NoView(f"{bot.name} has nothing to choose: the hand is over")
    if view.seat != view.turn:
        whose = "a spectator's view" if view.seat is None else f"a view of seat {view.seat}"
        raise NoView(f"{bot.name} has nothing to choose: this is {whose}, and seat {view.turn} has to act")
    return view


def chosen_move(bot: Bot, view: View) -> Move:
    """What a bot chooses, as a move. Raises `NotationError` for a text that is none."""
    move = bot.choose(view)
    return parse_move(move) if isinstance(move, str) else move


def whole_move(bot: Bot, view: View, first: int) -> Move:
    """The move that begins with this step; a first meld goes on with the bot's own steps to its minimum."""
    state = view.state
    move = as_move(state, first)
    if not isinstance(move, (Take, Meld)):
        return move
    after = state.copy()
    make_step(after, first)
    if after.top_due:
        # The top card is lifted: the move says what it is laid with.
        use = as_take(after, as_move(after, bot.step(View(after, view.seat, view.scores))))
        return use if use is not None else move
    if not after.is_opening():
        return move
    takes = isinstance(move, Take)
    groups: list[list[int]] = [list(move.cards) if isinstance(move, Take) else list(move.melds[0])]
    melds: list[tuple[int, int]] = [_newest_meld(state, after)]
    while after.is_opening():
        step = bot.step(View(after, view.seat, view.scores))
        more = as_move(after, step)
        before = after.copy()
        make_step(after, step)
        if isinstance(more, Meld):
            groups.append(list(more.melds[0]))
            melds.append(_newest_meld(before, after))
        elif isinstance(more, Add):
            groups[melds.index((more.to.row, more.to.number))].extend(more.cards)
    parts = tuple([tuple(group) for group in groups])
    return Take(parts[0], None, parts[1:]) if takes else Meld(parts)


def as_move(state: HandState, step: int) -> Move:
    """The step in a person's form."""
    if step == ADD_BLACK_THREE:
        return Add((ANY + BLACK_THREE,), MeldName(ROW_BLACK_THREES))
    return move_of_step(state, step)


def _newest_meld(before: HandState, after: HandState) -> tuple[int, int]:
    """Row and number of the meld that the last step started."""
    side = before.side_of[before.turn]
    if len(after.runs[side]) > len(before.runs[side]):
        return (ROW_RUN, len(after.runs[side]))
    slot = after.slot_of_set(side, after.set_count(side) - 1)
    slots = after.prepared.slots
    return (slots.row_of(slot), slots.number_of(slot))
