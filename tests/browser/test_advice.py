"""The pages around the lessons: entry, glossary, illustrated rule sheets, and advice to try out."""

from browser.conftest import NewPage, Server
from browser.person import Person, is_no_wider, resized
from browser.test_access import findings
from browser.test_layout import faults
from playwright.sync_api import Page, expect

SMALL = (360, 640)


def fits_on_a_phone(page: Page) -> None:
    resized(page, SMALL)
    is_no_wider(page, SMALL[0])


def test_somebody_new_is_led_to_the_lessons_and_somebody_else_is_not_asked(
    server: Server, new_page: NewPage
) -> None:
    page = new_page()
    page.goto(server.url)
    expect(page.get_by_role("link", name="New to Canasta?")).to_have_attribute("href", "/learn")
    row = page.get_by_role("navigation", name="More to do")
    for name, path in (("Learn", "/learn"), ("Puzzles", "/puzzles"), ("Deal of the day", "/day")):
        expect(row.get_by_role("link", name=name)).to_have_attribute("href", path)
    fits_on_a_phone(page)
    Person(page).play_now(server.url)
    page.goto(server.url)
    expect(page.get_by_role("link", name="Back to your table")).to_be_visible()
    expect(page.get_by_role("link", name="New to Canasta?")).to_have_count(0)


def test_the_glossary_is_searched_and_its_words_lead_to_one_another(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(locale="de")
    page.goto(f"{server.url}/glossary#talon")
    expect(page.locator("#talon")).to_be_in_viewport()
    expect(page.locator("#talon dt")).to_have_text("Zugabe")
    page.emulate_media(color_scheme="dark")
    assert findings(page) == []
    search = page.get_by_role("searchbox", name="Ein Wort suchen")
    search.fill("einfrieren")
    expect(page.locator("dt").first).to_have_text("Einfrieren")
    search.fill("poker")
    expect(page.get_by_role("status")).to_have_text("Dieses Wort steht hier nicht. Versuch ein anderes.")
    search.fill("wilde canasta")
    page.locator("#wild-canasta").get_by_role("link", name="wilden Karten").click()
    expect(page.locator("#wild-card")).to_be_in_viewport()
    expect(search).to_have_value("")
    fits_on_a_phone(page)


def test_a_rule_sheet_shows_what_it_says_and_leads_to_the_glossary(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.url}/rules/bolivia")
    for caption in (
        "50 points",
        "Natural canasta: 500",
        "Wild canasta: 2500",
        "Samba: 1500",
        "Red three: 100",
    ):
        expect(page.get_by_role("figure", name=caption)).to_be_visible()
    expect(page.get_by_role("figure").filter(has_text="Frozen: only two natural cards")).to_contain_text(
        "frozen"
    )
    fits_on_a_phone(page)
    page.locator("article").get_by_role("link", name="wild canasta").first.click()
    expect(page).to_have_url(f"{server.url}/glossary#wild-canasta")
    expect(page.locator("#wild-canasta")).to_be_in_viewport()


def test_advice_is_read_and_tried_on_a_desk_and_on_a_phone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.url)
    page.get_by_role("link", name="Advice").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Advice")
    tip = page.locator("#tip-freeze")
    expect(tip.get_by_role("figure")).to_have_count(3)
    assert findings(page) == []
    fits_on_a_phone(page)
    tip.get_by_text("What’s best here?").click()
    expect(tip).to_contain_text("points better than the alternative")
    tip.get_by_role("link", name="Try it").click()
    person = Person(page)
    expect(page.get_by_text("They have six melds, you have none")).to_be_visible()
    expect(person.cards).to_have_count(11)
    assert faults(page, (SMALL, (844, 390))) == []
    resized(page, SMALL)
    _throw(person, "King")
    expect(page.get_by_text("Not quite.")).to_be_visible()
    page.get_by_role("button", name="Once more").click()
    expect(person.cards).to_have_count(11)
    _throw(person, "Little Wild")
    expect(page.get_by_text("Well done.")).to_be_visible()
    page.get_by_role("link", name="All advice").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Advice")
    page.goto(f"{server.url}/advice/no-such-tip")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")


def _throw(person: Person, name: str) -> None:
    person.hand.get_by_role("button", name=name).first.click()
    person.button(r"^Discard").click()
