"""A hand at the table: undo, events, views, and what a refused move leaves unchanged."""

import pytest
from property.views import check_events
from unit.engine.builders import make, match_at, refusal

from canasta.engine.cards import KINDS_OF, RANK_OF, RED_THREE
from canasta.engine.events import (
    Answered,
    Asked,
    BonusLaid,
    CalientePlayed,
    CanastaMade,
    CardKept,
    CardsMelded,
    Discarded,
    Drew,
    Event,
    FootPickedUp,
    HandEnded,
    MeldTakenBack,
    Passed,
    PilePutBack,
    PileTaken,
    TopCardTaken,
    seen_by,
)
from canasta.engine.match import Match
from canasta.engine.melds import MIXED, NATURAL, SAMBA, WILD
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Undo
from canasta.engine.rng import Rng
from canasta.engine.view import HIDDEN, state_facts
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset

KING = 9
MELDS = "rules: caliente\ngiven: {phase: play, hands: {0: K K K Q Q Q 9 5}, melds: {0: [A A A]}}"
MELDS_AND_UNDO = MELDS.replace("given", "options: {turn.undo: true}\ngiven", 1)


def kinds_of(events: list[Event]) -> list[type]:
    return [type(event) for event in events]


# -- undo (MELD-9) ----------------------------------------------------------------------------------------


def test_undo_goes_back_meld_by_meld() -> None:
    match = match_at(MELDS_AND_UNDO)
    states = [state_facts(match.hand.state)]
    for move in ("meld K K K", "meld Q Q Q"):
        make(match, move)
        states.append(state_facts(match.hand.state))
    for expected in reversed(states[:-1]):
        assert kinds_of(make(match, "undo")) == [MeldTakenBack]
        assert state_facts(match.hand.state) == expected
    refused = refusal(match, "undo")
    assert refused is not None
    assert refused.clause == "NOTATION"


def test_undo_and_melding_again_gives_the_same_state() -> None:
    match = match_at(MELDS_AND_UNDO)
    make(match, "meld K K K")
    expected = state_facts(match.hand.state)
    make(match, "undo", "meld Q Q Q", "undo", "meld K K K")
    assert state_facts(match.hand.state) == expected


@pytest.mark.parametrize(
    "given",
    [
        "rules: caliente\ngiven: {hands: {0: K K 9 5}, melds: {0: [A A A]}, pile: 4 K}",
        "rules: caliente\ngiven: {hands: {0: K K 9 5}, melds: {0: [A A A]}}",
    ],
)
def test_nothing_before_the_first_meld_can_be_undone(given: str) -> None:
    match = match_at(given)
    make(match, "take K K" if match.hand.pile else "draw")
    assert refusal(match, "undo") is not None


def test_the_discard_ends_undoing() -> None:
    match = match_at(MELDS_AND_UNDO)
    make(match, "meld K K K", "discard 9")
    refused = refusal(match, "undo")
    assert refused is not None
    assert refused.clause == "TURN-1"


def test_a_foot_that_was_picked_up_cannot_be_put_down_again() -> None:
    match = match_at(
        "rules: hand-and-foot\noptions: {turn.undo: true}\n"
        "given: {phase: play, hands: {0: K K K}, melds: {0: [A A A]}}"
    )
    make(match, "meld K K K")
    refused = refusal(match, "undo")
    assert refused is not None
    assert refused.clause == "MELD-9"
    assert len(match.hand.hand_cards(0)) == 13


def test_a_table_may_play_without_undo() -> None:
    match = match_at(MELDS)
    make(match, "meld K K K")
    refused = refusal(match, "undo")
    assert refused is not None
    assert refused.clause == "MELD-9"
    assert Undo() not in match.hand.legal_moves()


def test_undo_is_offered_when_it_is_possible() -> None:
    match = match_at(MELDS_AND_UNDO)
    assert Undo() not in match.hand.legal_moves()
    make(match, "meld K K K")
    assert Undo() in match.hand.legal_moves()


def test_hand_over_nothing_to_undo() -> None:
    match = match_at("rules: caliente\ngiven: {phase: play, hands: {0: K K K}, melds: {0: [A*7]}}")
    make(match, "meld K K K")
    assert match.hand.over
    refused = refusal(match, "undo")
    assert refused is not None
    assert refused.clause == "TURN-1"


# -- refused moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        "discard A",
        "meld K K",
        "meld K K K + Q Q",
        "add 9 to A",
        "draw",
        "take K K",
        "keep",
        "pass",
        "ask",
        "answer yes",
        "putback",
        "caliente",
        "lay 3r",
        "undo",
        "add K to K",
        "meld 3b 3b 3b",
        "take onto A",
    ],
)
def test_a_refused_move_changes_nothing(move: str) -> None:
    match = match_at(MELDS.replace("rules: caliente", "rules: caliente\noptions: {going_out.ask: 'no'}"))
    before = state_facts(match.hand.state)
    with pytest.raises(RefusedMove) as refused:
        match.apply(parse_move(move))
    assert refused.value.refusal == refusal(match, move)
    assert str(refused.value).endswith(f"({refused.value.refusal.clause})")
    assert state_facts(match.hand.state) == before
    assert match.scores == [0, 0]


# -- events -----------------------------------------------------------------------------------------------


def events_of(given: str, *moves: str) -> tuple[Match, list[Event]]:
    """Return the match, and the events of the last move."""
    match = match_at(given)
    make(match, *moves[:-1])
    before = match.hand.state.copy()
    events = make(match, moves[-1])
    check_events(before, match.hand.state, events)
    return match, events


def test_drawing_is_told_to_the_drawer_alone() -> None:
    _, events = events_of("rules: caliente\ngiven: {hands: {0: 4 5 6}, stock: Kh}", "draw")
    king = KINDS_OF[KING][2]
    assert events == [Drew(0, 1, (king,))]
    assert seen_by(events[0], 0) == events[0]
    for viewer in (1, 2, 3, None):
        assert seen_by(events[0], viewer) == Drew(0, 1, ())


def test_a_drawn_red_three_is_seen_by_all() -> None:
    _, events = events_of("rules: caliente\ngiven: {hands: {0: 4 5 6}, stock: 3h Kh}", "draw")
    assert kinds_of(events) == [BonusLaid, Drew]
    assert isinstance(events[0], BonusLaid)
    assert RANK_OF[events[0].card] == RED_THREE


def test_taking_the_pile_tells_the_meld_the_pile_and_its_red_threes() -> None:
    given = "rules: caliente\ngiven: {hands: {0: K K 5 6}, melds: {0: [A A A]}, pile: 3h 7 K}"
    match, events = events_of(given, "take K K")
    assert kinds_of(events) == [CardsMelded, PileTaken, BonusLaid]
    assert isinstance(events[1], PileTaken)
    assert (events[1].seat, RANK_OF[events[1].top], len(events[1].cards)) == (0, KING, 2)
    assert match.hand.pile == []


def test_a_first_meld_with_the_pile_in_one_move() -> None:
    given = "rules: caliente\ngiven: {hands: {0: K K A A A 5 6}, pile: 7 K}"
    _, events = events_of(given, "take K K + A A A")
    assert kinds_of(events) == [CardsMelded, CardsMelded, PileTaken]


def test_the_top_card_taken_alone_is_told() -> None:
    """END-6: from the events alone, a listener must learn that the top card has left the pile."""
    given = "rules: two-player\ngiven: {hands: {0: 5 6 7}, melds: {0: [K K K]}, pile: 7 8 K, stock_is: ''}"
    match, events = events_of(given, "take onto K")
    assert len(match.hand.pile) == 2
    assert any(isinstance(event, TopCardTaken) for event in events)


@pytest.mark.parametrize(
    ("given", "move", "kind"),
    [
        (
            "rules: caliente\ngiven: {phase: play, hands: {0: K 5 6}, melds: {0: [K*6]}}",
            "add K to K",
            NATURAL,
        ),
        ("rules: caliente\ngiven: {phase: play, hands: {0: 2 5 6}, melds: {0: [K*6]}}", "add 2 to K", MIXED),
        ("rules: caliente\ngiven: {phase: play, hands: {0: 2 5 6}, melds: {0: [K*7]}}", "add 2 to K", None),
        ("rules: bolivia\ngiven: {phase: play, hands: {0: 2 5 6}, melds: {0: [2*6]}}", "add 2 to W", WILD),
        (
            "rules: bolivia\ngiven: {phase: play, hands: {0: Th 5 6}, melds: {0: [4h 5h 6h 7h 8h 9h]}}",
            "add T to run#1",
            SAMBA,
        ),
    ],
)
def test_a_canasta_is_told_once(given: str, move: str, kind: int | None) -> None:
    _, events = events_of(given, move)
    made = [event for event in events if isinstance(event, CanastaMade)]
    assert [event.kind for event in made] == ([] if kind is None else [kind])


def test_asking_and_answering() -> None:
    given = "rules: caliente\ngiven: {phase: play, hands: {0: K K 5 6}, melds: {0: [A*7]}}"
    match, events = events_of(given, "ask")
    assert events == [Asked(0, 2)]
    assert match.hand.turn == 2
    assert make(match, "answer no") == [Answered(2, False)]
    assert match.hand.turn == 0


def test_picking_up_the_foot_is_told_to_its_owner_alone() -> None:
    given = "rules: hand-and-foot\ngiven: {phase: play, hands: {0: K K K}, melds: {0: [A A A]}}"
    match, events = events_of(given, "meld K K K")
    picked_up = [event for event in events if isinstance(event, FootPickedUp)]
    assert len(picked_up) == 1
    assert picked_up[0].count == 13
    assert sorted(picked_up[0].cards) == sorted(match.hand.hand_cards(0))
    assert seen_by(picked_up[0], 2) == FootPickedUp(0, 13, ())


@pytest.mark.parametrize(
    ("given", "moves", "expected"),
    [
        ("rules: two-player\ngiven: {phase: play, hands: {0: K}, melds: {0: [A A A]}}", ["keep"], [CardKept]),
        ("rules: jaques\ngiven: {hands: {0: K 5}, pile: 7, stock_is: ''}", ["pass"], [Passed, HandEnded]),
        (
            "rules: caliente\noptions: {caliente_cards: true}\ngiven: {hands: {0: Ca 5 6}, stock: K*4 Q*5}",
            ["caliente"],
            [CalientePlayed, *[Drew] * 9],
        ),
        (
            (
                "rules: two-player\noptions: {put_back: true}\n"
                "given: {hands: {0: K K 5 6}, melds: {0: [A A A]}, pile: 7 K}"
            ),
            ["take K K", "putback"],
            [PilePutBack],
        ),
        (
            "rules: caliente\ngiven: {phase: play, hands: {0: K}, melds: {0: [A*7]}}",
            ["discard K"],
            [Discarded, HandEnded],
        ),
        (
            "rules: caliente\noptions: {lay_bonus_by_hand: true}\ngiven: {hands: {0: 3h 5 6}, stock: K}",
            ["lay 3r"],
            [BonusLaid, Drew],
        ),
    ],
)
def test_events_of_the_other_moves(given: str, moves: list[str], expected: list[type]) -> None:
    _, events = events_of(given, *moves)
    assert kinds_of(events) == expected


def test_no_log_is_kept_behind() -> None:
    match = match_at(MELDS)
    make(match, "meld K K K", "discard 9")
    assert match.hand.state.log is None


# -- views ------------------------------------------------------------------------------------------------


def test_someone_sitting_out_sees_what_a_spectator_sees() -> None:
    """SEAT-8"""
    match = Match.new(load_ruleset("caliente", 5), "spectator", first_dealer=0)
    assert match.sitting_out == (4,)
    assert match.hand.view(4).facts() == match.hand.view(None).facts()
    assert match.hand.view(4).seat is None
    assert match.hand.view(4).hand == []
    assert match.hand.view(0).facts() != match.hand.view(None).facts()


def test_a_view_shows_the_table_and_the_own_hand() -> None:
    given = (
        "rules: hand-and-foot\n"
        "given: {scores: [500, -20], hands: {0: K K 5, 1: 9}, melds: {1: [A A A]}, bonus: {1: 1}, pile: 7 8}"
    )
    match = match_at(given)
    view = match.hand.view(0)
    assert view.hand == match.hand.hand_cards(0)
    assert (view.phase, view.turn, view.stock_size) == ("draw", 0, match.hand.stock_size)
    assert view.melds(1) == match.hand.melds(1)
    assert view.scores == [500, -20]
    assert view.state.sizes() == match.hand.state.sizes()
    assert view.state.feet[0] == [HIDDEN] * 13
    assert view.state.bonus == match.hand.state.bonus


def test_a_view_does_not_change_with_the_hand() -> None:
    match = match_at(MELDS)
    view = match.hand.view(0)
    before = view.facts()
    make(match, "meld K K K", "discard 9")
    assert view.facts() == before


def test_cards_from_the_pile_are_known_to_all_until_they_are_played() -> None:
    match = match_at("rules: caliente\ngiven: {hands: {0: K K 5 6}, melds: {0: [A A A]}, pile: 7h 8h K}")
    make(match, "take K K")
    seven, eight = KINDS_OF[3][2], KINDS_OF[4][2]
    known = match.hand.view(1).state.known_of(0)
    assert (known[seven], known[eight], sum(known)) == (1, 1, 2)
    make(match, "discard 7h")
    known = match.hand.view(1).state.known_of(0)
    assert (known[seven], known[eight], sum(known)) == (0, 1, 1)


def test_seed_of_a_match_decides_everything() -> None:
    rules = load_ruleset("bolivia", 4)
    first, second = Match.new(rules, "same"), Match.new(rules, "same")
    assert state_facts(first.hand.state) == state_facts(second.hand.state)
    assert state_facts(Match.new(rules, "other").hand.state) != state_facts(first.hand.state)
    assert Rng("same/dealer").below(4) == first.dealer


# -- putting the pile back (PILE-12) ----------------------------------------------------------------------

TAKEN = (
    "rules: two-player\noptions: {put_back: true}\n"
    "given: {hands: {0: K K 5 6 2}, melds: {0: [A A A]}, pile: 3h 7 K, stock: 9 9}"
)


def test_putting_back_restores_everything_but_the_penalty() -> None:
    match = match_at(TAKEN)
    before = match.hand.state.copy()
    make(match, "take K K", "putback")
    after = match.hand.state.copy()
    assert [after.put_backs(side) for side in range(2)] == [1, 0]
    assert after.took_back
    after.set_put_backs(0, 0)
    after.took_back = False
    assert state_facts(after) == state_facts(before)


def test_after_putting_back_there_is_no_second_take_and_the_turn_goes_on() -> None:
    match = match_at(TAKEN)
    make(match, "take K K", "putback")
    refused = refusal(match, "take K K")
    assert refused is not None
    assert refused.clause == "PILE-12"
    make(match, "draw", "discard 5")
    assert match.hand.turn == 1
    assert match.hand.score_sheets()[0].lines["put_back"] == -50


@pytest.mark.parametrize("move", ["add 2 to A", "discard 5", "meld 5 5 5"])
def test_only_at_once(move: str) -> None:
    match = match_at(TAKEN.replace("K K 5 6 2", "K K 5 5 5 6 2"))
    make(match, "take K K", move)
    assert refusal(match, "putback") is not None


# -- totals -----------------------------------------------------------------------------------------------


def test_a_hand_that_ends_is_settled_at_once() -> None:
    given = "rules: caliente\ngiven: {scores: [4800, 200], phase: play, hands: {0: K}, melds: {0: [A*7]}}"
    match = match_at(given)
    make(match, "discard K")
    sheets = match.sheets[-1]
    assert match.scores == [4800 + sheets[0].total, 200 + sheets[1].total]
    assert match.over
    assert match.winner == 0


def test_equal_totals_at_the_target_play_another_hand() -> None:
    """GAME-2"""
    given = (
        "rules: jaques\ngiven: {scores: [5200, 5300], hands: {0: K, 1: 5, 2: K, 3: 5}, pile: 7, stock_is: ''}"
    )
    match = match_at(given)
    make(match, "pass")
    sheets = match.sheets[-1]
    assert [sheet.total for sheet in sheets] == [-20, -10]
    match = match_at(given.replace("5300", "5190"))
    make(match, "pass")
    assert match.scores == [5180, 5180]
    assert not match.over
    assert match.winner is None
    match.deal_next()
    assert match.hand_number == 2


def test_equal_totals_after_the_last_round_are_a_draw() -> None:
    given = (
        "rules: hand-and-foot\ngiven: {round: 4, scores: [100, 100], picked_up: [0, 1, 2, 3], "
        "hands: {0: K, 1: K, 2: K, 3: K}, pile: 7, stock_is: ''}"
    )
    match = match_at(given)
    make(match, "pass")
    assert match.scores == [80, 80]
    assert match.over
    assert match.winner is None


@pytest.mark.parametrize(
    ("options", "pile", "card", "froze"),
    [
        ("{}", "8 6", "2", True),
        ("{}", "8 6", "9", False),
        ("{}", "Jo 6", "2", False),
        ("{pile.always_frozen: true}", "8 6", "2", False),
    ],
)
def test_a_wild_discard_freezes_a_pile_that_is_not_frozen_yet(
    options: str, pile: str, card: str, *, froze: bool
) -> None:
    given = f"{{phase: play, hands: {{0: 2 9 5 5}}, pile: {pile}}}"
    match = match_at(f"rules: caliente\noptions: {options}\ngiven: {given}")
    (event,) = [one for one in make(match, f"discard {card}") if isinstance(one, Discarded)]
    assert event.froze == froze
    assert match.hand.frozen == (froze or card == "2")
