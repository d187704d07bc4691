"""A whole hand at the terminal's table: with keys in a small window, with the mouse in a large one."""

import pytest
from terminal.person import Person, screen_text

from canasta.terminal.dialogs import TextDialog

SMALL, LARGE = (80, 24), (160, 50)
SHORT = {
    "caliente": "evening 139",
    "caliente-samba": "evening 115",
    "hand-and-foot": "evening 100",
    "burraco": "evening 82",
    "american": "evening 4",
}
"""Seeds of short hands."""
FEW_CARDS: dict[str, dict[str, object]] = {"hand-and-foot": {"deck.decks": 3}}


@pytest.mark.parametrize(
    ("preset", "size", "mouse"),
    [
        *((preset, SMALL, False) for preset in SHORT),
        ("burraco", LARGE, True),
        *(
            pytest.param(preset, LARGE, True, marks=pytest.mark.long)
            for preset in ("caliente", "caliente-samba", "hand-and-foot", "american")
        ),
    ],
)
async def test_a_hand_is_played_to_its_score_sheet(preset: str, size: tuple[int, int], mouse: bool) -> None:
    person = Person(preset, seed=SHORT[preset], mouse=mouse, options=FEW_CARDS.get(preset))
    async with person.app.run_test(size=size) as pilot:
        person.pilot = pilot
        moves = await person.play_hand()
        await pilot.pause()
        shown = screen_text(person.app)
        if preset == "caliente":  # enter deals the next hand
            await pilot.press("enter")
            await person.until(lambda: person.match.hand_number == 2)
            await person.until_asked()
            assert not isinstance(person.app.screen, TextDialog)
            assert "hand 2" in screen_text(person.app)
    assert moves >= 5
    sheets = person.match.sheets[0]
    assert "this hand" in shown
    for sheet in sheets:
        assert f"{sheet.total:,}".replace("-", "\N{MINUS SIGN}") in shown
