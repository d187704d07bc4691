"""Dialogs above the table: a choice, or a text such as help, the log, the pile, scores or rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from canasta.i18n.voice import Voice, say
from canasta.rules import RulesetError, load_ruleset
from canasta.rules.clauses import CLAUSES, clause_in, clause_value
from canasta.rules.loader import house_rules, options_of
from canasta.rules.sheet.sections import rule_sheet
from canasta.table.wire import GameView, SheetView, TableState
from canasta.terminal.canvas import wrapped
from canasta.terminal.model import TableModel
from canasta.terminal.theme import (
    ACCENT,
    BRASS,
    QUIET,
    TITLE,
    ScoreSheetStyle,
    card_style,
    in_hand_order,
    points_text,
    score_table,
)

_LOOK: Final = ScoreSheetStyle(BRASS, TITLE, QUIET, BRASS, points_text)

_KEYS: Final = {
    "cards": {
        "along": "← → ↑ ↓",
        "choose": "{space}",
        "rank": "4–9 0 J Q K A",
        "special": "2  W  3  C",
        "let_go": "{escape}",
        "order": "o",
    },
    "turn": {
        "main": "{enter}",
        "d": "d",
        "take": "t",
        "meld": "m",
        "undo": "u",
        "pass": "p  k  g",
        "answer": "y  n",
        "rare": "c  b  l",
        "special": "v",
    },
    "table": {
        "hint": "h",
        "rules": "r",
        "pile": "i",
        "scores": "s",
        "log": "w",
        "melds": "[ ]  {{ }}",
        "hurry": "{enter}",
        "say": "/",
        "transcript": "f",
        "leave": "q",
    },
    "signs": {"partner": "*", "account": "✓", "address": "≈", "joins": "→"},
}


@dataclass(frozen=True)
class MenuChoice:
    """A line of a choice, with a dimmer explanation below it."""

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
        # Inner width of a dialog that takes up nine tenths of the window.
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


class TextDialog(ModalScreen[bool]):
    """A scrolling text. The dialog's result is whether the reader wants to continue rather than go back."""

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


class AlarmDialog(TextDialog):
    """A warning that the cards aren't fair. The dialog's result is whether to save the transcript."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "leave(True)", show=False),
        Binding("enter,space", "leave(False)", show=False, priority=True),
    ]


# -- texts --------------------------------------------------------------------------------------------------


def help_dialog(voice: Voice) -> TextDialog:
    """Return all keys and mouse actions."""
    say = voice.say
    named = {key: say(f"screens.key.{key}") for key in ("space", "enter", "escape")}
    parts: list[RenderableType] = []
    for group, keys in _KEYS.items():
        parts.append(Text(say(f"screens.help.{group}"), style=BRASS))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=14, no_wrap=True)
        grid.add_column()
        for meaning, key in keys.items():
            grid.add_row(
                Text(key.format_map(named), style=TITLE), Text(say(f"screens.help.{group}.{meaning}"))
            )
        parts += [grid, Text("")]
    parts.append(Text(say("screens.help.mouse"), style=BRASS))
    parts.append(Text(say("screens.help.mouse.text")))
    return TextDialog(say("screens.title.help"), parts, sign=say("screens.sign.scroll"))


def log_dialog(model: TableModel) -> TextDialog:
    parts = [Text(line.sentence()) for line in model.log] or [quiet(model.say("log.none"))]
    return TextDialog(model.say("title.log"), parts, at_end=True, sign=model.say("sign.scroll"))


def pile_dialog(model: TableModel) -> TextDialog:
    pile, say = model.state.pile if model.state is not None else None, model.say
    title, sign = say("title.pile"), say("sign.scroll")
    if pile is None or not pile.cards:
        return TextDialog(title, [quiet(say("inside.none"))], sign=sign)
    text = Text()
    for card in filter(None, reversed(pile.cards)):
        text.append(f" {model.look.card(card)} ", style=card_style(card))
        text.append(" ")
    points = say("inside.frozen") if pile.frozen else say("inside.stopped") if pile.stopped else ""
    is_squared = model.welcome is not None and not model.welcome.game.look_through
    count = say("inside.squared" if is_squared else "inside.open", {"count": len(pile.cards)})
    head = f"{count} {points}".strip()
    return TextDialog(title, [quiet(head), Text(""), text], sign=sign)


def scores_dialog(model: TableModel) -> TextDialog:
    """Return the last score sheet and the scores of the game so far."""
    state, say = model.state, model.say
    assert state is not None
    parts: list[RenderableType] = []
    title = say("title.scores")
    if state.sheet is not None:
        title = say("title.score_of", {"count": state.sheet.hand})
        parts += [score_table(state.sheet, _sides(model), model.voice, _LOOK), Text("")]
        parts.append(quiet(_ending(model, state.sheet)))
    if state.winner != -1:
        title = say("title.over")
        parts.append(Text(result(model), style=BRASS))
    if state.history and (len(state.history) > 1 or state.sheet is None):
        parts += [Text(""), history_table(model, state.history, _sides(model))]
    elif not state.history:
        parts.append(quiet(say("score.none")))
    return TextDialog(title, parts, short=True, sign=say("sign.scroll"))


def _sides(model: TableModel) -> list[str]:
    assert model.state is not None
    return [model.side_name(side) for side in range(len(model.state.sides))]


def _ending(model: TableModel, sheet: SheetView) -> str:
    if sheet.special:
        code = "score.you_special" if sheet.special_by == model.your_seat else "score.special"
        return model.say(code, {"name": model.name(sheet.special_by), "special": sheet.special})
    if sheet.out < 0:
        return model.say("score.stock")
    if sheet.out == model.your_seat:
        return model.say("score.you_out")
    return model.say("score.out", {"name": model.name(sheet.out)})


def result(model: TableModel) -> str:
    """Return a text that names the winner."""
    assert model.state is not None
    scores = model.state.history[-1] if model.state.history else [side.score for side in model.state.sides]
    ordered = sorted(scores, reverse=True)
    numbers = f" {model.say('score.to')} ".join(points_text(score) for score in ordered)
    if model.state.winner == -2:
        return model.say("score.draw", {"text": numbers})
    if model.your_seat >= 0 and model.state.winner == model.your_side:
        return model.say("score.you_win", {"text": numbers})
    code = "score.one_wins" if len(model.state.sides[model.state.winner].seats) == 1 else "score.many_win"
    return model.say(code, {"name": model.members(model.state.winner), "text": numbers})


def history_table(model: TableModel, history: Sequence[Sequence[int]], sides: Sequence[str]) -> Table:
    """Return the totals after each hand, with a bar for each side."""
    most = max((abs(score) for scores in history for score in scores), default=1) or 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style=BRASS)
    table.add_column(model.say("score.after"), justify="right")
    for name in sides:
        table.add_column(name, justify="right")
        table.add_column("", width=12)
    for number, scores in enumerate(history, start=1):
        cells: list[Text] = []
        for score in scores:
            cells += [Text(points_text(score)), Text("▇" * max(0, round(12 * score / most)), style=BRASS)]
        table.add_row(str(number), *cells)
    return table


def hands_dialog(model: TableModel, state: TableState) -> TextDialog:
    """Return the open cards of every seat."""
    parts: list[RenderableType] = []
    for seat in state.seats:
        if seat.sits_out:
            continue
        text = Text()
        for card in in_hand_order(seat.shows, natural_threes=model.natural_threes):
            text.append(f" {model.look.card(card)} ", style=card_style(card))
            text.append(" ")
        parts += [Text(model.name(seat.seat), style=BRASS), text, Text("")]
    return TextDialog(model.say("title.hands"), parts, sign=model.say("sign.scroll"))


def rules_dialog(game: GameView, clause: str = "", lang: str = "en") -> TextDialog:
    """Return the rule sheet of this table, opened at a clause if one is given."""
    sign = say("screens.sign.scroll", lang=lang)
    try:
        rules = load_ruleset(game.rules, game.players, game.options)
    except RulesetError as error:
        defects = " ".join(defect.line_in(lang) for defect in error.defects)
        unknown = Text(say("screens.rules.unknown", {"text": defects}, lang))
        return TextDialog(say("screens.title.rules", lang=lang), [unknown], sign=sign)
    sheet = rule_sheet(rules, lang)
    parts: list[RenderableType] = []
    pointed = -1
    if clause in CLAUSES:
        known = clause_in(clause, lang)
        text = Text(f"{known.id}  {known.title}\n", style=BRASS)
        text.append(known.text, style=TITLE)
        value = clause_value(clause, rules, lang)
        if value:
            text.append("\n" + say("sheets.list.here", {"text": value}, lang), style=ACCENT)
        parts += [text, Text("")]
    for line in house_rules(options_of(rules), lang):
        parts.append(Text(say("sheets.list.house_rule", {"text": line}, lang), style=ACCENT))
    for section in sheet.sections:
        parts.append(Text(f"\n{section.title}", style=BRASS))
        for rule in section.lines:
            if rule.clause == clause and clause and pointed < 0:
                pointed = len(parts)
            grid = Table.grid(padding=(0, 1))
            grid.add_column(width=8, no_wrap=True)
            grid.add_column()
            grid.add_row(Text(rule.clause, style=QUIET), Text(rule.text))
            parts.append(grid)
    pointed = pointed if clause not in CLAUSES else -1
    return TextDialog(f"{sheet.title}, {sheet.subtitle}", parts, pointed=pointed, sign=sign)
