"""House rules as a file on the new-table page, and a game installed by another package."""

import json
import os
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import Person
from browser.test_access import findings
from owl_preset import OWLS, preset_package
from playwright.sync_api import Page, expect

from canasta.rules import load_ruleset

CLUB = """title = "Tuesday club"
base = "hand-and-foot"
default_players = 2

[deal]
hand_size = 9

[match]
target = 3000
rounds = 0
"""


def open_file(page: Page, file: Path) -> None:
    page.locator("input[type=file]").set_input_files(file)


def test_a_file_fills_the_form_and_comes_back(new_page: NewPage, server: Server, tmp_path: Path) -> None:
    page = new_page(accept_downloads=True)
    page.goto(f"{server.url}/new?rules=jaques")
    club = tmp_path / "my-club.toml"
    club.write_text(CLUB)
    page.locator("#options-title").click()
    open_file(page, club)
    expect(page.get_by_text("Rules from Tuesday club.")).to_be_visible()
    expect(page.get_by_role("radio", name="Hand & Foot")).to_be_checked()
    expect(page.get_by_role("group", name="How many players?").get_by_label("2")).to_be_checked()
    expect(page.get_by_text("Cards dealt: 9")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save these rules").click()
    assert download.value.suggested_filename == "hand-and-foot-rules.toml"
    saved = tmp_path / "saved.toml"
    download.value.save_as(saved)
    assert load_ruleset(saved) == load_ruleset(club)
    person = Person(page)
    page.get_by_role("button", name="Start now").click()
    person.be_at_the_table()
    assert len(person.table["you"]["cards"]) == 9


def test_house_rules_of_the_server_are_offered(new_page: NewPage, server: Server) -> None:
    club = {"ok": True, "defects": [], "rules": "jaques", "title": "Tuesday club", "players": 3}
    page = new_page()
    page.route("**/api/house-rules", lambda route: route.fulfill(json=[club | {"options": {"target": 900}}]))
    page.goto(f"{server.url}/new")
    page.get_by_role("button", name="Tuesday club").click()
    expect(page.get_by_role("radio", name="Classic Canasta")).to_be_checked()
    expect(page.get_by_role("group", name="How many players?").get_by_label("3")).to_be_checked()
    expect(page.get_by_text("Score that ends the game: 900")).to_be_visible()


def test_what_is_wrong_with_a_file_is_told_line_by_line(
    new_page: NewPage, server: Server, tmp_path: Path
) -> None:
    page = new_page(PHONE, locale="de")
    page.goto(f"{server.url}/new?rules=jaques")
    page.locator("summary", has=page.locator("#options-title")).click()
    file = tmp_path / "club.toml"
    file.write_text('base = "jaques"\n[deal]\nhand_size = 0\n')
    open_file(page, file)
    expect(page.get_by_text("club.toml ergibt kein Spiel:")).to_be_visible()
    slip = page.get_by_role("listitem").filter(has_text="deal.hand_size")
    expect(slip).to_contain_text("Zeile 3")
    expect(slip).to_contain_text("muss eine ganze Zahl von 1 bis 30 sein.")
    file.write_text("#" * 40_000)
    open_file(page, file)
    expect(page.get_by_text("club.toml ist zu lang für Regeln.")).to_be_visible()
    file.write_text('base = "jaques"\n[deal]\nhand_size = 9\n')
    open_file(page, file)
    expect(page.get_by_text("Regeln aus club.toml.")).to_be_visible()


def test_what_does_not_make_a_game_is_told_in_the_language_with_the_words_of_the_form(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(locale="de")
    page.goto(f"{server.url}/new?rules=jaques&options={quote(json.dumps({'going_out.sequence': 1}))}")
    told = "zum Ausmachen ist eine Sequenz verlangt, aber es gibt keine Sequenzen"
    expect(page.get_by_text(told).first).to_contain_text("„Sequenzen: ja“")


def test_a_preset_of_another_package_is_on_the_page(
    new_page: NewPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with preset_package(tmp_path / "site", monkeypatch, owls=OWLS):
        path = os.environ.get("PYTHONPATH", "")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path / "site"), path))))
        server = Server(tmp_path)
        server.start()
    try:
        page = new_page(locale="de")
        page.goto(f"{server.url}/new?rules=owls")
        expect(page.get_by_role("radio", name="Eulen")).to_be_checked()
        expect(page.get_by_text("Neun Karten, und der Joker zählt zwei.")).to_be_visible()
        page.get_by_role("button", name="Sofort beginnen").click()
        page.get_by_role("button", name="Karten geben").click()
        # A page that is still fetching the table when its server stops reports an error of its own.
        expect(page.locator("main.table")).to_be_visible()
    finally:
        server.stop()


@pytest.mark.parametrize("size", [DESKTOP, (390, 664)], ids=["desktop", "phone"])
def test_a_rejected_house_rule_stops_the_start_at_its_field(
    new_page: NewPage, server: Server, size: tuple[int, int]
) -> None:
    page = new_page(size)
    person = Person(page)
    page.goto(f"{server.url}/new?rules=caliente")
    page.locator("#options-title").click()
    cards = page.get_by_label("Cards dealt", exact=True)
    start = page.get_by_role("button", name="Start now")
    row = page.locator(".row", has=cards)
    cards.fill("many")
    expect(row.get_by_role("alert")).to_have_text("Enter a whole number from 1 to 30.")
    # No number: the start is stopped here, before the server is asked.
    start.click()
    expect(cards).to_be_focused()
    expect(page.get_by_role("alert").filter(has_text="don’t make a game yet")).to_be_visible()
    # A number that the rules refuse is not forgotten while other rules are looked for.
    cards.fill("60")
    expect(row.get_by_role("alert")).to_have_text(re.compile("from 1 to 30"))
    expect(cards).to_have_attribute("aria-invalid", "true")
    search = page.get_by_role("searchbox", name="Find an option")
    search.fill("going out concealed")
    expect(cards).to_have_count(0)
    expect(start).to_be_disabled()
    search.fill("")
    expect(cards).to_have_value("60")
    expect(row.get_by_role("alert")).to_be_visible()
    assert findings(page) == []
    cards.fill("9")
    expect(start).to_be_enabled()
    start.click()
    person.be_at_the_table()
    assert len(person.table["you"]["cards"]) == 9
