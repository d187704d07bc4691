"""The recorded sessions with which the page is tested too."""

import json
from typing import Any

import pytest
from witness_vectors import FILE, Session

TOLD: Any = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return [Session.from_data(data) for data in TOLD["sessions"]]


@pytest.mark.parametrize("number", range(len(TOLD["sessions"])))
def test_honest_sessions(sessions: list[Session], number: int) -> None:
    data, session = TOLD["sessions"][number], sessions[number]
    assert json.loads(json.dumps(session.data())) == data


@pytest.mark.parametrize("data", TOLD["tampered"], ids=lambda data: data["name"])
def test_tampered_sessions(sessions: list[Session], data: Any) -> None:
    session = sessions[data["of"]]
    witness, _ = session.replayed(session.with_changes(data["changes"]))
    verdicts = [{"hand": verdict.hand, "result": verdict.result} for verdict in witness.verdicts]
    assert verdicts == data["verdicts"]
