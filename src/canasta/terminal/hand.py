"""The lower part of the table: the hand, staged melds, messages and actions."""

from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from canasta.rules.clauses import CLAUSES, clause_in
from canasta.terminal.canvas import Canvas, ModelWidget, fitted, wrapped
from canasta.terminal.theme import (
    ACCENT,
    ASLEEP,
    BRASS,
    BUTTON,
    CARD_EDGE,
    CHOSEN_EDGE,
    CLOSED_CARD,
    CURSOR_EDGE,
    EDGE,
    NEW_EDGE,
    QUIET,
    READY,
    TITLE,
    card_style,
)

BARRED: Final = "⊘"
"""A mark on a card that may not be discarded."""
WIDEST_CARD: Final = 6
NARROWEST_CARD: Final = 3


@dataclass(frozen=True)
class HandLayout:
    """The layout of a hand: cells per card (`pitch`), cards per row, and lines per card."""

    pitch: int
    per_row: int
    rows: int
    tall: int

    @property
    def wide(self) -> int:
        """Width of one card in cells, leaving a gap to the next one if there is room."""
        return self.pitch - 1 if self.pitch > 4 else self.pitch

    @classmethod
    def of(cls, cards: int, width: int, height: int) -> "HandLayout":
        """Return a layout in one row if cards stay legible, otherwise in two or as many as needed."""
        room = max(NARROWEST_CARD, width - 2)
        for rows in range(1, max(2, height // 2 + 1)):
            pitch = min(8 if width >= 120 else WIDEST_CARD, room // max(1, -(-cards // rows)))
            if pitch >= (4 if rows == 1 else NARROWEST_CARD):
                break
        else:
            rows, pitch = max(1, height // 2), NARROWEST_CARD
        per_row = room // pitch if rows > 1 else max(1, cards)
        rows = max(1, -(-cards // per_row))
        tall = max(1, min(4, height // rows - 1))
        return cls(pitch, per_row, rows, tall)


class HandView(ModelWidget):
    """The viewer's cards. A selected card is one line higher and in brackets."""

    def layout_of(self) -> HandLayout:
        return HandLayout.of(len(self.model.hand), self.size.width, self.size.height)

    def draw(self, canvas: Canvas) -> None:
        model = self.model
        state = model.state
        if state is None:
            return
        if not model.hand:
            canvas.put(2, canvas.height // 2, self._no_cards(), QUIET)
            return
        lay = HandLayout.of(len(model.hand), canvas.width, canvas.height)
        new = model.new_cards.copy()
        for place, card in enumerate(model.hand):
            is_new = new[card] > 0
            new[card] -= is_new
            self._draw_card(canvas, lay, place, is_new=is_new)

    def _draw_card(self, canvas: Canvas, lay: HandLayout, place: int, *, is_new: bool) -> None:
        """Draw one card. Its left edge shows whether it is normal, new, selected, or under the cursor."""
        model = self.model
        card, chosen, zone = model.hand[place], place in model.chosen, f"card:{place}"
        row, column = divmod(place, lay.per_row)
        x, y = 1 + column * lay.pitch, row * (lay.tall + 1) + (not chosen)
        style, edge = card_style(card, chosen=chosen), CHOSEN_EDGE if chosen else CARD_EDGE
        if model.is_closed(card) and not chosen:
            style = edge = CLOSED_CARD
        canvas.fill(x, y, lay.wide, lay.tall, style, zone)
        after = canvas.put(x + 1, y, model.look.card(card, short=lay.pitch < 4), style, zone)
        if lay.tall > 1 and lay.pitch > 3:
            suit = model.look.suit(card)
            canvas.put(x + lay.wide - 1 - len(suit), y + lay.tall - 1, suit, style, zone)
        for line in range(lay.tall):
            canvas.put(x, y + line, "▏", edge, zone)
        if chosen:
            canvas.put(x, y, "[", edge, zone)
            if after < x + lay.wide:
                canvas.put(after, y, "]", edge, zone)
        elif is_new:
            canvas.put(x, y, "+", NEW_EDGE, zone)
        if model.is_barred(card) and lay.tall > 1:
            canvas.put(x + 1, y + lay.tall - 1, BARRED, style, zone)
        if place == model.cursor and model.is_your_turn:
            canvas.put(x, y + (lay.tall > 1), "▸", edge if chosen else CURSOR_EDGE, zone)

    def _no_cards(self) -> str:
        state = self.model.state
        assert state is not None
        if state.status == "waiting" or self.model.watches:
            return ""
        if self.model.your_seat < 0:
            return self.model.say("hand.watching")
        return self.model.say("hand.sits_out" if state.you is None else "hand.none")


class StagedLine(ModelWidget):
    """Staged melds with their total; without any, a prompt for the player."""

    prompt: str = ""

    def draw(self, canvas: Canvas) -> None:
        model = self.model
        if not model.staged:
            mine = model.is_your_turn
            canvas.put(1, 0, fitted(self.prompt, canvas.width - 2), ACCENT if mine else QUIET)
            return
        x = canvas.put(1, 0, f"{model.say('staged')} ", QUIET)
        look = model.look
        groups = list(model.staged.groups)
        if model.staged.take is not None:
            cards = look.cards(model.staged.take)
            x = canvas.put(
                x, 0, f"[{model.say('pile')} {look.card(model.staged.top)} + {cards}] ", BRASS, "unstage"
            )
        for group in groups:
            x = canvas.put(x, 0, f"[{look.cards(group)}] ", TITLE, "unstage")
        own = model.own()
        needed = own.minimum if own is not None else 0
        points = model.staged_points()
        code = "staged_needed" if needed else "staged_points"
        text, back = f" {model.say(code, {'points': points, 'needed': needed})} ", model.say("staged_back")
        right = canvas.width - cell_len(text) - cell_len(back) - 2
        x = canvas.put(max(x, right) if x < canvas.width - cell_len(text) else right, 0, text, ACCENT)
        canvas.put(x, 0, back, QUIET, "unstage")


class NoticeLines(ModelWidget):
    """A refusal with its reason, remedy and clause, or another message from the table."""

    def draw(self, canvas: Canvas) -> None:
        model = self.model
        width = canvas.width - 2
        if model.refusal is None:
            notice = model.look.words(model.notice)
            lines = wrapped(notice or model.alarm or model.about_the_pile(), width)
            if len(lines) > canvas.height:
                lines = [*lines[: canvas.height - 1], fitted(" ".join(lines[canvas.height - 1 :]), width)]
            for y, line in enumerate(lines):
                canvas.put(1, y, line, ACCENT if model.alarm and not notice else QUIET)
            return
        why = model.refusal
        tail = ""
        if why.clause in CLAUSES:
            tail = f"r: {why.clause}, {clause_in(why.clause, model.look.language).title}"
        sentence = f"✗ {model.refusal_text(why)}"
        lines = wrapped(sentence, width)
        if (
            tail
            and len(lines) >= canvas.height
            and cell_len(lines[canvas.height - 1]) + cell_len(tail) + 3 > width
        ):
            tail = f"r: {why.clause}"
        for y, line in enumerate(lines[: canvas.height]):
            canvas.put(1, y, line, ACCENT)
        if tail:
            row = min(len(lines), canvas.height - 1)
            start = 3 if row == len(lines) else max(cell_len(lines[row]) + 4, 0)
            start = min(start, canvas.width - cell_len(tail) - 1)
            canvas.put(start, row, tail, QUIET, "rules")


@dataclass(frozen=True)
class ActionItem:
    """An action in the bar: its key, its name, and how prominent it is."""

    key: str
    label: str
    action: str
    able: bool = True
    main: bool = False


class ActionBar(ModelWidget):
    """The action bar: possible actions are bright, others dim. If it is too narrow, the last ones are dropped
    first."""

    items: tuple[ActionItem, ...] = ()

    def draw(self, canvas: Canvas) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, EDGE)
        items = list(self.items)
        while items and sum(_width(item) for item in items) - 1 > canvas.width:
            # Put help last, since it lists all other keys.
            del items[-2 if len(items) > 1 else -1]
        x = 0
        for item in items:
            style = BUTTON if item.main else READY if item.able else EDGE + ASLEEP
            key = style + Style(bold=True)
            # Brackets also mark the item for people who don't see colours.
            left, right = "[]" if item.main else "  " if item.able else "()"
            x = canvas.put(x, 0, left, style, item.action)
            x = canvas.put(x, 0, item.key, key if item.main or not item.able else key + BRASS, item.action)
            x = canvas.put(x, 0, f" {item.label}{right}", style, item.action) + 1


def _width(item: ActionItem) -> int:
    return cell_len(item.key) + cell_len(item.label) + 4
