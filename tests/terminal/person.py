"""A player at the terminal's table who presses keys and clicks, as a person would."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

from services import PATIENCE
from textual.pilot import Pilot

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.moves.types import Add, Answer, Discard, LayBonus, Meld, Move, Special, Take
from canasta.i18n.catalogue import MELD
from canasta.notation.cards import format_card
from canasta.rules import load_ruleset
from canasta.table.log import BotSeated
from canasta.table.seats import Person as Sitter
from canasta.table.selection import rank_of, run_ends
from canasta.table.views import melds_after
from canasta.table.wire import EventView, TableState
from canasta.terminal.canvas import CanvasWidget
from canasta.terminal.dialogs import Chooser, TextDialog
from canasta.terminal.hand import HandView
from canasta.terminal.local_table import YOU, Host, LocalTable, new_table
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

KEYS: Final = {"T": "0", "Jo": "W", "3b": "3", "Ca": "C"}
"""The keys of ranks whose key isn't the rank itself."""
_MOST_WAITS: Final = 30_000


def screen_text(app: TerminalTable) -> str:
    """Return the text on the screen, without colours."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


async def until(pilot: "Pilot[None]", holds: Callable[[], bool]) -> None:
    """Let the program run until `holds` returns true."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await pilot.pause(0.01)


def hosted(match: Match, level: str = "novice") -> Host:
    """Return a host for this match in its current state, with a person on seat 0."""
    host = Host(new_table(match.rules, level, match.seed))
    table = host.table
    others = [BotSeated(seat=seat, level=level) for seat in range(1, len(table.chairs))]
    table.apply([Sitter(YOU, "").sits(0), *others])
    table.match = match
    table.dealt_to = [chair.player for chair in table.chairs]
    host._seat_bots()
    host._unseen = [EventView(what="dealt", seat=match.dealer, count=match.hand_number)]
    return host


class Person:
    """A person who plays seat 0 at a local table."""

    def __init__(
        self,
        preset: str,
        *,
        players: int = 4,
        seed: str = "tuesday",
        mouse: bool = False,
        letters: bool = False,
        options: dict[str, object] | None = None,
    ) -> None:
        self.match = Match.new(load_ruleset(preset, players, options), seed)
        self.source = LocalTable(hosted(self.match), pace=0)
        self.screen = TableScreen(self.source, TextStyle(letters))
        self.app = TerminalTable(self.screen)
        self.brain = get_bot("casual")
        self.mouse = mouse
        self.pilot: Pilot[None]

    @property
    def state(self) -> TableState:
        assert self.screen.model.state is not None
        return self.screen.model.state

    async def until(self, holds: Callable[[], bool]) -> None:
        """Let the table run until `holds` returns true."""
        for _ in range(_MOST_WAITS):
            if holds():
                return
            await asyncio.sleep(0.004)
        raise AssertionError(f"the table hangs:\n{screen_text(self.app)}")

    async def until_asked(self) -> None:
        """Wait until it is this person's turn or the hand is over."""
        model = self.screen.model
        await self.until(lambda: model.state is not None and (model.is_your_turn or self.match.hand.over))

    async def play_hand(self) -> int:
        """Play until the score sheet opens; return the number of moves made."""
        moves = 0
        await self.until_asked()
        while not self.match.hand.over:
            move = self.brain.choose(self.match.hand.view(0))
            before = self.state.state
            await self._make(move)
            await self.until(lambda: self.state.state > before and not self.screen.actions.busy)  # noqa: B023 - awaited here
            moves += 1
            await self.until_asked()
        await self.until(lambda: isinstance(self.app.screen, TextDialog))
        return moves

    # -- one move -------------------------------------------------------------------------------------------

    async def _make(self, move: Move) -> None:
        match move:
            case Discard():
                await self._choose([format_card(move.card)])
                await self._do("d", "do:discard")
            case Add():
                await self._choose([format_card(card) for card in move.cards])
                await self._do("m", f"meld:{move.to!s}")
                await self._pick(f"to {self._called(str(move.to))} ")
                await self._pick_way(move)
            case Meld():
                for group in move.melds:
                    cards = [format_card(card) for card in group]
                    await self._choose(cards)
                    await self._do("m", "do:meld")
                    await self._pick("meld ")
                await self._pick_way(move)
            case Take(onto=None):
                groups = [move.cards, *move.melds]
                await self._choose([format_card(card) for group in groups for card in group])
                await self._do("t", "pile")
                await self._pick(" with ")
            case Take():
                assert move.onto is not None
                await self._do("t", "pile")
                await self._pick(f"onto {self._called(str(move.onto))} ")
            case Answer():
                await self._do("y" if move.yes else "n", f"do:{move!s}")
            case _:
                text = str(move)
                text = text.partition(" ")[0] if isinstance(move, (LayBonus, Special)) else text
                keys = {
                    "lay": "l",
                    "special": "v",
                    "draw": "d",
                    "pass": "p",
                    "keep": "k",
                    "caliente": "c",
                    "ask": "g",
                    "undo": "u",
                }
                await self._do(keys[text], "stock" if text == "draw" else f"do:{text}")

    async def _choose(self, cards: list[str]) -> None:
        """Select these cards of the hand; a rank alone means any card of that rank."""
        model = self.screen.model
        wanted = Counter(cards)
        for card, count in wanted.items():
            for _ in range(count):
                place = next(
                    place
                    for place, held in enumerate(model.hand)
                    if place not in model.chosen and (held == card or rank_of(held) == card)
                )
                if self.mouse:
                    await self._click_card(place)
                elif card == rank_of(model.hand[place]):
                    await self.pilot.press(KEYS.get(card, card))
                else:
                    await self.pilot.press(*["right"] * ((place - model.cursor) % len(model.hand)), "space")

    async def _click_card(self, place: int) -> None:
        hand = self.screen.query_one(HandView)
        lay = hand.layout_of()
        row, column = divmod(place, lay.per_row)
        assert await self.pilot.click(HandView, offset=(2 + column * lay.pitch, 1 + row * (lay.tall + 1)))

    async def _do(self, key: str, zone: str) -> None:
        if not self.mouse or not await self._click_zone(zone):
            await self.pilot.press(key)
        await self.until(lambda: not self.screen.actions.busy or isinstance(self.app.screen, Chooser))

    async def _click_zone(self, zone: str) -> bool:
        """Click this zone if it can be clicked; return False if it isn't visible."""
        for widget in self.screen.query(CanvasWidget):
            if not widget.display or not widget.size.area:
                continue
            canvas = widget.canvas()
            for y in range(canvas.height):
                for x in range(canvas.width):
                    if canvas.zone_at(x, y) == zone:
                        return await self.pilot.click(widget, offset=(x, y))
        return False

    def _called(self, meld: str) -> str:
        """Return a meld's name as the table shows it."""
        lies = next((one for one in self.screen.model.own_melds() if one.name == meld), None)
        if lies is not None and meld.startswith("run") and self.screen.model.natural_threes:
            return "–".join(self.screen.model.look.card(card) for card in run_ends(lies))
        return self.screen.model.voice.fact(MELD, meld)

    async def _pick(self, words: str) -> None:
        """If the table asks which option was meant, answer it."""
        chooser = self.app.screen
        if isinstance(chooser, Chooser) and chooser._heading != self.screen.model.say("title.end"):
            place = next(place for place, choice in enumerate(chooser.choices) if words in f"{choice.label} ")
            await self._answer(place)

    async def _pick_way(self, move: Move) -> None:
        """If the table asks how a sequence should be arranged, answer it."""
        chooser = self.app.screen
        if isinstance(chooser, Chooser):
            (meld,) = melds_after(self.match.try_move(move))
            lies = self.screen.model.look.cards(meld.cards)
            await self._answer([choice.label for choice in chooser.choices].index(lies))

    async def _answer(self, place: int) -> None:
        chooser = self.app.screen
        await self.pilot.press(str(place + 1))
        await self.until(
            lambda: not self.screen.actions.busy or self.app.screen not in (chooser, self.screen)
        )
