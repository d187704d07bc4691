"""The verdict on a hand: do its observations follow from the deal?"""

import re
from collections.abc import Sequence
from typing import Final

from canasta.engine.state import HandState
from canasta.table.fairness.ledger import CARDS, GAP, Ledger, LedgerError
from canasta.table.fairness.observation import Observation, SeenEvent

NO_DEAL: Final = "no_deal"
"""The viewer was shown a hand in play, but never its deal."""

_CHAIN: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


def fault_in(
    observations: Sequence[Observation], deal: HandState, *, hand: int, dealer: int, seat: int
) -> str:
    """Return the first fault in what the viewer on `seat` saw of a hand: `no_deal`, `gap` or `cards`.

    Empty if there is none.
    """
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
    except LedgerError as fault:
        return fault.verdict
    return ""


def _dealt(event: SeenEvent, deal: HandState, *, hand: int, dealer: int) -> Ledger:
    if (event.seat, event.count) != (dealer, hand):
        raise LedgerError(GAP)
    return Ledger(deal)


def _ledger_of_log(
    log: Sequence[SeenEvent], before: Ledger | None, deal: HandState, *, hand: int, dealer: int
) -> Ledger:
    """Follow a whole log, which must contain the state of `before`."""
    if log[0].what != "dealt":
        raise LedgerError(NO_DEAL if before is None else GAP)
    ledger = _dealt(log[0], deal, hand=hand, dealer=dealer)
    joins = before
    for event in log[1:]:
        if joins is not None and event.move > joins.moves:
            _must_join(ledger, joins)
            joins = None
        ledger.apply(event)
    ledger.finish_move()
    if joins is not None:
        _must_join(ledger, joins)
    return ledger


def _must_join(ledger: Ledger, before: Ledger) -> None:
    """Compare a log, followed up to the last move seen before it, with what was seen."""
    ledger.finish_move()
    if ledger.moves != before.moves or ledger.fingerprint() != before.fingerprint():
        raise LedgerError(GAP)


def compare(ledger: Ledger, seen: Observation, seat: int) -> None:
    """Compare a ledger with what the viewer on `seat` was shown. Raises `LedgerError`."""
    _compare_counts(ledger, seen)
    cards = ledger.cards
    if seen.cards is not None:
        if seen.cards != sorted(cards.hands[seat].elements()) or seen.talon != sorted(cards.talons[seat]):
            raise LedgerError(CARDS)
    if any(shown and shown != card for shown, card in zip(seen.pile, cards.pile, strict=True)):
        raise LedgerError(CARDS)
    for side, melds in enumerate(seen.melds):
        if any(shown != sorted(cards.melds[side][name]) for name, shown in melds.items()):
            raise LedgerError(CARDS)
    if seen.bonus != [sorted(bonus) for bonus in cards.bonus]:
        raise LedgerError(CARDS)
    # A deal of the day shows the hands when the day is over, with the seed.
    if seen.phase == "over" and any(seen.shows):
        _compare_hands(ledger, seen)


def _compare_hands(ledger: Ledger, seen: Observation) -> None:
    if seen.shows != [sorted(hand.elements()) for hand in ledger.cards.hands]:
        raise LedgerError(CARDS)


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
        raise LedgerError(GAP)
