"""Small obstacles for players: panels off the screen, overlapping text, hard-to-read buttons."""

import json
import re
from typing import Any

from browser.conftest import DESKTOP, NewPage, Server
from browser.person import SHORT, Person, resized, wait_until
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

ACROSS = (844, 390)

CONTRAST = """async (element) => {
    await Promise.all(element.getAnimations().map((change) => change.finished));
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = getComputedStyle(element);
    const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
}"""


def is_on_top(element: Locator) -> bool:
    """Return whether nothing covers the middle of the element."""
    return bool(
        element.evaluate(
            """(element) => {
                const box = element.getBoundingClientRect();
                const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                return element.contains(at);
            }"""
        )
    )


def change_states(page: Page, change: dict[str, Any]) -> None:
    """Replace these values in the states shown to the page; `sheet` is changed if there is one."""

    def patch(text: str | bytes) -> str | bytes:
        frame = json.loads(text)
        if frame["t"] != "state":
            return text
        for name, value in change.items():
            if isinstance(value, dict):
                if frame.get(name):
                    frame[name] |= value
            else:
                frame[name] = value
        return json.dumps(frame)

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(patch(text)))

    page.route_web_socket(re.compile("/ws/"), between)


def test_a_hint_stays_on_the_screen_across(server: Server, new_page: NewPage) -> None:
    person = Person(new_page(ACROSS))
    person.play_now(server.url)
    assert person.wait_for_turn()
    person.button(r"^Hint").click()
    panel = person.page.get_by_role("region", name="Hint")
    expect(panel.get_by_role("button", name=re.compile("^Do it")).first).to_be_visible()
    expect(panel).to_be_in_viewport(ratio=1)
    wait_until(person.page, lambda: is_on_top(panel.get_by_role("button", name="Close")))


def test_the_guide_makes_room_for_a_refusal(server: Server, new_page: NewPage) -> None:
    page = new_page((390, 664))
    person = Person(page)
    page.goto(server.url)
    page.get_by_role("button", name="Play now").click()
    expect(person.hand).to_be_visible()
    page.get_by_role("button", name="Show me").click()
    assert person.wait_for_turn()
    person.button(r"^Draw").click()
    person.wait_until(lambda: person.table["phase"] == "play")
    expect(person.cards).to_have_count(len(person.table["you"]["cards"]))
    person.cards.first.click()
    person.button(r"^Meld").click()
    note = page.get_by_role("alert")
    expect(note).to_be_visible()
    for size in ((390, 664), ACROSS, DESKTOP):
        resized(page, size)
        expect(page.locator(".bubble")).to_have_count(0)
        wait_until(page, lambda: is_on_top(note.get_by_role("button", name="Close")))


def test_the_score_sheet_speaks_to_the_player_and_its_buttons_can_be_read(
    server: Server, new_page: NewPage
) -> None:
    page = new_page()
    person = Person(page)
    change_states(page, {"sheet": {"out": 0}})
    person.start(server.url, "two-player", 2, options=SHORT)
    person.play_out()
    expect(person.sheet).to_contain_text("You went out")
    for name in ("Next hand", "View table"):
        button = person.sheet.get_by_role("button", name=name)
        button.hover()
        assert button.evaluate(CONTRAST) >= 4.5, name


def test_the_table_speaks_german(server: Server, new_page: NewPage) -> None:
    """The page words events, and hints with their reasons, from the server's codes."""
    page = new_page(locale="de-DE")
    person = Person(page)
    page.goto(f"{server.url}/new?rules=caliente&players=4&bot=novice&start=1")
    expect(page.get_by_role("group", name="Dein Blatt")).to_be_visible()
    person.wait_until(lambda: person.is_to_act)
    page.get_by_role("button", name="Ziehen", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("gezogen")
    page.get_by_role("button", name="Tipp", exact=True).click()
    panel = page.get_by_role("region", name="Tipp")
    expect(panel.get_by_role("listitem").first).to_contain_text(
        re.compile(r"Stapel|Talon|Karte|Hand|Blätter")
    )
    words = set(re.findall(r"[a-z]+", panel.inner_text().lower()))
    assert not words & {"the", "pile", "stock", "card", "cards", "about", "points"}
