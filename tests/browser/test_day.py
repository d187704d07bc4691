"""The deal of the day in the browser: played, compared, shared, verified and replayed."""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import SHORT, Person, is_no_wider
from browser.test_access import findings
from playwright.sync_api import Page, expect

from canasta.table import day as deals

TODAY = date(2026, 11, 16)


class DayServer(Server):
    """A server whose date is set by a file."""

    def __init__(self, folder: Path) -> None:
        self._moment = folder / "moment"
        super().__init__(folder, program="day_server", arguments=(str(self._moment), json.dumps(SHORT)))
        self.go_to(deals.start_of(TODAY) + 3600)

    def go_to(self, moment: float) -> None:
        new = self._moment.with_suffix(".new")
        new.write_text(str(moment), encoding="utf-8")
        new.replace(self._moment)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DayServer]:
    running = DayServer(tmp_path_factory.mktemp("days"))
    running.start()
    yield running
    running.stop()


def fits(page: Page, width: int) -> None:
    is_no_wider(page, width)
    assert findings(page) == []


def test_a_deal_of_the_day(house: DayServer, new_page: NewPage) -> None:
    """One person plays on a desktop, then another on a phone, who is compared with the first."""
    plays_the_day(house, new_page, DESKTOP, "Nobody else has finished")
    person, table = plays_the_day(house, new_page, PHONE, "of 2.", address="203.0.113.2")
    replays_it(house, person, table)
    # A second guest at the same address gets a warning before playing.
    house.go_to(deals.start_of(TODAY) + 3600)
    page = new_page(PHONE)
    page.goto(f"{house.url}/day")
    expect(page.get_by_text("you won’t be ranked")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    fits(page, PHONE[0])


def plays_the_day(
    house: DayServer, new_page: NewPage, size: tuple[int, int], place: str, address: str = ""
) -> tuple[Person, str]:
    """Play the deal and compare it with others; return the player and the table."""
    house.go_to(deals.start_of(TODAY) + 3600)
    page = new_page(size)
    if address:
        page.set_extra_http_headers({"x-forwarded-for": address})
    person = Person(page)
    page.goto(f"{house.url}/day")
    expect(page.get_by_role("heading", name="Deal of the day")).to_be_visible()
    expect(page.get_by_text("Monday, November 16").first).to_be_visible()
    expect(page.get_by_text("How others did")).to_have_count(0)
    fits(page, size[0])
    # Start with the keyboard alone.
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    person.be_at_the_table()
    table = page.url
    page.goto(f"{house.url}/day/{TODAY}")
    page.get_by_role("button", name="Continue your hand").click()
    expect(page).to_have_url(table)
    person.be_at_the_table()
    assert person.wait_for_turn()
    expect(person.button(r"^Draw")).to_be_visible()
    expect(person.button(r"^Hint")).to_have_count(0)
    person.play_out()
    expect(person.sheet.get_by_role("link", name="Replay")).to_have_count(0)
    person.sheet.get_by_role("link", name="Compare with others").click()
    expect(page).to_have_url(f"{house.url}/day/{TODAY}")
    expect(page.get_by_text(place)).to_be_visible()
    share = page.get_by_label("Share your result")
    expect(share).to_have_value(re.compile(rf"^Canasta of {TODAY} · [+-]?\d+[^/]*\n{house.url}/day/{TODAY}$"))
    expect(page.get_by_text("Points your side made in this hand.")).to_be_visible()
    expect(page.get_by_text("You can replay it from")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="expert")).to_be_visible()
    fits(page, size[0])
    return person, table


def replays_it(house: DayServer, person: Person, table: str) -> None:
    page = person.page
    page.get_by_role("button", name="Play it again, without counting").click()
    expect(page).not_to_have_url(f"{house.url}/day/{TODAY}")
    expect(page).not_to_have_url(table)
    person.be_at_the_table()
    # The next day the number is revealed, and this page checks it.
    house.go_to(deals.revealed_at(TODAY))
    page.goto(f"{house.url}/day")
    page.get_by_role("link", name="Monday, November 16").click()
    expect(page.get_by_text("The number matches what was published")).to_be_visible()
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    page.goto(table)
    expect(person.sheet).to_contain_text("published before the day")
    page.goto(f"{house.url}/day/{TODAY + timedelta(days=1)}")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.goto(f"{house.url}/day/{TODAY + timedelta(days=3)}")
    expect(page.get_by_role("alert")).to_contain_text("There’s no deal for that day here")
