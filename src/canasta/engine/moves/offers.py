"""Offers to the player to move: ways to take the pile, why there are none, and the moves worth showing."""

from dataclasses import replace

from canasta.engine.cards import ANY, JOKER, RANK_OF, TWO, card_text
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.engine.law import reasons
from canasta.engine.law.melding import why_not_extend_run
from canasta.engine.law.pile import why_not_take_as_it_lies, why_not_take_with, why_not_touch_pile
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.engine.moves.apply import why_not
from canasta.engine.moves.facts import pile_facts
from canasta.engine.moves.find_cards import cards_held
from canasta.engine.moves.legal_moves import legal_whole_moves
from canasta.engine.moves.refusals import Facts, Refusal, refuse
from canasta.engine.moves.types import Ask, Move, Take
from canasta.engine.state import HandState


def worth_offering(state: HandState, moves: list[Move]) -> list[Move]:
    """Return the moves without pointless questions.

    The rules allow asking the partner at any time before melding; a table offers it only if going out is
    possible.
    """
    return moves if out_in_reach(state) else [move for move in moves if not isinstance(move, Ask)]


def pile_offers(state: HandState) -> list[tuple[Take, Refusal | None]]:
    """Return the ways to take the pile for the player whose turn begins.

    A take with a refusal is one whose first meld still lacks something; further melds in the same move would
    complete it.
    """
    offers: list[tuple[Take, Refusal | None]] = []
    for take in _fitting(state):
        refusal = why_not(state, take)
        if refusal is None or refusal.reason in reasons.FIRST_MELD_LACKS:
            offers.append((take, refusal))
    return offers


def why_no_offer(state: HandState) -> Refusal:
    """Return why no take is offered: the refusal of the closest attempt at the current top card."""
    if state.compiled.takes_at_once:
        reason = why_not_take_as_it_lies(state)
        facts: Facts = {
            "stock": state.stock_size(),
            "card": card_text(state.top_card()) if state.pile_size() > 0 else "",
        }
        return refuse(reason if reason != reasons.OK else reasons.TOP_CARD_FITS_NOTHING, facts)
    for take in _fitting(state):
        refusal = why_not(state, take)
        if refusal is not None:
            return refusal
    reason = why_not_touch_pile(state)
    if reason != reasons.OK:
        rank = RANK_OF[state.top_card()] if state.pile_size() > 0 else 0
        refusal = why_not(state, Take((ANY + rank, ANY + rank)))
        if refusal is not None:
            return refusal
    # The hand has too little to try anything, so state what the rules require.
    held = state.count(state.turn, RANK_OF[state.top_card()])
    reason = why_not_take_with(state, held, min(1, _wilds(state)))
    refusal = refuse(reason, pile_facts(state, held))
    return replace(refusal, caliente_names=state.compiled.rules.deck.caliente_names)


def _fitting(state: HandState) -> list[Take]:
    """Return the takes that fit the top card: onto the side's melds, with two cards of its
    rank, or with one and a wild. The rules have not been checked yet."""
    if state.compiled.takes_at_once:
        return [move for move in legal_whole_moves(state) if isinstance(move, Take)]
    if why_not_touch_pile(state) != reasons.OK:
        return []
    seat, side = state.turn, state.side_of[state.turn]
    compiled = state.compiled
    top = state.top_card()
    rank = RANK_OF[top]
    takes: list[Take] = []
    for number in range(1, compiled.slots.per_row + 1):
        if state.size_of_set(side, compiled.slots.slot_of(rank, number)) > 0:
            takes.append(Take(onto=MeldName(rank, number)))
    for index, run in enumerate(state.runs[side]):
        if why_not_extend_run(state, run, rank, top & 3) == reasons.OK:
            takes.append(Take(onto=MeldName(ROW_RUN, index + 1)))
    naturals = [card for card in cards_held(state, seat) if RANK_OF[card] == rank]
    if len(naturals) >= 2:
        takes.append(Take((naturals[0], naturals[1])))
    if naturals:
        for wild in (TWO, JOKER):
            found = [card for card in cards_held(state, seat) if RANK_OF[card] == wild]
            if found:
                takes.append(Take((naturals[0], found[0])))
    return takes


def _wilds(state: HandState) -> int:
    return state.count(state.turn, TWO) + state.count(state.turn, JOKER)
