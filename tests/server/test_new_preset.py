"""One file in the presets folder makes a game available everywhere, as `docs/adding-a-preset.md` says."""

from pathlib import Path

import pytest
from owl_preset import preset_in_folder
from server.running_server import running
from typer.testing import CliRunner

from canasta.commands.cli import app


def say(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), prog_name="canasta")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command_line_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with preset_in_folder(tmp_path, monkeypatch):
        line = next(line for line in say("rules").splitlines() if line.startswith("  owls"))
        assert line.split() == ["owls", "Owls", "2–6", "2", "5000"]
        assert "Each player is dealt nine cards" in say("rules", "owls")
        assert "hand_size" in say("rules", "owls", "--choices")
        assert "value of a joker" in say("rules", "owls", "--diff", "jaques")
        assert "Owls, 4 players" in say("stats", "--rules", "owls", "--hands", "2", "--jobs", "1")


async def test_the_server_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with preset_in_folder(tmp_path, monkeypatch):
        async with running(tmp_path) as server:
            ada = await server.guest("Ada")
            games = (await ada.rest.get("/api/games")).json()
            owls = next(game for game in games if game["name"] == "owls")
            assert (owls["title"], owls["booklet"], owls["family"]) == ("Owls", "", "Canasta")
            assert owls["titles"] == {"de": "Eulen"}
            form = (await ada.rest.get("/api/games/owls")).json()
            values = {option["name"]: option["value"] for option in form["options"]}
            assert (values["hand_size"], values["deck.joker_value"]) == (9, 2)
            table = await ada.open_table(rules="owls", start=True)
            async with ada.join(table) as seat:
                state = await seat.my_turn()
                assert state.you is not None
                assert len(state.you.cards) == 9
