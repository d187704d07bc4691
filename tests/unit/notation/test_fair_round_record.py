"""Records with fair cards and with cuts: true ones, and every lie they could contain."""

import pytest
from hands import begin_record, note_deal, play_hand

from canasta.engine.fairness import SERVER, Contribution, FairRound
from canasta.engine.match import Match
from canasta.engine.seating import cut_cards, is_cut, seeded_cut
from canasta.notation.record import CutMade, HandStarts, Header, Record, RoundVoid, cut_entries
from canasta.notation.record_reader import parse_record
from canasta.notation.replay import Replay, Replayer, replay
from canasta.rules import load_ruleset

TABLE = "table"


def seed(number: int) -> str:
    return f"{number:02x}" * 32


def unrevealed(fair: FairRound, *seats: int) -> FairRound:
    """Return the same round, with the seeds of these seats kept back."""
    parts = [
        Contribution(part.seat, part.commitment, "" if part.seat in seats else part.seed)
        for part in fair.parts
    ]
    return FairRound(fair.table, fair.hand, fair.number, fair.server, tuple(parts))


VOID = unrevealed(FairRound.of_seeds(TABLE, 2, seed(9), {0: seed(1), 2: seed(2), 3: seed(3)}), 2)
FIRST = FairRound.of_seeds(TABLE, 1, seed(7), {0: seed(1), 2: seed(2)})
SECOND = FairRound.of_seeds(TABLE, 2, seed(8), {0: seed(4), 3: seed(5)}, number=2)


@pytest.fixture(scope="module")
def fair_record() -> str:
    """Return two hands; the first round for the second hand failed."""
    rules = load_ruleset("caliente", 4)
    match = Match.new(rules, TABLE, fair=FIRST)
    record = Record(Header.of(rules, seed=TABLE))
    note_deal(record, match, FIRST)
    play_hand(match, record)
    record.entries.append(RoundVoid(VOID))
    match.deal_next(SECOND)
    note_deal(record, match, SECOND)
    play_hand(match, record)
    return record.text()


CUT = FairRound.of_seeds(TABLE, 0, seed(6), {0: seed(1), 1: seed(2)})


@pytest.fixture(scope="module")
def cut_record() -> str:
    """Return a cut and one hand."""
    rules = load_ruleset("jaques", 4)
    cut = cut_cards(rules, CUT.cut_rng())
    record = Record(Header.of(rules, seed=TABLE))
    record.entries.extend(cut_entries(cut, CUT))
    match = Match.new(rules, TABLE, fair=FIRST, first_dealer=cut.seating.dealer)
    note_deal(record, match, FIRST)
    play_hand(match, record)
    return record.text()


def whole(text: str) -> Replayer:
    replayer = Replayer(text)
    while replayer.step() is not None:
        pass
    return replayer


def problem_of(outcome: Replay) -> str:
    assert outcome.problem is not None
    return outcome.problem.message_in()


def test_a_true_record_replays_to_its_end(fair_record: str) -> None:
    replayer = whole(fair_record)
    assert replayer.replay.problem is None
    assert [hand.fair for hand in replayer.fair_hands] == [FIRST, SECOND]
    assert replayer.void_rounds == [VOID]
    assert replayer.replay.match is not None
    assert replayer.replay.match.hand_number == 2


def test_reading_and_writing_keep_all_of_it(fair_record: str, cut_record: str) -> None:
    record = parse_record(fair_record)
    assert record.text() == fair_record
    assert record.entries[0] == HandStarts(1, fair=FIRST, commitment=FIRST.commitment)
    assert RoundVoid(VOID) in record.entries
    assert parse_record(cut_record).text() == cut_record


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        pytest.param(f" {seed(7)}", f" {seed(8)}", "the server’s seed isn’t", id="another server seed"),
        pytest.param(f" {seed(2)}", f" {seed(3)}", "of seat 2 isn’t", id="another player's seed"),
        pytest.param(FIRST.commitment, "c" * 64, "the server’s seed isn’t", id="another commitment"),
        pytest.param("hand 1 fair-2 round 1", "hand 1 fair-2 round 2", "", id="a round that was not told"),
        pytest.param(seed(2), "unrevealed", "did not reveal", id="dealt without a seed of the list"),
        pytest.param("seat 2", "seat 7", "no seat 7", id="a seat that is not there"),
        pytest.param("hand 1 fair-2", "hand 3 fair-2", "this is hand 1", id="another hand"),
        pytest.param("hand 1 fair-2", "hand 1 fair-3", "64 hexadecimal", id="another version"),
        pytest.param("seat 0 ", "seat nought ", "64 hexadecimal", id="a seat in words"),
        pytest.param("seed: table", "seed: elsewhere", "the server’s seed isn’t", id="another table"),
    ],
)
def test_a_lie_in_the_first_hand_is_found_out(fair_record: str, was: str, becomes: str, says: str) -> None:
    assert was in fair_record
    assert says in problem_of(replay(fair_record.replace(was, becomes, 1)))


def in_round(text: str, old: FairRound, new: FairRound) -> str:
    """Return the record with one round replaced by another."""
    wanted = HandStarts(old.hand, fair=old, commitment=old.commitment)
    record = parse_record(text)
    for at, entry in enumerate(record.entries):
        if entry == wanted:
            record.entries[at] = HandStarts(new.hand, fair=new, commitment=new.commitment)
        elif entry == RoundVoid(old):
            record.entries[at] = RoundVoid(new)
    changed = record.text()
    assert changed != text
    return changed


def test_a_server_that_picks_its_seed_after_the_reveals_has_other_commitments(fair_record: str) -> None:
    """It can write a record that is consistent, but without the commitment that everyone saw."""
    chosen = FairRound.of_seeds(TABLE, 1, seed(99), {0: seed(1), 2: seed(2)})
    assert chosen.commitment != FIRST.commitment
    assert chosen.list_digest() != FIRST.list_digest()
    lied = in_round(
        fair_record,
        FIRST,
        FairRound(TABLE, 1, 1, Contribution(SERVER, FIRST.commitment, seed(99)), FIRST.parts),
    )
    assert "the server’s seed isn’t" in problem_of(replay(lied))


def test_a_seed_for_a_computer_player_changes_the_cards(fair_record: str) -> None:
    added = FairRound.of_seeds(TABLE, 1, seed(7), {0: seed(1), 1: seed(77), 2: seed(2)})
    assert replay(in_round(fair_record, FIRST, added)).problem is not None


def test_void_rounds_are_told_without_gaps(fair_record: str) -> None:
    lines = fair_record.splitlines(keepends=True)
    without = "".join(line for line in lines if not line.startswith("void"))
    assert problem_of(replay(without)) == "round 1 of hand 2 is missing"
    twice = "".join(line * (2 if line.startswith("void") else 1) for line in lines)
    assert problem_of(replay(twice)) == "round 2 of hand 2 is missing"


def test_nobody_joins_after_the_first_round(fair_record: str) -> None:
    back = FairRound.of_seeds(TABLE, 2, seed(8), {0: seed(4), 2: seed(5)}, number=2)
    assert "only seats that revealed" in problem_of(replay(in_round(fair_record, SECOND, back)))


def test_a_round_in_which_all_revealed_is_not_void(fair_record: str) -> None:
    all_there = FairRound.of_seeds(TABLE, 2, seed(9), {0: seed(1), 2: seed(2), 3: seed(3)})
    assert "somebody did not reveal" in problem_of(replay(in_round(fair_record, VOID, all_there)))


def test_a_void_round_of_another_hand(fair_record: str) -> None:
    other = unrevealed(FairRound.of_seeds(TABLE, 3, seed(9), {0: seed(1), 2: seed(2)}), 2)
    assert "this is hand 2" in problem_of(replay(in_round(fair_record, VOID, other)))


def test_a_void_round_with_a_seed_that_was_not_committed_to(fair_record: str) -> None:
    parts = (Contribution(0, VOID.parts[0].commitment, seed(44)), *VOID.parts[1:])
    lied = in_round(fair_record, VOID, FairRound(TABLE, 2, 1, VOID.server, parts))
    assert "of seat 0 isn’t" in problem_of(replay(lied))


def test_the_first_dealer_of_fair_cards_is_nobodys_choice(fair_record: str) -> None:
    named = fair_record.replace("seed: table\n", "seed: table\nfirst dealer: 2\n")
    assert "the seeds decide the first dealer" in problem_of(replay(named))


def test_a_game_of_fair_cards_stays_with_them() -> None:
    """A hand dealt otherwise is consistent in itself, but the server chose its cards."""
    rules = load_ruleset("caliente", 4)
    match = Match.new(rules, TABLE, fair=FIRST)
    record = Record(Header.of(rules, seed=TABLE))
    note_deal(record, match, FIRST)
    play_hand(match, record)
    match.deal_next()
    note_deal(record, match)
    play_hand(match, record)
    outcome = replay(record.text())
    assert "this hand comes from the record’s seed and" in problem_of(outcome)
    assert "not fair" in problem_of(outcome)


def test_seeds_of_the_cut_are_told_too() -> None:
    rules = load_ruleset("jaques", 4)
    cut = seeded_cut(rules, TABLE)
    record = Record(Header.of(rules, seed=TABLE))
    record.entries.extend(cut_entries(cut, None))
    match = Match.new(rules, TABLE, fair=FIRST, first_dealer=cut.seating.dealer)
    note_deal(record, match, FIRST)
    play_hand(match, record)
    assert "the seeds of the cut are missing" in problem_of(replay(record.text()))


# -- the cut ----------------------------------------------------------------------------------------------


def test_a_cut_replays_and_finds_the_dealer(cut_record: str) -> None:
    replayer = whole(cut_record)
    assert replayer.replay.problem is None
    assert replayer.cut == cut_cards(load_ruleset("jaques", 4), CUT.cut_rng())
    assert [hand.number for hand in replayer.fair_hands] == [0, 1]
    assert replayer.replay.match is not None
    assert replayer.replay.match.dealer == 3


def test_other_cards_than_were_cut(cut_record: str) -> None:
    record = parse_record(cut_record)
    told = next(entry for entry in record.entries if isinstance(entry, CutMade))
    swapped = CutMade(told.cards[::-1])
    record.entries[record.entries.index(told)] = swapped
    assert "the cards that were cut are" in problem_of(replay(record.text()))


@pytest.mark.parametrize(
    ("dropped", "says"),
    [
        (("cut:",), "the cards that were cut are missing"),
        (("hand 0",), "the seeds of the cut are missing"),
        (("hand 0", "cut:"), "the players cut first"),
    ],
)
def test_a_cut_that_is_told_in_part(cut_record: str, dropped: tuple[str, ...], says: str) -> None:
    kept = "".join(line for line in cut_record.splitlines(keepends=True) if not line.startswith(dropped))
    assert says in problem_of(replay(kept))


def test_a_cut_for_a_game_without_one(fair_record: str) -> None:
    lied = fair_record.replace("\nhand 1 ", "\ncut: Kh, 4c, 5c, 6c\nhand 1 ")
    assert "nobody cuts" in problem_of(replay(lied))


def test_a_second_cut(cut_record: str) -> None:
    line = next(line for line in cut_record.splitlines() if line.startswith("cut:"))
    for lied in (
        cut_record.replace(line, f"{line}\n{line}"),
        cut_record.replace("points:", f"{line}\npoints:", 1),
    ):
        assert "cut once" in problem_of(replay(lied))


def test_a_cut_and_a_first_dealer(cut_record: str) -> None:
    lied = cut_record.replace("seed: table\n", "seed: table\nfirst dealer: 2\n")
    assert "the cut decides the first dealer" in problem_of(replay(lied))


def test_cards_that_cannot_be_read(cut_record: str) -> None:
    lied = cut_record.replace("cut: ", "cut: Zz ")
    assert "Zz" in problem_of(replay(lied))


def test_a_cut_from_a_plain_seed() -> None:
    rules = load_ruleset("jaques", 5)
    assert is_cut(rules)
    cut = seeded_cut(rules, "plain")
    record = Record(Header.of(rules, seed="plain"))
    record.entries.extend(cut_entries(cut, None))
    match = Match.new(rules, "plain", first_dealer=cut.seating.dealer)
    note_deal(record, match)
    play_hand(match, record)
    assert whole(record.text()).replay.problem is None
    assert "the cards that were cut are" in problem_of(
        replay(record.text().replace("seed: plain", "seed: plainer"))
    )


def test_a_record_without_the_cut_of_its_rules_is_an_older_one() -> None:
    rules = load_ruleset("jaques", 4)
    match = Match.new(rules, "old")
    record = begin_record(match, seed="old")
    play_hand(match, record)
    assert whole(record.text()).replay.problem is None
