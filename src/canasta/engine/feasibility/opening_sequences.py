"""Search for the runs of a first meld: every choice for a small hand, one more run for a large one."""

from canasta.engine.cards import NATURAL_RANKS, RANK_OF
from canasta.engine.feasibility.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.feasibility.opening_sets import (
    SetSearch,
    canasta_in_reach,
    canastas_in_reach,
    cards_stranded,
)
from canasta.engine.law.melding import why_not_extend_run
from canasta.engine.law.reasons import OK
from canasta.engine.melds import NO_SUIT, SAMBA, SMALLEST_MELD, pack_run, run_length, run_low, run_suit


class RunSearch:
    """Tries every choice of runs and lays the remaining cards in sets."""

    def __init__(self, opening: OpeningHand, every_way: bool = False) -> None:
        self.opening: OpeningHand = opening
        self.every_way: bool = every_way
        self.sets_fail: bool = False
        """Whether the sets alone are known to be worth too little."""
        self.is_tight: bool = False
        """Whether enough points were found, but never with enough cards left to end the turn."""
        state = opening.state
        self.suits: list[int] = [0, 1, 2, 3] if state.compiled.same_suit else [NO_SUIT]
        self.table_runs: list[int] = opening.runs.copy()
        self.runs_laid: list[int] = []
        """The runs of the choice that is being tried."""
        compiled = state.compiled
        self.longest: int = compiled.canasta_size
        """Maximum length of a new run. Unless a samba earns a bonus, a
        longer run is no better than two shorter ones."""
        if not every_way and not compiled.canasta_bonus_counts:
            self.longest = min(self.longest, 2 * SMALLEST_MELD - 1)
        self.seen: set[tuple[int, ...]] = set()
        self.sets_most: int = UNCLEAR
        """Value of the sets of the whole hand; an upper bound for the sets once a run has used some cards."""
        self.keep: int = 0
        """Upper bound on the meldable cards that must be kept to end the turn."""
        self.settled: list[bool] = [False] * NATURAL_RANKS
        """By rank: whether no further card of the rank goes into a run (in `_cover`)."""
        self.laid: list[int] = [0] * NATURAL_RANKS
        """Number of naturals of each rank that might be laid (in `_worth_trying`)."""

    def succeeds(self, need: int, sambas: int) -> bool:
        if self.every_way or self.opening.state.compiled.canasta_bonus_counts:
            return self._extend(0, need, sambas)
        if self.opening.most_points() == UNCLEAR:
            return self._extend(0, need, sambas)
        self.keep = self.opening.cards_kept(self.opening.counts)
        return self._cover(need)

    def succeeds_with_one(self, need: int) -> bool:
        """Return whether no run, one new run or one growing run, plus sets, is worth `need`."""
        if self._is_plain(need, False):
            return True
        self.sets_most = self.opening.most_points()
        compiled = self.opening.state.compiled
        by_points_alone = not compiled.canasta_bonus_counts and not compiled.canasta_suffices
        if by_points_alone and not self.table_runs and not self.worth_trying(need):
            return False
        for run in self.table_runs:
            if self._grows(run_suit(run), run_low(run), run_length(run), need):
                return True
        for suit in self.suits:
            for start in range(NATURAL_RANKS - SMALLEST_MELD + 1):
                if self._grows(suit, start, 0, need):
                    return True
        return False

    def _grows(self, suit: int, low: int, length: int, need: int) -> bool:
        """Try growing a run of `length` cards as far as possible both ways; a new run (0) only upwards."""
        opening = self.opening
        compiled = opening.state.compiled
        first = low
        points = 0
        found = False
        while not found:
            end = low + length
            while not found and end - first < compiled.canasta_size:
                if end >= NATURAL_RANKS or not opening.holds(end, suit):
                    break
                opening.move_card(end, suit, -1)
                points += compiled.values[end]
                end += 1
                found = self._is_good_run(first, end, need - points)
            points -= self._put_back(suit, low + length, end - low - length)
            if found or length == 0 or first == 0 or low + length - first >= compiled.canasta_size:
                break
            if not opening.holds(first - 1, suit):
                break
            first -= 1
            opening.move_card(first, suit, -1)
            points += compiled.values[first]
            found = self._is_good_run(first, low + length, need - points)
        self._put_back(suit, first, low - first)
        return found

    def _is_good_run(self, first: int, end: int, need: int) -> bool:
        if end - first < SMALLEST_MELD:
            return False
        done = 1 if end - first == self.opening.state.compiled.canasta_size else 0
        if done == 0 and UNCLEAR < self.sets_most < need:
            return False
        return self._is_plain(need - self._samba_bonus(done), done > 0)

    def _is_plain(self, need: int, has_samba: bool) -> bool:
        """Return whether the closed form, or a lower bound of it, provides the missing sets."""
        opening = self.opening
        if need <= 0 or (has_samba and opening.state.compiled.canasta_suffices):
            if opening.can_stop_with(opening.size):
                return True
        return opening.opens_plainly(need)

    def worth_trying(self, need: int) -> bool:
        """Return whether new runs and sets could be worth what is needed, with no run on the table."""
        return self._worth_trying(need, 0, 0, 0)

    def _worth_trying(self, need: int, suit_index: int, low: int, grown: int) -> bool:
        """Return whether the cards that can still be laid could be worth `need`.

        New runs start at this suit and rank or later, and the first `grown` runs on the table have already
        grown. A single card of a rank, or a pair without a wild, needs a run. Cards that must be kept to end
        the turn do not count.
        """
        opening = self.opening
        compiled = opening.state.compiled
        wilds = opening.twos + opening.jokers
        laid = self.laid
        total = opening.wild_points(wilds)
        for rank in range(NATURAL_RANKS):
            count = opening.counts[rank]
            if 0 < count < SMALLEST_MELD and opening.naturals[compiled.slots.first_slot(rank)] == 0:
                if count == 1 or wilds == 0:
                    count = min(count, self._ahead(rank, suit_index, low, grown))
            laid[rank] = count
            total += count * compiled.values[rank]
        if total < need:
            return False
        if total - opening.points_kept(laid) >= need:
            return True
        self.is_tight = True
        return False

    def _ahead(self, rank: int, suit_index: int, low: int, grown: int) -> int:
        """Return an upper bound on the cards of this rank that runs can still use.

        These are new runs from this suit and rank on, and runs on the table that have not grown yet.
        """
        count = 0
        for index in range(grown, len(self.table_runs)):
            if self._could_reach(self.table_runs[index], rank):
                count += 1
        for index in range(suit_index, len(self.suits)):
            suit = self.suits[index]
            if self._is_free(rank, suit) and self._in_sequence(rank, suit, low if index == suit_index else 0):
                count += self._number(rank, suit)
        return count

    def _could_reach(self, run: int, rank: int) -> bool:
        """Return whether a run on the table could grow to include this rank."""
        suit = run_suit(run)
        low = run_low(run)
        end = low + run_length(run)
        if max(end, rank + 1) - min(low, rank) > self.opening.state.compiled.canasta_size:
            return False
        between = range(end, rank + 1) if rank >= end else range(rank, low)
        return len(between) > 0 and all(self._is_free(other, suit) for other in between)

    def _in_sequence(self, rank: int, suit: int, low: int) -> bool:
        """Return whether the hand has three consecutive cards, from `low` on, that include this rank."""
        streak = 0
        for other in range(max(low, rank - 2), min(rank + 3, NATURAL_RANKS)):
            streak = streak + 1 if self._is_free(other, suit) else 0
            if streak >= SMALLEST_MELD:
                return True
        return False

    # -- runs that the sets need --------------------------------------------------------------------------

    def _cover(self, need: int) -> bool:
        """Lay sets by the closed form, and runs for the cards that sets cannot hold.

        A rank with three cards left, or with a set on the table, can be laid completely in sets without
        losing room for a wild. A run made only of such cards is never needed. So the search goes through the
        ranks that have too few cards: for each, either no run uses its cards, or one of the possible runs
        does. Because a card to be kept may come from any rank, a rank must have one or two cards more to
        count.
        """
        opening = self.opening
        opening.state.compiled.looked_at += 1
        key = (*opening.cards, *opening.counts, *self.table_runs, *map(int, self.settled))
        if key in self.seen:
            return False
        self.seen.add(key)
        if not self._worth_trying(need, 0, 0, 0):
            return False
        if self._try_sets(need, 0):
            return True
        rank = self._next_to_cover()
        if rank == NATURAL_RANKS:
            return False
        for index in range(len(self.table_runs)):
            if self._could_reach(self.table_runs[index], rank) and self._covers_by_growing(index, rank, need):
                return True
        for suit in self.suits:
            for start in range(max(0, rank - self.longest + 1), rank + 1):
                if self._covers_by_new(suit, start, rank, need):
                    return True
        self.settled[rank] = True
        found = self._cover(need)
        self.settled[rank] = False
        return found

    def _next_to_cover(self) -> int:
        opening = self.opening
        slots = opening.state.compiled.slots
        for rank in range(NATURAL_RANKS):
            if not self.settled[rank] and 0 < opening.counts[rank] < SMALLEST_MELD + self.keep:
                if opening.naturals[slots.first_slot(rank)] == 0:
                    return rank
        return NATURAL_RANKS

    def _covers_by_growing(self, index: int, rank: int, need: int) -> bool:
        """Try a run on the table that grows up or down to this rank."""
        run = self.table_runs[index]
        suit = run_suit(run)
        low = run_low(run)
        end = low + run_length(run)
        first = rank if rank < low else end
        count = low - rank if rank < low else rank + 1 - end
        for other in range(first, first + count):
            self.opening.move_card(other, suit, -1)
            need -= self.opening.state.compiled.values[other]
        self.table_runs[index] = pack_run(suit, min(low, rank), end - low + count)
        found = self._cover(need)
        self.table_runs[index] = run
        self._put_back(suit, first, count)
        return found

    def _covers_by_new(self, suit: int, start: int, rank: int, need: int) -> bool:
        """Try new runs from `start` on that include this rank."""
        end = start
        found = False
        while not found and end - start < self.longest and end < NATURAL_RANKS and self._is_free(end, suit):
            self.opening.move_card(end, suit, -1)
            need -= self.opening.state.compiled.values[end]
            end += 1
            found = end > rank and end - start >= SMALLEST_MELD and self._cover(need)
        self._put_back(suit, start, end - start)
        return found

    def _is_free(self, rank: int, suit: int) -> bool:
        """Return whether a card of this rank and suit can still go into a run."""
        return not self.settled[rank] and self.opening.holds(rank, suit)

    # -- every choice of runs ----------------------------------------------------------------------------

    def _extend(self, index: int, need: int, sambas: int) -> bool:
        """Choose how far each run on the table grows, from the index-th on."""
        if index > 0 and self._was_here(-index, 0, need, sambas):
            return False
        if index == len(self.table_runs):
            return self._start(0, 0, need, sambas)
        opening = self.opening
        compiled = opening.state.compiled
        compiled.looked_at += 1
        if not self._worth_trying(need, 0, 0, index) and not self._has_other_ways(0, 0, index, sambas):
            return False
        run = self.table_runs[index]
        suit = run_suit(run)
        low = run_low(run)
        length = run_length(run)
        down = 0
        while True:
            up = 0
            while True:
                grown = length + down + up
                done = 1 if down + up > 0 and grown == compiled.canasta_size else 0
                self.runs_laid.append(pack_run(suit, low - down, grown))
                found = self._extend(index + 1, need - self._samba_bonus(done), sambas + done)
                self.runs_laid.pop()
                if found:
                    self._put_back(suit, low + length, up)
                    self._put_back(suit, low - down, down)
                    return True
                rank = low + length + up
                if grown == compiled.canasta_size or rank >= NATURAL_RANKS or not opening.holds(rank, suit):
                    break
                opening.move_card(rank, suit, -1)
                need -= compiled.values[rank]
                up += 1
            need += self._put_back(suit, low + length, up)
            rank = low - down - 1
            if length + down == compiled.canasta_size or rank < 0 or not opening.holds(rank, suit):
                break
            opening.move_card(rank, suit, -1)
            need -= compiled.values[rank]
            down += 1
        self._put_back(suit, low - down, down)
        return False

    def _was_here(self, place: int, low: int, need: int, sambas: int) -> bool:
        """Return whether the search has visited this node before, and mark it as visited."""
        opening = self.opening
        hand = opening.cards[: 4 * NATURAL_RANKS] if opening.cards else opening.counts
        key = (place, low, need, sambas, int(self._fits_a_samba()), *hand)
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def _put_back(self, suit: int, low: int, count: int) -> int:
        """Put a run's cards back into the hypothetical hand and return their value."""
        points = 0
        for rank in range(low, low + count):
            self.opening.move_card(rank, suit, 1)
            points += self.opening.state.compiled.values[rank]
        return points

    def _samba_bonus(self, done: int) -> int:
        compiled = self.opening.state.compiled
        return compiled.canasta_bonus[SAMBA] if done and compiled.canasta_bonus_counts else 0

    def _start(self, suit_index: int, low: int, need: int, sambas: int) -> bool:
        """Try sets of the remaining cards, then every new run from this suit and rank on."""
        opening = self.opening
        compiled = opening.state.compiled
        compiled.looked_at += 1
        if self.runs_laid and self._was_here(suit_index, low, need, sambas):
            return False
        grown = len(self.table_runs)
        if not self._worth_trying(need, suit_index, low, grown):
            if not self._has_other_ways(suit_index, low, grown, sambas):
                return False
        if (self.runs_laid or not self.sets_fail) and self._try_sets(need, sambas):
            return True
        for index in range(suit_index, len(self.suits)):
            suit = self.suits[index]
            for start in range(low if index == suit_index else 0, NATURAL_RANKS - SMALLEST_MELD + 1):
                length = 0
                points = 0
                while (
                    length < self.longest
                    and start + length < NATURAL_RANKS
                    and opening.holds(start + length, suit)
                ):
                    opening.move_card(start + length, suit, -1)
                    points += compiled.values[start + length]
                    length += 1
                while length >= SMALLEST_MELD:
                    done = 1 if length == compiled.canasta_size else 0
                    self.runs_laid.append(pack_run(suit, start, length))
                    found = self._start(index, start, need - points - self._samba_bonus(done), sambas + done)
                    self.runs_laid.pop()
                    if found:
                        self._put_back(suit, start, length)
                        return True
                    length -= 1
                    opening.move_card(start + length, suit, 1)
                    points -= compiled.values[start + length]
                self._put_back(suit, start, length)
        return False

    def _has_other_ways(self, suit_index: int, low: int, grown: int, sambas: int) -> bool:
        """Return whether a canasta or going out could replace the minimum (see `_worth_trying`)."""
        if not self.every_way:
            return False
        opening = self.opening
        compiled = opening.state.compiled
        ahead = self._sambas_ahead(suit_index, low, grown)
        if compiled.canasta_suffices or compiled.canasta_bonus_counts:
            canastas = sambas + ahead + sum(opening.state.canasta_counts(opening.side))
            if canastas > 0 or canasta_in_reach(opening):
                return True
        if not opening.may_leave:
            return False
        stranded = cards_stranded(opening)
        for rank in range(NATURAL_RANKS):
            if stranded > 1 and opening.counts[rank] < SMALLEST_MELD:
                stranded -= self._ahead(rank, suit_index, low, grown)
        if stranded > 1:
            return False
        return canastas_in_reach(opening, sambas + ahead)

    def _sambas_ahead(self, suit_index: int, low: int, grown: int) -> int:
        """Return an upper bound on the sambas from runs that are still to be chosen (see `_ahead`)."""
        size = self.opening.state.compiled.canasta_size
        count = 0
        for index in range(grown, len(self.table_runs)):
            run = self.table_runs[index]
            if run_length(run) < size and self._fits(run_suit(run), run_low(run), run_length(run), 0):
                count += 1
        for index in range(suit_index, len(self.suits)):
            suit = self.suits[index]
            if self._fits(suit, 0, 0, low if index == suit_index else 0):
                # Every samba contains the ranks in the middle.
                middle = range(NATURAL_RANKS - size, size)
                count += min((self._number(rank, suit) for rank in middle), default=self.opening.size // size)
        return count

    def _fits(self, suit: int, first: int, length: int, low: int) -> bool:
        """Return whether the hand can complete some samba from `low` on, around an existing run if any."""
        size = self.opening.state.compiled.canasta_size
        for start in range(low, NATURAL_RANKS - size + 1):
            if length > 0 and not start <= first <= start + size - length:
                continue
            ranks = range(start, start + size)
            if all(first <= rank < first + length or self.opening.holds(rank, suit) for rank in ranks):
                return True
        return False

    def _number(self, rank: int, suit: int) -> int:
        opening = self.opening
        return opening.counts[rank] if suit == NO_SUIT else opening.cards[rank * 4 + suit]

    def _sets_have_other_ways(self, sambas: int) -> bool:
        """Return the same as `_has_other_ways`, after all runs are laid."""
        opening = self.opening
        compiled = opening.state.compiled
        if compiled.canasta_suffices or compiled.canasta_bonus_counts:
            if sambas > 0 or canasta_in_reach(opening):
                return True
        if not opening.may_leave or opening.state.foot_waits(opening.state.turn):
            return False
        return cards_stranded(opening) <= 1 and canastas_in_reach(opening, sambas)

    def _try_sets(self, need: int, sambas: int) -> bool:
        opening = self.opening
        if not self.every_way:
            if need <= 0 and opening.can_stop_with(opening.size):
                return True
            points = opening.most_points()
            if points != UNCLEAR:
                if points < need:
                    return False
                if opening.can_stop_with(opening.size - opening.used) or opening.keeps_enough(need):
                    return True
                self.is_tight = True
                return False
            if opening.opens_plainly(need):
                return True
        elif opening.most_points() != UNCLEAR and not self._sets_have_other_ways(sambas):
            return False
        if not self._worth_trying(
            need, len(self.suits), 0, len(self.table_runs)
        ) and not self._sets_have_other_ways(sambas):
            return False
        return SetSearch(opening, self._fits_a_samba()).succeeds(need, sambas)

    def _fits_a_samba(self) -> bool:
        """Return whether the one card that comes with the pile would complete a run to a samba."""
        kind = self.opening.due_kind
        size = self.opening.state.compiled.canasta_size
        if kind < 0 or RANK_OF[kind] >= NATURAL_RANKS:
            return False
        return any(
            run_length(run) == size - 1
            and why_not_extend_run(self.opening.state, run, RANK_OF[kind], kind & 3) == OK
            for run in self.runs_laid
        )
