"""What an episode pays."""

from typing import Final

from canasta.engine.cards import BLACK_THREE, CALIENTE, RANK_OF, RED_THREE, full_deck
from canasta.engine.prepared import PreparedRules

REWARDS: Final = ("points", "margin", "result")
"""points: what the side scored in the hand; margin: less the mean of the other sides; result: at the end of
the episode 1 for the side that is ahead, -1 for the others, 0 where several lead."""


def side_rewards(kind: str, points: list[int], scores: list[int], over: bool) -> list[float]:
    """The reward of each side when a hand ends; `scores` are the totals including it."""
    sides = len(points)
    if kind == "points":
        return [float(own) for own in points]
    if kind == "margin":
        whole = sum(points)
        return [own - (whole - own) / (sides - 1) for own in points]
    if not over:
        return [0.0] * sides
    best = max(scores)
    if scores.count(best) > 1:
        return [0.0 if score == best else -1.0 for score in scores]
    return [1.0 if score == best else -1.0 for score in scores]


def largest_hand(tables: PreparedRules) -> int:
    """More points than any side can win or lose in a hand: every card, bonus and penalty there is."""
    rules = tables.rules
    scoring = rules.scoring
    deck = full_deck(rules.deck.decks, rules.deck.caliente_cards)
    ranks = [RANK_OF[kind] for kind in deck]
    cards = sum(tables.values[rank] for rank in ranks)
    cards += ranks.count(BLACK_THREE) * scoring.black_three_in_hand
    canasta = max(scoring.natural_canasta, scoring.mixed_canasta, scoring.samba, scoring.wild_canasta)
    return (
        cards * max(1, rules.caliente.held_one, rules.caliente.held_more)
        + len(deck) // tables.canasta_size * canasta
        + scoring.going_out
        + scoring.concealed
        + ranks.count(RED_THREE) * (scoring.red_three + scoring.forgotten_red_three)
        + scoring.red_three_extra
        + ranks.count(CALIENTE) * rules.caliente.played_penalty
        # After each a card is drawn, so that there are fewer than cards.
        + len(deck) * scoring.put_back_penalty
        + 1
    )


def cost_of_illegal(kind: str, tables: PreparedRules) -> float:
    """Less than any hand pays, so that no learner is better off with an action that its mask rules out."""
    if kind == "result":
        return -2.0
    return -float(largest_hand(tables) * (2 if kind == "margin" else 1))
