"""Somebody who plays in the browser: by the words on the page, with clicks or with keys."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, TimeoutError, expect  # noqa: A004 - Playwright's own

_LONGEST_HAND: Final = 400
"""Turns of one person; a hand that lasts longer hangs."""
_LONGEST_WAIT: Final = 240
"""Seconds."""
SHORT: Final[dict[str, object]] = {
    "deck.decks": 1,
    "scoring.red_three_extra_from": 0,
    "hand_size": 15,
    "turn.draw": 5,
    "canastas_to_go_out": 5,
}
"""House rules by which the stock for two is gone after two or three turns, and nobody is out before."""
FIVE_AT_ONCE: Final[dict[str, object]] = {"turn.draw": 5}
"""So the stock of four is gone after three turns."""


def wait_until(page: Page, what: Callable[[], bool]) -> None:
    for _ in range(_LONGEST_WAIT * 50):
        if what():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"waited in vain; the page says {page.title()!r}")


def resized(page: Page, size: tuple[int, int]) -> None:
    """Give the window another size, and wait until it has it: a busy machine takes a moment."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wait_until(page, lambda: page.evaluate("[innerWidth, innerHeight]") == list(size))


def is_no_wider(page: Page, width: int) -> None:
    """Nothing runs over the edge, once the page has come to rest."""
    wait_until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= width)


class Person:
    """`table` is the last state that the server sent to this page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.table: dict[str, Any] = {}
        self._changes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["t"] == "state":
            self.table = frame
            self._changes += bool(frame["events"])

    # -- coming in -------------------------------------------------------------------------------------------

    def play_now(self, url: str) -> None:
        self.page.goto(url)
        self.page.get_by_role("button", name="Play now").click()
        self.be_at_the_table()

    def start(
        self,
        url: str,
        rules: str,
        players: int = 4,
        bot: str = "novice",
        options: dict[str, object] | None = None,
    ) -> None:
        """A table by its address, as `canasta play --rules` opens it."""
        asked = {"rules": rules, "players": players, "bot": bot, "start": 1}
        self.page.goto(f"{url}/new?{urlencode({**asked, 'options': json.dumps(options or {})})}")
        self.look_at_the_cut()
        self.be_at_the_table()

    def look_at_the_cut(self) -> None:
        """In some games the players cut first."""
        deal = self.page.get_by_role("button", name="Deal the cards")
        expect(self.hand.or_(deal)).to_be_visible()
        if deal.count():
            deal.click()

    def be_at_the_table(self) -> None:
        expect(self.page).to_have_url(re.compile(r"/t/\w+"))
        expect(self.hand).to_be_visible()
        self.close_guide()

    def close_guide(self) -> None:
        offer = self.page.get_by_role("button", name="No, thanks")
        if offer.count():
            with suppress(TimeoutError):  # it goes by itself when the first turn is over
                offer.click(timeout=3_000)

    # -- what is to be seen ----------------------------------------------------------------------------------

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("group", name="Your hand")

    @property
    def cards(self) -> Locator:
        return self.hand.get_by_role("button")

    @property
    def bar(self) -> Locator:
        return self.page.get_by_role("region", name="What you can do")

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("region", name="Score sheet")

    @property
    def is_to_act(self) -> bool:
        you = self.table.get("you")
        return you is not None and you["turn"]

    def wait_until(self, what: Callable[[], bool]) -> None:
        wait_until(self.page, what)

    def wait_for_turn(self) -> bool:
        """True when this person is to move, False when the hand is over and the score sheet lies there."""
        self.wait_until(lambda: self.is_to_act or self.table.get("phase") == "over")
        if self.table["phase"] == "over":
            expect(self.sheet).to_be_visible()
            return False
        return True

    # -- playing ---------------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.bar.get_by_role("button", name=re.compile(name))

    def draw_and_discard(self) -> None:
        """The simplest turn there is."""
        before = self._changes
        self.button(r"^Draw").click()
        self.wait_until(lambda: self._changes > before)
        if not self.is_to_act:  # the last card of the stock ended the hand
            return
        expect(self.cards).to_have_count(len(self.table["you"]["cards"]))
        self.cards.first.click(position={"x": 14, "y": 30})  # of a large hand the others lie over the rest
        self.button(r"^Discard").click()
        self.wait_until(lambda: self._changes > before + 1)

    def pass_turn(self) -> None:
        before = self._changes
        self.button(r"^Pass").click()
        self.wait_until(lambda: self._changes > before)

    def follow_hint(self) -> None:
        """Does what the hint says, by its button."""
        self.button(r"^Hint").click()
        panel = self.page.get_by_role("region", name="Hint")
        panel.get_by_role("button", name=re.compile("^Do it")).first.click()
        expect(panel).to_be_hidden()

    def play_hand(self) -> int:
        """Follows the hints to the score sheet; how many moves that took."""
        for moves in range(_LONGEST_HAND):
            if not self.wait_for_turn():
                return moves
            self.act()
        raise AssertionError("the hand does not end")

    def play_out(self) -> None:
        """The simplest turns until the score sheet lies there."""
        while self.wait_for_turn():
            if self.table["phase"] == "answer":
                self.act()
            elif "draw" in self.table["you"]["can"]:
                self.draw_and_discard()
            else:  # the stock is gone, and somebody still takes the pile
                self.pass_turn()

    def act(self) -> None:
        """One move, an answer to the partner or what the hint says, and what it leads to."""
        before = self._changes
        if self.table["phase"] == "answer":
            self.button(r"^Yes, go out").click()
        else:
            self.follow_hint()
        self.wait_until(lambda: self._changes > before)
