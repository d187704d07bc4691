"""A guest opens the page and plays whole hands by clicking, in several games, on desktop and phone."""

import re

import pytest
from browser.conftest import PHONE, NewPage, Server
from browser.person import FIVE_AT_ONCE, Person, is_no_wider
from playwright.sync_api import expect


def test_a_guest_plays_a_whole_hand_from_the_first_page(server: Server, new_page: NewPage) -> None:
    person = Person(new_page())
    person.play_now(server.url)
    expect(person.cards).to_have_count(11)
    assert person.play_hand() > 5
    expect(person.sheet).to_contain_text("Melded cards")
    expect(person.sheet).to_contain_text("This hand")
    table = person.page.url.rpartition("/")[2]
    record = person.page.request.get(f"{server.url}/api/tables/{table}/record").text()
    # The page has contributed a seed of its own, so the server alone did not choose the cards.
    part = "[0-9a-f]{64} [0-9a-f]{64}"
    assert re.search(rf"^hand 1 fair-2 round 1, server {part}, seat 0 {part}$", record, re.MULTILINE)
    expect(person.sheet).to_contain_text("Cards checked")
    person.page.get_by_role("button", name="Next hand").click()
    expect(person.sheet).to_be_hidden()
    expect(person.page.get_by_text("Hand 2").first).to_be_visible()


@pytest.mark.parametrize(
    ("rules", "players", "options"),
    [
        ("hand-and-foot", 4, {"deck.decks": 3, "turn.draw": 5}),
        ("burraco", 4, FIVE_AT_ONCE),
        *(
            pytest.param(rules, players, {}, marks=pytest.mark.long)
            for rules, players in (
                ("hand-and-foot", 4),
                ("burraco", 4),
                ("two-player", 2),
                ("american", 4),
                ("caliente-samba", 4),
                ("jaques", 3),
                ("bolivia", 6),
                ("buraco-fechado", 2),
            )
        ),
    ],
)
def test_whole_hands_in_other_games(
    server: Server, new_page: NewPage, rules: str, players: int, options: dict[str, object]
) -> None:
    person = Person(new_page())
    person.start(server.url, rules, players, options=options)
    assert person.play_hand() > 3
    expect(person.sheet).to_contain_text("This hand")
    expect(person.sheet).to_contain_text("Cards checked")


def test_a_whole_hand_on_a_phone(server: Server, new_page: NewPage) -> None:
    person = Person(new_page(PHONE))
    person.start(server.url, "caliente", 4, options=FIVE_AT_ONCE)
    assert person.play_hand() > 3
    expect(person.sheet).to_be_visible()
    is_no_wider(person.page, PHONE[0])


def test_drawing_and_discarding_by_clicking_on_cards(server: Server, new_page: NewPage) -> None:
    person = Person(new_page())
    person.play_now(server.url)
    for _ in range(3):
        assert person.wait_for_turn()
        before = person.count_cards()
        person.draw_and_discard()
        expect(person.cards).to_have_count(before)


ANSWERS_COME_LATE = """{
  // What a move led to is shown before the move is answered; here the answer never comes.
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(hear) {
      set.call(this, hear && ((event) => {
        if (!window.answersWait || JSON.parse(event.data).t !== "done") hear(event);
      }));
    },
  });
}"""


def test_a_quick_player_need_not_wait_for_the_answer_to_a_move(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(ANSWERS_COME_LATE)
    person = Person(page)
    person.play_now(server.url)
    page.evaluate("window.answersWait = true")
    for _ in range(2):
        assert person.wait_for_turn()
        before = person.count_cards()
        page.keyboard.press("d")
        expect(person.cards).to_have_count(before + 1)
        person.cards.first.click(position={"x": 14, "y": 30})
        page.keyboard.press("x")
        expect(person.cards).to_have_count(before)
        expect(page.locator("[data-place=hand] [aria-pressed=true]")).to_have_count(0)


def test_a_refused_move_shows_its_reason_and_opens_its_rule(server: Server, new_page: NewPage) -> None:
    """Every hand has two cards that can't be melded on their own; the first meld also needs its minimum."""
    person = Person(new_page())
    person.play_now(server.url)
    assert person.wait_for_turn()
    person.button(r"^Draw").click()
    person.wait_until(lambda: person.table["phase"] == "play")
    before = len(person.table["you"]["cards"])
    expect(person.cards).to_have_count(before)
    person.cards.nth(0).click()
    person.button(r"^Meld").click()
    note = person.page.get_by_role("alert")
    expect(note).to_have_text(re.compile(r".{20}"))
    expect(person.cards).to_have_count(before)


def test_why_the_pile_cannot_be_taken(server: Server, new_page: NewPage) -> None:
    """Whenever the pile can't be taken, the button gives the reason and the rule."""
    person = Person(new_page())
    person.start(server.url, "jaques", 4)
    for _ in range(30):
        assert person.wait_for_turn()
        # Wait for the buttons of this turn.
        expect(person.button(r"^Draw")).to_have_attribute("aria-disabled", "false")
        take = person.button(r"^Take")
        if take.get_attribute("aria-disabled") == "true":
            break
        person.draw_and_discard()
    else:
        raise AssertionError("the pile can always be taken")
    # By keyboard: focusing the button shows the reason, and Tab and Enter open the rule.
    note = person.page.locator(".note")
    person.button(r"^Draw").focus()
    person.page.keyboard.press("Tab")
    expect(take).to_be_focused()
    expect(note).to_have_attribute("role", "status")
    person.page.keyboard.press("Tab")
    person.page.keyboard.press("Enter")
    rule = person.page.get_by_role("dialog")
    expect(rule).to_contain_text(re.compile("PILE-|OPEN-"))
    person.page.keyboard.press("Escape")
    expect(rule).to_be_hidden()
    take.click(force=True)  # it is marked as disabled but still gives the reason
    expect(note).to_contain_text(re.compile(r"[A-Z]+-\d+"))
    note.get_by_role("button", name=re.compile(r"Rule|[A-Z]+-\d+")).first.click()
    expect(rule).to_contain_text(re.compile("PILE-|OPEN-"))
