"""Fixtures of the launcher's tests."""

import os
from pathlib import Path

import launch
import pytest
from distribution.fake_checkout import PretendHouse


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every machine seems to have a compiler; nothing is compiled."""
    monkeypatch.delenv("CANASTA_PURE", raising=False)
    monkeypatch.setattr(
        launch, "will_compile", lambda: os.environ.get("CANASTA_PURE", "") == "", raising=True
    )


@pytest.fixture
def house(tmp_path: Path) -> PretendHouse:
    return PretendHouse(tmp_path)
