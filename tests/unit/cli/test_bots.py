"""Computer players named on the command line."""

from pathlib import Path

import pytest
from unit.cli.conftest import Run

pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

from canasta.bots import plugins
from canasta.bots.learned.network import master_network


@pytest.fixture(params=[None, b"torn"])
def without_weights(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove or damage the file with the master's weights."""
    read_bytes = Path.read_bytes

    def read(path: Path) -> bytes:
        if path.name != "master.npz":
            return read_bytes(path)
        if request.param is None:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        content: bytes = request.param
        return content

    master_network.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", read)


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("name", ["master", "grandmaster"])
@pytest.mark.parametrize(
    "words",
    [
        ("play", "--text", "--no-save", "--bot"),
        ("play", "--bot"),
        ("tui", "--bot"),
        ("arena", "club", "--pairs", "1", "--jobs", "1"),
    ],
)
def test_a_player_without_its_weights_is_told_in_a_sentence(
    run: Run, words: tuple[str, ...], name: str
) -> None:
    told = run(*words, name)
    assert told.exit_code == 2
    why = "its weights file is missing or damaged; reinstall canasta"
    assert told.stderr == f"canasta: {name} can’t play: {why}.\n"


@pytest.mark.usefixtures("without_weights")
def test_it_is_told_in_the_language_of_the_command(run: Run) -> None:
    told = run("play", "--text", "--bot", "master", "--lang", "de")
    assert "canasta: master kann nicht spielen: die Datei" in told.stderr


FAILS = """
class Fails:
    def __init__(self):
        raise RuntimeError("no")

    def choose(self, view):
        return view.legal_moves[0]
"""


def test_a_player_that_cannot_be_created_ends_the_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_loaded", {})
    (tmp_path / "fails.py").write_text(FAILS)
    result = run("play", "--text", "--no-save", "--bot", f"{tmp_path / 'fails.py'}:Fails")
    assert result.exit_code == 2
    assert "Fails can’t be created: RuntimeError: no" in result.stderr
