"""The page of a player's own games: finished games, imported records, and statistics."""

import re
from pathlib import Path

import pytest
from browser.conftest import DESKTOP, PHONE, NewPage, Server
from browser.person import is_no_wider
from browser.test_access import findings
from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
EVENING = ROOT / "examples" / "evening.canasta"


@pytest.mark.parametrize(
    ("size", "scheme"), [pytest.param(DESKTOP, "light", marks=pytest.mark.long), (PHONE, "dark")]
)
def test_records_are_kept_found_looked_at_and_deleted(
    server: Server, new_page: NewPage, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    page = new_page(size, color_scheme=scheme)
    page.goto(server.url)
    page.get_by_role("link", name="My games").click()
    expect(page.get_by_text("No finished games yet.")).to_be_visible()
    assert findings(page) == []
    # The seat with the player's own name is theirs, and the game counts.
    mine = tmp_path / "mine.canasta"
    mine.write_text(re.sub(r"(?m)^seat 0: .*$", "seat 0: Guest", EVENING.read_text()))
    keep = page.locator("input[type=file]")
    for file in (mine, ROOT / "tests" / "golden" / "bolivia.record"):
        keep.set_input_files(file)
        expect(page.get_by_role("status")).to_contain_text(file.name)
    rows = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Replay"))
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="Canasta Caliente")).to_contain_text("Won 1,370 : 830")
    expect(page.locator("dl")).to_contain_text("1,370")
    assert findings(page) == []
    is_no_wider(page, size[0])
    page.get_by_label("Search by game or name").fill("boliv")
    expect(rows).to_have_count(1)
    page.get_by_label("Search by game or name").fill("")
    with page.expect_download() as download:
        rows.first.get_by_role("link", name="Download").click()
    assert download.value.path().read_text().startswith("format: canasta 1")
    bolivia = rows.filter(has_text="Bolivia")
    bolivia.get_by_role("button", name="Delete").click()
    bolivia.get_by_role("button", name="Really delete?").click()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^Hand 1 of 1"))
    expect(page).to_have_url(re.compile(r"/replay/my\.\w+#1\.0$"))
