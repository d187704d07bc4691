"""Cutting for seats and dealer, played out (SEAT-6)."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import full_deck
from canasta.engine.rng import Rng
from canasta.engine.seating import CutAgain, Seating, are_tied, counted_cuts, dealer_by_cut, seats_by_cut
from canasta.rules.copyable import PlainData
from canasta.rules.model import Ruleset

WITH_SEATS: Final = "cut"
DEAL_ONLY: Final = "cut_deal"
"""Values of the rule for the two kinds of cut: for seats and dealer, or for the dealer alone."""


def is_cut(rules: Ruleset) -> bool:
    """Return whether the players cut before the first deal."""
    return rules.seats.first_dealer in (WITH_SEATS, DEAL_ONLY)


@dataclass(frozen=True)
class Cut(PlainData):
    cards: tuple[tuple[int, ...], ...]
    """The cards each player cut, in order, by the seats before the cut; several if the player cut again."""
    seating: Seating
    """The resulting seats and dealer."""


def seeded_cut(rules: Ruleset, seed: str) -> Cut:
    """Return the cut of a match with this recorded seed."""
    return cut_cards(rules, Rng(f"{seed}/cut"))


def cut_cards(rules: Ruleset, rng: Rng) -> Cut:
    """Return a cut from a freshly shuffled pack."""
    deck = full_deck(rules.deck.decks, rules.deck.caliente_cards)
    rng.shuffle(deck)
    return cut_from(rules, deck)


def cut_from(rules: Ruleset, deck: list[int]) -> Cut:
    """Return the cut from this deck.

    Every player cuts a card, in the order of the seats. Players whose card doesn't count cut again, as do
    players in a tie that leaves the seats or the dealer undecided.
    """
    players = rules.seats.players
    order = rules.seats.cut_order
    cuts: list[list[int]] = [[] for _ in range(players)]
    again = list(range(players))
    at = 0
    while at + len(again) <= len(deck):
        for player in again:
            cuts[player].append(deck[at])
            at += 1
        again = [player for player in range(players) if not counted_cuts(cuts[player], order)]
        if again:
            continue
        try:
            return _told(cuts, seating_by_cut(rules, cuts))
        except CutAgain:
            again = _players_to_recut(cuts, order)
    # The whole pack didn't decide, so all players keep their seats.
    return _told(cuts, Seating(players=list(range(players)), dealer=players - 1))


def _told(cuts: list[list[int]], seating: Seating) -> Cut:
    return Cut(tuple([tuple(cards) for cards in cuts]), seating)


def seating_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Return the seating that these cards decide. Raises `CutAgain` if they leave it open."""
    return dealer_by_cut(rules, cuts) if rules.seats.first_dealer == DEAL_ONLY else seats_by_cut(rules, cuts)


def _players_to_recut(cuts: list[list[int]], order: str) -> list[int]:
    """Return the tied players who haven't yet cut another card that counts."""
    values = [counted_cuts(cards, order) for cards in cuts]
    return [
        player
        for player, mine in enumerate(values)
        if any(
            other != player and len(mine) <= len(theirs) and are_tied(mine, theirs)
            for other, theirs in enumerate(values)
        )
    ]
