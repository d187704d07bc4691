"""Answers that depend on the ruleset alone: composition of sets, ways to take the pile, minimums, scores.

`CompiledRules` stores the answers as tables.
"""

from typing import Final

from canasta.engine.cards import (
    ACE,
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    NATURAL_CARD,
    RANKS,
    RED_THREE,
    SEVEN,
    STOP_CARD,
    WILD_CARD,
)
from canasta.engine.law.reasons import (
    ALWAYS_FROZEN,
    ALWAYS_FROZEN_CANASTA,
    FIRST_MELD_NEEDS_PAIR,
    FROZEN,
    NEEDS_NATURAL_PAIR,
    NO_NATURAL_AND_WILD,
    NO_WILDS_ON_CANASTA,
    NOT_ONTO_CANASTA,
    NOT_ONTO_MELD,
    NOT_ONTO_RUN,
    OK,
    SET_IS_FULL,
    TOO_FEW_CARDS,
    TOO_FEW_NATURALS,
    TOO_MANY_FOR_NATURALS,
    TOO_MANY_WILDS,
)
from canasta.engine.melds import ROW_WILD, SMALLEST_MELD
from canasta.rules.model import MeldRules, PileRules, Ruleset, ScoringRules

NO_LIMIT: Final = 999


def wilds_allowed(melds: MeldRules, naturals: int) -> int:
    """Return the most wilds that a set with this many naturals may hold (MELD-2, MELD-3)."""
    if naturals < melds.least_naturals:
        return 0
    most = melds.most_wilds if melds.most_wilds > 0 else NO_LIMIT
    if melds.wilds_to_naturals == "fewer":
        most = min(most, naturals - 1)
    elif melds.wilds_to_naturals == "equal":
        most = min(most, naturals)
    ladder = melds.wilds_by_size
    if ladder:
        wilds = 0
        while wilds < most:
            step = min(max(naturals + wilds + 1 - 3, 0), len(ladder) - 1)
            if wilds + 1 > ladder[step]:
                break
            wilds += 1
        most = wilds
    return most


def why_not_naturals(
    melds: MeldRules, wild_room: list[int], naturals_there: int, wilds_there: int, naturals: int, wilds: int
) -> int:
    """Return why these naturals and wilds may not join or start a set of a rank, or `OK`."""
    size = naturals_there + wilds_there + naturals + wilds
    if size < SMALLEST_MELD:
        return TOO_FEW_CARDS
    if 0 < melds.largest_set < size:
        return SET_IS_FULL
    all_naturals = naturals_there + naturals
    all_wilds = wilds_there + wilds
    if all_naturals < melds.least_naturals:
        return TOO_FEW_NATURALS
    if wilds > 0:
        if all_wilds > wild_room[all_naturals]:
            return TOO_MANY_WILDS if 0 < melds.most_wilds < all_wilds else TOO_MANY_FOR_NATURALS
        if not melds.wilds_on_canasta:
            # The wilds must be laid before the set is a canasta, with only the naturals it has by then.
            naturals_then = min(all_naturals, melds.canasta_size - all_wilds)
            if (
                naturals_there + wilds_there + wilds > melds.canasta_size
                or all_wilds > wild_room[max(naturals_then, 0)]
            ):
                return NO_WILDS_ON_CANASTA
    return OK


class GrowingSets:
    """Precomputed reasons for adding one card to a set, by the naturals and wilds already in it."""

    def __init__(self, melds: MeldRules, wild_room: list[int], most_wilds: int) -> None:
        self.stride: int = most_wilds + 1
        """Index of an entry in the tables: naturals times `stride`, plus wilds."""
        there = [(naturals, wilds) for naturals in range(len(wild_room)) for wilds in range(self.stride)]
        self.by_natural: bytes = bytes([why_not_naturals(melds, wild_room, *each, 1, 0) for each in there])
        self.by_wild: bytes = bytes([why_not_naturals(melds, wild_room, *each, 0, 1) for each in there])


WITH_PAIR: Final = 0
WITH_NATURAL_AND_WILD: Final = 1
ONTO_OPEN_MELD: Final = 2
"""Onto a meld that is not a canasta, if the rules allow taking onto melds at all."""
ONTO_SET: Final = 3
ONTO_CANASTA: Final = 4
ONTO_RUN: Final = 5
ONTO_SAMBA: Final = 6
WAYS: Final = 7


def why_not_way(pile: PileRules, way: int, frozen: bool, opened: bool) -> int:
    """Return why this way of taking the pile is closed, or `OK`.

    `frozen` is whether a card freezes the pile, `opened` whether the side has opened.
    """
    if way == WITH_PAIR:
        return OK
    if way == WITH_NATURAL_AND_WILD:
        if pile.always_frozen:
            return ALWAYS_FROZEN if pile.add_to_meld else NEEDS_NATURAL_PAIR
        if frozen:
            return FROZEN
        if not opened and pile.first_meld_needs_pair:
            return FIRST_MELD_NEEDS_PAIR
        return OK if pile.natural_and_wild else NO_NATURAL_AND_WILD
    if frozen and not pile.always_frozen:
        return FROZEN
    if not opened:
        return FIRST_MELD_NEEDS_PAIR
    if pile.always_frozen and way in (ONTO_CANASTA, ONTO_SAMBA) and pile.add_to_meld:
        return ALWAYS_FROZEN_CANASTA
    if way == ONTO_SET:
        return OK if pile.add_to_meld else NOT_ONTO_MELD
    if way == ONTO_CANASTA:
        return OK if pile.add_to_canasta else NOT_ONTO_CANASTA
    if way == ONTO_OPEN_MELD:
        return OK
    return OK if pile.add_to_run else NOT_ONTO_RUN


def place_of(way: int, frozen: bool, opened: bool) -> int:
    """Return the index of a way in the table of `ways_of_taking`."""
    place = 4 * way
    if frozen:
        place += 2
    return place + 1 if opened else place


def ways_of_taking(pile: PileRules) -> bytes:
    """Return the table of `why_not_way` for every way, frozen or not, opened or not."""
    return bytes(
        [
            why_not_way(pile, way, frozen, opened)
            for way in range(WAYS)
            for frozen in (False, True)
            for opened in (False, True)
        ]
    )


def minimum_for(rules: Ruleset, score: int, round_number: int) -> int:
    """Return the first-meld minimum of a side with this score at the start of the hand (OPEN-1)."""
    opening = rules.opening
    if opening.by_round:
        return opening.minimums[min(round_number, len(opening.minimums)) - 1]
    if score < 0:
        return opening.below_zero
    minimum = opening.minimums[0]
    for from_score, needed in zip(opening.scores[1:], opening.minimums[1:], strict=True):
        if score > from_score or (score == from_score and not opening.above_score):
            minimum = needed
    return minimum


ALL_JOKERS: Final = 4
"""Number of jokers that make a wild canasta an all-joker canasta (SCOR-18)."""


def _bonus_value(scoring: ScoringRules, count: int) -> int:
    """Return the value of `count` bonus cards, including the extra for holding many (SCOR-8)."""
    if scoring.three_scale:
        scale = [0, *scoring.three_scale]
        return scale[min(count, len(scale) - 1)]
    return count * scoring.red_three + (scoring.red_three_extra if _has_extra(scoring, count) else 0)


def _has_extra(scoring: ScoringRules, count: int) -> bool:
    return 0 < scoring.red_three_extra_from <= count


def _needs_canastas(scoring: ScoringRules, count: int) -> bool:
    """Return whether the sign of `count` bonus cards depends on the side's canastas (SCOR-9)."""
    rule = scoring.red_threes_minus
    return rule == "few_canastas" or (rule == "all_need_canastas" and _has_extra(scoring, count))


LINES: Final[tuple[str, ...]] = (
    "melded_cards",
    "cards_in_hand",
    "natural_canastas",
    "mixed_canastas",
    "sambas",
    "wild_canastas",
    "going_out",
    "concealed",
    "red_threes",
    "forgotten_red_threes",
    "caliente_cards",
    "put_back",
    "clean",
    "semi_clean",
    "dirty",
    "pot_not_taken",
    "black_threes",
    "unfinished_melds",
    "aces_and_sevens_in_hand",
    "special_hand",
)
"""Every line that a score sheet can have."""


def _go_by_colour(rules: Ruleset) -> bool:
    """Return whether all threes are bonus cards and each colour is counted separately (SCOR-14)."""
    return rules.deck.threes == "bonus" and len(rules.scoring.three_scale) > 0


def _lines(rules: Ruleset) -> list[str]:
    """Return the lines of this game's score sheet, leaving out those of other families of games."""
    missing: list[str] = []
    if not rules.scoring.grades:
        missing += ["clean", "semi_clean", "dirty"]
    if not rules.deal.pots:
        missing.append("pot_not_taken")
    if not _go_by_colour(rules):
        missing.append("black_threes")
    if not (rules.sevens.unfinished or rules.aces.unfinished or rules.scoring.unfinished_wilds):
        missing.append("unfinished_melds")
    if not (rules.sevens.in_hand or rules.aces.in_hand):
        missing.append("aces_and_sevens_in_hand")
    if rules.going_out.special_hands == "none":
        missing.append("special_hand")
    return [line for line in LINES if line not in missing]


class ScoreTables:
    """Points under one ruleset, indexed by what is being counted."""

    def __init__(self, rules: Ruleset, values: list[int], roles: list[int], of_rank: list[int]) -> None:
        scoring = rules.scoring
        bonus_cards = sum([of_rank[rank] for rank in range(RANKS) if roles[rank] == BONUS_CARD])
        self.canasta: list[int] = [
            scoring.natural_canasta,
            scoring.mixed_canasta,
            scoring.wild_canasta,
            scoring.samba,
        ]
        """Points for a canasta, by its kind."""
        self.in_hand: list[int] = [0] * RANKS
        """Cost of a card left in the hand, by rank. Bonus and Caliente cards follow their own rules."""
        for rank in range(RANKS):
            if roles[rank] in (NATURAL_CARD, WILD_CARD):
                self.in_hand[rank] = values[rank]
            elif roles[rank] == STOP_CARD or rules.deck.threes == "bonus":
                self.in_hand[rank] = scoring.black_three_in_hand if rank in (RED_THREE, BLACK_THREE) else 0
        self.times_with_calientes: list[int] = [1, rules.caliente.held_one]
        """Multiplier for the cards left in a hand, by the number of Caliente cards among them (CALI-5)."""
        self.times_with_calientes += [rules.caliente.held_more] * max(0, of_rank[CALIENTE] - 1)
        counts = range(bonus_cards + 1)
        self.bonus: list[int] = [_bonus_value(scoring, count) for count in counts]
        """Points for laid-out bonus cards, by their number."""
        self.bonus_needs_canastas: list[bool] = [_needs_canastas(scoring, count) for count in counts]
        """By number of bonus cards: whether they count against a side with
        fewer than `canastas_for_bonus` canastas, and only then."""
        self.canastas_for_bonus: int = scoring.red_threes_minus_canastas
        self.unopened_bonus_minus: bool = scoring.red_threes_minus == "no_first_meld"
        """Whether bonus cards count against a side without a first meld, no matter who went out."""
        self.grades: bool = scoring.grades
        self.lines: list[str] = _lines(rules)
        """The lines of the score sheet, in order."""
        self.going_out: int = scoring.going_out
        self.concealed: int = scoring.concealed
        self.concealed_by_table: bool = scoring.concealed_by == "table"
        self.canastas_for_plus: bool = scoring.canasta_for_positive_score
        self.bonus_in_hand: int = scoring.forgotten_red_three if rules.deck.threes != "bonus" else 0
        """Cost of a bonus card left in the hand."""
        self.caliente_played: int = rules.caliente.played_penalty
        self.put_back: int = scoring.put_back_penalty
        self.by_colour: list[int] = [0, *scoring.three_scale] if _go_by_colour(rules) else []
        """Points for threes of one colour, by their number, in games that count them that way (SCOR-14)."""
        self.canastas_below_minus: int = scoring.threes_minus_below
        self.canastas_from_plus: int = scoring.threes_plus_from
        self.canastas_for_melds: int = scoring.melds_minus_below
        """With fewer canastas than this, melded cards count against the side (SCOR-15)."""
        self.rank_bonus: list[int] = [0] * RANKS
        """Extra points for a natural canasta of a rank, on top of the usual bonus (SCOR-18)."""
        self.unfinished: list[int] = [0] * RANKS
        """Cost of an unfinished set, by row (SCOR-16)."""
        self.three_in_hand: list[int] = [0] * RANKS
        """Cost of three cards of a rank in one hand (SCOR-17)."""
        for rank, rule in ((SEVEN, rules.sevens), (ACE, rules.aces)):
            if rule.bonus > 0:
                self.rank_bonus[rank] = rule.bonus - scoring.natural_canasta
            self.unfinished[rank] = rule.unfinished
            self.three_in_hand[rank] = rule.in_hand
        self.unfinished[ROW_WILD] = scoring.unfinished_wilds
        self._wild_twos: int = scoring.wild_twos - scoring.wild_canasta if scoring.wild_twos > 0 else 0
        self._wild_jokers: int = scoring.wild_jokers - scoring.wild_canasta if scoring.wild_jokers > 0 else 0
        self.has_special_sets: bool = (
            any(self.rank_bonus)
            or any(self.unfinished)
            or any(self.three_in_hand)
            or self._wild_twos != 0
            or self._wild_jokers != 0
        )

    def wild_grade(self, jokers: int) -> int:
        """Return the extra points for a wild canasta with this many jokers (SCOR-18)."""
        if jokers == 0:
            return self._wild_twos
        return self._wild_jokers if jokers >= ALL_JOKERS else 0
