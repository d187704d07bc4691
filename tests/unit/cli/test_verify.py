"""`canasta verify`: commitments that hold, and all the ways in which they do not."""

import json
from pathlib import Path

import pytest
from unit.cli.conftest import Run, fair_hand

from canasta.engine.fair import FairRound, Part
from canasta.engine.shuffle import FairDeal
from canasta.notation.record import RoundVoid

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
            "version": 1,
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


# -- version 2 --------------------------------------------------------------------------------------------

MINE, THEIRS, SERVERS = "1a" * 32, "2b" * 32, "3c" * 32
ROUND = FairRound.of_seeds("two-player", 1, SERVERS, {0: MINE, 1: THEIRS})


def test_who_contributed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fair.canasta"
    file.write_text(fair_hand("two-player", 2, ROUND).text(), encoding="utf-8")
    result = run(
        "verify", str(file), "--seed", MINE, "--commitment", ROUND.commitment,
        "--commitment", ROUND.parts[0].commitment,
    )  # fmt: skip
    assert result.exit_code == 0
    assert f"server, South, North  {ROUND.commitment}" in result.stdout
    assert "Nobody could choose" in result.stdout
    assert "--seed" not in result.stdout
    told = json.loads(run("verify", str(file), "--json").stdout)
    assert told["hands"][0]["version"] == 2
    assert told["hands"][0]["contributed"] == [0, 1]
    assert told["hands"][0]["seats"][1] == {
        "seat": 1, "commitment": ROUND.parts[1].commitment, "seed": THEIRS
    }  # fmt: skip


def test_own_seed_was_not_used(run: Run) -> None:
    """The server dealt another game and left somebody out."""
    without = FairRound.of_seeds("two-player", 1, SERVERS, {1: THEIRS})
    text = fair_hand("two-player", 2, without).text()
    result = run("verify", "-", "--seed", MINE, typed=text)
    assert result.exit_code == 1
    assert (
        result.stderr
        == f"canasta: your seed {MINE} is not in this record: its cards were dealt without you.\n"
    )
    assert "Nobody could choose" not in result.stdout
    result = run("verify", "-", "--commitment", ROUND.parts[0].commitment, typed=text)
    assert result.exit_code == 1


def test_the_server_alone(run: Run) -> None:
    text = fair_hand("two-player", 2, FairRound.of_seeds("two-player", 1, SERVERS, {})).text()
    result = run("verify", "-", typed=text)
    assert result.exit_code == 0
    assert "Hand 1: nobody but the server gave a seed, so it could choose these cards." in result.stdout
    assert "Nobody could choose" not in result.stdout


def test_the_weaker_sentence_of_version_1(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file))
    assert "Hand 1: version 1. There the server saw all seeds before it dealt" in " ".join(
        result.stdout.split()
    )
    assert "Nobody could choose" not in result.stdout


def test_void_rounds_are_told_by_name(run: Run) -> None:
    tried = FairRound.of_seeds("two-player", 1, "44" * 32, {0: "55" * 32, 1: THEIRS})
    void = FairRound("two-player", 1, 1, tried.server, (Part(0, tried.parts[0].commitment), tried.parts[1]))
    dealt = FairRound.of_seeds("two-player", 1, SERVERS, {1: THEIRS}, number=2)
    record = fair_hand("two-player", 2, dealt)
    record.entries.insert(0, RoundVoid(void))
    record.header.names[0] = "Ada"
    result = run("verify", "-", typed=record.text())
    assert result.exit_code == 0
    assert "Hand 1, round 1 came to nothing: Ada did not reveal." in result.stdout
    told = json.loads(run("verify", "-", "--json", typed=record.text()).stdout)
    assert told["void_rounds"][0]["unrevealed"] == [0]
    # What was revealed in it can still be looked for; what the server says was not, cannot be there.
    assert run("verify", "-", "--seed", THEIRS, typed=record.text()).exit_code == 0
    assert run("verify", "-", "--seed", "55" * 32, typed=record.text()).exit_code == 1


def test_what_is_no_seed(run: Run, fair_file: Path) -> None:
    result = run("verify", str(fair_file), "--seed", "tuesday")
    assert result.exit_code == 2
    assert result.stderr == 'canasta: "tuesday" is no seed, which is 64 hexadecimal digits.\n'
