"""A ruleset compiled for play: the numbers that the engine looks up at every step."""

from typing import Final

from mypy_extensions import i64

from canasta.engine.actions.codec import (
    ANY_PAIR,
    ANY_SUIT,
    ANY_TRIPLE,
    PAIRS_HELD,
    SUITS_HELD,
    TRIPLES_HELD,
    StepLayout,
    layout_for,
)
from canasta.engine.cards import (
    ACE,
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    CALIENTE_CARD,
    EIGHT,
    JOKER,
    KINDS,
    NATURAL_CARD,
    NATURAL_RANKS,
    PLACES,
    RANK_OF,
    RANKS,
    RED_THREE,
    SEVEN,
    STOP_CARD,
    TWO,
    WILD_CARD,
    full_deck,
)
from canasta.engine.family import Family
from canasta.engine.law.reasons import OK
from canasta.engine.layout import Offsets, Slots
from canasta.engine.melds import NO_ROW, ROW_BLACK_THREES, ROW_THREES, ROW_WILD, MeldName
from canasta.engine.rule_tables import (
    NO_LIMIT,
    GrowingSets,
    ScoreTables,
    ways_of_taking,
    why_not_naturals,
    wilds_allowed,
)
from canasta.engine.seating import Places, sides_of_seats
from canasta.engine.sequences import ENDS, FREE, LOCKED, RunRules
from canasta.rules.model import MeldRules, Ruleset
from canasta.rules.special_hands import SPECIAL_HANDS, SpecialHand


def roles_of_ranks(rules: Ruleset) -> list[int]:
    """Return the role of each rank. This is the only place where a ruleset changes the use of a rank."""
    roles = [NATURAL_CARD] * RANKS
    roles[TWO] = WILD_CARD
    roles[JOKER] = WILD_CARD
    if rules.deck.threes == "special":
        roles[RED_THREE] = BONUS_CARD
        roles[BLACK_THREE] = STOP_CARD
    elif rules.deck.threes == "bonus":
        roles[RED_THREE] = BONUS_CARD
        roles[BLACK_THREE] = BONUS_CARD
    roles[CALIENTE] = CALIENTE_CARD
    return roles


WILDS_FREE: Final = 0
WILDS_IN_OPENING: Final = 1
WILDS_NEVER: Final = 2
_WILDS_IN_RANK: Final = {"free": WILDS_FREE, "opening": WILDS_IN_OPENING, "never": WILDS_NEVER}


def _most_sets(melds: MeldRules, naturals: int, wilds: int) -> int:
    """Return the maximum number of sets of one rank (or of wilds) that a side could have."""
    if melds.sets_per_rank == "one":
        return 1
    if melds.sets_per_rank == "any":
        return max(naturals // 2, wilds // 3)
    # All but the last must be closed canastas.
    fewest = max(2, melds.canasta_size - melds.most_wilds) if melds.most_wilds > 0 else 2
    return max(naturals // fewest, wilds // melds.canasta_size) + 1


def card_values(rules: Ruleset) -> list[int]:
    """Return the point value of a card, by rank."""
    deck = rules.deck
    values = [0] * RANKS
    for rank in range(NATURAL_RANKS):
        values[rank] = deck.high_value if rank >= EIGHT else deck.low_value
    values[ACE] = deck.ace_value
    values[TWO] = deck.two_value
    values[JOKER] = deck.joker_value
    values[BLACK_THREE] = deck.black_three_value
    values[RED_THREE] = deck.black_three_value if deck.threes == "natural" else 0
    values[CALIENTE] = 0
    return values


def _rank_of_each_kind(rules: Ruleset) -> bytes:
    """Return the rank of each kind. In games with natural threes, all threes share one rank."""
    if rules.deck.threes == "natural":
        return bytes([BLACK_THREE if rank == RED_THREE else rank for rank in RANK_OF])
    return bytes(RANK_OF)


def _freezes(rules: Ruleset, role: int) -> bool:
    """Return whether a card of this role freezes the pile. Nothing freezes a pile that is taken whole."""
    return role in (WILD_CARD, BONUS_CARD) and rules.pile.take == "meld_top"


_WILD_MOVES: Final = {"locked": LOCKED, "ends": ENDS, "free": FREE}


def _run_rules(rules: Ruleset) -> RunRules:
    melds = rules.melds
    return RunRules(
        most=melds.run_most,
        wilds=melds.run_wilds,
        low_ace=melds.run_ace == "both",
        natural_twos=rules.deck.natural_twos,
        wild_moves=_WILD_MOVES[melds.wild_moves],
    )


def _set_rows(rules: Ruleset) -> list[int]:
    """Return the rows that may hold sets of natural cards."""
    if rules.melds.set_ranks == "none":
        return []
    threes = [ROW_BLACK_THREES] if rules.deck.threes == "natural" else []
    return [ACE, *threes] if rules.melds.set_ranks == "aces_threes" else [*range(NATURAL_RANKS), *threes]


def size_bit(count: i64) -> i64:
    """Return what a rank with `count` cards adds to the shape of a hand.

    The shape of a hand is the sum over its ranks: for each count, four bits hold the number of ranks with
    that many cards.
    """
    return 1 << 4 * min(count, 15)


def _shape(hand: SpecialHand) -> int:
    """Return the shape of a special hand: its natural ranks, and twos and jokers if they form groups."""
    groups = (1,) * NATURAL_RANKS if hand.each else hand.groups + (2,) * len(hand.must)
    ranks = NATURAL_RANKS + 2 if hand.wilds[0] == "groups" else NATURAL_RANKS
    return sum([size_bit(size) for size in groups]) + (ranks - len(groups)) * size_bit(0)


class CompiledRules:
    """A ruleset as plain attributes, for the hot paths of the engine. `compile_rules` creates one."""

    def __init__(self, rules: Ruleset, family: Family) -> None:
        self.rules: Ruleset = rules
        self.family: Family = family
        self._places: dict[tuple[int, ...], Places] = {}
        self.looked_at: int = 0
        """Number of nodes visited by first-meld searches, used to limit their work."""
        self.values: list[int] = card_values(rules)
        """Point value of a card, by rank."""
        roles = roles_of_ranks(rules)
        self.role_of_rank: bytes = bytes(roles)
        """Role of a card, by rank."""
        self.rank_of: bytes = _rank_of_each_kind(rules)
        self.role_of: bytes = bytes([roles[rank] for rank in self.rank_of])
        """Role of a card, by kind."""
        self.bonus_ranks: list[int] = [rank for rank in range(RANKS) if roles[rank] == BONUS_CARD]
        self.stop_ranks: list[int] = [rank for rank in range(RANKS) if roles[rank] == STOP_CARD]
        self.freezes: list[bool] = [_freezes(rules, role) for role in self.role_of]
        """By kind: whether such a card freezes the pile it is in (PILE-8)."""
        self.deck: list[int] = full_deck(rules.deck.decks, rules.deck.caliente_cards)
        """Every card of the game, in deck order. Never changed."""
        self.of_kind: list[int] = [self.deck.count(kind) for kind in range(KINDS)]
        """Number of cards of each kind in the game."""
        self.of_rank: list[int] = [0] * RANKS
        """Number of cards of each rank in the game."""
        for kind in range(KINDS):
            self.of_rank[self.rank_of[kind]] += self.of_kind[kind]
        self.bonus_cards: int = sum([self.of_rank[rank] for rank in self.bonus_ranks])
        """Number of bonus cards in the game."""
        self.ways_of_taking: bytes = ways_of_taking(rules.pile)
        # These are attributes because compiled code looks up a global list by name on every use.
        self.kinds_of: list[list[int]] = [
            [kind for kind in range(KINDS) if self.rank_of[kind] == rank] for rank in range(RANKS)
        ]
        self.any_suit: list[int] = [ANY_SUIT]
        self.any_pair: list[int] = [ANY_PAIR]
        self.any_triple: list[int] = [ANY_TRIPLE]
        self.suits_held: list[list[int]] = SUITS_HELD
        self.pairs_held: list[list[int]] = PAIRS_HELD
        self.triples_held: list[list[int]] = TRIPLES_HELD
        naturals = 4 * rules.deck.decks
        self.wild_room: list[int] = [wilds_allowed(rules.melds, n) for n in range(naturals + 1)]

        self.even_wild_room: bool = min(self.wild_room[2:]) == max(self.wild_room[2:])
        """Whether every set may hold the same number of wilds."""

        melds = rules.melds
        self.canasta_size: int = melds.canasta_size
        self.largest_set: int = melds.largest_set if melds.largest_set > 0 else NO_LIMIT
        self.wilds_on_canasta: bool = melds.wilds_on_canasta
        self.one_set: bool = melds.sets_per_rank == "one"
        self.sets_close: bool = self.one_set and self.largest_set == self.canasta_size
        """Whether a completed canasta closes its rank to further melds."""
        self.one_open_set: bool = melds.sets_per_rank == "one_open"
        self.any_sets: bool = melds.sets_per_rank == "any"
        self.set_room: int = self.wild_room[2]
        """Number of wilds that a set of two naturals may hold."""
        self.even_sets: bool = (
            self.even_wild_room
            and max(self.wild_room) == self.set_room > 0
            and self.largest_set >= self.canasta_size
        )
        """Whether naturals never change how many wilds a set may hold, and every set may become a canasta."""
        self.runs: bool = melds.runs
        self.same_suit: bool = melds.runs and melds.same_suit_runs
        with_places = melds.runs and melds.run_most > 0
        self.longest_run: int = PLACES if with_places else melds.canasta_size
        """Largest number of cards in a sequence."""
        self.run_rules: RunRules = _run_rules(rules)
        self.natural_threes: bool = rules.deck.threes == "natural"
        self.stop_row: int = NO_ROW if self.natural_threes else ROW_BLACK_THREES
        """Row of black threes, melded only when going out; `NO_ROW` if threes are natural cards."""
        self.name_of_row: list[int] = [*range(NATURAL_RANKS), ROW_WILD, ROW_BLACK_THREES]
        """By row: the row used in the names of its sets (see `MeldName.row`)."""
        if self.natural_threes:
            self.name_of_row[ROW_BLACK_THREES] = ROW_THREES
        self.rank_of_row: list[int] = [*range(NATURAL_RANKS), TWO, BLACK_THREE]
        """The rank of the naturals in each row."""
        self.set_rows: list[int] = _set_rows(rules)
        self.wild_melds: bool = melds.wild_melds
        self.largest_wild_meld: int = melds.canasta_size if melds.wild_canasta_closed else NO_LIMIT
        most_sets = _most_sets(melds, naturals, 6 * rules.deck.decks)
        self.layout: StepLayout = layout_for(most_sets, with_places)
        self.slots: Slots = self.layout.slots
        self.empty_slots: list[int] = [0] * self.slots.count
        """Card counts for a side without sets. Never changed."""
        self.offsets: Offsets = Offsets(
            rules.seats.players, rules.seats.sides, self.slots.count, len(self.deck)
        )
        self.growing: GrowingSets = GrowingSets(melds, self.wild_room, 6 * rules.deck.decks)
        self.pair_and_wild: bool = why_not_naturals(melds, self.wild_room, 0, 0, 2, 1) == OK
        """Whether two naturals and a wild make a valid set."""

        self.naturals_before_wild: int = melds.naturals_before_wild
        self.dead_ranks: bool = melds.dead_ranks
        self.wild_lock: bool = melds.wild_lock
        self.rank_wilds: list[int] = [WILDS_FREE] * NATURAL_RANKS
        """By rank: whether a set may hold wild cards (MELD-10)."""
        self.rank_wilds[SEVEN] = _WILDS_IN_RANK[rules.sevens.wilds]
        self.rank_wilds[ACE] = _WILDS_IN_RANK[rules.aces.wilds]
        self.discard_only_wilds: bool = rules.discards.wilds == "only_wilds"
        self.empty_pile_bars: bool = rules.discards.empty_pile_bars
        self.discards_vary: bool = self.discard_only_wilds or self.empty_pile_bars
        """Whether some ranks, besides bonus cards, can't be discarded at times (DISC-6, DISC-7)."""
        self.last_face_down: bool = rules.discards.last_face_down

        self.bonus_threes: bool = rules.deck.threes == "bonus"
        self.threes_on_turn: bool = rules.turn.threes_at == "turn"
        self.keep_three: bool = rules.turn.keep_three
        self.talon: tuple[int, ...] = rules.turn.talon
        self.talon_floor: int = rules.turn.talon_floor
        self.starts_turn: bool = self.threes_on_turn or len(self.talon) > 0
        """Whether anything happens automatically at the start of a turn."""

        self.draw: int = rules.turn.draw
        self.by_hand: bool = rules.turn.lay_bonus_by_hand
        self.keep_last_card: bool = rules.turn.keep_last_card

        pile = rules.pile
        self.always_frozen: bool = pile.always_frozen
        """Whether the pile counts as frozen even without a freezing card in it (PILE-9)."""
        self.first_meld_needs_pair: bool = pile.first_meld_needs_pair
        self.natural_and_wild: bool = pile.natural_and_wild
        self.add_to_meld: bool = pile.add_to_meld
        self.add_to_canasta: bool = pile.add_to_canasta
        self.add_to_run: bool = pile.add_to_run
        self.bars_first_player: bool = pile.bars_first_player
        self.one_card_must_go_out: bool = pile.one_card_hand == "must_go_out"
        self.one_card_not_single: bool = pile.one_card_hand in ("not_single", "not_single_while_stock")
        self.single_at_stock_end: bool = pile.one_card_hand == "not_single_while_stock"
        self.put_back: bool = pile.put_back
        self.free_take: bool = pile.take == "free"
        self.use_top: bool = pile.take == "use_top"
        self.takes_at_once: bool = self.free_take or self.use_top
        """Whether one step takes the whole pile, before anything is melded."""
        self.no_return: bool = pile.no_return

        opening = rules.opening
        self.no_opening: bool = self.takes_at_once and max(opening.minimums, default=0) == 0
        """Whether first melds have no requirements, so that every side may meld freely from the start."""
        self.top_card_counts: bool = opening.top_card_counts and not opening.from_hand
        self.pure_meld: bool = opening.pure_meld != "no"
        self.pure_wilds: bool = opening.pure_meld == "any"
        self.from_hand: bool = opening.from_hand
        self.pair_apart: bool = pile.opening_pair == "apart"
        self.mixed_canasta_opens: bool = opening.mixed_canasta
        self.splash: bool = opening.splash
        self.canasta_suffices: bool = opening.canasta_suffices
        self.concealed_suffices: bool = opening.concealed_suffices
        self.canasta_bonus_counts: bool = opening.canasta_bonus_counts
        self.score: ScoreTables = ScoreTables(rules, self.values, roles, self.of_rank)
        self.canasta_bonus: list[int] = self.score.canasta

        going_out = rules.going_out
        self.canastas_needed: int = going_out.canastas
        self.kinds_needed: list[int] = [
            going_out.natural,
            going_out.mixed,
            going_out.wild,
            going_out.sequence,
        ]
        self.out_by_discard: bool = going_out.by == "discard"
        self.natural_last: bool = going_out.last_discard == "natural"
        self.unfinished_bars: bool = going_out.unfinished_bars
        self.special_hands: tuple[SpecialHand, ...] = SPECIAL_HANDS[going_out.special_hands]
        self.special_shapes: set[int] = {_shape(hand) for hand in self.special_hands}
        """The shapes of the special hands (see `size_bit`)."""
        self.ask_limit: int = going_out.ask_limit
        self.must_ask: bool = going_out.ask == "must"
        self.may_ask: bool = going_out.ask != "no"

        end = rules.stock_end
        self.one_taker: bool = end.after_last_card == "one_taker"
        self.taker_bonus: bool = end.taker_bonus
        self.last_draw_ends: bool = end.after_last_card == "ends"
        self.floor: int = end.floor
        self.pot_becomes_stock: bool = end.pot_becomes_stock
        self.most_turns: int = end.most_turns
        self.top_card_alone: bool = end.after_last_card == "top_card"
        self.forced: bool = end.forced
        self.last_red_ends: bool = end.last_red_three == "ends"
        self.last_red_in_hand: bool = end.last_red_three == "in_hand"
        self.last_red_melds: bool = end.last_red_three == "melds"

        self.caliente_hand: int = rules.caliente.hand_size
        self.has_foot: bool = rules.deal.foot_size > 0
        self.has_pots: bool = len(rules.deal.pots) > 0
        self.second_hand: bool = self.has_foot or self.has_pots

    def places(self, order: list[int]) -> Places:
        """Return the `Places` of the seats that play a hand, given in turn order.

        The object is shared by all hands with the same seats.
        """
        key = tuple(order)
        if key not in self._places:
            self._places[key] = Places(sides_of_seats(self.rules), list(key))
        return self._places[key]

    def set_name(self, slot: int) -> MeldName:
        """Return the name of the set in this slot."""
        return MeldName(self.name_of_row[self.slots.row_of(slot)], self.slots.number_of(slot))

    def __reduce__(self) -> tuple[type["CompiledRules"], tuple[Ruleset, Family]]:
        return (CompiledRules, (self.rules, self.family))

    def __deepcopy__(self, memo: dict[int, object]) -> "CompiledRules":
        return self  # immutable except for `looked_at`, a measure of work
