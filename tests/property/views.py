"""Checks of what a seat can see, and of the hands that a searching player may imagine."""

import random
from collections import Counter

from property.invariants import check_cards, check_hands
from property.score import hand_of

from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import KINDS, RANK_OF, RANKS, RED_THREE
from canasta.engine.determinize import determinize
from canasta.engine.events import (
    BonusLaid,
    CardsMelded,
    Discarded,
    DiscardedFaceDown,
    Drew,
    Event,
    FootPickedUp,
    PilePutBack,
    PileTaken,
    PotTaken,
    TalonDealt,
    TopCardTaken,
    seen_by,
)
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, HandState
from canasta.engine.view import HIDDEN, View, melds_of, state_facts

HIDES_CARDS = (Drew, FootPickedUp, TalonDealt, PotTaken)
"""Events whose cards are revealed only to the player they concern."""

ENOUGH_HIDDEN = 12
"""With this many unseen cards in hands and in the stock, two deals are never alike."""


def viewers(state: HandState) -> list[int | None]:
    """Return every seat that plays, and None for a spectator."""
    return [None, *state.order]


def view_of(state: HandState, viewer: int | None) -> View:
    return View(state, viewer, [0] * state.sides)


def check_hidden(state: HandState, viewer: int | None) -> None:
    """Check that a view holds no card except the viewer's own and those open on the table."""
    view = view_of(state, viewer)
    assert view.seat == viewer
    _check_blank(view.state, viewer)
    assert view.state.sizes() == state.sizes()
    assert view.stock_size == state.stock_size()
    assert view.hand == ([] if viewer is None else list(hand_of(state, viewer)))
    assert view.state.pile == state.pile
    for side in range(state.sides):
        assert view.state.cards_laid_by(side) == state.cards_laid_by(side)
    assert view.state.log is None


def _check_blank(seen: HandState, viewer: int | None) -> None:
    for seat in range(len(seen.side_of)):
        if seat != viewer:
            assert seen.cards_of(seat) == [0] * KINDS
            assert seen.counts_of(seat) == [0] * RANKS
        assert set(seen.feet[seat]) <= {HIDDEN}
    assert set(seen.deck) <= {HIDDEN}
    assert seen.deck_size() == seen.stock_size()
    if seen.before_take is not None:
        _check_blank(seen.before_take, viewer)


def check_swap(state: HandState, viewer: int | None, choice: random.Random) -> bool:
    """Exchange two hidden cards and check that the view stays the same; return False if there were none."""
    others = [seat for seat in state.order if seat != viewer and _unknown(state, seat)]
    stock = [at for at in range(state.at, state.deck_size()) if RANK_OF[state.deck_card(at)] != RED_THREE]
    if not others or not stock or state.before_take is not None:
        return False
    seat = choice.choice(others)
    at = choice.choice(stock)
    kind = choice.choice(_unknown(state, seat))
    swapped = state.copy()
    swapped.remove(seat, kind)
    swapped.note_known(seat, kind, state.known(seat, kind) - swapped.known(seat, kind))
    swapped.give(seat, state.deck_card(at))
    swapped.set_deck([kind if place == at else other for place, other in enumerate(state.deck)])
    assert state.deck_card(at) == kind or state_facts(swapped) != state_facts(state)
    assert view_of(swapped, viewer).facts() == view_of(state, viewer).facts()
    return True


def _unknown(state: HandState, seat: int) -> list[int]:
    """Return the cards that only a hand's owner knows, without red threes, which not every hand keeps."""
    left = Counter(hand_of(state, seat))
    left.subtract({kind: count for kind, count in enumerate(state.known_of(seat)) if count})
    return [kind for kind in left.elements() if RANK_OF[kind] != RED_THREE]


def check_legality_needs_no_secret(state: HandState, legal: list[int]) -> None:
    """Check that the view is enough for the player to move to find the legal steps."""
    seat = state.answering if state.phase == ANSWER else state.turn
    assert legal_steps(view_of(state, seat).state) == legal


def check_resample(state: HandState, viewer: int | None, seed: str) -> HandState:
    """Check that a resampled view is a whole hand that looks the same.

    If much is hidden, two samples differ.
    """
    view = view_of(state, viewer)
    before = view.facts()
    first = determinize(view, Rng(f"{seed}/1"))
    second = determinize(view, Rng(f"{seed}/2"))
    again = determinize(view, Rng(f"{seed}/1"))
    assert view.facts() == before
    assert state_facts(first) == state_facts(again)
    for dealt in (first, second):
        check_cards(dealt)
        check_hands(dealt)
        if dealt.before_take is not None:
            check_cards(dealt.before_take)
            check_hands(dealt.before_take)
        assert HIDDEN not in dealt.deck
        assert all(HIDDEN not in foot for foot in dealt.feet)
        assert view_of(dealt, viewer).facts() == before
    if _much_is_hidden(state, viewer):
        assert state_facts(first) != state_facts(second)
    return first


def _much_is_hidden(state: HandState, viewer: int | None) -> bool:
    unknown = [_unknown(state, seat) for seat in state.order if seat != viewer]
    return sum(map(len, unknown)) >= ENOUGH_HIDDEN and state.stock_size() >= ENOUGH_HIDDEN


def check_events(before: HandState, after: HandState, events: list[Event]) -> None:
    """Check that events hide what is hidden and report all changes on the table."""
    for event in events:
        for viewer in viewers(before):
            seen = seen_by(event, viewer)
            if isinstance(seen, HIDES_CARDS) and seen.seat != viewer:
                assert seen.cards == ()
                assert isinstance(event, HIDES_CARDS)
                assert (seen.seat, seen.count) == (event.seat, event.count)
            else:
                assert seen == event
        if isinstance(event, HIDES_CARDS):
            assert event.count == len(event.cards)
    if any(isinstance(event, PilePutBack) for event in events):
        return
    if not after.pile_due:
        pile = _pile_from(before, events)
        assert pile == (after.pile if HIDDEN not in pile else [*after.pile[:-1], HIDDEN])
    for side in range(before.sides):
        laid = [
            event.card for event in events if isinstance(event, BonusLaid) and _is_of(before, event, side)
        ]
        assert before.bonus[side] + laid == after.bonus[side]
        melds = {(meld.name.row, meld.name.number): meld.cards for meld in melds_of(before, side)}
        for event in events:
            if isinstance(event, CardsMelded) and before.side_of[event.seat] == side:
                name = (event.row, event.number)
                assert event.started == (name not in melds)
                melds[name] = melds.get(name, ()) + event.cards
        there = {(meld.name.row, meld.name.number): meld.cards for meld in melds_of(after, side)}
        # The table shows a sequence from low to high, whatever the order of laying.
        if before.compiled.runs:
            melds = {name: tuple(sorted(cards)) for name, cards in melds.items()}
            there = {name: tuple(sorted(cards)) for name, cards in there.items()}
        assert melds == there


def _is_of(state: HandState, event: BonusLaid, side: int) -> bool:
    return state.side_of[event.seat] == side


def _pile_from(before: HandState, events: list[Event]) -> list[int]:
    """Return the pile as known to somebody who only receives the events."""
    pile = before.pile
    for event in events:
        if isinstance(event, PileTaken):
            # With small steps, the top card is melded before the rest of the pile is taken up.
            assert pile in ([*event.cards, event.top], list(event.cards))
            pile = []
        elif isinstance(event, TopCardTaken):
            assert pile.pop() == event.card
        elif isinstance(event, Discarded):
            pile.append(event.card)
        elif isinstance(event, DiscardedFaceDown):
            pile.append(HIDDEN)
    return pile
