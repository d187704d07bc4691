"""Score tables: what a hand pays and costs, computed once from the rules."""

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
from canasta.engine.melds import ROW_WILD
from canasta.rules.model import Ruleset, ScoringRules

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
        """Return the extra points for a wild canasta with this many
        jokers, on top of the usual bonus (SCOR-18)."""
        if jokers == 0:
            return self._wild_twos
        return self._wild_jokers if jokers >= ALL_JOKERS else 0
