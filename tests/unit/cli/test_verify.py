"""`canasta verify`: commitments that hold, and every way in which they can fail."""

import json
from pathlib import Path

import pytest
from unit.cli.conftest import Run, fair_hand

from canasta.engine.fairness import Contribution, FairRound
from canasta.notation.record import RoundVoid

MINE, THEIRS, SERVERS = "1a" * 32, "2b" * 32, "3c" * 32
ROUND = FairRound.of_seeds("two-player", 1, SERVERS, {0: MINE, 1: THEIRS})


@pytest.fixture(scope="module")
def fair_game() -> str:
    """One hand of the two-player game."""
    return fair_hand("two-player", 2, ROUND).text()


@pytest.fixture
def fair_file(fair_game: str, tmp_path: Path) -> Path:
    file = tmp_path / "fair.canasta"
    file.write_text(fair_game, encoding="utf-8")
    return file


def test_cards_that_were_committed_to(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", ROUND.commitment.upper())
    assert result.exit_code == 0
    assert ROUND.commitment in result.stdout
    assert "1 hand was dealt from the committed seeds, and all " in result.stdout


def test_as_data(run: Run, fair_file: Path) -> None:
    told = json.loads(run("verify", str(fair_file), "--json").stdout)
    assert told["fair"] is True
    assert told["hands"] == [
        {
            "hand": 1,
            "round": 1,
            "commitment": ROUND.commitment,
            "server_seed": SERVERS,
            "contributed": [0, 1],
            "seats": [
                {"seat": part.seat, "commitment": part.commitment, "seed": part.seed} for part in ROUND.parts
            ],
        }
    ]


def test_a_commitment_that_the_record_does_not_have(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", "ab" * 32)
    assert result.exit_code == 1
    assert result.stderr == f"canasta: {'ab' * 32} isn’t a commitment for any hand of this record.\n"


def test_a_seed_that_was_not_committed_to(run: Run, fair_game: str) -> None:
    result = run("verify", "-", typed=fair_game.replace(SERVERS, "5f" * 32))
    assert result.exit_code == 1
    assert "isn’t the one it committed to" in result.stderr
    assert "dealt from the committed seeds" not in result.stdout


def test_a_record_without_commitments(run: Run) -> None:
    result = run("verify", str(Path(__file__).parents[3] / "examples" / "evening.canasta"))
    assert result.exit_code == 1
    assert "there’s no commitment to verify" in result.stderr


def test_what_is_no_commitment(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--commitment", "cafe")
    assert result.exit_code == 2
    assert result.stderr == 'canasta: "cafe" isn’t a commitment: a commitment is 64 hexadecimal digits.\n'


# -- contributions -----------------------------------------------------------------------------------------


def test_who_contributed(run: Run, fair_file: Path) -> None:
    result = run(
        "verify", str(fair_file), "--seed", MINE, "--commitment", ROUND.commitment,
        "--commitment", ROUND.parts[0].commitment,
    )  # fmt: skip
    assert result.exit_code == 0
    assert f"server, South, North  {ROUND.commitment}" in result.stdout
    assert "Nobody could choose" in result.stdout
    assert "--seed" not in result.stdout


def test_own_seed_was_not_used(run: Run) -> None:
    """The server dealt another game and left a player out."""
    without = FairRound.of_seeds("two-player", 1, SERVERS, {1: THEIRS})
    text = fair_hand("two-player", 2, without).text()
    result = run("verify", "-", "--seed", MINE, typed=text)
    assert result.exit_code == 1
    assert (
        result.stderr
        == f"canasta: your seed {MINE} isn’t in this record: its cards were dealt without you.\n"
    )
    assert "Nobody could choose" not in result.stdout
    result = run("verify", "-", "--commitment", ROUND.parts[0].commitment, typed=text)
    assert result.exit_code == 1


def test_the_server_alone(run: Run) -> None:
    text = fair_hand("two-player", 2, FairRound.of_seeds("two-player", 1, SERVERS, {})).text()
    result = run("verify", "-", typed=text)
    assert result.exit_code == 0
    assert "Hand 1: only the server gave a seed, so it could have chosen these cards." in result.stdout
    assert "Nobody could choose" not in result.stdout


def test_void_rounds_are_told_by_name(run: Run) -> None:
    tried = FairRound.of_seeds("two-player", 1, "44" * 32, {0: "55" * 32, 1: THEIRS})
    void = FairRound(
        "two-player", 1, 1, tried.server, (Contribution(0, tried.parts[0].commitment), tried.parts[1])
    )
    dealt = FairRound.of_seeds("two-player", 1, SERVERS, {1: THEIRS}, number=2)
    record = fair_hand("two-player", 2, dealt)
    record.entries.insert(0, RoundVoid(void))
    record.header.names[0] = "Ada"
    result = run("verify", "-", typed=record.text())
    assert result.exit_code == 0
    assert "Hand 1, round 1 was void: Ada did not reveal." in result.stdout
    told = json.loads(run("verify", "-", "--json", typed=record.text()).stdout)
    assert told["void_rounds"][0]["unrevealed"] == [0]
    # A seed revealed in the void round can be verified; one reported as unrevealed can't be in the record.
    assert run("verify", "-", "--seed", THEIRS, typed=record.text()).exit_code == 0
    assert run("verify", "-", "--seed", "55" * 32, typed=record.text()).exit_code == 1


def test_what_is_no_seed(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--seed", "tuesday")
    assert result.exit_code == 2
    assert result.stderr == 'canasta: "tuesday" isn’t a seed: a seed is 64 hexadecimal digits.\n'
