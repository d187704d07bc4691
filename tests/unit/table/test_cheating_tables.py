"""Every cheat raises its alarm, and honest tables raise none."""

import pytest
from cheating_tables import CHEATS, HONEST


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_raises_an_alarm(name: str) -> None:
    cheat, hand, result = CHEATS[name]
    _, viewing = cheat()
    assert result in viewing.results(hand)
    assert "checked" not in viewing.results(hand) or viewing.results(hand)[-1] == result


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_table_raises_none(name: str) -> None:
    play, results = HONEST[name]
    _, viewing = play()
    assert {verdict.hand: verdict.result for verdict in viewing.witness.verdicts} == results
