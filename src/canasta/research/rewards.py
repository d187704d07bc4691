"""The rewards of an episode."""

from typing import Final

from canasta.engine.cards import CALIENTE
from canasta.engine.compiled_rules import CompiledRules

REWARDS: Final = ("points", "margin", "result")
"""Kinds of rewards. points: the side's points for the hand. margin: those minus the
mean of the other sides. result: at the end of the episode, 1 for the leading side
and -1 for the others; 0 for those that tie for the lead."""


def side_rewards(kind: str, points: list[int], scores: list[int], over: bool) -> list[float]:
    """Return the reward of each side at the end of a hand. `scores` are the totals including it."""
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


def largest_hand(tables: CompiledRules) -> int:
    """Return a bound that no side's points in a hand exceed: the sum of every card, bonus and penalty."""
    score = tables.score
    cards = sum([tables.values[tables.rank_of[kind]] for kind in tables.deck])
    cards += sum([tables.of_rank[rank] * score.in_hand[rank] for rank in tables.stop_ranks])
    return (
        cards * max(score.times_with_calientes)
        + len(tables.deck) // tables.canasta_size * max(score.canasta)
        + score.going_out
        + score.concealed
        + max(score.bonus)
        + tables.bonus_cards * score.bonus_in_hand
        + tables.of_rank[CALIENTE] * score.caliente_played
        # A card is drawn after each put-back, so there are fewer of them than cards.
        + len(tables.deck) * score.put_back
        + 1
    )


def cost_of_illegal(kind: str, tables: CompiledRules) -> float:
    """Return less than any hand can pay, so that an action excluded by the mask is never an advantage."""
    if kind == "result":
        return -2.0
    return -float(largest_hand(tables) * (2 if kind == "margin" else 1))
