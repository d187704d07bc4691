"""Dialogs above the table: a choice, or something to read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from canasta.terminal.canvas import wrapped
from canasta.terminal.theme import QUIET


@dataclass(frozen=True)
class MenuChoice:
    """One line of a choice, with a dimmer explanation under it."""

    label: str
    note: str = ""


class Chooser(ModalScreen[int | None]):
    """A choice among several lines. A number, Enter or a click selects one; Escape cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", show=False)]

    def __init__(self, title: str, choices: Sequence[MenuChoice], *, sign: str) -> None:
        super().__init__()
        self._heading = title
        self.choices = choices
        self._sign = sign

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet") as sheet:
            sheet.border_title = self._heading
            sheet.border_subtitle = self._sign
            yield OptionList(
                *(Option(self._text(number, choice)) for number, choice in enumerate(self.choices))
            )

    def _text(self, number: int, choice: MenuChoice) -> Text:
        # Inner width of a sheet that takes up nine tenths of the window.
        width = min(76, self.app.size.width * 9 // 10 - 12)
        label = wrapped(choice.label, width) or [""]
        lines = [f"{number + 1}  {label[0]}" if number < 9 else f"   {label[0]}"]
        lines += [f"   {line}" for line in (*label[1:], *wrapped(choice.note, width))]
        return Text("\n".join(lines))

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_key(self, event: Key) -> None:
        if event.character is not None and event.character in "123456789":
            place = int(event.character) - 1
            if place < len(self.choices):
                event.stop()
                _ = self.dismiss(place)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        _ = self.dismiss(event.option_index)

    def on_click(self, event: Click) -> None:
        if event.widget is self:
            _ = self.dismiss(None)

    def action_leave(self) -> None:
        _ = self.dismiss(None)


class Paper(ModalScreen[bool]):
    """A scrolling text. Its result is whether the reader wants to continue or only go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave(False)", show=False),
        Binding("enter,space", "leave(True)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("home", "scroll(-10000)", show=False),
        Binding("end", "scroll(10000)", show=False),
    ]

    def __init__(
        self,
        title: str,
        parts: Sequence[RenderableType],
        *,
        pointed: int = -1,
        at_end: bool = False,
        sign: str,
        short: bool = False,
    ) -> None:
        super().__init__()
        self._heading = title
        self.sign = sign
        self._short = short
        self._parts = parts
        self._pointed = pointed
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet short" if self._short else "sheet paper") as sheet:
            sheet.border_title = self._heading
            sheet.border_subtitle = self.sign
            with VerticalScroll():
                for number, part in enumerate(self._parts):
                    yield Static(part, classes="pointed" if number == self._pointed else "", markup=False)

    def on_mount(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self._pointed >= 0:
            self.call_after_refresh(self._show_pointed)
        elif self._at_end:
            self.call_after_refresh(scroll.scroll_end, animate=False)

    def _show_pointed(self) -> None:
        pointed = self.query(".pointed")
        if pointed:
            pointed.first().scroll_visible(animate=False, top=True)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_leave(self, goes_on: bool) -> None:
        _ = self.dismiss(goes_on)

    def on_click(self, event: Click) -> None:
        if event.widget is self:
            _ = self.dismiss(False)


def quiet(text: str) -> Text:
    return Text(text, style=QUIET)


class AlarmPaper(Paper):
    """A warning that the cards aren't fair. Its result is whether to save the transcript."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "leave(True)", show=False),
        Binding("enter,space", "leave(False)", show=False, priority=True),
    ]
