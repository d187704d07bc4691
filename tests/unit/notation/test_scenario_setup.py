"""From a scenario's `given` to a position: suits, filler cards, and every card placed once."""

from collections import Counter

import pytest

from canasta.engine.cards import (
    BLACK_THREE,
    JOKER,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    TWO,
    full_deck,
    suit_of,
)
from canasta.engine.position import Position
from canasta.notation.cards import format_cards, parse_cards, same_cards
from canasta.notation.errors import ScenarioError
from canasta.rules import resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.scenarios.schema import load_text
from canasta.scenarios.setup import build_cuts, build_position, hand_number_of


def position(given: str = "", rules: str = "caliente", options: str = "", when: str = "draw") -> Position:
    file = load_text(
        f"{{rules: {rules}, options: {{{options}}}, given: {{{given}}}, when: {when}, then: {{turn: 0}}}}"
    )
    (scenario,) = file.scenarios
    assert not scenario.defects, scenario.defects
    return build_position(scenario, rules_of(rules, given, options))


def rules_of(rules: str, given: str = "", options: str = "") -> Ruleset:
    (scenario,) = load_text(
        f"{{rules: {rules}, options: {{{options}}}, given: {{{given}}}, when: draw}}"
    ).scenarios
    return resolve_ruleset(rules, scenario.given.players, scenario.options)


def all_cards(made: Position) -> Counter[int]:
    cards = Counter(made.pile) + Counter(made.stock)
    for hand in (*made.hands.values(), *made.feet.values(), *made.bonus.values(), *made.pots):
        cards.update(hand)
    for melds in made.melds.values():
        for meld in melds:
            cards.update(meld)
    return cards


GIVENS = [
    ("", "caliente", ""),
    ("hands: {0: K Jo 9 9 5}, melds: {0: [K K K, 5 5 5 2]}, pile: 7 2 K, bonus: {0: 1}", "caliente", ""),
    ("players: 2, hands: {1: 3b 3c}", "two-player", ""),
    ("players: 3, stock: 3r Jo 2", "caliente-samba", ""),
    ("players: 5", "jaques", ""),
    ("players: 6, hand_number: 2", "jaques", ""),
    ("players: 6", "caliente", "sides: 3"),
    ("feet: {0: 4 4 5 5}, picked_up: [2]", "hand-and-foot", "caliente_cards: true"),
    ("melds: {0: [5 6 7, 5 6 7, 5h 6 7], 1: [4 5 6 7 8 9 T]}, hands: {0: 8 8 8}", "jaques-samba", ""),
    ("phase: deal, hands: {0: 3r 3r 4}, stock: 3r K", "bolivia", ""),
    ("hands: {0: 3 3, 1: 3r 3b 3d, 2: 3}, pile: 3r 3", "burraco", ""),
    ("hands: {0: 3r*4 K}, melds: {0: [3 4 5]}", "burraco", ""),
    ("hands: {0: 3 3 3}, melds: {0: [3r 4 5, 3b 4 5 6], 1: [3 4 5 6]}", "burraco", ""),
]


@pytest.mark.parametrize(("given", "rules", "options"), GIVENS)
def test_every_card_is_somewhere_once(given: str, rules: str, options: str) -> None:
    made = position(given, rules, options)
    table = rules_of(rules, given, options)
    assert all_cards(made) == Counter(full_deck(table.deck.decks, table.deck.caliente_cards))


def test_what_is_given_is_there() -> None:
    made = position(
        "hands: {0: K Jo 9 9 5, 2: ''}, melds: {0: [K K K, 5 5 5 2]}, bonus: {0: 1, 1: 3h}, pile: 7 2 K, "
        "stock: 4 4 6, scores: [1500], turn: 2, phase: play, melded_before: [0], dealer: 3"
    )
    assert same_cards(parse_cards("K Jo 9 9 5"), made.hands[0])
    assert made.hands[2] == []
    assert [
        same_cards(parse_cards(text), meld)
        for text, meld in zip(["K*3", "5 5 5 2"], made.melds[0], strict=True)
    ]
    assert [RANK_OF[kind] for kind in made.bonus[0] + made.bonus[1]] == [RED_THREE, RED_THREE]
    assert format_cards(made.bonus[1]) == "3h"
    assert [RANK_OF[kind] for kind in made.pile] == [3, 11, 9]
    assert [RANK_OF[kind] for kind in made.stock[:3]] == [0, 0, 2]
    assert made.scores == [1500, 0]
    assert (made.turn, made.phase, made.dealer, made.melded_before) == (2, "play", 3, {0})


def test_defaults() -> None:
    made = position()
    assert (made.turn, made.phase, made.scores, made.pile, made.round) == (0, "draw", [0, 0], [], 1)
    assert made.melded_before is None
    assert made.dealer is None
    assert made.sitting_out == set()


def test_fillers_are_plain_cards_that_nobody_speaks_of() -> None:
    made = position("hands: {0: K K 9 9}, pile: 7", when="[draw, meld A A A]")
    spoken_of = {RANK_OF[card & 63] for card in parse_cards("Kh 9h 7h Ah")}
    for seat in (1, 2, 3):
        assert len(made.hands[seat]) == 11
        assert not spoken_of & {RANK_OF[kind] for kind in made.hands[seat]}
    assert all(RANK_OF[kind] < NATURAL_RANKS for kind in made.stock[:20])
    assert made.hands == position("hands: {0: K K 9 9}, pile: 7", when="[draw, meld A A A]").hands


def test_threes_of_any_colour_are_counted_with_the_others() -> None:
    made = position("hands: {0: 3*4, 1: 3r*4}", "burraco")
    assert {RANK_OF[kind] for kind in made.hands[0][:4]} == {BLACK_THREE}
    with pytest.raises(ScenarioError, match="3: 9 are given, but the decks hold 8"):
        position("hands: {0: 3*7, 1: 3r 3b}", "burraco")


def test_fillers_end_with_the_deck() -> None:
    made = position("hands: {0: 4*8 5*8 6*8 7*8 8*8 9*8 T*8 J*8 Q*8 K*8 A*8}")
    assert sum(map(len, made.hands.values())) + len(made.stock) == 108
    assert not any(RANK_OF[kind] in (TWO, JOKER) for kind in made.hands[1][:4])


def test_an_exact_stock_leaves_the_rest_out_of_play() -> None:
    made = position("stock_is: Kh 4")
    assert len(made.stock) == 2
    assert format_cards(made.stock).startswith("Kh 4")
    assert position("stock_is: ''").stock == []


def test_feet() -> None:
    made = position("hands: {0: K K}, feet: {0: 4 4 5 5, 2: 9 9}, picked_up: [2]", "hand-and-foot")
    assert same_cards(parse_cards("4 4 5 5"), made.feet[0])
    assert same_cards(parse_cards("9 9"), made.hands[2])
    assert made.picked_up == {2}
    assert set(made.feet) == {0, 1, 3}
    assert len(made.feet[1]) == 13
    assert len(made.hands[1]) == 13


def test_rounds_and_hand_numbers() -> None:
    assert position("round: 3", "hand-and-foot").round == 3
    assert position("hand_number: 2", "hand-and-foot").round == 2
    for given, rules, number in [
        ("round: 3", "hand-and-foot", 3),
        ("round: 3", "caliente", 1),
        ("hand_number: 4", "caliente", 4),
        ("", "hand-and-foot", 1),
    ]:
        (scenario,) = load_text(f"{{rules: {rules}, given: {{{given}}}, when: draw}}").scenarios
        assert hand_number_of(rules_of(rules), scenario.given) == number


@pytest.mark.parametrize(
    ("given", "options", "out"),
    [
        ("players: 5", "", {4}),
        ("players: 5, hand_number: 2", "", {0}),
        ("players: 5, hand_number: 4", "", {4}),
        ("players: 5, sitting_out: 2", "", {2}),
        ("players: 6", "", {4, 5}),
        ("players: 6, hand_number: 2", "", {0, 1}),
        ("players: 6, sitting_out: [0, 3], turn: 1", "", {0, 3}),
        ("players: 6, sitting_out: [4]", "", {4, 5}),
        ("players: 6, sitting_out: 3", "", {2, 3}),
        ("players: 6", "extra_deck: true", set()),
        ("players: 4", "", set()),
    ],
)
def test_who_sits_out(given: str, options: str, out: set[int]) -> None:
    made = position(given, options=options)
    assert made.sitting_out == out
    assert not out & set(made.hands)


@pytest.mark.parametrize(
    ("given", "rules", "part"),
    [
        ("hands: {0: K*9}", "caliente", "K: 9 are given, but the decks hold 8"),
        ("hands: {0: K*5}, melds: {1: [K*4]}", "caliente", "K: 9 are given"),
        ("hands: {0: K*13}", "bolivia", "K: 13 are given, but the decks hold 12"),
        ("hands: {0: Kh Kh}, pile: Kh", "caliente", "Kh: 3 are given, but the decks hold 2"),
        ("hands: {0: Jo*5}", "caliente", "Jo: 5 are given, but the decks hold 4"),
        ("bonus: {0: 3, 1: 2}", "caliente", "3r: 5 are given, but the decks hold 4"),
        ("stock: 3h 3h 3h", "caliente", "3h: 3 are given, but the decks hold 2"),
        ("hands: {0: Ca}", "caliente", "only with the option caliente_cards"),
        ("bonus: {0: 999}", "caliente", "no deck holds 999 red threes"),
        ("bonus: {0: K}", "caliente", "something other than red threes"),
        ("hands: {4: K}", "caliente", "given.hands: there’s no seat 4 with 4 players"),
        ("turn: 7", "caliente", "given.turn: there’s no seat 7"),
        ("dealer: 7", "caliente", "given.dealer: there’s no seat 7"),
        ("melds: {2: [K K K]}", "caliente", "given.melds: there’s no side 2 with 2 sides"),
        ("scores: [0, 0, 0]", "caliente", "given.scores: there’s no side 2"),
        ("feet: {0: K}", "caliente", "there are no feet in caliente"),
        ("picked_up: 0", "caliente", "there are no feet in caliente"),
        ("picked_up: 0, feet: {0: K}, hands: {0: K}", "hand-and-foot", "its cards are those in hands"),
        ("players: 5, turn: 4", "caliente", "given.turn: seat 4 sits out"),
        ("players: 5, hands: {4: K}", "caliente", "given.hands: seat 4 sits out"),
        ("players: 5, sitting_out: 1", "caliente", "seat 0, 2 or 4"),
        ("players: 5, sitting_out: [2, 4]", "caliente", "2 are named, but 1 sit out"),
        ("players: 6, sitting_out: [2, 4]", "caliente", "one of each team"),
        ("players: 6, sitting_out: [4, 9]", "caliente", "there’s no seat 9"),
        ("sitting_out: 2, turn: 0", "caliente", "1 are named, but 0 sit out"),
        ("melds: {0: [5 6 7*1, 5h 5h 5h 5d 5d 5d 5s 5s 5s 5c 5c 5c]}", "jaques-samba", "5: 13 are given"),
        (
            "melds: {0: [5 6 7], 1: [5h 5h 5h 5d 5d 5d 5s 5s 5s 6c 6c 6c]}",
            "jaques-samba",
            "no suit has enough cards",
        ),
    ],
)
def test_a_position_that_cannot_be_is_told(given: str, rules: str, part: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        position(given, rules)
    assert part in str(caught.value)


def test_sequences_of_one_suit_are_found() -> None:
    made = position("melds: {0: [5 6 7, 5h 6 7, 5 6 7, 5 6 7], 1: [5*3 2]}, hands: {1: 5h}", "jaques-samba")
    for run in made.melds[0]:
        assert len({suit_of(kind) for kind in run}) == 1
    assert format_cards(made.melds[0][1]) == "5h 6h 7h"


def test_cards_that_go_together_share_a_suit_where_that_matters() -> None:
    made = position("hands: {0: 5 5 6 6 7 7 9c 8 T}", "jaques-samba")
    held = Counter(made.hands[0])
    suits = [{suit_of(kind) for kind in held if RANK_OF[kind] == rank} for rank in (1, 2, 3)]
    assert suits[0] == suits[1] == suits[2]
    assert len(suits[0]) == 2
    assert "8c" in format_cards(made.hands[0])
    assert "Tc" in format_cards(made.hands[0])


def test_cards_go_by_the_sequence_on_the_table() -> None:
    made = position("melds: {0: [5s 6s 7s], 1: [5d 6d 7d]}, hands: {0: 8, 1: 8 4}, pile: K 4", "jaques-samba")
    assert format_cards(made.hands[0]) == "8s"
    assert format_cards(made.hands[1]) == "8d 4d"
    assert format_cards(made.pile)[-2:] == "4s"


@pytest.mark.parametrize(
    ("given", "rules", "from_deal"),
    [
        ("pile: 2 K", "jaques", True),
        ("pile: 3r K", "jaques", True),
        ("pile: 3b 2 K", "jaques", True),
        ("pile: 2 3r K", "jaques", True),
        ("pile: 2 K, dealer: 3", "jaques", True),
        ("pile: 2 K, melded_before: []", "jaques", True),
        ("pile: 2 2 K", "jaques", False),
        ("pile: 2 K, dealer: 1", "jaques", False),
        ("pile: 2 K, melds: {1: [K K K]}", "jaques", False),
        ("pile: 2 K, melded_before: [1]", "jaques", False),
        ("pile: 2 K, phase: play", "jaques", False),
        ("pile: 7 2 K", "jaques", False),
        ("pile: 3b K", "jaques", False),
        ("pile: K 2", "jaques", False),
        ("pile: K", "jaques", False),
        ("", "jaques", False),
        ("pile: 2 K", "caliente", False),
        ("players: 5, pile: 2 K, turn: 1, dealer: 0", "jaques", True),
        ("players: 5, pile: 2 K, turn: 1, dealer: 4", "jaques", False),
    ],
)
def test_when_the_pile_lies_as_dealt(given: str, rules: str, from_deal: bool) -> None:
    assert position(given, rules).pile_is_from_deal is from_deal


def test_cuts() -> None:
    (scenario,) = load_text(
        "{rules: jaques, given: {cut: {0: K, 1: Jo A, 2: 4h, 3: 9}}, then: {dealer: 0}}"
    ).scenarios
    rules = rules_of("jaques")
    cuts = build_cuts(rules, scenario.given)
    assert [
        same_cards(parse_cards(text), cut) for text, cut in zip(["K", "Jo A", "4h", "9"], cuts, strict=True)
    ]
    scenario.given.cut = {0: parse_cards("K"), 5: parse_cards("A")}
    with pytest.raises(ScenarioError, match=r"there’s no player 5.*player 1 hasn’t cut"):
        build_cuts(rules, scenario.given)
    scenario.given.cut = {seat: parse_cards("Kh") for seat in range(4)}
    with pytest.raises(ScenarioError, match="Kh: 4 are given, but the decks hold 2"):
        build_cuts(rules, scenario.given)
