"""Candidate moves that the engine did not offer: any form of move, with cards mostly close to legal."""

import random
from collections.abc import Iterator

from property.positions import random_position
from property.score import hand_of
from property.tables import Table

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    JOKER_KIND,
    RANK_OF,
    RED_THREE,
    TWO,
    TWO_OF_CLUBS,
    full_deck,
)
from canasta.engine.melds import ROW_RUN, MeldName, run_suit
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Special,
    Take,
)
from canasta.engine.position import Position, set_up
from canasta.engine.sequences import NO_RUN, RunRules, kind_at, kinds_in, new_run, place_of, wild_code
from canasta.engine.state import DRAW, HandState

MOST_GROUPS = 3


def plain_moves(state: HandState) -> Iterator[Move]:
    """Yield every move that lays no cards of the hand in melds."""
    yield from (Draw(), Pass(), Keep(), PlayCaliente(), Ask(), Answer(yes=True), Answer(yes=False), PutBack())
    yield from (LayBonus(ANY + rank) for rank in (RED_THREE, BLACK_THREE))
    yield from (Discard(kind) for kind in sorted(set(hand_of(state, state.turn))))
    yield from (Special(hand.name) for hand in state.compiled.special_hands)
    if state.compiled.takes_at_once:
        yield Take()


def random_laying_move(state: HandState, choice: random.Random) -> Move:
    """Return a move that lays some cards of the hand, in any form, sensible or not."""
    hand = list(hand_of(state, state.turn))
    choice.shuffle(hand)
    names = meld_names(state)
    if state.phase == DRAW:
        return _random_take(state, hand, names, choice)
    if names and choice.random() < 0.5:
        name = choice.choice(names)
        cards = _some(_near(state, hand, name), choice) or hand[:1]
        with_end = name.row == ROW_RUN and state.compiled.family.name == "burraco"
        return Add(tuple(cards), name, choice.choice((0, 0, 1, 2)) if with_end else 0)
    groups = [_random_group(state, hand, choice) for _ in range(choice.choice((1, 1, 2, MOST_GROUPS)))]
    return Meld(tuple(group for group in groups if group) or (tuple(hand),))


def _random_take(state: HandState, hand: list[int], names: list[MeldName], choice: random.Random) -> Take:
    top = state.top_card()
    onto: MeldName | None = None
    if names and choice.random() < 0.5:
        onto = choice.choice(names)
        cards = _some(_near(state, hand, onto), choice) if choice.random() < 0.8 else []
    else:
        cards = list(_random_group(state, hand, choice, top))
        hand = [*hand]
    left = _without(hand, cards)
    melds = [_random_group(state, left, choice) for _ in range(choice.choice((0, 0, 0, 1, 2)))]
    if onto is None and cards and state.compiled.takes_at_once and choice.random() < 0.2:
        # A move may also name the top card in its place.
        melds.insert(0, _in_sequence([*cards, top], choice))
        cards = []
    with_end = onto is not None and onto.row == ROW_RUN and state.compiled.family.name == "burraco"
    end = choice.choice((0, 0, 1, 2)) if with_end else 0
    return Take(tuple(cards), onto, tuple(group for group in melds if group), end)


def _in_sequence(cards: list[int], choice: random.Random) -> tuple[int, ...]:
    """Sort the cards from low to high, with the wild cards anywhere between them."""
    ordered = sorted([kind for kind in cards if not _is_wild(kind)], key=place_of)
    for kind in cards:
        if _is_wild(kind):
            ordered.insert(choice.randint(0, len(ordered)), kind)
    return tuple(ordered)


def _without(hand: list[int], cards: list[int]) -> list[int]:
    left = hand.copy()
    for card in cards:
        if card in left:
            left.remove(card)
    return left


def meld_names(state: HandState) -> list[MeldName]:
    """Return the melds of the side to move."""
    side = state.side_of[state.turn]
    names = [state.compiled.set_name(slot) for slot in state.sets_of(side)]
    return names + [MeldName(ROW_RUN, index + 1) for index in range(len(state.runs[side]))]


def _is_wild(kind: int) -> bool:
    return kind == JOKER_KIND or RANK_OF[kind] == TWO


def _near(state: HandState, hand: list[int], name: MeldName) -> list[int]:
    """Return the cards of the hand that might join a meld."""
    if name.row != ROW_RUN:
        row = state.compiled.name_of_row.index(name.row)
        rank = state.compiled.rank_of_row[row]
        return [kind for kind in hand if _is_wild(kind) or state.compiled.rank_of[kind] == rank]
    suit = run_suit(state.runs[state.side_of[state.turn]][name.number - 1])
    if state.compiled.family.name == "burraco":
        return [kind for kind in hand if _is_wild(kind) or kind & 3 == suit]
    return [kind for kind in hand if not _is_wild(kind) and (suit > 3 or kind & 3 == suit)]


def _some(cards: list[int], choice: random.Random) -> list[int]:
    return choice.sample(cards, min(len(cards), choice.choice((1, 1, 2, 2, 3, 4))))


def _random_group(
    state: HandState, hand: list[int], choice: random.Random, top: int | None = None
) -> tuple[int, ...]:
    """Take some cards out of the hand: one rank with wild cards, a sequence, or any cards.

    `top`: a card with which they should make a meld.
    """
    if not hand:
        return ()
    first = choice.choice(hand) if top is None else top
    how = choice.random()
    wilds = [kind for kind in hand if _is_wild(kind)]
    if how < 0.45:
        rank = RANK_OF[first]
        like = [kind for kind in hand if RANK_OF[kind] == rank]
        group = like[: choice.choice((1, 2, 3, 3, 4, 8))]
        more = [kind for kind in wilds if kind not in group]
        group += more[: choice.choice((0, 0, 1, 2))]
    elif how < 0.9 and state.compiled.runs:
        suited = [kind for kind in hand if kind & 3 == first & 3 and not _is_wild(kind)]
        group = list(dict.fromkeys(suited))[: choice.choice((2, 3, 3, 4, 5))] if suited else [hand[0]]
        if state.compiled.family.name == "burraco" and wilds and choice.random() < 0.5:
            group += _without(wilds, group)[:1]
        group.sort(key=lambda kind: RANK_OF[kind])
    else:
        group = choice.sample(hand, min(len(hand), choice.choice((1, 2, 3, 3, 4))))
    for kind in group:
        hand.remove(kind)
    return tuple(group)


# -- positions --------------------------------------------------------------------------------------------


def any_position(table: Table, choice: random.Random, *, opened: bool, phase: str) -> HandState:
    """Return a small random position of any game, with seat 0 to move."""
    if table.tables().family.name == "burraco":
        return long_position(table, choice, phase=phase)
    return random_position(table, choice, opened=opened, phase=phase)


def long_position(table: Table, choice: random.Random, *, phase: str) -> HandState:
    """Return a position of a game with long sequences: mostly one suit, and melds to add to."""
    compiled = table.tables()
    rules = compiled.rules
    left = full_deck(rules.deck.decks, False)
    suit = choice.randrange(4)
    low = choice.randrange(1, 10)
    rank = choice.randrange(11)

    def take(wanted: list[int]) -> list[int]:
        """Take these cards, as far as any are left."""
        got: list[int] = []
        for kind in wanted:
            if kind in left:
                left.remove(kind)
                got.append(kind)
        return got

    def some_cards(count: int) -> list[int]:
        cards: list[int] = []
        for _ in range(count):
            chance = choice.random()
            if chance < 0.15:
                cards += take(
                    [choice.choice((JOKER_KIND, TWO_OF_CLUBS + choice.randrange(4), TWO_OF_CLUBS + suit))]
                )
            elif chance < 0.7:
                cards += take([kind_at(suit, min(14, low + choice.randrange(8)))])
            elif chance < 0.9:
                cards += take([4 * rank + choice.randrange(4)])
            else:
                cards += take([choice.choice(left)])
        return cards

    position = Position(phase=phase)
    melds: list[list[int]] = []
    for _ in range(choice.choice((0, 1, 1, 2))):
        meld = _random_run(compiled.run_rules, suit, low, choice)
        if meld and all(meld.count(kind) <= left.count(kind) for kind in meld):
            melds.append(take(meld))
    if compiled.set_rows and rank in compiled.set_rows and choice.random() < 0.5:
        naturals = take([4 * rank + choice.randrange(4) for _ in range(choice.choice((3, 3, 5, 6)))])
        if len(naturals) >= 3:
            melds.append(naturals)
    position.melds[0] = melds
    if phase == "draw":
        position.pile = some_cards(choice.choice((0, 0, 1, 3))) + some_cards(1)
    position.hands[0] = some_cards(choice.randint(1, 8)) or take([left[0]])
    for seat in range(1, rules.seats.players):
        position.hands[seat] = take([left[0]])
    sizes = rules.deal.pots
    taken = {side for side in range(rules.seats.sides) if choice.random() < 0.5}
    position.pot_taken = taken if sizes and len(taken) <= len(sizes) else set()
    position.pots = [take(left[:size]) for size in sizes[len(position.pot_taken) :]]
    position.stock = take(left[: choice.choice((0, 1, 8))])
    return set_up(compiled, position)


def _random_run(rules: RunRules, suit: int, low: int, choice: random.Random) -> list[int]:
    """Return a sequence of this suit near this place, sometimes with a wild card; empty if it is invalid."""
    start = max(1, min(12, low + choice.randrange(-2, 4)))
    cards = [kind_at(suit, place) for place in range(start, min(15, start + choice.choice((3, 3, 4, 6, 7))))]
    if choice.random() < 0.5:
        wild = choice.choice((JOKER_KIND, TWO_OF_CLUBS + choice.randrange(4), TWO_OF_CLUBS + suit))
        cards[choice.randrange(len(cards))] = wild
    run = new_run(rules, cards)
    if run == NO_RUN or sum(1 for kind in cards if wild_code(kind) > 0) > 2:
        return []
    return kinds_in(run)
