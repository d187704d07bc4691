"""What is offered to the player to move: ways to take the pile, or why there is none; moves that matter."""

from dataclasses import replace

from canasta.engine.cards import ANY, JOKER, RANK_OF, TWO, card_text
from canasta.engine.law import why_not as r
from canasta.engine.law.melding import why_not_extend_run
from canasta.engine.law.out_in_reach import out_in_reach
from canasta.engine.law.pile import why_not_take_as_it_lies, why_not_take_with, why_not_touch_pile
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.engine.moves.facts import pile_facts
from canasta.engine.moves.find_cards import cards_held
from canasta.engine.moves.listing import legal_whole_moves
from canasta.engine.moves.refusals import Facts, Refusal, refuse
from canasta.engine.moves.try_move import why_not
from canasta.engine.moves.types import Ask, Move, Take
from canasta.engine.state import HandState


def worth_offering(state: HandState, moves: list[Move]) -> list[Move]:
    """These moves, less a question for nothing: the rules allow one at any time before the first meld, and a
    table offers it where it can matter."""
    return moves if out_in_reach(state) else [move for move in moves if not isinstance(move, Ask)]


def pile_offers(state: HandState) -> list[tuple[Take, Refusal | None]]:
    """The ways to take the pile, for the player whose turn begins. With a refusal where the first meld still
    lacks something: more melds laid in the same move would bring it."""
    offers: list[tuple[Take, Refusal | None]] = []
    for take in _fitting(state):
        refusal = why_not(state, take)
        if refusal is None or refusal.reason in r.FIRST_MELD_LACKS:
            offers.append((take, refusal))
    return offers


def why_no_offer(state: HandState) -> Refusal:
    """Why there is none: what the rules say to the way that comes nearest, with the card on top."""
    if state.prepared.takes_at_once:
        reason = why_not_take_as_it_lies(state)
        facts: Facts = {
            "stock": state.stock_size(),
            "card": card_text(state.top_card()) if state.pile_size() > 0 else "",
        }
        return refuse(reason if reason != r.OK else r.TOP_CARD_FITS_NOTHING, facts)
    for take in _fitting(state):
        refusal = why_not(state, take)
        if refusal is not None:
            return refusal
    reason = why_not_touch_pile(state)
    if reason != r.OK:
        rank = RANK_OF[state.top_card()] if state.pile_size() > 0 else 0
        refusal = why_not(state, Take((ANY + rank, ANY + rank)))
        if refusal is not None:
            return refusal
    # The hand has too little to try: the rules say what it needs.
    held = state.count(state.turn, RANK_OF[state.top_card()])
    reason = why_not_take_with(state, held, min(1, _wilds(state)))
    refusal = refuse(reason, pile_facts(state, held))
    return replace(refusal, caliente_names=state.prepared.rules.deck.caliente_names)


def _fitting(state: HandState) -> list[Take]:
    """What goes with the card on top: melds of the side that it fits, two cards of its rank, one and a
    wild. The rules are still to be asked."""
    if state.prepared.takes_at_once:
        return [move for move in legal_whole_moves(state) if isinstance(move, Take)]
    if why_not_touch_pile(state) != r.OK:
        return []
    seat, side = state.turn, state.side_of[state.turn]
    prepared = state.prepared
    top = state.top_card()
    rank = RANK_OF[top]
    takes: list[Take] = []
    for number in range(1, prepared.slots.per_row + 1):
        if state.set_size(side, prepared.slots.slot_of(rank, number)) > 0:
            takes.append(Take(onto=MeldName(rank, number)))
    for index, run in enumerate(state.runs[side]):
        if why_not_extend_run(state, run, rank, top & 3) == r.OK:
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
