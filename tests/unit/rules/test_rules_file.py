"""House rules as a file: the game is played by them, and every mistake is reported with its line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.notation.record import Header
from canasta.research.describe import rules_for
from canasta.rules import RulesetError, load_ruleset, preset_names, resolve_ruleset
from canasta.rules.loader import values_of
from canasta.rules.model import FIELDS
from canasta.rules.preset_files import MOST_BYTES
from canasta.rules.rules_file import RulesFile, read_rules_file, rules_text
from canasta.scenarios.run import run_file
from canasta.scenarios.schema import load_file

CLUB = """title = "Tuesday club"
base = "jaques"

[match]
target = 3000

[players.2]
deal.hand_size = 13
"""


@pytest.fixture
def club(tmp_path: Path) -> Path:
    file = tmp_path / "my-club.toml"
    file.write_text(CLUB)
    return file


def slips(text: str | bytes) -> list[str]:
    """Return the messages about a file that cannot be used."""
    content = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(RulesetError) as caught:
        RulesFile(content, "club.toml").ruleset()
    return [str(defect) for defect in caught.value.defects]


def test_a_file_is_its_base_with_options(club: Path) -> None:
    assert load_ruleset(club) == load_ruleset(str(club)) == load_ruleset("jaques", None, {"target": 3000})
    two = load_ruleset("jaques", 2, {"target": 3000, "hand_size": 13})
    assert load_ruleset(club, 2) == two
    assert two.going_out.canastas == 1, "what follows from a choice in the base follows here too"
    assert read_rules_file(club).title == "Tuesday club"


def test_options_of_the_table_stand_over_the_file(club: Path) -> None:
    rules = load_ruleset(club, 2, {"hand_size": 15, "match.target": 4000})
    assert rules == load_ruleset("jaques", 2, {"target": 4000})


def test_a_record_needs_no_file(club: Path) -> None:
    header = Header.of(load_ruleset(club, 2), seed="x")
    assert header.rules == "jaques"
    assert resolve_ruleset(header.rules, header.players, header.options) == load_ruleset(club, 2)


def test_research_plays_by_a_file(club: Path) -> None:
    assert rules_for(str(club), 2) == load_ruleset(club, 2)


def test_a_stranger_cannot_name_a_file(club: Path) -> None:
    with pytest.raises(RulesetError, match="this preset doesn’t exist"):
        resolve_ruleset(str(club))


def test_a_file_from_another_system(tmp_path: Path) -> None:
    """The file has the byte order mark that Notepad writes, and its line ends."""
    file = tmp_path / "club.TOML"
    file.write_bytes(b"\xef\xbb\xbf" + CLUB.replace("\n", "\r\n").encode())
    assert load_ruleset(file).match.target == 3000


def test_it_can_name_the_number_of_players() -> None:
    file = RulesFile(b'base = "caliente"\ndefault_players = 3\n', "club.toml")
    assert file.ruleset().seats.players == 3
    assert file.ruleset(5).seats.players == 5


def test_a_scenario_names_a_file_beside_it(club: Path) -> None:
    scenario = club.with_name("club.yaml")
    scenario.write_text("- {name: near, clauses: [GAME-1], rules: my-club.toml, when: draw}\n")
    assert [result.problems for result in run_file(load_file(scenario))] == [()]
    scenario.write_text("- {name: far, clauses: [GAME-1], rules: ../my-club.toml, when: draw}\n")
    assert "this preset doesn’t exist" in str(run_file(load_file(scenario))[0].problems[0])


WRITTEN: list[tuple[str, int | None, dict[str, Any]]] = [
    ("jaques", None, {}),
    ("jaques", 2, {"hand_size": 13}),
    ("hand-and-foot", None, {"canastas_to_go_out": 3, "target": 9000}),
    ("caliente", None, {"equal_wilds": True, "opening.minimums": [60, 90, 120], "put_back": True}),
    ("caliente", None, {"melds.runs": True, "seats.first_dealer": "cut"}),
    ("caliente", 6, {"extra_deck": True, "hand_size": 12}),
    ("bolivia", 6, {"sides": 3}),
]


@pytest.mark.parametrize(("base", "players", "options"), WRITTEN)
def test_what_is_written_is_what_is_read(base: str, players: int | None, options: dict[str, Any]) -> None:
    text = rules_text(base, players, options, title='The "Owls" \\ club')
    read = RulesFile(text.encode(), "club.toml")
    assert read.title == 'The "Owls" \\ club'
    assert read.ruleset(players) == load_ruleset(base, players, options)
    again = rules_text(base, players, read.options(players), title=read.title)
    assert again == text


def test_a_written_file_says_what_each_field_takes() -> None:
    lines = rules_text("jaques", None, {"hand_size": 13}).splitlines()
    assert lines[lines.index("hand_size = 13") - 1] == "# cards dealt: a whole number from 1 to 30"


@pytest.mark.parametrize("name", preset_names())
def test_every_value_of_a_game_can_stand_in_a_file(name: str) -> None:
    rules = load_ruleset(name)
    values = {
        path: value
        for path, value in values_of(rules).items()
        if not FIELDS[path].fixed and FIELDS[path].section != "seats"
    }
    text = rules_text(name, None, values)
    assert RulesFile(text.encode(), "club.toml").ruleset() == rules
    assert text.count(" = ") == len(values) + 1


SLIPS: list[tuple[str | bytes, list[str]]] = [
    ("", ['base: is missing; write base = "caliente", or another game']),
    (
        'base = ""',
        ["line 1: base = '': this preset doesn’t exist; one of " + ", ".join(preset_names())],
    ),
    ("base = 3", ["line 1: base = 3: must be one line of text; write it in quotation marks"]),
    (
        'base = "jaques"\n"deal.hand_size" = 9',
        ["deal.hand_size = 9: this field doesn’t exist; write hand_size below [deal]"],
    ),
    ('base = "jaque"', ["line 1: base = 'jaque': this preset doesn’t exist; did you mean jaques?"]),
    (
        'base = "jaques"\ntarget = 5\n[turn]\ndraw = "2"\n\n[pile]\nput_back = "yes"\n',
        [
            "line 2: target = 5: this field doesn’t exist; write target below [match]",
            "line 4: turn.draw = '2': must be a whole number from 1 to 5; write it without quotation marks",
            "line 7: pile.put_back = 'yes': must be true or false; write put_back = true",
        ],
    ),
    (
        'base = "jaques"\n[pile]\nput_back = yes\n',
        ["line 3: can’t be read; write true or false"],
    ),
    (
        'base = "jaques"\n[seats]\nfirst_dealer = random\n',
        ["line 3: can’t be read; write text in quotation marks"],
    ),
    (
        'base = "jaques"\n[deal]\nhand_size = 9\nhand_size = 9\n',
        ["line 4: gives a value a second time; give it once"],
    ),
    (
        'base = "jaques"\nversion = 3\n[players.9]\n',
        [
            "line 2: version = 3: belongs to a preset, not to a file of house rules; leave it out",
            "line 3: players.9: must have a number from 2 to 6; write [players.2]",
        ],
    ),
    (
        'base = "jaques"\n[match]\ntarget = 0\n',
        ["line 3: match.target = 0: the game would never end; set a target or a number of rounds"],
    ),
    (
        'base = "two-player"\ndefault_players = 4\n',
        ["line 2: default_players = 4: isn’t a number of players for two-player"],
    ),
    ("x" * (MOST_BYTES + 1), ["is too long for a rules file; the limit is 32768 bytes"]),
    (b"base = \xff", ["isn’t a text file in UTF-8; save it as plain text"]),
]


@pytest.mark.parametrize(("text", "told"), SLIPS)
def test_every_slip_is_told(text: str | bytes, told: list[str]) -> None:
    assert [slip.removeprefix("club.toml").lstrip(":, ") for slip in slips(text)] == told


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 30_000,
        "x = " + "{a=" * 9_000,
        "a." * 16_000 + "a = 1",
        'base = "jaques"\n' + "[deal." + ".".join("a" * 16_000) + "]",
        'base = "jaques"\n[deal]\nhand_size = ' + "9" * 20_000,
        "\n".join(f"[section{number}]" for number in range(2000)),
        'base = "jaques"\n[deal]\n' + "\n".join(f"hand_siz{number} = 1" for number in range(1500)),
        'base = "jaques"\ntitle = "a\\nb"',
        'base = ["jaques"]',
        'base = "jaques"\nplayers = 4',
        'base = "jaques"\ndeal = 4\n[players]\n2 = 5',
        'base = "jaques"\ndefault_players = [[]]',
        'base = "jaques"\n[match]\ntarget = 1979-05-27T07:32:00Z',
        'base = "jaques"\n[match]\ntarget = nan',
    ],
)
def test_a_hostile_file_is_told_and_no_more(text: str) -> None:
    assert all(len(line) < 1000 for line in slips(text))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_rules_or_a_sentence(content: bytes) -> None:
    try:
        RulesFile(b'base = "caliente"\n' + content, "club.toml").ruleset()
    except RulesetError as error:
        assert error.defects


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for name in (tmp_path / "no.toml", tmp_path, "a\0b.toml"):
        with pytest.raises(RulesetError, match="can’t be read"):
            load_ruleset(name)


def test_lines_of_blanks_cost_no_more_than_their_length() -> None:
    """A pattern that could divide the blanks between two of its parts took half a minute for these."""
    blanks = (" " * 990 + "!\n") * 32
    (told,) = slips(f'base = "jaques"\ntitle = """\n{blanks}"""\n')
    assert "must be one line of text" in told


def test_names_of_strangers_write_nothing_on_a_terminal() -> None:
    told = slips('base = "jaques"\n"\\u001b[31m" = 3\n["\\u001b[2J\\n"]\nx = 1\n')
    assert len(told) == 2
    assert all(text.isprintable() for text in told)
