"""The pile as a table shows it (DISC-2): all of it, or squared."""

import pytest
from unit.engine.builders import make, match_at

from canasta.engine.cards import RANK_OF, RANK_TEXTS
from canasta.engine.determinize import determinize
from canasta.engine.observation.encoder import Observer
from canasta.engine.observation.layout import pieces
from canasta.engine.rng import Rng
from canasta.engine.view import HIDDEN
from canasta.research.episode import EpisodeGame

PILE = "given: {hands: {0: K K 9 7}, melds: {0: [8 8 8]}, pile: 4 2 5 Jo 6 Q, stock: 4 5}"


def shown(given: str, seat: int | None) -> list[str]:
    pile = match_at(given).hand.view(seat).pile_shown
    return ["?" if kind == HIDDEN else RANK_TEXTS[RANK_OF[kind]] for kind in pile]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_squared_pile_shows_its_top_card_and_what_lies_crosswise(seat: int | None) -> None:
    assert shown(f"rules: jaques\n{PILE}", seat) == ["?", "2", "?", "Jo", "?", "Q"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_pile_that_may_be_looked_through_shows_all_its_cards(seat: int | None) -> None:
    whole = ["4", "2", "5", "Jo", "6", "Q"]
    assert shown(f"rules: caliente\n{PILE}", seat) == whole
    assert shown(f"rules: jaques\noptions: {{pile.look_through: true}}\n{PILE}", seat) == whole


def test_a_red_three_turned_at_the_deal_lies_crosswise() -> None:
    assert shown("rules: jaques\ngiven: {turn: 1, pile: 3r 5 6}", 0) == ["3r", "?", "6"]


def test_small_piles() -> None:
    assert shown("rules: jaques\ngiven: {pile: 6}", 0) == ["6"]
    assert shown("rules: jaques\ngiven: {hands: {0: 9 7}}", 0) == []


def test_remembering_is_allowed() -> None:
    """A view's state has the whole pile, as everyone saw it grow, and the cards that a taker got from it."""
    match = match_at("rules: jaques\ngiven: {hands: {0: Q Q 9 7}, melds: {0: [8 8 8]}, pile: 4 5 6 Q}")
    view = match.hand.view(1)
    assert [RANK_TEXTS[RANK_OF[kind]] for kind in view.state.pile] == ["4", "5", "6", "Q"]
    make(match, "take Q Q")
    dealt = determinize(match.hand.view(1), Rng("memory"))
    assert [dealt.count(0, rank) >= 1 for rank in (0, 1, 2)] == [True, True, True]


OUT = "melds: {0: [5 5 5 5 5 5 5]}"
FACE_DOWN = "options: {discards.last_face_down: true}"


@pytest.mark.parametrize(
    ("given", "move", "pile"),
    [
        (f"{{hands: {{0: K K}}, {OUT}, pile: K}}", "take K K", []),
        (f"{{hands: {{0: 5}}, {OUT}, pile: 4 6, phase: play}}", "add 5 to 5", ["4", "6"]),
        (f"{{hands: {{0: 7}}, {OUT}, pile: 4 6, phase: play}}", "discard 7", ["4", "6", "?"]),
    ],
)
def test_only_a_card_discarded_in_going_out_lies_face_down(given: str, move: str, pile: list[str]) -> None:
    match = match_at(f"rules: caliente\n{FACE_DOWN}\ngiven: {given}")
    make(match, move)
    assert match.hand.out == 0
    for seat in (1, None):
        found = match.hand.view(seat).pile_shown
        assert ["?" if kind == HIDDEN else RANK_TEXTS[RANK_OF[kind]] for kind in found] == pile
    assert match.hand.view(0).pile_shown == match.hand.pile
    observer = Observer(EpisodeGame(match.rules, whole_match=False).marks)
    observer.begin(match.hand.state, [0, 0], 1)
    size = next(each for each in pieces(observer.layout) if each.name == "pile.size")
    assert observer.observe(match.hand.state, 1)[size.offset] == len(pile) - pile.count("?")
