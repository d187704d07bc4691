"""Moves that a person may make: converted from steps, listed, and offered at the table."""

from dataclasses import replace
from typing import Final

from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ADD_NATURAL,
    ADD_WILD,
    ANSWER_NO,
    ANSWER_YES,
    ANY_SUIT,
    ASK,
    DISCARD,
    DRAW_STOCK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    LAY_SPECIAL,
    PASS,
    PLAY_CALIENTE,
    START_BLACK_THREES,
    START_RUN,
    TAKE_ONTO_RUN,
    TAKE_ONTO_SET,
    TAKE_PILE,
    Step,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step, run_by_step
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE,
    CALIENTE_KIND,
    JOKER,
    JOKER_KIND,
    RANK_OF,
    TWO,
    card_text,
    kind_in_suit,
)
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.engine.law import reasons
from canasta.engine.law.going_out import best_special
from canasta.engine.law.melding import why_not_extend_run
from canasta.engine.law.pile import why_not_take_as_it_lies, why_not_take_with, why_not_touch_pile
from canasta.engine.melds import (
    ROW_BLACK_THREES,
    ROW_RUN,
    SMALLEST_MELD,
    MeldName,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.moves.apply import why_not
from canasta.engine.moves.refusals import Refusal, pile_facts, refuse
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
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_END,
    LOCKED,
    LOW_END,
    kind_at,
    kind_of_wild,
    kinds_in,
    new_run,
    pack_long_run,
    run_with,
)
from canasta.engine.state import HandState, cards_held
from canasta.i18n import Facts

MOST_OPENINGS: Final = 1000
"""Limit on the first melds, complete or not, that are visited. A large hand has millions."""

MOST_SEARCHED: Final = 10_000
"""Work limit (`CompiledRules.looked_at`) after which no further first melds are started."""


def move_of_step(state: HandState, step: int) -> Move:
    """Return the move, as a person would make it, that corresponds to a step in this state."""
    decoded = state.compiled.layout.decoded[step]
    what = decoded.what
    if what == LAY_BONUS:
        held = [rank for rank in state.compiled.bonus_ranks if state.count(state.turn, rank) > 0]
        return LayBonus(ANY + (held or state.compiled.bonus_ranks)[0])
    if what == LAY_SPECIAL:
        return Special(state.compiled.special_hands[best_special(state)].name)
    if what < START_BLACK_THREES:
        return _plain_move(step)
    if what == DISCARD:
        return Discard(_card(decoded.row, decoded.suit))
    if what == TAKE_PILE:
        return Take()
    if what == TAKE_ONTO_SET:
        return Take(onto=MeldName(RANK_OF[state.top_card()], decoded.number + 1))
    if what == TAKE_ONTO_RUN:
        return Take(onto=MeldName(ROW_RUN, decoded.number + 1))
    if decoded.takes:
        return Take(tuple(_cards(RANK_OF[state.top_card()], decoded)))
    if what == EXTEND_RUN and decoded.names_place:
        return _add_to_long_run(state, decoded)
    if what == EXTEND_RUN:
        run = state.runs[state.side_of[state.turn]][decoded.number]
        rank = run_low(run) + run_length(run) if decoded.high_end else run_low(run) - 1
        return Add((_card(rank, run_suit(run)),), MeldName(ROW_RUN, decoded.number + 1))
    if what == ADD_NATURAL or what == ADD_WILD:
        return Add(tuple(_cards(_rank(decoded), decoded)), state.compiled.set_name(decoded.slot))
    if what == ADD_BLACK_THREE:
        return Add((ANY + BLACK_THREE,), MeldName(ROW_BLACK_THREES))
    if what == START_BLACK_THREES:
        return Meld(((ANY + BLACK_THREE,) * SMALLEST_MELD,))
    if what == START_RUN and decoded.names_place:
        run = pack_long_run(decoded.suit, decoded.place, SMALLEST_MELD, decoded.wild_at, decoded.wild)
        return Meld((tuple(kinds_in(run)),))
    if what == START_RUN:
        return Meld((tuple([_card(decoded.row + above, decoded.suit) for above in range(SMALLEST_MELD)]),))
    return Meld((tuple(_cards(_rank(decoded), decoded)),))


def _rank(step: Step) -> int:
    """Return the rank of the naturals that a step lays on a set."""
    return BLACK_THREE if step.row == ROW_BLACK_THREES else step.row


def _add_to_long_run(state: HandState, step: Step) -> Move:
    run = state.runs[state.side_of[state.turn]][step.number]
    kind = kind_of_wild(step.wild) if step.wild > 0 else kind_at(run_suit(run), step.place)
    end = HIGH_END if step.high_end else EITHER_END
    rules = state.compiled.run_rules
    after = run_by_step(rules, run, step)
    if run_with(rules, run, [kind], end) != after:
        # Only an ace that fits at both ends can need a different end.
        end = LOW_END if run_with(rules, run, [kind], LOW_END) == after else HIGH_END
    return Add((kind,), MeldName(ROW_RUN, step.number + 1), end)


def _plain_move(step: int) -> Move:
    if step == DRAW_STOCK:
        return Draw()
    if step == PASS:
        return Pass()
    if step == KEEP:
        return Keep()
    if step == PLAY_CALIENTE:
        return PlayCaliente()
    if step == ASK:
        return Ask()
    if step in (ANSWER_YES, ANSWER_NO):
        return Answer(step == ANSWER_YES)
    return PutBack()


def _card(rank: int, suit: int) -> int:
    """Return a card as moves write it: of the given suit, or of any suit."""
    if rank == JOKER:
        return JOKER_KIND
    if rank == CALIENTE:
        return CALIENTE_KIND
    return ANY + rank if suit == ANY_SUIT else kind_in_suit(rank, suit)


def _cards(rank: int, step: Step) -> list[int]:
    """Return the cards of a step that lays a set of this rank or takes the pile with it."""
    naturals = [_card(rank, suit) for suit in step.suits]
    if step.wild > 0:
        return [*naturals, kind_of_wild(step.wild)]
    return naturals + [ANY + TWO] * step.twos + [JOKER_KIND] * step.jokers


# -- legal moves ------------------------------------------------------------------------------------------


def legal_whole_moves(state: HandState) -> list[Move]:
    """Return every legal move, limited to melds of a single group and the smallest first melds."""
    if state.top_due:
        return [*_uses_of_top(state)]
    moves: list[Move] = []
    openings = _Openings()
    for step in legal_steps(state):
        move = move_of_step(state, step)
        after = state.copy()
        make_step(after, step)
        if after.top_due:
            moves.extend([as_take(after, use) for use in _uses_of_top(after)])
        elif not after.is_opening():
            moves.append(move)
        elif isinstance(move, Take):
            openings.go_on(after, {(RANK_OF[state.top_card()], 1): 0}, [list(move.cards)], True)
        elif isinstance(move, Meld):
            openings.go_on(after, _newest(state, after), [list(move.melds[0])], False)
    moves.extend(openings.moves)
    return moves


def _uses_of_top(lifted: HandState) -> list[Add | Meld]:
    """Return the moves that lay a lifted top card, one for each choice of cards and of a meld."""
    uses: dict[tuple[MeldName | None, int, tuple[int, ...]], Add | Meld] = {}
    _collect_uses(lifted, [], uses)
    return list(uses.values())


def _collect_uses(
    state: HandState, made: list[Move], uses: dict[tuple[MeldName | None, int, tuple[int, ...]], Add | Meld]
) -> None:
    """Collect the ways to lay the top card; `made` are the moves made since it was lifted."""
    for step in legal_steps(state):
        moves = [*made, move_of_step(state, step)]
        after = state.copy()
        make_step(after, step)
        if after.top_due:
            _collect_uses(after, moves, uses)
            continue
        use = as_one(moves)
        if isinstance(use, Add):
            uses.setdefault((use.to, use.end, tuple(sorted(use.cards))), use)
        else:
            uses.setdefault((None, EITHER_END, use.melds[0]), use)


def as_one(moves: list[Move]) -> Add | Meld:
    """Combine moves that lay cards on the same meld into one move."""
    first = moves[0]
    cards: list[int] = list(first.melds[0]) if isinstance(first, Meld) else []
    end = EITHER_END
    for move in moves:
        if isinstance(move, Add):
            cards.extend(move.cards)
            end = move.end or end
    if isinstance(first, Add):
        return Add(tuple(cards), first.to, end)
    return Meld((tuple(cards),))


def as_take(lifted: HandState, use: Add | Meld) -> Take:
    """Return the move that takes the pile and lays its top card as `use` does."""
    top = lifted.taken_top
    if isinstance(use, Add):
        cards = list(use.cards)
        cards.remove(top)
        return Take(tuple(cards), use.to, end=use.end)
    group = list(use.melds[0])
    cards = group.copy()
    cards.remove(top)
    rules = lifted.compiled.run_rules
    # The end at which a wild goes is clear only if the cards are written in order.
    if rules.wild_moves == LOCKED and new_run(rules, [*cards, top]) != new_run(rules, group):
        return Take((), None, (tuple(group),))
    return Take(tuple(cards))


def _newest(before: HandState, after: HandState) -> dict[tuple[int, int], int]:
    """Return the key of the meld that a step started, mapped to group 0 of the move."""
    side = before.side_of[before.turn]
    return {_name_key(after, side, before): 0}


def _name_key(after: HandState, side: int, before: HandState) -> tuple[int, int]:
    if len(after.runs[side]) > len(before.runs[side]):
        return (ROW_RUN, len(after.runs[side]))
    slots = after.compiled.slots
    slot = after.slot_of_set(side, after.number_of_sets(side) - 1)
    return (slots.row_of(slot), slots.number_of(slot))


class _Openings:
    """Collector of first melds: groups that reach the minimum only once all of them are laid."""

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self._searched: int = 0
        self._seen: set[tuple[bool, tuple[tuple[int, ...], ...]]] = set()

    def go_on(
        self,
        state: HandState,
        names: dict[tuple[int, int], int],
        groups: list[list[int]],
        takes: bool,
    ) -> None:
        """Continue from a first meld in progress. `names` maps each meld on the table to its group."""
        key = self._key(groups, takes)
        if key in self._seen or len(self._seen) >= MOST_OPENINGS:
            return
        if self._searched > MOST_SEARCHED and self.moves:
            return
        self._seen.add(key)
        if not state.is_opening():
            melds = tuple(tuple(group) for group in groups)
            self.moves.append(Take(melds[0], None, melds[1:]) if takes else Meld(melds))
            return
        before = state.compiled.looked_at
        steps = legal_steps(state)
        self._searched += state.compiled.looked_at - before
        for step in steps:
            move = move_of_step(state, step)
            if isinstance(move, Meld):
                after = state.copy()
                make_step(after, step)
                more = dict(names)
                more[_name_key(after, state.side_of[state.turn], state)] = len(groups)
                self.go_on(after, more, [*groups, list(move.melds[0])], takes)
            elif isinstance(move, Add):
                group = names.get((move.to.row, move.to.number))
                if group is None:
                    continue
                after = state.copy()
                make_step(after, step)
                grown = [list(cards) for cards in groups]
                grown[group].extend(move.cards)
                self.go_on(after, dict(names), grown, takes)

    def _key(self, groups: list[list[int]], takes: bool) -> tuple[bool, tuple[tuple[int, ...], ...]]:
        in_order = [tuple(sorted(group)) for group in groups]
        if takes:
            return (True, (in_order[0], *sorted(in_order[1:])))
        return (False, tuple(sorted(in_order)))


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
    """Return why the pile can't be taken: the refusal of the attempt that comes closest."""
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
    """Return the ways to take the pile that fit its top card, before the rules are checked.

    They are onto one of the side's melds, with two cards of its rank, or with one and a wild.
    """
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
