"""The waiting room and the rematch: two pages, a phone and a desktop."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import Person, is_no_wider, resized, wait_until
from browser.test_access import findings
from finished_games import finished_log
from playwright.sync_api import Locator, Page, expect

from canasta.i18n.catalogue import languages
from canasta.table.log import encode_entry


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Return a server and its database, into which finished games are written directly."""
    folder = tmp_path_factory.mktemp("room")
    running = Server(folder)
    running.start()
    yield running, folder / "tables.db"
    running.stop()


def came_in(page: Page, url: str, name: str) -> None:
    """Open the page as a guest of this name."""
    page.goto(f"{url}/nowhere")
    ask: dict[str, Any] = page.evaluate(
        """async (name) => {
          const call = (method, path, body) => fetch(path, {
            method, headers: {"content-type": "application/json"}, body: JSON.stringify(body),
          });
          await call("POST", "/api/guests", {});
          await call("PATCH", "/api/me", {name});
          return (await fetch("/api/me")).json();
        }""",
        name,
    )
    assert ask["name"] == name


def opened(page: Page, url: str, **wanted: object) -> str:
    link: str = page.evaluate(
        """async (wanted) => (await (await fetch("/api/tables", {
          method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(wanted),
        })).json()).link""",
        wanted,
    )
    page.goto(url + link)
    return url + link


def chair(page: Page, seat: int) -> Locator:
    return page.locator(f"[data-seat='{seat}'] .chair")


def drag_by_finger(page: Page, what: Locator, onto: Locator) -> None:
    ends = []
    for each in (what, onto):
        box = each.bounding_box()
        assert box is not None
        ends.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    (x, y), (to_x, to_y) = ends
    finger = page.context.new_cdp_session(page)
    for kind, part in (("touchStart", 0.0), ("touchMove", 0.2), ("touchMove", 0.6), ("touchMove", 1.0)):
        at = {"x": x + (to_x - x) * part, "y": y + (to_y - y) * part}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def chairs_are_whole(page: Page, seats: int) -> None:
    """Check that no chair overflows once the page has settled."""
    wait_until(page, lambda: all(is_whole(page, chair(page, seat)) for seat in range(seats)))


def is_whole(page: Page, what: Locator) -> bool:
    box, size = what.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    return box["x"] >= 0 and box["x"] + box["width"] <= size["width"]


def test_seats_and_game_are_chosen_at_the_table(house: tuple[Server, Path], new_page: NewPage) -> None:
    server, _ = house
    host, friend = Person(new_page(DESKTOP)), Person(new_page(PHONE, color_scheme="dark"))
    one, other = host.page, friend.page
    came_in(one, server.url, "Ada")
    came_in(other, server.url, "Ben")
    link = opened(one, server.url, rules="caliente", players=4)
    other.goto(link)
    other.get_by_role("button", name=re.compile("^Sit down: Seat 2")).click()
    expect(chair(one, 1)).to_have_accessible_name(re.compile("^Seat 2: Ben, side 2"))
    for page in (one, other):
        assert findings(page) == []
        chairs_are_whole(page, 4)

    # the host gives a seat to a computer player, and moves people by the list and by dragging
    chair(one, 3).click()
    one.get_by_label("Computer player: Seat 4").select_option("expert")
    expect(chair(other, 3)).to_have_accessible_name(re.compile("Expert"))
    chair(one, 1).click()
    one.get_by_label("Swap seats with").select_option("2")
    expect(chair(other, 2)).to_have_accessible_name(re.compile("Ben, you, your partner|Ben, you"))
    expect(chair(one, 2)).to_have_accessible_name(re.compile("Ben, your partner"))
    chair(one, 2).drag_to(chair(one, 1))
    expect(chair(one, 1)).to_have_accessible_name(re.compile("Ben"))
    one.get_by_role("button", name="Other partners").click()
    expect(chair(one, 2)).to_have_accessible_name(re.compile("Ben, your partner"))
    # anyone else moves to a free seat by a tap
    other.get_by_role("button", name=re.compile("^Sit down: Seat 4")).click()
    expect(chair(one, 3)).to_have_accessible_name(re.compile("Ben"))
    expect(chair(other, 3)).to_have_accessible_name(re.compile("Ben"))

    # or by dragging with a finger; a click afterwards is an ordinary click
    drag_by_finger(other, chair(other, 3), chair(other, 2))
    expect(chair(one, 2)).to_have_accessible_name(re.compile("Ben"))
    other.get_by_role("button", name=re.compile("^Sit down: Seat 4")).click()
    expect(chair(one, 3)).to_have_accessible_name(re.compile("Ben"))

    # change the game by keyboard alone
    one.get_by_role("button", name="Change the game").focus()
    one.keyboard.press("Enter")
    dialog = one.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Play this game")).to_be_enabled()
    assert findings(one) == []
    dialog.get_by_role("radio", name=re.compile("^Two-Player")).focus()
    one.keyboard.press("Space")
    play = dialog.get_by_role("button", name="Play this game")
    expect(dialog.get_by_text("Two-Player Canasta, 2 players")).to_be_visible()
    # somebody has changed seats in the meantime, and the host must see that first
    other.get_by_role("button", name=re.compile("^Sit down: Seat 3")).click()
    expect(one.locator("[data-seat='2']")).to_contain_text("Ben")
    play.focus()
    one.keyboard.press("Enter")
    expect(dialog.get_by_text("The table changed before your move arrived")).to_be_visible()
    play.focus()
    one.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    for page in (one, other):
        expect(page.get_by_role("heading", name="Two-Player Canasta")).to_be_visible()
        expect(page.locator(".chair")).to_have_count(2)
    expect(chair(other, 1)).to_have_accessible_name(re.compile("Ben, you"))
    one.get_by_role("button", name="Start the game").click()
    for person in (host, friend):
        person.be_at_the_table()


@pytest.mark.parametrize("size", [DESKTOP, (390, 664)], ids=["desktop", "phone"])
def test_an_invited_friend_says_a_name_and_sits_down(
    house: tuple[Server, Path], new_page: NewPage, size: tuple[int, int]
) -> None:
    server, _ = house
    host, friend = Person(new_page()), Person(new_page(size))
    host.page.goto(server.url)
    host.page.get_by_role("button", name="Play with friends").click()
    expect(host.page).to_have_url(re.compile(r"/t/\w+"))
    link = host.page.url
    host.page.get_by_role("textbox", name="Your name").fill(f"Hal {size[0]}")
    host.page.get_by_role("button", name="Save").click()
    expect(chair(host.page, 0)).to_have_accessible_name(re.compile(f"Hal {size[0]}"))
    expect(host.page.get_by_text("canasta serve")).to_be_visible()

    page = friend.page
    page.goto(link)
    expect(page.get_by_text(f"Waiting for Hal {size[0]} to start the game.")).to_be_visible()
    expect(page.get_by_text("canasta serve")).to_have_count(0)
    sit = page.get_by_role("button", name="Sit down", exact=True)
    expect(sit).to_be_in_viewport(ratio=1)
    assert findings(page) == []
    sit.click()
    expect(page.get_by_role("textbox", name="Your name")).to_be_focused()  # the page asks for it
    page.get_by_role("textbox", name="Your name").fill(f"Ida {size[0]}")
    sit.click()
    expect(sit).to_have_count(0)
    expect(chair(host.page, 1)).to_have_accessible_name(re.compile(f"^Seat 2: Ida {size[0]}"))
    is_no_wider(page, size[0])
    host.page.get_by_role("button", name="Start the game").click()
    friend.be_at_the_table()


def ids_of(database: Path, *names: str) -> list[tuple[str, str]]:
    with sqlite3.connect(database) as connection:
        found = dict(connection.execute("SELECT name, id FROM players"))
    return [(found[name], name) for name in names]


def finished(database: Path, *names: str, **rules: Any) -> str:
    """Write a finished game of these people as a table's log; return the table."""
    people = ids_of(database, *names)
    table, log = finished_log(people, **rules)
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO tables VALUES (?, 0, 'over', 1, 1)", (table,))
        connection.executemany(
            "INSERT INTO log VALUES (?, ?, NULL, ?)",
            [(table, seq, encode_entry(entry)) for seq, entry in enumerate(log)],
        )
    connection.close()
    return table


def test_once_more_with_the_same_people(house: tuple[Server, Path], new_page: NewPage) -> None:
    server, database = house
    host, friend, eve = Person(new_page(DESKTOP)), Person(new_page(PHONE)), Person(new_page(PHONE))
    for person, name in ((host, "Carl"), (friend, "Dora"), (eve, "Eve")):
        came_in(person.page, server.url, name)
    table = finished(database, "Carl", "Dora")
    for person in (host, friend, eve):
        person.page.goto(f"{server.url}/t/{table}")
        expect(person.sheet).to_be_visible()
    host.sheet.get_by_role("button", name="Rematch").click()
    for person in (host, friend):
        expect(person.sheet.get_by_role("status")).to_contain_text("Carl wants a rematch.")
        expect(person.sheet.locator(".yes .portrait")).to_have_count(1)
    assert findings(friend.page) == []
    again = friend.sheet.get_by_role("button", name="Rematch")
    again.focus()
    friend.page.keyboard.press("Enter")
    for person in (host, friend, eve):
        expect(person.page.locator(".chair")).to_have_count(2)
        expect(person.page.get_by_role("table", name="This session so far")).to_contain_text("of 1")
        expect(person.page).not_to_have_url(re.compile(table))
    for person in (friend, eve):
        expect(person.page).to_have_url(host.page.url)
    assert findings(friend.page) == []
    # the old link leads to the new table, and the previous game can be replayed
    eve.page.goto(f"{server.url}/t/{table}")
    expect(eve.page).to_have_url(host.page.url)
    eve.page.goto(f"{server.url}/replay/{table}#1.0")
    expect(eve.page.get_by_role("heading", name=re.compile("Two-Player"))).to_be_attached()
    # leaving the table frees the seat
    friend.page.get_by_role("button", name="Leave the table").click()
    expect(chair(host.page, 1)).to_have_accessible_name(re.compile("Free"))


def test_against_computers_once_more_begins_at_once(house: tuple[Server, Path], new_page: NewPage) -> None:
    server, database = house
    person = Person(new_page(PHONE))
    came_in(person.page, server.url, "Fay")
    table = finished(database, "Fay", rules="caliente", players=4)
    person.page.goto(f"{server.url}/t/{table}")
    person.sheet.get_by_role("button", name="Rematch").click()
    expect(person.page).not_to_have_url(re.compile(table))
    person.be_at_the_table()
    assert [seat["level"] for seat in person.table["seats"]] == ["", "novice", "novice", "novice"]


@pytest.mark.long
@pytest.mark.parametrize("lang", languages())
def test_the_room_in_every_language(house: tuple[Server, Path], new_page: NewPage, lang: str) -> None:
    """With two to six chairs on every screen, nothing is cut off and the start button needs no scrolling."""
    server, _ = house
    page = new_page(PHONE, locale=lang)
    came_in(page, server.url, f"Gus {lang}")
    for players in (2, 3, 4, 5, 6):
        opened(page, server.url, rules="caliente", players=players)
        expect(page.locator(".chair")).to_have_count(players)
        for width, height in ((360, 640), (390, 664), (390, 844), (844, 390), (1280, 800), (1920, 1080)):
            resized(page, (width, height))
            expect(page.locator(".start")).to_be_in_viewport(ratio=1)
            is_no_wider(page, width)
            chairs_are_whole(page, players)
    resized(page, (360, 640))
    chair(page, 1).click()
    assert findings(page) == []
    expect(page.locator("body")).not_to_contain_text("room.")


def test_the_host_removes_somebody_before_the_game_and_in_it(
    house: tuple[Server, Path], new_page: NewPage
) -> None:
    server, _ = house
    one, other, third = new_page(DESKTOP), new_page(PHONE), new_page(DESKTOP)
    for page, name in ((one, "Ada"), (other, "Eve"), (third, "Ben")):
        came_in(page, server.url, name)
    link = opened(one, server.url, rules="two-player", players=2)
    other.goto(link)
    other.get_by_role("button", name=re.compile("^Sit down: Seat 2")).click()
    chair(one, 1).click()
    one.get_by_role("button", name="Remove Eve …").click()
    asked = one.get_by_role("alertdialog")
    expect(asked).to_contain_text("won’t be able to sit down at this table again")
    asked.get_by_role("button", name="Cancel").click()
    expect(chair(one, 1)).to_have_accessible_name(re.compile("Eve"))
    one.get_by_role("button", name="Remove Eve …").click()
    one.get_by_role("alertdialog").get_by_role("button", name="Remove Eve").click()
    other.get_by_role("button", name=re.compile("^Sit down: Seat 2")).click()
    expect(other.get_by_text("The host removed you from this table.")).to_be_visible()

    third.goto(link)
    third.get_by_role("button", name=re.compile("^Sit down: Seat 2")).click()
    expect(chair(one, 1)).to_have_accessible_name(re.compile("Ben"))
    one.get_by_role("button", name="Start the game").click()
    for page in (one, third):
        person = Person(page)
        person.look_at_the_cut()
        person.be_at_the_table()
    one.get_by_role("button", name="Settings").click()
    one.get_by_role("button", name="Remove Ben …").click()
    one.get_by_role("alertdialog").get_by_role("button", name="Remove Ben").click()
    expect(third.get_by_text("The host removed Ben from the table.").first).to_be_attached()
    expect(third.get_by_text("You’re watching")).to_be_visible()
