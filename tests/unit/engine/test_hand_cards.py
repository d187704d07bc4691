"""Finding the cards of a move when suits were not named."""

import pytest
from property.tables import Table

from canasta.engine.cards import ANY, RANK_OF, full_deck
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.referee import MOST_TRIED, _RunSuits, find_cards
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Meld
from canasta.engine.position import Position, set_up
from canasta.engine.state import HandState


def every_card_of_four_to_nine() -> HandState:
    table = Table("bolivia", 4, (("deck.decks", 6),))
    hand = [kind for kind in full_deck(6, False) if RANK_OF[kind] < 6]
    return set_up(table.tables(), Position(phase="play", hands={0: hand}))


def test_many_runs_find_their_suits() -> None:
    state = every_card_of_four_to_nine()
    groups = [tuple(ANY + rank for rank in range(low, low + 3)) for low in (0, 3) for _ in range(24)]
    found = find_cards(state, groups)
    assert all(len({kind & 3 for kind in kinds}) == 1 for kinds in found)


def test_runs_that_cannot_all_be_found_are_not_sought_for_ever() -> None:
    state = every_card_of_four_to_nine()
    groups = [tuple(ANY + rank for rank in range(3)) for _ in range(25)]
    suits = _RunSuits(groups, [[-1] * 3 for _ in groups], state.cards_of(0))
    assert not suits.choose(list(range(25)))
    assert MOST_TRIED <= suits.tried <= MOST_TRIED + 4 * len(groups)
    with pytest.raises(RefusedMove):
        try_move(state, Meld(tuple(groups)))
