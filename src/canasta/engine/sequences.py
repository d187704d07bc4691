"""Long sequences: from ace to ace, with natural twos and a wild card that has a place (MELD-14, MELD-15).

A *place* is the position of a card in its suit: 1 is the low ace, 2 and 3 the two and the three, 4 to 13 the
four to the king, 14 the high ace. A run is packed into one number: its suit, lowest place and length
(`pack_run`), the place of its wild card (0 for none), and the code of that wild (`wild_code`).

The cards of a run can have several *readings*: the wild at either end or in the one hole, a two as wild or
natural, an ace low or high. `readings` returns all of them, and `why_not_reading` decides which of them an
addition may lead to; everything else is built on these two.
"""

from typing import Final

from canasta.engine.cards import ACE, JOKER_CODE, JOKER_KIND, PLACES, THREE_OF_CLUBS, TWO_OF_CLUBS
from canasta.engine.law.reasons import (
    OK,
    RUN_DOES_NOT_FIT,
    RUN_HAS_GAP,
    RUN_IS_FULL,
    RUN_SUITS,
    RUN_TOO_MANY_WILDS,
    TOO_FEW_CARDS,
    WILD_STAYS,
)
from canasta.engine.melds import SMALLEST_MELD, pack_run, run_length, run_low, run_suit

LOW_ACE: Final = 1
PLACE_OF_TWO: Final = 2
HIGH_ACE: Final = 14

# Values of `melds.wild_moves`: how a wild may move.
LOCKED: Final = 0
ENDS: Final = 1
FREE: Final = 2

NO_RUN: Final = 0
NOT_KNOWN: Final = -1
MOST_KNOWN: Final = 1 << 16
"""Maximum number of cached results."""

# The end of a run that a card goes to, if both are possible.
EITHER_END: Final = 0
LOW_END: Final = 1
HIGH_END: Final = 2


class RunRules:
    """The rules for long sequences, and a cache of results."""

    def __init__(self, *, most: int, wilds: int, low_ace: bool, natural_twos: bool, wild_moves: int) -> None:
        self.most: int = most
        """Maximum number of naturals in a run."""
        self.wilds: int = wilds
        self.lowest: int = LOW_ACE if low_ace else PLACE_OF_TWO
        self.natural_twos: bool = natural_twos
        self.wild_moves: int = wild_moves
        self.known: dict[int, int] = {}
        """Cached results of adding a card to a run; the same runs occur again and again."""
        self.starts: dict[int, bool] = {}
        """Cached results of `may_start`, by run."""

    def keep(self, key: int, run: int) -> int:
        """Cache and return the result of adding a card."""
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[key] = run
        return run


def pack_long_run(suit: int, low: int, length: int, wild_at: int, wild: int) -> int:
    return (wild << 15) | (wild_at << 11) | pack_run(suit, low, length)


def wild_at(run: int) -> int:
    """Return the place of the run's wild, or 0 if it has none."""
    return (run >> 11) & 15


def wild_in(run: int) -> int:
    """Return the code of the run's wild, or 0 if it has none."""
    return run >> 15


def wild_code(kind: int) -> int:
    """Return the code of a wild card, or 0 for any other card."""
    if kind == JOKER_KIND:
        return JOKER_CODE
    return kind - TWO_OF_CLUBS + 1 if TWO_OF_CLUBS <= kind < TWO_OF_CLUBS + 4 else 0


def kind_of_wild(code: int) -> int:
    return JOKER_KIND if code == JOKER_CODE else TWO_OF_CLUBS + code - 1


def kind_at(suit: int, place: int) -> int:
    """Return the natural card for a place in a suit."""
    if place in (LOW_ACE, HIGH_ACE):
        return 4 * ACE + suit
    if place == PLACE_OF_TWO:
        return TWO_OF_CLUBS + suit
    return THREE_OF_CLUBS + suit if place == 3 else 4 * (place - 4) + suit


def place_of(kind: int) -> int:
    """Return the place of a suited card; for an ace, the high one."""
    if kind < TWO_OF_CLUBS:
        return (kind >> 2) + 4
    return PLACE_OF_TWO if kind < THREE_OF_CLUBS else 3


def kinds_in(run: int) -> list[int]:
    """Return the cards of a run from low to high, with the wild in its place."""
    suit, low = run_suit(run), run_low(run)
    kinds = [kind_at(suit, place) for place in range(low, low + run_length(run))]
    if wild_in(run) > 0:
        kinds[wild_at(run) - low] = kind_of_wild(wild_in(run))
    return kinds


def stands_inside(run: int) -> bool:
    """Return whether the run's wild is between two cards."""
    low = run_low(run)
    return wild_in(run) > 0 and low < wild_at(run) < low + run_length(run) - 1


def naturals_of(run: int) -> int:
    """Return the places of the naturals as a bit mask."""
    low, length = run_low(run), run_length(run)
    places = ((1 << length) - 1) << low
    return places & ~(1 << wild_at(run)) if wild_in(run) > 0 else places


def readings(rules: RunRules, kinds: list[int]) -> list[int]:
    """Return every reading of these cards as one sequence, in order of preference.

    A two of the suit is preferably natural, and a wild that fills no hole is preferably at the high end.
    """
    suit = -1
    places = 0
    aces = 0
    twos: list[int] = []
    wild = 0
    wilds = 0
    for kind in kinds:
        code = wild_code(kind)
        if code == 0:
            if suit < 0:
                suit = kind & 3
            if kind & 3 != suit:
                return []
            if kind >> 2 == ACE:
                aces += 1
                continue
            bit = 1 << place_of(kind)
            if places & bit:
                return []
            places |= bit
        elif code == JOKER_CODE:
            wild = code
            wilds += 1
        else:
            twos.append(code)
    if suit < 0:
        return []
    own = 0
    for code in twos:
        if code == suit + 1:
            own += 1
        else:
            wild = code
            wilds += 1
    found: list[int] = []
    if own > 0 and rules.natural_twos:
        for ace_places in _ace_places(rules, aces):
            _read(
                rules, found, suit, places | ace_places | (1 << PLACE_OF_TWO),
                wilds + own - 1, wild if own == 1 else suit + 1,
            )  # fmt: skip
    for ace_places in _ace_places(rules, aces):
        _read(rules, found, suit, places | ace_places, wilds + own, wild if own == 0 else suit + 1)
    return found


def _ace_places(rules: RunRules, aces: int) -> list[int]:
    """Return bit masks of the places that a run's aces may have: high, low, or both."""
    low, high = 1 << LOW_ACE, 1 << HIGH_ACE
    if aces == 0:
        return [0]
    if aces == 1:
        return [high, low] if rules.lowest == LOW_ACE else [high]
    return [low | high] if aces == 2 and rules.most == PLACES else []


def _read(rules: RunRules, found: list[int], suit: int, places: int, wilds: int, wild: int) -> None:
    """Add the readings with naturals in these places and `wilds` wilds."""
    if wilds > rules.wilds or places == 0:
        return
    low = 1
    while not places >> low & 1:
        low += 1
    high = PLACES
    while not places >> high & 1:
        high -= 1
    length = high - low + 1
    naturals = 0
    hole = 0
    for place in range(low, high + 1):
        if places >> place & 1:
            naturals += 1
        else:
            hole = place
    if low < rules.lowest or naturals > rules.most or naturals + wilds < SMALLEST_MELD:
        return
    holes = length - naturals
    if wilds == 0:
        if holes == 0:
            found.append(pack_long_run(suit, low, length, 0, 0))
        return
    # A two in its own place is natural, which is a different reading.
    own_two = wild == suit + 1 and rules.natural_twos
    if holes == 1:
        if not (own_two and hole == PLACE_OF_TWO):
            found.append(pack_long_run(suit, low, length, hole, wild))
    elif holes == 0:
        if high < PLACES:
            found.append(pack_long_run(suit, low, length + 1, high + 1, wild))
        if low > rules.lowest and not (own_two and low - 1 == PLACE_OF_TWO):
            found.append(pack_long_run(suit, low - 1, length + 1, low - 1, wild))


def why_not_reading(rules: RunRules, before: int, after: int) -> int:
    """Return why the reading `before` may not become `after` when a card is added, or `OK` (MELD-15)."""
    if rules.wild_moves == FREE:
        return OK
    there = naturals_of(before)
    now = naturals_of(after)
    wild = wild_in(before)
    left = there & ~now
    if left:
        # Only a natural two at the low end of a run without a wild may become wild.
        if rules.wild_moves == LOCKED or wild > 0:
            return WILD_STAYS
        if left != 1 << PLACE_OF_TWO or run_low(before) != PLACE_OF_TWO:
            return RUN_DOES_NOT_FIT
    if wild == 0:
        return OK
    place = wild_at(before)
    if now >> place & 1 or (wild_at(after) == place and wild_in(after) == wild):
        return OK
    return WILD_STAYS if rules.wild_moves == LOCKED or stands_inside(before) else OK


def run_with(rules: RunRules, before: int, kinds: list[int], end: int) -> int:
    """Return the run after adding these cards, one at a time in any order that fits, or `NO_RUN`.

    `end` is the end to use for a wild that becomes free, or for an ace that fits at both ends.
    """
    if len(kinds) == 1:
        return _reading_at_end(rules, _readings_after(rules, before, kinds[0]), end)
    return _run_with_all(rules, before, kinds, end, set())


def _run_with_all(rules: RunRules, before: int, kinds: list[int], end: int, tried: set[int]) -> int:
    if not kinds:
        return before
    # The cards in the run determine which ones are left, so each run is tried only once.
    if before in tried or not readings(rules, kinds_in(before) + kinds):
        return NO_RUN
    tried.add(before)
    for index in range(len(kinds)):
        found = _readings_after(rules, before, kinds[index])
        after = _reading_at_end(rules, found, end)
        if after == NO_RUN:
            continue
        # A locked wild may have to go to the other end to let the remaining cards fit.
        tries_all = rules.wild_moves == LOCKED and len(kinds) > 1
        for reading in [after, *found] if tries_all else [after]:
            whole = _run_with_all(rules, reading, kinds[:index] + kinds[index + 1 :], end, tried)
            if whole != NO_RUN:
                return whole
    return NO_RUN


def run_with_natural(rules: RunRules, before: int, place: int, end: int) -> int:
    """Return the run after adding the natural of this place, or `NO_RUN` if it doesn't fit."""
    low = run_low(before)
    if place < low - 2 or place > low + run_length(before) + 1:
        return NO_RUN
    key = (before << 7) | (place << 2) | end
    known = rules.known.get(key, NOT_KNOWN)
    if known != NOT_KNOWN:
        return known
    found = _readings_after(rules, before, kind_at(run_suit(before), place))
    return rules.keep(
        key, _reading_at_end(rules, [after for after in found if naturals_of(after) >> place & 1], end)
    )


def run_with_wild(rules: RunRules, before: int, wild: int, end: int) -> int:
    """Return the run after adding this wild, or `NO_RUN` if it has no room for one."""
    # Only a two of the run's own suit makes room, by becoming natural.
    if wild_in(before) > 0 and wild_in(before) != run_suit(before) + 1:
        return NO_RUN
    key = (before << 7) | ((PLACES + 1 + wild) << 2) | end
    known = rules.known.get(key, NOT_KNOWN)
    if known != NOT_KNOWN:
        return known
    found = _readings_after(rules, before, kind_of_wild(wild))
    return rules.keep(key, _reading_at_end(rules, [after for after in found if wild_in(after) == wild], end))


def _readings_after(rules: RunRules, before: int, kind: int) -> list[int]:
    return [
        after
        for after in readings(rules, [*kinds_in(before), kind])
        if why_not_reading(rules, before, after) == OK
    ]


def _reading_at_end(rules: RunRules, candidates: list[int], end: int) -> int:
    """Return the reading whose free card is at the given end, or `NO_RUN` if there are no readings.

    A locked wild goes to the low end by default, to leave the high end open.
    """
    if not candidates:
        return NO_RUN
    if end == EITHER_END and rules.wild_moves == LOCKED and wild_in(candidates[0]) > 0:
        end = LOW_END
    if end == EITHER_END:
        return candidates[0]
    best = candidates[0]
    for reading in candidates[1:]:
        above = run_low(reading) - run_low(best)
        alike = above == 0 and wild_in(reading) == wild_in(best)
        if above < 0 if end == LOW_END else above > 0 or alike:
            best = reading
    return best


def may_start(rules: RunRules, run: int) -> bool:
    """Return whether a run of three with a wild may be laid in this reading.

    Unless wilds are locked, only the preferred reading is allowed, because both ends are equivalent.
    """
    if run not in rules.starts:
        found = readings(rules, kinds_in(run))
        rules.starts[run] = run in (found if rules.wild_moves == LOCKED else found[:1])
    return rules.starts[run]


def new_run(rules: RunRules, kinds: list[int]) -> int:
    """Return the run that these cards make, preferably in the given order from low to high, or `NO_RUN`."""
    found = readings(rules, kinds)
    for reading in found:
        if kinds_in(reading) == kinds:
            return reading
    return found[0] if found else NO_RUN


def why_not_new_run(rules: RunRules, kinds: list[int]) -> int:
    """Return why these cards, which don't fit together, make no run."""
    if len(kinds) < SMALLEST_MELD:
        return TOO_FEW_CARDS
    naturals = [kind for kind in kinds if wild_code(kind) == 0]
    suits = {kind & 3 for kind in naturals}
    if len(suits) > 1:
        return RUN_SUITS
    own = sum(1 for kind in kinds if suits and wild_code(kind) == 1 + min(suits))
    if len(kinds) - len(naturals) - min(own, 1) > rules.wilds:
        return RUN_TOO_MANY_WILDS
    return RUN_HAS_GAP


def why_not_add(rules: RunRules, before: int, kinds: list[int]) -> int:
    """Return why these cards, which don't fit the run, can't be added to it."""
    if run_length(before) == PLACES:
        return RUN_IS_FULL
    suit = run_suit(before)
    for kind in kinds:
        if wild_code(kind) == 0 and kind & 3 != suit:
            return RUN_SUITS
    wilds = 1 if wild_in(before) > 0 else 0
    for kind in kinds:
        if wild_code(kind) > 0 and wilds >= rules.wilds:
            return RUN_TOO_MANY_WILDS
    if len(kinds) == 1 and readings(rules, [*kinds_in(before), kinds[0]]):
        return WILD_STAYS
    return RUN_DOES_NOT_FIT
