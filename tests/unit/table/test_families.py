"""A table's frames in families with talons, pots, long sequences and special hands."""

import msgspec
import pytest

from canasta.engine.match import Match
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset
from canasta.scenarios.positions import after_moves, match_from_position
from canasta.table.event_views import Change
from canasta.table.frames import Frames
from canasta.table.views import game_view, last_sheet, melds_after, table_state
from canasta.table.wire import SeatView, TableState
from canasta.terminal.local_table import new_table


def at(position: str) -> Match:
    return after_moves(*match_from_position(position))


def seen(match: Match, seat: int | None = 0) -> TableState:
    return table_state(match, [SeatView(name="x", who="bot")] * len(match.side_of), state=0, viewer=seat)


def test_a_sequence_tells_where_its_wild_card_lies_and_what_for() -> None:
    match = at("{rules: burraco, phase: play, hands: {0: 4h Kc 5c}, melds: {0: [5h Jo 7h, Ad 2d 3d]}}")
    run, low = seen(match).sides[0].melds
    assert (run.cards, run.wild, run.stands_for) == (["5h", "Jo", "7h"], 1, "6h")
    assert (low.wild, low.stands_for) == (-1, "")  # the two is natural there


def test_the_rule_of_five_names_five_and_a_pair_too_few_names_two() -> None:
    match = at("{rules: american, phase: play, hands: {0: K K 2 2 Q 9 4}, melds: {0: [A A A]}}")
    refused = [match.check(parse_move(move)) for move in ("meld K K 2", "meld Q 2 2")]
    assert [why and (why.clause, why.facts["needed"]) for why in refused] == [("MELD-11", 5), ("MELD-2", 2)]


def test_canastas_are_graded_where_the_rules_do() -> None:
    position = "{{rules: {rules}, melds: {{0: [3c 4c 5c 6c 7c 8c 9c, 4d 5d 6d 7d 8d 9d Td Jo, T*6 2s]}}}}"
    graded = [one.grade for one in seen(at(position.format(rules="burraco"))).sides[0].melds]
    assert graded == ["clean", "semi_clean", "dirty"]
    graded = [one.grade for one in seen(at(position.format(rules="buraco-fechado"))).sides[0].melds]
    assert graded == ["clean", "dirty", "dirty"]
    assert {one.grade for one in seen(at("{rules: jaques, melds: {0: [Q*7]}}")).sides[0].melds} == {""}


def test_points_on_the_table_know_grades_and_what_canastas_do_to_threes() -> None:
    burraco = "{rules: burraco, melds: {0: [4d 5d 6d 7d 8d 9d Td Jo]}}"
    assert seen(at(burraco)).sides[0].points_now == 20 + 30 + 30 + 150
    american = "{{rules: american, melds: {{0: [{melds}]}}, bonus: {{0: 3r 3r 3b}}}}"
    points = [
        seen(at(american.format(melds=melds))).sides[0].points_now for melds in ("K*4", "K*7", "K*7, 7*7")
    ]
    assert points == [-40 - 300 - 100, 70 + 500, 70 + 500 + 35 + 2500 + 300 + 100]


def test_what_is_needed_to_go_out_closed_and_unfinished_is_told() -> None:
    position = "{rules: american, melds: {0: [K*7, 7 7 7], 1: [T*5 2 2, 2 2 Jo]}}"
    ours, theirs = seen(at(position)).sides
    assert [(one.kind, one.have, one.needed) for one in ours.progress] == [("canasta", 1, 2)]
    assert ours.unfinished == ["7"]
    assert theirs.unfinished == ["W"]
    assert ours.closed == ["T", "K"]


def test_only_the_owner_sees_a_talon() -> None:
    match = at("{rules: american, turn: 1, hands: {0: 9 8 6}, melds: {0: [K K K]}, talon: {0: 4c 5c Jo}}")
    own, other = seen(match), seen(match, 1)
    assert own.you is not None
    assert own.you.talon == ["4c", "5c", "Jo"]
    assert other.you is not None
    assert other.you.talon == []
    assert [seat.talon for seat in other.seats] == [3, 0, 0, 0]


def test_barred_cards_are_told_with_their_reason_while_another_can_be_discarded() -> None:
    match = at("{rules: american, phase: play, hands: {0: A 7 2 9 6}, melds: {0: [K K K]}, pile: ''}")
    you = seen(match).you
    assert you is not None
    assert you.can_discard
    told = {one.why.reason: sorted(card[0] for card in one.cards) for one in you.barred}
    assert told == {"SAFE_DISCARD": ["7", "A"], "WILD_DISCARD": ["2"]}


def test_special_hands_and_kept_threes_are_offered() -> None:
    match = at("{rules: american, hands: {0: A 2 3b 4 5 6 7 8 9 T J Q Jo}, stock: K, pile: 8, when: [draw]}")
    you = seen(match).you
    assert you is not None
    assert {"lay 3b", "special straight"} <= set(you.can)
    match.apply(parse_move("special straight"))
    sheet = last_sheet(match)
    assert (sheet.special, sheet.special_by, sheet.out, len(sheet.special_cards)) == ("straight", 0, -1, 14)


def test_a_question_tells_how_a_sequence_would_lie() -> None:
    match = at("{rules: burraco, phase: play, hands: {0: 6h Kc 4d}, melds: {0: [5h Jo 7h]}}")
    low, high = (melds_after(match.try_move(parse_move(f"add 6h to run#1 {end}"))) for end in ("low", "high"))
    assert [one.cards for one in low] == [["Jo", "5h", "6h", "7h"]]
    assert [one.cards for one in high] == [["5h", "6h", "7h", "Jo"]]
    assert (
        match.hand.melds(0)[0].cards == at("{rules: burraco, melds: {0: [5h Jo 7h]}}").hand.melds(0)[0].cards
    )
    classic = at("{rules: jaques, phase: play, hands: {0: Q Q Q 4 5}, melds: {0: [K*3]}}")
    assert melds_after(classic.try_move(parse_move("meld Q Q Q"))) == []


def test_a_pile_taken_for_a_first_meld_that_lacks_a_pure_meld_is_offered_all_the_same() -> None:
    match = at("{rules: american, hands: {0: Q Q A A Jo Jo 9 9 9 6 5}, pile: 4 8 Q}")
    you = seen(match).you
    assert you is not None
    assert [take.lacks or take.short > 0 for take in you.takes] == [True]


def test_victory_points_stand_on_the_last_sheet() -> None:
    options = "{match.target: 0, match.rounds: 1, match.victory_points: [100, 300]}"
    match = at(
        f"{{rules: burraco, options: {options}, phase: play, pot_taken: [0], pile: 4s, "
        "hands: {0: 3d, 1: As Kd, 2: 5h, 3: 4h}, melds: {0: [4c 5c 6c 7c 8c 9c Tc, Q Q Q], 1: [J J J]}}"
    )
    match.apply(parse_move("discard 3d"))
    assert match.over
    assert last_sheet(match).victory == [12, 8]


def test_the_owner_hears_of_the_cards_of_a_pot_and_others_of_their_number() -> None:
    match = at("{rules: burraco, phase: play, hands: {0: 9h 9s 9c}}")
    table = new_table(match.rules, "novice")
    table.match = match
    change: Change = list(match.apply(parse_move("meld 9 9 9")))
    frames = Frames(table, change, present=(), watching=0, clock=None)
    for seat, cards in ((0, 11), (1, 0)):
        frame = msgspec.json.decode(frames.text(seat, is_host=False))
        (pot,) = [event for event in frame["events"] if event["what"] == "pot_taken"]
        assert (pot["count"], len(pot.get("cards", []))) == (11, cards)


@pytest.mark.parametrize(
    ("rules", "many"), [("samba-common", True), ("original", False), ("hand-and-foot", False)]
)
def test_a_game_shows_whether_a_side_may_have_several_melds_of_a_rank(rules: str, many: bool) -> None:
    assert game_view(load_ruleset(rules, 4)).many_sets is many


@pytest.mark.parametrize(
    ("hand", "meld", "pile", "takes"),
    [
        ("7h 9c Kd", "4h 5h 6h", "Qs 8h", ["take 7h onto run#1"]),
        # A wild card fills the gap as well, and takes of more cards than are needed are not offered.
        ("7h Jo 3h Kd", "4h 5h 6h", "Qs 8h", ["take 7h Jo", "take 7h onto run#1", "take Jo onto run#1"]),
        ("7h 8h Kd", "4h 5h 6h", "Qs 9h", ["take 7h 8h", "take 7h 8h onto run#1"]),
        # The card that the joker stands for frees it for the gap; otherwise the joker stays and the gap is
        # filled.
        ("6h 8h Kd", "4h 5h Jo 7h", "Qs 9h", ["take 6h onto run#1", "take 8h onto run#1"]),
        # The joker fits once the two becomes a natural card.
        ("4h 9c Kd", "5h 6h 7h 2h", "Qs Jo", ["take 4h onto run#1"]),
        ("7c 9c Kd", "4h 5h 6h", "Qs 8h", []),
    ],
)
@pytest.mark.parametrize("rules", ["buraco-fechado", "buraco-stbl"])
def test_the_pile_is_offered_with_cards_that_join_a_sequence_too(
    rules: str, hand: str, meld: str, pile: str, takes: list[str]
) -> None:
    match = at(f"{{rules: {rules}, hands: {{0: {hand}}}, melds: {{0: [{meld}]}}, pile: {pile}}}")
    you = seen(match).you
    assert you is not None
    assert sorted(choice.move for choice in you.takes) == takes
    assert (you.no_take is None) == bool(takes)
    assert you.no_take is None or you.no_take.reason == "TOP_CARD_FITS_NOTHING"
    moves = [str(move) for move in match.hand.legal_moves()]
    assert sorted(move for move in moves if move.startswith("take")) == takes
