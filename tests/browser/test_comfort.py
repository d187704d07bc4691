"""Conveniences at the table.

Selecting a rank in one gesture, looking before taking the pile, undo, portraits, open cards at the end, a
wreath, card styles, and turn alerts.
"""

import json
import re
from typing import Any, Final

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import resized
from browser.set_table import SetTable
from browser.test_access import findings
from browser.test_small_things import ACROSS
from playwright.sync_api import Locator, Route, expect

from canasta.table.event_views import Change
from canasta.table.wire import EventView

DRAWING: Final = (
    "{rules: caliente, hands: {0: Kc Kh Kd 9c 9h 4s 5d Qh}, melds: {0: [Q*4, 7*3], 1: [8*3]}, pile: 6d 4c Ks}"
)
PLAYING: Final = (
    "{rules: caliente, options: {turn.undo: true}, phase: play, hands: {0: Kc Kh Kd 9c 5d}, "
    "melds: {0: [Q*4, 7*3]}, pile: 6d 4c}"
)
LAST_CARD: Final = (
    "{rules: jaques, phase: play, scores: [4900, 0], hands: {0: 4c, 1: 5d 5h Ac, 2: 6c, 3: 9d}, "
    "melds: {0: [Q*7]}, pile: 6d}"
)


def on_both(first: tuple[int, int]) -> pytest.MarkDecorator:
    """Run on desktop and phone; the one that isn't `first` only in the long run."""
    sizes = {DESKTOP: "desktop", PHONE: "phone"}
    return pytest.mark.parametrize(
        "size",
        [
            pytest.param(size, id=name, marks=() if size == first else pytest.mark.long)
            for size, name in sizes.items()
        ],
    )


def seated(
    server: Server, new_page: NewPage, position: str, size: tuple[int, int], **settings: object
) -> SetTable:
    me = SetTable(new_page(size, **settings), position)
    me.come(server.url)
    return me


def chosen(me: SetTable) -> Locator:
    return me.page.locator("[data-place=hand] [aria-pressed=true]")


def card(me: SetTable, text: str) -> Locator:
    return me.page.locator(f"[data-place=hand] [data-card='{text}']").first


def badge(me: SetTable, seat: int) -> Locator:
    return me.page.locator(f"[data-place='seat:{seat}']")


def test_pressing_twice_or_long_takes_the_whole_rank(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, DRAWING, DESKTOP)
    mouse = me.page.mouse
    card(me, "Kh").dblclick(position={"x": 12, "y": 40})
    expect(chosen(me)).to_have_count(3)
    card(me, "Kh").dblclick(position={"x": 12, "y": 40})
    expect(chosen(me)).to_have_count(0)
    me.page.evaluate("window.quickTimers = true")
    for size in (DESKTOP, PHONE):
        resized(me.page, size)
        card(me, "9h").hover(position={"x": 12, "y": 40})
        mouse.down()
        expect(chosen(me)).to_have_count(2)
        mouse.up()
        expect(chosen(me)).to_have_count(2)
        me.page.keyboard.press("Escape")
        expect(chosen(me)).to_have_count(0)
    card(me, "Kd").focus()
    me.page.keyboard.press("Shift+Space")
    expect(chosen(me)).to_have_count(3)
    assert me.made == []


@on_both(PHONE)
def test_a_click_on_the_pile_looks_and_taking_shows_what_it_lays(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    me = seated(server, new_page, DRAWING, size, color_scheme="dark")
    me.choose("Kc", "Kh")
    expect(me.button("^Take")).to_contain_text("K♣ K♥ + K♠")
    me.page.keyboard.press("Escape")
    me.page.locator("[data-place=pile]").click()
    looks = me.page.get_by_role("dialog")
    expect(
        looks.get_by_role("listitem").filter(has=me.page.get_by_role("img", name="Six of diamonds"))
    ).to_be_visible()
    ways = looks.get_by_role("img", name=re.compile("^Lays King"))
    expect(ways).to_have_count(len(me.table["you"]["takes"]))
    assert me.made == []
    assert findings(me.page) == []
    looks.get_by_role("button", name="Take the pile").first.click()
    me.wait_until(lambda: me.made != [])
    assert re.fullmatch(r"take K\S* K\S*", me.made[0])
    expect(me.page.locator("[data-place='meld:0:K']")).to_be_visible()


def test_a_squared_pile_shows_no_more_than_its_top(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, DRAWING.replace("caliente", "jaques"), DESKTOP)
    me.page.keyboard.press("p")
    looks = me.page.get_by_role("dialog")
    expect(looks).to_contain_text("2 cards beneath are hidden.")
    expect(looks.locator("ol li")).to_have_count(1)


# A discard can be undone for two seconds, but a busy machine needs longer to press a button.
SLOWLY: Final = """
  const usual = window.setTimeout;
  window.setTimeout = (what, after, ...more) => usual(what, after === 2000 ? 600000 : after, ...more);
"""


@on_both(PHONE)
def test_a_meld_and_a_discard_are_taken_back(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    me = SetTable(new_page(size), PLAYING)
    me.page.add_init_script(SLOWLY)
    me.come(server.url)
    me.choose("Kc", "Kh", "Kd")
    me.button("^Meld").click()
    kings = me.page.locator("[data-place='meld:0:K']")
    expect(kings).to_be_visible()
    me.button("^Undo$").click()
    expect(kings).to_have_count(0)
    expect(me.cards).to_have_count(5)
    me.page.evaluate("localStorage.setItem('canasta.settings', JSON.stringify({discardPause: 'on'}))")
    me.page.reload()
    me.choose("5d")
    me.button("^Discard").click()
    me.button("^Undo discard").click()
    expect(me.cards).to_have_count(5)
    assert not any(move.startswith("discard") for move in me.made)


# Portraits that were ever shown in the wreath: it may be gone before a busy machine asks for it.
CROWNED: Final = """
  window.crowned = 0;
  new MutationObserver(() => {
    window.crowned = Math.max(window.crowned, document.querySelectorAll('.wreath [data-face]').length);
  }).observe(document.body, {childList: true, subtree: true});
"""


# The sheet counts line by line until somebody asks to see all of it.
COUNTING: Final = """
  const usual = window.setInterval;
  window.setInterval = (what, after, ...more) => usual(what, after === 320 ? 600000 : after, ...more);
"""


@on_both(DESKTOP)
def test_the_end_opens_the_cards_and_crowns_the_winners(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    me = SetTable(new_page(size), LAST_CARD)
    me.page.add_init_script(COUNTING)
    me.page.emulate_media(reduced_motion="no-preference")
    me.come(server.url)
    expect(me.page.locator(".side.mine .goal")).to_contain_text("ready to go out")
    shown = me.page.get_by_role("img", name=re.compile("^Cards of "))
    expect(shown).to_have_count(0)
    assert all(seat["shows"] == [] for seat in me.table["seats"])
    me.page.evaluate(CROWNED)
    me.choose("4c")
    me.button("^Discard").click()
    hers = shown.and_(me.page.get_by_label(re.compile("Cards of West: .*5♦♥")))
    expect(hers.locator(".card")).to_have_count(3)
    me.wait_until(lambda: me.page.evaluate("window.crowned") == 2)
    expect(me.page.locator(".wreath")).to_have_count(0)
    look = me.sheet.get_by_role("button", name="View table")
    whole = me.sheet.get_by_role("button", name="Show everything")
    expect(whole).to_be_visible()
    expect(look).to_have_count(0)
    whole.click()
    expect(look).to_be_visible()
    expect(whole).to_have_count(0)


def test_stillness_has_no_wreath_and_a_sheet_across_keeps_its_height(
    server: Server, new_page: NewPage
) -> None:
    me = seated(server, new_page, LAST_CARD, DESKTOP)
    me.page.evaluate(CROWNED)
    me.choose("4c")
    me.button("^Discard").click()
    expect(me.sheet).to_be_visible()
    assert me.page.evaluate("window.crowned") == 0
    # In landscape, the buttons are in one line and leave the height to the sheet.
    resized(me.page, ACROSS)
    buttons = me.sheet.locator("a.button, button.button")
    expect(buttons).to_have_count(5)
    tops = "(buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().top)).size"
    me.wait_until(lambda: buttons.evaluate_all(tops) == 1)


COLOURS: Final = """() => {
  const all = [...document.querySelectorAll("body *")];
  const seen = () => all.map((element) => getComputedStyle(element).color);
  const now = seen();
  document.documentElement.style.display = "none";
  seen();
  document.documentElement.style.display = "";
  return [now, seen()];
}"""
"""The colours of all texts, now and after the page is redrawn."""


def test_all_texts_follow_when_the_theme_changes_under_the_sheet(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, LAST_CARD, DESKTOP, color_scheme="dark")
    me.choose("4c")
    me.button("^Discard").click()
    expect(me.sheet).to_be_visible()
    dark, _ = me.page.evaluate(COLOURS)
    me.page.emulate_media(color_scheme="light")
    me.wait_until(lambda: bool(me.page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")))
    now, anew = me.page.evaluate(COLOURS)
    assert now == anew
    assert now != dark


def test_faces_stand_at_the_seats_and_one_s_own_is_chosen(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, PLAYING, DESKTOP, color_scheme="light")
    for seat in (1, 2, 3):
        expect(badge(me, seat).locator("[data-face^=novice]")).to_be_visible()
    me.page.get_by_role("button", name="Settings").click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_text("Cards and portraits").click()
    dialog.get_by_role("radio", name="Portrait 14").check(force=True)
    me.wait_until(lambda: me.table["seats"][0]["face"] == "club-3")
    expect(badge(me, 0).locator("[data-face=club-3]")).to_have_count(1)
    dialog.get_by_role("radio", name="fans").check(force=True)
    expect(me.page.locator("[data-place=stock] use").first).to_have_attribute("href", "#card-back-fans")
    dialog.get_by_role("radio", name="without figures").check()
    expect(card(me, "Kc").locator("use")).to_have_attribute("href", re.compile("-p-"))
    assert findings(me.page) == []


def test_court_cards_have_the_letters_of_the_language(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, DRAWING, PHONE)
    for language, indices, letter in (("de", "local", "D"), ("es", "local", "Q"), ("de", "english", "Q")):
        me.page.evaluate(
            "(all) => localStorage.setItem('canasta.settings', JSON.stringify(all))",
            {"language": language, "indices": indices},
        )
        me.page.reload()
        expect(me.page.locator("html")).to_have_attribute("lang", language)
        expect(card(me, "Qh").locator("use")).to_have_attribute("href", re.compile(f"^#card-Qh-{letter}-"))


# The last words seen at each seat: they are shown for only a few seconds.
SAID: Final = """
  window.said = {};
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('[data-place^="seat:"] .saying'))
      window.said[one.closest('[data-place^="seat:"]').dataset.place.slice(5)] = one.innerText.trim();
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
"""


def said(me: SetTable, seat: int) -> str | None:
    words: str | None = me.page.evaluate(f"window.said[{seat}]")
    return words


@on_both(DESKTOP)
def test_answers_timeouts_and_departures_are_seen_at_the_seat(
    server: Server, new_page: NewPage, size: tuple[int, int]
) -> None:
    position = LAST_CARD.replace("0: 4c,", "0: 4c 7d 7s,").replace("[Q*7]", "[Q*7, 7*3]")
    me = seated(server, new_page, position, size)
    me.page.evaluate(SAID)
    me.button("^Ask").click()
    me.page.get_by_role("region", name=re.compile("abide")).get_by_role(
        "button", name=re.compile("^Ask")
    ).click()
    me.wait_until(lambda: said(me, 2) in ("Yes, go out!", "No, not yet."))
    change: Change = [EventView(what="time_ran_out", seat=1), EventView(what="left", seat=3)]
    me.host.on_change(me.host.frame(change), change)
    me.wait_until(lambda: (said(me, 1), said(me, 3)) == ("Out of time", "Left"))


SHOWN: Final = """() => {
  window.shown = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (title, ...others) {
    await show.call(this, title, ...others);
    window.shown.push(title);
  };
}"""
"""Records the notices that the browser has shown, because it may remove them at any time."""


def test_a_notice_tells_of_one_s_turn_while_the_page_is_hidden(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, PLAYING, DESKTOP, service_workers="allow")
    page = me.page
    page.context.grant_permissions(["notifications"])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.evaluate(SHOWN)
    page.get_by_role("button", name="Settings").click()
    wanted = page.get_by_role("switch", name="Tell me when it’s my turn")
    wanted.click()
    expect(wanted).to_be_checked()  # the browser asks for permission first
    page.keyboard.press("Escape")
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    me.choose("5d")
    me.button("^Discard").click()
    me.wait_until(lambda: page.evaluate("window.shown") == ["Your turn"])
    expect(page).to_have_title(re.compile("^Your turn"))
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    notices = "navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.length)"
    me.wait_until(lambda: page.evaluate(notices) == 0)


PUSH_SERVICE: Final = """
  let held = null;
  PushManager.prototype.getSubscription = async () => held;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => held = {
    options: { applicationServerKey: new Uint8Array([4]).buffer },
    toJSON: () => ({ endpoint: "https://push/" + applicationServerKey, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: async () => { held = null; return true; },
  };
"""
"""A headless browser has no push service."""


def test_a_notice_comes_when_the_page_is_closed(server: Server, new_page: NewPage) -> None:
    me = seated(server, new_page, PLAYING, DESKTOP, service_workers="allow")
    page = me.page
    asked: list[tuple[str, str | None]] = []

    def answer(route: Route) -> None:
        asked.append((route.request.method, route.request.post_data))
        if route.request.method == "GET":
            route.fulfill(json={"key": "BA"})
        else:
            route.fulfill(status=204)

    page.route("**/api/push", answer)
    page.context.grant_permissions(["notifications"])
    page.evaluate(f"navigator.serviceWorker.ready.then(() => {{ {PUSH_SERVICE} }})")
    page.get_by_role("button", name="Settings").click()
    switch = page.get_by_role("switch", name="Tell me when it’s my turn")
    switch.click()
    told = page.get_by_text("Even when the page is closed.")
    expect(told).to_be_visible()
    kept = '{"endpoint":"https://push/BA","p256dh":"p","auth":"a"}'
    assert asked == [("GET", None), ("POST", kept)]
    switch.click()
    expect(told).to_be_hidden()
    me.wait_until(lambda: asked[2:] == [("DELETE", None)])
    # The service worker shows the server's notices, whatever page is open.
    page.goto(f"{server.url}/games")
    line = page.context.new_cdp_session(page)
    workers: list[dict[str, Any]] = []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda event: workers.extend(event["registrations"]))
    line.send("ServiceWorker.enable")
    me.wait_until(lambda: bool(workers))
    notice = json.dumps({"table": "abc", "text": "Sua vez"})
    line.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": server.url, "registrationId": workers[0]["registrationId"], "data": notice},
    )
    notices = (
        "navigator.serviceWorker.ready.then((one) => one.getNotifications())"
        ".then((all) => all.map((one) => one.title + one.data))"
    )
    me.wait_until(lambda: page.evaluate(notices) == ["Sua vez/t/abc"])
