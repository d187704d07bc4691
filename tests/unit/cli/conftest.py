"""Fixtures that run commands inside the tests' own process, and records to replay."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hands import begin_record, note_deal, play_hand
from typer.testing import CliRunner, Result

from canasta.commands.cli import app
from canasta.commands.output import set_language
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.notation.record import Header, Record
from canasta.rules import load_ruleset

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Yield `run("rules", "caliente")`, which returns a command's output as it would go into a pipe."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def invoke(*words: str, typed: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=typed, prog_name="canasta")
        assert "Traceback" not in result.output
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    yield invoke
    set_language(None)  # other tests of this process read English


def bots_play(rules: str, players: int | None = None, *, seed: str = "record", **options: object) -> Record:
    """Return the record of a whole game between computer players."""
    match = Match.new(load_ruleset(rules, players, options), seed)
    record = begin_record(match, seed=seed, names=["Ada", "Grace"])
    while True:
        play_hand(match, record, "club")
        if match.over:
            return record
        match.deal_next()
        note_deal(record, match)


def fair_hand(rules: str, players: int, deal: FairRound) -> Record:
    """The record of one hand, dealt from seeds that were committed to."""
    match = Match.new(load_ruleset(rules, players), rules, fair=deal)
    record = Record(Header.of(match.rules, seed=rules))
    note_deal(record, match, deal)
    play_hand(match, record)
    record.note_left()
    return record


@pytest.fixture(scope="session")
def finished_game() -> Record:
    return bots_play("two-player", target=2000)
