"""`--lang` and the locale choose what the terminal speaks."""

import re
from pathlib import Path

import pytest
from unit.cli.conftest import Run

TYPED = "meld K K K\ndraw\nmeld 9 9 2\nhint\nquit\n"
REFUSED = {
    "de": "Melden geht jetzt nicht",
    "es": "Ahora no puedes bajar cartas",
    "fr": "Vous ne pouvez pas poser maintenant",
    "it": "Ora non puoi calare",
    "pt": "Agora você não pode baixar",
    "en": "You cannot meld now",
}
SCENARIO = """
- name: a second draw
  clauses: [TURN-1]
  rules: caliente
  given: {phase: play}
  when: [draw]
  then: {turn: 0}
"""


def play(run: Run, *more: str) -> str:
    words = ("play", "--text", "--seed", "tuesday", "--no-save", *more)
    return " ".join(run(*words, typed=TYPED).stdout.split())


@pytest.mark.parametrize("language", REFUSED)
def test_typed_play_speaks_the_language_asked_for(run: Run, language: str) -> None:
    told = play(run, "--lang", language)
    assert REFUSED[language] in told
    others = [words for name, words in REFUSED.items() if name != language]
    assert not any(words in told for words in others)
    assert ("You drew 7♥." in told) == (language == "en")
    assert ("in sight" in told) == (language == "en")


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LC_ALL": "de_AT.UTF-8"}, "de"),
        ({"LC_ALL": "", "LC_MESSAGES": "it", "LANG": "fr_FR.UTF-8"}, "it"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LC_ALL": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_locale_chooses_where_nothing_was_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert REFUSED[language] in play(run)
    assert REFUSED["es"] in play(run, "--lang", "es")


@pytest.mark.parametrize("words", ["play --text", "tui", "rules", "replay x", "scenario x", "verify x"])
def test_a_language_that_there_is_not(run: Run, words: str) -> None:
    result = run(*words.split(), "--lang", "xx")
    assert result.exit_code == 2
    assert "There is no language 'xx'. There are: en (English), de (Deutsch)" in " ".join(
        result.stderr.split()
    )


def test_scenarios_and_records_tell_refusals_in_the_language(run: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "draw.yaml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    told = run("scenario", str(scenario), "--lang", "fr").stdout
    assert "la pioche de ce tour est faite" in told
    record = Path("examples/evening.canasta").read_text(encoding="utf-8")
    broken = tmp_path / "broken.canasta"
    broken.write_text(record.replace(" draw\n", " answer yes\n", 1), encoding="utf-8")
    result = run("replay", str(broken), "--lang", "it")
    assert "nessuno ha chiesto" in " ".join(result.stderr.split())
    assert result.exit_code == 1


def test_no_english_is_left_in_a_german_game(run: Run) -> None:
    typed = [
        "help",
        "moves",
        "hint",
        "rules X",
        "rules PILE-99",
        "save",
        "draw",
        "moves",
        "table",
        "discard 5",
    ]
    told = run("play", "--text", "--seed", "tuesday", "--lang", "de", typed="\n".join(typed))
    said = [line for line in told.stdout.splitlines() if " > " not in line]
    assert "Dieselben Karten noch einmal: --seed tuesday" in said
    assert '  Es gibt keine Klausel "PILE-99"; meintest du PILE-9?' in said
    assert "meld (melden), add (anlegen) oder discard (abwerfen) > table" in told.stdout
    english = re.compile(
        r"\b([Tt]he|of|and|[Yy]ours?|[Yy]ou|cards?|points|hand|with|is|are|not|for|or|game|again)\b"
    )
    assert [line for line in said if english.search(line)] == []
