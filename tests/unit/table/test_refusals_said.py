"""Whatever the rules of the new families refuse is said in every language, in full."""

import random
from collections.abc import Sequence

import pytest

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.engine.moves.types import Add, Ask, Discard, LayBonus, Meld, Move, Pass, Special, Take
from canasta.notation.moves import parse_move
from canasta.notation.positions import match_from_position
from canasta.rules import load_ruleset
from canasta.table.own_view import why_not
from canasta.table.wire import WhyNot
from canasta.words import Told, Voice, languages, tell_or

TRIES = 4
"""Moves at random before each move that is played."""


def tried(rng: random.Random, cards: Sequence[int], melds: Sequence[MeldName]) -> Move:
    """A move as somebody might send it who does not know the rules."""
    some = tuple(rng.sample(cards, min(len(cards), rng.randint(1, 5))))
    onto = rng.choice([*melds, MeldName(ROW_RUN, 9)])
    plain: list[Move] = [Take(), Pass(), Ask(), Special("garbage"), LayBonus(some[0]), Discard(some[0])]
    laid: list[Move] = [Meld((some,)), Add(some, onto, rng.randint(0, 2)), Take(some), Take(some[:2], onto)]
    return rng.choice([*plain, *laid, Take((), onto)])


def unsaid(why: WhyNot) -> list[str]:
    """The languages that have no words for it, or none but the English ones."""
    nothing = Told("", "")
    said = {language: tell_or(why.reason, why.facts, Voice(language), nothing) for language in languages()}
    return [
        language
        for language, one in said.items()
        if one == nothing or (language != "en" and one == said["en"])
    ]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("preset", ["burraco", "buraco-aberto", "buraco-fechado", "buraco-stbl", "american"])
def test_every_refusal_has_words(preset: str, players: int) -> None:
    rng = random.Random(f"{preset} {players}")
    match = Match.new(load_ruleset(preset, players), "refused")
    bots = [get_bot("novice", f"{seat}") for seat in range(players)]
    seen: set[str] = set()
    while not match.hand.over:
        seat = match.hand.turn
        cards = match.hand.hand_cards(seat)
        melds = [meld.name for meld in match.hand.melds(match.side_of[seat])]
        for _ in range(TRIES if cards else 0):
            refusal = match.check(tried(rng, cards, melds))
            if refusal is not None and refusal.code not in seen:
                seen.add(refusal.code)
                assert (refusal.code, unsaid(why_not(refusal))) == (refusal.code, [])
        match.apply(bots[seat].choose(match.hand.view(seat)))
    assert len(seen) > 8


def test_a_pile_taken_onto_a_meld_that_is_not_there_is_refused_in_words() -> None:
    match, _ = match_from_position("{rules: buraco-fechado, hands: {0: 7h 9c Kd}, pile: 4d 8c}")
    refusal = match.check(parse_move("take 7h onto run#3"))
    assert refusal is not None
    assert why_not(refusal).message == "Your side has no such meld that the eight could be added to."
