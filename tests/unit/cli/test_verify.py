"""`canasta verify`: commitments that hold, and all the ways in which they do not."""

import json
from pathlib import Path

import pytest
from unit.cli.conftest import Run, fair_hand

from canasta.engine.shuffle import FairDeal

DEAL = FairDeal("5e" * 32, ("seat-0", "mine"))


@pytest.fixture(scope="module")
def fair_game() -> str:
    """One hand of the two-player game."""
    return fair_hand("two-player", 2, DEAL).text()


@pytest.fixture
def fair_file(fair_game: str, tmp_path: Path) -> Path:
    file = tmp_path / "fair.canasta"
    file.write_text(fair_game, encoding="utf-8")
    return file


def test_cards_that_were_committed_to(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", DEAL.commitment.upper())
    assert result.exit_code == 0
    assert DEAL.commitment in result.stdout
    assert "1 hand was dealt from the committed seeds, and all " in result.stdout


def test_as_data(run: Run, fair_file: Path) -> None:
    told = json.loads(run("verify", str(fair_file), "--json").stdout)
    assert told["fair"] is True
    assert told["hands"] == [
        {
            "hand": 1,
            "commitment": DEAL.commitment,
            "server_seed": DEAL.server_seed,
            "player_seeds": ["seat-0", "mine"],
        }
    ]


def test_a_commitment_that_the_record_does_not_have(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", "ab" * 32)
    assert result.exit_code == 1
    assert result.stderr == f"canasta: no hand of this record was committed to by {'ab' * 32}.\n"


def test_a_seed_that_was_not_committed_to(run: Run, fair_game: str) -> None:
    result = run("verify", "-", typed=fair_game.replace("5e" * 32, "5f" * 32))
    assert result.exit_code == 1
    assert "is not the one that it had committed to" in result.stderr
    assert "dealt from the committed seeds" not in result.stdout


def test_a_record_without_commitments(run: Run) -> None:
    result = run("verify", str(Path(__file__).parents[3] / "examples" / "evening.canasta"))
    assert result.exit_code == 1
    assert "there is no commitment to verify" in result.stderr


def test_what_is_no_commitment(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", "cafe")
    assert result.exit_code == 2
    assert result.stderr == 'canasta: "cafe" is no commitment, which is 64 hexadecimal digits.\n'
