"""`--lang` and the locale select the language of the terminal."""

import re
from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.i18n.catalogue import CATALOGUES, languages, texts
from canasta.rules import load_ruleset
from canasta.rules.clauses import CLAUSE_GROUPS
from canasta.rules.field_types import Value
from canasta.rules.model import FIELDS

TYPED = "meld K K K\ndraw\nmeld 9 9 2\nhint\nquit\n"
REFUSED = {
    "de": "Melden geht jetzt nicht",
    "es": "Ahora no puedes bajar cartas",
    "fr": "Vous ne pouvez pas poser maintenant",
    "it": "Ora non puoi calare",
    "pt": "Agora você não pode baixar",
    "en": "You can’t meld now",
}
ENGLISH = re.compile(
    r"\b([Tt]he|of|and|[Yy]ours?|[Yy]ou|cards?|points|hand|with|is|are|not|for|or|game|again|must|cannot|there)\b"
)
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
    assert ("already visible" in told) == (language == "en")


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
    told = 'there is no language "xx"; there are en (English), de (Deutsch)'
    assert told in " ".join(result.stderr.split())


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
    assert f'  Es gibt keine Klausel "PILE-99"; es gibt PILE-1 bis {CLAUSE_GROUPS["PILE"][-1]}' in said
    assert "meld (melden), add (anlegen) oder discard (abwerfen) > table" in told.stdout
    assert [line for line in said if ENGLISH.search(line)] == []


ENDINGS = (
    *("ruls", "rules --zzz", "scenario", "version now", "test", "play --port many", "stats --hands 0"),
    *("rules calente", "rules caliente --option hand_size=0", "rules --option hand_size=3 --clause PILE-8"),
    *("rules caliente jaques", "rules --clause NOPE-1", "rules caliente --players 9", "play --bot clob"),
    *("rules caliente --option hand_size=3 --save x.txt", "rules caliente --option going_out.sequence=1"),
    *("play --text --resume --new", "play --text --resume --no-save", "play --text --no-open"),
    *("play --text --names A,B,C,D,E", "play --text --save no/such/file", "play --text --bot x:Y"),
    *(
        "play --save x",
        "tui --join x --replay y",
        "tui --join ftp://x",
        "tui",
        "replay no.such",
        "verify no.such",
    ),
    *(
        "serve --origin /",
        "serve --push x",
        "serve --push-service x",
        "arena club",
        "arena club club --budget 0",
    ),
    *("verify examples/evening.canasta --seed 7",),
    *("play --text --lang xx", "play --text --seed \x1b", "serve --rules no.toml", "rules --lang"),
)


OTHERS = sorted(set(REFUSED) - {"en"})


@pytest.mark.parametrize(
    ("words", "language"),
    [
        pytest.param(words, language, marks=() if language == OTHERS[at % len(OTHERS)] else pytest.mark.long)
        for at, words in enumerate(ENDINGS)
        for language in OTHERS
    ],
)
def test_what_ends_a_command_is_told_in_the_language(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, language: str
) -> None:
    """The short run reads each error in one language; other tests find missing texts."""
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    told = run(*words.split(" "))
    assert told.exit_code in (1, 2)
    assert told.stderr.startswith("canasta: ")
    assert not ENGLISH.search(re.sub(r"cards\.example|see_also|'[^']*'", "", told.stderr)), told.stderr
    monkeypatch.setenv("LC_ALL", "C")
    assert run(*words.split(" ")).stderr != told.stderr


@pytest.mark.parametrize("asked", ["de", "de.UTF-8", "de_DE.UTF-8", "DE-at", "de@euro"])
def test_a_language_may_be_written_as_a_locale_is(run: Run, asked: str) -> None:
    assert "diese Option gibt es nicht: --zzz" in run("rules", "--lang", asked, "--zzz").stderr
    assert "dieses Spiel gibt es nicht" in run("rules", "calente", f"--lang={asked}").stderr


HOUSES: tuple[tuple[str, dict[str, Value]], ...] = (
    ("caliente", {"deck.caliente_cards": True, "turn.lay_bonus_by_hand": True, "going_out.ask": "must"}),
    ("two-player", {"pile.put_back": True, "turn.keep_last_card": True}),
    ("bolivia", {"turn.undo": True}),
    ("hand-and-foot", {}),
    ("jaques", {}),
)


@pytest.mark.parametrize(("preset", "options"), HOUSES, ids=[name for name, _ in HOUSES])
def test_help_names_every_move_that_the_game_has(run: Run, preset: str, options: dict[str, Value]) -> None:
    rules = load_ruleset(preset, options=options)
    chosen = [word for path, value in options.items() for word in ("-o", FIELDS[path].typed(value))]
    told = run("play", "--text", "--seed", "x", "--no-save", "--rules", preset, *chosen, typed="help\nquit\n")
    match, any_move = Match.new(rules, f"help {preset}"), get_bot("random", "help")
    verbs = {"answer"} if rules.going_out.ask != "no" and rules.seats.players >= 4 else set()
    for _ in range(300):
        verbs |= {str(move).split()[0] for move in match.hand.legal_moves()}
        match.apply(any_move.choose(match.hand.view(match.hand.turn)))
        if match.hand.over:
            break
    assert {"draw", "discard", "meld"} <= verbs
    assert [verb for verb in sorted(verbs) if f"\n  {verb} " not in told.stdout] == []


def test_a_record_that_cannot_be_saved_says_why_in_the_language(run: Run) -> None:
    told = run("play", "--text", "--no-save", "--lang", "de", typed="save no/such/folder\nquit\n").stdout
    assert "die Datei oder den Ordner gibt es nicht" in told


MEASURED = (
    "arena random novice --pairs 1 --by hand --jobs 1 --rules two-player",
    "stats --hands 1 --bot random --jobs 1 --rules hand-and-foot --players 2",
    "bench engine --rules two-player --seconds 0",
)


@pytest.mark.parametrize("words", MEASURED, ids=lambda words: words.split()[0])
def test_what_is_measured_is_told_in_the_language(run: Run, words: str) -> None:
    english = run(*words.split())
    assert english.exit_code == 0
    told = {english.stdout}
    for language in languages()[1:]:
        result = run(*words.split(), "--lang", language)
        assert result.exit_code == 0
        assert not set(ENGLISH.findall(result.stdout)) - {"points"}, result.stdout  # also a French word
        told.add(result.stdout)
    assert len(told) == len(languages())


def test_every_text_of_measurements_is_used() -> None:
    files = (CATALOGUES.parents[1] / "commands").glob("*.py")
    source = "".join(path.read_text(encoding="utf-8") for path in files).replace("'", '"')
    by_number = {f"place_{place}" for place in range(1, 7)} | {"equal_seats", "equal_sides"}
    assert {key for key in texts("en", "measures") if f'"{key}"' not in source} == by_number
