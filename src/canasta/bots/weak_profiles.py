"""Weaker players, with human weaknesses: they forget, overlook things and give in to temptation.

They play the club player's game with other weights. The novice remembers only the top of the pile, ignores
the other hands, takes whatever possible and melds whatever fits. The casual player keeps half an eye on the
next player and on the discards of the last round or two.
"""

from dataclasses import replace

from canasta.bots.club.policy import weights_for
from canasta.bots.club.weights import Weights
from canasta.engine.cards_in_play import NATURAL
from canasta.engine.compiled_rules import CompiledRules


def casual(weights: Weights) -> Weights:
    """Return casual weights: half a memory, too fond of the pile, opens
    and melds a little early, goes out a little late."""
    return replace(
        weights,
        memory=6,
        counts_cards=False,
        takes_all=True,
        danger=weights.danger * 0.5,
        open_bias=weights.open_bias + 40.0,
        open_wild=weights.open_wild * 0.5,
        keep_wild=weights.keep_wild * 0.6,
        keep_pair=weights.keep_pair * 0.5,
        keep_run=weights.keep_run * 0.4,
        start_run=weights.start_run * 0.4,
        lay=weights.lay + 0.2,
        frozen_pair=0.0,
        reserve=weights.reserve * 0.5,
        freeze_behind=0.0,
        freeze_even=0.0,
        out_bias=weights.out_bias - 100.0,
    )


def novice(weights: Weights) -> Weights:
    """Return novice weights: no memory, ignores the next player, melds all that fits, goes out late."""
    return replace(
        casual(weights),
        memory=1,
        watches_next=False,
        holds_back=False,
        open_bias=400.0,
        open_wild=0.0,
        keep_wild=15.0,
        keep_joker=0.0,
        spoil=0.0,
        keep_pair=2.0,
        keep_triple=6.0,
        keep_run=0.0,
        start_run=0.0,
        keep_stop=min(0.0, weights.keep_stop),
        lay=1.0,
        start_set=100.0,
        # With a foot to play first, that alone makes everyone late.
        out_bias=weights.out_bias - (250.0 if weights.foot_card == 0.0 else 0.0),
    )


def weights_of(name: str, compiled: CompiledRules) -> Weights:
    """Return the weights of the player with this name, under a ruleset."""
    weights = weights_for(compiled)
    if name not in ("novice", "casual"):
        return weights
    weaker = novice(weights) if name == "novice" else casual(weights)
    if compiled.takes_at_once and compiled.kinds_needed[NATURAL] == 0:
        # A pile that is free to take is taken too readily, although every card must be disposed of later.
        fond = 0.2 if name == "novice" else 0.5
        return replace(weaker, draw_card=weights.draw_card * fond)
    return weaker
