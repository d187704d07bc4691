"""A table with prepared cards, on which the real page is tested.

The page is connected to a table in this process instead of a server. A person is on seat 0.
"""

import re

import msgspec
from browser.person import Person
from playwright.sync_api import Page, WebSocketRoute, expect
from terminal.person import hosted

from canasta.scenarios.positions import after_moves, match_from_position
from canasta.table.frames import encode_frame
from canasta.table.next_action import Turn
from canasta.table.wire_commands import AnyCommand

_read = msgspec.json.Decoder(AnyCommand).decode


class SetTable(Person):
    """A person at a table in a given position, such as `{rules: burraco, hands: {0: 5h 6h}, …}`."""

    def __init__(self, page: Page, position: str) -> None:
        super().__init__(page)
        self.set(position)
        self.made: list[str] = []
        """Moves that the page has sent."""
        page.route_web_socket(re.compile("/ws/"), self._serve)

    def set(self, position: str) -> None:
        """Set up other cards; anyone who joins next finds them there."""
        self.host = hosted(after_moves(*match_from_position(position)))

    def come(self, url: str) -> None:
        self.page.add_init_script("localStorage.setItem('canasta.guide', 'closed')")
        self.page.goto(f"{url}/t/set")
        expect(self.page.locator("[data-place=hand]")).to_be_visible()

    def _serve(self, socket: WebSocketRoute) -> None:
        def answer(text: str | bytes) -> None:
            command = _read(text)
            if command.__struct_config__.tag == "move":
                self.made.append(getattr(command, "move", ""))
            socket.send(encode_frame(self.host.handle(command)))
            self._others_play()

        def show(text: str) -> None:
            self._receive(text)
            socket.send(text)

        self.host.on_change = lambda frame, _: show(encode_frame(frame))
        socket.on_message(answer)
        socket.send(encode_frame(self.host.welcome()))
        show(encode_frame(self.host.frame([])))
        self._others_play()

    def _others_play(self) -> None:
        while isinstance(due := self.host.due(), Turn) and due.level:
            self.host.play(due, self.host.choose(due))

    # -- the hand --------------------------------------------------------------------------------------------

    def choose(self, *cards: str) -> None:
        """Click on these cards of the hand."""
        for card in cards:
            self.page.locator(f"[data-place=hand] [data-card='{card}'][aria-pressed=false]").first.click(
                position={"x": 26, "y": 50}
            )
