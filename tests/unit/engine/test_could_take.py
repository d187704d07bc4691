"""The takes that a player expects of the next player, from the cards in sight, follow the rules."""

import pytest
from hands import dealt

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import RANK_OF
from canasta.engine.law.pile import could_take_onto_meld, fits_a_meld, why_not_touch_pile
from canasta.engine.law.reasons import OK
from canasta.engine.rng import Rng
from canasta.engine.state import DRAW, OVER
from canasta.rules import load_ruleset, preset_names

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("preset", preset_names())
def test_what_could_be_taken_onto_a_meld(preset: str) -> None:
    rules = load_ruleset(preset)
    rng = Rng(preset)
    seen = set()
    for number in range(12):
        state = dealt(preset, rules.seats.players, f"{preset}/{number}")
        while state.phase != OVER:
            side = state.side_of[state.turn]
            if state.phase == DRAW and state.opened(side) and why_not_touch_pile(state) == OK:
                blocked = state.frozen or (
                    state.compiled.one_card_must_go_out and state.size(state.turn) == 1
                )
                could = could_take_onto_meld(state, side, RANK_OF[state.top_card()])
                fits = fits_a_meld(state)
                seen.add(fits)
                if fits:
                    assert could
                elif not blocked and not state.compiled.same_suit:
                    assert not could
            legal = legal_steps(state)
            make_step(state, legal[rng.below(len(legal))])
    pile = rules.pile
    assert seen == {False, pile.add_to_meld or pile.add_to_canasta or pile.add_to_run}
