"""Texts to read: help, the log, the pile, score sheets."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from canasta.i18n import Voice
from canasta.table.wire import SheetView, TableState
from canasta.terminal.dialogs import Paper, quiet
from canasta.terminal.model import TableModel
from canasta.terminal.score_table import SheetLook, score_table
from canasta.terminal.theme import BRASS, QUIET, TITLE, card_style, in_hand_order, points_text

_LOOK: Final = SheetLook(BRASS, TITLE, QUIET, BRASS, points_text)

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


def help_paper(voice: Voice) -> Paper:
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
    return Paper(say("screens.title.help"), parts, sign=say("screens.sign.scroll"))


def log_paper(model: TableModel) -> Paper:
    parts = [Text(told.sentence()) for told in model.log] or [quiet(model.say("log.none"))]
    return Paper(model.say("title.log"), parts, at_end=True, sign=model.say("sign.scroll"))


def pile_paper(model: TableModel) -> Paper:
    pile, say = model.state.pile if model.state is not None else None, model.say
    title, sign = say("title.pile"), say("sign.scroll")
    if pile is None or not pile.cards:
        return Paper(title, [quiet(say("inside.none"))], sign=sign)
    text = Text()
    for card in filter(None, reversed(pile.cards)):
        text.append(f" {model.look.card(card)} ", style=card_style(card))
        text.append(" ")
    points = say("inside.frozen") if pile.frozen else say("inside.stopped") if pile.stopped else ""
    is_squared = model.welcome is not None and not model.welcome.game.look_through
    count = say("inside.squared" if is_squared else "inside.open", {"count": len(pile.cards)})
    head = f"{count} {points}".strip()
    return Paper(title, [quiet(head), Text(""), text], sign=sign)


def scores_paper(model: TableModel) -> Paper:
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
        parts += [Text(""), course_table(model, state.history, _sides(model))]
    elif not state.history:
        parts.append(quiet(say("score.none")))
    return Paper(title, parts, short=True, sign=say("sign.scroll"))


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
    told = f" {model.say('score.to')} ".join(points_text(score) for score in ordered)
    if model.state.winner == -2:
        return model.say("score.draw", {"text": told})
    if model.your_seat >= 0 and model.state.winner == model.your_side:
        return model.say("score.you_win", {"text": told})
    code = "score.one_wins" if len(model.state.sides[model.state.winner].seats) == 1 else "score.many_win"
    return model.say(code, {"name": model.members(model.state.winner), "text": told})


def course_table(model: TableModel, history: Sequence[Sequence[int]], sides: Sequence[str]) -> Table:
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


def hands_paper(model: TableModel, state: TableState) -> Paper:
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
    return Paper(model.say("title.hands"), parts, sign=model.say("sign.scroll"))
