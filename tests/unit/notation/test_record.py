"""The text of records, written and read."""

import io

import pytest
from hands import begin_record, note_move
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.match import Match
from canasta.notation.moves import parse_move
from canasta.notation.record import (
    LONGEST_LINE,
    GameResult,
    HandEnds,
    HandStarts,
    Header,
    MoveMade,
    RecordWriter,
    Remark,
    one_line,
    options_to_record,
)
from canasta.notation.record_reader import RecordError, decode_record, parse_record, read_result
from canasta.rules import load_ruleset, player_numbers, preset_names

WHOLE = """\
# the first comment
format: canasta 1
rules: caliente
version: 1
option match.target: 3000
option pile.always_frozen: true
players: 4
# who they are
seat 0: Ada # the first
seat 2: Grace
seed: 5f 0c
first dealer: 2
date: yesterday
x-table: 12
result: side 1 wins -35 1190
# the end of the header

hand 1

# a comment
0: draw
0: discard 7h  # nobody wants sevens
1: take onto K#2
points: 1190 -35
hand 2
#
2: meld K K K + 9 9 2
result: draw 5 5
"""


def test_a_record_survives_reading_and_writing() -> None:
    record = parse_record(WHOLE)
    assert record.text() == WHOLE
    assert parse_record(record.text()) == record
    header = record.header
    assert (header.rules, header.version, header.players, header.seed) == ("caliente", 1, 4, "5f 0c")
    assert header.options == {"match.target": 3000, "pile.always_frozen": True}
    assert header.names == {0: "Ada # the first", 2: "Grace"}
    assert (header.first_dealer, header.result) == (2, GameResult(1, (-35, 1190)))
    assert header.more == {"date": "yesterday", "x-table": "12"}
    assert [entry.line for entry in record.moves] == [21, 22, 23, 27]
    assert record.moves[1] == MoveMade(0, parse_move("discard 7h"), "nobody wants sevens")
    assert HandEnds((1190, -35)) in record.entries
    assert HandStarts(2) in record.entries
    assert Remark("a comment") in record.entries


def test_other_spellings_are_read() -> None:
    text = (
        "Format:canasta 1\r\nSEED:  x\r\nrules: caliente\r\nplayers: 4\r\nversion: 1\r\n"
        "Result: Unfinished\r\n\r\n"
        "Hand  1\r\n 0 :  DRAW #\r\n1:discard 10h\r\nPoints: 1   2\r\nResult:  Side 0 wins 1 2"
    )
    record = parse_record("\N{BYTE ORDER MARK}" + text)
    assert record.header.unfinished
    assert record.text().splitlines()[-5:] == [
        "hand 1",
        "0: draw",
        "1: discard Th",
        "points: 1 2",
        "result: side 0 wins 1 2",
    ]


HEAD = "format: canasta 1\nrules: caliente\nversion: 1\nplayers: 4\nseed: x\n"


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "must begin with format: canasta 1"),
        ("\n\n", 1, "must begin with format"),
        ("hello", 1, "key: value"),
        ("rules: caliente\n", 1, "must begin with format"),
        ("format: canasta 2\n", 1, 'reads canasta 1, not "canasta 2"'),
        ("format: canasta 1\n", 1, "the header has no rules"),
        (HEAD.replace("seed: x", "sede: x"), 5, "did you mean seed?"),
        (HEAD.replace("seed: x", "seed:"), 5, "the header has no seed"),
        (HEAD + "seed: y\n", 6, "seed is given twice"),
        (HEAD + "colour: red\n", 6, "must begin with x-"),
        (HEAD + "nothing\n", 6, "key: value"),
        (HEAD.replace("players: 4", "players: four"), 4, "players must be a number"),
        (HEAD.replace("players: 4", "players: 99999999999"), 4, "players must be a number"),
        (HEAD.replace("version: 1", "version: -1"), 3, "version must be a number"),
        (HEAD + "seat 7: Ada\n", 6, "there’s no seat 7 with 4 players"),
        (HEAD + "first dealer: 4\n", 6, "there’s no seat 4"),
        (HEAD + "option target: {}\n", 6, "isn’t the value of an option"),
        (HEAD + "option target: [1, [2]]\n", 6, "isn’t the value of an option"),
        (HEAD + "option target: 1.5\n", 6, "isn’t the value of an option"),
        (HEAD + "option target: " + "[" * 3000 + "\n", 6, "isn’t the value of an option"),
        (HEAD + "result: 5\n", 6, '"5" isn’t a result'),
        (HEAD + "\nhand 1\n0: dorw\n", 8, "did you mean draw?"),
        (HEAD + "\nhand 1\n0: discard 1", 8, '"1" isn’t a card'),
        (HEAD + "\nhand one\n", 7, "isn’t a move such as"),
        (HEAD + "\n12: draw\n", 7, "isn’t a move such as"),
        (HEAD + "\npoints: a\n", 7, "isn’t a move such as"),
        (HEAD + "\nresult: a\n", 7, "isn’t a result"),
        (HEAD + "\n0: draw\x00\n", 7, "an invalid character at column 8"),
        (HEAD + "\n0: draw\x1b[2J\n", 7, "an invalid character"),
        (HEAD + "seat 0: A\u2028B\n", 6, "an invalid character"),
        (HEAD + "seat 0: \ud800\n", 6, "an invalid character"),
        (HEAD + "\n#" + "x" * LONGEST_LINE + "\n", 7, "at most 4000"),
        ("x" * 5_000_000, 1, "at most 4000000"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, line: int, part: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert caught.value.line == line, str(caught.value)
    assert part in caught.value.problem.message_in()
    assert len(str(caught.value).splitlines()) == 1


def test_bytes_are_decoded() -> None:
    assert decode_record("\N{BYTE ORDER MARK}ü".encode()) == "ü"
    with pytest.raises(RecordError, match="line 3: this isn’t UTF-8 text"):
        decode_record(b"a\nb\n\xff")
    with pytest.raises(RecordError, match="UTF-16"):
        decode_record("format".encode("utf-16"))
    with pytest.raises(RecordError, match="at most"):
        decode_record(b"x" * 16_000_001)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("side 0 wins 5120 4310", GameResult(0, (5120, 4310))),
        ("draw -5 -5", GameResult(None, (-5, -5))),
        ("side 0 wins", None),
        ("unfinished", None),
        ("side 12 wins 1 2", None),
    ],
)
def test_results(text: str, result: GameResult | None) -> None:
    assert read_result(text) == result
    if result is not None:
        assert str(result) == text


def test_texts_are_made_fit_for_a_line() -> None:
    assert one_line("  a\n b\t\x00c ", 60) == "a b \N{REPLACEMENT CHARACTER}c"
    assert one_line("x" * 100, 60) == "x" * 60


@pytest.mark.parametrize("name", preset_names())
def test_rules_are_told_by_their_differences(name: str) -> None:
    for players in player_numbers(name):
        plain = load_ruleset(name, players)
        assert options_to_record(plain) == {}
        header = Header.of(plain, seed="x", names=["Ada", "", "Li\nLi"][:players])
        assert (header.rules, header.players, header.version) == (name, players, plain.version)
        house = load_ruleset(name, players, {"target": 1234})
        assert options_to_record(house)["match.target"] == 1234


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("caliente", 6, {"extra_deck": True}),
        ("caliente", 6, {"extra_deck": True, "sides": 3}),
        ("caliente", 6, {"sides": 3}),
        ("caliente", 4, {"equal_wilds": True, "caliente_cards": True, "canastas_to_go_out": 2}),
        ("hand-and-foot", 4, {"canastas_to_go_out": 2}),
        ("jaques", 2, {"hand_size": 13}),
        ("jaques", 2, {"hand_size": 13, "canastas_to_go_out": 2}),
        ("two-player", 2, {"put_back": True, "wild_melds": True, "opening.scores": [0, 1000, 2000]}),
    ],
)
def test_differences_lead_back_to_the_same_rules(name: str, players: int, options: dict[str, object]) -> None:
    rules = load_ruleset(name, players, options)
    header = Header.of(rules, seed="x")
    assert load_ruleset(name, players, header.options) == rules
    assert Header.of(rules, seed="x", options=options).options == options
    again = parse_record(header.text() + "\n").header
    assert again == header
    with pytest.raises(ValueError, match="do not lead to these rules"):
        Header.of(rules, seed="x", options={})


@pytest.mark.parametrize("seed", ["", " x", "a\nb", "x" * 4000])
def test_a_seed_must_fit_on_a_line(seed: str) -> None:
    with pytest.raises(ValueError, match="a seed is one line"):
        Header.of(load_ruleset("caliente"), seed=seed)


def test_a_writer_writes_what_a_record_holds() -> None:
    rules = load_ruleset("caliente")
    match = Match.new(rules, "seed")
    record = begin_record(match, seed="seed", names=["Ada"])
    stream = io.StringIO()
    writer = RecordWriter(stream, record.header)
    writer.write(record.entries)
    assert stream.getvalue() == record.text()
    written = len(record.entries)
    seat = match.hand.turn
    match.apply(parse_move("draw"))
    note_move(record, match, seat, parse_move("draw"))
    record.entries.append(Remark("a comment"))
    writer.write(record.entries[written:])
    assert stream.getvalue() == record.text()
    assert parse_record(stream.getvalue()) == record


lines = st.sampled_from(
    [
        *WHOLE.splitlines(),
        *HEAD.splitlines(),
        "",
        "#",
        "0:",
        "hand 1",
        "points: 1",
        "option a: [",
        "x-: 1",
        "0: K",
    ]
)


@given(
    st.one_of(st.text(), st.lists(lines, max_size=20).map("\n".join), st.text().map(lambda text: HEAD + text))
)
def test_any_text_is_a_record_or_an_error_with_a_line(text: str) -> None:
    try:
        record = parse_record(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert len(str(error).splitlines()) == 1
    else:
        assert parse_record(record.text()) == record


@given(st.binary())
def test_any_bytes_are_text_or_an_error(data: bytes) -> None:
    try:
        decode_record(data)
    except RecordError as error:
        assert error.line >= 1
