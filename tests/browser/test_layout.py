"""Every screen on every phone: the hand, the buttons and any open panel fit and are within reach."""

import re
from typing import Final

import pytest
from browser.conftest import DESKTOP, NewPage, Server
from browser.person import is_no_wider, resized, wait_until
from browser.set_table import SetTable
from browser.test_access import findings
from browser.test_small_things import is_on_top
from playwright.sync_api import Page, expect

Sizes = tuple[tuple[int, int], ...]

SIZES: Final = (
    *((360, 640), (390, 664), (390, 844), (844, 390)),
    *((768, 1024), (1024, 768), (1280, 800), (1920, 1080)),
)

DEAL: Final = "{rules: jaques-samba, players: %d, turn: 0}"
_HAND: Final = "4h 4s 4d 5c 5d 5h 6c 6c 6d 7s 7d 7h 8h 8c 9s 9s Td Tc Jh Js Qd Qh Kc Kd As Jo"
_MELDS: Final = (
    "[A*4, K*5 2, Q*3, J*4, T*3, 9*7, 8*4 2 2, 7*3, 4s 5s 6s 7s 8s 9s Ts, 5d 6d 7d 8d]",
    "[A*3, K*3, Q*3 2, J*3, T*4 Jo, 6*7, 5*4 2]",
    "[Q*3, 8*3, 4*5]",
)
FULL: Final = (
    "{rules: jaques-samba, players: %d, options: {pile.look_through: true}, turn: 0, phase: play, hands: {0: "
    + _HAND
    + "}, melds: {%s}, "
    "bonus: {0: 3h 3d, 1: 3h 3h}, pile: 4c 7c 8d 9h Tc 3s Jd Qs 5s}"
)
FIRST_MELD: Final = (
    "{rules: jaques-samba, players: %d, turn: 0, hands: {0: " + _HAND + "}, melds: {1: " + _MELDS[1] + "}, "
    "pile: 4c 7c 8d 9h 8s}"
)
LAST_CARD: Final = (
    "{rules: jaques-samba, players: %d, turn: 0, phase: play, hands: {0: 9c 6d}, "
    "melds: {0: [A*7, K*7, 4s 5s 6s 7s 8s 9s Ts], 1: " + _MELDS[1] + "}, pile: 4c 7c 8d}"
)
FAMILIES: Final = {
    "american": (
        "{rules: american, turn: 0, phase: play, "
        "hands: {0: A 7 7 7 2 9 9 9 6 6 6 T T 5 5 K K K Q Q J J 8 4}, "
        "melds: {0: [K*4, 7*3, J*5 2 2, Q*4, 9*3], 1: [T*5 2 2, 8*5, 5*4, A*3]}, "
        "bonus: {0: 3r 3b, 1: 3r 3r 3b}, pile: '', talon: {0: 4, 3: 3}}"
    ),
    "burraco": (
        "{rules: burraco, turn: 0, phase: play, "
        "hands: {0: 4h 5h 7c Jo 2d Ah 3d 3s Kc Kd 2h 8d 8s 9d Td Qc Qs Ac 5c 6d Js 4d}, "
        "melds: {0: [6h 7h Jo 9h, 3c 4c 5c 6c 7c 8c 9c, T*5 2s, Jd Qd Kd Ad, 5h 5s 5d], "
        "1: [7s 8s 9s Ts Js Qs Ks As 2c, 6c 6s 6d, 8h 9h Th]}, pile: 4s 7d Kh Jo}"
    ),
    "hand-and-foot": (
        "{rules: hand-and-foot, players: 6, turn: 0, phase: play, hands: {0: " + _HAND + "}, "
        "melds: {0: [A*4, K*5 2, Q*3, J*7, 9*7, 8*5 2 2, 7*3], 1: [A*3, K*3, Q*3 2, T*7]}, pile: 4 5 6}"
    ),
    "bolivia": (
        "{rules: bolivia, turn: 0, phase: play, hands: {0: " + _HAND + "}, melds: {0: [4s 5s 6s 7s 8s 9s Ts, "
        "5d 6d 7d 8d, 9c Tc Jc, 4h 5h 6h 7h 8h, 2*4 Jo, A*4], 1: [Jh Qh Kh Ah, 8*3, 2*3]}, pile: 4 5 6}"
    ),
}

FAULTS: Final = """async ([panel, width, height]) => {
    let faults = [];
    const all = (what) => [...document.querySelectorAll(what)];
    // A rule sheet has pictures of melds and piles too.
    const laidOut = (what) => [...document.querySelector("main.table").querySelectorAll(what)];
    const name = (one) => one.getAttribute("aria-label") || one.textContent.trim() || one.className;
    const hits = (one, x, y) => {
        const at = document.elementFromPoint(x, y);
        return at !== null && one.contains(at);
    };
    const middle = (one) => {
        const box = one.getBoundingClientRect();
        return hits(one, box.left + box.width / 2, box.top + box.height / 2);
    };
    const within = (one, { left, top, right, bottom }) => {
        const box = one.getBoundingClientRect();
        const over = [left - box.left, top - box.top, box.right - right, box.bottom - bottom];
        return Math.max(...over) <= 0.75;
    };
    const screen = { left: 0, top: 0, right: width, bottom: height };
    const inside = (one) => within(one, screen) || faults.push(`${name(one)} is not inside the window`);

    const look = () => {
        faults = [];
        if (innerWidth !== width || innerHeight !== height) faults.push("the window has another size");
        const hand = document.querySelector("[data-place=hand]");
        const cards = [...hand.querySelectorAll("button")];
        const bar = document.querySelector("section.bar");
        const buttons = [...bar.querySelectorAll(":scope > div button.button")];
        const piles = laidOut("[data-place=stock], [data-place=pile]");
        [hand, ...cards, bar, ...buttons, ...piles].forEach(inside);
        if (Math.min(innerWidth, innerHeight) < 500) {
            const low = buttons.filter((one) => one.getBoundingClientRect().height < 39.5);
            low.forEach((one) => faults.push(`${name(one)} is too low for a thumb`));
        }
        for (const meld of laidOut("[data-place^='meld:']")) {
            const side = meld.closest("section").getBoundingClientRect();
            if (!within(meld, side)) faults.push(`${name(meld)} is not wholly to be seen`);
        }
        const boxes = (what) => laidOut(what).map((one) => [one, one.getBoundingClientRect()]);
        const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
        const meet = (a, b) => across(a, b) && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const seats = boxes("[data-place^='seat:']");
        const laid = boxes("[data-place^='meld:'], [data-place=stock], [data-place=pile]");
        seats.forEach(([one, box], at) => {
            for (const [other, there] of [...seats.slice(at + 1), ...laid]) {
                if (meet(box, there)) faults.push(`${name(one)} lies over ${name(other)}`);
            }
        });
        for (const [open, box] of boxes("[role=img].open")) {
            inside(open);
            for (const [other, there] of [...seats, ...laid, [hand, hand.getBoundingClientRect()]]) {
                if (meet(box, there)) faults.push(`${name(open)} lies over ${name(other)}`);
            }
        }
        if (panel === null) {
            for (const card of cards) {
                const box = card.getBoundingClientRect();
                const seen = hits(card, box.left + 14, box.top + box.height * 0.4);
                if (!seen) faults.push(`${name(card)} is covered`);
            }
            buttons.filter((one) => !middle(one)).forEach((one) => faults.push(`${name(one)} is covered`));
        } else {
            const open = document.querySelector(panel);
            inside(open);
            const close = open.querySelector("[aria-label*='Close'], [aria-label*='close']");
            if (close) {
                inside(close);
                if (!middle(close)) faults.push(`the way out of ${name(open)} is covered`);
            }
        }
        for (const refusal of all("[role=alert]").filter((one) => one.textContent.trim() !== "")) {
            inside(refusal);
            const told = (one) => refusal.textContent.includes(one.textContent.trim());
            if (!middle(refusal) && !all("dialog[open] .refusal").some(told)) {
                faults.push(`the refusal is covered: ${refusal.textContent}`);
            }
        }
        const page = document.documentElement;
        if (page.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
        if (page.scrollHeight > innerHeight) faults.push("the page scrolls");
    };
    // Sizes are measured and come to rest within some frames, which take their time on a busy machine.
    const end = performance.now() + 60000;
    for (let frame = 0; frame < 240 || performance.now() < end; frame++) {
        await new Promise(requestAnimationFrame);
        look();
        if (frame > 2 && faults.length === 0) break;
    }
    return faults;
}"""


def faults(page: Page, sizes: Sizes, panel: str | None = None) -> list[str]:
    """Return the layout faults at these sizes; `panel` is open."""
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(FAULTS, [panel, width, height])
        found += [f"{width}×{height} {panel or ''}: {fault}" for fault in seen]
    return found


def full(players: int) -> str:
    """Return a position with large hands, a pile, and many melds on every side."""
    sides = 3 if players == 3 else 2
    return FULL % (players, ", ".join(f"{side}: {melds}" for side, melds in enumerate(_MELDS[:sides])))


@pytest.fixture
def page(new_page: NewPage, server: Server) -> Page:
    page = new_page()
    sheet = f"{server.url}/api/games/jaques-samba/rules?players=4&lang=en"
    page.route("**/api/tables/set/rules*", lambda route: route.continue_(url=sheet))
    return page


def lay(me: SetTable, server: Server, position: str) -> None:
    me.set(position)
    me.come(server.url)


def at_a_desk(page: Page) -> None:
    """Use a window size at which every card of the hand is easy to click."""
    resized(page, DESKTOP)


def with_panels(me: SetTable, sizes: Sizes) -> list[str]:
    """Return the layout faults with each panel that a turn has, opened one after the other."""
    page = me.page
    found = []

    def press(name: str) -> None:
        page.get_by_role("button", name=re.compile(name)).first.click()

    def opened(panel: str, *, refused: bool = False) -> None:
        expect(page.locator(panel)).to_be_visible()
        found.extend(faults(page, sizes, panel))
        page.keyboard.press("Escape")
        expect(page.locator(panel)).to_have_count(0)
        if refused:
            expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_have_count(1)

    press("^Hint$")
    expect(page.get_by_role("button", name=re.compile("^Do it")).first).to_be_visible()
    opened("section.panel[aria-label=Hint]")
    press("^Say something")
    opened(".chat .panel")
    press("^Settings")
    opened("dialog[open]")
    page.locator("[data-place=pile]").click()
    opened("dialog[open]")
    # A refusal stays visible, whatever panel it leads to.
    at_a_desk(page)
    me.choose("4h")
    me.button("^Meld").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    found.extend(faults(page, sizes, "[role=alert]"))
    press("^Rule ")
    expect(page.locator("dialog[open] article")).to_be_visible()
    opened("dialog[open]", refused=True)
    at_a_desk(page)
    press("^Show events")
    opened("dialog[open]", refused=True)
    page.keyboard.press("Escape")
    press("^Settings")
    press("^Show the guide")
    guide = ".bubble.ready"
    expect(page.locator(guide)).to_be_visible()
    found.extend(faults(page, sizes, guide))
    press("^Close the guide")
    return found


def put_aside(me: SetTable) -> None:
    at_a_desk(me.page)
    for cards in (("4h", "4s", "4d"), ("5c", "5d", "5h"), ("6c", "6c", "6d"), ("7s", "7d", "7h")):
        me.choose(*cards)
        me.button("^Put aside").click()
    expect(me.page.get_by_role("list", name="Melds put aside").get_by_role("listitem")).to_have_count(4)


def everything(page: Page, server: Server, players: int, sizes: Sizes) -> list[str]:
    """Return the layout faults for `players`: at the deal, later, with each panel, and at the end."""
    me = SetTable(page, DEAL % players)
    me.come(server.url)
    found = faults(page, sizes)
    lay(me, server, full(players))
    found += faults(page, sizes)
    found += with_panels(me, sizes)
    lay(me, server, FIRST_MELD % players)
    put_aside(me)
    found += faults(page, sizes)
    lay(me, server, LAST_CARD % players)
    at_a_desk(page)
    me.choose("9c")
    me.button("^Discard").click()
    expect(me.sheet).to_be_visible()
    found += faults(page, sizes, "section[aria-label='Score sheet']")
    at_a_desk(page)
    page.get_by_role("button", name="View table").click()
    if any(seat["shows"] for seat in me.table["seats"][1:]):  # of two, the other one has gone out
        expect(page.get_by_role("img", name=re.compile("^Cards of ")).first).to_be_visible()
    found += faults(page, sizes)
    return found


def test_hand_buttons_and_panels_are_whole_with_six_players(page: Page, server: Server) -> None:
    assert everything(page, server, 6, ((360, 640), (844, 390))) == []


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hand_buttons_and_panels_are_whole(page: Page, server: Server, players: int) -> None:
    assert everything(page, server, players, SIZES) == []


def test_hand_and_buttons_are_whole_in_every_number_and_family(page: Page, server: Server) -> None:
    """Covers three sides, and games with talons, pots, feet and many sequences."""
    me = SetTable(page, full(3))
    found = []
    for position in (full(6), full(3), *FAMILIES.values()):
        lay(me, server, position)
        found += faults(page, ((390, 664),))
    assert found == []


@pytest.mark.long
def test_hand_and_buttons_are_whole_in_every_family_at_every_size(page: Page, server: Server) -> None:
    me = SetTable(page, full(3))
    found = []
    for position in (full(3), *FAMILIES.values()):
        lay(me, server, position)
        found += faults(page, (*SIZES, (430, 932), (820, 1180), (1180, 820), (1024, 560)))
    assert found == []


def test_start_stays_in_sight_and_house_rules_are_searched_and_taken_back(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/new?rules=jaques")
    start = page.get_by_role("button", name="Start now")
    expect(page.locator("#options-title")).to_be_visible()
    for width, height in (*SIZES, (820, 1180)):
        resized(page, (width, height))
        expect(start).to_be_in_viewport(ratio=1)
        wait_until(page, lambda: is_on_top(start))
        is_no_wider(page, width)
    at_a_desk(page)
    assert findings(page) == []
    page.locator("#options-title").click()
    usual = page.get_by_role("group").filter(has=page.get_by_role("heading", name="Most popular"))
    expect(usual.get_by_label("Score that ends the game", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Find an option").fill("going out concealed")
    expect(page.get_by_role("heading", name="Scoring a hand")).to_be_visible()
    expect(page.get_by_role("heading", name="Most popular")).to_have_count(0)
    page.get_by_role("searchbox", name="Find an option").fill("ends the game")
    page.get_by_label("Score that ends the game", exact=True).fill("3000")
    label = page.get_by_role("list", name="House rules").get_by_role("listitem")
    expect(label).to_have_text(re.compile("Score that ends the game: 3000"))
    assert findings(page) == []
    label.get_by_role("button").press("Enter")
    expect(label).to_have_count(0)
    expect(page.get_by_text("by the book", exact=True)).to_be_visible()
