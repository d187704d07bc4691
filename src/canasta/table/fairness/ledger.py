"""The ledger: every card of a hand, followed from the deal through the events and compared with observations.

The deal follows from the seeds, so the ledger knows all cards, including those that a viewer never sees. An
event that contradicts them can't have happened.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import BONUS_CARD
from canasta.engine.state import HandState, cards_held
from canasta.notation.cards import format_card
from canasta.table.fairness.observation import FairnessError, Observation, SeenEvent

GAP: Final = "gap"
"""Events are missing or inconsistent."""
CARDS: Final = "cards"
"""A card isn't the one that follows from the seeds."""
CALIENTE: Final = "Ca"


@dataclass
class _Cards:
    """The location of every card: the part of a ledger that undo restores."""

    hands: list[Counter[str]]
    feet: list[list[str]]
    talons: list[list[str]]
    stock: list[str]
    """The next card to draw comes first."""
    pots: list[list[str]]
    pile: list[str]
    melds: list[dict[str, list[str]]]
    bonus: list[list[str]]

    def copy(self) -> "_Cards":
        return _Cards(
            [+hand for hand in self.hands],
            [foot.copy() for foot in self.feet],
            [talon.copy() for talon in self.talons],
            self.stock.copy(),
            [pot.copy() for pot in self.pots],
            self.pile.copy(),
            [{name: cards.copy() for name, cards in melds.items()} for melds in self.melds],
            [cards.copy() for cards in self.bonus],
        )


class Ledger:
    """All cards of one hand, from the deal on."""

    def __init__(self, deal: HandState) -> None:
        """deal: the hand as dealt; the ledger doesn't change it."""
        compiled = deal.compiled
        seats = range(len(deal.side_of))
        self.side_of = deal.side_of
        self.order = deal.order
        self._rules = compiled.rules
        self._pots_become_stock = compiled.last_draw_ends and compiled.pot_becomes_stock
        self._holds_bonus = compiled.by_hand or compiled.threes_on_turn
        """Whether a hand can contain bonus cards that are not laid out yet."""
        self._bonus_cards = {
            format_card(kind) for kind in set(compiled.deck) if compiled.role_of[kind] == BONUS_CARD
        }
        waits = deal.feet_wait()
        self.cards = _Cards(
            hands=[Counter(map(format_card, cards_held(deal, seat))) for seat in seats],
            feet=[list(map(format_card, deal.feet[seat])) if waits[seat] else [] for seat in seats],
            talons=[list(map(format_card, talon)) for talon in deal.talons],
            stock=[format_card(deal.deck_card(at)) for at in range(deal.at, deal.deck_size())],
            pots=[list(map(format_card, pot)) for pot in deal.pots],
            pile=list(map(format_card, deal.pile)),
            melds=[{} for _ in range(deal.sides)],
            bonus=[list(map(format_card, cards)) for cards in deal.bonus],
        )
        self.ended = False
        self.moves = 0
        """Number of the last move."""
        self._is_open = False
        """Whether more events of that move may follow."""
        self._whats: set[str] = set()
        """Events of the move in progress, by name."""
        self._is_draw = False
        self._last_was_bonus = False
        """Whether the stock's last card was laid out as a bonus card."""
        self._last_from_stock = False
        """Whether the last bonus card laid out came from the stock."""
        self._either = ""
        """The last bonus card laid out, if both the hand and the stock had one. A draw after it shows that it
        came from the hand."""
        self._pile_bonus: Counter[str] = Counter()
        """Bonus cards that came with the pile in this move and are laid out at once."""
        self._before_move = self.cards
        self._undo: list[_Cards] = []
        self._before_take: _Cards | None = None

    # -- comparing -------------------------------------------------------------------------------------------

    def fingerprint(self) -> object:
        """Return a value that is equal for ledgers with the same cards in the same places."""
        cards = self.cards
        return (
            [sorted(hand.elements()) for hand in cards.hands],
            *(cards.feet, [sorted(talon) for talon in cards.talons], cards.stock, cards.pots, cards.pile),
            [{name: sorted(meld) for name, meld in melds.items()} for melds in cards.melds],
            *([sorted(bonus) for bonus in cards.bonus], self.ended),
        )

    # -- events ----------------------------------------------------------------------------------------------

    def apply(self, event: SeenEvent) -> None:
        """Apply an event. Raises `FairnessError` if it can't have happened."""
        if self.ended or event.move < 1 or event.move not in (self.moves, self.moves + 1):
            raise FairnessError(GAP)
        if event.move == self.moves + 1:
            self.finish_move()
            self.moves += 1
            self._start_move()
        elif not self._is_open:
            raise FairnessError(GAP)
        if event.what == "hand_ended":
            self.ended = True
            return
        if event.seat not in self.order:
            raise FairnessError(GAP)
        is_first = not self._whats
        self._whats.add(event.what)
        if is_first and event.what == "drew":
            self._is_draw = True
        follow = _FOLLOW.get(event.what)
        if follow is not None:
            follow(self, event)
        if is_first and event.what == "bonus_laid":
            self._is_draw = self._last_from_stock
        if event.what != "bonus_laid":
            self._last_was_bonus = False
            self._either = ""

    def _start_move(self) -> None:
        self._is_open, self._is_draw, self._last_was_bonus = True, False, False
        self._whats = set()
        self._either = ""
        self._pile_bonus = Counter()
        self._before_move = self.cards.copy()

    def finish_move(self) -> None:
        """Apply the consequences of a finished move. After that, any further event of this move is a
        fault."""
        if not self._is_open:
            return
        self._is_open = False
        cards = self.cards
        if (
            self._is_draw
            and self._pots_become_stock
            and not self._last_was_bonus
            and len(cards.stock) <= self._rules.stock_end.floor
            and cards.pots
        ):
            cards.stock += cards.pots.pop(0)
        if self._whats <= {"cards_melded", "canasta_made"} and not self.ended:
            self._undo.append(self._before_move)
        elif "meld_taken_back" not in self._whats:
            self._undo.clear()
        if "pile_taken" in self._whats:
            self._before_take = self._before_move
        elif not self._whats <= {"asked", "answered"}:
            self._before_take = None

    def _draw(self, count: int) -> list[str]:
        stock = self.cards.stock
        if not 1 <= count <= len(stock):
            raise FairnessError(GAP)
        drawn = stock[:count]
        del stock[:count]
        return drawn

    def _remove(self, seat: int, cards: Iterable[str]) -> None:
        hand = self.cards.hands[seat]
        for card in cards:
            if hand[card] <= 0:
                raise FairnessError(CARDS)
            hand[card] -= 1

    def _drew(self, event: SeenEvent) -> None:
        if self._either:
            # The bonus card came from the hand, and this draw replaces it.
            self.cards.stock.append(self._either)
            self._remove(event.seat, [self._either])
        drawn = self._draw(event.count)
        _must_equal(event.cards, drawn)
        self.cards.hands[event.seat].update(drawn)

    def _bonus_laid(self, event: SeenEvent) -> None:
        card, cards = _single_card(event), self.cards
        hand = cards.hands[event.seat]
        self._last_from_stock = False
        if self._pile_bonus[card] > 0:
            self._pile_bonus[card] -= 1
            self._remove(event.seat, [card])
        elif self._holds_bonus and cards.stock == [card]:
            self._last_from_stock = True
            self._either = card if hand[card] > 0 else ""
        elif hand[card] > 0:
            hand[card] -= 1
        elif not self._holds_bonus and cards.stock[:1] == [card]:
            self._last_from_stock = True
        else:
            raise FairnessError(CARDS)
        if self._last_from_stock:
            del cards.stock[0]
        self._last_was_bonus = self._last_from_stock and not cards.stock
        cards.bonus[self.side_of[event.seat]].append(card)

    def _pile_taken(self, event: SeenEvent) -> None:
        pile = self.cards.pile
        if event.count != len(pile) or not pile:
            raise FairnessError(GAP)
        shown = pile[-1:] if len(event.cards) == 1 else pile
        if event.cards != shown:
            raise FairnessError(CARDS)
        if self._rules.pile.take != "free":
            self._pile_bonus = Counter(card for card in pile if card in self._bonus_cards)
        self.cards.hands[event.seat].update(pile)
        self.cards.pile = []

    def _top_card_taken(self, event: SeenEvent) -> None:
        if not self.cards.pile:
            raise FairnessError(GAP)
        if self.cards.pile.pop() != _single_card(event):
            raise FairnessError(CARDS)
        self.cards.hands[event.seat][_single_card(event)] += 1

    def _cards_melded(self, event: SeenEvent) -> None:
        self._remove(event.seat, event.cards)
        self.cards.melds[self.side_of[event.seat]].setdefault(event.meld, []).extend(event.cards)

    def _discarded(self, event: SeenEvent) -> None:
        self._remove(event.seat, [_single_card(event)])
        self.cards.pile.append(_single_card(event))

    def _discarded_face_down(self, event: SeenEvent) -> None:
        hand = self.cards.hands[event.seat]
        if hand.total() != 1:
            raise FairnessError(GAP)
        self.cards.pile += hand.elements()
        hand.clear()

    def _caliente_played(self, event: SeenEvent) -> None:
        self._remove(event.seat, [CALIENTE])

    def _special_laid(self, event: SeenEvent) -> None:
        hand = self.cards.hands[event.seat]
        if +hand != Counter(event.cards):
            raise FairnessError(CARDS)
        hand.clear()

    def _talon_dealt(self, event: SeenEvent) -> None:
        drawn = self._draw(event.count) if event.count else []
        _must_equal(event.cards, drawn)
        self.cards.talons[event.seat] = drawn

    def _talon_picked_up(self, event: SeenEvent) -> None:
        self._pick_up(event, self.cards.talons)

    def _foot_picked_up(self, event: SeenEvent) -> None:
        self._pick_up(event, self.cards.feet)

    def _pick_up(self, event: SeenEvent, places: list[list[str]]) -> None:
        cards = places[event.seat]
        if not cards or event.count != len(cards):
            raise FairnessError(GAP)
        _must_equal(event.cards, cards)
        self.cards.hands[event.seat].update(cards)
        places[event.seat] = []

    def _pot_taken(self, event: SeenEvent) -> None:
        pots = self.cards.pots
        if not pots or event.count != len(pots[0]):
            raise FairnessError(GAP)
        _must_equal(event.cards, pots[0])
        self.cards.hands[event.seat].update(pots.pop(0))

    def _pile_put_back(self, _: SeenEvent) -> None:
        if self._before_take is None:
            raise FairnessError(GAP)
        self.cards = self._before_take.copy()

    def _meld_taken_back(self, _: SeenEvent) -> None:
        if not self._undo:
            raise FairnessError(GAP)
        self.cards = self._undo.pop()


_FOLLOW: Final[dict[str, Callable[[Ledger, SeenEvent], None]]] = {
    "drew": Ledger._drew,
    "bonus_laid": Ledger._bonus_laid,
    "pile_taken": Ledger._pile_taken,
    "top_card_taken": Ledger._top_card_taken,
    "cards_melded": Ledger._cards_melded,
    "discarded": Ledger._discarded,
    "discarded_face_down": Ledger._discarded_face_down,
    "caliente_played": Ledger._caliente_played,
    "special_laid": Ledger._special_laid,
    "talon_dealt": Ledger._talon_dealt,
    "talon_picked_up": Ledger._talon_picked_up,
    "foot_picked_up": Ledger._foot_picked_up,
    "pot_taken": Ledger._pot_taken,
    "pile_put_back": Ledger._pile_put_back,
    "meld_taken_back": Ledger._meld_taken_back,
}


def _single_card(event: SeenEvent) -> str:
    if len(event.cards) != 1:
        raise FairnessError(GAP)
    return event.cards[0]


def _must_equal(shown: list[str], cards: list[str]) -> None:
    """Raise `FairnessError` if the viewer was shown other cards than these."""
    if shown and sorted(shown) != sorted(cards):
        raise FairnessError(CARDS)


# -- the verdict on a hand ---------------------------------------------------------------------------------


NO_DEAL: Final = "no_deal"
"""The viewer was shown a hand in play, but never its deal."""

_CHAIN: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


def fault_in(
    observations: Sequence[Observation], deal: HandState, *, hand: int, dealer: int, seat: int
) -> str:
    """Return the first fault in what the viewer on `seat` saw of a hand: `no_deal`, `gap` or `cards`; empty
    if there is none."""
    ledger: Ledger | None = None
    try:
        for seen in observations:
            if seen.log:
                ledger = _ledger_of_log(seen.log, ledger, deal, hand=hand, dealer=dealer)
            for event in seen.events:
                if event.what != "dealt":
                    if ledger is None:
                        return NO_DEAL
                    ledger.apply(event)
                    continue
                if ledger is not None:
                    return GAP
                ledger = _dealt(event, deal, hand=hand, dealer=dealer)
            if ledger is None:
                return NO_DEAL
            ledger.finish_move()
            compare(ledger, seen, seat)
        if ledger is not None and observations[-1].phase == "over":
            _compare_hands(ledger, observations[-1])
    except FairnessError as error:
        return str(error)
    return ""


def _dealt(event: SeenEvent, deal: HandState, *, hand: int, dealer: int) -> Ledger:
    if (event.seat, event.count) != (dealer, hand):
        raise FairnessError(GAP)
    return Ledger(deal)


def _ledger_of_log(
    log: Sequence[SeenEvent], before: Ledger | None, deal: HandState, *, hand: int, dealer: int
) -> Ledger:
    """Return the ledger after all events of a log, which must contain the moves of `before`."""
    if log[0].what != "dealt":
        raise FairnessError(NO_DEAL if before is None else GAP)
    ledger = _dealt(log[0], deal, hand=hand, dealer=dealer)
    joins = before
    for event in log[1:]:
        if joins is not None and event.move > joins.moves:
            _must_agree(ledger, joins)
            joins = None
        ledger.apply(event)
    ledger.finish_move()
    if joins is not None:
        _must_agree(ledger, joins)
    return ledger


def _must_agree(ledger: Ledger, before: Ledger) -> None:
    """Raise `FairnessError` unless a log leads to the cards that were seen before it."""
    ledger.finish_move()
    if ledger.moves != before.moves or ledger.fingerprint() != before.fingerprint():
        raise FairnessError(GAP)


def compare(ledger: Ledger, seen: Observation, seat: int) -> None:
    """Compare a ledger with what the viewer on `seat` was shown. Raises `FairnessError`."""
    _compare_counts(ledger, seen)
    cards = ledger.cards
    if seen.cards is not None:
        if seen.cards != sorted(cards.hands[seat].elements()) or seen.talon != sorted(cards.talons[seat]):
            raise FairnessError(CARDS)
    if any(shown and shown != card for shown, card in zip(seen.pile, cards.pile, strict=True)):
        raise FairnessError(CARDS)
    for side, melds in enumerate(seen.melds):
        if any(shown != sorted(cards.melds[side][name]) for name, shown in melds.items()):
            raise FairnessError(CARDS)
    if seen.bonus != [sorted(bonus) for bonus in cards.bonus]:
        raise FairnessError(CARDS)
    # A deal of the day shows the hands when the day is over, with the seed.
    if seen.phase == "over" and any(seen.shows):
        _compare_hands(ledger, seen)


def _compare_hands(ledger: Ledger, seen: Observation) -> None:
    if seen.shows != [sorted(hand.elements()) for hand in ledger.cards.hands]:
        raise FairnessError(CARDS)


def _compare_counts(ledger: Ledger, seen: Observation) -> None:
    cards = ledger.cards
    sizes = [{name: len(meld) for name, meld in melds.items() if meld} for melds in cards.melds]
    is_over = seen.phase == "over"
    if (
        _CHAIN.fullmatch(seen.chain) is None
        or seen.held != [hand.total() for hand in cards.hands]
        or seen.feet != list(map(len, cards.feet))
        or seen.talons != list(map(len, cards.talons))
        or seen.stock != len(cards.stock)
        or seen.pots != list(map(len, cards.pots))
        or len(seen.pile) != len(cards.pile)
        or [{name: len(meld) for name, meld in melds.items()} for melds in seen.melds] != sizes
        or list(map(len, seen.bonus)) != list(map(len, cards.bonus))
        or (is_over and not ledger.ended and ledger.moves > 0)
        or (ledger.ended and not is_over)
    ):
        raise FairnessError(GAP)
