"""The recorded games replay line by line."""

import pytest
from golden.games import FOLDER, path_of, presets, table_of, written

from canasta.engine.moves.types import Add, Discard, Draw, Meld, Take
from canasta.notation.record import HandEnds, HandStarts
from canasta.notation.record_reader import parse_record
from canasta.notation.replay import replay
from canasta.rules import load_ruleset


@pytest.mark.interpreted
@pytest.mark.parametrize("preset", presets())
def test_game_replays_to_its_result(preset: str) -> None:
    text = path_of(preset).read_text()
    played = replay(text)
    assert played.problem is None, played.problem
    assert played.match is not None
    assert played.match.over
    record = parse_record(text)
    assert record.text() == text
    assert record.header.result is not None
    assert record.header.result.scores == tuple(played.match.scores)
    assert record.header.result.winner == played.match.winner
    assert len(played.moves) == len(record.moves)


@pytest.mark.interpreted
@pytest.mark.parametrize("preset", presets())
def test_game_is_played_again_from_its_seed(preset: str) -> None:
    """The same moves are legal, in the same order; otherwise a different game would result."""
    assert written(preset) == path_of(preset).read_text()


def test_every_preset_has_a_game_and_nothing_else_does() -> None:
    assert {path.stem for path in FOLDER.glob("*.record")} == set(presets())


@pytest.mark.parametrize("preset", presets())
def test_game_is_of_the_present_rules(preset: str) -> None:
    header = parse_record(path_of(preset).read_text()).header
    assert header.rules == preset
    assert header.version == load_ruleset(preset).version
    assert (header.players, tuple(header.options.items())) == (
        table_of(preset).players,
        table_of(preset).options,
    )


@pytest.mark.parametrize("preset", presets())
def test_game_shows_the_game(preset: str) -> None:
    """It has hands that end with points, and every kind of move that all games share."""
    record = parse_record(path_of(preset).read_text())
    kinds = {type(entry.move) for entry in record.moves}
    assert {Draw, Take, Meld, Add, Discard} <= kinds
    assert any(isinstance(entry, HandStarts) for entry in record.entries)
    assert any(isinstance(entry, HandEnds) for entry in record.entries)
