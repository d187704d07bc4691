"""The takes that the pile offers, and the reason shown for its top card."""

import pytest
from unit.engine.builders import match_at

from canasta.engine.law import reasons
from canasta.engine.match import Match
from canasta.engine.moves.legal_moves import pile_offers, why_no_offer
from canasta.engine.moves.types import Take
from canasta.engine.rng import Rng
from canasta.rules import default_players, load_ruleset, preset_names


@pytest.mark.parametrize("rules", preset_names())
def test_the_offers_are_the_takes_that_the_rules_allow(rules: str) -> None:
    rng = Rng(f"taking {rules}")
    match = Match.new(load_ruleset(rules, default_players(rules)), "taking")
    looked = offered = 0
    while looked < 150:
        if match.hand.over:
            if match.over:
                match = Match.new(match.rules, f"taking {looked}")
            else:
                match.deal_next()
        moves = match.hand.legal_moves()
        if match.hand.phase == "draw":
            looked += 1
            takes = [move for move in moves if isinstance(move, Take)]
            offers = pile_offers(match.hand.state)
            offered += bool(offers)
            allowed = [take for take, refusal in offers if refusal is None]
            # A first meld may take more than two cards of the hand, or lay additional melds.
            plain = [take for take in takes if not take.melds and len(take.cards) <= 2]
            assert {take.onto for take in allowed} == {take.onto for take in plain}
            assert bool([take for take in allowed if take.onto is None]) == any(
                take.onto is None for take in plain
            )
            # A first meld that needs more cards is offered as below the minimum; nothing else is.
            assert bool(offers) >= bool(takes)
            assert all(refusal is None or refusal.reason == reasons.BELOW_MINIMUM for _, refusal in offers)
            if not offers:
                assert why_no_offer(match.hand.state).reason not in (
                    reasons.OK,
                    reasons.NOT_IN_HAND,
                    reasons.NOT_ITS_RANK,
                )
        legal = [move for move in moves if match.check(move) is None]
        takes_first = [move for move in legal if isinstance(move, Take)] if rng.below(2) else []
        match.apply((takes_first or legal)[rng.below(len(takes_first or legal))])
    assert offered > 3


@pytest.mark.parametrize(
    ("rules", "given", "reason"),
    [
        ("caliente", "hands: {0: K 9 5}, pile: 7 6 K", reasons.FIRST_MELD_NEEDS_PAIR),
        ("caliente", "hands: {0: K 9 5}, pile: 2 6 K, melds: {0: [Q Q Q]}", reasons.FROZEN),
        ("caliente", "hands: {0: K 9 5}, pile: 7 6 K, melds: {0: [Q Q Q]}", reasons.NEEDS_PAIR),
        ("caliente", "hands: {0: 8 9 5}, pile: 7 6 2", reasons.TOP_CARD_CANNOT_BE_TAKEN),
        ("caliente", "hands: {0: 3b 3b 5}, pile: 7 6 3b", reasons.TOP_CARD_CANNOT_BE_TAKEN),
        ("caliente", "hands: {0: 8 9 5}", reasons.PILE_IS_EMPTY),
        # A sequence that the card doesn't fit isn't the reason why it can't be taken.
        (
            "jaques-samba",
            "hands: {0: K 9 5}, pile: 7 6 K, melds: {0: [4h 5h 6h]}",
            reasons.NEEDS_NATURAL_PAIR,
        ),
        # The reason names no meld if no meld takes the pile.
        ("uruguay", "hands: {0: K 2 9 5}, pile: 7 6 K, melds: {0: [Q Q Q]}", reasons.NEEDS_NATURAL_PAIR),
        ("american", "hands: {0: K 9 5}, pile: 7 6 K, melds: {0: [Q Q Q]}", reasons.NEEDS_NATURAL_PAIR),
    ],
)
def test_the_reason_is_that_of_the_card_on_top(rules: str, given: str, reason: int) -> None:
    match = match_at(f"rules: {rules}\ngiven: {{{given}}}")
    assert pile_offers(match.hand.state) == []
    refusal = why_no_offer(match.hand.state)
    assert refusal.reason == reason
    assert refusal.caliente_names == match.rules.deck.caliente_names


@pytest.mark.parametrize(
    ("rules", "given", "moves"),
    [
        ("caliente", "hands: {0: Kh Kh 9 5}, pile: 7 6 K, melds: {0: [Q Q Q]}", ["take Kh Kh"]),
        ("caliente", "hands: {0: K 9 5 4}, pile: 7 6 K, melds: {0: [K K K]}", ["take onto K"]),
        ("caliente-samba", "hands: {0: 9 5 4}, pile: 6 7h, melds: {0: [4h 5h 6h]}", ["take onto run#1"]),
    ],
)
def test_the_ways_to_take(rules: str, given: str, moves: list[str]) -> None:
    match = match_at(f"rules: {rules}\ngiven: {{{given}}}")
    assert [str(take) for take, _ in pile_offers(match.hand.state)] == moves
