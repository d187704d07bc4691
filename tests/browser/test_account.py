"""A player's own account in the browser, and a seat taken in mid-hand."""

import json
import re
from pathlib import Path

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import SHORT, Person
from browser.test_access import findings
from playwright.sync_api import Page, expect

PASSWORD = "correct horse"  # noqa: S105 - of people who live as long as a test


def with_account(server: Server, page: Page, name: str) -> None:
    page.goto(server.url)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="I don’t have an account").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("dialog").get_by_role("button", name="Create an account").click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def sign_in(server: Server, page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto(server.url)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize(
    "size", [pytest.param(DESKTOP, id="desktop", marks=pytest.mark.long), pytest.param(PHONE, id="phone")]
)
def test_sessions_password_data_and_the_end(server: Server, new_page: NewPage, size: tuple[int, int]) -> None:
    name = f"Ada {size[0]}"
    page, phone = new_page(size), new_page()
    with_account(server, page, name)
    sign_in(server, phone, name)
    expect(phone.get_by_text(f"Signed in as {name}")).to_be_visible()
    # Open the dialog and return with the keyboard alone.
    opener = page.get_by_role("button", name="Your account")
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Your account")
    expect(dialog.get_by_text("this device")).to_have_count(1)
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    dialog.get_by_role("button", name=re.compile("^Sign out: Chrome")).click()
    expect(dialog.get_by_text("Signed out there.")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    dialog.get_by_label("Old password").fill("wrong horse")
    dialog.get_by_label("New password").fill("battery staple")
    dialog.get_by_role("button", name="Change your password").click()
    expect(dialog.get_by_role("alert")).to_have_text("Wrong password. Type it again.")
    dialog.get_by_label("Old password").fill(PASSWORD)
    dialog.get_by_role("button", name="Change your password").click()
    expect(dialog.get_by_text("Your password is changed")).to_be_visible()
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download my data").click()
    kept = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert (kept["name"], len(kept["sessions"])) == (name, 1)
    dialog.get_by_text("Delete your account").click()
    assert findings(page) == []
    dialog.get_by_label("Password", exact=True).fill("battery staple")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    expect(page.get_by_text("You’re playing as Guest")).to_be_visible()
    sign_in(server, phone, name, "battery staple")
    expect(phone.get_by_role("alert").get_by_text("Wrong name or password.")).to_be_visible()


def test_who_sits_down_in_mid_hand_watches_until_the_next_deal(server: Server, new_page: NewPage) -> None:
    host, other = Person(new_page()), Person(new_page(PHONE))
    host.start(server.url, "two-player", 2, options=SHORT)
    assert host.wait_for_turn()
    other.page.goto(host.page.url)
    other.bar.get_by_role("button", name=re.compile("^Take .* place$")).click()
    expect(other.bar.get_by_text("You join at the next deal")).to_be_visible()
    expect(other.hand).to_be_hidden()
    assert other.table["you"] is None
    expect(host.page.get_by_text("then Guest 2")).to_be_visible()
    assert findings(other.page) == []
    # Computer players finish the hand.
    host.page.get_by_role("button", name="Settings").click()
    host.page.get_by_role("button", name=re.compile("^Leave")).click()
    host.page.get_by_role("alertdialog").get_by_role("button", name=re.compile("^Leave")).click()
    other.wait_until(lambda: other.table["phase"] == "over")
    other.page.get_by_role("button", name=re.compile("^Next hand")).click()
    expect(other.hand).to_be_visible()
    other.wait_until(lambda: bool(other.table["you"]) and other.table["seat"] == 1)


def test_signing_in_elsewhere_brings_the_table_back_on_the_first_page(
    server: Server, new_page: NewPage
) -> None:
    person = Person(new_page())
    with_account(server, person.page, "Bea")
    person.page.get_by_role("button", name="Play now").click()
    person.be_at_the_table()
    other = new_page((390, 664))
    other.goto(server.url)
    back = other.get_by_role("link", name="Back to your table")
    expect(other.get_by_role("button", name="Play now")).to_be_visible()
    expect(back).to_have_count(0)
    sign_in(server, other, "Bea")
    expect(back).to_be_in_viewport(ratio=1)
    back.click()
    expect(other).to_have_url(person.page.url)
    expect(Person(other).hand).to_be_visible()
