"""The review of a hand beside its replay: on desktop and phone, by mouse and keyboard."""

import re
from pathlib import Path

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import is_no_wider, resized
from browser.test_access import findings
from browser.test_replay import open_record
from hands import begin_record, play_hand
from playwright.sync_api import Page, Route, expect

from canasta.engine.match import Match
from canasta.rules import load_ruleset

FEW_CARDS = {"hand_size": 4, "canastas_to_go_out": 0}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return a short hand in which somebody makes a bad discard."""
    match = Match.new(load_ruleset("two-player", 2, FEW_CARDS), "49")
    record = begin_record(match, seed="49")
    play_hand(match, record)
    record.note_left()
    path = tmp_path / "short.canasta"
    path.write_text(record.text(), encoding="utf-8")
    return path


def expect_at(page: Page, move: int) -> None:
    slider = page.get_by_role("slider", name="Position in this hand")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"move {move} of"))


def test_a_review_beside_the_replay_on_a_desk_and_under_it_on_a_telephone(
    server: Server, new_page: NewPage, record: Path
) -> None:
    page = new_page(DESKTOP, color_scheme="light")
    open_record(server, page, record)
    page.keyboard.press("r")
    panel = page.get_by_role("region", name="How it was played")
    mistake = panel.get_by_role("button", name=re.compile("discarded .* would have been worth about"))
    expect(mistake).to_be_visible()
    expect(panel.get_by_role("table").filter(has_text="own play")).to_have_count(2)
    assert findings(page) == []
    # The graph is a slider whose last position is the end of the hand.
    graph = panel.get_by_role("slider", name="Expected points in this hand")
    graph.fill(graph.get_attribute("max") or "")
    expect(page.get_by_role("button", name="Score sheet")).to_be_visible()
    mistake.click()
    expect_at(page, 5)
    panel.get_by_role("button", name="Show it").click()
    expect(panel).to_contain_text("This could have been played instead.")
    expect_at(page, 6)
    panel.get_by_role("button", name="Back to what was played").click()
    expect_at(page, 5)

    page.emulate_media(color_scheme="dark")
    resized(page, PHONE)
    expect(page.get_by_role("region", name="Move through the game")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Show it")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Home")).to_be_in_viewport(ratio=1)
    is_no_wider(page, PHONE[0])
    assert findings(page) == []
    luck = panel.get_by_role("button", name=re.compile("nlucky draw .* about"))
    luck.scroll_into_view_if_needed()
    luck.focus()
    page.keyboard.press("Enter")
    expect_at(page, 2)
    expect(page.get_by_role("group", name=re.compile("’s hand$"))).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("status").filter(has_text="below average")).to_be_in_viewport()

    page.keyboard.press("ArrowRight")
    expect_at(page, 3)
    panel.get_by_role("button", name=re.compile("^Play on as ")).click()
    expect(page).to_have_url(re.compile(r"/t/\w+\?replay=#1\.3$"))
    expect(page.get_by_role("group", name=re.compile("hand", re.IGNORECASE)).first).to_be_visible()
    practice = page.get_by_role("region", name="Practice")
    practice.get_by_role("link", name="Back to the replay").last.click()
    expect_at(page, 3)


def test_two_choices_within_one_move_are_both_shown(server: Server, new_page: NewPage, record: Path) -> None:
    def doubled(route: Route) -> None:
        answer = route.fetch()
        state = answer.json()
        if state.get("review"):
            for part in ("turning_points", "decisions"):
                state["review"][part] = [one for one in state["review"][part] for _ in range(2)]
            state["told"] = [one for one in state["told"] or () for _ in range(2)]
        route.fulfill(response=answer, json=state)

    page = new_page()
    page.route(re.compile("/api/reviews"), doubled)
    open_record(server, page, record)
    page.get_by_role("button", name="How was it played?").click()
    panel = page.get_by_role("region", name="How it was played")
    mistakes = panel.get_by_role("button", name=re.compile("discarded .* would have been worth about"))
    expect(mistakes).to_have_count(2)
    expect(panel.get_by_role("table").filter(has_text="own play")).to_have_count(2)
    mistakes.last.click()
    expect_at(page, 5)
    expect(panel.get_by_role("button", name="Show it")).to_have_count(2)
