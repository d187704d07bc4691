"""The compiled tables agree with the rules themselves."""

import pytest

from canasta.engine.cards import (
    BLACK_THREE,
    BONUS_CARD,
    JOKER,
    NATURAL_CARD,
    NATURAL_RANKS,
    RANK_OF,
    RANKS,
    RED_THREE,
    STOP_CARD,
    TWO,
    WILD_CARD,
)
from canasta.engine.families.factory import compile_rules
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import FROZEN, OK
from canasta.engine.rule_tables import ONTO_CANASTA, ONTO_SET, WITH_NATURAL_AND_WILD, WITH_PAIR
from canasta.rules import load_ruleset, preset_names

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("preset", preset_names())
def test_one_card_more_on_a_set(preset: str) -> None:
    compiled = compile_rules(load_ruleset(preset))
    growing = compiled.growing
    decks = compiled.rules.deck.decks
    answers = set()
    for naturals in range(2, 4 * decks):
        for wilds in range(6 * decks):
            place = naturals * growing.stride + wilds
            assert growing.by_natural[place] == why_not_cards(compiled, 0, naturals, wilds, 1, 0)
            assert growing.by_wild[place] == why_not_cards(compiled, 0, naturals, wilds, 0, 1)
            answers.add(growing.by_wild[place])
    assert OK in answers
    assert len(answers) > 1


def test_what_a_card_is_for() -> None:
    compiled = compile_rules(load_ruleset("caliente"))
    ranks = {
        "natural": range(NATURAL_RANKS),
        "wild": (TWO, JOKER),
        "bonus": (RED_THREE,),
        "stop": (BLACK_THREE,),
    }
    roles = {"natural": NATURAL_CARD, "wild": WILD_CARD, "bonus": BONUS_CARD, "stop": STOP_CARD}
    for kind, rank in enumerate(RANK_OF):
        assert compiled.role_of[kind] == compiled.role_of_rank[rank]
        for name, role in roles.items():
            assert (compiled.role_of[kind] == role) == (rank in ranks[name])
        assert compiled.freezes[kind] == (rank in (TWO, JOKER, RED_THREE))
    assert compiled.bonus_ranks == [RED_THREE]
    assert compiled.stop_ranks == [BLACK_THREE]


@pytest.mark.parametrize("preset", preset_names())
def test_how_many_cards_there_are(preset: str) -> None:
    compiled = compile_rules(load_ruleset(preset))
    assert compiled.of_rank == [
        sum(1 for kind in compiled.deck if compiled.rank_of[kind] == rank) for rank in range(RANKS)
    ]
    assert sum(compiled.of_rank) == len(compiled.deck)
    threes = {"bonus": 4, "natural": 0}.get(compiled.rules.deck.threes, 2)
    assert compiled.bonus_cards == threes * compiled.rules.deck.decks


def test_what_a_hand_pays() -> None:
    jaques = compile_rules(load_ruleset("jaques")).score
    assert jaques.bonus == [0, 100, 200, 300, 800]
    assert jaques.bonus_needs_canastas == [False] * 5
    assert (jaques.in_hand[BLACK_THREE], jaques.in_hand[RED_THREE], jaques.in_hand[JOKER]) == (5, 0, 50)
    assert jaques.times_with_calientes == [1, 2]
    caliente = load_ruleset("caliente", 4, {"caliente_cards": True})
    assert compile_rules(caliente).score.times_with_calientes == [1, 2] + [3] * (caliente.deck.decks - 1)
    minus = {"scoring.red_threes_minus": "all_need_canastas", "scoring.red_threes_minus_canastas": 2}
    few = load_ruleset("jaques", 4, minus)
    assert compile_rules(few).score.bonus_needs_canastas == [False, False, False, False, True]


def test_ways_of_taking_the_pile() -> None:
    ways = compile_rules(load_ruleset("jaques")).ways_of_taking
    frozen, opened = 2, 1
    assert ways[4 * WITH_PAIR + frozen] == OK
    assert ways[4 * WITH_NATURAL_AND_WILD + frozen + opened] == FROZEN
    assert ways[4 * ONTO_SET + opened] == OK
    assert ways[4 * ONTO_SET] != OK
    assert ways[4 * ONTO_CANASTA + frozen + opened] == FROZEN
