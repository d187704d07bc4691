"""A position by hand: everything that a hand in progress consists of, for scenarios, puzzles and tests."""

from dataclasses import dataclass, field


@dataclass
class Position:
    """Cards are kinds; seats are those of the table, and one that sits out has no entry in `hands`."""

    turn: int = 0
    phase: str = "draw"
    """`draw`, `play`, or `deal` (cards are dealt, red threes not laid out, no card turned up)."""
    hands: dict[int, list[int]] = field(default_factory=dict)
    feet: dict[int, list[int]] = field(default_factory=dict)
    picked_up: set[int] = field(default_factory=set)
    """Seats that have picked up the foot and, unless the next line names them, played from it."""
    foot_unplayed: set[int] = field(default_factory=set)
    pots: list[list[int]] = field(default_factory=list)
    """Those that nobody has taken, the next one first."""
    pot_taken: set[int] = field(default_factory=set)
    """Sides that have taken theirs, and played from it unless the next line names them."""
    not_returned: int = -1
    """The single card of a pile taken in this turn, which is not thrown back; -1: none."""
    pot_unplayed: set[int] = field(default_factory=set)
    melds: dict[int, list[list[int]]] = field(default_factory=dict)
    """By side, in the order laid."""
    bonus: dict[int, list[int]] = field(default_factory=dict)
    """Red threes laid out, by side."""
    talons: dict[int, list[int]] = field(default_factory=dict)
    """Talon cards that wait for the owner's next turn, by seat."""
    pile: list[int] = field(default_factory=list)
    """Bottom to top."""
    stock: list[int] = field(default_factory=list)
    """Top first."""
    scores: list[int] = field(default_factory=list)
    """By side, before this hand; empty: all zero."""
    round: int = 1
    sitting_out: set[int] = field(default_factory=set)
    melded_before: set[int] | None = None
    """Seats that have melded earlier in this hand; None: all seats of a side with melds."""
    dealer: int | None = None
    """None: the seat on the right of `turn`."""
    caliente_played: list[int] = field(default_factory=list)
    """Caliente cards played in this hand, by side; empty: none. So for the piles put back."""
    put_backs: list[int] = field(default_factory=list)
    pile_is_from_deal: bool = False
    """The pile lies as the deal left it and `turn` is the first player of the hand (PILE-13)."""
