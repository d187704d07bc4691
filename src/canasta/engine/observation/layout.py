"""The layout of observations and actions: named pieces, each with its offset and meaning.

One universal numbering of actions serves all rulesets, so that a single network can play them all: an action
is the number of its step in a layout with `MOST_SLOTS` sets per rank and long sequences, whose steps come
after all others.

The rules are encoded as numbers from 0 to 255, so that one network can play under all of them. The list of
rules is explicit rather than derived from the fields of a ruleset, so that adding a field does not invalidate
trained weights.
"""

from dataclasses import dataclass
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.actions.codec import RUN_SLOTS, StepLayout, layout_for
from canasta.engine.cards import KINDS, NATURAL_RANKS, RANK_OF, RANKS, RED_THREE
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.layout import Slots
from canasta.engine.sequences import wild_at, wild_in
from canasta.engine.state import HandState
from canasta.errors import InputError
from canasta.rules.model import PlainData, Ruleset

PLAIN: Final = (
    "deck.decks deck.caliente_cards seats.players seats.sides seats.sit_out deal.hand_size deal.foot_size "
    "turn.draw turn.lay_bonus_by_hand turn.keep_last_card pile.first_meld_needs_pair pile.natural_and_wild "
    "pile.add_to_meld pile.add_to_canasta pile.add_to_run pile.always_frozen pile.bars_first_player "
    "pile.put_back melds.canasta_size melds.largest_set melds.least_naturals melds.most_wilds "
    "melds.wilds_on_canasta melds.runs melds.same_suit_runs melds.wild_melds melds.wild_canasta_closed "
    "opening.by_round opening.top_card_counts opening.canasta_suffices opening.concealed_suffices "
    "opening.canasta_bonus_counts going_out.canastas going_out.natural going_out.mixed going_out.wild "
    "going_out.sequence stock_end.forced caliente.hand_size caliente.held_one caliente.held_more "
    "scoring.red_three_extra_from scoring.red_threes_minus_canastas scoring.canasta_for_positive_score "
    "match.rounds"
).split()
FIVES: Final = (
    "deck.joker_value deck.two_value deck.ace_value deck.high_value deck.low_value deck.black_three_value "
    "caliente.played_penalty scoring.going_out scoring.concealed scoring.red_three "
    "scoring.black_three_in_hand scoring.forgotten_red_three scoring.put_back_penalty"
).split()
"""Amounts encoded in units of five points."""
FIFTIES: Final = (
    "scoring.natural_canasta scoring.mixed_canasta scoring.samba scoring.wild_canasta "
    "scoring.red_three_extra match.target"
).split()
CHOICES: Final = {
    "pile.one_card_hand": ("free", "must_go_out", "not_single", "not_single_while_stock"),
    "melds.sets_per_rank": ("one", "one_open", "any"),
    "going_out.ask": ("no", "may", "must"),
    "stock_end.after_last_card": ("play_on", "one_taker", "top_card"),
    "stock_end.last_red_three": ("ends", "melds", "goes_on"),
    "scoring.concealed_by": ("player", "table"),
    "scoring.red_threes_minus": ("no_first_meld", "few_canastas", "other_went_out", "all_need_canastas"),
}
"""Encoded as the number of the choice, from 1; 0 means any other value."""
WILD_ROOM: Final = range(2, 8)
"""Numbers of naturals for which the allowed number of wilds is encoded."""

RULE_NAMES: Final = [*PLAIN, *FIVES, *FIFTIES, *CHOICES, *(f"melds.wilds_with_{n}" for n in WILD_ROOM)]

# Rules that came with later games follow all others. They are 0 if they match the older games.
APPENDED_PLAIN: Final = (
    "deck.natural_twos turn.keep_three pile.no_return melds.run_most melds.run_wilds "
    "melds.naturals_before_wild melds.dead_ranks melds.wild_lock opening.from_hand opening.splash "
    "discards.empty_pile_bars going_out.unfinished_bars going_out.ask_limit stock_end.floor "
    "stock_end.pot_becomes_stock stock_end.most_turns scoring.semi_clean_nine scoring.semi_clean_inside "
    "scoring.threes_minus_below scoring.threes_plus_from scoring.melds_minus_below"
).split()
APPENDED_FIFTIES: Final = (
    "sevens.bonus sevens.unfinished sevens.in_hand aces.bonus aces.unfinished aces.in_hand "
    "scoring.unfinished_wilds scoring.wild_twos scoring.wild_jokers scoring.semi_clean scoring.run_13 "
    "scoring.run_14 scoring.pot_not_taken"
).split()
APPENDED_CHOICES: Final = {
    "deck.threes": ("bonus", "natural"),
    "deal.up_card": ("any", "none"),
    "pile.take": ("free", "use_top"),
    "pile.opening_pair": ("apart",),
    "melds.run_ace": ("both",),
    "melds.wild_moves": ("locked", "free"),
    "melds.set_ranks": ("aces_threes", "none"),
    "sevens.wilds": ("opening", "never"),
    "aces.wilds": ("opening", "never"),
    "opening.pure_meld": ("natural", "any"),
    "opening.mixed_canasta": ("False",),
    "discards.wilds": ("only_wilds",),
    "going_out.by": ("discard",),
    "going_out.last_discard": ("natural",),
    "going_out.special_hands": ("league", "pagat"),
    "scoring.pot_not_taken_if": ("always", "unplayed"),
}
APPENDED_LISTS: Final = {"deal.pots": 3, "turn.talon": 3}
"""Lists in the rules, each with the number of leading entries that are encoded."""

APPENDED_NAMES: Final = [
    *APPENDED_PLAIN,
    *APPENDED_FIFTIES,
    *APPENDED_CHOICES,
    *(f"{path}_{number}" for path, most in APPENDED_LISTS.items() for number in range(1, most + 1)),
]


def appended_rule_numbers(compiled: CompiledRules) -> bytes:
    """Return a number for each of `APPENDED_NAMES`."""
    rules = compiled.rules
    numbers = [int(_value(rules, path)) for path in APPENDED_PLAIN]
    numbers += [int(_value(rules, path)) // 50 for path in APPENDED_FIFTIES]
    for path, choices in APPENDED_CHOICES.items():
        value = str(_value(rules, path))
        numbers.append(choices.index(value) + 1 if value in choices else 0)
    for path, most in APPENDED_LISTS.items():
        entries = list(_numbers(rules, path))[:most]
        numbers += entries + [0] * (most - len(entries))
    return bytes([min(max(number, 0), 255) for number in numbers])


def rule_numbers(compiled: CompiledRules) -> bytes:
    """Return a number for each of `RULE_NAMES`."""
    rules = compiled.rules
    numbers = [int(_value(rules, path)) for path in PLAIN]
    numbers += [int(_value(rules, path)) // 5 for path in FIVES]
    numbers += [int(_value(rules, path)) // 50 for path in FIFTIES]
    for path, choices in CHOICES.items():
        value = _value(rules, path)
        numbers.append(choices.index(str(value)) + 1 if value in choices else 0)
    numbers += [compiled.wild_room[naturals] for naturals in WILD_ROOM]
    return bytes([min(max(number, 0), 255) for number in numbers])


def _value(rules: Ruleset, path: str) -> int | str:
    part, _, name = path.partition(".")
    value: int | str = getattr(getattr(rules, part), name)
    return value


def _numbers(rules: Ruleset, path: str) -> tuple[int, ...]:
    part, _, name = path.partition(".")
    value: tuple[int, ...] = getattr(getattr(rules, part), name)
    return value


def write_long_runs(row: BytesWriter, state: HandState, viewer: int, sides: int) -> None:
    """Append the features of games with long sequences, with room for `sides` sides."""
    own = state.side_of[viewer]
    for ahead in range(sides):
        first = len(row)
        row.write(bytes(2 * RUN_SLOTS + 1))
        if ahead >= state.sides:
            continue
        side = (own + ahead) % state.sides
        runs = state.runs[side]
        for index in range(min(len(runs), RUN_SLOTS)):
            row[first + 2 * index] = wild_at(runs[index])
            row[first + 2 * index + 1] = wild_in(runs[index])
        row[first + 2 * RUN_SLOTS] = 1 if state.pot_taker(side) >= 0 else 0
    row.append(min(255, len(state.pots)))
    row.append(min(255, len(state.pots[0])) if state.pots else 0)
    row.append(1 if state.top_due else 0)
    row.append(state.not_returned + 1)
    row.append(min(255, state.turns_without_draw))


def write_american(row: BytesWriter, state: HandState, viewer: int, seats: int, sides: int) -> None:
    """Append the features of American games, with room for these seats and sides."""
    there = len(state.side_of)
    for ahead in range(seats):
        row.append(min(255, len(state.talons[(viewer + ahead) % there])) if ahead < there else 0)
    first = len(row)
    row.write(bytes(RANKS))
    for kind in state.talons[viewer]:
        at = first + state.compiled.rank_of[kind]
        row[at] = row[at] + 1
    own = state.side_of[viewer]
    for ahead in range(sides):
        red = 0
        black = 0
        asks = 0
        if ahead < state.sides:
            side = (own + ahead) % state.sides
            for kind in state.bonus[side]:
                if RANK_OF[kind] == RED_THREE:
                    red += 1
                else:
                    black += 1
            asks = min(255, state.asks(side))
        row.append(red)
        row.append(black)
        row.append(asks)
    row.append(min(255, state.talon_due))
    first = len(row)
    row.write(bytes(RANKS))
    if state.pile_due:
        row[first + state.compiled.rank_of[state.taken_top]] = 1


OBSERVATION_VERSION: Final = 2
"""Version of the per-ruleset layout. Raise it whenever its contents or offsets change under any rules."""
UNIVERSAL_VERSION: Final = 4
"""Version of the universal layout and of the numbering of its actions. Raise it on any change to either."""
PREFIX_OF: Final = {3: (1757, 1162)}
"""Older versions that are a prefix of the universal layout, with their numbers of observations and
actions. Weights trained on them still work, because everything newer was appended."""

MOST_SEATS: Final = 6
MOST_SIDES: Final = 3
MOST_SLOTS: Final = 6
"""Sets of one rank that the universal layout has room for: as many as three decks can make."""

SEAT_NUMBERS: Final = 5
"""Number of single values at the start of a seat's block: plays,
size, foot waits, foot played, has melded."""
RUN_NUMBERS: Final = 3
SIDE_NUMBERS: Final = 14
"""Number of single values at the end of a side's block."""
PILE_NUMBERS: Final = 1
TURN_NUMBERS: Final = 16
RUN_WILD_NUMBERS: Final = 2
LONG_SIDE_NUMBERS: Final = RUN_WILD_NUMBERS * RUN_SLOTS + 1
LONG_NUMBERS: Final = 5
"""Values of games with long sequences, in addition to those of each side (`LONG_SIDE_NUMBERS`)."""
AMERICAN_SIDE_NUMBERS: Final = 3
AMERICAN_NUMBERS: Final = 1 + 2 * RANKS
"""Values of American games, and of games that lay out threes at the start of a turn, besides those per seat
and side."""
PHASES: Final = 4
ANSWERS: Final = 3


@dataclass(frozen=True)
class Piece(PlainData):
    """A named slice of an observation: `observation[offset : offset + length]`."""

    name: str
    offset: int
    length: int
    meaning: str


class Layout:
    """The offsets of the pieces of an observation.

    An observation is the viewer's hand, a block for each seat (the viewer first, then in turn order), a block
    for each side (the viewer's first), the pile and the turn. Cards are counted by rank, by kind, or both.
    """

    def __init__(
        self,
        *,
        seats: int,
        sides: int,
        slots: Slots,
        by_rank: bool,
        by_kind: bool,
        runs: bool,
        rules: bool,
        has_places: bool,
        has_american: bool,
    ) -> None:
        self.seats: int = seats
        self.sides: int = sides
        self.slots: Slots = slots
        self.by_rank: bool = by_rank
        self.by_kind: bool = by_kind
        self.at_kinds: i64 = RANKS if by_rank else 0
        """Offset of the counts by kind within a bundle of cards."""
        self.width: i64 = self.at_kinds + (KINDS if by_kind else 0)
        """Number of values that describe a bundle of cards."""
        self.rows: i64 = slots.count
        self.run_numbers: int = RUN_NUMBERS * RUN_SLOTS if runs else 0
        self.rule_numbers: int = len(RULE_NAMES) if rules else 0
        """Number of values that describe the rules. If it is 0, the sides of the seats are left out too."""

        self.known: i64 = SEAT_NUMBERS
        """Offsets within a seat's block."""
        self.discarded: i64 = self.known + self.width
        self.let_pass: i64 = self.discarded + RANKS
        self.seat_block: i64 = self.let_pass + NATURAL_RANKS

        self.set_kinds: i64 = 2 * self.rows + self.run_numbers
        """Offset within a side's block of the cards in its sets, by kind."""
        self.side_numbers: i64 = self.set_kinds + (KINDS if by_kind else 0)
        """Offset of the single numbers within a side's block."""
        self.side_block: i64 = self.side_numbers + SIDE_NUMBERS

        self.at_seats: int = self.width
        self.at_sides: int = self.at_seats + seats * self.seat_block
        self.at_pile: int = self.at_sides + sides * self.side_block
        self.at_turn: int = self.at_pile + 2 * self.width + PILE_NUMBERS
        self.at_rules: int = self.at_turn + TURN_NUMBERS + PHASES + ANSWERS + 2 * seats
        self.long_numbers: int = LONG_NUMBERS + sides * LONG_SIDE_NUMBERS if has_places else 0
        """Number of values only for games with long sequences."""
        self.american_numbers: int = 0
        """Number of values only for American games."""
        if has_american:
            self.american_numbers = AMERICAN_NUMBERS + seats + sides * AMERICAN_SIDE_NUMBERS
        about_rules = seats + self.rule_numbers + len(APPENDED_NAMES) if rules else 0
        self.size: int = self.at_rules + about_rules + self.long_numbers + self.american_numbers


def layout_of(compiled: CompiledRules) -> Layout:
    """Return the layout for one ruleset, without anything these rules never use."""
    seats = compiled.rules.seats
    suits = compiled.same_suit
    has_places, has_american = appended_parts(compiled)
    return Layout(
        seats=seats.players,
        sides=seats.sides,
        slots=compiled.slots,
        by_rank=not suits,
        by_kind=suits,
        runs=compiled.runs,
        rules=False,
        has_places=has_places,
        has_american=has_american,
    )


def appended_parts(compiled: CompiledRules) -> tuple[bool, bool]:
    """Return whether observations include the blocks for Burraco's sequences, and the American blocks.

    Rules with a talon, a limit on asking to go out, or bonus threes of both colours need the latter, too.
    """
    name = compiled.family.name
    return name == "burraco", name == "american" or compiled.starts_turn or compiled.ask_limit > 0


def universal_layout() -> Layout:
    """Return the layout for all rules and numbers of players. Values that a table does not have are zero.

    Cards are always counted by rank, and by kind as well if suits matter.
    """
    return Layout(
        seats=MOST_SEATS,
        sides=MOST_SIDES,
        slots=Slots(MOST_SLOTS),
        by_rank=True,
        by_kind=True,
        runs=True,
        rules=True,
        has_places=True,
        has_american=True,
    )


def pieces(layout: Layout) -> list[Piece]:
    """Return every piece of an observation, in order and without gaps."""
    found: list[Piece] = []

    def add(name: str, length: int, meaning: str) -> None:
        offset = found[-1].offset + found[-1].length if found else 0
        found.append(Piece(name, offset, length, meaning))

    cards = "by kind" if layout.by_kind else "by rank"
    if layout.by_rank and layout.by_kind:
        cards = "by rank, then by kind where suits matter"
    add("hand", layout.width, f"cards of the viewer, {cards}")
    for seat in range(layout.seats):
        who = f"seat+{seat}"
        add(f"{who}.plays", 1, "1 if this seat plays the hand, 0 if it sits out")
        add(f"{who}.size", 1, "cards in its hand")
        add(f"{who}.foot_waits", 1, "its foot is not yet picked up; a pot waits for its side")
        add(f"{who}.foot_played", 1, "it has ended a turn with its foot, or the pot, as its hand")
        add(f"{who}.has_melded", 1, "it has melded in this hand")
        add(f"{who}.known", layout.width, f"cards that all know it to hold, from the pile, {cards}")
        add(f"{who}.discarded", RANKS, "its discards in this hand, by rank")
        add(f"{who}.let_pass", NATURAL_RANKS, "times that it let a top card of this rank lie, by rank")
    for side in range(layout.sides):
        who = f"side+{side}"
        add(f"{who}.naturals", layout.rows, "natural cards of each set: rank, then order laid")
        add(f"{who}.wilds", layout.rows, "wild cards of each set, likewise")
        if layout.run_numbers:
            add(f"{who}.runs", layout.run_numbers, "each run as suit + 1 (5: any), lowest rank, length")
        if layout.by_kind:
            add(f"{who}.set_cards", KINDS, "cards that lie in its sets, by kind: the suits that are gone")
        add(f"{who}.canastas", 4, "canastas: natural, mixed, wild, samba")
        add(f"{who}.red_threes", 1, "red threes laid out")
        add(f"{who}.melded_points", 2, "value of its melded cards: hundreds, then fives")
        add(f"{who}.opened", 1, "it has made its first meld")
        add(f"{who}.minimum", 1, "what its first meld must reach, in fives")
        add(f"{who}.score", 2, "total before this hand: hundreds + 50, then fives")
        add(f"{who}.caliente_played", 1, "Caliente cards played")
        add(f"{who}.put_back", 1, "piles put back at a penalty")
        add(f"{who}.teammates", 1, "seats of this side that play the hand")
    add("pile", layout.width, f"cards in the pile, {cards}")
    add("pile.top", layout.width, f"its top card, one-hot, {cards}")
    add("pile.size", 1, "how many cards lie in it")
    add("phase", PHASES, "one-hot: draw, play, answer, over")
    add("asked", ANSWERS, "one-hot: the partner was not asked, said yes, said no")
    add("turn", layout.seats, "one-hot: whose turn it is, counted from the viewer")
    add("to_act", layout.seats, "one-hot: who acts; in an answer it is the partner")
    add("pile.frozen", 1, "it is frozen")
    add("pile.from_deal", 1, "nobody has discarded yet")
    add("turn.fresh", 1, "the player had melded nothing before this turn")
    add("turn.melded", 1, "cards were laid in this turn")
    add("turn.opening", 1, "a first meld is under way, its minimum not reached")
    add("turn.pile_due", 1, "the top card is melded, the pile comes with the minimum")
    add("turn.took_back", 1, "the pile was put back in this turn")
    add("turn.caliente", 1, "a Caliente card was played in this turn")
    add("turn.black_threes", 1, "black threes are being laid to go out")
    add("turn.no_discard", 1, "this turn ends without a discard")
    add("turn.last_discard", 1, "the hand ends with this turn")
    add("turn.may_put_back", 1, "the pile was taken and can still be put back")
    add("stock", 1, "cards in the stock")
    add("turn.opening_points", 1, "what the first meld has reached, in fives")
    add("turn.opening_extra", 1, "what the minimum is raised by, in fives")
    add("hand_number", 1, "the number of the hand in its match")
    if layout.rule_numbers:
        add("seat_sides", layout.seats, "the side of each seat, 1 being the viewer's; 0 where nobody sits")
        for name in RULE_NAMES:
            add(f"rules.{name}", 1, "a value of the rules")
        for name in APPENDED_NAMES:
            add(f"rules.{name}", 1, "a value of the rules, 0 where it is as in the older games")
    if layout.long_numbers:
        for side in range(layout.sides):
            add(
                f"side+{side}.run_wilds",
                RUN_WILD_NUMBERS * RUN_SLOTS,
                "the wild of each run: place, which one",
            )
            add(f"side+{side}.pot_taken", 1, "it has taken its pot")
        add("pots", 2, "pots that wait, cards of the next one")
        add("turn.top_due", 1, "the top card was lifted and must be melded")
        add("turn.not_returned", 1, "the card that is not thrown back, as its kind + 1")
        add("turn.without_draw", 1, "turns in a row that took the pile")
    if layout.american_numbers:
        for seat in range(layout.seats):
            add(f"seat+{seat}.talon", 1, "talon cards that wait for its next turn")
        add("talon", RANKS, "those of the viewer, by rank")
        for side in range(layout.sides):
            add(f"side+{side}.threes", 2, "threes laid out: red, black")
            add(f"side+{side}.asks", 1, "questions asked in this hand")
        add("turn.talon_due", 1, "talon cards that the player gets after the discard")
        add("turn.taken_top", RANKS, "the top card for which the pile is being taken, one-hot by rank")
    return found


FLAGS: Final = 12
ALL_FLAGS: Final = [bytes([number >> bit & 1 for bit in range(FLAGS)]) for number in range(1 << FLAGS)]

# Notes after the blocks record how much the blocks already contain, so that only new facts are written: the
# number of the hand, cards in the pile (two bytes), cards melded (two), and changes (the low byte is enough,
# since a step makes only a few). Then, for each side, the Caliente cards played and the piles put back (low
# bytes).
HAND_NUMBER: Final = 0
PILE_SEEN: Final = 1
LAID_SEEN: Final = 3
CHANGES_SEEN: Final = 5
SIDES_SEEN: Final = 6
CALIENTES: Final = 0
PUT_BACKS: Final = 1
SEEN: Final = 2


class Marks:
    """The data that all tables under one ruleset share. Sharing keeps it in the processor's cache."""

    def __init__(self, tables: CompiledRules, side_of: list[int], layout: Layout) -> None:
        seats = len(side_of)
        sides = tables.rules.seats.sides
        self.layout: Layout = layout
        self.tables: CompiledRules = tables
        self.side_of: list[int] = side_of
        self.seats: int = seats
        self.sides: int = sides
        self.by_kind: bool = layout.by_kind and tables.same_suit
        """Whether suits matter and are part of the observation."""
        self.set_at: list[int] = [
            layout.slots.slot_of(tables.slots.row_of(slot), tables.slots.number_of(slot))
            for slot in range(tables.slots.count)
        ]
        """Offset of each set within a side's block."""
        self.heads: list[bytes] = _heads(layout.seats)
        # An attribute, because compiled code looks up a global list by name on every use.
        self.flags: list[bytes] = ALL_FLAGS
        self.at_sides: i64 = seats * layout.seat_block
        """Offset of the sides' blocks, which follow one another."""
        self.at_pile: i64 = self.at_sides + sides * layout.side_block
        self.at_notes: i64 = self.at_pile + 2 * layout.width + 1
        self.empty: bytes = bytes(self.at_notes + SIDES_SEEN + SEEN * sides)
        """The initial blocks of a table, before anything has been observed."""
        self.no_kinds: bytes = bytes(KINDS if layout.by_kind and not tables.same_suit else 0)
        self.no_ranks: bytes = bytes(RANKS)
        self.no_opening: bytes = bytes(2)
        """The first-meld numbers while no first meld is in progress."""
        self.no_seats: bytes = bytes((layout.seats - seats) * layout.seat_block)
        self.no_sides: bytes = bytes((layout.sides - sides) * layout.side_block)
        self.ends: list[bytes] = [b""] * seats
        """The last numbers of an observation, by viewer: the sides of the seats, and the rules."""
        parts = appended_parts(tables)
        self.has_places: bool = parts[0]
        self.has_american: bool = parts[1]
        self.has_appended: bool = self.has_places or self.has_american
        """Whether an observation of this game uses a part that was appended for a later family of games."""
        self.no_long_numbers: bytes = bytes(layout.long_numbers)
        self.no_american_numbers: bytes = bytes(layout.american_numbers)
        self.others_change: bool = tables.starts_turn or tables.has_pots
        """Whether a step may change more than the blocks of the player who made it."""
        if layout.rule_numbers > 0:
            rules = rule_numbers(tables) + appended_rule_numbers(tables)
            for viewer in range(seats):
                around = [(viewer + ahead) % seats for ahead in range(seats)]
                places = [(side_of[seat] - side_of[viewer]) % sides + 1 for seat in around]
                self.ends[viewer] = bytes(places + [0] * (layout.seats - seats)) + rules
                if not self.has_appended:
                    self.ends[viewer] += self.no_long_numbers + self.no_american_numbers


def _one_hot(at: int, length: int) -> bytes:
    numbers = [0] * length
    numbers[at] = 1
    return bytes(numbers)


def _heads(seats: int) -> list[bytes]:
    """Return phase, answer, turn and actor, one-hot, for every combination in this order."""
    return [
        _one_hot(phase, PHASES) + _one_hot(asked, ANSWERS) + _one_hot(turn, seats) + _one_hot(acts, seats)
        for phase in range(PHASES)
        for asked in range(ANSWERS)
        for turn in range(seats)
        for acts in range(seats)
    ]


UNIVERSAL_STEPS: Final[StepLayout] = layout_for(MOST_SLOTS, with_places=True)
UNIVERSAL_ACTIONS: Final = UNIVERSAL_STEPS.size


def universal_actions(compiled: CompiledRules) -> list[int]:
    """Return the universal action of every step under these rules, by its number.

    Raise `InputError` if it does not fit.
    """
    slots = compiled.slots.per_row
    if slots > MOST_SLOTS:
        raise InputError(
            f"these rules allow {slots} sets of a rank, and the universal layout has room for {MOST_SLOTS}; "
            "the layout by the rules has room for all"
        )
    own = compiled.layout
    return [own.number_in(UNIVERSAL_STEPS, step) for step in range(own.size)]
