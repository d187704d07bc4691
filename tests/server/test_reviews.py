"""Reviews of a hand on a server: only for people who may see its replay, and with bounded work."""

import asyncio
from asyncio import QueueFull
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from server.running_server import Person, running
from services import wait_until

from canasta.review.data import HandReport, SharesReport
from canasta.review.worker import ReviewedHand, ReviewError, ReviewRequest
from canasta.server.settings import Limits, Settings
from canasta.server.tables import registry
from canasta.server.workers import review_jobs
from canasta.server.workers.review_jobs import Job, Reviews
from canasta.table import seed_rounds
from canasta.table.rematch import NAME_LENGTH, new_table_name

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RECORD = (GOLDEN / "two-player.record").read_text()
HURRIED = {"review_worlds": 2, "review_nice": 0}


async def done(rest: AsyncClient, asked: dict[str, Any], **params: str) -> dict[str, Any]:
    """Poll until the review is finished."""
    while asked["status"] != "done":
        assert 0 <= asked["done"] <= asked["of"] or asked["status"] == "waiting"
        await asyncio.sleep(0.1)
        answered = await rest.get(f"/api/reviews/{asked['id']}", params=params)
        assert answered.status_code == 200, answered.text
        asked = answered.json()
    return asked


async def test_a_hand_of_a_table_is_reviewed_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With these seeds, Ada starts the first hand and can only draw. The computer player starts the second one
    # and can't go out at once.
    names = iter(["k" * NAME_LENGTH])
    monkeypatch.setattr(registry, "new_table_name", lambda: next(names, None) or new_table_name())
    for module in (registry, seed_rounds):
        monkeypatch.setattr(module, "new_seed", lambda: f"{51:064x}")
    async with running(tmp_path, **HURRIED) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(
            rules="two-player", options={"hand_size": 4, "canastas_to_go_out": 0}, start=True
        )
        rest = Person(server, "").rest
        async with ada.join(table) as seat:
            early = await rest.post(f"/api/tables/{table}/review")
            assert early.status_code == 404, "cards of a hand in play are nobody's to see"
            await seat.play_hand()
            await seat.ask("next")
            await seat.my_turn()
            later = await rest.post(f"/api/tables/{table}/review", params={"hand": 2})
            assert (later.status_code, later.json()["reason"]) == (404, "NO_SUCH_HAND")
            asked = (await rest.post(f"/api/tables/{table}/review")).json()
            told = await done(rest, asked)
        hand = told["review"]
        points = [side["points"] for side in hand["sides"]]
        assert points == hand["points"]
        for side in hand["sides"]:
            assert side["luck"] + side["play"] + side["others"] == pytest.approx(side["ahead"], abs=1)
        again = (await ada.rest.post(f"/api/tables/{table}/review")).json()
        assert again == told, "it is kept"
        # An alternative line: the better move, or any other that is possible.
        replay = (await rest.get(f"/api/tables/{table}/replay")).json()
        assert replay["moves"][1] == "draw"
        instead = {"hand": 1, "instead": {"after": 0, "moves": ["draw"]}}
        otherwise = (await rest.post(f"/api/tables/{table}/replay", json=instead)).json()
        assert otherwise["frames"] == replay["frames"][:2]
        at = {"after": len(replay["frames"]) - 1, "moves": ["draw"]}
        refused = await rest.post(f"/api/tables/{table}/replay", json={"instead": at})
        assert (refused.status_code, refused.json()["reason"]) == (400, "NOT_POSSIBLE_THERE")
        # A finished hand can be continued at a table of one's own; the hand in play can't.
        for after in (0, 1, len(replay["frames"]) - 3):
            wanted = {"review": {"game": table, "hand": 1, "after": after}}
            opened = await ada.rest.post("/api/practice", json=wanted)
            assert opened.status_code == 201, opened.text
            live = await server.services.registry.find(opened.json()["id"])
            assert live is not None
            assert live.table.match is not None
            assert live.table.match.hand.turn == replay["frames"][after]["turn"]
        for hand, after in ((1, len(replay["frames"]) - 1), (1, 4_000), (2, 0)):
            wanted = {"review": {"game": table, "hand": hand, "after": after}}
            refused = await ada.rest.post("/api/practice", json=wanted)
            assert (refused.status_code, refused.json()["reason"]) == (400, "NOT_PLAYED_ON")


async def test_a_record_that_cannot_be_reviewed_is_told(tmp_path: Path) -> None:
    async with running(tmp_path, **HURRIED) as server:
        rest = Person(server, "").rest
        for text, hand in (("Dear all,\n", 1), (RECORD, 999), (RECORD + "#" * 200_000, 99)):
            asked = await rest.post("/api/reviews", json={"text": text, "hand": hand})
            assert asked.status_code == 200
            with pytest.raises(AssertionError, match="NOT_REVIEWED"):
                await done(rest, asked.json())
        assert (await rest.get("/api/reviews/nothing")).json()["reason"] == "NO_SUCH_REVIEW"
        assert (await rest.post("/api/me/games/my.none/review")).status_code == 401
        large = await rest.post("/api/reviews", json={"text": "#" * 900_000})
        assert large.status_code == 413


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> list[ReviewRequest]:
    """Make reviews take forever; return those that are running."""
    running: list[ReviewRequest] = []

    async def forever(wanted: ReviewRequest, _progress: object) -> ReviewedHand:
        running.append(wanted)
        try:
            await asyncio.Event().wait()
        finally:
            running.remove(wanted)
        raise ReviewError

    monkeypatch.setattr(review_jobs, "run_review", forever)
    return running


async def _text() -> str:
    return RECORD


def _yes() -> bool:
    return True


async def test_one_person_and_one_address_have_few_pending_reviews(never: list[ReviewRequest]) -> None:
    queue = Reviews(2, 0, at_once=1)
    for number in range(review_jobs.MOST_FROM):
        who = f"guest {number // review_jobs.MOST_OF_ONE}"
        await queue.ask(str(number), who, 1, _text, new=_yes, address="192.0.2.1")
    for who, address in (("guest 0", "192.0.2.2"), ("guest 9", "192.0.2.1")):
        with pytest.raises(QueueFull):
            await queue.ask("one more", who, 1, _text, new=_yes, address=address)
    await queue.ask("0", "somebody else", 1, _text, new=_yes, address="192.0.2.1")
    await queue.close()
    assert never == []


async def test_a_later_request_waits_behind_the_first_of_everyone(never: list[ReviewRequest]) -> None:
    queue = Reviews(2, 0, at_once=1)
    for number in range(3):
        await queue.ask(f"greedy {number}", "Eve", number + 1, _text, new=_yes, address="192.0.2.1")
    for name in ("Ada", "Ben"):
        await queue.ask(name, name, 9, _text, new=_yes)
    await wait_until(lambda: [wanted.hand for wanted in never] == [1])
    order = []
    for key in ("greedy 0", "Ada", "Ben", "greedy 1", "greedy 2"):
        job = queue.state_of(key)
        assert isinstance(job, Job)
        order.append(queue.before(job))
    assert order == [0, 1, 2, 3, 4]
    await queue.close()


@pytest.mark.parametrize("address", ["198.51.100.{}", "2001:db8:{:x}::/64", "2001:db8:1:{:x}::/64"])
async def test_a_full_queue_has_a_place_for_the_first_request_of_anyone(
    never: list[ReviewRequest], address: str
) -> None:
    queue = Reviews(2, 0, at_once=1)
    for number in range(1 + review_jobs.MOST_WAITING):
        who = number // 3
        await queue.ask(str(number), f"guest {who}", 1, _text, new=_yes, address=address.format(who))
    await queue.ask("Ada", "Ada", 1, _text, new=_yes, address="192.0.2.1")
    assert queue.state_of("Ada") is not None
    pending = [queue.state_of(str(number)) for number in range(1 + review_jobs.MOST_WAITING)]
    assert pending.count(None) == 1
    # A fourth request from an address that already has three replaces one of them.
    await queue.ask("fourth", "another guest", 1, _text, new=_yes, address=address.format(0))
    assert queue.state_of("fourth") is not None
    assert queue.state_of("2") is None
    assert pending.count(None) == 1
    await queue.close()
    assert never == []


async def test_what_nobody_waits_for_is_stopped(
    never: list[ReviewRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(review_jobs, "ABANDONED_AFTER_S", 0.05)
    monkeypatch.setattr(Reviews, "_now", lambda _: now)
    registry = Reviews(2, 0, at_once=1)
    await registry.ask("one", "Ada", 1, _text, new=_yes)
    await registry.ask("two", "Ada", 2, _text, new=_yes)
    await wait_until(lambda: [wanted.hand for wanted in never] == [1])
    # Only the second one is still polled: the first is stopped, and the next one runs.
    now = 0.04
    assert registry.state_of("two") is not None
    now = 0.06
    await wait_until(lambda: [wanted.hand for wanted in never] == [2])
    assert registry.state_of("one") is None
    now = 0.1
    await wait_until(lambda: not never)
    assert registry.state_of("two") is None
    await registry.close()


async def test_what_is_done_is_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = SharesReport(points=0, ahead=0, luck=0, deal=0, draws=0, lay=0, play=0, others=0)
    hand = HandReport(number=1, worlds=2, choices=0, judged=0, points=[0], sides=[shares] * 100, dealt=[0.0],
                    course=[], decisions=[])  # fmt: skip
    said = ReviewedHand(hand=hand, names=["Ada", "Ben"], caliente=False)

    async def at_once(_wanted: ReviewRequest, progress: Any) -> ReviewedHand:
        progress(1, 1)
        return said

    monkeypatch.setattr(review_jobs, "run_review", at_once)
    monkeypatch.setattr(review_jobs, "_MOST_KEPT", 100_000)
    registry = Reviews(2, 0, at_once=1)
    for number in range(40):
        await registry.ask(str(number), "Ada", 1, _text, new=_yes)
        await wait_until(lambda: isinstance(registry.state_of(str(number)), ReviewedHand))  # noqa: B023 - it is awaited here
    assert registry.state_of("0") is None
    assert registry.state_of("39") == said
    await registry.close()


async def test_one_address_cannot_begin_a_hundred(tmp_path: Path, never: list[ReviewRequest]) -> None:
    settings = {**HURRIED, "limits": Limits(reviews=(2.0, 0.0))}
    async with running(tmp_path, **settings) as server:
        rest = Person(server, "").rest
        answers = [
            (await rest.post("/api/reviews", json={"text": RECORD, "hand": hand})).status_code
            for hand in range(1, 101)
        ]
        assert answers == [200] * 2 + [429] * 98
        assert len(never) <= 2


async def test_what_is_refused_takes_no_place(tmp_path: Path, never: list[ReviewRequest]) -> None:
    async with running(tmp_path, **HURRIED) as server:
        rest = Person(server, "").rest
        for text in ("", " \n"):
            assert (await rest.post("/api/reviews", json={"text": text, "hand": 1})).status_code == 400
        for hand in range(1, review_jobs.MOST_OF_ONE + 2):
            asked = await rest.post("/api/reviews?lang=xx", json={"text": RECORD, "hand": hand})
            assert asked.status_code == 400
        assert (await rest.post("/api/reviews", json={"text": RECORD, "hand": 1})).status_code == 200


def test_reviews_give_way_by_default() -> None:
    assert Settings().review_nice == 19
