"""What a rule system is: one frozen, nested, typed value, resolved for a number of players.

A `Ruleset` is plain data. The engine branches on its fields and never on a preset's name. What each
field means, which clause of the rulebook it serves and which values it takes is in `fields.py`.
"""

from dataclasses import dataclass

from canasta.rules.plain_data import PlainData


@dataclass(frozen=True)
class DeckRules(PlainData):
    decks: int
    caliente_cards: bool
    caliente_names: bool
    joker_value: int
    two_value: int
    ace_value: int
    high_value: int
    low_value: int
    black_three_value: int


@dataclass(frozen=True)
class SeatRules(PlainData):
    players: int
    sides: int
    sit_out: bool
    first_dealer: str
    may_advise: bool


@dataclass(frozen=True)
class DealRules(PlainData):
    hand_size: int
    foot_size: int
    cover_black_three: bool
    reshuffle_second: bool
    natural_covers_frozen: bool


@dataclass(frozen=True)
class TurnRules(PlainData):
    draw: int
    lay_bonus_by_hand: bool
    keep_last_card: bool
    undo: bool


@dataclass(frozen=True)
class PileRules(PlainData):
    first_meld_needs_pair: bool
    natural_and_wild: bool
    add_to_meld: bool
    add_to_canasta: bool
    add_to_run: bool
    always_frozen: bool
    one_card_hand: str
    bars_first_player: bool
    put_back: bool
    look_through: bool


@dataclass(frozen=True)
class MeldRules(PlainData):
    canasta_size: int
    largest_set: int
    least_naturals: int
    wilds_to_naturals: str
    most_wilds: int
    wilds_by_size: tuple[int, ...]
    wilds_on_canasta: bool
    sets_per_rank: str
    runs: bool
    same_suit_runs: bool
    wild_melds: bool
    wild_canasta_closed: bool


@dataclass(frozen=True)
class OpeningRules(PlainData):
    below_zero: int
    scores: tuple[int, ...]
    minimums: tuple[int, ...]
    above_score: bool
    by_round: bool
    top_card_counts: bool
    canasta_suffices: bool
    concealed_suffices: bool
    canasta_bonus_counts: bool


@dataclass(frozen=True)
class GoingOutRules(PlainData):
    canastas: int
    natural: int
    mixed: int
    wild: int
    sequence: int
    ask: str


@dataclass(frozen=True)
class StockEndRules(PlainData):
    after_last_card: str
    forced: bool
    last_red_three: str


@dataclass(frozen=True)
class CalienteRules(PlainData):
    hand_size: int
    played_penalty: int
    held_one: int
    held_more: int


@dataclass(frozen=True)
class ScoringRules(PlainData):
    natural_canasta: int
    mixed_canasta: int
    samba: int
    wild_canasta: int
    going_out: int
    concealed: int
    concealed_by: str
    red_three: int
    red_three_extra_from: int
    red_three_extra: int
    red_threes_minus: str
    red_threes_minus_canastas: int
    black_three_in_hand: int
    forgotten_red_three: int
    put_back_penalty: int
    canasta_for_positive_score: bool


@dataclass(frozen=True)
class MatchRules(PlainData):
    target: int
    rounds: int


@dataclass(frozen=True)
class Ruleset(PlainData):
    """One rule system for one number of players."""

    name: str
    title: str
    version: int
    deck: DeckRules
    seats: SeatRules
    deal: DealRules
    turn: TurnRules
    pile: PileRules
    melds: MeldRules
    opening: OpeningRules
    going_out: GoingOutRules
    stock_end: StockEndRules
    caliente: CalienteRules
    scoring: ScoringRules
    match: MatchRules
