"""The course of a turn: drawing, taking, melding and discarding, and the automatic effects of each."""

from canasta.engine.cards import BONUS_CARD, CALIENTE_KIND, KINDS
from canasta.engine.events import (
    Answered,
    Asked,
    CalientePlayed,
    CardKept,
    Discarded,
    DiscardedFaceDown,
    Drew,
    FootPickedUp,
    HandEnded,
    Passed,
    PilePutBack,
    PileTaken,
    PotTaken,
    SpecialLaid,
    TalonDealt,
    TalonPickedUp,
    TopCardTaken,
)
from canasta.engine.feasibility.contract import talon_waits
from canasta.engine.law.going_out import can_stop, why_not_out
from canasta.engine.law.melding import slot_to_join
from canasta.engine.law.pile import is_frozen, must_take_top_card
from canasta.engine.law.reasons import OK, OUT_ONLY_BY_DISCARD
from canasta.engine.layout import ASKS, CALIENTES, FOOT_PLAYED, FOOT_WAITS, OPENED, POT_TAKER
from canasta.engine.play.melding import extend_run, lay_on_set, lay_out_bonus_card
from canasta.engine.state import ANSWER, DRAW, NOT_ASKED, OVER, PLAY, SAID_NO, SAID_YES, HandState


def begin_turn(state: HandState, seat: int) -> None:
    state.turn = seat
    state.phase = DRAW
    state.asked = NOT_ASKED
    state.fresh = not state.has_melded(seat)
    state.laid_before = state.laid_count(state.side_of[seat])
    state.melded_now = False
    state.opening_points = 0
    state.minimum_surcharge = 0
    state.took_back = False
    state.caliente_now = False
    state.black_threes_now = False
    state.no_discard = False
    state.last_discard = False
    state.not_returned = -1
    state.before_take = None
    state.talon_due = 0


def end_hand(state: HandState, out: int) -> None:
    state.phase = OVER
    state.out = out
    if state.log is not None:
        state.log.append(HandEnded(out, state.special >= 0))


def _end_turn(state: HandState) -> None:
    state.pile_is_from_deal = False
    begin_turn(state, state.next_seat[state.turn])
    if state.compiled.starts_turn:
        start_turn(state)


def start_turn(state: HandState) -> None:
    """Pick up the talon and lay out threes, before the player can act."""
    seat = state.turn
    talon = state.talons[seat]
    if talon:
        talons = state.talons.copy()
        talons[seat] = []
        state.talons = talons
        for kind in talon:
            state.give(seat, kind)
        if state.log is not None:
            state.log.append(TalonPickedUp(seat, len(talon)))
    if state.compiled.threes_on_turn:
        lay_out_threes(state, seat)


def lay_out_threes(state: HandState, seat: int) -> bool:
    """Lay out and replace the threes of a hand, except one that may be kept.

    Return `False` if the hand ends.
    """
    may_keep = state.compiled.keep_three and not state.opened(state.side_of[seat])
    while state.bonus_cards(seat) > (1 if may_keep else 0):
        kind = state.any_bonus_card(seat)
        state.remove(seat, kind)
        lay_out_bonus_card(state, seat, kind)
        if state.at < state.deck_size() and not _draw_into_hand(state, seat):
            return False
    return True


def _draw_into_hand(state: HandState, seat: int) -> bool:
    """Draw one card, even a three.

    Return `False` if the stock's last card was a three, which ends the hand (END-10).
    """
    kind = state.deck_card(state.at)
    state.at += 1
    if state.compiled.role_of[kind] == BONUS_CARD and state.at == state.deck_size():
        if state.compiled.last_red_in_hand:
            state.give(seat, kind)
            if state.log is not None:
                state.log.append(Drew(seat, 1, (kind,)))
        else:
            lay_out_bonus_card(state, seat, kind)
        end_hand(state, -1)
        return False
    state.give(seat, kind)
    if state.log is not None:
        state.log.append(Drew(seat, 1, (kind,)))
    return True


# -- drawing ----------------------------------------------------------------------------------------------


def draw_card(state: HandState, seat: int) -> bool:
    """Draw one card from a non-empty stock; red threes are laid out and replaced.

    Return `False` if the stock's last card was a red three, so that nothing came into the hand.
    """
    if state.compiled.threes_on_turn:
        return _draw_into_hand(state, seat) and lay_out_threes(state, seat)
    while True:
        kind = state.deck_card(state.at)
        state.at += 1
        is_last = state.at == state.deck_size()
        if state.compiled.role_of[kind] != BONUS_CARD or (state.compiled.by_hand and not is_last):
            state.give(seat, kind)
            if state.log is not None:
                state.log.append(Drew(seat, 1, (kind,)))
            return True
        lay_out_bonus_card(state, seat, kind)
        if is_last:
            return False


def _after_last_red_three(state: HandState) -> None:
    """Handle a red three as the stock's last card (END-3, END-5).

    If the turn continues, a hand that could not end it by discarding may only meld and pass.
    """
    seat = state.turn
    if state.phase == OVER:
        return
    if state.compiled.last_red_ends:
        end_hand(state, -1)
    elif state.compiled.last_red_melds:
        state.no_discard = True
        state.phase = PLAY
    elif state.phase == PLAY:
        can_go_out = why_not_out(state, seat) == OK
        state.no_discard = not can_stop(state, state.size(seat), state.bonus_cards(seat), can_go_out)


def draw(state: HandState) -> None:
    seat = state.turn
    state.phase = PLAY
    state.turns_without_draw = 0
    for _ in range(state.compiled.draw):
        if state.stock_is_out():
            break
        if not draw_card(state, seat):
            _after_last_red_three(state)
            return
    if state.compiled.last_draw_ends and state.stock_is_out():
        _after_last_card_of_stock(state)


def _after_last_card_of_stock(state: HandState) -> None:
    """Turn a pot into the stock, or let the hand end with this turn's discard (END-9)."""
    if state.compiled.pot_becomes_stock and state.pots:
        state.set_deck(state.deck[state.at :] + state.pots[0])
        state.at = 0
        state.pots = state.pots[1:]
        note_pots(state)
    else:
        state.last_discard = True


def play_caliente(state: HandState) -> None:
    """Play a Caliente card and draw until the hand has its full size (CALI-1, CALI-2)."""
    seat = state.turn
    state.remove(seat, CALIENTE_KIND)
    state.caliente_now = True
    side = state.side_of[seat]
    state.mark_side(side, CALIENTES, state.caliente_played(side) + 1)
    state.changes += 1
    if state.log is not None:
        state.log.append(CalientePlayed(seat))
    state.phase = PLAY
    while state.size(seat) < state.compiled.caliente_hand and state.at < state.deck_size():
        if not draw_card(state, seat):
            _after_last_red_three(state)
            return


def lay_bonus(state: HandState, kind: int) -> None:
    """Lay out a red three kept in the hand, and replace it while the stock lasts (TURN-4)."""
    seat = state.turn
    state.before_take = None
    state.remove(seat, kind)
    lay_out_bonus_card(state, seat, kind)
    if state.at < state.deck_size() and not draw_card(state, seat):
        _after_last_red_three(state)
    if state.size(seat) == 0 and state.phase != OVER:
        if state.foot_waits(seat):
            pick_up_foot(state, seat)
        elif state.phase == PLAY and not state.no_discard:
            _after_last_card(state, seat)


def note_pots(state: HandState) -> None:
    """Update which seats can still get a pot: those of a side that has taken none, while pots remain."""
    for seat in state.order:
        waits = bool(state.pots) and state.pot_taker(state.side_of[seat]) < 0
        state.mark_seat(seat, FOOT_WAITS, waits)


def _take_pot(state: HandState, seat: int) -> None:
    """Make the next pot the seat's hand (OUT-9)."""
    pot = state.pots[0]
    state.pots = state.pots[1:]
    state.mark_side(state.side_of[seat], POT_TAKER, seat + 1)
    note_pots(state)
    if state.log is not None:
        state.log.append(PotTaken(seat, len(pot), tuple(pot)))
    for kind in pot:
        state.give(seat, kind)


def pick_up_foot(state: HandState, seat: int) -> None:
    """Make the foot the seat's hand, laying out and replacing its red threes (DEAL-4).

    In games with pots, take the next pot.
    """
    if state.compiled.has_pots:
        _take_pot(state, seat)
        return
    state.mark_seat(seat, FOOT_WAITS, False)
    state.before_take = None
    foot = state.feet[seat]
    if state.log is not None:
        state.log.append(FootPickedUp(seat, len(foot), tuple(foot)))
    replacements = 0
    for kind in foot:
        if state.compiled.role_of[kind] == BONUS_CARD and not state.compiled.by_hand:
            lay_out_bonus_card(state, seat, kind)
            replacements += 1
        else:
            state.give(seat, kind)
    for _ in range(replacements):
        if state.at == state.deck_size():
            return
        if not draw_card(state, seat):
            _after_last_red_three(state)
            return


# -- melding ----------------------------------------------------------------------------------------------


def before_laying(state: HandState) -> None:
    """Note that cards unrelated to taking the pile are about to be laid, so it can no longer be put back."""
    if not state.pile_due:
        state.before_take = None


def after_laying(state: HandState) -> None:
    """Apply the automatic effects of melding: opening, receiving the pile, the foot, going out."""
    seat = state.turn
    side = state.side_of[seat]
    if not state.opened(side):
        if state.compiled.family.why_not_open(state) != OK:
            return
        if state.compiled.talon:
            state.talon_due = talon_waits(state)
        state.mark_side(side, OPENED, 1)
    if state.top_due:
        return
    if state.pile_due:
        pick_up_pile(state, seat)
    if state.size(seat) == 0:
        _after_last_card(state, seat)


def _after_last_card(state: HandState, seat: int) -> None:
    """Handle an empty hand: pick up the foot, or go out."""
    if state.foot_waits(seat):
        pick_up_foot(state, seat)
        return
    reason = why_not_out(state, seat)
    if reason == OK and state.compiled.out_by_discard:
        reason = OUT_ONLY_BY_DISCARD
    if reason == OK:
        end_hand(state, seat)
    else:
        state.stuck = reason


def start_take(state: HandState, alone: bool = False) -> int:
    """Lift the top card off the pile and return it. The caller must meld it.

    If `alone`, the rest of the pile stays (END-6).
    """
    if state.compiled.put_back and state.at < state.deck_size() and not alone:
        state.before_take = state.copy()
    top = state.lift_top_card()
    side = state.side_of[state.turn]
    if not state.opened(side) and not state.compiled.top_card_counts:
        state.minimum_surcharge = state.compiled.values[state.compiled.rank_of[top]]
    state.pile_due = not alone
    state.taken_top = top
    if alone and state.log is not None:
        state.log.append(TopCardTaken(state.turn, top))
    state.phase = PLAY
    if state.at == state.deck_size() and state.compiled.one_taker:
        state.last_discard = True
    return top


def take_with(state: HandState, kinds: list[int]) -> None:
    """Meld the top card with these cards of the hand; `after_laying` adds the rest of the pile."""
    seat = state.turn
    top = start_take(state)
    row = state.compiled.rank_of[top]
    for kind in kinds:
        state.remove(seat, kind)
    lay_on_set(state, seat, row, slot_to_join(state, state.side_of[seat], row), [top, *kinds])


def take_onto_set(state: HandState, slot: int) -> None:
    top = start_take(state, must_take_top_card(state))
    lay_on_set(state, state.turn, state.compiled.rank_of[top], slot, [top])


def take_onto_run(state: HandState, index: int) -> None:
    top = start_take(state, must_take_top_card(state))
    extend_run(state, state.turn, index, top)


def take_pile(state: HandState) -> None:
    """Take the whole pile (PILE-16). If its top card must be used, the rest follows once it is melded."""
    seat = state.turn
    state.phase = PLAY
    state.turns_without_draw += 1
    if 0 < state.compiled.most_turns <= state.turns_without_draw:
        state.last_discard = True
    if state.compiled.use_top:
        top = state.lift_top_card()
        state.pile_due = True
        state.top_due = True
        state.taken_top = top
        state.give(seat, top)
        state.note_known(seat, top, 1)
        return
    pile = state.pile
    if state.compiled.no_return and len(pile) == 1 and state.held(seat, pile[0]) == 0:
        state.not_returned = pile[0]
    if state.log is not None:
        state.log.append(PileTaken(seat, pile[-1], tuple(pile[:-1]), False))
    for kind in pile:
        state.give(seat, kind)
        state.note_known(seat, kind, 1)
    state.set_pile([])


def pick_up_pile(state: HandState, seat: int) -> None:
    """Move the pile under the top card into the hand; its red threes are laid out and not replaced."""
    state.pile_due = False
    if state.log is not None:
        state.log.append(PileTaken(seat, state.taken_top, tuple(state.pile)))
    for kind in state.pile:
        if state.compiled.role_of[kind] == BONUS_CARD:
            lay_out_bonus_card(state, seat, kind)
        else:
            state.give(seat, kind)
            state.note_known(seat, kind, 1)
    state.set_pile([])
    state.frozen = False


def put_back(state: HandState) -> None:
    """Restore the state before the take, at a penalty. The pile can't be taken again this turn (PILE-12)."""
    before = state.before_take
    assert before is not None, "put_back is only called where a take can be put back"
    log = state.log
    changes = state.changes
    state.copy_from(before)
    state.changes = changes + 1
    state.log = log
    side = state.side_of[state.turn]
    state.set_put_backs(side, state.put_backs(side) + 1)
    state.took_back = True
    if log is not None:
        log.append(PilePutBack(state.turn))


# -- ending the turn --------------------------------------------------------------------------------------


def freeze_pile(state: HandState) -> None:
    """Freeze the pile because of the card just put on it. It stays frozen until it is taken."""
    state.frozen = True


def discard(state: HandState, kind: int) -> None:
    seat = state.turn
    state.remove(seat, kind)
    state.put_on_pile(kind)
    freezes = state.compiled.freezes[kind]
    goes_out = state.size(seat) == 0 and not state.foot_waits(seat)
    if goes_out and state.talon_due > 0:
        goes_out = why_not_out(state, seat) == OK
    state.face_down = goes_out and state.compiled.last_face_down
    if state.log is not None:
        if state.face_down:
            state.log.append(DiscardedFaceDown(seat))
        else:
            state.log.append(Discarded(seat, kind, freezes and not is_frozen(state)))
    if freezes and not state.face_down:
        freeze_pile(state)
    if state.compiled.second_hand and not state.foot_waits(seat):
        state.mark_seat(seat, FOOT_PLAYED, True)
    if goes_out:
        end_hand(state, seat)
        return
    if state.talon_due > 0:
        _deal_talon(state, seat)
    if state.size(seat) == 0 and state.foot_waits(seat):
        pick_up_foot(state, seat)
        if state.phase == OVER:
            return
    if state.last_discard:
        end_hand(state, -1)
    else:
        _end_turn(state)


def _deal_talon(state: HandState, seat: int) -> None:
    """Deal the talon cards for opening, usable from the next turn on (TURN-7)."""
    count = min(state.talon_due, state.stock_size())
    cards = state.deck[state.at : state.at + count]
    state.at += count
    talons = state.talons.copy()
    talons[seat] = cards
    state.talons = talons
    if state.log is not None:
        state.log.append(TalonDealt(seat, count, tuple(cards)))


def lay_special(state: HandState, number: int) -> None:
    """Lay the whole hand down as a special hand, which ends the hand (OUT-10)."""
    seat = state.turn
    cards: list[int] = []
    for kind in range(KINDS):
        while state.held(seat, kind) > 0:
            state.remove(seat, kind)
            cards.append(kind)
    state.special = number
    state.special_by = seat
    state.special_cards = cards
    state.changes += 1
    if state.log is not None:
        state.log.append(SpecialLaid(seat, state.compiled.special_hands[number].name, tuple(cards)))
    end_hand(state, -1)


def keep(state: HandState) -> None:
    if state.log is not None:
        state.log.append(CardKept(state.turn))
    if state.last_discard:
        end_hand(state, -1)
    else:
        _end_turn(state)


def pass_turn(state: HandState) -> None:
    if state.log is not None:
        state.log.append(Passed(state.turn))
    end_hand(state, -1)


# -- asking -----------------------------------------------------------------------------------------------


def ask(state: HandState) -> None:
    partner = state.partner[state.turn]
    state.asked_in = state.phase
    state.answering = partner
    state.phase = ANSWER
    if state.compiled.ask_limit > 0:
        side = state.side_of[state.turn]
        state.mark_side(side, ASKS, state.asks(side) + 1)
    if state.log is not None:
        state.log.append(Asked(state.turn, partner))


def answer(state: HandState, yes: bool) -> None:
    if state.log is not None:
        state.log.append(Answered(state.answering, yes))
    state.asked = SAID_YES if yes else SAID_NO
    state.phase = state.asked_in
    state.answering = -1
    if not yes and state.compiled.family.refusal_would_block_turn_end(state):
        # This happens only if the question was mandatory: without it the player could not go out.
        keep(state)
