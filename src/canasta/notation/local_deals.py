"""Where the cards of a table of this very program come from: a seed that deals them again, or fair rounds.

In a fair round the program and its one person each give a seed, as `docs/fair-cards.md` says; computer
players give none. The program commits to its seed before it asks for the person's.
"""

import secrets
from collections.abc import Callable, Sequence

from canasta.engine.cutting import Cut, cut_cards, is_cut, seeded_cut
from canasta.engine.fair import CUT, SERVER, FairRound, commit_to, seed_from_text
from canasta.engine.match import Match
from canasta.notation.cards import format_cards
from canasta.notation.record import Entry, cut_entries
from canasta.notation.seats import SEAT_NAMES
from canasta.rules.model import Ruleset

AskSeed = Callable[[int, str], str]
"""Shows the program's commitment for the hand of this number, 0 for the cut; returns what was typed."""


def any_seed(_hand: int, _commitment: str) -> str:
    """The person leaves it to chance."""
    return ""


class LocalDeals:
    """The deals of one game."""

    def __init__(self, rules: Ruleset, seed: str | None = None, *, ask: AskSeed = any_seed) -> None:
        """Without a seed the cards are fair."""
        self.table: str = secrets.token_hex(8) if seed is None else seed
        """The `seed` of the record's header."""
        self.is_fair: bool = seed is None
        self.you: int = 0
        """The person's seat, which the cut may change."""
        self.cut: Cut | None = None
        self.before: Sequence[Entry] = ()
        """What a record says before its first hand."""
        self.fair: FairRound | None = None
        """Of the hand that was dealt last."""
        self._rules = rules
        self._ask = ask
        self._hand = CUT if is_cut(rules) else 1

    def cut_for_seats(self) -> None:
        """The players cut, where the rules have them cut and they have not yet."""
        if self.cut is not None or not is_cut(self._rules):
            return
        fair = self._round()
        self.cut = (
            seeded_cut(self._rules, self.table) if fair is None else cut_cards(self._rules, fair.cut_rng())
        )
        self.before = cut_entries(self.cut, fair)
        self.you = self.cut.seating.players.index(0)

    def begin(self) -> Match:
        """The first hand, after the cut."""
        self.cut_for_seats()
        dealer = None if self.cut is None else self.cut.seating.dealer
        self.fair = self._round()
        return Match.new(self._rules, self.table, fair=self.fair, first_dealer=dealer)

    def deal_next(self, match: Match) -> None:
        self.fair = self._round()
        match.deal_next(self.fair)

    def _round(self) -> FairRound | None:
        if not self.is_fair:
            return None
        hand, seed = self._hand, secrets.token_hex(32)
        self._hand += 1
        typed = self._ask(hand, commit_to(seed, table=self.table, hand=hand, number=1, seat=SERVER))
        own = seed_from_text(typed) if typed else secrets.token_hex(32)
        return FairRound.of_seeds(self.table, hand, seed, {self.you: own})

    def seated(self, names: Sequence[str]) -> list[str]:
        """These names, given for the seats before the cut, on the seats after it. Who has no name but that of
        the seat is called by the new one."""
        usual = SEAT_NAMES[len(names)]
        if self.cut is None:
            return list(names)
        return [
            usual[seat] if names[player] == usual[player] else names[player]
            for seat, player in enumerate(self.cut.seating.players)
        ]

    def cuts(self, *, symbols: bool = False) -> list[tuple[int, str]]:
        """What was cut, by the seats after the cut."""
        if self.cut is None:
            return []
        return [
            (seat, format_cards(self.cut.cards[player], symbols=symbols))
            for seat, player in enumerate(self.cut.seating.players)
        ]
