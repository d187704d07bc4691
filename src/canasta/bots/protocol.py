"""The protocol of computer players: views and events in, a move out, and a reason for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mypy_extensions import mypyc_attr

from canasta.engine.actions.codec import ADD_BLACK_THREE, ANSWER_YES
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ANY, BLACK_THREE
from canasta.engine.events import Event, seen_by
from canasta.engine.melds import ROW_BLACK_THREES, ROW_RUN, MeldName
from canasta.engine.moves.legal_moves import as_one, as_take, move_of_step
from canasta.engine.moves.types import Add, Meld, Move, Take
from canasta.engine.state import HandState
from canasta.engine.view import View
from canasta.errors import CanastaError, InputError
from canasta.i18n import Facts, Message
from canasta.i18n.voice import Voice
from canasta.notation.moves import parse_move
from canasta.rules.model import PlainData


@dataclass(frozen=True)
class Reason(PlainData):
    """A reason for a move: a code of the catalogue part `reasons`, and the facts of its sentence."""

    code: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation(PlainData):
    """The reasons for a move, and the numbers behind them."""

    reasons: list[Reason]
    numbers: dict[str, float] = field(default_factory=dict)

    @staticmethod
    def plain(text: str, numbers: dict[str, float] | None = None) -> "Explanation":
        """Create an explanation from a player's own text."""
        return Explanation([Reason("plain", {"text": text})], numbers if numbers is not None else {})

    @property
    def text(self) -> str:
        """The explanation in English."""
        return self.tell("en")

    def tell(self, lang: str, caliente: bool = False) -> str:
        """Return the explanation in a language, with the Caliente
        booklets' card names if the table uses them."""
        return Voice(lang, caliente).tell_reasons(self.reasons)


@dataclass(frozen=True)
class Hint(PlainData):
    """A suggested move, and why."""

    move: Move
    reason: Explanation


class BotError(CanastaError, ValueError):
    """A computer player does not exist, cannot be created, or has failed; the message says which and how."""


def bot_error(code: str, facts: Facts) -> BotError:
    """Return an error with a message of the catalogue part `players`."""
    return BotError(Message(f"players.{code}", facts))


@mypyc_attr(allow_interpreted_subclasses=True)  # so that anyone can subclass it when the package is compiled
class Bot:
    """A player at one seat of one match, which sees and hears only what its seat may know.

    A subclass must override `step` or `choose`. If only `step` is overridden, `choose` builds moves from
    steps.
    """

    name: str = "bot"

    def __repr__(self) -> str:
        return f"<computer player {self.name}>"

    def begin(self, view: View) -> None:
        """Handle a new deal, before anyone has moved. Not called if the seat sits out."""

    def hear(self, event: Event) -> None:
        """Handle an event at the table, which may come from this player's own move.

        If only another seat may see some cards, the event contains just their number.
        """

    def step(self, view: View) -> int:  # noqa: ARG002 - a subclass uses it, or overrides `choose`
        """Return a legal step for the viewer, who must be the seat to move or to answer."""
        raise BotError(
            f"{self.name} cannot play: its class has neither choose(self, view) nor step(self, view)"
        )

    def choose(self, view: View) -> Move | str:
        """Return a whole move, or its text. A first meld of several sets is one move."""
        return whole_move(self, view, self.step(view))

    def answer(self, view: View) -> bool:
        """Return whether the partner may go out."""
        return self.step(view) == ANSWER_YES

    def explain(self, view: View, move: Move) -> Explanation:  # noqa: ARG002 - explains nothing here
        """Explain why this move makes sense here, in card players' words."""
        return Explanation([])

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        """Return the best few whole moves, the best first."""
        move = chosen_move(self, view)
        return [Hint(move, self.explain(view, move))][:most]


class SeatedBot(Bot):
    """A player as `get_bot` creates it: `choose` always returns a move, never a text."""

    def player(self) -> object:
        """Return the object that plays: this one, or the third-party player that it wraps."""
        return self

    def choose(self, view: object) -> Move:
        """Return a whole move. Raise `InputError` unless `view` is a view of the seat to act."""
        seen = own_view(self, view)
        return whole_move(self, seen, self.step(seen))


def own_view(bot: Bot, view: object) -> View:
    """Return `view` if it is a view of the seat to act; raise `InputError` otherwise."""
    if not isinstance(view, View):
        raise InputError(
            f"{bot.name} chooses by a view, and this is of type {type(view).__name__}: "
            "give it match.view(match.turn)"
        )
    if view.phase == "over":
        raise InputError(f"{bot.name} has nothing to choose: the hand is over")
    if view.seat != view.turn:
        whose = "a spectator's view" if view.seat is None else f"a view of seat {view.seat}"
        raise InputError(
            f"{bot.name} has nothing to choose: this is {whose}, and seat {view.turn} has to act"
        )
    return view


def seat_of(view: View) -> int:
    """Return the viewer's seat. Players only get views of a seat, never a spectator's."""
    seat = view.seat
    assert seat is not None, "a player has a seat"
    return seat


def chosen_move(bot: Bot, view: View) -> Move:
    """Return the move that a bot chooses. Raise `NotationError` if it is a text that can't be parsed."""
    move = bot.choose(view)
    return parse_move(move) if isinstance(move, str) else move


def whole_move(bot: Bot, view: View, first: int) -> Move:
    """Return the move that starts with this step.

    A first meld continues with the bot's steps to its minimum.
    """
    state = view.state
    move = as_move(state, first)
    if not isinstance(move, (Take, Meld)):
        return move
    after = state.copy()
    make_step(after, first)
    if after.top_due:
        return _whole_take(bot, view, after)
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


def _whole_take(bot: Bot, view: View, lifted: HandState) -> Move:
    """Return the take that starts by lifting the top card, which the bot's own steps then lay."""
    after = lifted.copy()
    uses: list[Move] = []
    while after.top_due:
        step = bot.step(View(after, view.seat, view.scores))
        uses.append(as_move(after, step))
        make_step(after, step)
    return as_take(lifted, as_one(uses))


def as_move(state: HandState, step: int) -> Move:
    """Return the step as a whole move."""
    if step == ADD_BLACK_THREE:
        return Add((ANY + BLACK_THREE,), MeldName(ROW_BLACK_THREES))
    return move_of_step(state, step)


def _newest_meld(before: HandState, after: HandState) -> tuple[int, int]:
    """Return the row and number of the meld that the last step started."""
    side = before.side_of[before.turn]
    if len(after.runs[side]) > len(before.runs[side]):
        return (ROW_RUN, len(after.runs[side]))
    slot = after.slot_of_set(side, after.number_of_sets(side) - 1)
    slots = after.compiled.slots
    return (slots.row_of(slot), slots.number_of(slot))


def overrides(kind: type, name: str) -> bool:
    """Return whether this class overrides a method of `Bot`."""
    return getattr(kind, name, None) not in (None, getattr(Bot, name))


def hears(bot: object) -> bool:
    """Return whether this player wants to hear events. Most players only need the present view."""
    kind = _class_of(bot)
    return overrides(kind, "begin") or overrides(kind, "hear")


def moves_whole(bot: object) -> bool:
    """Return whether the bot chooses whole moves instead of steps."""
    return not overrides(_class_of(bot), "step")


def _class_of(bot: object) -> type:
    return type(bot.player()) if isinstance(bot, SeatedBot) else type(bot)


class Listeners:
    """The players at one table that want to hear events; the others cost no time.

    The host must report each deal, and the events of each move before it asks for the next move. To seat a
    player late, report everything since the deal.
    """

    def __init__(self, bots: Mapping[int, object]) -> None:
        """Register the players that listen, from `bots` by seat."""
        self.bots: dict[int, object] = {seat: bot for seat, bot in bots.items() if hears(bot)}

    def deal(self, state: HandState, scores: list[int]) -> None:
        """Report that a hand has been dealt. `scores` are the totals by side before it."""
        for seat, bot in self.bots.items():
            begin = getattr(bot, "begin", None)
            if begin is not None and seat in state.order:
                begin(View(state, seat, scores.copy()))

    def tell(self, events: Iterable[Event]) -> None:
        """Report events, in the order in which they happened."""
        if not self.bots:
            return
        for event in events:
            for seat, bot in self.bots.items():
                hear = getattr(bot, "hear", None)
                if hear is not None:
                    hear(seen_by(event, seat))
