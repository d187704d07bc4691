"""Records of games whose cards were committed to: written, read, replayed, and found out when they lie."""

import pytest
from hands import note_deal, note_move

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.shuffle import FairDeal
from canasta.notation.record import HandStarts, Header, Record
from canasta.notation.record_reader import parse_record
from canasta.notation.replay import Replayer, replay
from canasta.rules import load_ruleset

SEEDS = ("seat-0", "x9_Q-", "seat-2", "seat-3")
DEALS = [FairDeal(digit * 64, SEEDS) for digit in "a7"]


@pytest.fixture(scope="module")
def fair_record() -> str:
    """Two hands of a game between novices."""
    rules = load_ruleset("caliente", 4)
    match = Match.new(rules, "table", fair=DEALS[0])
    record = Record(Header.of(rules, seed="table"))
    note_deal(record, match, DEALS[0])
    bots = [get_bot("novice", str(seat)) for seat in range(4)]
    for hand in range(2):
        if hand:
            match.deal_next(DEALS[1])
            note_deal(record, match, DEALS[1])
        while not match.hand.over:
            seat = match.hand.turn
            move = bots[seat].choose(match.hand.view(seat))
            match.apply(move)
            note_move(record, match, seat, move)
    return record.text()


def test_a_fair_record_replays_to_its_end(fair_record: str) -> None:
    replayer = Replayer(fair_record)
    while replayer.step() is not None:
        pass
    assert replayer.replay.problem is None
    assert [hand.fair for hand in replayer.fair_hands] == DEALS
    assert replayer.replay.match is not None
    assert replayer.replay.match.hand_number == 2


def test_reading_and_writing_keep_the_seeds(fair_record: str) -> None:
    record = parse_record(fair_record)
    assert record.text() == fair_record
    assert record.entries[0] == HandStarts(1, fair=DEALS[0], commitment=DEALS[0].commitment)


def test_fair_cards_depend_on_every_seed() -> None:
    rules = load_ruleset("caliente", 4)
    decks = {
        tuple(Match.new(rules, "table", fair=fair).hand.state.deck)
        for fair in (DEALS[0], DEALS[1], FairDeal("a" * 64, ("seat-0", "x9_Q_", "seat-2", "seat-3")))
    }
    assert len(decks) == 3


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        pytest.param("a" * 64, "b" * 64, "committed", id="another server seed"),
        pytest.param(DEALS[0].commitment, "c" * 64, "committed", id="another commitment"),
        pytest.param(" seat-3", "", "every seat", id="a seat's seed is missing"),
        pytest.param("seat-3", "seat 3", "every seat", id="a seed of two words"),
        pytest.param("fair " + DEALS[0].commitment[:10], "fair xyz", "64 hexadecimal", id="no commitment"),
        pytest.param("x9_Q-", "x9_Q", "", id="another player's seed"),
    ],
)
def test_a_changed_seed_is_found_out(fair_record: str, was: str, becomes: str, says: str) -> None:
    assert was in fair_record
    outcome = replay(fair_record.replace(was, becomes, 1))
    assert outcome.problem is not None
    assert says in outcome.problem.message


def test_moves_that_do_not_fit_the_committed_cards_are_found_out(fair_record: str) -> None:
    lines = fair_record.splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith("hand 2"))
    swapped = lines[at].replace(DEALS[1].server_seed, DEALS[0].server_seed)
    lines[at] = swapped.replace(DEALS[1].commitment, DEALS[0].commitment)
    outcome = replay("".join(lines))
    assert outcome.problem is not None
    assert outcome.problem.line > at
