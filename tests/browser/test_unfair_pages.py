"""Servers that cheat, and the real page: it raises an alarm, says why, and saves its evidence."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from browser import unfair_server as unfair
from browser.conftest import NewPage, Server
from browser.person import SHORT, Person
from playwright.sync_api import Locator, Page, expect
from typer.testing import CliRunner

from canasta.commands.cli import app

SAVE: Final = "Save what this page saw"


@pytest.fixture(scope="module")
def cheat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that cheats at some of its tables."""
    running = Server(tmp_path_factory.mktemp("unfair"), program="unfair_server")
    running.start()
    yield running
    running.stop()


def alarm_of(page: Page) -> Locator:
    return page.get_by_role("alertdialog", name="The cards weren’t fair")


def come(server: Server, page: Page, cheat: int) -> Person:
    # Keep the guide closed: Escape would also close an alarm that comes with the first cards.
    person = Person(page, guided=False)
    person.start(server.url, "two-player", 2, options={**SHORT, "target": cheat})
    return person


def saved(page: Page, folder: Path, button: Locator) -> Path:
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == f"{page.url.rpartition('/')[2]}.witness.json"
    file = folder / "witness.json"
    download.value.save_as(file)
    return file


def save_from_settings(page: Page, folder: Path) -> Path:
    page.get_by_role("button", name="View table").click()
    page.get_by_role("button", name="Settings").first.click()
    return saved(page, folder, page.get_by_role("button", name=SAVE))


def verified(server: Server, page: Page, folder: Path, file: Path) -> tuple[int, str]:
    """Run `canasta verify` on the server's record; return the exit status and the output."""
    table = page.url.rpartition("/")[2]
    record = folder / "game.canasta"
    record.write_text(page.request.get(f"{server.url}/api/tables/{table}/record").text(), encoding="utf-8")
    assert CliRunner().invoke(app, ["verify", str(record)]).exit_code == 0, "the record is in order by itself"
    result = CliRunner().invoke(app, ["verify", str(record), "--witness", str(file)])
    return result.exit_code, result.output


def test_an_honest_server(cheat: Server, new_page: NewPage, tmp_path: Path) -> None:
    person = come(cheat, new_page(), unfair.HONEST)
    page = person.page
    assert person.wait_for_turn()
    person.draw_and_discard()
    page.reload()
    person.be_at_the_table()
    person.play_out()
    expect(person.sheet).to_contain_text("Cards checked")
    expect(alarm_of(page)).to_have_count(0)
    file = save_from_settings(page, tmp_path)
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["verdicts"] == [{"hand": 1, "result": "checked"}]
    # The file also has the observations from before the page was reloaded.
    assert sum("log" in seen for seen in told["hands"][0]["observations"]) == 1
    status, output = verified(cheat, page, tmp_path, file)
    assert status == 0, output


@pytest.mark.parametrize(
    ("how", "result", "says"),
    [
        pytest.param(
            unfair.STRONG_OPPONENT,
            "cards",
            "the cards you saw don’t follow from the seeds",
            marks=pytest.mark.long,
        ),
        (unfair.DROPPED_LINE, "cards", "the cards you saw don’t follow from the seeds"),
        (unfair.NOTHING_SAID, "no_deal", "never showed you the deal"),
        (unfair.EARLY_SEED, "early_seed", "before the hand was over"),
        (unfair.NO_COMMITMENTS, "refused", "you sent your commitment in time"),
    ],
)
def test_a_server_that_cheats(
    cheat: Server, new_page: NewPage, tmp_path: Path, how: int, result: str, says: str
) -> None:
    person = come(cheat, new_page(), how)
    page, alarm = person.page, alarm_of(person.page)
    if how == unfair.EARLY_SEED:
        # The alarm appears at once, not only when the hand is over.
        expect(alarm).to_be_visible()
        alarm.get_by_role("button", name="Close").click()
    person.play_out()
    if how != unfair.EARLY_SEED:
        expect(alarm).to_be_visible()
        expect(alarm).to_contain_text("hand 1")
        expect(alarm).to_contain_text(says)
        told = json.loads(
            saved(page, tmp_path, alarm.get_by_role("button", name="Save the transcript")).read_text(
                encoding="utf-8"
            )
        )
        assert told["verdicts"] == [{"hand": 1, "result": result}]
        alarm.get_by_role("button", name="Close").click()
    expect(alarm).to_have_count(0)
    expect(person.sheet).to_contain_text("Cards not fair")
    expect(person.sheet).not_to_contain_text("Cards checked")
    # The alarm stays within reach.
    page.get_by_role("button", name="View table").click()
    page.get_by_role("button", name="The cards weren’t fair: read the warning again").click()
    expect(alarm).to_contain_text(says)


def test_a_forged_record(cheat: Server, new_page: NewPage, tmp_path: Path) -> None:
    """The page saw fair cards, but the server hands out the record of another game with the same cards."""
    person = come(cheat, new_page(), unfair.FORGED_RECORD)
    person.play_out()
    expect(person.sheet).to_contain_text("Cards checked")
    file = save_from_settings(person.page, tmp_path)
    status, output = verified(cheat, person.page, tmp_path, file)
    assert status == 1, output
    assert "hand 1" in output.lower()
