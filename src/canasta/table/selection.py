"""Interpretation of selected cards as moves: sets, sequences and additions.

The result is a list of interpretations, the likeliest first. They are well formed but not necessarily legal:
callers check each one against the rules before it is played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from canasta.table.wire import GameView, MeldView

RANKS: Final = "456789TJQKA"
"""The natural ranks, low to high."""
MOST_INTERPRETATIONS: Final = 8
_MOST_COVERS: Final = 24
_MOST_STEPS: Final = 2_000
"""Maximum number of search steps: a whole hand selected at once has too many interpretations to list."""


def rank_of(card: str) -> str:
    """Return the rank of a card: `K` for `Kh`, or `2`, `Jo`, `3r`, `3b`, `Ca`."""
    if card in ("Jo", "Ca"):
        return card
    if card[0] == "3":
        return "3r" if card[1] in "dhr" else "3b"
    return card[0]


def is_wild(card: str) -> bool:
    return card == "Jo" or card[0] == "2"


@dataclass(frozen=True)
class MeldPart:
    """Cards that belong together: a new meld, or an addition to the meld of this name."""

    cards: tuple[str, ...]
    to: str = ""


@dataclass(frozen=True)
class Interpretation:
    """One interpretation of the chosen cards."""

    parts: tuple[MeldPart, ...]

    @property
    def new(self) -> tuple[MeldPart, ...]:
        return tuple(part for part in self.parts if not part.to)

    def moves(self) -> list[str]:
        """Return the moves in our notation: all new melds in one, then the additions."""
        moves = ["meld " + " + ".join(" ".join(part.cards) for part in self.new)] if self.new else []
        return moves + [f"add {' '.join(part.cards)} to {part.to}" for part in self.parts if part.to]

    def take_moves(self, top: str) -> list[str]:
        """Return the moves that take the pile with its top card, which must be among the cards; empty if that
        is impossible."""
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
    """Return the first and the last card of a sequence. A wild card appears as the card that it
    represents."""
    cards = list(meld.cards)
    if meld.wild >= 0:
        cards[meld.wild] = meld.stands_for
    return cards[0], cards[-1]


def other_way(meld: MeldView) -> list[str]:
    """Return a sequence with the wild card of one end moved to the other; empty if the wild card is not at an
    end."""
    if not is_run(meld) or meld.wild not in (0, len(meld.cards) - 1):
        return []
    rest = [card for place, card in enumerate(meld.cards) if place != meld.wild]
    wild = [meld.cards[meld.wild]]
    return rest + wild if meld.wild == 0 else wild + rest


def is_run(meld: MeldView) -> bool:
    return meld.name.startswith("run")


def rank_of_meld(meld: MeldView) -> str:
    """Return the rank of a set: `K`, `W`, `3b`."""
    return meld.name.partition("#")[0]


def interpret(cards: Sequence[str], melds: Sequence[MeldView], game: GameView) -> list[Interpretation]:
    """Return the interpretations of the chosen cards, the likeliest first. `melds` are those of the player's
    side."""
    if game.long_runs:
        return _long_run_readings(cards, melds)
    if any(card == "Ca" or rank_of(card) == "3r" for card in cards) or not cards:
        return []
    wilds = sorted((card for card in cards if is_wild(card)), key=lambda card: card == "Jo")
    naturals = [card for card in cards if not is_wild(card)]
    open_melds = [meld for meld in melds if not meld.full]
    if not naturals:
        # Start with melds of wild cards, then new ones, then all others, however many there are.
        additions = [
            Interpretation((MeldPart(tuple(wilds), meld.name),)) for meld in open_melds if not is_run(meld)
        ]
        together = [plan for plan in additions if plan.parts[0].to.startswith("W")]
        new = [Interpretation((MeldPart(tuple(wilds)),))] if game.wild_melds and len(wilds) >= 3 else []
        return [*together, *new, *(plan for plan in additions if plan not in together)]
    readings: list[Interpretation] = []
    covers = _Search(open_melds, game).covers(naturals, len(wilds))
    for cover in islice(covers, _MOST_COVERS):
        readings += _with_wilds(cover, wilds)
    unique = list(dict.fromkeys(readings))
    unique.sort(key=lambda plan: (len(plan.parts), sum(not part.to for part in plan.parts)))
    return unique[:MOST_INTERPRETATIONS]


def _long_run_readings(cards: Sequence[str], melds: Sequence[MeldView]) -> list[Interpretation]:
    """Return the interpretations for games with long sequences, in which all cards stay together: a new meld,
    or an addition to one on the table."""
    new = [Interpretation((MeldPart(tuple(_in_written_order(cards))),))] if len(cards) >= 3 else []
    return new + [Interpretation((MeldPart(tuple(cards), meld.name),)) for meld in joinable(cards, melds)]


def joinable(cards: Sequence[str], melds: Sequence[MeldView]) -> list[MeldView]:
    """Return the melds that these cards could be added to, in games with long sequences."""
    return [meld for meld in melds if not meld.full and _may_join(cards, meld)]


def _may_join(cards: Sequence[str], meld: MeldView) -> bool:
    """Return whether suit or rank fit the meld; the rules check everything else."""
    if is_run(meld):
        suit = run_ends(meld)[0][1:]
        return all(is_wild(card) or card[1:] == suit for card in cards)
    return all(is_wild(card) or card[0] == rank_of_meld(meld) for card in cards)


def _in_written_order(cards: Sequence[str]) -> list[str]:
    """Return the cards in the order in which a sequence is written: a two of its suit first, then low to
    high, then other wild cards."""
    suit = next((card[1:] for card in cards if not is_wild(card)), "")

    def place(card: str) -> int:
        if card == f"2{suit}":
            return -1
        return len(RANKS) + 1 if is_wild(card) else RANKS.find(card[0]) + 1

    return sorted(cards, key=place)


class _Search:
    """A search for all ways to split natural cards into sets and sequences. Sets may still need wild
    cards."""

    def __init__(self, melds: Sequence[MeldView], game: GameView) -> None:
        self._melds = melds
        self._game = game
        self._steps = _MOST_STEPS

    def covers(self, naturals: Sequence[str], wilds: int) -> Iterator[tuple[MeldPart, ...]]:
        if not naturals:
            yield ()
            return
        for part, rest, needed in self._heads(naturals, wilds):
            self._steps -= 1
            if self._steps < 0:
                return
            for others in self.covers(rest, wilds - needed):
                yield (part, *others)

    def _heads(self, naturals: Sequence[str], wilds: int) -> Iterator[tuple[MeldPart, Sequence[str], int]]:
        """Yield the parts that can contain the lowest card, each with the cards left over and the number of
        wild cards it needs."""
        lowest = min((rank_of(card) for card in naturals), key=_height)
        same = tuple(card for card in naturals if rank_of(card) == lowest)
        without = [card for card in naturals if rank_of(card) != lowest]
        for meld in self._melds:
            if not is_run(meld) and rank_of_meld(meld) == lowest:
                yield MeldPart(same, meld.name), without, 0
        lacking = max(0, 3 - len(same))
        if lacking <= wilds:
            yield MeldPart(same), without, lacking
        if self._game.runs and lowest in RANKS:
            for part in _runs_from(naturals, lowest, self._melds, suited=self._game.same_suit_runs):
                left = Counter(naturals)
                left.subtract(part.cards)
                yield part, list(left.elements()), 0


def _height(rank: str) -> int:
    return RANKS.index(rank) if rank in RANKS else len(RANKS)


def _runs_from(
    naturals: Sequence[str], lowest: str, melds: Sequence[MeldView], *, suited: bool
) -> Iterator[MeldPart]:
    """Yield sequences starting with this rank, longest first: as new melds, or extending one on the table."""
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
                    yield MeldPart(part, meld.name)
            if length >= 3:
                yield MeldPart(part)


def _extends(part: Sequence[str], meld: MeldView, *, suited: bool) -> bool:
    low, high = RANKS.index(rank_of(meld.cards[0])), RANKS.index(rank_of(meld.cards[-1]))
    first, last = RANKS.index(rank_of(part[0])), RANKS.index(rank_of(part[-1]))
    if suited and part[0][1:] != meld.cards[0][1:]:
        return False
    return last + 1 == low or first == high + 1


def _with_wilds(cover: Sequence[MeldPart], wilds: Sequence[str]) -> Iterator[Interpretation]:
    """Yield the split with wild cards added: pairs get the ones they need, and one set gets all others."""
    left = list(wilds)
    parts: list[MeldPart] = []
    for part in cover:
        if part.to or len(part.cards) >= 3:
            parts.append(part)
            continue
        needed = 3 - len(part.cards)
        parts.append(MeldPart((*part.cards, *left[:needed])))
        left = left[needed:]
    if not left:
        yield Interpretation(tuple(parts))
        return
    for number, part in enumerate(parts):
        if not part.to.startswith("run") and not _is_sequence(part):
            more = MeldPart((*part.cards, *left), part.to)
            yield Interpretation((*parts[:number], more, *parts[number + 1 :]))


def _is_sequence(part: MeldPart) -> bool:
    return len({rank_of(card) for card in part.cards if not is_wild(card)}) > 1


def first_meld_points(cards: Iterable[str], game: GameView) -> int:
    """Return the points that these cards count towards a first meld."""
    return sum(game.values.get(rank_of(card), 0) for card in cards)
