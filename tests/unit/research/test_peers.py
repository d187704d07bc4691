"""`canasta bench peers` without the other libraries: only canasta's own speed is measured here."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from canasta.commands import bench_peers
from canasta.commands.cli import app
from canasta.research import peer_runs


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_peers, "_install", lambda place: Path(sys.executable))

    def measure(python: str, name: str, seconds: float) -> float | None:
        return None if name.startswith("RLCard") else 1000.0 * seconds

    monkeypatch.setattr(bench_peers, "_measure", measure)


def test_a_table_of_all_that_could_be_measured(stand_in: None) -> None:
    result = CliRunner().invoke(app, ["bench", "peers", "--seconds", "2"])
    assert result.exit_code == 0
    assert "canasta, PettingZoo" in result.stdout
    assert "2,000" in result.stdout
    assert "RLCard" not in result.stdout
    assert "RLCard gin rummy is left out" in result.stderr


def test_as_data(stand_in: None) -> None:
    result = CliRunner().invoke(app, ["bench", "peers", "--seconds", "2", "--json"])
    rates = json.loads(result.stdout)["actions_per_second"]
    assert set(rates) <= set(peer_runs.RUNS)
    assert rates["canasta, vector"] == 2000


def test_an_installation_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho first >&2\necho no venv here >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr("canasta.commands.bench_peers.sys.executable", str(python))
    result = CliRunner().invoke(app, ["bench", "peers", "--folder", str(tmp_path / "peers")])
    assert result.exit_code == 1
    assert result.stderr.endswith(f"couldn’t be installed into {tmp_path / 'peers'}: no venv here\n")


def test_ours_can_be_measured_for_real() -> None:
    rate = bench_peers._measure(sys.executable, "canasta, PettingZoo", 0.05)
    assert rate is not None
    assert rate > 100
