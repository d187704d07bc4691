"""Special hands: whole hands that a player may lay down after the draw (OUT-10), as data."""

from typing import Final, NamedTuple


class SpecialHand(NamedTuple):
    """A pattern of groups of equal cards, each group of another rank and all cards of that rank in it."""

    name: str
    points: int
    groups: tuple[int, ...] = ()
    """Sizes of the groups of any natural rank."""
    must: tuple[str, ...] = ()
    """Ranks with a pair of their own beside these."""
    wilds: tuple[str, int] = ("none", 0)
    """How many wild cards, and which: `twos`, `alike` (twos or jokers), `mixed`, `both` (as many of each);
    `groups`: twos and jokers may be groups among the others."""
    each: bool = False
    """One card of every rank instead: ace to king, and a joker."""
    wins: bool = False
    """The hand wins the game."""


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
"""By the value of `going_out.special_hands`."""

SPECIAL_NAMES: Final[tuple[str, ...]] = tuple(hand.name for hand in SPECIAL_HANDS["league"])
"""Every name that there is."""
