"""Special hands as data: whole hands that a player may lay down after the draw (OUT-10)."""

from typing import Final, NamedTuple


class SpecialHand(NamedTuple):
    """A pattern of groups of equal cards.

    Each group has a different rank and includes all cards of that rank.
    """

    name: str
    points: int
    groups: tuple[int, ...] = ()
    """Sizes of the groups, each of any natural rank."""
    must: tuple[str, ...] = ()
    """Ranks that must have a pair of their own, in addition."""
    wilds: tuple[str, int] = ("none", 0)
    """Kind and number of wild cards. Kinds are `twos`, `alike` (all twos or all jokers), `mixed`, `both`
    (that many of each), and `groups` (twos and jokers may form groups like other ranks)."""
    each: bool = False
    """Whether the hand is one card of every rank instead: ace to king, and a joker."""
    wins: bool = False
    """Whether the hand wins the game."""


_STRAIGHT: Final = SpecialHand("straight", 3000, each=True)
_PAIRS: Final = SpecialHand("pairs", 2500, (2,) * 7)

SPECIAL_HANDS: Final[dict[str, tuple[SpecialHand, ...]]] = {
    "none": (),
    "league": (
        _STRAIGHT,
        _PAIRS,
        SpecialHand("wild pairs", 2000, (2,) * 4, ("7", "A"), ("alike", 2)),
        SpecialHand("miami pairs", 2500, (2,) * 3, ("7", "A"), ("both", 2)),
        SpecialHand("garbage", 3000, (4, 4, 3, 3)),
        SpecialHand("zip code", 2500, (4, 3, 3, 2, 2), wilds=("groups", 0)),
        SpecialHand("blast off", 3000, (5, 4, 3, 2), wilds=("groups", 0)),
        SpecialHand("triples", 3500, (3, 3, 3, 3), wilds=("alike", 2)),
        SpecialHand("quads", 3500, (4, 4, 4), wilds=("alike", 2)),
        SpecialHand("dream hand plus four", 8500, (5, 5), wilds=("alike", 4), wins=True),
        SpecialHand("dream hand plus five", 8500, (5, 4), wilds=("mixed", 5), wins=True),
    ),
    "pagat": (
        _STRAIGHT,
        _PAIRS,
        SpecialHand("wild pairs", 2000, (2,) * 4, ("7", "A"), ("twos", 2)),
        SpecialHand("garbage", 2000, (4, 4, 3, 3)),
    ),
}
"""The special hands, by the value of `going_out.special_hands`."""

SPECIAL_NAMES: Final[tuple[str, ...]] = tuple(hand.name for hand in SPECIAL_HANDS["league"])
"""The name of every special hand."""
