"""Do the fields of a ruleset fit together? Each check looks at a few fields of a complete set of values."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from canasta.rules.fields import FIELDS, Value


class Problem(NamedTuple):
    """A combination that makes no game."""

    paths: tuple[str, ...]
    """The fields that do not fit; the first is named unless the table chose another of them."""
    problem: str
    remedy: str
    idle: bool = False
    """The first field would only be without effect: no matter, unless the table chose it."""


_CARDS: Final = ("joker", "two", "ace", "high", "low", "black_three")

_MOST_HANDS: Final = 500
"""In so many hands, each as good as can be, a game must reach its target."""


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
    """
    >>> players_in_a_hand(5, True), players_in_a_hand(6, False)
    (4, 6)
    """
    return 4 if sit_out else players


def problems_of(mapping: Mapping[str, Value]) -> list[Problem]:
    """Everything that does not fit; `mapping` has a value of the right type for every field."""
    values = Values(mapping)
    return [
        *_seats(values),
        *_cards(values),
        *_melds(values),
        *_opening(values),
        *_first_meld(values),
        *_goals(values),
        *_without_effect(mapping),
    ]


def _seats(values: Values) -> list[Problem]:
    players, sides = values.number("seats.players"), values.number("seats.sides")
    sit_out = values.yes("seats.sit_out")
    found: list[Problem] = []
    usual_sides = 3 if players == 3 else 2
    if sides != usual_sides and not (players == 6 and not sit_out):
        found.append(
            Problem(
                ("seats.sides", "seats.sit_out"),
                f"{players} players make {usual_sides} sides here",
                f"set seats.sides to {usual_sides}",
            )
        )
    if sit_out != (players == 5) and players != 6:
        found.append(
            Problem(
                ("seats.sit_out",),
                f"at a table of {players} {'one player sits' if players == 5 else 'nobody sits'} out",
                f"set seats.sit_out to {'true' if players == 5 else 'false'}",
            )
        )
    if values.text("seats.first_dealer") == "alternate" and players != 2:
        found.append(
            Problem(("seats.first_dealer",), "only two players can take turns", "choose random or cut")
        )
    return found


SMALLEST_FOOT: Final = 5


def _cards(values: Values) -> list[Problem]:
    decks = values.number("deck.decks")
    cards = decks * (55 if values.yes("deck.caliente_cards") else 54)
    seated = players_in_a_hand(values.number("seats.players"), values.yes("seats.sit_out"))
    hand = values.number("deal.hand_size") + values.number("deal.foot_size")
    # every wild card and every three may lie on top of the stock when the first card is turned, and
    # after that each player should be able to draw once
    reserve = 10 * decks + seated * values.number("turn.draw")
    needed = seated * hand + 1 + reserve
    found: list[Problem] = []
    foot = values.number("deal.foot_size")
    if 0 < foot < SMALLEST_FOOT:
        found.append(
            Problem(
                ("deal.foot_size",),
                f"a foot of {foot} may leave too few cards to play on with once its red threes are laid out",
                f"set it to {SMALLEST_FOOT} or more, or to 0 for no foot",
            )
        )
    if needed <= cards:
        return found
    return [
        *found,
        Problem(
            ("deal.hand_size", "deal.foot_size", "deck.decks", "turn.draw"),
            f"{seated} players with {hand} cards each and a stock to draw from need {needed} cards, "
            f"{decks} {'deck has' if decks == 1 else 'decks have'} {cards}",
            "deal fewer cards or add a deck",
        ),
    ]


def _melds(values: Values) -> list[Problem]:
    found: list[Problem] = []
    size, largest = values.number("melds.canasta_size"), values.number("melds.largest_set")
    decks, runs = values.number("deck.decks"), values.yes("melds.runs")
    if 0 < largest < size:
        found.append(
            Problem(
                ("melds.largest_set", "melds.canasta_size"),
                f"a set closed at {largest} can never become a canasta of {size}",
                f"set it to {size} or more, or to 0 for no limit",
            )
        )
    if values.text("melds.sets_per_rank") == "one_open" and largest != size:
        found.append(
            Problem(
                ("melds.sets_per_rank", "melds.largest_set", "melds.canasta_size"),
                "a second set of a rank waits until the first is closed, so a set must close as a canasta",
                f"set melds.largest_set to the size of a canasta, {size}",
            )
        )
    steps = values.numbers("melds.wilds_by_size")
    if not _rising(steps, strictly=False):
        found.append(Problem(("melds.wilds_by_size",), "the numbers must not fall", "sort them"))
    elif any(after > before + 1 for before, after in pairwise(steps)):
        # a set grows card by card, and a larger one must not allow what no smaller one can grow into
        found.append(
            Problem(("melds.wilds_by_size",), "the numbers may only rise by one", "for example 1, 2, 3")
        )
    if not runs:
        if values.number("going_out.sequence") > 0:
            found.append(
                Problem(
                    ("going_out.sequence", "melds.runs"),
                    "going out asks for a sequence, but there are no sequences",
                    "set melds.runs to true or going_out.sequence to 0",
                )
            )
    if values.number("going_out.wild") > 0 and not values.yes("melds.wild_melds"):
        found.append(
            Problem(
                ("going_out.wild", "melds.wild_melds"),
                "going out asks for a wild canasta, but there are no melds of wild cards",
                "set wild_melds to true or going_out.wild to 0",
            )
        )
    by_size = values.numbers("melds.wilds_by_size")
    if values.number("going_out.mixed") > 0 and by_size and by_size[-1] == 0:
        found.append(
            Problem(
                ("going_out.mixed", "melds.wilds_by_size"),
                "going out asks for a mixed canasta, but no set may hold a wild card",
                "allow wild cards or set going_out.mixed to 0",
            )
        )
    if values.number("going_out.natural") > 0 and 4 * decks < size:
        found.append(
            Problem(
                ("going_out.natural", "deck.decks", "melds.canasta_size"),
                f"{decks} {'deck has' if decks == 1 else 'decks have'} too few cards of a rank",
                "add a deck or set going_out.natural to 0",
            )
        )
    wanted = max(
        values.number("going_out.canastas"),
        sum(values.number("going_out." + kind) for kind in ("natural", "mixed", "wild", "sequence")),
    )
    # 44 naturals and 6 wild cards of each deck can lie in canastas
    if wanted * size > 50 * decks or values.number("going_out.wild") * size > 6 * decks:
        found.append(
            Problem(
                ("going_out.canastas", "going_out.natural", "going_out.mixed", "going_out.wild",
                 "going_out.sequence", "deck.decks", "melds.canasta_size"),
                f"the cards are not enough for the canastas needed ({wanted})",
                "ask for fewer canastas or add a deck",
            )
        )  # fmt: skip
    return found


def _opening(values: Values) -> list[Problem]:
    scores, minimums = values.numbers("opening.scores"), values.numbers("opening.minimums")
    found: list[Problem] = []
    if not minimums:
        found.append(Problem(("opening.minimums",), "there must be at least one minimum", "for example 50"))
    elif not _rising(minimums, strictly=False):
        found.append(Problem(("opening.minimums",), "the minimums must not fall", "sort them"))
    if values.yes("opening.by_round"):
        if scores:
            found.append(
                Problem(
                    ("opening.scores", "opening.by_round"),
                    "the minimum goes by rounds, so scores have no part in it",
                    "leave the scores empty or set opening.by_round to false",
                )
            )
        return found
    if len(scores) != len(minimums):
        found.append(
            Problem(
                ("opening.scores", "opening.minimums", "opening.by_round"),
                f"{len(scores)} scores and {len(minimums)} minimums do not pair up",
                "give as many scores as minimums",
            )
        )
    if scores and scores[0] != 0:
        found.append(Problem(("opening.scores",), "the first step must begin at 0", "put 0 first"))
    if not _rising(scores, strictly=True):
        found.append(Problem(("opening.scores",), "the scores must rise", "sort them, each score once"))
    return found


def _first_meld(values: Values) -> list[Problem]:
    """Can a hand ever be worth what the first meld must be?"""
    if values.number("turn.draw") > 1 or values.yes("deck.caliente_cards"):
        return []  # a hand grows before its side has melded
    if values.yes("opening.canasta_suffices") or values.yes("opening.canasta_bonus_counts"):
        return []
    cards = values.number("deal.hand_size") + 1
    dearest = max(values.number(f"deck.{card}_value") for card in _CARDS)
    below_zero, minimums = values.number("opening.below_zero"), values.numbers("opening.minimums")
    found: list[Problem] = []
    for path, needed in (
        ("opening.minimums", max(minimums, default=0)),
        ("opening.below_zero", 0 if values.yes("opening.by_round") else below_zero),
    ):
        if needed > cards * dearest:
            found.append(
                Problem(
                    (path, "deal.hand_size", "deck.joker_value"),
                    f"a first meld of {needed} points cannot be made of {cards} cards worth "
                    f"{dearest} at the most",
                    "lower the minimum or deal more cards",
                )
            )
    return found


def _most_in_a_hand(values: Values) -> int:
    """No side scores more than this."""
    decks, size = values.number("deck.decks"), values.number("melds.canasta_size")
    cards = 54 * decks
    bonuses = ("natural_canasta", "mixed_canasta", "samba", "wild_canasta")
    most = cards * max(values.number(f"deck.{card}_value") for card in _CARDS)
    most += cards // size * max(values.number(f"scoring.{bonus}") for bonus in bonuses)
    most += 2 * decks * values.number("scoring.red_three")
    if values.number("scoring.red_three_extra_from") > 0:
        most += values.number("scoring.red_three_extra")
    return most + values.number("scoring.going_out") + values.number("scoring.concealed")


def _goals(values: Values) -> list[Problem]:
    found: list[Problem] = []
    if values.text("stock_end.last_red_three") == "goes_on" and not values.yes("turn.keep_last_card"):
        found.append(
            Problem(
                ("turn.keep_last_card", "stock_end.last_red_three"),
                "a player whose last draw is a red three may have one card left that cannot be discarded",
                "set turn.keep_last_card to true or stock_end.last_red_three to ends or melds",
            )
        )
    if values.text("stock_end.after_last_card") == "top_card" and not values.yes("stock_end.forced"):
        found.append(
            Problem(
                ("stock_end.forced", "stock_end.after_last_card"),
                "where a fitting top card is taken alone, it must be taken",
                "set stock_end.forced to true",
            )
        )
    saved_by = values.number("scoring.red_threes_minus_canastas")
    if values.text("scoring.red_threes_minus") in ("few_canastas", "all_need_canastas") and saved_by == 0:
        found.append(
            Problem(
                ("scoring.red_threes_minus", "scoring.red_threes_minus_canastas"),
                "the number of canastas decides, but it is 0",
                "set scoring.red_threes_minus_canastas, for example to 2",
            )
        )
    extra_from, decks = values.number("scoring.red_three_extra_from"), values.number("deck.decks")
    if extra_from > 2 * decks:
        found.append(
            Problem(
                ("scoring.red_three_extra_from", "deck.decks"),
                f"there are only {2 * decks} red threes",
                f"set scoring.red_three_extra_from to {2 * decks} or fewer, or to 0 for no extra",
            )
        )
    target, rounds = values.number("match.target"), values.number("match.rounds")
    most = _most_in_a_hand(values)
    if target > _MOST_HANDS * most:
        found.append(
            Problem(
                ("match.target", "deck.low_value", "scoring.natural_canasta", "scoring.red_three"),
                f"a side scores at most {most} points in a hand, so that the game would not end in "
                f"{_MOST_HANDS} hands",
                "lower the target or make cards and canastas worth more",
            )
        )
    if target == 0 and rounds == 0:
        found.append(
            Problem(
                ("match.target", "match.rounds"),
                "the game would never end",
                "set a target or a number of rounds",
            )
        )
    if target > 0 and rounds > 0:
        found.append(
            Problem(
                ("match.rounds", "match.target"),
                "a game goes to a score or over a number of rounds, not both",
                "set one of the two to 0",
            )
        )
    return found


def _without_effect(mapping: Mapping[str, Value]) -> list[Problem]:
    """Fields that mean something only where another is a yes."""
    return [
        Problem(
            (path, field.needs),
            f"has no effect here ({FIELDS[field.needs].label}: no)",
            f"set {field.needs} to true",
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
