"""Cutting for seats and dealer, played out (SEAT-6)."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import full_deck
from canasta.engine.rng import Rng
from canasta.engine.seating import CutAgain, Seating, are_tied, counted_cuts, dealer_by_cut, seats_by_cut
from canasta.rules.model import Ruleset
from canasta.rules.plain_data import PlainData

WITH_SEATS: Final = "cut"
DEAL_ONLY: Final = "cut_deal"
"""The two kinds of cutting: for seats and dealer, or for the dealer alone."""


def is_cut(rules: Ruleset) -> bool:
    """Do the players cut before the first deal?"""
    return rules.seats.first_dealer in (WITH_SEATS, DEAL_ONLY)


@dataclass(frozen=True)
class Cut(PlainData):
    cards: tuple[tuple[int, ...], ...]
    """What each player cut, in order, by the seats before the cut; more than one where it was cut again."""
    seating: Seating
    """Who sits where now, and who deals."""


def seeded_cut(rules: Ruleset, seed: str) -> Cut:
    """The cut of a match with this recorded seed."""
    return cut_cards(rules, Rng(f"{seed}/cut"))


def cut_cards(rules: Ruleset, rng: Rng) -> Cut:
    """The cut from a pack that is shuffled for it."""
    deck = full_deck(rules.deck.decks, rules.deck.caliente_cards)
    rng.shuffle(deck)
    return cut_from(rules, deck)


def cut_from(rules: Ruleset, deck: list[int]) -> Cut:
    """Everybody cuts a card, in the order of the seats. Who has cut none that counts, or is tied with
    somebody while the seats or the dealer are still open, cuts another one."""
    players = rules.seats.players
    cuts: list[list[int]] = [[] for _ in range(players)]
    again = list(range(players))
    at = 0
    while at + len(again) <= len(deck):
        for player in again:
            cuts[player].append(deck[at])
            at += 1
        again = [player for player in range(players) if not counted_cuts(cuts[player])]
        if again:
            continue
        try:
            return _told(cuts, seating_by_cut(rules, cuts))
        except CutAgain:
            again = _tied(cuts)
    # Not even a whole pack of cards decides: everybody stays.
    return _told(cuts, Seating(players=list(range(players)), dealer=players - 1))


def _told(cuts: list[list[int]], seating: Seating) -> Cut:
    return Cut(tuple([tuple(cards) for cards in cuts]), seating)


def seating_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Where these cards have the players sit, and who deals; raises `CutAgain` when they do not decide."""
    return dealer_by_cut(cuts) if rules.seats.first_dealer == DEAL_ONLY else seats_by_cut(rules, cuts)


def _tied(cuts: list[list[int]]) -> list[int]:
    """Who is tied with somebody, and has not cut one more card that counts already."""
    values = [counted_cuts(cards) for cards in cuts]
    return [
        player
        for player, mine in enumerate(values)
        if any(
            other != player and len(mine) <= len(theirs) and are_tied(mine, theirs)
            for other, theirs in enumerate(values)
        )
    ]
