"""First melds with a contract, which must include certain melds (OPEN-7 to OPEN-9), and the search for one.

The choices for different ranks are independent, except for the number of wild cards they use, the points
they bring, and whether one of them is a pure meld. So dynamic programming over the ranks finds the best
first meld.
"""

from typing import Final

from canasta.engine.cards import ACE, BLACK_THREE, BONUS_CARD, JOKER, NATURAL_RANKS, RED_THREE, SEVEN, TWO
from canasta.engine.compiled_rules import WILDS_FREE, WILDS_NEVER, CompiledRules
from canasta.engine.law.american import MeldContext, began_with_wilds_alone
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import BELOW_MINIMUM, NO_PURE_MELD, NOT_FROM_THE_HAND, OK
from canasta.engine.melds import ROW_WILD, SMALLEST_MELD
from canasta.engine.state import HandState

MIXED_ONLY: Final = 0
PURE: Final = 1
SPLASH: Final = 2
"""Grades of a meld for the contract; the best grade in a first meld counts, along with its points."""

_NONE: Final = -1

_NO: Final = 0
_UNSURE: Final = 1
_YES: Final = 2


def grade(compiled: CompiledRules, row: int, naturals: int, wilds: int) -> int:
    """Return the grade of a meld with this many naturals and wilds, counting only cards from the hand."""
    if row == ROW_WILD:
        if compiled.splash and wilds >= compiled.canasta_size:
            return SPLASH
        return PURE if compiled.pure_wilds and wilds >= SMALLEST_MELD else MIXED_ONLY
    if wilds > 0 or naturals < SMALLEST_MELD:
        return MIXED_ONLY
    return SPLASH if compiled.splash and naturals >= compiled.canasta_size else PURE


def top_row_of(state: HandState) -> int:
    """Return the row of the top card's set while the pile is being taken, otherwise -1."""
    return state.compiled.rank_of[state.taken_top] if state.pile_due else _NONE


def _from_hand(compiled: CompiledRules, is_top: bool, naturals: int) -> int:
    """Return how many naturals of a set count for a first meld; `is_top` is whether it has the top card."""
    if not is_top:
        return naturals
    if compiled.pair_apart:
        return 0
    return naturals - 1 if compiled.from_hand else naturals


def points_apart(state: HandState) -> int:
    """Return the points laid with the top card that don't count for a first meld; 0 if they do."""
    if not state.compiled.pair_apart or not state.pile_due:
        return 0
    side = state.side_of[state.turn]
    row = top_row_of(state)
    cards = [card & 63 for card in state.cards_laid_by(side) if card >> 6 == row]
    return sum(state.compiled.values[state.compiled.rank_of[kind]] for kind in cards[1:])


def why_not_contract(state: HandState) -> int:
    """Return what the melds laid in this turn lack for a first meld, or `OK`."""
    compiled = state.compiled
    side = state.side_of[state.turn]
    best = MIXED_ONLY
    with_top = MIXED_ONLY
    top_row = top_row_of(state)
    for row in state.sets_of(side):
        naturals = state.naturals(side, row)
        wilds = state.wilds(side, row)
        best = max(best, grade(compiled, row, _from_hand(compiled, row == top_row, naturals), wilds))
        with_top = max(with_top, grade(compiled, row, naturals, wilds))
    if best == SPLASH:
        return OK
    lacking = state.minimum(side) + state.minimum_surcharge - state.opening_points
    if lacking + points_apart(state) > 0:
        return (
            NOT_FROM_THE_HAND
            if state.pile_due and compiled.from_hand and _top_would_do(state)
            else BELOW_MINIMUM
        )
    if best == MIXED_ONLY and compiled.pure_meld:
        return NOT_FROM_THE_HAND if with_top > MIXED_ONLY else NO_PURE_MELD
    return OK


def _top_would_do(state: HandState) -> bool:
    """Return whether there would be enough points if the top card counted."""
    side = state.side_of[state.turn]
    return state.opening_points >= state.minimum(side)


def ranks_due(state: HandState) -> list[int]:
    """Return the ranks of the cards in the pile that is being taken, except bonus cards."""
    if not state.pile_due:
        return []
    return _ranks_without_bonus(state.compiled, state.pile)


def _ranks_without_bonus(compiled: CompiledRules, kinds: list[int]) -> list[int]:
    return [compiled.rank_of[kind] for kind in kinds if compiled.role_of[kind] != BONUS_CARD]


def talon_waits(state: HandState) -> int:
    """Return how many talon cards the player would get for opening now (TURN-7)."""
    compiled = state.compiled
    if not compiled.talon or state.pile_due or state.stock_size() < compiled.talon_floor:
        return 0
    before = sum([1 for side in range(state.sides) if state.opened(side)])
    return compiled.talon[before] if before < len(compiled.talon) else 0


class ContractHand:
    """The hand of a player who is making, or could make, a first meld with a contract.

    Cards can be laid hypothetically, without touching the state.
    """

    def __init__(self, state: HandState) -> None:
        compiled = state.compiled
        seat = state.turn
        self.state: HandState = state
        self.compiled: CompiledRules = compiled
        self.side: int = state.side_of[seat]
        self.table: MeldContext = MeldContext(state)
        self.counts: list[int] = state.counts_of(seat)
        self.naturals: list[int] = state.naturals_of(self.side)
        self.wilds: list[int] = state.wilds_of(self.side)
        self.wilds_elsewhere: int = sum(self.wilds) - self.wilds[ROW_WILD]
        """Number of wilds in sets of natural cards."""
        self.opened: bool = state.opened(self.side)
        self.need: int = (
            state.minimum(self.side) + state.minimum_surcharge - state.opening_points + points_apart(state)
        )
        self.top_row: int = top_row_of(state)
        self.due: list[int] = ranks_due(state)
        self.pile_is_empty: bool = state.pile_due or state.pile_size() == 0

    def lay(self, row: int, naturals: int, twos: int, jokers: int) -> None:
        """Lay cards hypothetically, or take them back if the numbers are negative."""
        counts = self.counts
        values = self.compiled.values
        points = twos * values[TWO] + jokers * values[JOKER]
        if naturals != 0:
            self.naturals[row] += naturals
            counts[row] -= naturals
            points += naturals * values[row]
        if twos != 0 or jokers != 0:
            self.wilds[row] += twos + jokers
            counts[TWO] -= twos
            counts[JOKER] -= jokers
            if row == ROW_WILD:
                self.table.wild_set = self.wilds[row]
            else:
                self.wilds_elsewhere += twos + jokers
                self.table.wilds_elsewhere = self.wilds_elsewhere > 0
        if not self.opened and not (row == self.top_row and self.compiled.pair_apart):
            self.need -= points

    def lift_top_card(self) -> None:
        """Meld the top card of the pile hypothetically. The caller then lays the cards from the hand."""
        compiled = self.compiled
        row: int = compiled.rank_of[self.state.top_card()]
        self.top_row = self.table.top_row = row
        self.due = _ranks_without_bonus(compiled, self.state.pile[:-1])
        self.pile_is_empty = True
        self.naturals[row] += 1
        if compiled.top_card_counts:
            self.need -= compiled.values[row]

    def counted(self, row: int, naturals: int) -> int:
        """Return how many naturals of a set count for the contract."""
        return _from_hand(self.compiled, row == self.top_row, naturals)

    def is_met(self) -> bool:
        """Return whether the cards laid make a valid first meld."""
        compiled = self.compiled
        best = MIXED_ONLY
        laid = 0
        for row in range(ROW_WILD + 1):
            naturals, wilds = self.naturals[row], self.wilds[row]
            if naturals + wilds > 0:
                laid += naturals + wilds
                best = max(best, grade(compiled, row, self.counted(row, naturals), wilds))
        if laid == 0:
            return False
        return best == SPLASH or (self.need <= 0 and (best > MIXED_ONLY or not compiled.pure_meld))

    def can_open(self) -> bool:
        """Return whether some first meld leaves a card to discard and one to keep."""
        if not self._is_worth_trying():
            return False
        answer = self._estimate()
        return answer == _YES or (answer == _UNSURE and self.can_open_by_search())

    # -- hands that need no search -------------------------------------------------------------------------

    def _estimate(self) -> int:
        """Return the answer of `can_open_by_search` without searching, or `_UNSURE`.

        If no set comes near a canasta, and every set may take the same number of wilds, it is best to lay all
        the naturals and as many wilds as possible: either as a set of their own, or in sets of naturals, one
        of which stays pure. A pair needs one of them; the pairs with the most points come first.
        """
        compiled = self.compiled
        if not compiled.even_sets:
            return _UNSURE
        table = self.table
        values = compiled.values
        top_apart = self.top_row if compiled.pair_apart else _NONE
        all_are_loose = not compiled.empty_pile_bars or not self.pile_is_empty
        points = 0  # of the naturals that need no wild
        room = 0  # for wilds in their sets
        room_if_pure = _NONE  # in the one of these sets that stays pure
        pairs: list[int] = []  # points of the pairs that a wild makes a set
        singles = 0  # naturals that can't be laid
        loose = 0  # singles that may be discarded
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            there = self.naturals[rank]
            if count + there == 0:
                continue
            wilds_there = self.wilds[rank]
            size = count + there + wilds_there
            fits = max(0, compiled.set_room - wilds_there)
            rule = compiled.rank_wilds[rank]
            if rule == WILDS_NEVER or (rule != WILDS_FREE and rank == self.top_row and wilds_there == 0):
                fits = 0
            if size + fits >= compiled.canasta_size or there == 1 or rank == top_apart:
                return _UNSURE
            if table.is_dead(rank) or (size < SMALLEST_MELD and (size == 1 or fits == 0)):
                if there > 0:
                    return _UNSURE
                singles += count
                if all_are_loose or self._may_throw(rank):
                    loose += count
            elif size < SMALLEST_MELD:
                pairs.append(count * values[rank])
            else:
                points += count * values[rank]
                room += fits
                if wilds_there == 0 and self.counted(rank, there + count) >= SMALLEST_MELD:
                    room_if_pure = fits if room_if_pure == _NONE else min(room_if_pure, fits)
        is_pure = room_if_pure != _NONE or not compiled.pure_meld
        wilds = self.counts[TWO] + self.counts[JOKER]
        wild_set = self.wilds[ROW_WILD]
        answer = _NO
        if compiled.wild_melds and wild_set + wilds >= SMALLEST_MELD:
            if wild_set + wilds >= compiled.canasta_size or not compiled.wild_lock or table.is_dead(ROW_WILD):
                return _UNSURE
            laid = 0 if table.wilds_elsewhere else wilds
            is_pure_with_wilds = compiled.pure_wilds and wild_set + laid >= SMALLEST_MELD
            if wild_set + laid > 0 and (is_pure or is_pure_with_wilds):
                over = 2 * len(pairs)
                more = over if all_are_loose else 0
                answer = self._judge(points, laid, loose + more, singles + over)
        if answer != _YES and is_pure and wild_set == 0:
            made = min(wilds, len(pairs))
            if made < len(pairs):
                pairs.sort(reverse=True)
            if compiled.pure_meld:
                room -= room_if_pure
            laid = min(wilds, room + made * compiled.set_room)
            over = 2 * (len(pairs) - made)
            more = over if all_are_loose else 0
            answer = max(answer, self._judge(points + sum(pairs[:made]), laid, loose + more, singles + over))
        if answer == _NO:
            compiled.looked_at += 1
        return answer

    def _judge(self, points: int, wilds: int, loose: int, kept: int) -> int:
        """Return `_YES`, `_NO` or `_UNSURE`: whether these cards open and leave a discard and a card.

        `points` is the value of the naturals laid. `kept` naturals stay in the hand, of which `loose` may be
        discarded.
        """
        if points + self._wild_points(wilds) < self.need:
            return _NO
        compiled = self.compiled
        counts = self.counts
        kept += counts[TWO] + counts[JOKER] - wilds
        others = len(self.due) + counts[RED_THREE] + counts[BLACK_THREE]
        for rank in self.due:
            if self._may_throw(rank):
                if others <= 1 and kept <= 0:
                    return _UNSURE
                compiled.looked_at += 1
                return _YES
        if loose > 0 and (kept > 1 or others > 0 or self._talon_waits()):
            compiled.looked_at += 2
            return _YES
        return _UNSURE

    def _talon_waits(self) -> bool:
        return self.top_row == _NONE and talon_waits(self.state) > 0

    # -- the search ----------------------------------------------------------------------------------------

    def can_open_by_search(self) -> bool:
        """Return whether some first meld leaves a card to discard and one to keep, by trying them all."""
        if not self._succeeds(_NONE):
            return False
        kept = self.counts[RED_THREE] + self.counts[BLACK_THREE]
        thrown = [rank for rank in self.due if self._may_throw(rank)]
        if thrown:
            return len(self.due) + kept > 1 or self._keeps_another(_NONE)
        enough = len(self.due) + kept > 0 or self._talon_waits()
        for rank in self._rarest_first():
            if self._may_throw(rank):
                self.counts[rank] -= 1
                found = self._succeeds(rank) if enough else self._keeps_another(rank)
                self.counts[rank] += 1
                if found:
                    return True
        return False

    def _keeps_another(self, thrown: int) -> bool:
        """Return whether `_succeeds` is true with some other card kept in the hand."""
        for rank in self._rarest_first():
            self.counts[rank] -= 1
            found = self._succeeds(thrown)
            self.counts[rank] += 1
            if found:
                return True
        return False

    def _rarest_first(self) -> list[int]:
        """Return the ranks in the hand, the most expendable first."""
        values = self.compiled.values
        held = [(self.counts[rank], values[rank], rank) for rank in range(JOKER + 1) if self.counts[rank] > 0]
        return [rank for _, _, rank in sorted(held)]

    def _may_throw(self, rank: int) -> bool:
        """Return whether this rank may be discarded after melding (DISC-6, DISC-7)."""
        compiled = self.compiled
        if rank == TWO or rank == JOKER:
            if self.top_row == _NONE and began_with_wilds_alone(self.state):
                return True
            return not compiled.discard_only_wilds and not (compiled.empty_pile_bars and self.pile_is_empty)
        if rank >= NATURAL_RANKS:
            return False
        if not compiled.empty_pile_bars or not self.pile_is_empty:
            return True
        return rank != SEVEN and rank != ACE and not self.table.is_dead(rank)

    def _is_worth_trying(self) -> bool:
        """Return whether all pairs and wilds are worth enough points, or a splash is possible."""
        values = self.compiled.values
        twos, jokers = self.counts[TWO], self.counts[JOKER]
        points = twos * values[TWO] + jokers * values[JOKER]
        longest = twos + jokers + self.wilds[ROW_WILD]
        for rank in range(NATURAL_RANKS):
            there = self.naturals[rank]
            if self.counts[rank] + there >= 2:
                points += self.counts[rank] * values[rank]
            longest = max(longest, self.counts[rank] + there)
        return points >= self.need or (self.compiled.splash and longest >= self.compiled.canasta_size)

    # -- the best that can be laid -------------------------------------------------------------------------

    def _succeeds(self, thrown: int) -> bool:
        """Return whether `counts` contains a first meld and a card of rank `thrown` to be discarded."""
        compiled = self.compiled
        compiled.looked_at += 1
        wilds = self.counts[TWO] + self.counts[JOKER]
        wilds_there = self.wilds[ROW_WILD]
        for more in range(wilds + 1):
            size = wilds_there + more
            if more > 0:
                if why_not_cards(compiled, ROW_WILD, 0, wilds_there, 0, more) != OK:
                    continue
                if self.table.why_not(ROW_WILD, 0, wilds_there, 0, more) != OK:
                    continue
            others = 0 if size > 0 and compiled.wild_lock else wilds - more
            first = grade(compiled, ROW_WILD, 0, size) if size > 0 else MIXED_ONLY
            if self._reaches(first, more, others, thrown):
                return True
        return False

    def _reaches(self, first: int, in_wild_set: int, others: int, thrown: int) -> bool:
        """Return whether a first meld exists with these numbers of wilds.

        `in_wild_set` wilds have a meld of their own, of grade `first`, and up to `others` are in other sets.
        """
        best: list[list[int]] = [[_NONE] * 3 for _ in range(others + 1)]
        best[0][first] = 0
        for rank in range(NATURAL_RANKS):
            ways = self._ways(rank, others, thrown)
            if not ways:
                continue
            after: list[list[int]] = (
                [row.copy() for row in best]
                if ways[0][2] == _NONE
                else [[_NONE] * 3 for _ in range(others + 1)]
            )
            for points, used, reached in ways:
                if reached == _NONE:
                    continue
                for before in range(others + 1 - used):
                    for flag in range(3):
                        if best[before][flag] != _NONE:
                            now = max(flag, reached)
                            total = best[before][flag] + points
                            after[before + used][now] = max(after[before + used][now], total)
            best = after
        for used in range(others + 1):
            if best[used][SPLASH] != _NONE:
                return True
            points = best[used][PURE]
            if not self.compiled.pure_meld:
                points = max(points, best[used][MIXED_ONLY])
            if points != _NONE and points + self._wild_points(used + in_wild_set) >= self.need:
                return True
        return False

    def _ways(self, rank: int, most_wilds: int, thrown: int) -> list[tuple[int, int, int]]:
        """Return the ways to meld a rank, each with points, wilds used and grade.

        If the rank can be left out, the first entry has grade -1.
        """
        compiled = self.compiled
        there = self.naturals[rank]
        wilds_there = self.wilds[rank]
        count = self.counts[rank]
        if there == 0 and count < 2:
            return []
        ways: list[tuple[int, int, int]] = []
        if there == 0:
            ways.append((0, 0, _NONE))
        value = compiled.values[rank]
        if rank == self.top_row and compiled.pair_apart:
            value = 0
            most_wilds = 0
        # A card of this rank must still be discarded, so it must not be dead by then.
        bars = rank == thrown and self.pile_is_empty and compiled.empty_pile_bars and compiled.dead_ranks
        for naturals in range(count + 1):
            for wilds in range(most_wilds + 1):
                if naturals + wilds == 0:
                    if there > 0:
                        ways.append(
                            (
                                0,
                                0,
                                grade(
                                    compiled,
                                    rank,
                                    self.counted(rank, there),
                                    wilds_there,
                                ),
                            )
                        )
                    continue
                if why_not_cards(compiled, rank, there, wilds_there, naturals, wilds) != OK:
                    continue
                if self.table.why_not(rank, there, wilds_there, naturals, wilds) != OK:
                    continue
                if bars and there + wilds_there + naturals + wilds >= compiled.canasta_size:
                    continue
                from_hand = self.counted(rank, there + naturals)
                ways.append((naturals * value, wilds, grade(compiled, rank, from_hand, wilds_there + wilds)))
        return ways

    def _wild_points(self, placed: int) -> int:
        """Return the points of `placed` wilds from the hand, the more valuable ones first."""
        values = self.compiled.values
        dearer, other = (JOKER, TWO) if values[JOKER] >= values[TWO] else (TWO, JOKER)
        first = min(self.counts[dearer], placed)
        return first * values[dearer] + (placed - first) * values[other]
