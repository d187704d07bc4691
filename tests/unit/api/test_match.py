"""A match controlled by a program."""

import copy
import pickle
from pathlib import Path
from random import Random

import pytest

import canasta
from canasta.engine.events import Event
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match as EngineMatch
from canasta.notation.record import Header, Record, entries_after, hand_starts
from canasta.notation.replay import replay
from canasta.rules import preset_names

pytestmark = pytest.mark.interpreted


def random_moves(match: canasta.Match, moves: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(moves):
        if match.is_over:
            return
        if match.hand_over:
            match.deal()
        else:
            match.push(rng.choice(match.legal_moves))


@pytest.mark.parametrize("rules", preset_names())
def test_back_and_forth(rules: str) -> None:
    match = canasta.Match(rules, seed="back and forth")
    begun = match.copy()
    random_moves(match, 80)
    end = match.copy()
    assert match == end != begun
    assert pickle.loads(pickle.dumps(match)) == match  # noqa: S301 - our own bytes
    assert copy.copy(match) == copy.deepcopy(match) == match
    assert canasta.Match.from_record(match.record()) == match
    made = [move for _, move in match.moves]
    assert [match.undo() for _ in made] == made[::-1]
    assert match == begun
    assert match.legal_moves == begun.legal_moves
    assert str(match) == str(begun)
    assert end.moves
    assert end != match
    with pytest.raises(canasta.CanastaError, match="no move has been made"):
        match.undo()


def test_seeds() -> None:
    assert canasta.Match(seed=7) == canasta.Match("caliente", 4, seed="7")
    assert canasta.Match(seed=7) != canasta.Match(seed=8)
    free = canasta.Match("two-player")
    assert free == canasta.Match("two-player", seed=free.seed)
    assert free != canasta.Match("two-player")
    for wrong in ("", " ", "two\nlines"):
        with pytest.raises(canasta.CanastaError, match="a seed is one line of text"):
            canasta.Match(seed=wrong)
    for no_seed in (object(), 1.5, b"seven"):
        with pytest.raises(TypeError, match="a seed is a whole number or a text"):
            canasta.Match("caliente", seed=no_seed)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unhashable"):
        hash(free)


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    match = canasta.Match("caliente", players=4, seed=7)
    match.push("draw")
    before = match.copy()
    with pytest.raises(canasta.RefusedMove) as refused:
        match.push("meld 6 6 6")
    said = str(refused.value)
    assert said.startswith("Your side’s first meld must be worth at least 50 points; this is worth 15.")
    assert "Meld more at once, or wait." in said
    assert "OPEN-1" in said
    assert refused.value.refusal.clause == "OPEN-1"
    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - our own bytes
    assert str(again) == said
    with pytest.raises(canasta.NotationError, match="did you mean discard"):
        match.push("dsicard 6")
    assert match.why_not("meld 6 6 6") == said
    assert match.why_not("meld 6 6 6", "de").startswith("Die Erstmeldung deiner Seite muss mindestens 50")
    why = match.check("meld 6 6 6")
    assert why is not None
    assert (why.clause, why.facts["needed"], why.facts["have"]) == ("OPEN-1", 50, 15)
    assert match.why_not("discard 6") == ""
    assert match.check("discard 6") is None
    assert match == before


def test_other_slips_are_told() -> None:
    match = canasta.Match("two-player", seed=1)
    for wrong in (lambda: match.cards(2), lambda: match.melds(-1), lambda: match.view(9)):
        with pytest.raises(IndexError, match="there is no"):
            wrong()
    with pytest.raises(canasta.RulesetError, match="did you mean caliente"):
        canasta.Match("calinete")
    for slip, said in (
        (lambda: canasta.Match(match.rules, players=2), "these rules are complete"),
        (lambda: canasta.Match("two-player", dealer=5), "there is no seat 5"),
        (match.deal, "the hand is not over"),
        (lambda: match.play(["club"]), "2 players sit at this table, and 1 are named"),
        (lambda: match.play("culb"), "did you mean club?"),
        (lambda: canasta.Match.from_record("hello"), "line 1: "),
        (lambda: canasta.Match.from_position("hello"), "a position is written as"),
        (lambda: canasta.Match.from_position(match.position).record(), "a record begins with a deal"),
    ):
        with pytest.raises(canasta.CanastaError, match=said):
            slip()


def test_computer_players_and_the_record_of_their_match() -> None:
    class Ears(canasta.Bot):
        def __init__(self) -> None:
            self.club = canasta.get_bot("club")
            self.heard: list[Event] = []
            self.hands = 0

        def begin(self, view: canasta.View) -> None:
            self.hands += 1

        def hear(self, event: Event) -> None:
            self.heard.append(event)

        def choose(self, view: canasta.View) -> object:  # type: ignore[override]
            return self.club.choose(view)

    match = canasta.Match("two-player", seed="ears")
    match.play(["club", "novice"], hands=1)
    assert match.hand_over
    assert match.hand_number == 1
    assert sum(sheet.total for sheet in match.score_sheets[0]) == sum(match.scores)
    ears = Ears()
    match.play([ears, "novice"])
    assert match.is_over
    assert ears.hands == match.hand_number
    # It also heard the hand before it sat down, with every move.
    assert {event.seat for event in ears.heard if hasattr(event, "seat")} == {0, 1}
    record = match.record(["Ada", "Ben"])
    assert replay(str(record)).is_good
    assert "seat 1: Ben" in str(record)
    assert canasta.Match.from_record(str(record)).winner == match.winner


def test_a_record_from_elsewhere_is_read_and_goes_back() -> None:
    text = (Path(__file__).parents[3] / "examples" / "evening.canasta").read_text(encoding="utf-8")
    match = canasta.Match.from_record(text)
    assert match.is_over
    assert match.scores == (1370, 830)
    match.undo()
    assert match.phase == "play"
    assert match.legal_moves


def test_a_fair_game_is_not_dealt_on() -> None:
    fair = FairRound.of_seeds("table", 1, "ab" * 32, {0: "cd" * 32, 1: "ef" * 32})
    engine = EngineMatch.new(canasta.load_rules("two-player"), "table", fair=fair)
    record = Record(Header.of(engine.rules, seed="table"), [hand_starts(1, fair)])
    club = canasta.get_bot("club")
    while not engine.hand.over:
        seat, move = engine.hand.turn, club.choose(engine.hand.view(engine.hand.turn))
        engine.apply(move)
        record.entries += entries_after(engine, seat, move)
    match = canasta.Match.from_record(record)
    assert match.scores == tuple(engine.scores)
    with pytest.raises(canasta.CanastaError, match="the seeds of everybody"):
        match.deal()
    match.undo()
    assert match.phase == "play"


def test_what_a_seat_may_do_is_asked_of_its_view() -> None:
    match = canasta.Match("jaques", seed=3)
    for _ in range(20):
        view = match.view(match.turn)
        others = [seat for seat in range(4) if seat != match.turn]
        assert canasta.legal_moves(view) == [move for move in match.legal_moves if move != "undo"]
        assert not any(canasta.legal_moves(match.view(seat)) for seat in others)
        assert view == match.view(match.turn)
        assert hash(view) == hash(match.view(match.turn))
        assert view != match.view(others[0])
        random_moves(match, 1, seed=len(match.moves))
