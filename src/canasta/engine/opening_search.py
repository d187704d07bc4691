"""Every way to lay a first meld, for the hands that the closed form cannot decide."""

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_RANKS, RANK_OF, TWO, is_wild
from canasta.engine.going_out import can_stop, canastas_suffice
from canasta.engine.melding import SMALLEST_MELD, why_not_cards, why_not_extend_run
from canasta.engine.moves import ROW_WILD
from canasta.engine.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.reasons import OK
from canasta.engine.state import MIXED, NATURAL, NO_SUIT, SAMBA, WILD, pack_run, run_length, run_low, run_suit


class RunSearch:
    """Tries every choice of runs, the sets of what is left by the closed form (or by every way)."""

    def __init__(self, opening: OpeningHand, every_way: bool = False) -> None:
        self.opening: OpeningHand = opening
        self.every_way: bool = every_way
        self.is_tight: bool = False
        """Enough points were found, but never with enough cards left to end the turn."""
        state = opening.state
        self.suits: list[int] = [0, 1, 2, 3] if state.tables.same_suit else [NO_SUIT]
        self.table_runs: list[int] = opening.runs
        self.chosen: list[int] = []
        """The runs as they lie in the choice that is being tried."""

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
                self.chosen.append(pack_run(suit, low - down, grown))
                found = self._extend(index + 1, need - self._samba_bonus(done), sambas + done)
                self.chosen.pop()
                if found:
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
                    self.chosen.append(pack_run(suit, start, length))
                    found = self._start(index, start, need - points - self._samba_bonus(done), sambas + done)
                    self.chosen.pop()
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
        if self.every_way:
            return SetSearch(opening, self._fits_a_samba()).succeeds(need, sambas)
        points = opening.most_points()
        if points == UNCLEAR:
            return SetSearch(opening, self._fits_a_samba()).succeeds(need, sambas)
        if points < need:
            return False
        if need <= 0 and opening.can_stop_with(opening.size):
            return True
        if opening.can_stop_with(opening.size - opening.used):
            return True
        self.is_tight = True
        return False

    def _fits_a_samba(self) -> bool:
        """The one card that comes with the pile would complete a run to a samba."""
        kind = self.opening.due_kind
        size = self.opening.state.tables.canasta_size
        if kind < 0 or RANK_OF[kind] >= NATURAL_RANKS:
            return False
        return any(
            run_length(run) == size - 1
            and why_not_extend_run(self.opening.state, run, RANK_OF[kind], kind & 3) == OK
            for run in self.chosen
        )


class SetSearch:
    """Every way to lay sets: the cards on the table may grow, new sets may start, in the order of rows."""

    def __init__(self, opening: OpeningHand, fits_a_samba: bool = False) -> None:
        self.opening: OpeningHand = opening
        self.first_gains: int = 1 << SAMBA if fits_a_samba else 0
        state = opening.state
        slots = state.tables.slots
        self.rows: list[int] = []
        self.there: list[tuple[int, int]] = []
        """For each thing that can be done, its row and the naturals and wilds that lie there."""
        on_table = sorted(opening.sets)
        for row in range(ROW_WILD + 1):
            for slot in on_table:
                if slot // slots == row:
                    self._offer(row, opening.naturals[slot], opening.wilds[slot])
            if row < ROW_WILD or state.tables.wild_melds:
                self._offer(row, 0, 0)
        self.seen: set[tuple[int, ...]] = set()

    def _offer(self, row: int, naturals: int, wilds: int) -> None:
        self.rows.append(row)
        self.there.append((naturals, wilds))

    def succeeds(self, need: int, sambas: int) -> bool:
        self.seen = set()
        opening = self.opening
        held = self._hand_count(0)
        gains = self.first_gains
        return self._lay(
            0, held, opening.twos, opening.jokers, need, opening.size, 0, 0, 0, sambas, True, gains
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
        gains: int,
    ) -> bool:
        """Choose what is laid from the index-th offer on, `held` naturals of its row being in hand.

        `gains` collects what a single card that comes with the pile could make of the sets (`_gain`).
        """
        if index == len(self.rows):
            return self._is_good(need, left, natural, mixed, wild, sambas, gains)
        key = (index, held, twos, jokers, need, left, natural, mixed, wild, sambas, int(may_start), gains)
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
        kept = gains | self._gain(row, naturals_there, wilds_there)
        if self._lay(
            index + 1,
            after_held,
            twos,
            jokers,
            need,
            left,
            natural,
            mixed,
            wild,
            sambas,
            may_follow,
            kept,
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
                        gains | self._gain(row, naturals_there + naturals, wilds_there + wilds),
                    ):
                        return True
        return False

    def _gain(self, row: int, naturals: int, wilds: int) -> int:
        """A bit for the change of canasta that the one card of the pile would bring to this set, or 0."""
        kind = self.opening.due_kind
        if kind < 0 or naturals + wilds == 0:
            return 0
        rank = RANK_OF[kind]
        wild = 1 if is_wild(rank) else 0
        tables = self.opening.state.tables
        if (rank != row and not wild) or why_not_cards(tables, row, naturals, wilds, 1 - wild, wild) != OK:
            return 0
        before = self._kind(naturals, wilds)
        after = self._kind(naturals + 1 - wild, wilds + wild)
        return 0 if after < 0 or after == before else 1 << (4 * (before + 1) + after)

    def _kind(self, naturals: int, wilds: int) -> int:
        return self.opening.state.canasta_kind(naturals, wilds)

    def _is_good(
        self, need: int, left: int, natural: int, mixed: int, wild: int, sambas: int, gains: int
    ) -> bool:
        """These melds open, and the turn can then be ended."""
        opening = self.opening
        state = opening.state
        tables = state.tables
        canastas = state.canastas[opening.side]
        after = [canastas[0] + natural, canastas[1] + mixed, canastas[2] + wild, canastas[3] + sambas]
        can_go_out = opening.may_leave and canastas_suffice(tables, after[0], after[1], after[2], after[3])
        opens = need <= 0 or (tables.canasta_suffices and sum(after) > 0)
        cards = left + opening.due
        if opens and can_stop(state, cards, opening.red_threes, can_go_out):
            return True
        if opens and left == 0 and gains > 0 and opening.may_leave and self._last_card_suffices(after, gains):
            return True
        if not can_go_out or state.foot_waits[state.turn]:
            return False
        concealed_suffices = tables.concealed_suffices and opening.due == 0
        if concealed_suffices and cards <= 1:
            return True
        black_threes = opening.black_threes
        others = cards - black_threes
        if black_threes < SMALLEST_MELD or others > (0 if state.no_discard or opening.red_threes else 1):
            return False
        need -= black_threes * tables.values[BLACK_THREE]
        return opens or need <= 0 or concealed_suffices

    def _last_card_suffices(self, canastas: list[int], gains: int) -> bool:
        """Laying the one card that came with the pile gives the canastas to go out."""
        for bit in range(16):
            if gains >> bit & 1:
                after = canastas.copy()
                after[bit % 4] += 1
                if bit >= 4:
                    after[bit // 4 - 1] -= 1
                if canastas_suffice(self.opening.state.tables, after[0], after[1], after[2], after[3]):
                    return True
        return False


def _change(kind: int, before: int, after: int) -> int:
    if before == after:
        return 0
    return int(after == kind) - int(before == kind)
