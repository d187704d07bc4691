"""The new-table page: games by family, found by name and by three questions."""

from browser.conftest import NewPage, Server
from browser.person import is_no_wider, wait_until
from playwright.sync_api import Page, expect

PHONE = (360, 640)


def games(page: Page) -> list[str]:
    return [str(radio.get_attribute("value")) for radio in page.locator("input[name=game]").all()]


def test_a_game_is_found_by_name_and_by_questions(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.url}/new")
    expect(page.get_by_role("heading", name="Samba", exact=True)).to_be_visible()
    everything = games(page)
    assert everything.index("uruguay") < everything.index("caliente-samba"), "by family"
    search = page.get_by_role("searchbox", name="A name, in any language")
    search.fill("Mão e Pé")
    expect(page.get_by_role("status")).to_contain_text("1 game")
    wait_until(page, lambda: games(page) == ["hand-and-foot"])
    search.fill("poker")
    expect(page.get_by_role("status")).to_contain_text("No games match.")
    page.get_by_role("button", name="Show all games").click()
    wait_until(page, lambda: games(page) == everything)
    page.get_by_role("group", name="How many decks?").get_by_label("3").check()
    page.get_by_role("group", name="Sequences?").get_by_label("yes").check()
    wait_until(page, lambda: {"jaques-samba", "bolivia-common"} <= set(games(page)) < set(everything))
    page.get_by_role("group", name="Is there a second hand?").get_by_label("yes").check()
    wait_until(page, lambda: games(page) == [])


def test_on_a_phone_the_questions_wait_and_nothing_runs_over_the_edge(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(PHONE, locale="fr")
    page.goto(f"{server.url}/new")
    expect(page.get_by_role("radio", name="Canasta Caliente")).to_be_checked()
    search = page.get_by_role("searchbox", name="Un nom, en toute langue")
    expect(search).to_be_hidden()
    page.get_by_text("Trouver un jeu").click()
    expect(search).to_be_in_viewport()
    is_no_wider(page, PHONE[0])
    story = page.locator("label", has=page.get_by_role("radio", name="Uruguay")).locator(".summary")
    expect(story).to_be_hidden()
    page.get_by_role("radio", name="Uruguay").check()
    expect(story).to_be_visible()
