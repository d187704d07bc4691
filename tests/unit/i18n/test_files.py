"""Mistakes in records and scenarios: one code with facts, in every language."""

import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hands import begin_record, play_hand

import canasta
from canasta.engine.match import Match
from canasta.i18n.catalogue import CATALOGUES, languages, texts
from canasta.notation.errors import FileProblem
from canasta.notation.record_reader import RecordError
from canasta.notation.replay import replay
from canasta.rules import load_ruleset
from canasta.scenarios.run import run_file
from canasta.scenarios.schema import load_file, load_text

SOURCE = CATALOGUES.parents[1]
READERS = [*SOURCE.glob("notation/**/*.py"), *SOURCE.glob("scenarios/**/*.py")]
HEAD = "format: canasta 1\nrules: caliente\nversion: 1\nplayers: 4\nseed: x\n"
RECORDS = (
    *("", "hello", "format: canasta 2\n", "format: canasta 1\n", HEAD + "seed: y\n", HEAD + "colour: red\n"),
    *(HEAD + "sede: x\n", HEAD + "seat 7: Ada\n", HEAD + "option target: {}\n", HEAD + "result: 5\n"),
    *(HEAD.replace("players: 4", "players: four"), HEAD + "\n" + "#" * 5000, "x" * 4_000_001),
    *(HEAD + "\nhand 1\n0: dorw\n", HEAD + "\nhand one\n", HEAD + "\n0: draw\x00\n", HEAD + "\n0: draw\n"),
    *(HEAD + "\nhand 1 fair xyz\n", HEAD + "\nhand 1 fair-2 x\n", HEAD + "\nhand 2\n", HEAD + "\nhand 1\n"),
    *(HEAD.replace("caliente", "kaliente"), HEAD.replace("version: 1", "version: 9")),
    *(HEAD + "\nhand 1\n9: draw\n", HEAD + "\nhand 1\npoints: 1 2\n", HEAD + "\nhand 1\nresult: draw 1 1\n"),
    *(HEAD + "\nhand 1\nresult: unfinished\nhand 2\n", HEAD + "\ncut: K, 4, 5, 6\nhand 1\n"),
    HEAD + "\nhand 1\nresult: unfinished\n0: draw\n",
)
SCENARIOS = (
    *("", "a: [", "a: *b", "[" * 40, "<<: 3", "? [a]\n: b", "[K]", "x" * 4_000_001),
    "{rules: [a], name: [b], clauses: PILE8, then: {illegal: []}}",
    "{rules: caliente, given: {hadns: K, zzzzzz: 1, turn: first, phase: sleep, melds: [K], hands: K K}}",
    "{rules: caliente, given: {hands: {0: Kx, -1: K, 1: {a: b}}, pile: {a: b}, stock: K, stock_is: K}}",
    "{rules: caliente, given: {hands: {0: K, '0': Q}, round: 0, picked_up: {a: b}}, options: {a: [{b: c}]}}",
    "{rules: caliente, given: {put_backs: {0: 401}}, when: draw}",
    "{rules: caliente, given: {melds: {0: {a: b}}}, when: {a: b}, then: {frozen: perhaps, sides: 2}}",
    "{rules: caliente, when: [{a: b}], then: {lines: {0: {naturals: 5, zzz: 1}, 1: 5}, seating: [0]}}",
    "{rules: caliente, then: {illegal: PILE-8}}",
    "{rules: caliente, given: {cut: {0: K}}, when: draw, then: {dealer: 1}}",
    "{rules: jaques, given: {cut: {0: K, 9: K}}, then: {dealer: 1}}",
    "{rules: jaques, given: {cut: {0: Jo, 1: Jo, 2: Jo, 3: Jo}}, then: {dealer: 1}}",
    "{rules: calinte, when: draw}",
    "{rules: caliente, given: {hands: {0: K*9, 1: Ca}, melds: {0: [K]}}, when: draw}",
    "{rules: caliente, given: {melds: {0: [K Q]}}, when: draw}",
    "{rules: caliente, given: {hands: {9: K}, scores: {5: 1}, feet: {0: K}, sitting_out: [2]}, when: draw}",
    "{rules: jaques, given: {players: 6, sitting_out: [0, 2], turn: 0}, when: draw}",
    "{rules: jaques, given: {players: 5, sitting_out: [1]}, when: draw}",
    "{rules: hand-and-foot, given: {foot_unplayed: [0], bonus: {0: 500, 1: K}}, when: draw}",
    "{rules: hand-and-foot, given: {hands: {0: K}, feet: {0: K}, picked_up: [0]}, when: draw}",
    "{rules: caliente, given: {pots: [K], talon: {0: 2}, pile: 3}, when: draw}",
    "{rules: burraco, given: {not_returned: K, pots: [K K, Q Q, 5 5], pot_unplayed: [0]}, when: draw}",
    "{rules: jaques-samba, given: {melds: {0: [5h 6 7, 5h 6 7, 5h 6 7], 1: [6h 7 8]}}, when: draw}",
    "{rules: caliente, when: [draw, draw]}",
    "{rules: caliente, when: [draw, draw], then: {illegal: PILE-8}}",
    "{rules: caliente, when: draw, then: {turn: 3, can: draw, hand: {9: K}, melds: {7: K}}}",
    "{rules: caliente, then: {cannot: draw}}",
    "{rules: caliente, given: {turn: ''}, when: draw}",
)
ONLY_BY_HAND = {
    # Lies about fair cards and cuts, which `unit/notation/test_fair_round_record.py` covers.
    *("FAIR_NO_MORE", "FAIR_TOO_LATE", "OTHER_SERVER_SEED", "OTHER_SEED", "ROUND_MISSING"),
    *("VOIDS_WITHOUT_SEEDS", "VOID_FOR_NOTHING", "NOT_REVEALED", "ROUND_NOT_IN_ORDER", "LATE_IN_ROUND"),
    *("NO_CUT", "DEALER_BY_SEEDS", "DEALER_BY_CUT", "NO_CARDS_CUT", "NO_SEEDS_OF_CUT"),
    *("CUT_WITHOUT_SEEDS", "SECOND_CUT", "OTHER_CARDS_CUT"),
    # Mistakes in the library's positions, reported in English.
    *("ONE_HAND", "NO_CUT_IN_POSITION"),
    # An alias bomb, and faults of the engine.
    *("EXPANDS", "TWO_ANSWERS", "REFUSED_AND_CHANGED", "BROKE_DOWN"),
}


def ended_games() -> Iterator[str]:
    """Yield wrong records of a finished game: other points or results, no end, or too much at the end."""
    match = Match.new(load_ruleset("two-player", options={"target": 100}), "ended")
    record = begin_record(match, seed="ended", options={"target": 100})
    while not match.over:
        play_hand(match, record)
        if not match.over:
            match.deal_next()
            record.entries.extend(begin_record(match, seed="ended").entries)
    text = record.text()
    yield re.sub(r"points: .*", "points: 1 2", text)
    yield re.sub(r"result: .*", "result: draw 1 1", text)
    yield re.sub(r"result: .*", "result: unfinished", text, count=1)
    yield text + "hand 99\n"
    yield text.replace("0: draw", "0: pass")


@cache
def wrongs() -> tuple[FileProblem, ...]:
    found: list[FileProblem] = []
    records: list[str | bytes] = [*RECORDS, *ended_games(), HEAD.encode("utf-16"), b"\xff"]
    for text in records:
        replayed = replay(text)
        problem = replayed.problem or replayed.breaks_off
        assert problem is not None, text
        found.append(problem)
    for scenarios in SCENARIOS:
        found += [wrong for result in run_file(load_text(scenarios)) for wrong in result.problems]
    found += [wrong for result in run_file(load_file("no/such.yaml")) for wrong in result.problems]
    return tuple(found)


def test_every_text_is_used_and_can_be_caused() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in READERS)
    named = set(re.findall(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"', source))
    named |= {f"{kind}_{code}" for kind in ("NO", "NEARLY") for code in ("KEY", "LINE")}
    known = set(texts("en", "files"))
    assert known <= named
    caused = {wrong.code for wrong in wrongs()} | {str(wrong.facts.get("instead")) for wrong in wrongs()}
    assert known - caused == ONLY_BY_HAND


def test_the_bare_error_says_the_english_of_the_catalogue() -> None:
    for wrong in wrongs():
        assert pickle.loads(pickle.dumps(wrong)) == wrong  # noqa: S301 - our own bytes
        if wrong.refusal is None and not wrong.defects:
            assert wrong.line_in() == str(wrong)


@pytest.mark.parametrize("language", languages()[1:])
def test_all_of_it_is_told_in_the_language(language: str) -> None:
    for wrong in wrongs():
        told = wrong.message_in(language)
        assert told
        assert not re.search(r"\{\w|[|~]", told), told
        if wrong.code != "NO_POSITION":  # the engine words it, in English
            assert told != wrong.message_in(), told
        assert "line" not in wrong.line_in(language).split(":")[0].replace("linea", "")


def test_a_record_that_breaks_a_rule_says_which_and_why() -> None:
    match = canasta.Match("caliente", seed=3)
    match.push("draw")
    lines = str(match.record()).splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.endswith("draw\n"))
    lines.insert(at, lines[at])
    with pytest.raises(RecordError) as caught:
        canasta.Match.from_record("".join(lines))
    assert str(caught.value) == (
        f"line {at + 2}: draw: TURN-1: You can’t draw now: you have already drawn this turn. "
        "Meld, or discard."
    )
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own bytes


def test_a_file_that_is_not_there_is_told_in_the_language(tmp_path: Path) -> None:
    (result,) = run_file(load_file(tmp_path / "missing.yaml"))
    assert result.problems[0].line_in("de") == (
        "kann nicht gelesen werden: die Datei oder den Ordner gibt es nicht"
    )
