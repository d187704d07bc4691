"""Take the screenshots for the README and the documentation: docs/pictures/*.jpg.

    python scripts/pictures.py

It starts a server with a database of its own and plays in Chromium, as the browser tests do.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import CHROMIUM, DESKTOP, FLAGS, PHONE, Server  # noqa: E402 - after the path
from browser.person import Person  # noqa: E402 - as above

FOLDER = ROOT / "docs" / "pictures"
MOVES_BEFORE = 10
MOST_MOVES = 30
PUZZLE = "e12f405f"


def take(page: Page, name: str) -> None:
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=80)
    print(f"docs/pictures/{name}.jpg", flush=True)


def open_page(browser: Browser, size: tuple[int, int], scheme: str) -> Page:
    return browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=2 if size == PHONE else 1,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
    ).new_page()


def play_some(person: Person, moves: int) -> None:
    """Play to the middle of a hand: both sides have melded, and this person has drawn."""
    empty = person.page.get_by_text("Nothing melded yet")
    drawn = person.page.get_by_text("meld, then discard")
    for move in range(MOST_MOVES):
        if not person.wait_for_turn() or (move >= moves and drawn.count() > 0 and empty.count() == 0):
            return
        person.act()


def table(
    browser: Browser, server: Server, name: str, rules: str, *, moves: int = MOVES_BEFORE, phone: bool = False
) -> Person:
    person = Person(open_page(browser, PHONE if phone else DESKTOP, "dark" if phone else "light"))
    person.start(server.url, rules, bot="club")
    play_some(person, moves)
    take(person.page, name)
    return person


def main() -> int:
    if CHROMIUM is None:
        print("chromium is not installed")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        home = open_page(browser, DESKTOP, "light")
        home.goto(server.url)
        home.wait_for_load_state("networkidle")
        take(home, "home")
        home.goto(f"{server.url}/new?rules=hand-and-foot")
        home.wait_for_load_state("networkidle")
        take(home, "new-table")
        for page, name in (("learn/first-meld#2", "lesson"), (f"puzzles/{PUZZLE}", "puzzle")):
            home.goto(f"{server.url}/{page}")
            home.wait_for_load_state("networkidle")
            take(home, name)
        person = table(browser, server, "table", "caliente")
        person.button(r"^Hint").click()
        take(person.page, "hint")
        person.page.keyboard.press("Escape")
        person.play_hand()
        take(person.page, "score-sheet")
        table(browser, server, "samba", "caliente-samba", moves=4)
        table(browser, server, "phone", "hand-and-foot", phone=True)
        browser.close()
        server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
