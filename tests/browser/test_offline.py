"""Offline use: cached pages open, others say why they can't, and all of them recover on their own."""

import re
from pathlib import Path

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import Person, is_no_wider
from browser.test_access import findings
from playwright.sync_api import Page, expect


def kept(page: Page, server: Server) -> Page:
    """Return a page whose service worker has cached everything."""
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    return page


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_page_without_connection_is_shown_or_says_so_and_comes_back(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    page = kept(new_page(size, service_workers="allow"), server)
    page.context.set_offline(True)
    for path, title in (
        ("/glossary", "Glossary"),
        ("/replay", "Replay"),
        ("/learn", "No connection"),
        ("/new", "No connection"),
        ("/rules/caliente", "No connection"),
        ("/puzzles", "No connection"),
        ("/learn/meld", "No connection"),
    ):
        page.goto(server.url + path)
        heading(page, title)
    assert findings(page) == []
    is_no_wider(page, size[0])
    page.get_by_role("link", name="Canasta, home page").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.goto(f"{server.url}/learn")
    heading(page, "No connection")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Still no connection.")).to_be_visible()
    page.context.set_offline(False)
    heading(page, "Learn Canasta")
    expect(page.get_by_role("link", name=re.compile("The first meld"))).to_be_visible()


def test_a_table_loaded_without_connection_comes_back(server: Server, new_page: NewPage) -> None:
    person = Person(kept(new_page(service_workers="allow"), server))
    person.play_now(server.url)
    person.page.context.set_offline(True)
    person.page.reload()
    heading(person.page, "No connection")
    expect(person.page.get_by_role("button", name="Try again")).to_be_visible()
    person.page.context.set_offline(False)
    expect(person.hand).to_be_visible()


def test_a_page_comes_back_when_the_server_does(tmp_path: Path, new_page: NewPage) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        page = kept(new_page(service_workers="allow"), server)
        server.kill()
        page.goto(f"{server.url}/advice")
        heading(page, "No connection")
        server.start()
        heading(page, "Advice")
    finally:
        server.stop()


def test_a_page_whose_code_cannot_be_fetched_says_so(server: Server, new_page: NewPage) -> None:
    page = new_page()
    missing = re.compile("/assets/Learn.js")
    page.route(missing, lambda route: route.abort())
    page.goto(f"{server.url}/learn")
    heading(page, "No connection")
    page.unroute(missing)
    heading(page, "Learn Canasta")
