"""Every legal step is in the ruleset's action space, and the mask marks exactly the legal ones."""

import pytest

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.actions.space import StepSpace
from canasta.engine.match import Match
from canasta.engine.rng import Rng
from canasta.engine.state import OVER
from canasta.rules import load_ruleset, player_numbers, preset_names

OPTIONS: dict[str, dict[str, object]] = {
    "caliente": {"caliente_cards": True, "lay_bonus_by_hand": True},
    "caliente-samba": {"caliente_cards": True},
    "hand-and-foot": {"caliente_cards": True},
    "jaques": {"lay_bonus_by_hand": True},
    "two-player": {"put_back": True, "wild_melds": True},
}


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in preset_names()), *OPTIONS.items()])
def test_mask_is_legal_steps(name: str, options: dict[str, object]) -> None:
    rules = load_ruleset(name, player_numbers(name)[-1], options)
    match = Match.new(rules, f"space {name}")
    space = StepSpace(match.compiled)
    assert len(set(space.steps)) == space.size <= match.compiled.layout.size
    rng = Rng("space")
    for _ in range(4):
        state = match.hand.state.copy()
        while state.phase != OVER:
            steps = legal_steps(state)
            mask = space.mask(state)
            assert sorted(steps) == [space.steps[i] for i in range(space.size) if mask[i]]
            make_step(state, steps[rng.below(len(steps))])
