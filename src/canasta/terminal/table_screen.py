"""The app, and the screen of a table, which draws frames and turns keys and clicks into commands."""

import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from rich.console import Console
from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker

from canasta.i18n import Facts
from canasta.i18n.voice import reason_in, say
from canasta.table.fairness.transcript import FAIR
from canasta.table.wire import AnyFrame, Checked, Done, Hints, Problem, Refused, TableState, Welcome
from canasta.table.wire_commands import NextHand, new_id
from canasta.terminal.board import BoardScreen, TopLine
from canasta.terminal.canvas import CanvasWidget
from canasta.terminal.controller import Actions
from canasta.terminal.dialogs import (
    AlarmDialog,
    Chooser,
    MenuChoice,
    TextDialog,
    scores_dialog,
)
from canasta.terminal.fairness import PROBLEMS, transcript_name
from canasta.terminal.hand import ActionBar, HandView, StagedLine
from canasta.terminal.local_table import LinkState, TableSource
from canasta.terminal.menu import ProbeQuestion, bar_items, probe, prompt_text
from canasta.terminal.model import Possible
from canasta.terminal.theme import TextStyle

PAUSE: Final = 0.2
"""Seconds after the last selection before the server is asked about the chosen cards."""

_RANK_KEYS: Final = {
    **{str(rank): str(rank) for rank in (2, 4, 5, 6, 7, 8, 9)},
    "0": "T",
    "T": "T",
    "J": "J",
    "Q": "Q",
    "K": "K",
    "A": "A",
    "W": "Jo",
    "3": "3b",
    "C": "Ca",
}


class TerminalTable(App[None]):
    """The app. It starts with the given screen and shows one screen at a time."""

    TITLE = "Canasta"
    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, first: Screen[None], language: str = "en") -> None:
        super().__init__()
        self._first_screen = first
        self._language = language

    def on_mount(self) -> None:
        _ = self.push_screen(self._first_screen)

    def _print_error_renderables(self) -> None:
        """Report a bug in the program briefly and write its traceback to a file."""
        if not self._exit_renderables:
            return
        path = Path(tempfile.gettempdir()) / "canasta-terminal-error.txt"
        code = "commands.defect_noted"
        try:
            with path.open("w", encoding="utf-8") as file:
                Console(file=file, width=120).print(*self._exit_renderables)
        except OSError:
            code = "commands.defect_lost"
        self._exit_renderables.clear()
        sys.stderr.write(f"canasta: {say(code, {'name': str(path)}, self._language)}\n")


class TableScreen(BoardScreen):
    """The screen of a table with a player."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("up", "row(-1)", show=False),
        Binding("down", "row(1)", show=False),
        Binding("home", "cursor(-1000)", show=False),
        Binding("end", "cursor(1000)", show=False),
        Binding("space", "choose", show=False),
        Binding("escape", "let_go", show=False),
        Binding("enter", "do('main')", show=False),
        Binding("d", "do('d')", show=False),
        Binding("x,delete,backspace", "do('discard')", show=False),
        Binding("t", "do('take')", show=False),
        Binding("m,plus", "do('meld')", show=False),
        Binding("u", "do('undo')", show=False),
        Binding("h", "do('hint')", show=False),
        Binding("p", "do('pass')", show=False),
        Binding("k", "do('keep')", show=False),
        Binding("g", "do('ask')", show=False),
        Binding("y", "do('answer yes')", show=False),
        Binding("n", "do('answer no')", show=False),
        Binding("c", "do('caliente')", show=False),
        Binding("b", "do('putback')", show=False),
        Binding("l", "do('lay')", show=False),
        Binding("v", "do('special')", show=False),
        Binding("slash", "do('say')", show=False),
        Binding("o", "order", show=False),
        Binding("question_mark,f1", "read('help')", show=False),
        Binding("f", "save_transcript", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, source: TableSource, look: TextStyle, *, goodbye: str = "") -> None:
        super().__init__(look)
        self.source = source
        self.actions = Actions(self, source, self.open_scores)
        self._goodbye = goodbye
        """The message about the game's fate when the player leaves."""
        self._scored = 0
        """The last hand whose score sheet was shown."""
        self._sheet: TextDialog | None = None
        self._unread: list[str] = []
        """Alarms that the player has not read yet."""
        self._question: ProbeQuestion | None = None
        """The latest question about what the rules allow."""

    def on_mount(self) -> None:
        # The parts of the table exist only after the first drawing.
        self.call_after_refresh(self._begin)
        self.set_interval(0.5, self._tick)

    def _begin(self) -> None:
        self.run_worker(self.source.run(self.receive, self.show_link), group="source")

    # -- frames ---------------------------------------------------------------------------------------------

    def receive(self, frame: AnyFrame) -> None:
        """Handle a frame of the table."""
        match frame:
            case Welcome():
                if self.model.greet(frame):
                    self._scored = 0
                    self._clear_the_table()
            case TableState():
                self.model.update(frame)
                self.show_all()
                self._score_if_over(frame)
                self._warn_if_unfair(frame)
            case Done() | Refused() | Checked() | Hints():
                self.actions.answered(frame.id, frame)
            case Problem():
                if not (isinstance(frame.id, str) and self.actions.answered(frame.id, frame)):
                    self.model.notice = self.model.problem_text(frame)
                    self.show_all()

    def _warn_if_unfair(self, state: TableState) -> None:
        """Show unread alarms above the table, and the last alarm below it."""
        alarms = [
            self.model.speaker.phrase(event)
            for event in state.events
            if event.what == FAIR and event.phrase in PROBLEMS
        ]
        if alarms:
            self._unread += alarms
            self.model.alarm = alarms[-1]
            self.show_all()
        # A score sheet may have replaced an alarm that nobody has read.
        if alarms or (self._unread and not isinstance(self.app.screen, AlarmDialog)):
            title, sign = self.model.say("title.alarm"), self.model.say("sign.alarm")
            dialog = AlarmDialog(title, list(map(Text, self._unread)), sign=sign, short=True)
            _ = self.app.push_screen(dialog, self._after_alarm)

    def _after_alarm(self, saves: bool | None) -> None:
        self._unread.clear()
        if saves:
            self.action_save_transcript()

    def action_save_transcript(self) -> None:
        """Write a transcript of this table to a file."""
        witness = self.source.witness
        file = Path(transcript_name(witness.table))
        try:
            file.write_bytes(witness.transcript())
        except OSError as error:
            facts: Facts = {"text": reason_in(error, self.model.look.language)}
            self.model.notice = self.model.say("tell.no_transcript", facts)
        else:
            self.model.notice = self.model.say("tell.transcript", {"name": str(file)})
        self.show_all()

    def show_link(self, link: LinkState, trouble: str) -> None:
        """Show the state of the connection."""
        if not self.has_parts:
            return
        self.query_one(TopLine).link = link
        if trouble or link == "connected":
            self.model.notice = trouble
        self.show_all()

    def _score_if_over(self, state: TableState) -> None:
        if state.phase in ("draw", "play") and self._sheet is not None and self.app.screen is self._sheet:
            # The next hand has started without this player.
            _ = self._sheet.dismiss(False)
        if state.sheet is None or state.phase != "over":
            return
        if self._scored != state.sheet.hand:
            self._scored = state.sheet.hand
            self._clear_the_table()
            self.open_scores()

    def _clear_the_table(self) -> None:
        """Close all dialogs above the table, which belong to the previous hand."""
        while len(self.app.screen_stack) > 1 and self.app.screen is not self and self.app.screen.is_modal:
            _ = self.app.pop_screen()

    def open_scores(self) -> None:
        dialog = scores_dialog(self.model)
        over = self.model.state is not None and self.model.state.status == "over"
        dialog.sign = self.model.say("sign.close" if over else "sign.next")
        self._sheet = dialog
        _ = self.app.push_screen(dialog, self._after_scores)

    def _after_scores(self, goes_on: bool | None) -> None:
        self._sheet = None
        state = self.model.state
        if goes_on and state is not None and state.phase == "over" and state.status == "playing":
            self.source.send(NextHand(id=new_id()))
        self.show_all()

    def _tick(self) -> None:
        """Redraw a running clock."""
        state = self.model.state
        if state is not None and state.clock is not None:
            state.clock.left = max(0.0, state.clock.left - 0.5)
            self._show_choices()

    # -- drawing --------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        super().show_all()
        self._show_choices()

    def _show_choices(self) -> None:
        if not self.has_parts:
            return
        self._ask_rules()
        bar, staged = self.query_one(ActionBar), self.query_one(StagedLine)
        bar.items = bar_items(self.model, is_local=self.source.is_local)
        staged.prompt = prompt_text(self.model)
        bar.redraw()
        staged.redraw()

    def _ask_rules(self) -> None:
        """Ask what can be done with the chosen cards, if they have changed."""
        question = ProbeQuestion.of(self.model)
        if question == self._question:
            return
        self._question = question
        self.model.possible = Possible()
        if question is not None:
            # Pass a function: a coroutine would stay unawaited if the table closes first.
            _: Worker[None] = self.run_worker(partial(self._probe, question), group="probe", exclusive=True)

    async def _probe(self, question: ProbeQuestion) -> None:
        if not self.source.is_local:
            # Wait, so that quick selections cause one question to the server, not one for each card.
            await asyncio.sleep(PAUSE)
        if question != ProbeQuestion.of(self.model):
            return
        possible = await probe(self.model, self.actions.check)
        if question == ProbeQuestion.of(self.model):
            self.model.possible = possible
            self._show_choices()

    def _show_hand(self) -> None:
        self.query_one(HandView).redraw()
        self._show_choices()

    # -- the hand -------------------------------------------------------------------------------------------

    def action_cursor(self, step: int) -> None:
        model = self.model
        if model.hand:
            last = len(model.hand) - 1
            # A step past an end wraps around; a jump stops there.
            place = model.cursor + step
            wraps = abs(step) == 1
            model.cursor = place % len(model.hand) if wraps else max(0, min(place, last))
            self._show_hand()

    def action_row(self, step: int) -> None:
        lay = self.query_one(HandView).layout_of()
        place = self.model.cursor + step * lay.per_row
        if lay.rows > 1 and self.model.hand:
            self.model.cursor = max(0, min(place, len(self.model.hand) - 1))
        elif step < 0 and self.model.cursor not in self.model.chosen:
            self.model.toggle(self.model.cursor)
        elif step > 0:
            self.model.chosen.discard(self.model.cursor)
        self._show_hand()

    def action_choose(self) -> None:
        self.model.toggle(self.model.cursor)
        self._show_hand()

    def action_let_go(self) -> None:
        self.model.clear()
        self.model.refusal, self.model.notice = None, ""
        self.show_all()

    def action_order(self) -> None:
        self.model.by_suit = not self.model.by_suit
        self.model.arrange()
        self._show_hand()

    def on_key(self, event: events.Key) -> None:
        rank = _RANK_KEYS.get(event.character or "")
        if rank is not None:
            event.stop()
            if not self.model.choose_rank(rank):
                self.model.notice = self.model.say("tell.no_such_card")
                self.show_all()
            self._show_hand()

    # -- what can be done -----------------------------------------------------------------------------------

    def action_do(self, what: str) -> None:
        self.actions.do(what)

    def on_canvas_widget_pressed(self, event: CanvasWidget.Pressed) -> None:
        """Handle a click on a card, a meld, the stock, the pile, or an action."""
        zone, _, name = event.zone.partition(":")
        match zone:
            case "card":
                self.model.toggle(int(name))
                self._show_hand()
            case "meld":
                self.actions.do("add", name)
            case "stock":
                self.actions.do("draw")
            case "pile":
                self.actions.do("pile")
            case "unstage":
                self.actions.do("undo")
            case "inside":
                self.action_read("pile")
            case "log" | "rules" | "scores" | "help":
                self.action_read(zone)
            case "leave":
                self.action_leave()
            case "do":
                self.actions.do(name)

    def action_leave(self) -> None:
        say = self.model.say
        choices = [MenuChoice(say("leave.stay")), MenuChoice(say("leave.leave"), self._goodbye)]

        def left(place: int | None) -> None:
            if place == 1:
                self.app.exit()

        _ = self.app.push_screen(Chooser(say("title.leave"), choices, sign=say("sign.choose")), left)
