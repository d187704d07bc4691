"""Can the first meld of a side still reach its minimum? The exact answer, quickly.

A search or a learner lays a first meld step by step, so every step must leave a way to the minimum that
also leaves a way to end the turn. Laying as much as possible is worth most: `_most_points` gives that
optimum in closed form for sets, `_RunSearch` tries the runs around it. Only when the optimum would use up
the hand, or when a canasta or going out could replace the minimum, does `_SetSearch` try every way.
"""

from canasta.engine.cards import BLACK_THREE, CALIENTE, JOKER, NATURAL_RANKS, RANK_OF, RED_THREE, TWO
from canasta.engine.going_out import can_stop, canastas_suffice, why_not_leave
from canasta.engine.melding import NEW, SMALLEST_MELD, why_not_cards
from canasta.engine.moves import ROW_WILD
from canasta.engine.reasons import OK
from canasta.engine.state import (
    MIXED,
    NATURAL,
    NO_SUIT,
    SAMBA,
    WILD,
    HandState,
    run_length,
    run_low,
    run_suit,
)

UNCLEAR = -1
"""The closed form does not cover this hand (a set or a meld of wilds that would overflow)."""


def can_open(state: HandState) -> bool:
    """Starting with what is laid already, some legal continuation opens and then ends the turn."""
    return Opening(state).is_possible()


class Opening:
    """The question put to one hand: what is needed, what is there, what may be left."""

    def __init__(self, state: HandState) -> None:
        seat = state.turn
        self.state: HandState = state
        self.side: int = state.side_of[seat]
        counts = state.counts[seat]
        self.counts: list[int] = counts[:NATURAL_RANKS]
        self.cards: list[int] = state.cards[seat][: NATURAL_RANKS * 4]
        self.twos: int = counts[TWO]
        self.jokers: int = counts[JOKER]
        self.black_threes: int = counts[BLACK_THREE]
        self.red_threes: int = counts[RED_THREE]
        self.size: int = state.size[seat]
        self.need: int = state.minimum[self.side] + state.opening_extra - state.opening_points
        self.due: int = 0
        """Cards that come with the pile once the minimum is reached."""
        if state.pile_due:
            for kind in state.pile:
                if RANK_OF[kind] != RED_THREE:
                    self.due += 1
        self.may_leave: bool = why_not_leave(state, seat) == OK
        self.used: int = 0
        """Cards that the optimum of `_most_points` lays."""

    def is_possible(self) -> bool:
        if self.need <= 0:
            return True
        if self.state.tables.runs:
            return self._is_possible_with_runs()
        points = self._most_points()
        if points >= self.need and self._can_stop_with(self.size - self.used):
            return True
        if points != UNCLEAR and points < self.need and not self._has_other_ways():
            return False
        return _SetSearch(self).succeeds(self.need, 0, 0)

    def _can_stop_with(self, left: int) -> bool:
        """So many cards left in hand, and the turn can end without going out."""
        return can_stop(self.state, left + self.due, self.red_threes, False)

    def _has_other_ways(self) -> bool:
        """A canasta, or going out at once, could stand in for the minimum."""
        tables = self.state.tables
        if (tables.canasta_suffices or tables.canasta_bonus_counts) and self._canasta_in_reach():
            return True
        if tables.concealed_suffices or self.black_threes >= SMALLEST_MELD:
            # Going out leaves one card at the most; a single card of its rank cannot be melded.
            stranded = self.state.counts[self.state.turn][CALIENTE] + self.red_threes
            if self.black_threes < SMALLEST_MELD:
                stranded += self.black_threes
            for rank in range(NATURAL_RANKS):
                if self.counts[rank] == 1 and self._table_set(rank) == NEW:
                    stranded += 1
            return stranded <= 1 or tables.runs
        return False

    def _canasta_in_reach(self) -> bool:
        tables = self.state.tables
        wilds = self.twos + self.jokers
        for rank in range(NATURAL_RANKS):
            naturals = self.counts[rank]
            slot = self._table_set(rank)
            if slot != NEW:
                naturals += self.state.naturals[self.side][slot]
                wilds_there = self.state.wilds[self.side][slot]
            else:
                wilds_there = 0
            if naturals + min(tables.wild_room[naturals], wilds + wilds_there) >= tables.canasta_size:
                return True
        if not tables.wild_melds:
            return False
        slot = self._table_set(ROW_WILD)
        there = self.state.wilds[self.side][slot] if slot != NEW else 0
        return wilds + there >= tables.canasta_size

    def _table_set(self, row: int) -> int:
        """The first set of this row that the side laid in this turn; `NEW` when there is none."""
        slot = row * self.state.tables.slots
        return slot if self.state.set_size(self.side, slot) > 0 else NEW

    # -- the optimum for sets -----------------------------------------------------------------------------

    def _most_points(self) -> int:
        """The most points that sets made of the hand's remaining cards can add, or `UNCLEAR`.

        A wild is worth the same wherever it lies, so what matters is how many can lie somewhere. It is best
        spent on a pair, which it turns into a set with room for more. Hence: all ranks of three and more are
        laid, then k pairs are opened with a wild each, the best pairs first, for the best k.
        """
        tables = self.state.tables
        values = tables.values
        state = self.state
        naturals_points = 0
        naturals_used = 0
        room = 0
        pairs: list[int] = []
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            slot = rank * tables.slots
            if state.naturals[self.side][slot] > 0:
                if count > 0 and not tables.one_set and not tables.any_sets:
                    if state.set_size(self.side, slot) + count > tables.largest_set:
                        return UNCLEAR
                naturals_points += count * values[rank]
                naturals_used += count
                if tables.any_sets:
                    # Pairs may leave for sets of their own, each with room for wilds.
                    room += (count // 2) * tables.wild_room[2]
                    while slot < (rank + 1) * tables.slots and state.naturals[self.side][slot] > 0:
                        room += self._room_on_table(slot, 0)
                        slot += 1
                else:
                    room += self._room_on_table(slot, count)
            elif count >= SMALLEST_MELD:
                if count > tables.largest_set:
                    return UNCLEAR
                naturals_points += count * values[rank]
                naturals_used += count
                if tables.any_sets:
                    room += (count // 2) * tables.wild_room[2]
                else:
                    room += self._wild_room(count, 0, SMALLEST_MELD, count - SMALLEST_MELD)
            elif count == 2:
                pairs.append(values[rank])
        wilds = self.twos + self.jokers
        wild_set = 0
        if tables.wild_melds:
            if wilds > tables.canasta_size:
                return UNCLEAR
            slot = ROW_WILD * tables.slots
            if state.wilds[self.side][slot] == 0 or tables.any_sets:
                wild_set = SMALLEST_MELD
            while slot < (ROW_WILD + 1) * tables.slots and state.wilds[self.side][slot] > 0:
                room += tables.canasta_size - state.wilds[self.side][slot]
                slot += 1
        pairs.sort(reverse=True)
        best = UNCLEAR
        pair_points = 0
        for opened in range(min(wilds, len(pairs)) + 1):
            if opened > 0:
                pair_points += 2 * pairs[opened - 1]
            placed = min(wilds, room + opened * tables.wild_room[2])
            if wild_set > 0 and wilds - opened >= wild_set:
                placed = wilds
            jokers = min(self.jokers, placed)
            points = naturals_points + pair_points + jokers * values[JOKER] + (placed - jokers) * values[TWO]
            if points > best:
                best = points
                self.used = naturals_used + 2 * opened + placed
        return best

    def _room_on_table(self, slot: int, to_come: int) -> int:
        """Wilds that a set laid in this turn can still take when so many naturals join it."""
        naturals = self.state.naturals[self.side][slot]
        wilds = self.state.wilds[self.side][slot]
        return self._wild_room(naturals + to_come, wilds, naturals + wilds, to_come)

    def _wild_room(self, naturals: int, wilds_there: int, size_before: int, to_come: int) -> int:
        """Wilds that a set can still take, laid before the last naturals where a canasta takes none."""
        tables = self.state.tables
        room = tables.wild_room[naturals] - wilds_there
        room = min(room, tables.largest_set - size_before - to_come)
        if not tables.wilds_on_canasta:
            room = min(room, tables.canasta_size - size_before)
        return max(room, 0)

    # -- runs ---------------------------------------------------------------------------------------------

    def _is_possible_with_runs(self) -> bool:
        search = _RunSearch(self)
        if search.succeeds(self.need, 0):
            return True
        if not search.is_tight and not self._has_other_ways_with_runs():
            return False
        return _RunSearch(self, every_way=True).succeeds(self.need, 0)

    def _has_other_ways_with_runs(self) -> bool:
        if self._has_other_ways():
            return True
        tables = self.state.tables
        return (tables.canasta_suffices or tables.canasta_bonus_counts) and self._samba_in_reach()

    def _samba_in_reach(self) -> bool:
        """Some seven ranks in a row are there, runs laid in this turn included."""
        size = self.state.tables.canasta_size
        for suit in range(4) if self.state.tables.same_suit else [NO_SUIT]:
            streak = 0
            for rank in range(NATURAL_RANKS):
                have = self.holds(rank, suit)
                for run in self.state.runs[self.side]:
                    if run_suit(run) == suit and run_low(run) <= rank < run_low(run) + run_length(run):
                        have = True
                streak = streak + 1 if have else 0
                if streak >= size:
                    return True
        return False

    def holds(self, rank: int, suit: int) -> bool:
        return self.counts[rank] > 0 if suit == NO_SUIT else self.cards[rank * 4 + suit] > 0

    def move_card(self, rank: int, suit: int, by: int) -> None:
        """Take a card out of the hand in mind (-1), or put it back (+1)."""
        self.counts[rank] += by
        if suit != NO_SUIT:
            self.cards[rank * 4 + suit] += by
        self.size += by


class _RunSearch:
    """Tries every choice of runs, the sets of what is left by the closed form (or by every way)."""

    def __init__(self, opening: Opening, every_way: bool = False) -> None:
        self.opening: Opening = opening
        self.every_way: bool = every_way
        self.is_tight: bool = False
        """Enough points were found, but never with enough cards left to end the turn."""
        state = opening.state
        self.suits: list[int] = [0, 1, 2, 3] if state.tables.same_suit else [NO_SUIT]
        self.table_runs: list[int] = state.runs[opening.side]

    def succeeds(self, need: int, sambas: int) -> bool:
        if not self.every_way and not self._worth_trying(need):
            return False
        return self._extend(0, need, sambas)

    def _worth_trying(self, need: int) -> bool:
        """All cards of the hand together are worth what is needed."""
        opening = self.opening
        values = opening.state.tables.values
        total = opening.twos * values[TWO] + opening.jokers * values[JOKER]
        for rank in range(NATURAL_RANKS):
            total += opening.counts[rank] * values[rank]
        return total >= need

    def _extend(self, index: int, need: int, sambas: int) -> bool:
        """Choose how far each run on the table grows, from the index-th on."""
        if index == len(self.table_runs):
            return self._start(0, 0, need, sambas)
        opening = self.opening
        tables = opening.state.tables
        run = self.table_runs[index]
        suit = run_suit(run)
        low = run_low(run)
        length = run_length(run)
        down = 0
        while True:
            up = 0
            while True:
                grown = length + down + up
                done = 1 if down + up > 0 and grown == tables.canasta_size else 0
                if self._extend(index + 1, need - self._samba_bonus(done), sambas + done):
                    self._put_back(suit, low + length, up)
                    self._put_back(suit, low - down, down)
                    return True
                rank = low + length + up
                if grown == tables.canasta_size or rank >= NATURAL_RANKS or not opening.holds(rank, suit):
                    break
                opening.move_card(rank, suit, -1)
                need -= tables.values[rank]
                up += 1
            need += self._put_back(suit, low + length, up)
            rank = low - down - 1
            if length + down == tables.canasta_size or rank < 0 or not opening.holds(rank, suit):
                break
            opening.move_card(rank, suit, -1)
            need -= tables.values[rank]
            down += 1
        self._put_back(suit, low - down, down)
        return False

    def _put_back(self, suit: int, low: int, count: int) -> int:
        """Return cards of a run to the hand in mind; their points."""
        points = 0
        for rank in range(low, low + count):
            self.opening.move_card(rank, suit, 1)
            points += self.opening.state.tables.values[rank]
        return points

    def _samba_bonus(self, done: int) -> int:
        tables = self.opening.state.tables
        return tables.canasta_bonus[SAMBA] if done and tables.canasta_bonus_counts else 0

    def _start(self, suit_index: int, low: int, need: int, sambas: int) -> bool:
        """Try the sets of what is left, then each new run that begins at this suit and rank or later."""
        if self._try_sets(need, sambas):
            return True
        if not self.every_way and not self._worth_trying(need):
            return False
        opening = self.opening
        tables = opening.state.tables
        for index in range(suit_index, len(self.suits)):
            suit = self.suits[index]
            for start in range(low if index == suit_index else 0, NATURAL_RANKS - SMALLEST_MELD + 1):
                length = 0
                points = 0
                while (
                    length < tables.canasta_size
                    and start + length < NATURAL_RANKS
                    and opening.holds(start + length, suit)
                ):
                    opening.move_card(start + length, suit, -1)
                    points += tables.values[start + length]
                    length += 1
                while length >= SMALLEST_MELD:
                    done = 1 if length == tables.canasta_size else 0
                    found = self._start(index, start, need - points - self._samba_bonus(done), sambas + done)
                    if found:
                        self._put_back(suit, start, length)
                        return True
                    length -= 1
                    opening.move_card(start + length, suit, 1)
                    points -= tables.values[start + length]
                self._put_back(suit, start, length)
        return False

    def _try_sets(self, need: int, sambas: int) -> bool:
        opening = self.opening
        used_by_runs = opening.state.size[opening.state.turn] - opening.size
        if self.every_way:
            return _SetSearch(opening).succeeds(need, used_by_runs, sambas)
        points = opening._most_points()
        if points == UNCLEAR:
            return _SetSearch(opening).succeeds(need, used_by_runs, sambas)
        if points < need:
            return False
        if need <= 0 and opening._can_stop_with(opening.size):
            return True
        if opening._can_stop_with(opening.size - opening.used):
            return True
        self.is_tight = True
        return False


class _SetSearch:
    """Every way to lay sets: the cards on the table may grow, new sets may start, in the order of rows."""

    def __init__(self, opening: Opening) -> None:
        self.opening: Opening = opening
        state = opening.state
        slots = state.tables.slots
        self.rows: list[int] = []
        self.there: list[tuple[int, int]] = []
        """For each thing that can be done, its row and the naturals and wilds that lie there."""
        on_table = sorted(state.sets[opening.side])
        for row in range(ROW_WILD + 1):
            for slot in on_table:
                if slot // slots == row:
                    self._offer(row, state.naturals[opening.side][slot], state.wilds[opening.side][slot])
            if row < ROW_WILD or state.tables.wild_melds:
                self._offer(row, 0, 0)
        self.seen: set[tuple[int, ...]] = set()

    def _offer(self, row: int, naturals: int, wilds: int) -> None:
        self.rows.append(row)
        self.there.append((naturals, wilds))

    def succeeds(self, need: int, used_by_runs: int, sambas: int) -> bool:
        self.seen = set()
        opening = self.opening
        return self._lay(
            0, self._hand_count(0), opening.twos, opening.jokers, need, opening.size, 0, 0, 0, sambas, True
        )

    def _hand_count(self, index: int) -> int:
        if index >= len(self.rows) or self.rows[index] == ROW_WILD:
            return 0
        return self.opening.counts[self.rows[index]]

    def _lay(
        self,
        index: int,
        held: int,
        twos: int,
        jokers: int,
        need: int,
        left: int,
        natural: int,
        mixed: int,
        wild: int,
        sambas: int,
        may_start: bool,
    ) -> bool:
        """Choose what is laid from the index-th offer on, `held` naturals of its row being in hand."""
        if index == len(self.rows):
            return self._is_good(need, left, natural, mixed, wild, sambas)
        key = (index, held, twos, jokers, need, left, natural, mixed, wild, sambas, int(may_start))
        if key in self.seen:
            return False
        self.seen.add(key)
        tables = self.opening.state.tables
        row = self.rows[index]
        naturals_there, wilds_there = self.there[index]
        is_new = naturals_there + wilds_there == 0
        after_held = held
        if index + 1 < len(self.rows) and self.rows[index + 1] != row:
            after_held = self._hand_count(index + 1)
        kind_before = self._kind(naturals_there, wilds_there)
        # Beside a set on the table a new one may only start where the rules allow a second.
        may_follow = is_new or tables.any_sets or (tables.one_open_set and kind_before >= 0)
        if self._lay(
            index + 1, after_held, twos, jokers, need, left, natural, mixed, wild, sambas, may_follow
        ):
            return True
        if is_new and not may_start:
            return False
        value = tables.values[row] if row < NATURAL_RANKS else 0
        for naturals in range(held, -1, -1):
            for with_jokers in range(jokers, -1, -1):
                for with_twos in range(twos, -1, -1):
                    wilds = with_twos + with_jokers
                    if naturals + wilds == 0:
                        continue
                    if why_not_cards(tables, row, naturals_there, wilds_there, naturals, wilds) != OK:
                        continue
                    points = (
                        naturals * value + with_twos * tables.values[TWO] + with_jokers * tables.values[JOKER]
                    )
                    kind = self._kind(naturals_there + naturals, wilds_there + wilds)
                    if tables.canasta_bonus_counts and kind >= 0 and kind_before < 0:
                        points += tables.canasta_bonus[kind]
                    again = is_new and (tables.any_sets or (tables.one_open_set and kind >= 0))
                    next_index = index if again else index + 1
                    next_held = held - naturals
                    if not again and (next_index >= len(self.rows) or self.rows[next_index] != row):
                        next_held = self._hand_count(next_index)
                    may_go_on = True
                    if not is_new and not tables.any_sets:
                        may_go_on = tables.one_open_set and kind >= 0
                    if self._lay(
                        next_index,
                        next_held,
                        twos - with_twos,
                        jokers - with_jokers,
                        need - points,
                        left - naturals - wilds,
                        natural + _change(NATURAL, kind_before, kind),
                        mixed + _change(MIXED, kind_before, kind),
                        wild + _change(WILD, kind_before, kind),
                        sambas,
                        may_go_on,
                    ):
                        return True
        return False

    def _kind(self, naturals: int, wilds: int) -> int:
        return self.opening.state.canasta_kind(naturals, wilds)

    def _is_good(self, need: int, left: int, natural: int, mixed: int, wild: int, sambas: int) -> bool:
        """These melds open, and the turn can then be ended."""
        opening = self.opening
        state = opening.state
        tables = state.tables
        canastas = state.canastas[opening.side]
        can_go_out = opening.may_leave and canastas_suffice(
            tables, canastas[0] + natural, canastas[1] + mixed, canastas[2] + wild, canastas[3] + sambas
        )
        has_canasta = (
            canastas[0] + canastas[1] + canastas[2] + canastas[3] + natural + mixed + wild + sambas > 0
        )
        opens = need <= 0 or (tables.canasta_suffices and has_canasta)
        cards = left + opening.due
        if opens and can_stop(state, cards, opening.red_threes, can_go_out):
            return True
        if not can_go_out or opening.due > 0:
            return False
        if tables.concealed_suffices and cards <= 1:
            return True
        black_threes = opening.black_threes
        if black_threes < SMALLEST_MELD or left - black_threes > 1:
            return False
        need -= black_threes * tables.values[BLACK_THREE]
        return opens or need <= 0 or tables.concealed_suffices


def _change(kind: int, before: int, after: int) -> int:
    if before == after:
        return 0
    return int(after == kind) - int(before == kind)
