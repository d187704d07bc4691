"""Search every way to lay the sets of a first meld, and estimate which canastas are within reach."""

from canasta.engine.cards import BLACK_THREE, CALIENTE, NATURAL_RANKS, RANK_OF, WILD_CARD
from canasta.engine.feasibility.opening_hand import OpeningHand
from canasta.engine.law.going_out import can_stop, canastas_suffice
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import OK
from canasta.engine.melds import (
    MIXED,
    NATURAL,
    NO_SUIT,
    ROW_WILD,
    SAMBA,
    SMALLEST_MELD,
    WILD,
    run_length,
    run_low,
    run_suit,
)


class SetSearch:
    """Tries every way to lay sets, row by row: existing sets may grow and new sets may start."""

    def __init__(self, opening: OpeningHand, fits_a_samba: bool = False) -> None:
        self.opening: OpeningHand = opening
        self.first_gains: int = 1 << SAMBA if fits_a_samba else 0
        state = opening.state
        slots = state.compiled.slots
        self.rows: list[int] = []
        self.there: list[tuple[int, int]] = []
        """By offer (an existing set, or a new one): its naturals and wilds on the table."""
        on_table = sorted(opening.sets)
        for row in range(ROW_WILD + 1):
            for slot in on_table:
                if slots.row_of(slot) == row:
                    self._offer(row, opening.naturals[slot], opening.wilds[slot])
            if row < ROW_WILD or state.compiled.wild_melds:
                self._offer(row, 0, 0)
        self.all_wilds: int = opening.twos + opening.jokers
        self.wild_points: list[int] = [opening.wild_points(wilds) for wilds in range(self.all_wilds + 1)]
        """Value of the first n wilds that are laid, by n; the more valuable ones go first."""
        naturals = sum(opening.counts[:NATURAL_RANKS])
        self.never_laid: int = opening.size - naturals - self.all_wilds
        self.enough_kept: int = 2 + opening.red_threes
        """Number of kept cards beyond which another one makes no difference."""
        compiled = state.compiled
        self.goes_out_below: bool = compiled.concealed_suffices or opening.black_threes >= SMALLEST_MELD
        """Whether going out can replace the minimum if at most one card is kept."""
        self.sure_kept: int = self.never_laid
        if opening.black_threes >= SMALLEST_MELD:
            self.sure_kept -= opening.black_threes
        self.canasta_counts: bool = compiled.canasta_suffices or compiled.canasta_bonus_counts
        self.canasta_ahead: list[bool] = [False] * (len(self.rows) + 1)
        """By offer: whether it, or a later one, could become a canasta."""
        for index in range(len(self.rows) - 1, -1, -1):
            self.canasta_ahead[index] = self.canasta_ahead[index + 1] or self._may_be_canasta(index)
        self.points_after: list[int] = [0] * (len(self.rows) + 1)
        """By offer: value of the naturals of all rows after its row."""
        for index in range(len(self.rows) - 2, -1, -1):
            later = self.rows[index + 1]
            self.points_after[index] = self.points_after[index + 1]
            if later != self.rows[index] and later < NATURAL_RANKS:
                self.points_after[index] += opening.counts[later] * compiled.values[later]
        self.least_need: dict[tuple[int, ...], int] = {}
        """Lowest need for which each node of the search has been visited."""

    def _offer(self, row: int, naturals: int, wilds: int) -> None:
        self.rows.append(row)
        self.there.append((naturals, wilds))

    def succeeds(self, need: int, sambas: int) -> bool:
        self.least_need = {}
        held = self._hand_count(0)
        return self._lay(0, held, self.all_wilds, need, 0, 0, 0, 0, sambas, True, self.first_gains)

    def _hand_count(self, index: int) -> int:
        if index >= len(self.rows) or self.rows[index] == ROW_WILD:
            return 0
        return self.opening.counts[self.rows[index]]

    def _lay(
        self,
        index: int,
        held: int,
        wilds: int,
        need: int,
        kept: int,
        natural: int,
        mixed: int,
        wild: int,
        sambas: int,
        may_start: bool,
        gains: int,
    ) -> bool:
        """Choose what to lay on the offers from `index` on.

        `held` naturals of the offer's row and `wilds` wild cards are left. `kept` naturals of earlier rows
        stay in the hand. `gains` collects the changes of canasta that a single card coming with the pile
        could make (see `_gain`).
        """
        compiled = self.opening.state.compiled
        compiled.looked_at += 1
        if index == len(self.rows):
            return self._is_good(need, kept + wilds + self.never_laid, natural, mixed, wild, sambas, gains)
        row = self.rows[index]
        value = compiled.values[row] if row < NATURAL_RANKS else 0
        laid_wilds = self.all_wilds - wilds
        most = self.wild_points[self.all_wilds] - self.wild_points[laid_wilds]
        if most + held * value + self.points_after[index] < need:
            if not self._needs_no_points(index, kept, natural + mixed + wild + sambas):
                return False
        key = (index, held, wilds, kept, natural, mixed, wild, int(may_start), gains)
        if self.least_need.get(key, need + 1) <= need:
            return False
        self.least_need[key] = need
        naturals_there, wilds_there = self.there[index]
        is_new = naturals_there + wilds_there == 0
        kind_before = self._kind(naturals_there, wilds_there)
        # A new set may start next to one on the table only if the rules allow a second.
        may_follow = is_new or compiled.any_sets or (compiled.one_open_set and kind_before >= 0)
        after_gains = gains | self._gain(row, naturals_there, wilds_there)
        is_last = index + 1 == len(self.rows) or self.rows[index + 1] != row
        after_held = self._hand_count(index + 1) if is_last else held
        after_kept = min(kept + held, self.enough_kept) if is_last else kept
        if self._lay(
            index + 1,
            after_held,
            wilds,
            need,
            after_kept,
            natural,
            mixed,
            wild,
            sambas,
            may_follow,
            after_gains,
        ):
            return True
        if is_new and not may_start:
            return False
        for naturals in range(held, -1, -1):
            for more in range(wilds, -1, -1):
                if naturals + more == 0:
                    continue
                if why_not_cards(compiled, row, naturals_there, wilds_there, naturals, more) != OK:
                    continue
                points = naturals * value + self.wild_points[laid_wilds + more] - self.wild_points[laid_wilds]
                kind = self._kind(naturals_there + naturals, wilds_there + more)
                if compiled.canasta_bonus_counts and kind >= 0 and kind_before < 0:
                    points += compiled.canasta_bonus[kind]
                again = is_new and (compiled.any_sets or (compiled.one_open_set and kind >= 0))
                after_held = held - naturals
                after_kept = kept
                if is_last and not again:
                    after_kept = min(kept + after_held, self.enough_kept)
                    after_held = self._hand_count(index + 1)
                may_go_on = True
                if not is_new and not compiled.any_sets:
                    may_go_on = compiled.one_open_set and kind >= 0
                if self._lay(
                    index if again else index + 1,
                    after_held,
                    wilds - more,
                    need - points,
                    after_kept,
                    natural + _change(NATURAL, kind_before, kind),
                    mixed + _change(MIXED, kind_before, kind),
                    wild + _change(WILD, kind_before, kind),
                    sambas,
                    may_go_on,
                    gains | self._gain(row, naturals_there + naturals, wilds_there + more),
                ):
                    return True
        return False

    def _may_be_canasta(self, index: int) -> bool:
        """Return whether all cards of the offer's row plus all wilds would complete a new canasta."""
        there, wilds_there = self.there[index]
        compiled = self.opening.state.compiled
        naturals = there + self._hand_count(index)
        wilds = wilds_there + self.all_wilds
        if self.rows[index] < NATURAL_RANKS:
            wilds = min(wilds, compiled.wild_room[naturals])
        return there + wilds_there < compiled.canasta_size <= naturals + wilds

    def _needs_no_points(self, index: int, kept: int, canastas: int) -> bool:
        """Return whether a canasta, made or possible, or going out could replace the minimum."""
        compiled = self.opening.state.compiled
        if self.goes_out_below and kept + self.sure_kept <= 1:
            return True
        if self.canasta_counts and self.canasta_ahead[index]:
            return True
        return (
            compiled.canasta_suffices
            and canastas + sum(self.opening.state.canasta_counts(self.opening.side)) > 0
        )

    def _gain(self, row: int, naturals: int, wilds: int) -> int:
        """Return a bit for the canasta that the pile's one card would make or change in this set, or 0."""
        kind = self.opening.due_kind
        if kind < 0 or naturals + wilds == 0:
            return 0
        rank = RANK_OF[kind]
        compiled = self.opening.state.compiled
        wild = 1 if compiled.role_of[kind] == WILD_CARD else 0
        if (rank != row and not wild) or why_not_cards(compiled, row, naturals, wilds, 1 - wild, wild) != OK:
            return 0
        before = self._kind(naturals, wilds)
        after = self._kind(naturals + 1 - wild, wilds + wild)
        return 0 if after < 0 or after == before else 1 << (4 * (before + 1) + after)

    def _kind(self, naturals: int, wilds: int) -> int:
        return self.opening.state.canasta_kind(naturals, wilds)

    def _is_good(
        self, need: int, left: int, natural: int, mixed: int, wild: int, sambas: int, gains: int
    ) -> bool:
        """Return whether these melds open and the turn can then be ended."""
        opening = self.opening
        state = opening.state
        compiled = state.compiled
        canastas = state.canasta_counts(opening.side)
        after = [canastas[0] + natural, canastas[1] + mixed, canastas[2] + wild, canastas[3] + sambas]
        can_go_out = opening.may_leave and canastas_suffice(compiled, after[0], after[1], after[2], after[3])
        opens = need <= 0 or (compiled.canasta_suffices and sum(after) > 0)
        cards = left + opening.due
        if opens and can_stop(state, cards, opening.red_threes, can_go_out):
            return True
        by_discard = compiled.out_by_discard
        last_card_melds = opens and left == 0 and gains > 0 and opening.may_leave and not by_discard
        if last_card_melds and self._last_card_suffices(after, gains):
            return True
        if not can_go_out or state.foot_waits(state.turn):
            return False
        concealed_suffices = compiled.concealed_suffices and opening.due == 0
        if concealed_suffices and cards <= 1 and can_stop(state, cards, opening.red_threes, True):
            return True
        black_threes = opening.black_threes
        others = cards - black_threes
        may_discard = not state.no_discard and opening.red_threes == 0
        if black_threes < SMALLEST_MELD or others > (1 if may_discard else 0):
            return False
        if others == 0 and by_discard:
            # One of the black threes is the last discard.
            black_threes -= 1
            if black_threes < SMALLEST_MELD or not may_discard:
                return False
        need -= black_threes * compiled.values[BLACK_THREE]
        return opens or need <= 0 or concealed_suffices

    def _last_card_suffices(self, canastas: list[int], gains: int) -> bool:
        """Return whether melding the one card that came with the pile gives the canastas to go out."""
        for bit in range(16):
            if gains >> bit & 1:
                after = canastas.copy()
                after[bit % 4] += 1
                if bit >= 4:
                    after[bit // 4 - 1] -= 1
                if canastas_suffice(self.opening.state.compiled, after[0], after[1], after[2], after[3]):
                    return True
        return False


def _change(kind: int, before: int, after: int) -> int:
    if before == after:
        return 0
    return int(after == kind) - int(before == kind)


def has_other_ways(hand: OpeningHand, is_tight: bool) -> bool:
    """Return whether a canasta or going out could replace the minimum, or the cards that must be kept."""
    compiled = hand.state.compiled
    if compiled.canasta_suffices or compiled.canasta_bonus_counts:
        if canasta_in_reach(hand) or (compiled.runs and _samba_in_reach(hand)):
            return True
    if hand.state.foot_waits(hand.state.turn) or not hand.may_leave:
        return False
    if is_tight or compiled.concealed_suffices or hand.black_threes >= SMALLEST_MELD:
        return compiled.runs or (cards_stranded(hand) <= 1 and canastas_in_reach(hand, 0))
    return False


def cards_stranded(hand: OpeningHand) -> int:
    """Return a lower bound on the cards that cannot be melded in sets.

    Going out allows at most one such card.
    """
    compiled = hand.state.compiled
    stranded = hand.state.count(hand.state.turn, CALIENTE) + hand.red_threes
    if hand.black_threes < SMALLEST_MELD:
        stranded += hand.black_threes
    pairs = 0
    for rank in range(NATURAL_RANKS):
        if 0 < hand.counts[rank] < SMALLEST_MELD and hand.naturals[compiled.slots.first_slot(rank)] == 0:
            if hand.counts[rank] == 1:
                stranded += 1
            else:
                pairs += 1
    return stranded + 2 * max(0, pairs - hand.twos - hand.jokers)


def canastas_in_reach(hand: OpeningHand, sambas: int) -> bool:
    """Return whether the side could get the canastas to go out, given `sambas` new sambas."""
    compiled = hand.state.compiled
    if hand.due_kind >= 0:
        return True
    size = compiled.canasta_size
    wilds = hand.twos + hand.jokers
    natural = 0
    wild = 0
    lacking: list[int] = []
    """Number of wilds needed for each possible canasta, one entry per canasta."""
    for row in range(ROW_WILD + 1):
        naturals = hand.counts[row] if row < NATURAL_RANKS else 0
        cards = naturals
        for slot in range(compiled.slots.first_slot(row), compiled.slots.first_slot(row + 1)):
            naturals += hand.naturals[slot]
            cards += hand.naturals[slot] + hand.wilds[slot]
        if row == ROW_WILD:
            most = (cards + wilds) // size if compiled.wild_melds else 0
            wild = most
        else:
            most = min(1, (cards + wilds) // size) if compiled.one_set else (cards + wilds) // size
            natural += min(most, naturals // size)
        before = 0
        for number in range(1, most + 1):
            needed = max(0, number * size - cards)
            lacking.append(needed - before)
            before = needed
    total = 0
    for needed in sorted(lacking):
        wilds -= needed
        if wilds >= 0:
            total += 1
    sambas += hand.state.canastas(hand.side, SAMBA)
    kinds = compiled.kinds_needed
    return (
        total + sambas >= compiled.canastas_needed
        and natural >= kinds[NATURAL]
        and total >= kinds[MIXED]
        and wild >= kinds[WILD]
        and sambas >= kinds[SAMBA]
    )


def canasta_in_reach(hand: OpeningHand) -> bool:
    """Return whether some set, on the table or new, can grow into a canasta."""
    compiled = hand.state.compiled
    wilds = hand.twos + hand.jokers
    slots = compiled.slots
    for rank in range(NATURAL_RANKS):
        # One slot beyond those in use represents a new set, made of the hand's cards alone.
        for slot in range(slots.first_slot(rank), slots.first_slot(rank + 1)):
            naturals = hand.naturals[slot] + hand.counts[rank]
            room = min(compiled.wild_room[naturals], wilds + hand.wilds[slot])
            if naturals + room >= compiled.canasta_size:
                return True
            if hand.naturals[slot] == 0:
                break
    if compiled.wild_melds:
        for slot in range(slots.first_slot(ROW_WILD), slots.first_slot(ROW_WILD + 1)):
            if wilds + hand.wilds[slot] >= compiled.canasta_size:
                return True
            if hand.wilds[slot] == 0:
                break
    return False


def opens_by_one_canasta(hand: OpeningHand, need: int) -> bool:
    """Return whether a single set that grows into a canasta opens and lets the turn end."""
    compiled = hand.state.compiled
    if not compiled.canasta_suffices and not compiled.canasta_bonus_counts:
        return False
    slots = compiled.slots
    for row in range(ROW_WILD + 1 if compiled.wild_melds else NATURAL_RANKS):
        for slot in range(slots.first_slot(row), slots.first_slot(row + 1)):
            size = hand.naturals[slot] + hand.wilds[slot]
            if size < compiled.canasta_size and _is_good_canasta(hand, row, slot, need):
                return True
            if size == 0 or compiled.one_set or (compiled.one_open_set and size < compiled.canasta_size):
                break
    return False


def _is_good_canasta(hand: OpeningHand, row: int, slot: int, need: int) -> bool:
    compiled = hand.state.compiled
    compiled.looked_at += 1
    there = hand.naturals[slot]
    wilds_there = hand.wilds[slot]
    cards = compiled.canasta_size - there - wilds_there
    naturals = min(cards, hand.counts[row]) if row < NATURAL_RANKS else 0
    wilds = cards - naturals
    if wilds > hand.twos + hand.jokers:
        return False
    if why_not_cards(compiled, row, there, wilds_there, naturals, wilds) != OK:
        return False
    if not hand.can_stop_with(hand.size - cards):
        return False
    if compiled.canasta_suffices:
        return True
    points = hand.wild_points(wilds) + (naturals * compiled.values[row] if naturals else 0)
    kind = hand.state.canasta_kind(there + naturals, wilds_there + wilds)
    return points + compiled.canasta_bonus[kind] >= need


def _samba_in_reach(hand: OpeningHand) -> bool:
    """Return whether seven consecutive ranks are available, including runs laid this turn."""
    size = hand.state.compiled.canasta_size
    for suit in range(4) if hand.state.compiled.same_suit else [NO_SUIT]:
        streak = 0
        for rank in range(NATURAL_RANKS):
            have = hand.holds(rank, suit)
            for run in hand.runs:
                if run_suit(run) == suit and run_low(run) <= rank < run_low(run) + run_length(run):
                    have = True
            streak = streak + 1 if have else 0
            if streak >= size:
                return True
    return False
