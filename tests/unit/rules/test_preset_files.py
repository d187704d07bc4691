"""Presets are found in their folder, and other packages can add their own."""

from pathlib import Path

import pytest
from owl_preset import OWLS, preset_in_folder, preset_package

from canasta.rules import RulesetError, load_ruleset, preset_names
from canasta.rules.preset_files import preset, preset_folder, read_preset

OURS = preset_names()


def test_each_file_of_the_folder_is_a_preset() -> None:
    assert set(OURS) == {file.stem for file in preset_folder().glob("*.toml")}


@pytest.mark.parametrize("name", OURS)
def test_a_preset_tells_what_it_is_in_every_language(name: str) -> None:
    read = preset(name)
    assert read.family
    assert read.booklet
    assert read.summary.endswith(".")
    assert set(read.titles) == set(read.summaries) == {"de", "es", "fr", "it", "pt"}


@pytest.mark.parametrize("name", OURS)
def test_a_preset_says_nothing_twice(name: str) -> None:
    """Each value that it states differs from its base, or else from the usual value."""
    read = preset(name)
    base = preset(read.base).values_for(4, 2) if read.base else read._replace(values={}).values_for(4, 2)
    assert [path for path, value in read.values.items() if base[path] == value] == []


def test_a_preset_dropped_into_the_folder_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with preset_in_folder(tmp_path, monkeypatch):
        names = preset_names()
        before = [name for name in names[: names.index("owls")] if preset(name).base == "jaques"]
        assert before == [name for name in OURS if preset(name).base == "jaques"], "after its sisters"
        assert set(names) == {*OURS, "owls"}
        rules = load_ruleset("owls", 4, {"target": 3000})
        assert (rules.name, rules.title, rules.deal.hand_size) == ("owls", "Owls", 9)
        assert preset("owls").family == preset("jaques").family
        assert preset("owls").booklet == "", "the rules of the base are printed there, and not these"
        assert preset("owls").titles == {"de": "Eulen"}
    assert preset_names() == OURS


def test_a_package_brings_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    young = 'title = "Young owls"\nbase = "owls"\n[match]\ntarget = 1000\n'
    with preset_package(tmp_path, monkeypatch, owls=OWLS, **{"young-owls": young}):
        names = preset_names()
        assert names[names.index("owls") + 1] == "young-owls", "after the one that it stands on"
        assert load_ruleset("young-owls").match.target == 1000
        assert load_ruleset("young-owls").deal.hand_size == 9
    with pytest.raises(RulesetError, match="this preset doesn’t exist"):
        load_ruleset("young-owls")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("owls", "[deal]\nhand_size = 0\n", "must be a whole number"),
        ("owls", 'title = "Owls"\nbase = "owls"\n', "lead back to itself"),
        ("owls", 'title = "Owls"\nbase = "hawks"\n', "this preset doesn’t exist"),
        ("Owls!", OWLS, "isn’t a valid preset name"),
        ("jaques", OWLS, "the name is taken"),
    ],
)
def test_a_foreign_preset_that_is_no_game_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, told: str
) -> None:
    with preset_package(tmp_path, monkeypatch, **{name: text}), pytest.warns(RuntimeWarning, match=told):
        assert preset_names() == OURS


def test_a_package_that_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with preset_package(tmp_path, monkeypatch):
        (tmp_path / "owl_rules/__init__.py").write_text("import nothing_of_that_name\n")
        with pytest.warns(RuntimeWarning, match="cannot be read: No module named"):
            assert preset_names() == OURS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("player_numbers = [1, 9]", "player_numbers"),
        ("player_numbers = []", "player_numbers"),
        ("default_players = 5\nplayer_numbers = [2]", "default_players"),
        ("version = true", "version"),
        ("version = 0", "version"),
        ("base = 3", "base"),
        ("names = 3", "names"),
        ('names = ["Owl\\nnight"]', "names"),
        ("[languages.de]\nfamily = 3", "languages.de.family"),
        ('[languages.de]\nname = "x"', "languages.de.name"),
        ("[[when]]\nplayers = 9", "when"),
        ("when = 3", "when"),
        ("extra_deck = 3", "extra_deck"),
        ("[before.1]", "before.1"),
    ],
)
def test_what_a_preset_file_cannot_say(text: str, told: str) -> None:
    with pytest.raises(RulesetError) as caught:
        read_preset("house", f'title = "House"\n{text}\n'.encode(), "house.toml")
    assert [defect.path for defect in caught.value.defects] == [told]
