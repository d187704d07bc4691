"""Two people at one table by its link; a browser and then the server are killed, and both recover."""

import re
from pathlib import Path

from browser.conftest import NewPage, Server
from browser.person import Person
from playwright.sync_api import expect


def friends(server: Server, new_page: NewPage) -> tuple[Person, Person]:
    """Return two people at a running table with two computer players."""
    host, friend = Person(new_page()), Person(new_page())
    host.page.goto(server.url)
    host.page.get_by_role("button", name=re.compile("^Play with friends")).click()
    expect(host.page).to_have_url(re.compile(r"/t/\w+"))
    friend.page.goto(host.page.url)
    friend.page.get_by_role("button", name=re.compile("^Sit")).first.click()
    # Anyone not seated when the game starts is a spectator.
    expect(host.page.locator(".chair").filter(has_text="Guest")).to_have_count(2)
    host.page.get_by_role("button", name=re.compile("^Start")).click()
    host.be_at_the_table()
    friend.be_at_the_table()
    return host, friend


def play_on(people: list[Person], turns: int) -> None:
    """Play `turns` moves, each by the player to move."""
    for _ in range(turns):
        people[0].wait_until(lambda: any(person.is_to_act for person in people))
        next(person for person in people if person.is_to_act).act()


def test_two_people_play_at_one_table_by_its_link(server: Server, new_page: NewPage) -> None:
    host, friend = friends(server, new_page)
    play_on([host, friend], 6)
    friend.wait_until(lambda: friend.table["state"] == host.table["state"])
    for part in ("hand", "pile", "sides", "turn", "stock"):
        assert friend.table[part] == host.table[part]
    assert friend.table["seat"] != host.table["seat"]
    expect(friend.page.get_by_role("log")).not_to_be_empty()


def test_somebody_whose_browser_is_killed_comes_back(server: Server, new_page: NewPage) -> None:
    host, friend = friends(server, new_page)
    table = friend.page.url
    context = friend.page.context
    cookies = context.cookies()
    friend.page.close()
    expect(host.page.get_by_text(re.compile("Guest")).first).to_be_visible()
    again = new_page()
    again.context.add_cookies(cookies)  # type: ignore[arg-type]
    again.goto(table)
    back = Person(again)
    back.be_at_the_table()
    expect(back.cards.nth(10)).to_be_visible()
    play_on([host, back], 4)


def test_the_server_is_killed_and_the_page_goes_on_by_itself(tmp_path: Path, new_page: NewPage) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        person = Person(new_page())
        person.play_now(server.url)
        assert person.wait_for_turn()
        person.draw_and_discard()
        assert person.wait_for_turn()
        person.count_cards()
        before = person.cards.all_inner_texts()
        server.kill()
        expect(person.page.get_by_text(re.compile("Connection lost"))).to_be_visible()
        server.start()
        expect(person.page.get_by_text(re.compile("Connection lost"))).to_be_hidden()
        expect(person.cards).to_have_text(before)
        assert person.wait_for_turn()
        person.draw_and_discard()
    finally:
        server.stop()
