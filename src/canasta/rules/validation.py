"""Check that the fields of a ruleset fit together.

Each check covers a few fields of a complete set of values. In a game with long sequences (`melds.run_most`
above 0, as in Burraco) threes are natural, the pile is taken whole, and first melds need no minimum: these
rules come together or not at all.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from canasta.i18n import Facts
from canasta.rules.field_types import Value
from canasta.rules.model import FIELDS, Ruleset


class RuleConflict(NamedTuple):
    """A combination of values that is not a valid game."""

    paths: tuple[str, ...]
    """The conflicting fields. A report names the first one, unless the table chose one of the others."""
    code: str
    """A message code of the catalogue part `defects`."""
    facts: Facts = Facts()
    remedy_code: str = ""
    """The message with the remedy, if the code has none of its own."""
    idle: bool = False
    """Whether the first field merely has no effect; that is an error only if the table chose it."""


_CARDS: Final = ("joker", "two", "ace", "high", "low", "black_three")

_MOST_HANDS: Final = 500
"""Maximum number of hands, each as good as possible, in which a game must reach its target."""


class Values:
    """Typed access to a complete mapping of fields."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def yes(self, path: str) -> bool:
        return self._values[path] is True

    def number(self, path: str) -> int:
        value = self._values[path]
        assert isinstance(value, int)
        return value

    def numbers(self, path: str) -> tuple[int, ...]:
        value = self._values[path]
        assert isinstance(value, tuple)
        return value

    def text(self, path: str) -> str:
        value = self._values[path]
        assert isinstance(value, str)
        return value


def players_in_a_hand(players: int, sit_out: bool) -> int:
    """Return how many players play a hand.

    >>> players_in_a_hand(5, True), players_in_a_hand(6, False)
    (4, 6)
    """
    return 4 if sit_out else players


def problems_of(mapping: Mapping[str, Value]) -> list[RuleConflict]:
    """Return every invalid combination. `mapping` must have a value of the right type for every field."""
    values = Values(mapping)
    return [
        *_seats(values),
        *_cards(values),
        *_melds(values),
        *_opening(values),
        *_first_meld(values),
        *_goals(values),
        *_long_runs(mapping, values),
        *_american(mapping),
        *_without_effect(mapping),
    ]


def _seats(values: Values) -> list[RuleConflict]:
    players, sides = values.number("seats.players"), values.number("seats.sides")
    sit_out = values.yes("seats.sit_out")
    found: list[RuleConflict] = []
    usual_sides = 3 if players == 3 else 2
    if sides != usual_sides and not (players == 6 and not sit_out):
        facts = _set("seats.sides", usual_sides) | {"players": players, "count": usual_sides}
        found.append(RuleConflict(("seats.sides", "seats.sit_out"), "OTHER_SIDES", facts, "SET"))
    if sit_out != (players == 5) and players != 6:
        code = "ONE_SITS_OUT" if players == 5 else "NOBODY_SITS_OUT"
        facts = _set("seats.sit_out", players == 5) | {"players": players}
        found.append(RuleConflict(("seats.sit_out",), code, facts, "SET"))
    if values.text("seats.first_dealer") == "alternate" and players != 2:
        facts = _set("seats.first_dealer", "random", "seats.first_dealer", "cut")
        found.append(RuleConflict(("seats.first_dealer",), "ONLY_TWO_ALTERNATE", facts, "SET_EITHER"))
    return found


def _set(path: str, value: Value, other_path: str = "", other: Value = 0) -> Facts:
    """Return the facts for a setting that fixes the problem, or for two of which either does."""
    facts: Facts = {"setting": FIELDS[path].typed(value)}
    return facts | ({"other": FIELDS[other_path].typed(other)} if other_path else {})


SMALLEST_FOOT: Final = 5


def _cards(values: Values) -> list[RuleConflict]:
    decks = values.number("deck.decks")
    cards = decks * (55 if values.yes("deck.caliente_cards") else 54)
    seated = players_in_a_hand(values.number("seats.players"), values.yes("seats.sit_out"))
    hand = values.number("deal.hand_size") + values.number("deal.foot_size")
    # When the first card is turned up, every wild card and every three may be on top of the stock; after
    # that, each player should be able to draw once.
    reserve = 10 * decks + seated * values.number("turn.draw")
    needed = seated * hand + 1 + reserve + sum(values.numbers("deal.pots"))
    found: list[RuleConflict] = []
    foot = values.number("deal.foot_size")
    if 0 < foot < SMALLEST_FOOT:
        found.append(
            RuleConflict(("deal.foot_size",), "FOOT_TOO_SMALL", {"foot": foot, "needed": SMALLEST_FOOT})
        )
    if needed > cards:
        facts: Facts = {"players": seated, "held": hand, "needed": needed, "decks": decks, "have": cards}
        paths = ("deal.hand_size", "deal.foot_size", "deck.decks", "turn.draw", "deal.pots")
        found.append(RuleConflict(paths, "TOO_FEW_CARDS", facts))
    return found


def _melds(values: Values) -> list[RuleConflict]:
    found: list[RuleConflict] = []
    size, largest = values.number("melds.canasta_size"), values.number("melds.largest_set")
    decks, runs = values.number("deck.decks"), values.yes("melds.runs")
    if 0 < largest < size:
        facts: Facts = {"most": largest, "size": size}
        found.append(RuleConflict(("melds.largest_set", "melds.canasta_size"), "SET_CLOSES_EARLY", facts))
    if values.text("melds.sets_per_rank") == "one_open" and largest != size:
        paths = ("melds.sets_per_rank", "melds.largest_set", "melds.canasta_size")
        found.append(RuleConflict(paths, "SET_MUST_CLOSE", _set("melds.largest_set", size)))
    steps = values.numbers("melds.wilds_by_size")
    if not _rising(steps, strictly=False):
        found.append(RuleConflict(("melds.wilds_by_size",), "NUMBERS_FALL", remedy_code="SORT"))
    elif any(after > before + 1 for before, after in pairwise(steps)):
        # A set grows card by card, so a larger set must not allow what no smaller one can grow into.
        found.append(RuleConflict(("melds.wilds_by_size",), "NUMBERS_JUMP"))
    if not runs and values.number("going_out.sequence") > 0:
        facts = _set("melds.runs", True, "going_out.sequence", 0)
        found.append(
            RuleConflict(("going_out.sequence", "melds.runs"), "OUT_WITHOUT_RUNS", facts, "SET_EITHER")
        )
    if values.number("going_out.wild") > 0 and not values.yes("melds.wild_melds"):
        facts = _set("melds.wild_melds", True, "going_out.wild", 0)
        found.append(
            RuleConflict(
                ("going_out.wild", "melds.wild_melds"), "OUT_WITHOUT_WILD_MELDS", facts, "SET_EITHER"
            )
        )
    if values.number("going_out.mixed") > 0 and steps and steps[-1] == 0:
        facts = _set("going_out.mixed", 0)
        found.append(RuleConflict(("going_out.mixed", "melds.wilds_by_size"), "OUT_WITHOUT_WILDS", facts))
    if values.number("going_out.natural") > 0 and 4 * decks < size:
        facts = _set("going_out.natural", 0) | {"decks": decks}
        paths = ("going_out.natural", "deck.decks", "melds.canasta_size")
        found.append(RuleConflict(paths, "TOO_FEW_OF_A_RANK", facts))
    wanted = max(
        values.number("going_out.canastas"),
        sum(values.number("going_out." + kind) for kind in ("natural", "mixed", "wild", "sequence")),
    )
    # Canastas can use 44 naturals and 6 wild cards of each deck.
    if wanted * size > 50 * decks or values.number("going_out.wild") * size > 6 * decks:
        found.append(
            RuleConflict(
                ("going_out.canastas", "going_out.natural", "going_out.mixed", "going_out.wild",
                 "going_out.sequence", "deck.decks", "melds.canasta_size"),
                "TOO_FEW_FOR_CANASTAS",
                {"needed": wanted},
            )
        )  # fmt: skip
    return found


def _opening(values: Values) -> list[RuleConflict]:
    scores, minimums = values.numbers("opening.scores"), values.numbers("opening.minimums")
    found: list[RuleConflict] = []
    if not minimums:
        found.append(RuleConflict(("opening.minimums",), "NO_MINIMUM"))
    elif not _rising(minimums, strictly=False):
        found.append(RuleConflict(("opening.minimums",), "MINIMUMS_FALL", remedy_code="SORT"))
    if values.yes("opening.by_round"):
        if scores:
            facts = _set("opening.scores", (), "opening.by_round", False)
            found.append(
                RuleConflict(("opening.scores", "opening.by_round"), "SCORES_AND_ROUNDS", facts, "SET_EITHER")
            )
        return found
    if len(scores) != len(minimums):
        facts = {"count": len(scores), "needed": len(minimums)}
        paths = ("opening.scores", "opening.minimums", "opening.by_round")
        found.append(RuleConflict(paths, "SCORES_UNPAIRED", facts))
    if scores and scores[0] != 0:
        found.append(RuleConflict(("opening.scores",), "FIRST_SCORE"))
    if not _rising(scores, strictly=True):
        found.append(RuleConflict(("opening.scores",), "SCORES_FALL"))
    return found


def _first_meld(values: Values) -> list[RuleConflict]:
    """Check that a hand can be worth the first-meld minimum."""
    if values.number("turn.draw") > 1 or values.yes("deck.caliente_cards"):
        return []  # a hand grows before its side has melded
    if values.yes("opening.canasta_suffices") or values.yes("opening.canasta_bonus_counts"):
        return []
    cards = values.number("deal.hand_size") + 1
    dearest = max(values.number(f"deck.{card}_value") for card in _CARDS)
    below_zero, minimums = values.number("opening.below_zero"), values.numbers("opening.minimums")
    found: list[RuleConflict] = []
    for path, needed in (
        ("opening.minimums", max(minimums, default=0)),
        ("opening.below_zero", 0 if values.yes("opening.by_round") else below_zero),
    ):
        if needed > cards * dearest:
            facts: Facts = {"needed": needed, "count": cards, "worth": dearest}
            found.append(
                RuleConflict((path, "deal.hand_size", "deck.joker_value"), "FIRST_MELD_TOO_HIGH", facts)
            )
    return found


def _most_in_a_hand(values: Values) -> int:
    """Return an upper bound on a side's score for one hand."""
    decks, size = values.number("deck.decks"), values.number("melds.canasta_size")
    cards = 54 * decks
    bonuses = ("natural_canasta", "mixed_canasta", "samba", "wild_canasta")
    most = cards * max(values.number(f"deck.{card}_value") for card in _CARDS)
    most += cards // size * max(values.number(f"scoring.{bonus}") for bonus in bonuses)
    most += 2 * decks * values.number("scoring.red_three")
    if values.number("scoring.red_three_extra_from") > 0:
        most += values.number("scoring.red_three_extra")
    return most + values.number("scoring.going_out") + values.number("scoring.concealed")


def _goals(values: Values) -> list[RuleConflict]:
    found: list[RuleConflict] = []
    if values.text("stock_end.last_red_three") == "goes_on" and not values.yes("turn.keep_last_card"):
        facts = _set("turn.keep_last_card", True, "stock_end.last_red_three", "ends")
        found.append(
            RuleConflict(
                ("turn.keep_last_card", "stock_end.last_red_three"), "LAST_CARD_STUCK", facts, "SET_EITHER"
            )
        )
    if values.text("stock_end.after_last_card") == "top_card" and not values.yes("stock_end.forced"):
        facts = _set("stock_end.forced", True)
        found.append(
            RuleConflict(
                ("stock_end.forced", "stock_end.after_last_card"), "TOP_CARD_NOT_FORCED", facts, "SET"
            )
        )
    saved_by = values.number("scoring.red_threes_minus_canastas")
    if values.text("scoring.red_threes_minus") in ("few_canastas", "all_need_canastas") and saved_by == 0:
        facts = _set("scoring.red_threes_minus_canastas", 2)
        paths = ("scoring.red_threes_minus", "scoring.red_threes_minus_canastas")
        found.append(RuleConflict(paths, "NO_CANASTAS_DECIDE", facts))
    red_threes = 2 * values.number("deck.decks")
    if values.number("scoring.red_three_extra_from") > red_threes:
        facts = {"count": red_threes}
        found.append(
            RuleConflict(("scoring.red_three_extra_from", "deck.decks"), "TOO_FEW_RED_THREES", facts)
        )
    target, rounds = values.number("match.target"), values.number("match.rounds")
    most = _most_in_a_hand(values)
    if target > _MOST_HANDS * most:
        facts = {"points": most, "times": _MOST_HANDS}
        worth = ("deck.low_value", "scoring.natural_canasta", "scoring.red_three")
        found.append(RuleConflict(("match.target", *worth), "TARGET_TOO_FAR", facts))
    if target == 0 and rounds == 0:
        found.append(RuleConflict(("match.target", "match.rounds"), "NEVER_ENDS"))
    if target > 0 and rounds > 0:
        found.append(RuleConflict(("match.rounds", "match.target"), "ENDS_TWICE"))
    return found


def _long_runs(mapping: Mapping[str, Value], values: Values) -> list[RuleConflict]:
    """Check the rules of long sequences, and the rules that exist only with them."""
    is_long = values.number("melds.run_most") > 0
    found = [
        RuleConflict(
            (path, "melds.run_most"),
            "LONG_RUNS_NEED" if is_long else "ONLY_LONG_RUNS",
            {"setting": setting},
            "SET",
        )
        for path, setting in misfits(mapping)
    ]
    size = values.number("melds.canasta_size")
    if 0 < values.number("melds.run_most") < size:
        facts = _set("melds.run_most", 13)
        found.append(
            RuleConflict(("melds.run_most", "melds.canasta_size"), "RUN_NEVER_A_CANASTA", facts, "SET")
        )
    if any(pot < SMALLEST_POT for pot in values.numbers("deal.pots")):
        found.append(RuleConflict(("deal.pots",), "POT_TOO_SMALL", {"needed": SMALLEST_POT}))
    steps = values.numbers("match.victory_points")
    if not _rising(steps, strictly=True):
        found.append(RuleConflict(("match.victory_points",), "NUMBERS_FALL", remedy_code="SORT"))
    if steps and values.number("match.rounds") == 0:
        facts = _set("match.rounds", 4)
        found.append(
            RuleConflict(("match.victory_points", "match.rounds"), "NO_EFFECT_WITHOUT_ROUNDS", facts, "SET")
        )
    return found


AMERICAN_FIELDS: Final = (
    "turn.keep_three",
    "turn.talon",
    "pile.opening_pair",
    "melds.naturals_before_wild",
    "melds.dead_ranks",
    "melds.wild_lock",
    "sevens.wilds",
    "aces.wilds",
    "opening.pure_meld",
    "opening.from_hand",
    "opening.mixed_canasta",
    "opening.splash",
    "discards.wilds",
    "discards.empty_pile_bars",
    "going_out.unfinished_bars",
    "going_out.special_hands",
)
"""Fields that only American games have: which cards remain for a discard, and what makes a first meld."""

_PLAIN: Final[tuple[tuple[str, Value], ...]] = (
    ("deck.threes", "bonus"),
    ("deck.caliente_cards", False),
    ("deal.foot_size", 0),
    ("turn.threes_at", "turn"),
    ("turn.lay_bonus_by_hand", False),
    ("turn.keep_last_card", False),
    ("pile.put_back", False),
    ("melds.sets_per_rank", "one"),
    ("melds.runs", False),
    ("melds.wilds_on_canasta", False),
    ("melds.wild_canasta_closed", True),
    ("opening.canasta_suffices", False),
    ("opening.concealed_suffices", False),
    ("opening.canasta_bonus_counts", False),
    ("going_out.by", "discard"),
)
"""Values that an American game must have."""


def is_american(rules: Ruleset) -> bool:
    """Return whether some rule of this game is one that only American games have."""
    for path in AMERICAN_FIELDS:
        section, _, name = path.partition(".")
        if getattr(getattr(rules, section), name) != FIELDS[path].default:
            return True
    return False


def _american(mapping: Mapping[str, Value]) -> list[RuleConflict]:
    """Check that American rules come with plain sets and with threes as bonus cards."""
    found: list[RuleConflict] = []
    american = [path for path in AMERICAN_FIELDS if mapping[path] != FIELDS[path].default]
    if american:
        for path, value in (*_PLAIN, ("melds.largest_set", mapping["melds.canasta_size"])):
            if mapping[path] != value:
                found.append(_goes_with(american, path, value))
        if mapping["stock_end.last_red_three"] not in ("ends", "in_hand"):
            found.append(_goes_with(american, "stock_end.last_red_three", "in_hand"))
        if mapping["stock_end.after_last_card"] == "top_card":
            found.append(_goes_with(american, "stock_end.after_last_card", "play_on"))
    bonus = mapping["deck.threes"] == "bonus"
    if bonus:
        for path, value in _WITH_BONUS_THREES:
            if mapping[path] != value:
                found.append(_goes_with(["deck.threes"], path, value))
    elif mapping["turn.threes_at"] == "turn":
        found.append(_goes_with(["turn.threes_at"], "deck.threes", "bonus"))
    if mapping["stock_end.last_red_three"] == "in_hand" and not bonus:
        found.append(_goes_with(["stock_end.last_red_three"], "deck.threes", "bonus"))
    return found


_WITH_BONUS_THREES: Final[tuple[tuple[str, Value], ...]] = (
    ("turn.threes_at", "turn"),
    ("turn.lay_bonus_by_hand", False),
    ("deal.foot_size", 0),
    ("deck.caliente_cards", False),
)
"""Values required if all threes are bonus cards."""


def _goes_with(asking: list[str], path: str, value: Value) -> RuleConflict:
    """Return the problem that the first of these fields requires this value of another."""
    return RuleConflict((asking[0], path, *asking[1:]), "GOES_ONLY_WITH", _set(path, value), "SET")


def _without_effect(mapping: Mapping[str, Value]) -> list[RuleConflict]:
    """Report fields that have an effect only if another field is true."""
    return [
        RuleConflict(
            (path, field.needs),
            "NO_EFFECT",
            _set(field.needs, True, field.needs, False),
            "SET",
            idle=True,
        )
        for path, field in FIELDS.items()
        if field.needs and mapping[field.needs] is False and mapping[path] != field.default
    ]


def _rising(numbers: tuple[int, ...], *, strictly: bool) -> bool:
    for i in range(1, len(numbers)):
        if numbers[i] < numbers[i - 1] or (strictly and numbers[i] == numbers[i - 1]):
            return False
    return True


SMALLEST_POT: Final = 5

# Values that games with long sequences need, and fields that only they can have.
NEEDED: Final[dict[str, tuple[Value, ...]]] = {
    "melds.runs": (True,),
    "melds.same_suit_runs": (True,),
    "melds.sets_per_rank": ("one",),
    "melds.wild_melds": (False,),
    "deck.threes": ("natural",),
    "deck.caliente_cards": (False,),
    "deal.foot_size": (0,),
    "pile.take": ("free", "use_top"),
    "pile.put_back": (False,),
    "pile.always_frozen": (False,),
    "opening.minimums": ((0,),),
    "opening.below_zero": (0,),
    "turn.lay_bonus_by_hand": (False,),
    "turn.keep_last_card": (False,),
    "going_out.ask": ("no",),
    "going_out.wild": (0,),
    "going_out.sequence": (0,),
    "stock_end.after_last_card": ("ends",),
}
ONLY_THERE: Final = (
    "melds.run_wilds",
    "melds.run_ace",
    "melds.set_ranks",
    "deck.threes",
    "deck.natural_twos",
    "deal.pots",
    "pile.take",
    "pile.no_return",
    "going_out.last_discard",
    "stock_end.floor",
    "stock_end.pot_becomes_stock",
    "stock_end.most_turns",
    "scoring.grades",
    "scoring.pot_not_taken",
)


def misfits(mapping: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Return the fields that conflict with `melds.run_most`, each with an option that resolves this."""
    if mapping["melds.run_most"] == 0:
        found = [
            (path, FIELDS["melds.run_most"].typed(13))
            for path in ONLY_THERE
            if mapping[path] not in (FIELDS[path].default, "bonus")
        ]
        if mapping["stock_end.after_last_card"] == "ends":
            found.append(("stock_end.after_last_card", FIELDS["melds.run_most"].typed(13)))
        return found
    return [
        (path, FIELDS[path].typed(values[0]))
        for path, values in NEEDED.items()
        if mapping[path] not in values
    ]
