"""Every ruleset belongs to one family of games, which its rules decide."""

import pickle
from collections import Counter

import pytest

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.factory import compile_rules
from canasta.rules import load_ruleset, preset_names

pytestmark = pytest.mark.interpreted

FAMILY_OF = {"american": "american", "burraco": "burraco", "original": "classic"}


def test_the_presets_belong_to_three_families() -> None:
    names = Counter(compile_rules(load_ruleset(preset)).family.name for preset in preset_names())
    assert set(names) == {"classic", "american", "burraco"}
    for preset, family in FAMILY_OF.items():
        assert compile_rules(load_ruleset(preset)).family.name == family


@pytest.mark.parametrize("preset", preset_names())
def test_rules_that_go_with_a_family(preset: str) -> None:
    compiled = compile_rules(load_ruleset(preset))
    is_burraco = compiled.family.name == "burraco"
    assert compiled.takes_at_once == is_burraco
    assert compiled.layout.with_places == is_burraco
    assert (compiled.longest_run > compiled.canasta_size) == is_burraco
    if compiled.family.name == "american":
        assert compiled.sets_close


def test_compiled_rules_keep_their_family_when_pickled() -> None:
    compiled = compile_rules(load_ruleset("american"))
    copy: CompiledRules = pickle.loads(pickle.dumps(compiled))  # noqa: S301 - our own
    assert copy.family.name == compiled.family.name
    assert type(copy.family) is type(compiled.family)
