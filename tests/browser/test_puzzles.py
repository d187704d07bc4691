"""Puzzles in the browser: chosen, answered by keyboard or touch, explained, and followed by the next one."""

import re

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import is_no_wider, resized, wait_until
from browser.test_access import findings
from playwright.sync_api import expect

from canasta.review.puzzles import shipped_puzzles

TAKES = [each for each in shipped_puzzles() if (each.rules, each.theme) == ("caliente", "takes")]
PUZZLE = next(each for each in TAKES if len(each.options) == 2)
STICKING_OUT = """() => {
  const table = document.querySelector("main.table").getBoundingClientRect();
  const across = (box) => box.left < table.left - 1 || box.right > table.right + 1;
  const out = (box) => across(box) || box.bottom > table.bottom + 1;
  return [...document.querySelectorAll("main.table .hand .card, main.table .seat, main.table .pile")]
    .filter((each) => out(each.getBoundingClientRect()))
    .map((each) => each.outerHTML.slice(0, 100));
}"""
RIGHT = PUZZLE.shown.index(PUZZLE.options[0])


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_a_puzzle_is_answered_and_the_next_one_comes(
    server: Server, new_page: NewPage, size: tuple[int, int], scheme: str
) -> None:
    page = new_page(size, color_scheme=scheme)
    # A solution seen at an address isn't rated for anyone else there.
    page.set_extra_http_headers({"x-forwarded-for": "203.0.113.1" if size == DESKTOP else "203.0.113.2"})
    page.goto(f"{server.url}/puzzles")
    page.get_by_label("Theme").select_option("takes")
    page.get_by_label("Game").select_option("caliente")
    found = page.get_by_role("link", name=re.compile("^Taking the pile"))
    expect(page.get_by_role("heading", name=f"{len(TAKES)} puzzles")).to_be_visible()
    assert findings(page) == []

    page.locator(f"a[href='/puzzles/{PUZZLE.id}']").click()
    ways = page.locator("button.way")
    expect(ways).to_have_count(len(PUZZLE.options))
    expect(page.get_by_role("heading", name="Your turn. What’s best?")).to_be_visible()
    assert findings(page) == []
    if size == DESKTOP:
        page.keyboard.press(str(RIGHT + 1))
        expect(ways.nth(RIGHT)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Right!")).to_be_focused()
    else:
        ways.nth(1 - RIGHT).click()
        expect(page.get_by_role("heading", name="Not the best")).to_be_focused()
    expect(page.locator(".told.best")).to_contain_text("Best")
    expect(page.locator(".told.chosen")).to_contain_text("your answer")
    expect(page.locator(".told .bar b")).to_have_count(len(PUZZLE.options) - 1)
    expect(page.get_by_role("status")).to_contain_text(re.compile(r"Rating 1,\d{3} ± \d{3} [+−]\d"))
    assert findings(page) == []
    is_no_wider(page, size[0])

    if size == PHONE:
        for other in ((320, 640), (768, 1024), (844, 390), PHONE):
            resized(page, other)
            wait_until(page, lambda: page.evaluate(STICKING_OUT) == [])

    page.keyboard.press("n" if size == DESKTOP else "Enter")
    expect(page).not_to_have_url(re.compile(PUZZLE.id))
    expect(ways.first).to_be_visible()
    # Opened again by its address, it shows the earlier answer and doesn't ask again.
    page.goto(f"{server.url}/puzzles/{PUZZLE.id}")
    expect(page.get_by_role("status")).to_contain_text("only your first answer counts")
    expect(ways).to_have_count(0)
    page.get_by_role("link", name="All puzzles").click()
    solved = found.filter(has_text="solved" if size == DESKTOP else "missed")
    page.get_by_label("Answered").select_option("right" if size == DESKTOP else "wrong")
    expect(solved).to_have_count(1)
    expect(page.locator("dl")).to_contain_text("1 of 1" if size == DESKTOP else "0 of 1")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Aufgaben", exact=True)).to_be_visible()
