"""A newcomer's first hand: the guide offer, hints during play, leaving the guide, and the score sheet."""

import re
from typing import Final

import pytest
from browser.conftest import DESKTOP, NewPage, Server
from browser.person import Person, is_no_wider, resized, wait_until
from browser.set_table import SetTable
from browser.test_access import findings
from browser.test_small_things import ACROSS, is_on_top
from playwright.sync_api import Page, expect

SMALL: Final = (390, 664)
SMALLEST: Final = (360, 640)
OPENING: Final = "{rules: caliente, phase: play, hands: {0: 5d 6d 6s 6h 7c 8c 8s Td Jh Qs Kd 2c}, pile: 3c}"
ALL_LINES: Final = (
    "{rules: bolivia, phase: play, hands: {0: 6d, 1: 4h 5s}, scores: [1200, 900], "
    "melds: {0: [A*7, K*5 2 2, 4s 5s 6s 7s 8s 9s Ts, 2*4 Jo Jo Jo], 1: [Q*3, J*7]}, "
    "bonus: {0: 3h 3d, 1: 3h}, pile: 4c 7c 8d}"
)
"""Discarding the six goes out with every kind of canasta."""

COVERED: Final = """(offer) => {
    const places = ["=hand] button", "=stock]", "=pile]", "^='seat:']"].map((place) => `[data-place${place}`);
    const others = document.querySelectorAll([...places, "section.side", "section.bar button"].join(", "));
    const box = offer.getBoundingClientRect();
    const across = (a) => a.left < box.right - 1 && box.left < a.right - 1;
    const meets = (a) => across(a) && a.top < box.bottom - 1 && box.top < a.bottom - 1;
    const covered = [...others].filter((one) => meets(one.getBoundingClientRect()));
    return covered.map((one) => one.ariaLabel || one.textContent);
}"""


def newcomer(server: Server, page: Page) -> Person:
    person = Person(page)
    page.goto(server.url)
    page.get_by_role("button", name="Play now").click()
    expect(person.hand).to_be_visible()
    return person


@pytest.mark.parametrize("size", [DESKTOP, SMALL], ids=["desktop", "phone"])
def test_the_offer_of_a_guide_covers_nothing_and_goes_with_the_first_move(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    page = new_page(size)
    person = newcomer(server, page)
    offer = page.get_by_role("region", name="Guide")
    expect(offer.get_by_role("button", name="Show me")).to_be_in_viewport(ratio=1)
    assert person.wait_for_turn()
    for each in (size, SMALLEST, ACROSS):
        resized(page, each)
        wait_until(page, lambda: offer.evaluate(COVERED) == [])
        expect(person.button(r"^Draw")).to_be_in_viewport(ratio=1)
    resized(page, size)
    assert findings(page) == []
    person.button(r"^Draw").click()
    expect(offer).to_have_count(0)
    page.reload()
    expect(person.hand).to_be_visible()
    expect(offer).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, SMALL], ids=["desktop", "phone"])
def test_the_guide_makes_room_for_the_hint(server: Server, new_page: NewPage, size: tuple[int, int]) -> None:
    person = SetTable(new_page(size), OPENING)
    page = person.page
    person.come(server.url)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Show the guide").click()
    expect(page.locator(".bubble.ready")).to_be_visible()
    person.button(r"^Hint").click()
    ways = page.get_by_role("region", name="Hint").get_by_role("button", name=re.compile("^Do it"))
    expect(ways.first).to_be_visible()
    expect(page.locator(".bubble")).to_have_count(0)
    for way in ways.all():
        way.scroll_into_view_if_needed()
        wait_until(page, lambda way=way: is_on_top(way))  # type: ignore[misc]
    page.keyboard.press("Escape")
    expect(page.locator(".bubble.ready")).to_be_visible()


def test_a_phone_has_a_way_home_and_leaving_asks_first(server: Server, new_page: NewPage) -> None:
    page = new_page(SMALL)
    person = Person(page)
    person.play_now(server.url)
    table = page.url
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("link", name=re.compile("^Back to your table"))).to_be_visible()
    page.goto(table)
    expect(person.hand).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    leave = page.get_by_role("button", name=re.compile("^Leave"))
    leave.click()
    question = page.get_by_role("alertdialog")
    for name in ("Cancel", "Leave the table"):
        expect(question.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    assert findings(page) == []
    question.get_by_role("button", name="Cancel").click()
    expect(leave).to_be_focused()
    assert person.table["seat"] == 0
    leave.click()
    question.get_by_role("button", name="Leave the table").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    watcher = new_page(SMALL)
    watcher.goto(table)
    expect(watcher.get_by_role("link", name="Home")).to_be_in_viewport(ratio=1)


def test_the_totals_of_a_long_score_sheet_are_in_sight(server: Server, new_page: NewPage) -> None:
    me = SetTable(new_page(), ALL_LINES)
    me.come(server.url)
    me.choose("6d")
    me.button("^Discard").click()
    expect(me.sheet.get_by_role("row", name=re.compile("^Wild canastas 2,500"))).to_be_attached()
    buttons = me.sheet.get_by_role("button")
    for size in (SMALL, SMALLEST, ACROSS, DESKTOP):
        resized(me.page, size)
        for name in ("This hand", "Total"):
            row = me.sheet.get_by_role("row", name=re.compile(f"^{name} "))
            expect(row).to_be_in_viewport(ratio=1)
            wait_until(me.page, lambda row=row: is_on_top(row))  # type: ignore[misc]
        expect(buttons.last).to_be_in_viewport(ratio=1)
        is_no_wider(me.page, size[0])
