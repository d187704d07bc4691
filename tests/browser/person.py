"""Somebody who plays in the browser: by the words on the page, with clicks or with keys."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

_LONGEST_HAND: Final = 400
"""Turns of one person; a hand that lasts longer hangs."""


class Person:
    def __init__(self, page: Page) -> None:
        self.page = page

    # -- coming in -------------------------------------------------------------------------------------------

    def play_now(self, url: str) -> None:
        self.page.goto(url)
        self.page.get_by_role("button", name="Play now").click()
        self.be_at_the_table()

    def start(self, url: str, rules: str, players: int = 4, bot: str = "novice") -> None:
        """A table by its address, as `canasta play --rules` opens it."""
        self.page.goto(f"{url}/new?rules={rules}&players={players}&bot={bot}&start=1")
        self.be_at_the_table()

    def be_at_the_table(self) -> None:
        expect(self.page).to_have_url(re.compile(r"/t/\w+"))
        expect(self.hand).to_be_visible()
        self.close_guide()

    def close_guide(self) -> None:
        offer = self.page.get_by_role("button", name="No, thanks")
        if offer.count():
            offer.click()

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

    def wait_for_turn(self) -> bool:
        """True when this person is to move, False when the hand is over."""
        ready = self.bar.locator("button:enabled", has_text=re.compile("^(Hint|Yes, go out)"))
        expect(ready.or_(self.sheet).first).to_be_visible(timeout=60_000)
        return not self.sheet.is_visible()

    # -- playing ---------------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.bar.get_by_role("button", name=re.compile(name))

    def draw_and_discard(self) -> None:
        """The simplest turn there is."""
        before = self.cards.count()
        self.button(r"^Draw").click()
        expect(self.cards).not_to_have_count(before)
        self.cards.first.click()
        self.button(r"^Discard").click()

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

    def act(self) -> None:
        """One move: an answer to the partner, or what the hint says."""
        yes = self.button(r"^Yes, go out")
        if yes.count():
            yes.click()
            expect(yes).to_be_hidden()
        else:
            self.follow_hint()
