"""From cards that a player has chosen to the moves that were meant: sets, sequences, additions.

What comes out is a list of plans, the likeliest first. They are well formed and not yet legal: the rules
are asked about each before anything is played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from canasta.table.wire import GameView, MeldView
from canasta.terminal.faces import RANKS, is_wild, rank_of

MOST_PLANS: Final = 8
_MOST_COVERS: Final = 24
_MOST_STEPS: Final = 2_000
"""A whole hand chosen at once has more readings than anyone wants to hear."""


@dataclass(frozen=True)
class Part:
    """Cards that belong together: a new meld, or an addition to the meld of this name."""

    cards: tuple[str, ...]
    to: str = ""


@dataclass(frozen=True)
class Plan:
    """One reading of the chosen cards."""

    parts: tuple[Part, ...]

    @property
    def new(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if not part.to)

    def moves(self) -> list[str]:
        """The moves in our notation: all new melds as one, then the additions."""
        moves = ["meld " + " + ".join(" ".join(part.cards) for part in self.new)] if self.new else []
        return moves + [f"add {' '.join(part.cards)} to {part.to}" for part in self.parts if part.to]

    def take_moves(self, top: str) -> list[str]:
        """The moves when one of the cards is the top card of the pile; empty when that cannot be."""
        with_top = next((part for part in self.parts if top in part.cards), None)
        if with_top is None:
            return []
        rest = list(with_top.cards)
        rest.remove(top)
        others = tuple(part for part in self.parts if part is not with_top)
        after = [f"add {' '.join(part.cards)} to {part.to}" for part in others if part.to]
        if with_top.to:
            take = f"take onto {with_top.to}"
            if rest:
                after.insert(0, f"add {' '.join(rest)} to {with_top.to}")
        elif rest:
            take = "take " + " ".join(rest)
        else:
            return []
        more = [" ".join(part.cards) for part in others if not part.to]
        if with_top.to and more:
            return [take, "meld " + " + ".join(more), *after]
        return [" + ".join([take, *more]), *after]


def run_ends(meld: MeldView) -> tuple[str, str]:
    """The first and the last card of a sequence; for a wild card the one that it stands for."""
    cards = list(meld.cards)
    if meld.wild >= 0:
        cards[meld.wild] = meld.stands_for
    return cards[0], cards[-1]


def other_way(meld: MeldView) -> list[str]:
    """A sequence written with the wild card of its one end at the other; empty where that lies between."""
    if not is_run(meld) or meld.wild not in (0, len(meld.cards) - 1):
        return []
    rest = [card for place, card in enumerate(meld.cards) if place != meld.wild]
    wild = [meld.cards[meld.wild]]
    return rest + wild if meld.wild == 0 else wild + rest


def is_run(meld: MeldView) -> bool:
    return meld.name.startswith("run")


def rank_of_meld(meld: MeldView) -> str:
    """The rank that a set collects: `K`, `W`, `3b`."""
    return meld.name.partition("#")[0]


def plans(cards: Sequence[str], melds: Sequence[MeldView], game: GameView) -> list[Plan]:
    """What the chosen cards can mean beside the melds of one's own side, the likeliest first."""
    if game.long_runs:
        return _long_plans(cards, melds)
    if any(card == "Ca" or rank_of(card) == "3r" for card in cards) or not cards:
        return []
    wilds = sorted((card for card in cards if is_wild(card)), key=lambda card: card == "Jo")
    naturals = [card for card in cards if not is_wild(card)]
    open_melds = [meld for meld in melds if not meld.full]
    if not naturals:
        # Wilds that lie together already are where wilds usually go; then come those that could. None is left
        # out, however many sets there are.
        additions = [Plan((Part(tuple(wilds), meld.name),)) for meld in open_melds if not is_run(meld)]
        together = [plan for plan in additions if plan.parts[0].to.startswith("W")]
        new = [Plan((Part(tuple(wilds)),))] if game.wild_melds and len(wilds) >= 3 else []
        return [*together, *new, *(plan for plan in additions if plan not in together)]
    found: list[Plan] = []
    covers = _Search(open_melds, game).covers(naturals, len(wilds))
    for cover in islice(covers, _MOST_COVERS):
        found += _with_wilds(cover, wilds)
    unique = list(dict.fromkeys(found))
    unique.sort(key=lambda plan: (len(plan.parts), sum(not part.to for part in plan.parts)))
    return unique[:MOST_PLANS]


def _long_plans(cards: Sequence[str], melds: Sequence[MeldView]) -> list[Plan]:
    """Where a wild may stand in a sequence the cards go together: as a new meld, or onto one that lies."""
    new = [Plan((Part(tuple(_in_writing(cards))),))] if len(cards) >= 3 else []
    return new + [Plan((Part(tuple(cards), meld.name),)) for meld in joinable(cards, melds)]


def joinable(cards: Sequence[str], melds: Sequence[MeldView]) -> list[MeldView]:
    """The melds of long sequences' games that these cards may be meant for."""
    return [meld for meld in melds if not meld.full and _may_join(cards, meld)]


def _may_join(cards: Sequence[str], meld: MeldView) -> bool:
    """By suit or rank; the rules know the rest."""
    if is_run(meld):
        suit = run_ends(meld)[0][1:]
        return all(is_wild(card) or card[1:] == suit for card in cards)
    return all(is_wild(card) or card[0] == rank_of_meld(meld) for card in cards)


def _in_writing(cards: Sequence[str]) -> list[str]:
    """As a sequence is written: a two of its suit first, then from low to high, other wild cards last."""
    suit = next((card[1:] for card in cards if not is_wild(card)), "")

    def place(card: str) -> int:
        if card == f"2{suit}":
            return -1
        return len(RANKS) + 1 if is_wild(card) else RANKS.find(card[0]) + 1

    return sorted(cards, key=place)


class _Search:
    """Every way to part natural cards into sets and sequences; a set may still lack its wilds."""

    def __init__(self, melds: Sequence[MeldView], game: GameView) -> None:
        self._melds = melds
        self._game = game
        self._steps = _MOST_STEPS

    def covers(self, naturals: Sequence[str], wilds: int) -> Iterator[tuple[Part, ...]]:
        if not naturals:
            yield ()
            return
        for part, rest, needed in self._heads(naturals, wilds):
            self._steps -= 1
            if self._steps < 0:
                return
            for others in self.covers(rest, wilds - needed):
                yield (part, *others)

    def _heads(self, naturals: Sequence[str], wilds: int) -> Iterator[tuple[Part, Sequence[str], int]]:
        """What the lowest card can belong to, what is left then, and how many wilds it takes."""
        lowest = min((rank_of(card) for card in naturals), key=_height)
        same = tuple(card for card in naturals if rank_of(card) == lowest)
        without = [card for card in naturals if rank_of(card) != lowest]
        for meld in self._melds:
            if not is_run(meld) and rank_of_meld(meld) == lowest:
                yield Part(same, meld.name), without, 0
        lacking = max(0, 3 - len(same))
        if lacking <= wilds:
            yield Part(same), without, lacking
        if self._game.runs and lowest in RANKS:
            for part in _runs_from(naturals, lowest, self._melds, suited=self._game.same_suit_runs):
                left = Counter(naturals)
                left.subtract(part.cards)
                yield part, list(left.elements()), 0


def _height(rank: str) -> int:
    return RANKS.index(rank) if rank in RANKS else len(RANKS)


def _runs_from(
    naturals: Sequence[str], lowest: str, melds: Sequence[MeldView], *, suited: bool
) -> Iterator[Part]:
    """Sequences that begin with this rank, the longest first; alone, or at the end of one that lies."""
    for first in dict.fromkeys(card for card in naturals if rank_of(card) == lowest):
        chain = [first]
        for rank in RANKS[RANKS.index(lowest) + 1 :]:
            fitting = [card for card in naturals if rank_of(card) == rank]
            same_suit = [card for card in fitting if card[1:] == first[1:]]
            if not fitting or (suited and not same_suit):
                break
            chain.append((same_suit or fitting)[0])
        for length in range(len(chain), 0, -1):
            part = tuple(chain[:length])
            for meld in melds:
                if is_run(meld) and _extends(part, meld, suited=suited):
                    yield Part(part, meld.name)
            if length >= 3:
                yield Part(part)


def _extends(part: Sequence[str], meld: MeldView, *, suited: bool) -> bool:
    low, high = RANKS.index(rank_of(meld.cards[0])), RANKS.index(rank_of(meld.cards[-1]))
    first, last = RANKS.index(rank_of(part[0])), RANKS.index(rank_of(part[-1]))
    if suited and part[0][1:] != meld.cards[0][1:]:
        return False
    return last + 1 == low or first == high + 1


def _with_wilds(cover: Sequence[Part], wilds: Sequence[str]) -> Iterator[Plan]:
    """The cover with its wilds: first where a set of two needs them, the others all onto one set."""
    left = list(wilds)
    parts: list[Part] = []
    for part in cover:
        if part.to or len(part.cards) >= 3:
            parts.append(part)
            continue
        needed = 3 - len(part.cards)
        parts.append(Part((*part.cards, *left[:needed])))
        left = left[needed:]
    if not left:
        yield Plan(tuple(parts))
        return
    for number, part in enumerate(parts):
        if not part.to.startswith("run") and not _is_sequence(part):
            more = Part((*part.cards, *left), part.to)
            yield Plan((*parts[:number], more, *parts[number + 1 :]))


def _is_sequence(part: Part) -> bool:
    return len({rank_of(card) for card in part.cards if not is_wild(card)}) > 1


def worth(cards: Iterable[str], game: GameView) -> int:
    """What cards count towards a first meld."""
    return sum(game.values.get(rank_of(card), 0) for card in cards)
