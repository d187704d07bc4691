"""A review in a process of its own, where there is none to be had."""

import asyncio

import pytest

from canasta.review.background import NotReviewed, reviewed
from canasta.review.process import Wanted


async def test_a_process_that_cannot_be_begun_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none_left(*_: object, **__: object) -> asyncio.subprocess.Process:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", none_left)
    with pytest.raises(NotReviewed, match="Resource temporarily unavailable"):
        await reviewed(Wanted(text="", hand=1), lambda _done, _of: None)
