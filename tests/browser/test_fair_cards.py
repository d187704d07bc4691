"""The page's part in fair cards: it contributes seeds, checks the hand, and reports the result."""

import json
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import PHONE, NewPage, Server
from browser.person import FIVE_AT_ONCE, SHORT, Person
from playwright.sync_api import Page, WebSocketRoute, expect
from typer.testing import CliRunner

from canasta.commands.cli import app


def record_of(server: Server, page: Page) -> str:
    table = page.url.rpartition("/")[2]
    return page.request.get(f"{server.url}/api/tables/{table}/record").text()


@pytest.mark.parametrize("size", [pytest.param(None, marks=pytest.mark.long), PHONE])
def test_a_cut_and_a_hand_that_the_page_has_checked(
    server: Server, new_page: NewPage, tmp_path: Path, size: tuple[int, int] | None
) -> None:
    person = Person(new_page(size) if size else new_page())
    page = person.page
    options = json.dumps(FIVE_AT_ONCE)
    page.goto(f"{server.url}/new?rules=jaques&players=4&bot=novice&start=1&options={options}")
    expect(page.get_by_role("heading", name="Cutting for seats and deal")).to_be_visible()
    assert person.table["cut"] is not None
    expect(page.locator("[data-seat] .card").nth(3)).to_be_visible()
    dealer = person.table["cut"]["dealer"]
    own = person.table["seat"]
    expect(page.get_by_role("status").filter(has_text="deal").first).to_contain_text(
        "You deal." if dealer == own else f"{person.table['seats'][dealer]['name']} deals."
    )
    page.get_by_role("button", name="Deal the cards").click()
    person.be_at_the_table()
    assert person.table["dealer"] == dealer
    person.play_out()
    expect(person.sheet).to_contain_text("Cards checked")
    page.get_by_role("button", name="View table").click()
    page.get_by_role("button", name="Settings").first.click()
    page.get_by_text("This page’s seeds").click()
    line = page.locator("details pre").inner_text().strip()
    assert "\n" not in line  # a shell would take it for two commands otherwise
    words = line.split()
    assert words.count("--seed") == 2  # one for the cut and one for the hand
    file = tmp_path / "game.canasta"
    file.write_text(record_of(server, page), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(file), *words])
    assert result.exit_code == 0, result.output


def test_the_cut_fits_a_low_screen(server: Server, new_page: NewPage) -> None:
    """The deal button and the dealer's name are visible without scrolling."""
    page = new_page((390, 664))
    page.goto(f"{server.url}/new?rules=jaques&players=6&bot=novice&start=1")
    expect(page.get_by_role("button", name="Deal the cards")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("status").filter(has_text="deal").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Equal cards and jokers cut again.")).to_be_in_viewport(ratio=1)


def liar(page: Page, lie: Any) -> None:
    """Change the server's states on their way to the page."""

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "state":
                lie(frame)
            route.send(json.dumps(frame))

        server.on_message(pass_on)

    page.route_web_socket("**/ws/tables/*", through)


def swap_the_seed(frame: dict[str, Any]) -> None:
    dealt = frame["fair"]["dealt"]
    if dealt and dealt["server_seed"]:
        dealt["server_seed"] = "00" * 32


def claim_another_commitment(frame: dict[str, Any]) -> None:
    dealt = frame["fair"]["dealt"]
    if dealt and dealt["seats"]:
        dealt["seats"] = [{**part, "commitment": "00" * 32, "seed": ""} for part in dealt["seats"]]


def deal_other_cards(frame: dict[str, Any]) -> None:
    if frame["you"] and any(event["what"] == "dealt" for event in frame["events"]):
        frame["pile"]["cards"] = ["Jo" for _ in frame["pile"]["cards"]]


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (swap_the_seed, "the server changed the seed it had committed to"),
        (claim_another_commitment, "a seed isn’t the one that was committed to"),
        pytest.param(
            deal_other_cards, "the cards you saw don’t follow from the seeds", marks=pytest.mark.long
        ),
    ],
)
def test_a_server_that_lies_is_told_aloud(server: Server, new_page: NewPage, lie: Any, says: str) -> None:
    page = new_page()
    liar(page, lie)
    person = Person(page)
    person.start(server.url, "two-player", 2, options=SHORT)
    person.play_out()
    alarm = page.get_by_role("alertdialog", name="The cards weren’t fair")
    expect(alarm).to_contain_text("The cards of hand 1 aren’t fair: ")
    expect(alarm).to_contain_text(says)
    expect(person.sheet).not_to_contain_text("Cards checked")
    alarm.get_by_role("button", name="Close").click()
    expect(alarm).to_be_hidden()
