"""Accessibility: keyboard only, screen readers (axe-core finds nothing), six languages, small screens."""

import re
from pathlib import Path
from typing import Any, Final, Literal
from urllib.request import Request, urlopen

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import SHORT, Person, is_no_wider, resized
from playwright.sync_api import Page, expect

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

SETTLED = """async () => {
  // One change of colour can begin another, frame by frame, from an element to those inside it.
  for (let still = 0; still < 3; ) {
    await new Promise(requestAnimationFrame);
    const running = document.getAnimations().filter(
      (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity
    );
    still = running.length ? 0 : still + 1;
    await Promise.allSettled(running.map((each) => each.finished));
  }
}"""


RUN = "async (rules) => axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })"
OF_COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""The axe-core rules about colours."""


def findings(page: Page, rules: list[str] | None = None) -> list[str]:
    """Return the problems that axe-core finds on the page, by these rules or by all of them."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: run npm ci in web/")
    # A button that has just become active is between two colours for a moment; wait until it settles.
    page.evaluate(SETTLED)
    # The test evaluates the script itself: the page's security policy doesn't allow loading foreign scripts.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = page.evaluate(RUN, rules)
    return [
        f"{found['id']}: {found['help']}: {[node['html'][:120] for node in found['nodes'][:3]]}"
        for found in result["violations"]
    ]


def findings_by_day_and_night(page: Page) -> list[str]:
    found: list[str] = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # In dark mode, the page differs only in its colours.
        rules = OF_COLOURS if scheme == "dark" else None
        found += [f"{scheme}: {finding}" for finding in findings(page, rules)]
    return found


def findings_in_every_look(page: Page) -> list[str]:
    """Return the problems that axe-core finds on desktop and phone, there also in dark mode.

    Nothing may overflow either.
    """
    found: list[str] = []
    for size in (DESKTOP, PHONE):
        resized(page, size)
        # The colours are those of every size.
        look = findings if size == DESKTOP else findings_by_day_and_night
        found += [f"{size[0]} wide, {finding}" for finding in look(page)]
        is_no_wider(page, size[0])
    return found


@pytest.mark.parametrize("path", ["/", "/new", "/rules/hand-and-foot", "/nowhere"])
def test_axe_finds_nothing_on_the_pages(server: Server, new_page: NewPage, path: str) -> None:
    page = new_page()
    page.goto(server.url + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert findings_in_every_look(page) == []


def test_axe_finds_nothing_at_the_table(server: Server, new_page: NewPage) -> None:
    person = Person(new_page())
    person.start(server.url, "two-player", 2, options=SHORT)
    assert person.wait_for_turn()
    assert findings_in_every_look(person.page) == []
    person.play_out()
    expect(person.sheet).to_contain_text("Cards checked")
    assert findings_in_every_look(person.page) == []


def test_a_hand_by_keys_alone(server: Server, new_page: NewPage) -> None:
    """Play from the first page through a few turns without a single click."""
    person = Person(new_page())
    page = person.page
    page.goto(server.url)
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").startswith("Play now"):
            break
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/t/\w+"))
    expect(person.hand).to_be_visible()
    page.keyboard.press("Escape")
    for _ in range(3):
        assert person.wait_for_turn()
        before = person.count_cards()
        page.keyboard.press("d")
        expect(person.cards).to_have_count(before + 1)
        focused = "document.activeElement.closest('[role=group]') !== null"
        for _ in range(40):
            if page.evaluate(focused):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        # Press the discard key only after the card is shown as selected.
        expect(page.locator("[data-place=hand] [aria-pressed=true]")).to_have_count(1)
        page.keyboard.press("x")
        expect(person.cards).to_have_count(before)


IN: Final = {
    "es": ("Jugar", "Canasta clásica (Jaques)", "Las cartas", "Cartas que se reparten"),
    "de": ("spielen", "Klassisches Canasta (Jaques)", "Die Karten", "Karten pro Spieler"),
    "fr": ("Jouer", "Canasta classique (Jaques)", "Les cartes", "Cartes distribuées"),
    "it": ("Gioca", "Canasta classica (Jaques)", "Le carte", "Carte distribuite"),
    "pt": ("Jogar", "Canastra clássica (Jaques)", "As cartas", "Cartas distribuídas"),
}
ALWAYS: Final = ("de", "pt")
"""The languages of the short run; other tests check that every language has all texts."""


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=() if language in ALWAYS else pytest.mark.long, id=language)
        for language in IN
    ],
)
def test_the_page_its_rules_and_their_options_are_in_the_browsers_language(
    server: Server, new_page: NewPage, language: str
) -> None:
    word, title, section, option = IN[language]
    page = new_page(locale=language)
    page.goto(server.url)
    expect(page.get_by_role("button", name=re.compile(word, re.IGNORECASE)).first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.goto(f"{server.url}/rules/jaques")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("heading", level=2).first).to_have_text(section)
    expect(page.locator("article")).to_have_attribute("lang", language)
    english = page.locator("article .lines li").filter(has_text=re.compile(r"\b(the|card|cards|with)\b"))
    expect(english).to_have_count(0)
    page.goto(f"{server.url}/new?rules=jaques")
    page.locator("#options-title").click()
    expect(page.get_by_text(option, exact=True).first).to_be_visible()


def test_a_waiting_table_tells_its_game_and_house_rules_in_the_browsers_language(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(locale="de")
    page.goto(f'{server.url}/new?rules=jaques&options={{"target":3000}}')
    page.get_by_role("button", name="Freunde einladen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Klassisches Canasta (Jaques)")
    expect(page.get_by_text("Punkte zum Ende der Partie: 3000")).to_be_visible()
    page.get_by_role("button", name="Regeln dieses Tisches").click()
    expect(page.get_by_role("heading", name="Hausregeln")).to_be_visible()


def test_the_rules_follow_a_change_of_language(server: Server, new_page: NewPage) -> None:
    page = new_page(locale="en")
    page.goto(f"{server.url}/rules/bolivia?players=2#OPEN-1")
    expect(page.locator("article h2").first).to_have_text("The cards")
    # Pictures above the linked rule load later and push it down.
    expect(page.locator("article figure").first).to_be_attached()
    expect(page.locator("article [data-marked]")).to_be_in_viewport(ratio=1)
    page.locator("header select").select_option("it")
    expect(page.locator("article h2").first).to_have_text("Le carte")


def as_it_travels(address: str) -> int:
    """Return the number of bytes that the server sends a browser for this address."""
    asked = Request(address, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})  # noqa: S310 - our own server
    with urlopen(asked) as answer:  # noqa: S310
        return len(answer.read())


@pytest.mark.parametrize("language", ["en", "de"])
def test_from_the_first_page_to_the_first_card_little_is_fetched(
    server: Server, new_page: NewPage, language: str
) -> None:
    """Scripts, styles, texts, fonts, pictures and responses stay under 150,000 bytes compressed.

    Each address counts once, and is requested again because the browser reports some responses as smaller
    than nothing.
    """
    page = new_page(locale=language)
    line = page.context.new_cdp_session(page)
    fetched: dict[str, None] = {}
    ordered: dict[str, int] = {}

    def note(asked: dict[str, Any]) -> None:
        if asked["request"]["method"] == "GET":
            fetched[asked["request"]["url"]] = None
        else:
            ordered[asked["requestId"]] = 0

    def weigh(answered: dict[str, Any]) -> None:
        # Don't send a command twice just to measure its response. It's short, but its headers count too.
        if answered["requestId"] in ordered:
            ordered[answered["requestId"]] = answered["encodedDataLength"]

    line.on("Network.requestWillBeSent", note)
    line.on("Network.loadingFinished", weigh)
    line.send("Network.enable")
    page.goto(server.url)
    expect(page.locator("main button.primary")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.locator("main button.primary").click()
    expect(page).to_have_url(re.compile(r"/t/\w+"))
    expect(page.locator("[role=group] [data-card]").first).to_be_visible()
    sizes = {address.removeprefix(server.url): as_it_travels(address) for address in fetched}
    assert {"/", "/api/games", "/assets/bitter-600.woff2", "/assets/TablePage.js"} <= sizes.keys()
    assert not [path for path in sizes if re.search("NewTable|Replay|Panels|HandOver|refusals", path)]
    assert sum(sizes.values()) + sum(ordered.values()) < 150_000, sizes


def test_the_page_can_be_installed(server: Server, new_page: NewPage) -> None:
    page = new_page(service_workers="allow")
    page.goto(server.url)
    manifest = page.locator("link[rel=manifest]").get_attribute("href")
    assert manifest
    answer = page.request.get(f"{server.url}{manifest}")
    assert answer.json()["start_url"] == "/"
    assert {icon["sizes"] for icon in answer.json()["icons"]} & {"192x192", "512x512", "any"}
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
