"""Replays: opened from the score sheet or a file, by keyboard alone, on small screens."""

import json
import re
from pathlib import Path
from typing import Any

from browser.conftest import PHONE, NewPage, Server
from browser.person import SHORT, Person, is_no_wider, resized
from browser.test_access import findings, findings_by_day_and_night, findings_in_every_look
from playwright.sync_api import Locator, Page, expect

EVENING = Path(__file__).resolve().parents[2] / "examples" / "evening.canasta"
TWO_HANDS = EVENING.parents[1] / "tests" / "golden" / "jaques.record"


def open_record(server: Server, page: Page, file: Path) -> None:
    page.goto(f"{server.url}/replay")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("slider")).to_be_visible()


def place(page: Page) -> str:
    return page.get_by_role("slider").get_attribute("aria-valuetext") or ""


def test_a_whole_replay_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    open_record(server, page, TWO_HANDS)
    slider = page.get_by_role("slider")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def expect_at(hand: int, move: int) -> None:
        expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^Hand {hand} of 2, move {move} of"))

    expect_at(1, 0)
    press("ArrowRight", "ArrowRight", "ArrowLeft")
    expect_at(1, 1)
    press("Shift+ArrowRight", "Shift+ArrowLeft", "Shift+ArrowLeft")
    expect_at(1, 0)
    press("PageDown")
    expect_at(2, 0)
    press("ArrowLeft")
    expect(page.get_by_role("button", name="Score sheet")).to_be_visible()
    press("s")
    expect(page.get_by_role("dialog")).to_contain_text("Score sheet")
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^Hand 2 of 2, move (\d+) of \1$"))
    press("Home")
    expect_at(1, 0)
    # Turn by turn, a finished hand leads to the next one.
    press("PageDown", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Hand 1 "))
    for _ in range(10):
        before = place(page)
        if before.startswith("Hand 2"):
            break
        press("Shift+ArrowRight")
        expect(slider).not_to_have_attribute("aria-valuetext", before)
    expect_at(2, 0)
    press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_key_right_after_a_closed_panel_counts(server: Server, new_page: NewPage) -> None:
    page = new_page()
    open_record(server, page, TWO_HANDS)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    # Both within one task, because a dialog reports its end only in the next one.
    page.evaluate(
        """() => {
            document.querySelector("dialog").requestClose();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
        }"""
    )
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^Hand 2 of 2"))


def test_all_cards_lie_open_or_those_of_one_seat(server: Server, new_page: NewPage) -> None:
    page = new_page()
    open_record(server, page, EVENING)
    expect(page.get_by_role("img", name=re.compile("^Cards of"))).to_have_count(3)
    page.get_by_label("Whose cards you see").select_option(label="As West saw it")
    expect(page.get_by_role("img", name=re.compile("^Cards of"))).to_have_count(0)
    expect(page.get_by_role("group", name="West’s hand")).to_be_visible()
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Next turn").click()
    expect(page.get_by_role("log")).to_contain_text("discarded")
    page.get_by_role("button", name="Score graph").click()
    page.get_by_role("dialog").get_by_role("button", name="Hand 1", exact=True).click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("move 0 of"))


def test_axe_finds_nothing_in_a_replay(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.url}/replay")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert findings_by_day_and_night(page) == []
    open_record(server, page, EVENING)
    page.keyboard.press("End")
    assert findings_in_every_look(page) == []


def test_a_replay_lies_wholly_on_a_small_screen(server: Server, new_page: NewPage) -> None:
    page = new_page((360, 640))
    open_record(server, page, EVENING)
    for _ in range(8):
        page.keyboard.press("Shift+ArrowRight")
    for size in ((360, 640), (844, 390)):
        resized(page, size)
        expect(page.get_by_role("group", name=re.compile("’s hand$"))).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("region", name="Move through the game")).to_be_in_viewport(ratio=1)
        is_no_wider(page, size[0])


SWIPE = """(by) => {
    const target = document.querySelector("main [role=log]");
    const finger = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 200 });
    const send = (type, touches, changedTouches) =>
        target.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches }));
    send("touchstart", [finger(200)], [finger(200)]);
    send("touchend", [], [finger(200 + by)]);
}"""


def test_a_finger_goes_from_move_to_move(server: Server, new_page: NewPage) -> None:
    page = new_page(PHONE)
    open_record(server, page, EVENING)
    for by, move in ((-120, 1), (-120, 2), (30, 2), (120, 1)):
        page.evaluate(SWIPE, by)
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile(f"move {move} of"))


def test_from_the_score_sheet_and_by_its_link_and_the_log_after_a_reload(
    server: Server, new_page: NewPage
) -> None:
    person = Person(new_page())
    page = person.page
    person.start(server.url, "two-player", 2, options=SHORT)
    assert person.wait_for_turn()
    person.draw_and_discard()
    assert person.wait_for_turn()
    page.reload()
    expect(person.hand).to_be_visible()
    page.get_by_role("button", name="Events").first.click()
    expect(page.get_by_role("dialog").get_by_role("listitem").filter(has_text="You drew")).not_to_have_count(
        0
    )
    page.keyboard.press("Escape")
    person.play_out()
    how = person.sheet.get_by_role("link", name="How did I play?")
    expect(how).to_have_attribute("href", re.compile(r"^/replay/\w+\?review#1\.0\.\d$"))
    # The game is still in progress, so the table stays open.
    with page.context.expect_page() as opened:
        person.sheet.get_by_role("link", name="Replay").click()
    page = opened.value
    expect(page).to_have_url(re.compile(r"/replay/\w+#1\.0\.\d$"))
    expect(page.get_by_role("slider")).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile(r"#1\.[1-9]\d*\.\d$"))
    link = page.url
    move = link.split(".")[-2]
    other = new_page()
    for each in (page, other):
        if each is other:
            other.goto(link)
        slider = each.get_by_role("slider")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^Hand 1 of \d+, move {move} of"))
    expect(verdict(other)).to_contain_text("The cards were fair")
    expect(other.get_by_role("dialog")).to_contain_text("Seeds from the server and from Guest")


def test_a_file_that_is_no_record_is_told(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    page.goto(f"{server.url}/replay")
    file = tmp_path / "letter.txt"
    file.write_text("Dear all,\n")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("record can’t be shown")
    expect(page.get_by_role("alert")).to_contain_text("line 1")


def verdict(page: Page) -> Locator:
    page.get_by_role("button", name="Verify the cards").click()
    return page.get_by_role("dialog").get_by_role("status")


def test_the_page_verifies_the_cards_by_itself(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    """A record with a cut and a void round, then one from a seed, then a server that lies."""
    page = new_page()
    vectors = json.loads((EVENING.parents[1] / "web/src/lib/record_vectors.json").read_text())
    text: str = vectors[1]["text"]

    def dropped(changed: str) -> Locator:
        file = tmp_path / "game.canasta"
        file.write_text(changed, encoding="utf-8")
        open_record(server, page, file)
        return verdict(page)

    expect(dropped(text)).to_contain_text("The cards were fair")
    expect(page.get_by_role("dialog")).to_contain_text("Round 1 was void: North did not reveal.")
    assert findings(page) == []
    expect(dropped(EVENING.read_text())).to_contain_text("come from a single seed")
    # The server shows other cards than those of the record.
    page.route("**/api/replays*", lambda route: route.fulfill(json=swapped(route.fetch().json())))
    expect(dropped(text)).to_contain_text("The cards shown don’t follow from the seeds")


def swapped(hand: dict[str, Any]) -> dict[str, Any]:
    one, two = hand["frames"][0]["seats"][:2]
    one["shows"], two["shows"] = two["shows"], one["shows"]
    return hand
