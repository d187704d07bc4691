"""Steps that prepare a meld for the top card lifted off the pile (PILE-16).

A top card that must be melded may need other cards first: the eight of hearts joins 4-5-6 of hearts only
after the seven. Such a preparing step is legal only if it leads to a meld that can't be made by laying the
top card first.
"""

from canasta.engine.cards import ACE, JOKER_KIND
from canasta.engine.law.reasons import OK
from canasta.engine.melds import run_suit
from canasta.engine.rule_tables import GrowingSets
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_END,
    LOCKED,
    LOW_ACE,
    NO_RUN,
    PLACE_OF_TWO,
    RunRules,
    kinds_in,
    naturals_of,
    place_of,
    run_with_natural,
    run_with_wild,
    wild_code,
)


def is_rather_natural(rules: RunRules, run: int, code: int, end: int) -> bool:
    """Return whether a two that would be wild at the end of this run should be natural instead.

    If wilds are locked, a player may still choose to lay it as a wild at the high end.
    """
    if rules.wild_moves == LOCKED and end == HIGH_END:
        return False
    if code != run_suit(run) + 1 or not rules.natural_twos or naturals_of(run) >> PLACE_OF_TWO & 1:
        return False
    return run_with_natural(rules, run, PLACE_OF_TWO, EITHER_END) != NO_RUN


def runs_with(rules: RunRules, run: int, kind: int) -> list[int]:
    """Return every run that adding one card to a run can make."""
    found: list[int] = []
    suit = run_suit(run)
    code = wild_code(kind)
    for end in (EITHER_END, HIGH_END) if rules.wild_moves == LOCKED else (EITHER_END,):
        if code > 0 and not is_rather_natural(rules, run, code, end):
            _enter(found, run_with_wild(rules, run, code, end))
        if kind < JOKER_KIND and kind & 3 == suit:
            place = place_of(kind)
            if not naturals_of(run) >> place & 1:
                _enter(found, run_with_natural(rules, run, place, end))
            if kind >> 2 == ACE and not naturals_of(run) >> LOW_ACE & 1:
                _enter(found, run_with_natural(rules, run, LOW_ACE, end))
    return found


def _enter(found: list[int], run: int) -> None:
    if run != NO_RUN and run not in found:
        found.append(run)


class TopOnRun:
    """Finds the runs that a run can become by adding a lifted top card and cards from the hand."""

    def __init__(self, rules: RunRules, run: int, held: list[int], top: int) -> None:
        """`held` contains the number of cards in the hand by kind, including the top card."""
        self.rules: RunRules = rules
        self.run: int = run
        self.top: int = top
        self.kinds: list[int] = [
            kind for kind, count in enumerate(held) if count > 0 and self._may_join(kind, run_suit(run))
        ]
        self.held: list[int] = held
        self.there: list[int] = kinds_in(run)
        at_once = runs_with(rules, run, top)
        self.at_once: set[int] = self._reached_from(at_once) if at_once else set()
        """Runs that can be made by laying the top card first."""
        self.is_useful: bool = len(self.kinds) > 1 and self._reaches_more(run)
        """Whether laying other cards before the top card makes a run possible that is not in `at_once`."""

    def _may_join(self, kind: int, suit: int) -> bool:
        return wild_code(kind) > 0 or (kind < JOKER_KIND and kind & 3 == suit)

    def prepares(self, kind: int, after: int) -> bool:
        """Return whether a hand card that turns the run into `after` must be laid before the top card.

        That is so if it leads to a run that can't be made by laying the top card first.
        """
        if not self.is_useful:
            return False
        others = self._reached_from([self.run], barred=kind)
        return not self._reached_from([after]) <= others

    def _reaches_more(self, start: int) -> bool:
        """Return whether laying hand cards first leads from `start` to a run that is not in `at_once`."""
        return not self._reached_from([start], stops=True) <= self.at_once

    def _reached_from(self, starts: list[int], *, barred: int = -1, stops: bool = False) -> set[int]:
        """Return the runs with the top card that can be made from these runs.

        `barred` is a card that must not be laid before the top card. With `stops`, stop at the first run that
        is not in `at_once`.
        """
        seen = set(starts)
        to_try = starts.copy()
        reached: set[int] = set()
        while to_try:
            run = to_try.pop()
            now = kinds_in(run)
            has_top = now.count(self.top) > self.there.count(self.top)
            if has_top:
                reached.add(run)
                if stops and run not in self.at_once:
                    return reached
            for kind in self.kinds:
                if now.count(kind) - self.there.count(kind) >= self.held[kind]:
                    continue
                if kind == barred and not has_top:
                    continue
                for after in runs_with(self.rules, run, kind):
                    if after not in seen:
                        seen.add(after)
                        to_try.append(after)
        return reached


class TopOnSet:
    """Finds the sets that a set can become by adding a lifted top card and cards from the hand."""

    def __init__(
        self,
        growing: GrowingSets,
        naturals: int,
        wilds: int,
        held_naturals: int,
        held_wilds: int,
        *,
        top_is_wild: bool,
    ) -> None:
        """`held_naturals` and `held_wilds` include the top card."""
        self.growing: GrowingSets = growing
        self.naturals: int = naturals
        self.wilds: int = wilds
        self.most_naturals: int = naturals + held_naturals
        self.most_wilds: int = wilds + held_wilds
        self.top_is_wild: bool = top_is_wild

    def prepares_with_natural(self) -> bool:
        """Return whether a natural must be laid before the top card.

        That is so if it leads to a set that can't be made by laying all naturals after the top card.
        """
        kept = 0 if self.top_is_wild else 1
        if self.naturals + 1 + kept > self.most_naturals:
            return False
        others = self._reached_from(self.naturals, self.wilds, natural_first=False)
        return not self._reached_from(self.naturals + 1, self.wilds) <= others

    def prepares_with_wild(self) -> bool:
        """Return whether a wild card must be laid before the top card (see `prepares_with_natural`)."""
        kept = 1 if self.top_is_wild else 0
        if self.wilds + 1 + kept > self.most_wilds:
            return False
        others = self._reached_from(self.naturals, self.wilds, wild_first=False)
        return not self._reached_from(self.naturals, self.wilds + 1) <= others

    def can_lay_top(self) -> bool:
        """Return whether the top card can be laid, at once or after other cards."""
        return len(self._reached_from(self.naturals, self.wilds)) > 0

    def _reached_from(
        self, naturals: int, wilds: int, *, natural_first: bool = True, wild_first: bool = True
    ) -> set[int]:
        """Return the sets with the top card that can be made from this set.

        `natural_first` and `wild_first` are whether such cards may be laid before the top card.
        """
        growing = self.growing
        reached: set[int] = set()
        seen: set[int] = set()
        to_try = [(naturals, wilds, False)]
        while to_try:
            here, wilds_here, with_top = to_try.pop()
            place = here * growing.stride + wilds_here
            key = 2 * place + (1 if with_top else 0)
            if key in seen:
                continue
            seen.add(key)
            if with_top:
                reached.add(place)
            if growing.by_natural[place] == OK:
                kept = 0 if with_top or self.top_is_wild else 1
                if here + kept < self.most_naturals and (with_top or natural_first):
                    to_try.append((here + 1, wilds_here, with_top))
                if not with_top and not self.top_is_wild:
                    to_try.append((here + 1, wilds_here, True))
            if growing.by_wild[place] == OK:
                kept = 1 if self.top_is_wild and not with_top else 0
                if wilds_here + kept < self.most_wilds and (with_top or wild_first):
                    to_try.append((here, wilds_here + 1, with_top))
                if not with_top and self.top_is_wild:
                    to_try.append((here, wilds_here + 1, True))
        return reached
