"""A player in the browser who goes by the words on the page and uses clicks or keys."""

import json
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

_LONGEST_HAND: Final = 400
"""Turns of one person after which a hand is considered stuck."""
_LONGEST_WAIT: Final = 240
"""Timeout in seconds."""
SHORT: Final[dict[str, object]] = {
    "deck.decks": 1,
    "scoring.red_three_extra_from": 0,
    "hand_size": 15,
    "turn.draw": 5,
    "canastas_to_go_out": 5,
}
"""House rules under which a stock for two is gone after two or three turns, and nobody goes out first."""
FIVE_AT_ONCE: Final[dict[str, object]] = {"turn.draw": 5}
"""House rules under which a stock for four is gone after three turns."""


def wait_until(page: Page, what: Callable[[], bool]) -> None:
    for _ in range(_LONGEST_WAIT * 50):
        if what():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"waited in vain; the page says {page.title()!r}")


def resized(page: Page, size: tuple[int, int]) -> None:
    """Resize the window and wait until it has the new size; a busy machine takes a moment."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wait_until(page, lambda: page.evaluate("[innerWidth, innerHeight]") == list(size))


def is_no_wider(page: Page, width: int) -> None:
    """Check that nothing overflows the page once it has settled."""
    wait_until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= width)


class Person:
    """A person at a page. `table` is the last state that the server sent to it."""

    def __init__(self, page: Page, *, guided: bool = True) -> None:
        """If not `guided`, the page never offers its guide, and nobody presses Escape to close it."""
        self.page = page
        self._guided = guided
        if not guided:
            page.add_init_script("localStorage.setItem('canasta.guide', 'closed')")
        self.table: dict[str, Any] = {}
        self._changes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["t"] == "state":
            self.table = frame
            self._changes += bool(frame["events"])

    # -- joining ---------------------------------------------------------------------------------------------

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
        """Open a table by its address, as `canasta play --rules` does."""
        asked = {"rules": rules, "players": players, "bot": bot, "start": 1}
        self.page.goto(f"{url}/new?{urlencode({**asked, 'options': json.dumps(options or {})})}")
        self.look_at_the_cut()
        self.be_at_the_table()

    def look_at_the_cut(self) -> None:
        """Cut the cards in games where the players cut first."""
        deal = self.page.get_by_role("button", name="Deal the cards")
        expect(self.hand.or_(deal)).to_be_visible()
        if deal.count():
            deal.click()

    def be_at_the_table(self) -> None:
        expect(self.page).to_have_url(re.compile(r"/t/\w+"))
        expect(self.hand).to_be_visible()
        self.close_guide()

    def close_guide(self) -> None:
        if not self._guided:
            return
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("button", name="No, thanks")).to_have_count(0)

    # -- reading the page ------------------------------------------------------------------------------------

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("group", name="Your hand")

    @property
    def cards(self) -> Locator:
        return self.hand.get_by_role("button")

    @property
    def bar(self) -> Locator:
        return self.page.get_by_role("region", name="Your actions")

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
        """Return True if this person is to move, False if the hand is over and the score sheet is open."""
        self.wait_until(lambda: self.is_to_act or self.table.get("phase") == "over")
        if self.table["phase"] == "over":
            expect(self.sheet).to_be_visible()
            return False
        return True

    # -- playing ---------------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.bar.get_by_role("button", name=re.compile(name))

    def draw_and_discard(self) -> None:
        """Play the simplest possible turn."""
        before = self._changes
        self.button(r"^Draw").click()
        self.wait_until(lambda: self._changes > before)
        if not self.is_to_act:  # the last card of the stock ended the hand
            return
        if not self.table["you"]["can_discard"]:  # the last card of the stock was a red three
            self.pass_turn()
            return
        self.count_cards()
        self.cards.first.click(position={"x": 14, "y": 30})  # in a large hand the other cards cover the rest
        self.button(r"^Discard").click()
        self.wait_until(lambda: self._changes > before + 1)

    def count_cards(self) -> int:
        """Return the number of cards in hand, once the page shows all of them."""
        count = len(self.table["you"]["cards"])
        expect(self.cards).to_have_count(count)
        return count

    def pass_turn(self) -> None:
        before = self._changes
        self.button(r"^Pass").click()
        self.wait_until(lambda: self._changes > before)

    def follow_hint(self) -> None:
        """Do what the hint suggests, using its button."""
        self.button(r"^Hint").click()
        panel = self.page.get_by_role("region", name="Hint")
        panel.get_by_role("button", name=re.compile("^Do it")).first.click()
        expect(panel).to_be_hidden()

    def play_hand(self) -> int:
        """Follow the hints until the score sheet opens; return the number of moves."""
        for moves in range(_LONGEST_HAND):
            if not self.wait_for_turn():
                return moves
            self.act()
        raise AssertionError("the hand does not end")

    def play_out(self) -> None:
        """Play the simplest turns until the score sheet opens."""
        while self.wait_for_turn():
            if self.table["phase"] == "answer":
                self.act()
            elif "draw" in self.table["you"]["can"]:
                self.draw_and_discard()
            else:  # the stock is gone, and somebody still takes the pile
                self.pass_turn()

    def act(self) -> None:
        """Make one move by answering the partner or following the hint, and wait for its effect."""
        before = self._changes
        if self.table["phase"] == "answer":
            self.button(r"^Yes, go out").click()
        else:
            self.follow_hint()
        self.wait_until(lambda: self._changes > before)
