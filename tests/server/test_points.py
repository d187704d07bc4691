"""The value of a side's cards on the table, as shown during the hand."""

import pytest
from unit.engine.builders import match_at

from canasta.table.views import table_state
from canasta.table.wire import SeatView


@pytest.mark.parametrize(
    ("rules", "red_threes", "points"),
    [("caliente", 3, 300), ("caliente", 4, 800), ("jaques", 4, 800), ("hand-and-foot", 4, 400)],
)
def test_all_red_threes_together_count_as_on_the_sheet(rules: str, red_threes: int, points: int) -> None:
    match = match_at(
        f"- {{name: red threes, rules: {rules}, when: draw, then: {{turn: 0}}, "
        f"given: {{melds: {{0: [K K K K]}}, bonus: {{0: {red_threes}}}}}}}"
    )
    assert table_state(match, [SeatView()] * 4, state=1, viewer=0).sides[0].points_now == 40 + points
