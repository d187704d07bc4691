"""Every refusal in the newer families has a complete text in every language."""

import random
from collections.abc import Sequence

import pytest

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.melds import ROW_RUN, MeldName
from canasta.engine.moves.types import Add, Ask, Discard, LayBonus, Meld, Move, Pass, Special, Take
from canasta.i18n import Message, MessageText
from canasta.i18n.catalogue import languages
from canasta.i18n.voice import Voice
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset
from canasta.scenarios.positions import match_from_position
from canasta.table.errors import why_not
from canasta.table.wire import WhyNot

TRIES = 4
"""Random moves tried before each move that is played."""


def tried(rng: random.Random, cards: Sequence[int], melds: Sequence[MeldName]) -> Move:
    """Return a move that somebody who doesn't know the rules might send."""
    some = tuple(rng.sample(cards, min(len(cards), rng.randint(1, 5))))
    onto = rng.choice([*melds, MeldName(ROW_RUN, 9)])
    plain: list[Move] = [Take(), Pass(), Ask(), Special("garbage"), LayBonus(some[0]), Discard(some[0])]
    laid: list[Move] = [Meld((some,)), Add(some, onto, rng.randint(0, 2)), Take(some), Take(some[:2], onto)]
    return rng.choice([*plain, *laid, Take((), onto)])


def unsaid(why: WhyNot) -> list[str]:
    """Return the languages with no text for the refusal, or only the English one."""
    nothing = MessageText("", "")
    message = Message(f"refusals.{why.reason}", why.facts)
    said = {language: Voice(language).tell_or(message, nothing) for language in languages()}
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
    assert why_not(refusal).message == "Your side has no meld that you could add the eight to."


BURRACO = "rules: burraco, phase: play, pile: 3c"


@pytest.mark.parametrize(
    ("position", "move", "clauses", "said"),
    [
        (
            f"{BURRACO}, hands: {{0: 9h 5c Kd}}, melds: {{0: [4h Jo 6h 7h]}}",
            "add 9h to run#1",
            ("MELD-14", "MELD-6", "MELD-15"),
            "That card doesn’t fit either end of the sequence.",
        ),
        (
            f"{BURRACO}, hands: {{0: 9h 5c Kd}}, melds: {{0: [4h 5h 6h]}}",
            "add 9h to run#1",
            ("MELD-14", "MELD-6"),
            "That card doesn’t fit either end of the sequence.",
        ),
        (
            f"{BURRACO}, hands: {{0: 9h 5c Kd}}, melds: {{0: [4h 5h 6h]}}",
            "add 5c to run#1",
            ("MELD-14", "MELD-6"),
            "All cards of a sequence must be of one suit.",
        ),
        (
            f"{BURRACO}, hands: {{0: 9h 5h Kh Qd}}",
            "meld 9h 5h Kh",
            ("MELD-14", "MELD-6", "MELD-1"),
            "These cards are neither of one rank nor in sequence.",
        ),
        (
            f"{BURRACO}, hands: {{0: 9h 9c Kh Qd}}",
            "meld 9h 9c",
            ("MELD-1", "MELD-14"),
            "A meld needs at least three cards; this one would have 2.",
        ),
        (
            f"{BURRACO}, hands: {{0: 3s 5c Kd}}",
            "lay 3b",
            ("DECK-5", "NOTATION"),
            "In this game threes are ordinary cards: you don’t lay them out.",
        ),
        (
            f"{BURRACO}, hands: {{0: 3s 5c Kd}}",
            "special foo",
            ("OUT-10", "NOTATION"),
            "There are no special hands at this table.",
        ),
        (
            "rules: american, options: {going_out.special_hands: pagat}, phase: play, hands: {0: 4 5 6}",
            "special quads",
            ("OUT-10", "NOTATION"),
            "There is no such special hand at this table.",
        ),
        (
            "rules: american, hands: {0: 9*6 6 5}, pile: 4 8 9",
            "take 9*6",
            ("OPEN-1", "OPEN-2", "PILE-2", "OPEN-8", "OPEN-4"),
            "Your side’s first meld must be worth at least 125 points; this is worth 60.",
        ),
        (
            "rules: american, phase: play, pile: 8, hands: {0: 9 9 9 K K Jo Jo 3b}",
            "meld 9 9 9 + K K Jo Jo",
            ("DISC-6", "DISC-7", "DISC-4", "OUT-1"),
            "That would leave you with no card that you can discard.",
        ),
        (
            "rules: caliente, phase: play, pile: 8, hands: {0: K K 5 6 7}",
            "meld K Kh K",
            ("NOTATION",),
            "You don’t have three kings: only two.",
        ),
        (
            "rules: caliente, phase: play, pile: 8, hands: {0: K K 5 6 7}",
            "meld K K K Q Q Q",
            ("NOTATION",),
            "You don’t have three kings and three queens.",
        ),
    ],
)
def test_the_rule_that_a_player_would_look_up_comes_first(
    position: str, move: str, clauses: tuple[str, ...], said: str
) -> None:
    match, _ = match_from_position(f"{{{position}}}")
    refusal = match.check(parse_move(move))
    assert refusal is not None
    assert (refusal.clauses, why_not(refusal).message) == (clauses, said)
