"""The ledger of a witness: which card an ambiguous event means."""

from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_from_seed
from canasta.notation.cards import parse_card
from canasta.rules import load_ruleset
from canasta.table.fairness.ledger import Ledger
from canasta.table.fairness.observation import SeenEvent


def ledger_with_stock(*cards: str) -> Ledger:
    """Return the ledger of an American hand for two whose stock has only these cards left."""
    compiled = compile_rules(load_ruleset("american", 2))
    deal = deal_from_seed(compiled, seed="ledger", hand_number=1, dealer=0, scores=[0, 0])
    deal.set_deck([parse_card(card) for card in cards])
    deal.at = 0
    return Ledger(deal)


def event(what: str, *cards: str, count: int = 0) -> SeenEvent:
    return SeenEvent(what=what, seat=1, count=count, cards=list(cards), move=1)


def test_a_red_three_is_replaced_by_its_twin() -> None:
    """The stock's last card is the same as the three that is laid out from the hand."""
    ledger = ledger_with_stock("7h", "3d", "3d")
    held = ledger.cards.hands[1].copy()
    laid = ledger.cards.bonus[1].copy()
    ledger.apply(event("drew", count=2))
    ledger.apply(event("bonus_laid", "3d"))
    ledger.apply(event("drew", count=1))
    ledger.finish_move()
    assert ledger.cards.stock == []
    assert ledger.cards.hands[1] - held == {"7h": 1, "3d": 1}
    assert ledger.cards.bonus[1] == [*laid, "3d"]


def test_the_last_card_of_the_stock_is_laid_out() -> None:
    """Nothing replaces it, and its twin stays in the hand."""
    ledger = ledger_with_stock("7h", "3d", "3d")
    held = ledger.cards.hands[1].copy()
    ledger.apply(event("drew", count=2))
    ledger.apply(event("bonus_laid", "3d"))
    ledger.finish_move()
    assert ledger.cards.stock == []
    assert ledger.cards.hands[1] - held == {"7h": 1, "3d": 1}
