"""One player's view of the game: the last state, the chosen cards, staged melds and the log."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.i18n import Facts, Message, MessageText
from canasta.i18n.events import Speaker, is_sentence
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice
from canasta.table.errors import tell_problem
from canasta.table.selection import first_meld_points, rank_of
from canasta.table.wire import (
    CanastaProgress,
    EventView,
    HintView,
    MeldView,
    Problem,
    SeatView,
    SideView,
    TableState,
    Welcome,
    WhyNot,
    YourView,
)
from canasta.terminal.theme import ANY_THREE, TextStyle, in_hand_order

_BRING_CARDS: Final = ("drew", "foot_picked_up", "pot_taken", "pile_taken", "top_card_taken")
"""Events that bring new cards into a hand."""
MOST_LINES: Final = 600
"""Maximum number of lines in the log; more than the longest hand needs."""


@dataclass
class LogLine:
    """One line of the log: consecutive events of one player."""

    seat: int
    doing: list[str]
    speaker: Speaker | None = None
    """Turns the events into a sentence. If None, `text` follows the player's name as it is."""
    name: str = ""

    def sentence(self) -> str:
        if self.speaker is not None:
            return printable(self.speaker.sentence(self.seat, self.doing))
        return f"{self.name} {', '.join(self.doing)}".lstrip()


@dataclass
class StagedMelds:
    """Melds that wait until they are worth enough together."""

    groups: list[tuple[str, ...]] = field(default_factory=list)
    take: tuple[str, ...] | None = None
    """Cards from the hand that take the pile together with its top card; they are laid first."""
    top: str = ""

    def __bool__(self) -> bool:
        return bool(self.groups) or self.take is not None

    def cards(self) -> list[str]:
        """The cards from the hand that are staged."""
        return [card for group in ((self.take or ()), *self.groups) for card in group]

    def move(self) -> str:
        parts = [" ".join(group) for group in self.groups]
        if self.take is None:
            return "meld " + " + ".join(parts)
        return " + ".join(["take " + " ".join(self.take), *parts])


@dataclass(frozen=True)
class Possible:
    """Legal uses of the chosen cards; empty until the rules have been asked."""

    meld: str = ""
    """`now`, or `stage` if the cards lack only points."""
    take: str = ""
    """`now` or `stage`, like `meld`."""
    discard: bool = False


class TableModel:
    """The contents of the screen, independent of widgets."""

    def __init__(self, look: TextStyle) -> None:
        self.look = look
        self.welcome: Welcome | None = None
        self.state: TableState | None = None
        self.watches = False
        """Whether the viewer watches another player's cards and so can't play them."""
        self.log: list[LogLine] = []
        self.hand: list[str] = []
        """The viewer's cards in display order, without staged ones."""
        self.chosen: set[int] = set()
        """Indexes of the chosen cards in `hand`."""
        self.moving = False
        """Whether a move of the viewer is on its way to the table."""
        self.cursor = 0
        self.by_suit = False
        self.possible = Possible()
        self.staged = StagedMelds()
        self.refusal: WhyNot | None = None
        self.notice = ""
        self.alarm = ""
        """The last alarm of the fairness client at this table."""
        self.new_cards: Counter[str] = Counter()
        """The cards that came into the hand last."""

    # -- frames ---------------------------------------------------------------------------------------------

    def greet(self, welcome: Welcome) -> bool:
        """Handle a table's welcome. Return whether it is a different table than before."""
        is_other = self.welcome is not None and self.welcome.table != welcome.table
        self.welcome = welcome
        if is_other:
            self.state = None
            self.alarm = ""
            self.log.clear()
        return is_other

    def can_want_rematch(self, *, is_local: bool) -> bool:
        """Return whether the viewer can agree to a rematch: a game on a server is over, and the viewer has
        a seat.
        """
        state = self.state
        return not is_local and state is not None and state.again is not None and self.your_seat >= 0

    @property
    def wants_rematch(self) -> bool:
        again = None if self.state is None else self.state.again
        return again is not None and self.your_seat in again.yes

    def update(self, state: TableState) -> None:
        """Handle a new state of the table."""
        before = self.state
        self.state = state
        if state.log:
            self.log.clear()
        for event in state.log or state.events:
            self._log_event(event)
        if before is None or (before.hand, before.turn, before.phase) != (
            state.hand,
            state.turn,
            state.phase,
        ):
            self.refusal, self.notice = None, ""
        if before is None or before.hand != state.hand or (before.turn != state.turn):
            self.new_cards.clear()
        you = self.you
        if you is None:
            self.staged = StagedMelds()
            self.new_cards.clear()
        else:
            self._note_new_cards(state.events, you.seat)
            if not you.turn or Counter(self.staged.cards()) - Counter(you.cards):
                self.staged = StagedMelds()
            held = None if before is None or before.you is None else before.you.cards
            # The move has been made. Don't wait for its answer: the player may already plan the next move.
            if self.moving and held != you.cards:
                self.clear()
        self.arrange()

    def _note_new_cards(self, events: Sequence[EventView], seat: int) -> None:
        for event in events:
            if event.seat == seat and event.what in _BRING_CARDS:
                self.new_cards.update(event.cards)

    def arrange(self) -> None:
        """Sort the hand again. Chosen cards stay chosen if they are still in it."""
        chosen = Counter(self.hand[place] for place in self.chosen)
        at = self.hand[self.cursor] if self.cursor < len(self.hand) else ""
        you = self.you
        cards = Counter(you.cards if you is not None else [])
        cards.subtract(self.staged.cards())
        self.hand = in_hand_order(cards.elements(), by_suit=self.by_suit, natural_threes=self.natural_threes)
        self.chosen = set()
        for place, card in enumerate(self.hand):
            if chosen[card] > 0:
                chosen[card] -= 1
                self.chosen.add(place)
        if at in self.hand and not (self.cursor < len(self.hand) and self.hand[self.cursor] == at):
            self.cursor = self.hand.index(at)
        self.cursor = max(0, min(self.cursor, len(self.hand) - 1))

    def _log_event(self, event: EventView) -> None:
        speaker = self.speaker
        if event.what == "said":
            name = self.name(event.seat)
            self._add(LogLine(event.seat, [f"“{speaker.phrase(event)}”"], name=f"{printable(name)}:"))
            return
        text = self.look.words(printable(speaker.phrase(event)))
        if event.seat < 0 or is_sentence(text):
            self._add(LogLine(-1, [f"─ {text.rstrip('.')} ─" if event.what == "dealt" else text]))
        elif self.log and self.log[-1].speaker and self.log[-1].seat == event.seat and event.what != "drew":
            self.log[-1].doing.append(text)
        else:
            self._add(LogLine(event.seat, [text], speaker))

    def _add(self, line: LogLine) -> None:
        self.log.append(line)
        del self.log[:-MOST_LINES]

    # -- words ----------------------------------------------------------------------------------------------

    @property
    def voice(self) -> Voice:
        caliente = self.welcome is not None and self.welcome.game.caliente_names
        return Voice(self.look.language, caliente, symbols=not self.look.letters)

    def say(self, key: str, facts: Facts | None = None) -> str:
        """Return a text of the catalogue section `screens`."""
        return self.voice.say(f"screens.{key}", facts)

    @property
    def speaker(self) -> Speaker:
        """Return a speaker that describes events to this viewer."""
        seats = [] if self.state is None else self.state.seats
        return Speaker(
            [seat.name for seat in seats], self.your_seat, self.voice, [seat.joins for seat in seats]
        )

    def hint_text(self, hint: HintView) -> str:
        """Return the reasons of a hint in the viewer's language, or in English if their codes are unknown."""
        return self.look.words(printable(self.voice.tell_reasons(hint.reasons, hint.text)))

    def refusal_text(self, why: WhyNot) -> str:
        """Return a refusal in the viewer's language, or the English text sent by the table if this client
        doesn't know the code.
        """
        english = MessageText(why.message, why.remedy)
        text = self.voice.tell_or(Message(f"refusals.{why.reason}", why.facts), english)
        return self.look.words(printable(str(text)))

    def problem_text(self, problem: Problem) -> str:
        """Return the text of a problem in the viewer's language."""
        return self.look.words(printable(tell_problem(problem, self.look.language)))

    def about_the_pile(self) -> str:
        """Return why the pile can't be taken; empty if it can, or while cards are chosen or staged."""
        you = self.you
        if you is None or you.no_take is None or not self.top() or self.chosen or self.staged:
            return ""
        return self.refusal_text(you.no_take)

    # -- status ---------------------------------------------------------------------------------------------

    @property
    def you(self) -> YourView | None:
        return self.state.you if self.state is not None else None

    @property
    def is_your_turn(self) -> bool:
        return self.you is not None and self.you.turn and not self.watches

    @property
    def your_seat(self) -> int:
        """The viewer's seat; -1 for a spectator."""
        if self.state is None or self.watches:
            return -1
        return self.state.you.seat if self.state.you is not None else self.state.seat

    @property
    def your_side(self) -> int:
        """The viewer's side; the first one for a spectator."""
        seat = self.your_seat
        return self.state.seats[seat].side if self.state is not None and seat >= 0 else 0

    def seat(self, seat: int) -> SeatView | None:
        if self.state is None or not 0 <= seat < len(self.state.seats):
            return None
        return self.state.seats[seat]

    def name(self, seat: int) -> str:
        """Return `You` or the player's name."""
        view = self.seat(seat)
        if view is None:
            return self.say("somebody")
        if seat == self.your_seat:
            return self.voice.word("seat.You")
        return self.voice.place(printable(view.name)) or self.say("free_seat")

    def own(self) -> SideView | None:
        return None if self.state is None else self.state.sides[self.your_side]

    def own_melds(self) -> list[MeldView]:
        side = self.own()
        return [] if side is None else side.melds

    def side_name(self, side: int) -> str:
        """Return `Us` or `Them` if there are two sides, names if there are more."""
        if self.state is None:
            return ""
        if self.your_seat >= 0:
            if side == self.your_side:
                alone = len(self.state.sides[side].seats) == 1
                return self.voice.word("seat.You") if alone else self.say("us")
            if len(self.state.sides) == 2 and len(self.state.sides[side].seats) > 1:
                return self.say("them")
        return self.members(side)

    def members(self, side: int) -> str:
        """Return the names of a side's players."""
        assert self.state is not None
        return " & ".join(self.name(seat) for seat in self.state.sides[side].seats)

    def needed(self, side: int) -> list[CanastaProgress]:
        """Return a side's progress towards going out: its canastas and its pot."""
        if self.welcome is None or self.state is None:
            return []
        view = self.state.sides[side]
        pot = (
            [CanastaProgress(kind="pot", have=int(view.pot_taken), needed=1)]
            if self.welcome.game.pots
            else []
        )
        return [*view.progress, *pot]

    def own_foot(self) -> int:
        """Return the number of cards in the viewer's foot, until it is picked up."""
        seat = self.seat(self.your_seat)
        return 0 if seat is None else seat.foot

    def top(self) -> str:
        pile = self.state.pile if self.state is not None else None
        return pile.cards[-1] if pile is not None and pile.cards else ""

    # -- choosing -------------------------------------------------------------------------------------------

    @property
    def natural_threes(self) -> bool:
        return self.welcome is not None and self.welcome.game.threes == "natural"

    def is_closed(self, card: str) -> bool:
        """Return whether the viewer's side can no longer meld the rank of this card."""
        side = self.own()
        return side is not None and rank_of(card) in side.closed

    def is_barred(self, card: str) -> bool:
        """Return whether this card may not be discarded now, though others may."""
        you = self.you
        return you is not None and any(card in one.cards for one in you.barred)

    def special(self) -> str:
        """Return the special hand that can be laid down now; empty if there is none."""
        moves = [] if self.you is None else self.you.can
        return next((move.removeprefix("special ") for move in moves if move.startswith("special ")), "")

    def chosen_cards(self) -> list[str]:
        return [self.hand[place] for place in sorted(self.chosen)]

    def toggle(self, place: int) -> None:
        if 0 <= place < len(self.hand):
            self.chosen ^= {place}
            self.cursor = place

    def choose_rank(self, rank: str) -> bool:
        """Choose one more card of a rank, or deselect all of that rank if all are chosen. Return False if
        there are none.
        """
        if rank == "3b" and self.welcome is not None and self.welcome.game.threes != "special":
            places = [place for place, card in enumerate(self.hand) if card[0] == ANY_THREE]
        else:
            places = [place for place, card in enumerate(self.hand) if rank_of(card) == rank]
        if not places:
            return False
        free = [place for place in places if place not in self.chosen]
        if free:
            self.chosen.add(free[0])
            self.cursor = free[0]
        else:
            self.chosen -= set(places)
        return True

    def clear(self) -> None:
        self.chosen.clear()

    # -- staging --------------------------------------------------------------------------------------------

    def stage(self, groups: Sequence[Sequence[str]]) -> None:
        self.staged.groups += [tuple(group) for group in groups]
        self.chosen.clear()
        self.arrange()

    def stage_take(self, cards: Sequence[str], top: str) -> None:
        self.staged.take, self.staged.top = tuple(cards), top
        self.chosen.clear()
        self.arrange()

    def unstage(self) -> None:
        """Take back the last staged meld."""
        if self.staged.groups:
            self.staged.groups.pop()
        else:
            self.staged = StagedMelds()
        self.arrange()

    def staged_points(self) -> int:
        """Return the points of the staged melds towards the minimum."""
        if self.welcome is None:
            return 0
        game = self.welcome.game
        points = first_meld_points(self.staged.cards(), game)
        if self.staged.take is not None and game.top_card_counts:
            points += first_meld_points([self.staged.top], game)
        return points
