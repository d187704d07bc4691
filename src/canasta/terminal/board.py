"""The screen of a table, and its upper part: players, melds, pile and log."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import MouseScrollDown, MouseScrollUp
from textual.screen import Screen
from textual.widgets import Static

from canasta.table.selection import RANKS, is_run, is_wild, rank_of_meld, run_ends
from canasta.table.wire import MeldView, PileView, SeatView, SideView
from canasta.terminal.canvas import Canvas, CanvasWidget, ModelWidget, fitted, too_small, wrapped
from canasta.terminal.dialogs import help_dialog, log_dialog, pile_dialog, rules_dialog, scores_dialog
from canasta.terminal.hand import ActionBar, HandView, NoticeLines, StagedLine
from canasta.terminal.local_table import LinkState
from canasta.terminal.model import TableModel
from canasta.terminal.theme import (
    ACCENT,
    ASLEEP,
    BACK,
    BAND,
    BRASS,
    CARD,
    CARD_EDGE,
    DULL_BAND,
    EDGE,
    FROZEN,
    ICE,
    QUIET,
    RED_CARD,
    TITLE,
    TextStyle,
    card_style,
    is_red,
    points_text,
    rank_name,
)

WIDTH: Final = 5
"""Width of a meld in cells. A meld is drawn as a column of cards, or as a stack with a brass band."""
PITCH: Final = WIDTH + 1
MOST_OPPONENTS: Final = 3


class TopLine(ModelWidget):
    """Game, hand, scores, and the state of the connection."""

    link: LinkState = "here"

    def draw(self, canvas: Canvas) -> None:
        canvas.fill(0, 0, canvas.width, 1, EDGE)
        welcome, state = self.model.welcome, self.model.state
        if welcome is None or state is None:
            canvas.put(1, 0, "Canasta", EDGE + BRASS)
            return
        right = self._scores()
        start = canvas.width - sum(cell_len(text) for text, _ in right) - 1
        game = welcome.game
        x = canvas.put(1, 0, game.titles.get(self.model.look.language, game.title), EDGE + BRASS)
        x = canvas.put(x, 0, fitted(self._goal(), start - x - 1), EDGE + QUIET)
        house = f" · {self.model.say('house_rules')}"
        if welcome.game.house_rules and x + cell_len(house) + 2 < start:
            x = canvas.put(x, 0, house, EDGE + QUIET, "rules")
        signs = {
            "lost": f" ✗ {self.model.say('link_lost')} ",
            "connecting": f" … {self.model.say('link_connecting')} ",
        }
        sign = signs.get(self.link, "")
        canvas.put(x + 1 if x + 1 + cell_len(sign) < start else 1, 0, sign, EDGE + ACCENT)
        for text, style in right:
            start = canvas.put(start, 0, text, EDGE + style, "scores")

    def _goal(self) -> str:
        assert self.model.welcome is not None
        assert self.model.state is not None
        game, hand = self.model.welcome.game, self.model.state.hand
        if not hand:
            return f" · {self.model.say('goal.players', {'players': game.players})}"
        if game.rounds:
            return f" · {self.model.say('goal.round', {'round': hand, 'rounds': game.rounds})}"
        return f" · {self.model.say('goal.target', {'count': hand, 'text': points_text(game.target)})}"

    def _scores(self) -> list[tuple[str, Style]]:
        assert self.model.state is not None
        pieces: list[tuple[str, Style]] = []
        if self.model.state.status == "waiting":
            return pieces
        order = sorted(range(len(self.model.state.sides)), key=lambda side: side != self.model.your_side)
        for side in order:
            scores = self.model.state.history
            score = scores[-1][side] if scores else self.model.state.sides[side].score
            pieces.append((("   " if pieces else "") + self.model.side_name(side) + " ", QUIET))
            pieces.append((points_text(score), TITLE))
        return pieces


class SeatsLine(ModelWidget):
    """The other players, in the order of play, with the cards they hold."""

    def draw(self, canvas: Canvas) -> None:
        state = self.model.state
        if state is None:
            return
        count = len(state.seats)
        first = self.model.your_seat
        others = [(first + step) % count for step in range(1, count)] if first >= 0 else list(range(count))
        chips = [self._chip(state.seats[seat], long=True) for seat in others]
        if sum(cell_len(_plain(chip)) + 3 for chip in chips) > canvas.width:
            chips = [self._chip(state.seats[seat], long=False) for seat in others]
        free = canvas.width - sum(cell_len(_plain(chip)) for chip in chips)
        gap = max(1, min(8, free // (len(chips) + 1)))
        x = gap
        for chip in chips:
            for text, style in chip:
                x = canvas.put(x, 0, text, style)
            x += gap

    def _chip(self, seat: SeatView, *, long: bool) -> list[tuple[str, Style]]:
        state, say = self.model.state, self.model.say
        assert state is not None
        turn = state.turn == seat.seat
        partner = self.model.your_seat >= 0 and seat.side == self.model.your_side
        name = fitted(self.model.voice.place(seat.name) or say("free_seat"), 18 if long else 10)
        pieces = [("▶ " if turn else "", ACCENT), (name, ACCENT if turn else TITLE)]
        if partner:
            pieces.append((f", {say('seat.partner')}", QUIET) if long else ("*", BRASS))
        if seat.sits_out:
            pieces.append((f" {say('seat.sits_out')}", ASLEEP))
        elif state.status != "waiting":
            few = BRASS if seat.cards <= 2 else TITLE
            pieces.append((f" {seat.cards}", few))
            if long:
                pieces.append((f" {say('seat.cards', {'count': seat.cards})}", QUIET))
            if seat.foot:
                pieces.append((f" {say('seat.foot')}" if long else say("seat.foot_sign"), QUIET))
            if seat.talon:
                talon = say("seat.talon" if long else "seat.talon_sign", {"count": seat.talon})
                pieces.append((f" {talon}" if long else talon, BRASS))
        if seat.who == "person" and not seat.connected:
            pieces.append((f" {say('seat.away')}", ASLEEP))
        signs = (" ✓" if seat.account else "") + (" ≈" if seat.same_address else "")
        pieces.append((signs, QUIET))
        if seat.joins:
            pieces.append((f" → {fitted(seat.joins, 12 if long else 6)}", QUIET))
        if long and state.dealer == seat.seat:
            pieces.append((f" · {say('seat.dealer')}", QUIET))
        return pieces


def _plain(chip: list[tuple[str, Style]]) -> str:
    return "".join(text for text, _ in chip)


class MeldsPanel(ModelWidget):
    """The melds of one side as columns."""

    def __init__(self, model: TableModel, side: int, *, id: str | None = None, classes: str = "") -> None:  # noqa: A002 - as above
        super().__init__(model, id=id, classes=classes)
        self.side = side
        self.first = 0
        """Index of the leftmost visible meld."""

    def _view(self) -> SideView | None:
        state = self.model.state
        return state.sides[self.side] if state is not None and self.side < len(state.sides) else None

    def draw(self, canvas: Canvas) -> None:
        side = self._view()
        if side is None:
            return
        room = max(1, (canvas.width - 1) // PITCH)
        melds = in_table_order(side.melds)
        self.first = max(0, min(self.first, len(melds) - room))
        shown = melds[self.first : self.first + room]
        self._draw_title(canvas, side, before=self.first, after=len(melds) - self.first - len(shown))
        own = self.side == self.model.your_side
        packed = any(not meld.canasta and len(meld.cards) + 1 >= canvas.height for meld in melds)
        for number, meld in enumerate(shown):
            zone = f"meld:{meld.name}" if own else ""
            draw_meld(canvas, 1 + number * PITCH, meld, self.model, packed=packed, zone=zone)
        if not melds:
            canvas.put(2, 1, self.model.say("melds.none"), ASLEEP)

    def _draw_title(self, canvas: Canvas, side: SideView, *, before: int, after: int) -> None:
        say = self.model.say
        canvas.put(0, 0, "─" * canvas.width, ASLEEP)
        x = canvas.put(1, 0, f" {fitted(self.model.side_name(self.side), canvas.width // 2)} ", TITLE)
        if side.melds or side.bonus:
            x = canvas.put(x, 0, f"· {say('melds.worth', {'text': points_text(side.points_now)})} ", QUIET)
        own = self.side == self.model.your_side and self.model.your_seat >= 0
        if own and self.model.own_foot():
            x = canvas.put(x, 0, f"· {say('melds.foot')} ", BRASS)
        if not side.opened and side.minimum:
            x = canvas.put(x, 0, "· ", QUIET)
            pure = self.model.welcome is not None and self.model.welcome.game.pure_meld
            first = say("melds.first_pure" if pure else "melds.first", {"needed": side.minimum})
            x = canvas.put(x, 0, f"{first} ", BRASS)
        for card in side.bonus[:6]:
            x = canvas.put(x, 0, self.model.look.card(card), card_style(card))
            x = canvas.put(x, 0, " ")
        if len(side.bonus) > 6:
            x = canvas.put(x, 0, f"+{len(side.bonus) - 6} ", QUIET)
        if side.caliente_played:
            x = canvas.put(x, 0, f"Caliente ×{side.caliente_played} ", ACCENT)
        for code, rows in (("melds.closed", side.closed), ("melds.unfinished", side.unfinished)):
            if rows:
                named = " ".join(rank_name(row) for row in rows)
                x = canvas.put(x, 0, f"· {say(code, {'text': named})} ", ASLEEP + QUIET)
        right = canvas.width
        if after > 0:
            text = f" {say('melds.more', {'count': after})} ▶ "
            right -= cell_len(text)
            canvas.put(right, 0, text, ACCENT, "right")
        if before > 0:
            text = f" ◀ {say('melds.more', {'count': before})} "
            right -= cell_len(text)
            canvas.put(right, 0, text, ACCENT, "left")
        self._draw_progress(canvas, x, right)

    def _draw_progress(self, canvas: Canvas, x: int, right: int) -> None:
        """Draw the side's remaining requirements for going out, abbreviated to fit."""
        needed = self.model.needed(self.side)
        if not needed or self.model.state is None or self.model.state.status == "waiting":
            return
        if all(each.have >= each.needed for each in needed):
            texts = [f"· {self.model.voice.say('scores.enough')} ", "· ✓ "]
        else:
            say = self.model.say
            counts = [
                (say(f"needs.{each.kind}"), f"{min(each.have, each.needed)}/{each.needed}") for each in needed
            ]
            words = [f"{kind} {count}" for kind, count in counts]
            letters = " ".join(f"{kind[0].lower()}{count}" for kind, count in counts)
            texts = [
                f"· {say('melds.to_go_out', {'text': ', '.join(words)})} ",
                f"· {say('melds.out', {'text': ' '.join(words)})} ",
                f"· {say('melds.out_short', {'text': letters})} ",
            ]
        for text in texts:
            if x + cell_len(text) <= right:
                canvas.put(x, 0, text, QUIET)
                return

    def scroll_melds(self, step: int) -> None:
        self.first = max(0, self.first + step)
        self.redraw()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.scroll_melds(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.scroll_melds(-1)

    def on_canvas_widget_pressed(self, event: CanvasWidget.Pressed) -> None:
        if event.zone in ("left", "right"):
            event.stop()
            self.scroll_melds(4 if event.zone == "right" else -4)


# -- melds --------------------------------------------------------------------------------------------------


def in_table_order(melds: Sequence[MeldView]) -> list[MeldView]:
    """Return the melds in display order: sequences first, then sets from low to high, wild cards and black
    threes.

    Sequences stay in the order laid.
    """

    def place(meld: MeldView) -> tuple[int, int]:
        if is_run(meld):
            return (0, 0)
        rank = rank_of_meld(meld)
        return (1, RANKS.index(rank) if rank in RANKS else len(RANKS))

    return sorted(melds, key=place)


def draw_meld(canvas: Canvas, x: int, meld: MeldView, model: TableModel, *, packed: bool, zone: str) -> None:
    """Draw a meld from the second line of the canvas down: card by card, or compactly if `packed`."""
    if meld.canasta:
        _draw_canasta(canvas, x, meld, model, zone)
    elif packed:
        _draw_packed(canvas, x, meld, model.look, zone)
    else:
        _line(canvas, x, 1, _head(meld), CARD, zone)
        for row, card in enumerate(_natural_first(meld)):
            stands = f"={rank_name(meld.stands_for[0])}" if row == meld.wild else ""
            text = f"{'' if stands else ' '}{model.look.card(card)}{stands}"
            _line(canvas, x, row + 2, text, card_style(card), zone)


def _head(meld: MeldView) -> str:
    """Return the rank and number of cards of a meld, or the two ends of a sequence, in at most five cells."""
    if is_run(meld):
        low, high = run_ends(meld)
        head = f"{rank_name(low[0])}–{rank_name(high[0])}"
    else:
        name = rank_name(rank_of_meld(meld))
        head = f"{name} ×{len(meld.cards)}" if len(name) == 1 else f"{name}×{len(meld.cards)}"
    return head if len(head) == WIDTH else f" {head}"


def _line(canvas: Canvas, x: int, y: int, text: str, style: Style, zone: str) -> None:
    canvas.put(x, y, text[:WIDTH].ljust(WIDTH), style, zone)


def _natural_first(meld: MeldView) -> list[str]:
    """Return the cards of a set with its wild cards last, or those of a sequence in their own order."""
    return list(meld.cards) if is_run(meld) else sorted(meld.cards, key=is_wild)


def _draw_packed(canvas: Canvas, x: int, meld: MeldView, look: TextStyle, zone: str) -> None:
    """Draw the rank with the number of cards, and the suits below, three to a line."""
    _line(canvas, x, 1, _head(meld), CARD, zone)
    cards = _natural_first(meld)
    for row in range((len(cards) + 2) // 3):
        _line(canvas, x, 2 + row, "", CARD, zone)
        for column, card in enumerate(cards[row * 3 : row * 3 + 3]):
            canvas.put(x + 1 + column, 2 + row, _sign(card, look), card_style(card), zone)


def _sign(card: str, look: TextStyle) -> str:
    """Return one character for a card of a meld: its suit, or its kind of wild card."""
    if is_wild(card):
        return "W" if card == "Jo" else "2"
    return look.suit(card)


def _draw_canasta(canvas: Canvas, x: int, meld: MeldView, model: TableModel, zone: str) -> None:
    """Draw a stack with a brass band: a red card on top of a natural canasta, a black card on a mixed one."""
    cards = _natural_first(meld)
    wants_red = meld.canasta == "natural"
    if is_run(meld):
        top, style = _head(meld), CARD
    elif meld.canasta == "wild":
        top, style = "  W", CARD
    else:
        shown = next((card for card in cards if is_red(card) == wants_red and not is_wild(card)), cards[0])
        top, style = f" {model.look.card(shown)}", RED_CARD if wants_red else CARD
    rows = 5 if canvas.height > 7 else 3
    for row in range(rows):
        _line(canvas, x, 1 + row, "", CARD, zone)
    _line(canvas, x, 1, top, style, zone)
    band = BAND if meld.grade != "dirty" else DULL_BAND
    _line(canvas, x, 1 + rows // 2, model.say(f"band.{meld.grade or meld.canasta}").center(WIDTH), band, zone)
    if meld.wild >= 0 and rows > 3:
        wild = model.look.card(meld.cards[meld.wild])
        _line(canvas, x, rows - 1, f"{wild}={rank_name(meld.stands_for[0])}", CARD, zone)
    _line(canvas, x, rows, f" ×{len(cards)}", CARD, zone)


# -- stock, pile and log ------------------------------------------------------------------------------------


class PileAndLogPanel(ModelWidget):
    """The stock and the pile, next to the last lines of the log or the cards of the pile."""

    show_log = True

    def draw(self, canvas: Canvas) -> None:
        state = self.model.state
        if state is None or state.pile is None:
            return
        height = min(canvas.height, 5)
        canvas.fill(1, 0, 8, height, BACK, "stock")
        canvas.put(2, 0, self.model.say("stock"), BACK, "stock")
        canvas.put(2, height // 2, f"{state.stock:>4} ", BACK + Style(bold=True), "stock")
        floor = self.model.welcome.game.stock_floor if self.model.welcome is not None else 0
        if floor and state.stock:
            canvas.put(2, height - 1, self.model.say("stock_floor", {"count": floor}), BACK, "stock")
        self._draw_pile(canvas, state.pile, height)
        if self.show_log:
            draw_log(canvas, 31, canvas.width - 32, self.model)
        else:
            self._draw_inside(canvas, state.pile)

    def _draw_pile(self, canvas: Canvas, pile: PileView, height: int) -> None:
        x, say = 11, self.model.say
        if not pile.cards:
            canvas.fill(x, 0, 8, height, EDGE, "pile")
            canvas.put(x + 1, height // 2, say("stock_empty"), EDGE + ASLEEP, "pile")
        else:
            top = pile.cards[-1]
            style = card_style(top) if top else BACK
            canvas.fill(x, 0, 8, height, style, "pile")
            if top:
                canvas.put(x + 1, 0, self.model.look.card(top), style, "pile")
                suit = self.model.look.suit(top)
                canvas.put(x + 6 - len(suit), height - 1, suit, style, "pile")
            for line in range(height):
                canvas.put(x + 7, line, "▏" if len(pile.cards) == 1 else "▎", CARD_EDGE, "pile")
            if pile.frozen:
                canvas.put(x, height // 2, say("frozen").center(8), ICE, "pile")
        canvas.put(x + 9, 0, say("pile"), TITLE, "inside")
        canvas.put(x + 9, 1, say("pile_cards", {"count": len(pile.cards)}), QUIET, "inside")
        if pile.stopped:
            canvas.put(x + 9, 2, say("stopped"), FROZEN, "inside")
        elif self.model.state is not None and self.model.state.pots:
            canvas.put(x + 9, 2, say("pots", {"count": len(self.model.state.pots)}), QUIET)

    def _draw_inside(self, canvas: Canvas, pile: PileView) -> None:
        """Draw the visible cards below the top card, newest first, as many as fit."""
        below = [card for card in pile.cards[-2::-1] if card]
        x, y = 32, 0
        if not below:
            return
        canvas.put(x, y, self.model.say("under"), QUIET, "inside")
        y += 1
        for card in below:
            text = f" {self.model.look.card(card)} "
            if x + cell_len(text) > canvas.width - 2:
                x, y = 32, y + 1
            if y >= canvas.height:
                return
            x = canvas.put(x, y, text, card_style(card), "inside") + 1


def draw_log(canvas: Canvas, x: int, width: int, model: TableModel) -> None:
    """Draw the newest lines of the log at the bottom, as many as fit."""
    lines: list[tuple[str, Style]] = []
    for number, entry in enumerate(reversed(model.log)):
        style = TITLE if number == 0 else QUIET
        lines[:0] = [
            (line if not row else f"  {line}", style)
            for row, line in enumerate(wrapped(entry.sentence(), max(10, width - 2)))
        ]
        if len(lines) >= canvas.height:
            break
    for y, (line, style) in enumerate(lines[-canvas.height :]):
        canvas.put(x, y, line, style, "log")


class LogPanel(ModelWidget):
    """The log next to the table, if there is room."""

    def draw(self, canvas: Canvas) -> None:
        for y in range(canvas.height):
            canvas.put(0, y, "│", ASLEEP)
        draw_log(canvas, 2, canvas.width - 3, self.model)


# -- the screen ----------------------------------------------------------------------------------------------


class BoardScreen(Screen[None]):
    """The layout of a table's parts; the model has their contents."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "read('rules')", show=False),
        Binding("i", "read('pile')", show=False),
        Binding("s", "read('scores')", show=False),
        Binding("w", "read('log')", show=False),
        Binding("left_square_bracket", "melds('ours',-1)", show=False),
        Binding("right_square_bracket", "melds('ours',1)", show=False),
        Binding("left_curly_bracket", "melds('theirs',-1)", show=False),
        Binding("right_curly_bracket", "melds('theirs',1)", show=False),
    ]

    def __init__(self, look: TextStyle) -> None:
        super().__init__()
        self.model = TableModel(look)

    def compose(self) -> ComposeResult:
        yield TopLine(self.model, id="top")
        with Horizontal(id="body"):
            with Vertical(id="table"):
                yield SeatsLine(self.model, id="seats")
                with Horizontal(id="theirs"):
                    for _ in range(MOST_OPPONENTS):
                        yield MeldsPanel(self.model, -1, classes="their")
                yield PileAndLogPanel(self.model, id="middle")
                yield MeldsPanel(self.model, 0, id="ours")
            yield LogPanel(self.model, id="log")
        yield StagedLine(self.model, id="staged")
        yield NoticeLines(self.model, id="notice")
        yield HandView(self.model, id="hand")
        yield ActionBar(self.model, id="actions")
        yield Static(id="too_small", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.set_class(width >= 116, "wide")
        self.set_class(height >= 34, "tall")
        self.set_class(height >= 44 and width >= 140, "huge")
        self.set_class(height < 22, "low")
        sentence = too_small(width, height, self.model.look.language)
        self.set_class(bool(sentence), "small")
        self.query_one("#too_small", Static).update(f"{sentence} {self.model.say('small_waits')}")
        self.query_one(PileAndLogPanel).show_log = width < 116
        self.call_after_refresh(self.show_all)

    def show_all(self) -> None:
        """Redraw everything."""
        if not self.has_parts:
            return
        state = self.model.state
        if state is not None:
            others = [side for side in range(len(state.sides)) if side != self.model.your_side]
            for number, panel in enumerate(self.query(".their").results(MeldsPanel)):
                panel.side = others[number] if number < len(others) else -1
                panel.display = number < len(others)
            self.query_one("#ours", MeldsPanel).side = self.model.your_side
        for widget in self.query(ModelWidget):
            widget.redraw()

    @property
    def has_parts(self) -> bool:
        """Whether the parts of the screen exist: not before the first drawing, nor while the screen
        closes.
        """
        return self.display and bool(self.query("#ours"))

    def action_melds(self, whose: str, step: int) -> None:
        if whose == "ours":
            self.query_one("#ours", MeldsPanel).scroll_melds(step)
        else:
            for panel in self.query(".their").results(MeldsPanel):
                panel.scroll_melds(step)

    def action_read(self, what: str) -> None:
        """Open a dialog by its name."""
        welcome = self.model.welcome
        if what == "help":
            _ = self.app.push_screen(help_dialog(self.model.voice))
        elif welcome is None or self.model.state is None:
            return
        elif what == "rules":
            clause = self.model.refusal.clause if self.model.refusal is not None else ""
            _ = self.app.push_screen(rules_dialog(welcome.game, clause, self.model.look.language))
        elif what == "log":
            _ = self.app.push_screen(log_dialog(self.model))
        elif what == "pile":
            _ = self.app.push_screen(pile_dialog(self.model))
        elif what == "scores":
            _ = self.app.push_screen(scores_dialog(self.model))
