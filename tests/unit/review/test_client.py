"""A review in a separate process, when the process can't be started."""

import asyncio

import pytest

from canasta.review.worker import ReviewError, ReviewRequest, run_review


async def test_a_process_that_cannot_be_begun_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none_left(*_: object, **__: object) -> asyncio.subprocess.Process:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", none_left)
    with pytest.raises(ReviewError, match="Resource temporarily unavailable"):
        await run_review(ReviewRequest(text="", hand=1), lambda _done, _of: None)
