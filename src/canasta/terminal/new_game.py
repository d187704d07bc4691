"""The screen for choosing a game, shown if the program starts without one."""

from collections.abc import Callable
from typing import ClassVar, Final

from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import Screen

from canasta.bots import bot_names
from canasta.bots.levels import LADDER
from canasta.i18n import Facts
from canasta.i18n.voice import Voice, say
from canasta.rules import Ruleset, default_players, load_ruleset, player_numbers, preset_names
from canasta.rules.games import by_family, family_names
from canasta.rules.preset_files import players_text, title_of
from canasta.table.views import game_view
from canasta.terminal.canvas import Canvas, CanvasWidget, too_small, wrapped
from canasta.terminal.dialogs import help_dialog, rules_dialog
from canasta.terminal.theme import (
    ACCENT,
    ASLEEP,
    BRASS,
    BUTTON,
    CARD,
    EDGE,
    QUIET,
    READY,
    RED_CARD,
    TITLE,
    points_text,
)

Deal = Callable[[Ruleset, str], Screen[None]]
"""Opens the table for these rules and this level of computer players."""

_BESIDES: Final = 12
"""Number of lines in the form besides the games."""


class NewGame(CanvasWidget):
    """Games, players and level, chosen with arrow keys or the mouse."""

    def __init__(self, level: str, language: str) -> None:
        super().__init__(id="new_game")
        self._language = language
        self.families = by_family(preset_names())
        self.games = [load_ruleset(name) for members in self.families.values() for name in members]
        self.at = next((place for place, rules in enumerate(self.games) if rules.name == "caliente"), 0)
        self.players = default_players(self.game.name)
        self.levels = bot_names()
        self.level = self.levels.index(level)

    @property
    def game(self) -> Ruleset:
        return self.games[self.at]

    def rules(self) -> Ruleset:
        return load_ruleset(self.game.name, self.players)

    def choose_game(self, place: int) -> None:
        self.at = place % len(self.games)
        if self.players not in player_numbers(self.game.name):
            self.players = default_players(self.game.name)
        self.redraw()

    def more_players(self, step: int) -> None:
        numbers = list(player_numbers(self.game.name))
        self.players = numbers[(numbers.index(self.players) + step) % len(numbers)]
        self.redraw()

    def next_level(self, step: int = 1) -> None:
        self.level = (self.level + step) % len(self.levels)
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        sentence = too_small(canvas.width, canvas.height, self._language)
        for row, part in enumerate(wrapped(sentence, canvas.width - 2)):
            canvas.put(1, row, part, QUIET)
        if sentence:
            return
        left = max(2, canvas.width // 2 - 36)
        listed = self._listed()
        room = min(len(listed), canvas.height - _BESIDES)
        y = (canvas.height - room - _BESIDES) // 2
        for number, card in enumerate(("A♥", "7♠", "7♥", "Jo")):
            style = RED_CARD if "♥" in card else CARD
            canvas.fill(left + 50 + number * 5, y, 4, 2, style)
            canvas.put(left + 51 + number * 5, y, card, style)
        canvas.put(left, y, "C A N A S T A", BRASS)
        canvas.put(left, y + 1, self._say("new.which"), QUIET)
        y += 3
        self._draw_games(canvas, left, y, listed, room)
        y += room + 1
        x = canvas.put(left, y, self._say("new.players").ljust(9), QUIET)
        for number in player_numbers(self.game.name):
            x = self._draw_choice(
                canvas, x, y, str(number), f"players:{number}", chosen=number == self.players
            )
        y += 2
        x = canvas.put(left, y, self._say("new.others").ljust(9), QUIET)
        for place, name in enumerate(self.levels):
            x = self._draw_choice(canvas, x, y, name, f"level:{place}", chosen=place == self.level)
        level = self.levels[self.level]
        if level in LADDER:
            note = say(f"levels.{level}.note", lang=self._language)
            for row, part in enumerate(wrapped(note, canvas.width - left - 10), start=y + 1):
                canvas.put(left + 10, row, part, QUIET)
        y += 3
        x = canvas.put(left, y, f"[⏎ {self._say('bar.deal')}]", BUTTON, "deal") + 2
        for key, name in (("r", "rules"), ("?", "help"), ("q", "leave")):
            x = canvas.put(x, y, f" {key} {self._say(f'bar.{name}')} ", READY, name) + 2
        canvas.put(left, y + 2, self._say("new.keys"), ASLEEP)

    def _listed(self) -> list[int | str]:
        """Return the lines of the list: names of families, and indexes of their games."""
        lines: list[int | str] = []
        places = iter(range(len(self.games)))
        for family, members in self.families.items():
            lines += [family_names(family).get(self._language, family), *(next(places) for _ in members)]
        return lines

    def _draw_games(self, canvas: Canvas, left: int, y: int, listed: list[int | str], room: int) -> None:
        """Draw the part of the list around the chosen game that fits."""
        first = min(max(0, listed.index(self.at) - room // 2), len(listed) - room)
        for row, line in enumerate(listed[first : first + room], start=y):
            if isinstance(line, str):
                canvas.put(left, row, line, QUIET)
            else:
                self._draw_game(canvas, left, row, line)
        for more, row, mark in ((first, y, "▴"), (len(listed) - room - first, y + room - 1, "▾")):
            if more > 0:
                canvas.put(left + 72, row, mark, ACCENT)

    def _draw_game(self, canvas: Canvas, left: int, row: int, place: int) -> None:
        rules, zone = self.games[place], f"game:{place}"
        below = EDGE if place == self.at else Style()
        if place == self.at:
            canvas.fill(left - 1, row, 74, 1, EDGE, zone)
        canvas.put(left, row, "▸ " if place == self.at else "  ", below + ACCENT, zone)
        canvas.put(left + 2, row, title_of(rules, self._language).ljust(28), below + TITLE, zone)
        canvas.put(left + 31, row, self._facts(rules), below + QUIET, zone)

    def _say(self, key: str, facts: Facts | None = None) -> str:
        return say(f"screens.{key}", facts, self._language)

    def _draw_choice(self, canvas: Canvas, x: int, y: int, text: str, zone: str, *, chosen: bool) -> int:
        """Draw one option. The chosen one is in brackets, for people who don't see colours."""
        shown = f"[{text}]" if chosen else f" {text} "
        return canvas.put(x, y, shown, BUTTON if chosen else READY, zone) + 1

    def _facts(self, rules: Ruleset) -> str:
        players = players_text(rules.name)
        goal = (
            self._say("new.rounds", {"rounds": rules.match.rounds})
            if rules.match.rounds
            else self._say("new.target", {"text": points_text(rules.match.target)})
        )
        decks = self._say("new.decks", {"decks": rules.deck.decks})
        return self._say("new.count", {"text": players}).ljust(13) + f"{decks:<8} {goal}"


class NewGameScreen(Screen[None]):
    """A screen that chooses a game and deals it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "game(-1)", show=False, priority=True),
        Binding("down", "game(1)", show=False, priority=True),
        Binding("left", "players(-1)", show=False, priority=True),
        Binding("right", "players(1)", show=False, priority=True),
        Binding("tab", "level(1)", show=False, priority=True),
        Binding("shift+tab", "level(-1)", show=False, priority=True),
        Binding("enter,space", "deal", show=False),
        Binding("r", "rules", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, deal: Deal, level: str = "club", language: str = "en") -> None:
        super().__init__()
        self._deal = deal
        self._language = language
        self.form = NewGame(level, language)

    def compose(self) -> ComposeResult:
        yield self.form

    def action_game(self, step: int) -> None:
        self.form.choose_game(self.form.at + step)

    def action_players(self, step: int) -> None:
        self.form.more_players(step)

    def action_level(self, step: int) -> None:
        self.form.next_level(step)

    def action_deal(self) -> None:
        _ = self.app.switch_screen(self._deal(self.form.rules(), self.form.levels[self.form.level]))

    def action_rules(self) -> None:
        _ = self.app.push_screen(rules_dialog(game_view(self.form.rules()), lang=self._language))

    def action_help(self) -> None:
        _ = self.app.push_screen(help_dialog(Voice(self._language)))

    def action_leave(self) -> None:
        self.app.exit()

    def on_key(self, event: Key) -> None:
        if event.character is not None and event.character in "23456":
            numbers = player_numbers(self.form.game.name)
            if int(event.character) in numbers:
                self.form.players = int(event.character)
                self.form.redraw()

    def on_canvas_widget_pressed(self, event: CanvasWidget.Pressed) -> None:
        zone, _, name = event.zone.partition(":")
        match zone:
            case "game":
                self.form.choose_game(int(name))
            case "players":
                self.form.players = int(name)
                self.form.redraw()
            case "level":
                self.form.level = int(name)
                self.form.redraw()
            case "deal":
                self.action_deal()
            case "rules":
                self.action_rules()
            case "help":
                self.action_help()
            case "leave":
                self.action_leave()
