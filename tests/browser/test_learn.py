"""Lessons in the browser: the first and last step of each, on desktop and phone, and one by keys alone."""

import json
import re

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import Person, resized
from browser.test_access import findings, findings_in_every_look
from browser.test_layout import faults
from playwright.sync_api import Page, WebSocketRoute, expect

from canasta.lessons import lessons

SMALL = (360, 640), (844, 390)


class Learner(Person):
    """A learner who makes a lesson's own moves over the page's connection."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._server: WebSocketRoute | None = None
        self._number = 0
        page.route_web_socket(re.compile("/ws/"), self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        self._server = server = socket.connect_to_server()

        def show(text: str | bytes) -> None:
            self._receive(text)
            socket.send(text)

        server.on_message(show)
        socket.on_message(server.send)

    def come(self, server: Server, lesson: str, step: int) -> None:
        # A change of the fragment alone wouldn't reload the page.
        self.page.goto("about:blank")
        self.table = {}
        self.page.goto(f"{server.url}/learn/{lesson}#{step}")
        expect(self.page.locator("[data-place=hand], [data-place=stock]").first).to_be_visible()
        self.wait_for_thing(f"lesson:{lesson}:{step}")

    def wait_for_thing(self, thing: str) -> None:
        self.wait_until(lambda: (self.table.get("practice") or {}).get("thing") == thing)

    def make(self, *moves: str) -> None:
        for move in moves:
            self._number += 1
            before = self.table["state"]
            assert self._server is not None
            order = {"t": "move", "id": f"own{self._number}", "state": before, "move": move}
            self._server.send(json.dumps(order))
            self._wait_for_more_than(before)

    def _wait_for_more_than(self, state: int) -> None:
        self.wait_until(lambda: self.table["state"] > state)

    def step(self, server: Server, lesson: str, number: int) -> None:
        """Open a step, do what it asks for, and continue."""
        step = lessons()[lesson].step[number - 1]
        self.come(server, lesson, number)
        if step.goals:
            expect(self.page.get_by_role("button", name="Next")).to_have_count(0)
            if step.turns:
                self.make(*step.solution)
            else:
                self.play_hand()
            expect(self.page.locator(".told .good")).to_be_visible()
        last = number == len(lessons()[lesson].step)
        self.page.get_by_role("button", name="Finish" if last else "Next", exact=True).click()


@pytest.mark.parametrize(
    ("chosen", "size"),
    [
        pytest.param(["aim", "pots"], DESKTOP, id="some"),
        pytest.param(list(lessons()), DESKTOP, id="all", marks=pytest.mark.long),
        pytest.param(list(lessons()), PHONE, id="all on a phone", marks=pytest.mark.long),
    ],
)
def test_the_first_and_the_last_step(
    server: Server, new_page: NewPage, chosen: list[str], size: tuple[int, int]
) -> None:
    me = Learner(new_page(size))
    for lesson in chosen:
        count = len(lessons()[lesson].step)
        me.step(server, lesson, 1)
        expect(me.page.locator(".told small")).to_have_text(f"2/{count}")
        me.step(server, lesson, count)
        expect(me.page.locator(".told .say")).to_contain_text("Lesson done.")
    me.page.get_by_role("link", name="All lessons").first.click()
    expect(me.page.get_by_text(f"{len(chosen)} of 15 done")).to_be_visible()
    expect(me.page.locator(".mark.done")).to_have_count(len(chosen))
    assert findings(me.page) == []
    if len(chosen) == len(lessons()):
        assert findings_in_every_look(me.page) == []
        me.page.get_by_role("button", name="Play your first game").click()
        expect(me.page).to_have_url(re.compile(r"/t/\w+"))


def test_a_lesson_on_a_phone(server: Server, new_page: NewPage) -> None:
    """Includes a wrong move, help, and another try."""
    me = Learner(new_page(PHONE))
    me.page.goto(f"{server.url}/learn")
    me.page.get_by_role("link", name=re.compile("^. ?Frozen|Frozen")).click()
    me.page.get_by_role("button", name="Next").tap()
    # The buttons move while the table is being laid out, and a tap would miss.
    me.wait_for_thing("lesson:frozen:2")
    me.page.get_by_role("button", name="What do I do?").tap()
    expect(me.page.locator(".told .hint")).to_contain_text("can’t use the joker")
    assert findings(me.page) == []
    assert faults(me.page, SMALL) == []
    resized(me.page, PHONE)
    me.make("draw", "discard 4")
    expect(me.page.locator(".told .bad")).to_contain_text("Not quite. Try again.")
    me.page.get_by_role("button", name="Try again").tap()
    expect(me.page.locator(".told .bad")).to_have_count(0)
    me.button("^Take").tap()
    expect(me.page.locator(".told .good")).to_be_visible()
    assert findings(me.page) == []


def test_a_lesson_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.url}/learn")
    expect(page.get_by_role("link", name="Start", exact=True)).to_be_visible()
    page.get_by_role("link", name="Start", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/learn/aim"))
    expect(page.get_by_role("button", name="Next")).to_be_enabled()
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told small")).to_have_text("2/4")
    # The button appears as soon as this step's cards do.
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_enabled()
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".told small")).to_have_text("3/4")
    expect(again).to_be_enabled()
    expect(page.locator("[data-place=hand] button").first).to_be_focused()
    page.keyboard.press(" ")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Finish")).to_be_visible()


def test_no_such_lesson(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.url}/learn/nope")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-place=hand]")).to_have_count(0)
