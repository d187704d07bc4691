"""Single judgements of the club player: evaluation, opening, discards, and going out."""

from hands import dealt

from canasta.bots.card_counting import CardCounter, elapsed, opponent_near_going_out, players_with_foot
from canasta.bots.club.discard import DiscardPrices
from canasta.bots.club.going_out import gain_of_going_out, plain_out_step
from canasta.bots.club.melds import MeldValues
from canasta.bots.club.opening import FirstMeld
from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights, novice, weights_for
from canasta.engine.actions.codec import ANY_SUIT, DRAW_STOCK, START_PAIR, discard_step, is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import (
    ACE,
    BLACK_THREE,
    EIGHT,
    FOUR,
    JOKER,
    KINDS_OF,
    KING,
    SEVEN,
    TWO,
)
from canasta.engine.layout import FOOT_WAITS, OPENED
from canasta.engine.melds import NATURAL, NEW, SAMBA, pack_run
from canasta.engine.play.melding import lay_on_set
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState


def in_hand(ranks: list[int], preset: str = "jaques", players: int = 4) -> HandState:
    """Return a hand whose player to move has drawn and holds just these cards; nothing is melded."""
    state = dealt(preset, players, "judgement")
    seat = state.turn
    state.hide(seat)
    state.set_hand_size(seat, 0)
    give(state, ranks)
    state.set_pile([KINDS_OF[FOUR][0]])
    state.frozen = False
    state.phase = PLAY
    return state


def give(state: HandState, ranks: list[int]) -> None:
    for number, rank in enumerate(ranks):
        kinds = KINDS_OF[rank]
        state.give(state.turn, kinds[number % len(kinds)])


def melded(state: HandState, side: int, rank: int, count: int) -> None:
    """Lay a natural set on the table, as if before this turn."""
    seat = next(seat for seat in state.order if state.side_of[seat] == side)
    kinds = [KINDS_OF[rank][number % 4] for number in range(count)]
    lay_on_set(state, seat, rank, NEW, kinds)
    state.mark_side(side, OPENED, 1)
    state.melded_now = False
    state.laid_before = state.laid_count(state.side_of[state.turn])


def test_a_pair_is_counted_out() -> None:
    state = in_hand([SEVEN] * 7)
    counter = CardCounter(state, state.turn, Weights())
    assert counter.unseen[SEVEN] == 1
    assert counter.pair_chance(SEVEN) == 0.0
    assert 0.0 < counter.single_chance(SEVEN) < 1.0
    assert counter.pair_chance(KING) > 0.0


def test_cards_that_came_with_the_pile_are_remembered() -> None:
    state = in_hand([SEVEN, KING])
    foe = state.next_seat[state.turn]
    for kind in KINDS_OF[KING][:2]:
        state.note_known(foe, kind, 1)
    assert CardCounter(state, state.turn, Weights()).pair_chance(KING) == 1.0
    assert CardCounter(state, state.turn, Weights(counts_cards=False)).pair_chance(KING) < 1.0


def test_a_rank_on_their_table_is_taken_unless_the_pile_is_frozen() -> None:
    state = in_hand([EIGHT, KING, SEVEN])
    foe = state.next_seat[state.turn]
    melded(state, state.side_of[foe], EIGHT, 4)
    counter = CardCounter(state, state.turn, Weights())
    assert counter.take_chance(EIGHT, frozen=False) == 1.0
    assert counter.take_chance(EIGHT, frozen=True) < 0.5
    assert counter.take_chance(BLACK_THREE, frozen=False) == 0.0


def test_a_forgetful_player_sees_less_of_the_pile() -> None:
    state = in_hand([SEVEN])
    state.set_pile([kind for kind in KINDS_OF[KING] for _ in range(2)])
    assert CardCounter(state, state.turn, Weights()).unseen[KING] == 0
    assert CardCounter(state, state.turn, Weights(memory=3)).unseen[KING] == 5


def test_the_first_meld_spends_no_wild_without_need() -> None:
    state = in_hand([ACE, ACE, ACE, JOKER, TWO, SEVEN, SEVEN, FOUR])
    plan = FirstMeld(state, Weights())
    assert plan.found
    assert plan.wilds == 0
    assert plan.naturals_of[ACE] == 3
    assert plan.points == 60


def test_the_first_meld_finds_a_two_before_a_joker() -> None:
    state = in_hand([ACE, ACE, JOKER, TWO, SEVEN, EIGHT, KING])
    plan = FirstMeld(state, Weights())
    assert (plan.wilds, plan.jokers, plan.points) == (1, 0, 60)
    step = plan.step(legal_steps(state))
    laid = state.compiled.layout.decoded[step]
    assert (laid.what, laid.row, laid.twos, laid.jokers) == (START_PAIR, ACE, 1, 0)


def test_no_first_meld_where_there_is_none() -> None:
    assert not FirstMeld(in_hand([ACE, KING, SEVEN, EIGHT, FOUR, BLACK_THREE]), Weights()).found


def test_going_out_is_seen_and_played() -> None:
    state = in_hand([KING, KING, SEVEN])
    side = state.side_of[state.turn]
    melded(state, side, KING, 5)
    weights = weights_for(state.compiled)
    first = plain_out_step(state, False)
    assert first in legal_steps(state)
    player = state.turn
    generous = Weights(out_bias=500.0)
    while state.phase != OVER:
        assert state.turn == player
        make_step(state, club_step(state, player, generous))
    assert state.out == player
    assert weights.plans_out


def test_what_cannot_be_played_out_is_not_tried() -> None:
    state = in_hand([KING, SEVEN, EIGHT])
    melded(state, state.side_of[state.turn], KING, 7)
    assert plain_out_step(state, False) == -1


def test_going_out_gains_with_what_the_others_hold() -> None:
    state = in_hand([KING])
    foe = state.next_seat[state.turn]
    before = gain_of_going_out(state, state.turn, Weights())
    state.set_hand_size(foe, state.size(foe) + 5)
    assert gain_of_going_out(state, state.turn, Weights()) > before
    state.set_hand_size(foe, state.size(foe) - 5)
    partner = state.partner[state.turn]
    state.set_hand_size(partner, state.size(partner) + 5)
    assert gain_of_going_out(state, state.turn, Weights()) < before


def test_a_foe_with_a_canasta_and_few_cards_is_close() -> None:
    state = in_hand([KING, SEVEN])
    side = state.side_of[state.turn]
    foe = state.next_seat[state.turn]
    assert not opponent_near_going_out(state, side)
    melded(state, state.side_of[foe], EIGHT, 7)
    state.set_hand_size(foe, 2)
    assert opponent_near_going_out(state, side)


def test_a_large_pile_is_guarded_by_a_stop_card() -> None:
    state = in_hand([BLACK_THREE, EIGHT, KING, ACE])
    foe = state.next_seat[state.turn]
    for rank in (EIGHT, KING, ACE):
        melded(state, state.side_of[foe], rank, 3)
    state.set_pile([KINDS_OF[SEVEN][number % 4] for number in range(4)] * 3)
    prices = DiscardPrices(state, state.turn, weights_for(state.compiled))
    assert prices.best(legal_steps(state)) == discard_step(BLACK_THREE, ANY_SUIT)


def test_a_wild_freezes_only_against_a_side_that_has_opened() -> None:
    state = in_hand([TWO, KING, EIGHT])
    state.set_pile([KINDS_OF[SEVEN][number % 4] for number in range(4)] * 3)
    weights = Weights()
    assert DiscardPrices(state, state.turn, weights).freezing() == 0.0
    melded(state, state.side_of[state.next_seat[state.turn]], SEVEN, 3)
    assert DiscardPrices(state, state.turn, weights).freezing() > 0.0


def test_samba_cards_of_a_run_are_kept() -> None:
    state = in_hand([EIGHT, KING, SEVEN, FOUR], "caliente-samba")
    side = state.side_of[state.turn]
    state.runs[side].append((4 << 8) | ((EIGHT + 1) << 4) | 4)
    state.mark_side(side, OPENED, 1)
    prices = DiscardPrices(state, state.turn, weights_for(state.compiled))
    assert prices.keeping(EIGHT, ANY_SUIT) > prices.keeping(FOUR, ANY_SUIT)


def test_a_hopeless_pile_is_left() -> None:
    """Drawing is the only possible move, and the player makes it without further thought."""
    state = in_hand([KING, SEVEN, EIGHT])
    state.phase = 0
    assert club_step(state, state.turn, weights_for(state.compiled)) == DRAW_STOCK


def test_every_turn_ends_with_one_discard() -> None:
    state = in_hand([KING, KING, KING, ACE, ACE, ACE, SEVEN, EIGHT, FOUR])
    player = state.turn
    thrown = 0
    while state.turn == player and state.phase == PLAY:
        step = club_step(state, player, weights_for(state.compiled))
        thrown += is_discard(step)
        make_step(state, step)
    assert thrown == 1


# -- the foot, and going out ------------------------------------------------------------------------------


def test_before_the_foot_a_wild_opens_a_rank_and_later_it_is_kept() -> None:
    state = in_hand([KING, KING, TWO, SEVEN, EIGHT, ACE], "hand-and-foot")
    side = state.side_of[state.turn]
    melded(state, side, FOUR, 3)
    weights = weights_for(state.compiled)
    decoded = state.compiled.layout.decoded
    laid = decoded[club_step(state, state.turn, weights)]
    assert (laid.what, laid.row) == (START_PAIR, KING)
    for seat in state.order:
        state.mark_seat(seat, FOOT_WAITS, False)
    laid = decoded[club_step(state, state.turn, weights)]
    assert (laid.what, laid.row) != (START_PAIR, KING)


def test_cards_out_of_the_hand_are_worth_more_as_the_stock_goes_down() -> None:
    state = in_hand([KING, KING, KING, SEVEN, EIGHT], "hand-and-foot")
    side = state.side_of[state.turn]
    assert players_with_foot(state, side) == 2
    melded(state, side, KING, 3)
    weights = weights_for(state.compiled)
    early = MeldValues(state, weights).thinning(1)
    assert elapsed(state) < 0.2
    state.at = state.deck_size() - 8
    assert elapsed(state) > 0.9
    assert MeldValues(state, weights).thinning(1) < early < 0.0


def test_the_last_card_before_the_foot_is_worth_the_most() -> None:
    state = in_hand([KING, KING, SEVEN], "hand-and-foot")
    melded(state, state.side_of[state.turn], KING, 3)
    melding = MeldValues(state, weights_for(state.compiled))
    # After the second king one card is left; discarding it brings the foot.
    assert melding.thinness(2) - melding.thinness(1) > melding.thinness(3) - melding.thinness(2) > 0.0


def test_nobody_takes_a_pile_of_rags_while_the_foot_waits() -> None:
    """A novice takes every pile, except before the foot."""
    state = in_hand([KING, KING, SEVEN], "hand-and-foot")
    melded(state, state.side_of[state.turn], FOUR, 3)
    rags = [KINDS_OF[BLACK_THREE][0]] * 12
    state.set_pile([*rags, KINDS_OF[KING][0]])
    state.phase = DRAW
    habits = novice(weights_for(state.compiled))
    assert habits.takes_all
    assert club_step(state, state.turn, habits) == DRAW_STOCK
    state.mark_seat(state.turn, FOOT_WAITS, False)
    assert club_step(state, state.turn, habits) != DRAW_STOCK


def test_who_may_go_out_gets_rid_of_cards() -> None:
    state = in_hand([KING, SEVEN, EIGHT, ACE, FOUR], "bolivia")
    side = state.side_of[state.turn]
    melded(state, side, KING, 3)
    weights = weights_for(state.compiled)
    before = MeldValues(state, weights)
    melded(state, side, SEVEN, 7)
    state.runs[side] = [pack_run(0, FOUR, 7)]
    state.count_canasta(side, NATURAL, 1)
    state.count_canasta(side, SAMBA, 1)
    after = MeldValues(state, weights)
    assert after.may_leave
    assert not before.may_leave
    assert after.thinning(1) < 0.0 <= before.thinning(1)


def test_feet_are_reached_and_hands_are_played_out() -> None:
    """A few fixed hands of four club players; docs/typical-hands.md has the percentages over thousands."""
    feet = 0
    outs = 0
    hands = 16
    for number in range(hands):
        state = dealt("hand-and-foot", 4, f"feet {number}", round_number=1 + number % 4)
        weights = weights_for(state.compiled)
        while state.phase != OVER:
            seat = state.answering if state.phase == ANSWER else state.turn
            make_step(state, club_step(state, seat, weights))
        feet += sum(not waits for waits in state.feet_wait())
        outs += state.out >= 0
    assert feet >= 0.85 * 4 * hands
    assert outs >= 0.5 * hands
