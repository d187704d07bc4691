"""The card pool of a written position: a deck from which every card is taken once.

A position names most cards by rank alone. Cards with a suit are assigned first, then those for which the suit
matters (sequences of one suit), then all others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKER,
    KINDS,
    KINDS_OF,
    NATURAL_RANKS,
    RANK_OF,
    RANKS,
    RED_THREE,
    SPADES,
    THREES,
    TWO,
    full_deck,
    suit_of,
)
from canasta.engine.rng import Rng
from canasta.notation.cards import any_of, format_card, format_cards, is_long_run, is_run, rank_of_card
from canasta.notation.errors import FileProblem, ScenarioError
from canasta.rules.model import Ruleset

_SUITS: Final = (HEARTS, SPADES, DIAMONDS, CLUBS)
_LAST_TO_FILL: Final = {BLACK_THREE: 2, TWO: 3, JOKER: 4, CALIENTE: 5, RED_THREE: 6}


class Deck:
    """The cards of a table that have not been taken yet."""

    def __init__(self, rules: Ruleset) -> None:
        cards = full_deck(rules.deck.decks, rules.deck.caliente_cards)
        self._left = [0] * KINDS
        for kind in cards:
            self._left[kind] += 1

    def demand(self, cards: Iterable[int]) -> None:
        """Raise `ScenarioError` unless the whole deck contains all of these cards at once."""
        wanted = Counter(cards)
        ranks = Counter(rank_of_card(card) for card in wanted.elements())
        problems: list[FileProblem] = []
        if THREES in ranks:
            ranks[THREES] += ranks[RED_THREE] + ranks[BLACK_THREE]
        for rank in sorted(ranks):
            held = self.left_of(rank)
            if ranks[rank] > held:
                problems.append(_shortage(any_of(rank), ranks[rank], held))
        for kind in sorted(card for card in wanted if card < ANY):
            if wanted[kind] > self._left[kind] and suit_of(kind) >= 0:
                problems.append(_shortage(kind, wanted[kind], self._left[kind]))
        if problems:
            raise ScenarioError(problems)

    def take_kind(self, kind: int) -> int:
        """Take one card of a kind, which must still be available."""
        assert self._left[kind] > 0
        self._left[kind] -= 1
        return kind

    def put_back(self, kind: int) -> None:
        self._left[kind] += 1

    def has(self, kind: int) -> bool:
        return self._left[kind] > 0

    def left_of(self, rank: int) -> int:
        return sum(self._left[kind] for kind in KINDS_OF[rank])

    def take_rank(self, rank: int, suits: Sequence[int]) -> int:
        """Take a card of a rank, which must still be available, in the
        first of these suits that has one left."""
        kinds = KINDS_OF[rank]
        if rank < NATURAL_RANKS:
            for suit in suits:
                if self.has(kinds[suit]):
                    return self.take_kind(kinds[suit])
        return self.take_kind(max(kinds, key=lambda kind: self._left[kind]))

    def rest(self, mentioned: Iterable[int]) -> list[int]:
        """Take everything that is left: plain cards first, in a fixed random order.

        Ranks that the scenario mentions come after the others, then the cards that have effects of their own.
        Drawing or holding the first ones thus changes as little as possible.
        """
        spoken_of = set(mentioned)
        cards = [kind for kind in range(KINDS) for _ in range(self._left[kind])]
        self._left = [0] * KINDS
        Rng("the rest of the deck").shuffle(cards)

        def place(kind: int) -> int:
            rank = RANK_OF[kind]
            if rank < NATURAL_RANKS:
                return 1 if rank in spoken_of else 0
            return _LAST_TO_FILL[rank]

        return sorted(cards, key=place)


def _shortage(card: int, wanted: int, held: int) -> FileProblem:
    if rank_of_card(card) == CALIENTE and not held:
        return FileProblem("NO_CALIENTE_CARDS")
    return FileProblem("TOO_MANY_OF", {"written": format_card(card), "count": wanted, "have": held})


def _in_suit(rank: int, suit: int) -> int:
    """Return the card of a rank in this suit. A three gets this suit whatever colour is written."""
    return KINDS_OF[THREES if rank in (RED_THREE, BLACK_THREE) else rank][suit]


class CardPlacement:
    """Assigns the cards of a position. Call `reserve` once with everything, then `place` for each group."""

    def __init__(self, rules: Ruleset) -> None:
        self.deck = Deck(rules)
        self._same_suit = rules.melds.runs and rules.melds.same_suit_runs
        self._is_run = is_long_run if rules.melds.run_most > 0 else is_run
        self._runs: dict[int, list[tuple[int, ...]]] = {}
        self._coloured: Counter[int] = Counter()
        """Threes of a colour that are still to be placed; an unspecified three must leave these."""

    def reserve(self, cards: Sequence[int]) -> None:
        """Check that all these cards exist, and take those that have a suit."""
        self.deck.demand(cards)
        for card in cards:
            if card < ANY:
                self.deck.take_kind(card)
            elif card - ANY in (RED_THREE, BLACK_THREE):
                self._coloured[card - ANY] += 1

    def place_runs(self, melds: dict[int, tuple[tuple[int, ...], ...]]) -> dict[tuple[int, int], list[int]]:
        """Return sequences that must be of one suit, by side and index among its melds."""
        if not self._same_suit:
            return {}
        places = [(side, i) for side in melds for i, meld in enumerate(melds[side]) if self._is_run(meld)]
        runs = [melds[side][i] for side, i in places]
        suits = self._suits_for(runs)
        if suits is None:
            shown = ", ".join(format_cards(run) for run in runs)
            raise ScenarioError([FileProblem("NO_SUIT_LEFT", {"written": shown})])
        placed: dict[tuple[int, int], list[int]] = {}
        for place, run, suit in zip(places, runs, suits, strict=True):
            cards = [card if card < ANY else _in_suit(card - ANY, suit) for card in run]
            placed[place] = cards
            self._runs.setdefault(place[0], []).append(tuple(cards))
        return placed

    def _suits_for(self, runs: list[tuple[int, ...]]) -> list[int] | None:
        """Choose a suit for each run so that its open cards are
        available, and take them; `None` if impossible."""
        if not runs:
            return []
        # The suit of a wild two says nothing about the suit of the sequence.
        fixed = [suit_of(card) for card in runs[0] if card < ANY and RANK_OF[card] not in (TWO, JOKER)]
        for suit in fixed[:1] or _SUITS:
            taken: list[int] = []
            for card in runs[0]:
                if card >= ANY and self._has_in_suit(card - ANY, suit):
                    self.deck.take_kind(_in_suit(card - ANY, suit))
                    self._coloured[card - ANY] -= 1
                    taken.append(card - ANY)
            if len(taken) == sum(1 for card in runs[0] if card >= ANY):
                others = self._suits_for(runs[1:])
                if others is not None:
                    return [suit, *others]
            for rank in taken:
                self.deck.put_back(_in_suit(rank, suit))
                self._coloured[rank] += 1
        return None

    def _has_in_suit(self, rank: int, suit: int) -> bool:
        """Return whether such a card is available for a sequence
        without using threes written with a colour."""
        kind = _in_suit(rank, suit)
        colour = RANK_OF[kind]
        if rank == THREES and self.deck.left_of(colour) <= self._coloured[colour]:
            return False
        return rank in (colour, THREES) and self.deck.has(kind)

    def place(self, cards: Sequence[int], side: int = -1) -> list[int]:
        """Return kinds for the cards of one hand or pile.

        If sequences must be of one suit, the cards of a group share suits as far as possible, and prefer
        suits near the sequences that `side` has on the table.
        """
        placed: list[int] = []
        copies = [0] * RANKS
        for card in cards:
            if card < ANY:
                placed.append(card)
                continue
            rank = card - ANY
            if rank == THREES:
                red = self.deck.left_of(RED_THREE) > self._coloured[RED_THREE]
                rank = RED_THREE if red else BLACK_THREE
            else:
                self._coloured[rank] -= 1
            suits = self._suits_near(rank, cards, side) if self._same_suit else list(_SUITS)
            turn = copies[rank] % len(suits)
            copies[rank] += 1
            placed.append(self.deck.take_rank(rank, suits[turn:] + suits[:turn]))
        return placed

    def _suits_near(self, rank: int, cards: Sequence[int], side: int) -> list[int]:
        """Return the suits, starting with those in which this rank is close to a sequence or another card."""
        neighbours = [card for card in cards if card < ANY and RANK_OF[card] < NATURAL_RANKS]
        neighbours += [card for run in self._runs.get(side, []) for card in run]

        def distance(suit: int) -> int:
            gaps = [abs(RANK_OF[card] - rank) for card in neighbours if suit_of(card) == suit]
            # A suit that already has this very rank does not need a second one.
            return min(gaps, default=RANKS) if 0 not in gaps else RANKS

        return sorted(_SUITS, key=distance)
