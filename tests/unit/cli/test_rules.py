"""`canasta rules`."""

import json
import re
from pathlib import Path

import pytest
from unit.cli.conftest import ROOT, Run

from canasta.rules import load_ruleset, parse_option, preset_names
from canasta.rules.clauses import CLAUSES, group_title
from canasta.rules.games import by_family, differences
from canasta.rules.model import FIELDS
from canasta.rules.sheet.sections import rule_sheet

SCENARIO = """
- name: the stock is drawn from
  clauses: [TURN-1]
  rules: caliente
  when: draw
  then: {phase: play}
- name: nobody draws twice
  clauses: [TURN-1, TURN-2]
  rules: caliente
  when: [draw, draw]
  then: {illegal: TURN-1}
"""


def test_every_preset_is_listed_with_its_booklet(run: Run) -> None:
    lines = run("rules").stdout.splitlines()
    families = by_family(preset_names())
    told = [line.split("  ")[1] if line.startswith("  ") else line for line in lines[2:]]
    assert told == [part for family, games in families.items() for part in (family, *games)]
    assert lines[0].split() == ["name", "game", "players", "decks", "to", "booklet"]
    samba = next(line for line in lines if line.startswith("  caliente-samba"))
    assert samba.endswith("  Caliente Complete")
    assert " 10000 " in samba


def test_the_list_as_data_and_as_markdown(run: Run) -> None:
    games = {game["name"]: game for game in json.loads(run("rules", "--json").stdout)}
    assert games["hand-and-foot"]["decks"] == 5
    assert games["hand-and-foot"]["rounds"] == 4
    assert games["hand-and-foot"]["target"] is None
    assert games["two-player"]["players"] == [2]
    assert run("rules", "--markdown").stdout.splitlines()[1] == "| --- | --- | --- | --- | --- | --- | --- |"


def test_games_are_found_by_name_and_by_three_questions(run: Run) -> None:
    assert "  hand-and-foot " in run("rules", "--find", "mão pé").stdout
    assert "  caliente " not in run("rules", "--find", "mão pé").stdout
    games = json.loads(run("rules", "--decks", "3", "--sequences", "--no-second-hand", "--json").stdout)
    assert {"caliente-samba", "bolivia-common"} <= {game["name"] for game in games}
    assert all(game["sequences"] and not game["second_hand"] for game in games)
    assert run("rules", "--second-hand", "--lang", "de").stdout.splitlines()[2] == "Hand & Fuß"
    assert [game["name"] for game in json.loads(run("rules", "--find", "mano", "pie", "--json").stdout)] == [
        "hand-and-foot"
    ]
    for_two = {game["name"] for game in json.loads(run("rules", "--players", "2", "--json").stdout)}
    assert "two-player" in for_two
    assert "uruguay" not in for_two
    none = run("rules", "--find", "poker", "--lang", "it")
    assert (none.exit_code, none.stdout.splitlines()[0][:18]) == (1, "Nessun gioco è cos")


@pytest.mark.parametrize("name", preset_names())
def test_the_sheet_of_each_game(run: Run, name: str) -> None:
    result = run("rules", name)
    assert result.exit_code == 0
    assert result.stdout == rule_sheet(load_ruleset(name)).text(100)
    assert run("rules", name, "--markdown").stdout == rule_sheet(load_ruleset(name)).markdown()


def test_the_sheet_of_a_house(run: Run) -> None:
    result = run(
        "rules", "caliente", "--players", "2", "--option", "target=3000", "-o", "opening.scores=0,100,200"
    )
    rules = load_ruleset("caliente", 2, {"target": 3000, "opening.scores": (0, 100, 200)})
    assert result.stdout == rule_sheet(rules).text(100)


def test_the_sheet_with_every_value_and_as_data(run: Run) -> None:
    assert "scoring.put_back_penalty=50" in run("rules", "two-player", "--values").stdout
    data = json.loads(run("rules", "bolivia", "--json").stdout)
    assert data["values"]["scoring.wild_canasta"] == 2500
    assert {line["clause"] for section in data["sheet"] for line in section["lines"]} >= {"MELD-7", "OUT-1"}


def test_the_sheet_follows_the_window(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, run("rules", "bolivia").stdout.splitlines())) <= 60


def test_what_a_game_leaves_to_the_table(run: Run) -> None:
    four = run("rules", "caliente", "--choices").stdout
    assert "hand_size" in four
    assert "extra_deck" not in four
    assert "same_suit_runs" not in four
    chosen = {row["option"]: row["now"] for row in json.loads(run(
        "rules", "caliente", "-p", "6", "-o", "equal_wilds=yes", "--choices", "--json").stdout)}  # fmt: skip
    assert chosen["equal_wilds"] == "yes"
    assert "extra_deck" in chosen


def test_two_games_compared(run: Run) -> None:
    lines = run("rules", "jaques-samba", "--diff", "bolivia").stdout.splitlines()
    assert lines[0].split("  ")[-1] == "Bolivia (Jaques)"
    assert len(lines) - 2 == len(differences(load_ruleset("jaques-samba"), load_ruleset("bolivia")))
    rows = json.loads(run("rules", "jaques-samba", "--diff", "bolivia", "--json").stdout)["differences"]
    assert rows[-1]["clause"] == "SCOR-10"
    assert run("rules", "jaques-samba", "--diff", "bolivia", "--markdown").stdout.startswith(
        "| clause | rule |"
    )


def test_games_are_compared_for_a_number_of_players_that_both_allow(run: Run) -> None:
    for pair in (("caliente", "two-player"), ("two-player", "caliente")):
        data = json.loads(run("rules", pair[0], "--diff", pair[1], "--json").stdout)
        assert (data["left"]["players"], data["right"]["players"]) == (2, 2)


def test_a_house_compared_with_the_book(run: Run) -> None:
    result = run("rules", "caliente", "-o", "hand_size=13", "--diff", "caliente")
    assert [line.split()[-2:] for line in result.stdout.splitlines()[2:]] == [["13", "11"]]
    assert "are played the same way" in run("rules", "caliente", "--diff", "caliente").stdout


def test_a_clause_and_how_each_game_has_it(run: Run) -> None:
    result = run("rules", "--clause", "pile-4")
    assert result.stdout.startswith("PILE-4  taking with a natural and a wild card  (Taking the pile)")
    rows = [set(line.replace(",", "").split()) for line in result.stdout.splitlines()]
    assert any({"yes", "caliente", "jaques", "two-player"} <= row for row in rows)
    assert any({"no", "caliente-samba", "bolivia"} <= row for row in rows)
    data = json.loads(run("rules", "--clause", "SCOR-6", "--json").stdout)
    assert data["games"]["bolivia"] == "going out: 200"
    assert "the same in every game" in run("rules", "--clause", "PILE-8").stdout.lower()


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_explained(run: Run, clause: str) -> None:
    result = run("rules", "--clause", clause)
    assert result.exit_code == 0
    assert result.stdout.startswith(clause + "  ")


def test_a_clause_in_one_game_and_for_a_number_of_players(run: Run) -> None:
    one = run("rules", "caliente", "-p", "2", "--clause", "TURN-2").stdout
    assert one.splitlines()[-1].split() == ["cards", "drawn", "2", "caliente"]
    assert "two-player" not in run("rules", "--clause", "DEAL-2", "-p", "3").stdout


def test_a_group_of_clauses(run: Run) -> None:
    lines = run("rules", "--clause", "game").stdout.splitlines()
    assert lines[0] == group_title("GAME")
    assert lines[1].startswith("  GAME-1   ")


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        (["calente"], ["rules = 'calente': this preset doesn’t exist; did you mean caliente?"]),
        (
            ["caliente", "bolivia"],
            ["one game at a time; to compare two: canasta rules NAME --diff OTHER"],
        ),
        (["two-player", "-p", "4"], ["players = 4: must be 2."]),
        (
            ["caliente", "-o", "hand_size=99", "-o", "put_back", "-p", "9"],
            [
                "options = 'put_back': must read name=value; for example hand_size=13.",
                "players = 9: must be a whole number from 2 to 6.",
            ],
        ),
        (
            ["caliente", "-o", "hand_size=13", "-o", "hand_size=12"],
            ["hand_size = 12: is given twice, with different values; give it once."],
        ),
        (
            ["caliente", "-o", "qqq=1"],
            ["qqq = '1': this option doesn’t exist; canasta rules NAME --choices lists them."],
        ),
        (
            ["caliente", "--diff", "boliva"],
            ["rules = 'boliva': this preset doesn’t exist; did you mean bolivia?"],
        ),
        (["--diff", "bolivia"], ["which game? canasta rules lists them."]),
        (["--clause", "PILE-99"], ['clause "PILE-99" doesn’t exist; the clauses are PILE-1 to PILE-17']),
        (["--clause", "POLE-8"], ['clause "POLE-8" doesn’t exist; did you mean PILE-8?']),
        (["--clause", "PILE-8", "-p", "7"], ["no game is for 7 players; choose two to six."]),
    ],
)
def test_what_cannot_be_answered(run: Run, words: list[str], sentences: list[str]) -> None:
    result = run("rules", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    told = [line.removeprefix("canasta: ") for line in result.stderr.splitlines()]
    assert [sentence for sentence in sentences if sentence not in told] == [], told


# -- coverage -----------------------------------------------------------------------------------------------


def test_coverage_counts_and_names_the_scenarios(run: Run, tmp_path: Path) -> None:
    (tmp_path / "turn.yaml").write_text(SCENARIO)
    result = run("rules", "--coverage", str(tmp_path))
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  TURN-1 "))
    assert lines[at].split()[-4:] == ["1", "allowed", "1", "refused"]
    assert [line.strip() for line in lines[at + 1 : at + 3]] == [
        "the stock is drawn from",
        "nobody draws twice",
    ]
    assert lines[at + 3].startswith("  TURN-2 ")
    assert f"2 of {len(CLAUSES)} clauses proved by 2 scenarios" in result.stdout
    assert lines[-1].startswith("without a scenario: DECK-1, ")
    assert result.exit_code == 1
    assert "nobody draws twice" not in run("rules", "--coverage", "--short", str(tmp_path)).stdout


def test_coverage_of_one_clause(run: Run, tmp_path: Path) -> None:
    (tmp_path / "turn.yaml").write_text(SCENARIO)
    assert run("rules", "--coverage", "--clause", "TURN-2", str(tmp_path)).exit_code == 0
    assert run("rules", "--coverage", "--clause", "TURN-3", str(tmp_path)).exit_code == 1


def test_coverage_as_data(run: Run, tmp_path: Path) -> None:
    (tmp_path / "turn.yaml").write_text(SCENARIO.replace("TURN-2", "TURN-77"))
    result = run("rules", "--coverage", "--json", str(tmp_path))
    data = json.loads(result.stdout)
    assert [clause["id"] for clause in data["clauses"]] == list(CLAUSES)
    assert set(data["missing"]) == set(CLAUSES) - {"TURN-1"}
    assert data["unknown"] == ["TURN-77"]
    assert result.exit_code == 1


def test_coverage_of_the_rulebook(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    data = json.loads(run("rules", "--coverage", "--json").stdout)
    assert data["unknown"] == []
    by_id = {clause["id"]: clause for clause in data["clauses"]}
    assert by_id["PILE-8"]["allowed"] > 0
    assert by_id["PILE-8"]["refused"] > 0


@pytest.mark.parametrize("what", ["nowhere", "missing.yaml", "binary.yaml"])
def test_coverage_of_what_cannot_be_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    result = run("rules", "--coverage", *([] if what == "nowhere" else [what]))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", preset_names())
def test_every_value_printed_can_be_typed_back(run: Run, name: str) -> None:
    told = [line.partition("  ")[0] for line in run("rules", name, "--values").stdout.splitlines()]
    typed = [text for text in told if re.match(r"[a-z_]+\.[a-z0-9_]+=", text)]
    assert len(typed) == sum(not field.fixed for field in FIELDS.values())
    options = [word for text in typed for word in ("--option", text)]
    result = run("rules", name, *options, "--diff", name)
    assert result.exit_code == 0, result.stderr
    assert "are played the same way" in result.stdout
    rules = load_ruleset(name)
    for text in typed:
        assert load_ruleset(name, options=dict([parse_option(text)])) == rules, text


def test_the_words_of_a_sheet_can_be_typed_too(run: Run) -> None:
    words = (
        "melds.most_wilds=no limit",
        "seats.first_dealer=Found by  cutting",
        "match.rounds=none, it goes by score",
    )
    options = [word for text in words for word in ("--option", text)]
    data = json.loads(run("rules", "jaques", *options, "--json").stdout)
    values = data["values"]
    assert (values["melds.most_wilds"], values["seats.first_dealer"], values["match.rounds"]) == (0, "cut", 0)


# -- rules as a file ----------------------------------------------------------------------------------------


@pytest.fixture
def club(run: Run, tmp_path: Path) -> str:
    """Return a file of house rules, as `--save` writes it."""
    file = tmp_path / "my-club.toml"
    told = run("rules", "jaques", "-o", "hand_size=9", "-o", "target=900", "--save", str(file))
    assert told.exit_code == 0
    assert str(file) in told.stdout
    return str(file)


def test_a_saved_file_is_taken_wherever_a_game_is_named(run: Run, club: str) -> None:
    diff = run("rules", club, "--diff", "jaques")
    assert [line.split()[0] for line in diff.stdout.splitlines()[2:]] == ["DEAL-3", "GAME-1"]
    assert "your table" in diff.stdout
    assert json.loads(run("rules", "jaques", "--diff", club, "--json").stdout)["differences"]
    assert json.loads(run("rules", club, "--json").stdout)["values"]["deal.hand_size"] == 9
    arena = run("arena", "random", "novice", "-r", club, "-n", "1", "--by", "hand", "--jobs", "1", "--json")
    assert json.loads(arena.stdout)["options"] == {
        "deal.hand_size": 9,
        "match.target": 900,
    }
    stats = run("stats", "-r", club, "--hands", "2", "--jobs", "1", "--json")
    assert json.loads(stats.stdout)["options"]["match.target"] == 900
    assert "jaques" in run("bench", "engine", "-r", club, "--seconds", "0.01").stdout


def test_a_game_by_a_file_is_recorded_without_it(run: Run, club: str, tmp_path: Path) -> None:
    record = tmp_path / "game.canasta"
    told = run("play", "--text", "-r", club, "--seed", "x", "--record", str(record), typed="draw\nquit\n")
    assert "to 900" in told.stdout
    Path(club).unlink()
    lines = record.read_text().splitlines()
    assert "rules: jaques" in lines
    assert "option deal.hand_size: 9" in lines
    assert run("replay", str(record)).exit_code == 0


def test_an_option_stands_over_the_file(run: Run, club: str) -> None:
    data = json.loads(run("rules", club, "-o", "hand_size=10", "--json").stdout)["values"]
    assert (data["deal.hand_size"], data["match.target"]) == (10, 900)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rules", "{club}", "--save", "{club}"], "already exists; give another name"),
        (["rules", "jaques", "--save", "club.txt"], "must end in .toml"),
        (["rules", "jaques", "--save", "nowhere/club.toml"], "can’t be written"),
        (["rules", "jaques", "-o", "hand_size=0", "--save", "x.toml"], "must be a whole number"),
        (["rules", "{club}x.toml"], "can’t be read: no such file"),
        (["play", "--text", "--rules", "{bad}"], "line 3: deal.hand_size = 0: must be a whole number from 1"),
        (["tui", "--rules", "{bad}"], "line 3: deal.hand_size = 0"),
        (["arena", "random", "club", "--rules", "{bad}"], "line 3: deal.hand_size = 0"),
        (["play", "--rules", "{bad}", "--no-open"], "line 3: deal.hand_size = 0"),
        (["serve", "--rules", "{bad}"], "line 3: deal.hand_size = 0"),
        (["serve", "--rules", "jaques"], "jaques: can’t be read: no such file"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(
    run: Run, club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text('base = "jaques"\n[deal]\nhand_size = 0\n')
    result = run(*(word.format(club=club, bad="bad.toml") for word in words))
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--lang", "de"], "Klassisches Canasta"),
        (["jaques", "--lang", "es"], "Se mezclan dos barajas de 52 cartas"),
        (["jaques", "--lang", "fr", "--choices"], "Combien de cartes chacun reçoit."),
        (["jaques", "--lang", "it", "--values"], "yes, no"),
        (["jaques-samba", "--diff", "bolivia", "--lang", "pt"], "jogos só de curingas"),
        (["--clause", "PILE-8", "--lang", "de_CH"], "ein eingefrorener Stapel  (Den Stapel nehmen)"),
        (["--clause", "TURN-1", "--lang", "fr"], "Pareil dans tous les jeux qui l’ont."),
        (["--clause", "GAME", "--lang", "es"], "Gana el total más alto."),
    ],
)
def test_rules_in_another_language(run: Run, arguments: list[str], says: str) -> None:
    result = run("rules", *arguments)
    assert result.exit_code == 0
    assert says in result.stdout


def test_the_locale_chooses_and_an_unknown_language_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    assert "Le carte" in run("rules", "bolivia").stdout
    assert "The cards" in run("rules", "bolivia", "--lang", "en").stdout
    refused = run("rules", "--lang", "klingon")
    assert refused.exit_code == 2
    assert "non c’è una lingua «klingon»; ci sono en (English), de (Deutsch)" in refused.stderr
