"""A table of this program: a match, computer players, and one person, behind the frames of the wire."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from canasta.bots import Bot, bot_names, get_bot
from canasta.engine.match import Match
from canasta.engine.moves.refusals import NOTATION
from canasta.engine.moves.types import Move
from canasta.notation.errors import NotationError
from canasta.notation.local_deals import LocalDeals
from canasta.notation.moves import format_move, parse_move
from canasta.notation.record import RecordWriter
from canasta.notation.seats import SEAT_NAMES
from canasta.table.happenings import happened
from canasta.table.views import Seen, Sitting, game_view, sheet_view, table_state, why_not
from canasta.table.wire import (
    AnyCommand,
    AskHint,
    Checked,
    CheckMove,
    Done,
    Happened,
    Hints,
    HintView,
    MakeMove,
    NextHand,
    Ping,
    Problem,
    Refused,
    SheetView,
    TableState,
    Welcome,
    WhyNot,
)
from canasta.terminal.source import Hear, Sign

PACE: Final = 0.7
"""Seconds between the moves of computer players, so that they can be followed."""


class LocalTable:
    """You sit in the south, or where the cut says; the others are computer players."""

    is_local = True

    def __init__(
        self,
        match: Match,
        *,
        bot: str = "club",
        pace: float = PACE,
        writer: RecordWriter | None = None,
        deals: LocalDeals | None = None,
    ) -> None:
        self.match = match
        self._deals = deals or LocalDeals(match.rules, match.seed)
        self._you = self._deals.you
        self.names: Sequence[str] = SEAT_NAMES[match.rules.seats.players]
        self._level = bot
        self._pace = pace
        self._writer = writer
        self._bots: dict[int, Bot] = {
            seat: get_bot(bot, f"{match.seed}/{seat}") for seat in range(len(self.names)) if seat != self._you
        }
        self._adviser = get_bot("club")
        self._state = 0
        self._history: list[list[int]] = []
        self._hear: Hear = lambda frame: None
        self._acted = asyncio.Event()
        """The person has moved, or is ready for the next hand."""
        self._hurry = asyncio.Event()
        self._ready = False
        self._tasks: set[asyncio.Task[None]] = set()

    # -- the course of the game -----------------------------------------------------------------------------

    async def run(self, hear: Hear, sign: Sign) -> None:
        """Plays until the match is over."""
        self._hear = hear
        sign("here", "")
        hear(self._welcome())
        self._note_scores()
        hear(self._frame([*self._cuts(), self._dealt(), *self._seeds()]))
        while not (self.match.hand.over and self.match.over):
            if self.match.hand.over:
                await self._until_acted()
                if self._ready:
                    self._deal()
            elif self.match.hand.turn == self._you:
                await self._until_acted()
            else:
                await self._bot_moves()

    async def _until_acted(self) -> None:
        # Cleared after waiting: what is sent before the wait begins must not be lost.
        self._hurry.clear()
        await self._acted.wait()
        self._acted.clear()

    async def _bot_moves(self) -> None:
        seat = self.match.hand.turn
        begun = asyncio.get_running_loop().time()
        # In a thread, so that the screen stays alive while somebody thinks.
        move = await asyncio.to_thread(self._bots[seat].choose, self.match.hand.view(seat))
        rest = self._pace - (asyncio.get_running_loop().time() - begun)
        if rest > 0 and not self._hurry.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), rest)
        self._make(seat, move)

    def _deal(self) -> None:
        self._ready = False
        self._deals.deal_next(self.match)
        self._write(lambda writer: writer.note_deal(self.match, self._deals.fair))
        self._note_scores()
        self._state += 1
        self._hear(self._frame([self._dealt(), *self._seeds()]))

    def _make(self, seat: int, move: Move) -> None:
        events = self.match.apply(move)
        self._write(lambda writer: writer.note_move(self.match, seat, move))
        self._note_scores()
        self._state += 1
        self._hear(self._frame(happened(events, self._you, self.names)))

    def _note_scores(self) -> None:
        if self.match.hand.over:
            self._history.append(list(self.match.scores))

    def _write(self, note: Callable[[RecordWriter], None]) -> None:
        """Writes to the record; a full disk ends the record and not the game."""
        if self._writer is None:
            return
        try:
            note(self._writer)
        except (OSError, ValueError) as error:
            self._writer = None
            self._hear(
                Problem(code="server_error", message=f"The record cannot be written any more: {error}.")
            )

    # -- frames ---------------------------------------------------------------------------------------------

    def _welcome(self) -> Welcome:
        return Welcome(
            table="here",
            link="",
            public=False,
            you=self.names[self._you],
            game=game_view(self.match.rules),
            clock=0,
            spectators=False,
            levels=[name for name in bot_names() if name != "random"],
        )

    def _sittings(self) -> list[Sitting]:
        return [
            Sitting(
                name=name,
                who="person" if seat == self._you else "bot",
                level="" if seat == self._you else self._level,
            )
            for seat, name in enumerate(self.names)
        ]

    def _frame(self, events: list[Happened]) -> TableState:
        frame = table_state(
            self.match, Seen(self._sittings(), self._you, True, events=events), state=self._state
        )
        frame.history = [list(scores) for scores in self._history]
        frame.sheet = last_sheet(self.match)
        return frame

    def _dealt(self) -> Happened:
        return Happened(what="dealt", seat=self.match.dealer, count=self.match.hand_number)

    def _seeds(self) -> list[Happened]:
        """What makes the cards fair, for the log."""
        fair = self._deals.fair
        if fair is None:
            return []
        return [
            Happened(what="fair", text=f"Fair cards: two seeds, the program's fixed by {fair.commitment}")
        ]

    def _cuts(self) -> list[Happened]:
        return [Happened(what="cut", seat=seat, cards=cards.split()) for seat, cards in self._deals.cuts()]

    # -- the person -----------------------------------------------------------------------------------------

    def hurry(self) -> None:
        self._hurry.set()

    def send(self, command: AnyCommand) -> None:
        match command:
            case MakeMove():
                self._hear(self._answer_move(command))
            case CheckMove():
                why, _ = self._judge(command.move)
                self._hear(Checked(id=command.id, why=why))
            case AskHint():
                task = asyncio.get_running_loop().create_task(self._hint(command.id))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case NextHand():
                if self.match.hand.over:
                    self._ready = True
                    self._acted.set()
                self._hear(Done(id=command.id, state=self._state))
            case Ping():
                self._hear(Done(id=command.id, state=self._state))
            case _:
                problem = "At a table of your own there is nobody else to arrange that with."
                self._hear(Problem(code="not_allowed", message=problem, id=command.id))

    def _answer_move(self, command: MakeMove) -> Done | Refused:
        why, move = self._judge(command.move)
        if why is not None or move is None:
            assert why is not None
            return Refused(id=command.id, state=self._state, why=why)
        self._make(self._you, move)
        self._acted.set()
        return Done(id=command.id, state=self._state)

    def _judge(self, text: str) -> tuple[WhyNot | None, Move | None]:
        """Why this text is not a move that you can make now; or the move."""
        try:
            move = parse_move(text)
        except NotationError as error:
            return WhyNot(clause=NOTATION, message=str(error)), None
        if self.match.hand.turn != self._you and not self.match.hand.over:
            name = self.names[self.match.hand.turn]
            return WhyNot(clause="TURN-1", message=f"It is {name}'s turn.", remedy="Wait for yours."), None
        refusal = self.match.check(move)
        return (None, move) if refusal is None else (why_not(refusal), None)

    async def _hint(self, command: str) -> None:
        hand = self.match.hand
        if hand.over or hand.turn != self._you:
            self._hear(Hints(id=command, hints=[]))
            return
        hints = await asyncio.to_thread(self._adviser.hint, hand.view(self._you))
        views = [
            HintView(move=format_move(hint.move), text=hint.reason.text, numbers=hint.reason.numbers)
            for hint in hints
        ]
        self._hear(Hints(id=command, hints=views))


def last_sheet(match: Match) -> SheetView | None:
    """The score sheet of a hand that is over."""
    if not match.hand.over:
        return None
    return sheet_view(match.hand_number, match.sheets[-1], match.scores, match.hand.out)
