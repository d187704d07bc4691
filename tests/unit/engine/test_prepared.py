"""What is prepared as tables says what the rules say when they are asked."""

import pytest

from canasta.engine.cards import KINDS, NATURAL_CARD, RANK_OF, WILD_CARD, is_natural, is_wild
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.ways_to_take import ONTO_CANASTA, ONTO_SET, WITH_NATURAL_AND_WILD, WITH_PAIR
from canasta.engine.law.why_not import FROZEN, OK
from canasta.engine.prepared import PreparedRules
from canasta.rules import load_ruleset, preset_names

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("preset", preset_names())
def test_one_card_more_on_a_set(preset: str) -> None:
    prepared = PreparedRules(load_ruleset(preset))
    growing = prepared.growing
    decks = prepared.rules.deck.decks
    answers = set()
    for naturals in range(2, 4 * decks):
        for wilds in range(6 * decks):
            place = naturals * growing.stride + wilds
            assert growing.by_natural[place] == why_not_cards(prepared, 0, naturals, wilds, 1, 0)
            assert growing.by_wild[place] == why_not_cards(prepared, 0, naturals, wilds, 0, 1)
            answers.add(growing.by_wild[place])
    assert OK in answers
    assert len(answers) > 1


def test_what_a_card_is_for() -> None:
    roles = PreparedRules(load_ruleset("caliente")).role_of
    for kind in range(KINDS):
        assert (roles[kind] == NATURAL_CARD) == is_natural(RANK_OF[kind])
        assert (roles[kind] == WILD_CARD) == is_wild(RANK_OF[kind])


def test_ways_of_taking_the_pile() -> None:
    ways = PreparedRules(load_ruleset("jaques")).ways_of_taking
    frozen, opened = 2, 1
    assert ways[4 * WITH_PAIR + frozen] == OK
    assert ways[4 * WITH_NATURAL_AND_WILD + frozen + opened] == FROZEN
    assert ways[4 * ONTO_SET + opened] == OK
    assert ways[4 * ONTO_SET] != OK
    assert ways[4 * ONTO_CANASTA + frozen + opened] == FROZEN
