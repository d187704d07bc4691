"""Features specific to Burraco, Buraco and American Canasta: done by keys, and seen at 80 by 24."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from terminal.person import hosted
from terminal.test_table import Sitting, offered

from canasta.i18n.catalogue import languages
from canasta.scenarios.positions import after_moves, match_from_position
from canasta.terminal.dialogs import Chooser
from canasta.terminal.local_table import LocalTable
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle

BURRACO: Final = (
    "{rules: burraco, phase: play, hands: {0: 4h 5h 7c Jo 2d Ah 3d 3s Kc Kd 2h}, "
    "melds: {0: [6h 7h Jo 9h, 3c 4c 5c 6c 7c 8c 9c, T*6 2s, Jd Qd Kd Ad, 5h 5s 5d], "
    "1: [7s 8s 9s Ts Js Qs Ks As 2c, 6c 6s 6d]}, pile: 4s 7d Kh Jo, "
    "pots: [4c 4d 3h 4d 8h 8c Jc 8h Ks 9d 8d], pot_taken: [1]}"
)
AMERICAN: Final = (
    "{rules: american, phase: play, hands: {0: A 7 7 2 9 9 9 6 T T 5 K}, "
    "melds: {0: [K*4, 7 7 7, J*5 2 2], 1: [T*5 2 2, 8 8 8 8 8]}, "
    "bonus: {0: 3r 3b, 1: 3r 3r 3b}, pile: '', talon: {3: 3}}"
)
STRAIGHT: Final = "{rules: american, hands: {0: A 2 3b 4 5 6 7 8 9 T J Q Jo}, stock: K, pile: 8 5}"


@asynccontextmanager
async def at(position: str, language: str = "en") -> AsyncIterator[Sitting]:
    """Yield a person at a table in this position."""
    match = after_moves(*match_from_position(position))
    screen = TableScreen(LocalTable(hosted(match), pace=0), TextStyle(language=language))
    async with TerminalTable(screen).run_test(size=(80, 24)) as pilot:
        me = Sitting(screen, pilot)
        await me.settle()
        yield me


def asked(me: Sitting) -> list[str]:
    """Return the answers to the question shown over the table."""
    chooser = me.screen.app.screen
    assert isinstance(chooser, Chooser)
    return [choice.label for choice in chooser.choices]


def lies(me: Sitting, name: str) -> list[str]:
    return next(meld.cards for meld in me.model.own_melds() if meld.name == name)


async def test_grades_pots_and_the_wild_card_are_seen() -> None:
    async with at(BURRACO) as me:
        text = me.text()
        for words in ("clean", "semi", "dirty", "1 pot", "2 stay", "Jo=8", "canastas 1/1, pot 0/1"):
            assert words in text
        assert "foot" not in text


async def test_threes_are_natural_cards_of_the_hand() -> None:
    async with at(BURRACO) as me:
        assert me.model.hand[:2] == ["3d", "3s"]
        await me.press("3", "3")
        assert me.model.chosen_cards() == ["3d", "3s"]


async def test_a_freed_wild_card_goes_to_the_end_that_is_chosen() -> None:
    position = "{rules: burraco, phase: play, hands: {0: 6h Kc 4d 8s}, melds: {0: [5h Jo 7h, 9c Tc Jc]}}"
    async with at(position) as me:
        await me.press("6", "m")
        assert asked(me) == ["5♥ 6♥ 7♥ Jo", "Jo 5♥ 6♥ 7♥"]
        await me.press("2")
        assert lies(me, "run#1") == ["Jo", "5h", "6h", "7h"]


async def test_a_new_sequence_is_laid_with_its_wild_card_where_it_is_wanted() -> None:
    async with at("{rules: burraco, phase: play, hands: {0: 5h 6h Jo Kc 4d 8s}}") as me:
        await me.press("5", "6", "W", "m")
        assert asked(me) == ["5♥ 6♥ Jo", "Jo 5♥ 6♥"]
        await me.press("2")
        assert lies(me, "run#1") == ["Jo", "5h", "6h"]


async def test_cards_that_fit_several_melds_are_asked_for() -> None:
    position = (
        "{rules: burraco, phase: play, hands: {0: 8h Kc 4d}, melds: {0: [5h 6h 7h, 9h Th Jh, 8c 8d 8c]}}"
    )
    async with at(position) as me:
        await me.press("8", "m")
        assert asked(me) == ["add 8♥ to 5♥–7♥", "add 8♥ to 9♥–J♥", "add 8♥ to the eights (3 cards)"]
        await me.press("2")
        assert lies(me, "run#2") == ["8h", "9h", "Th", "Jh"]


async def test_the_pile_is_taken_freely_whatever_is_chosen() -> None:
    async with at("{rules: burraco, hands: {0: 4h 8c Kd Qs}, pile: 9s Jo 3d}") as me:
        await me.press("4", "t")
        assert len(me.model.hand) == 7


async def test_the_pile_is_taken_by_use() -> None:
    position = "{rules: buraco-fechado, hands: {0: 5h 7h 9c Kd}, melds: {0: [8h 9h Th]}, pile: 4d 9s 6h}"
    async with at(position) as me:
        await me.press("7", "t")
        assert lies(me, "run#1") == ["6h", "7h", "8h", "9h", "Th"]
    async with at(position) as me:
        await me.press("5", "7", "t")
        assert asked(me) == ["6♥ with 5♥ 7♥", "6♥ onto 8♥–10♥ + 5♥ 7♥"]
        await me.press("1")
        assert lies(me, "run#2") == ["5h", "6h", "7h"]


async def test_talons_closed_ranks_and_barred_discards_are_seen() -> None:
    async with at(AMERICAN) as me:
        text = me.text()
        for words in ("+ talon 3", "closed 10 J", "unfinished 7", "out: canastas 1/2", "⊘"):
            assert words in text
        await me.press("T")
        assert offered(me)["Discard"] == "no"


async def test_an_empty_pile_is_not_frozen() -> None:
    async with at("{rules: american, hands: {0: 4 5 6 7 8}, pile: ''}") as me:
        assert "frozen" not in me.text()
    async with at("{rules: american, hands: {0: 4 5 6 7 8}, pile: 9 K}") as me:
        assert "frozen" in me.text()


async def test_a_straight_is_laid_down() -> None:
    async with at(STRAIGHT) as me:
        await me.press("d")
        assert "v lays down your special hand: straight" in me.text()
        assert offered(me)["Lay down"] == "main"
        await me.press("v")
        assert "You laid down a special hand: straight." in me.text()


async def test_a_kept_three_is_laid_out() -> None:
    async with at(STRAIGHT) as me:
        assert offered(me)["Lay out"] == "able"
        await me.press("l")
        assert not [card for card in me.model.hand if card.startswith("3")]


async def test_a_first_meld_is_staged_until_it_has_a_pure_meld() -> None:
    position = "{rules: american, phase: play, hands: {0: 9 9 9 K K Jo Jo Q Q 2 6 5 4}, pile: 8}"
    async with at(position) as me:
        assert "first meld 125, one pure" in me.text()
        await me.press("K", "K", "W", "W", "m")
        await me.press("Q", "Q", "2", "m")
        assert len(me.model.staged.groups) == 2
        assert "needs a meld without wild cards" in me.text()
        await me.press("9", "9", "9", "m")
        assert {meld.name for meld in me.model.own_melds()} == {"9", "K", "Q"}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("position", [BURRACO, AMERICAN, STRAIGHT], ids=["burraco", "american", "straight"])
async def test_every_language_has_room(position: str, language: str) -> None:
    async with at(position, language) as me:
        lines = me.text().splitlines()
        assert len(lines) == 24
        assert max(map(len, lines)) <= 80
