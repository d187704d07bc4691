"""Build a position that the engine can play from what a scenario gives."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    CALIENTE_KIND,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKER,
    KINDS,
    KINDS_OF,
    NATURAL_CARD,
    NATURAL_RANKS,
    RANK_OF,
    RANKS,
    RED_THREE,
    SPADES,
    STOP_CARD,
    THREES,
    TWO,
    WILD_CARD,
    full_deck,
    suit_of,
)
from canasta.engine.compiled_rules import roles_of_ranks
from canasta.engine.position import Position
from canasta.engine.rng import Rng
from canasta.engine.seating import first_to_play, sides_of_seats, sitting_out, turn_order
from canasta.notation.cards import (
    MOST_CARDS,
    any_of,
    format_card,
    format_cards,
    is_long_run,
    is_run,
    rank_of_card,
)
from canasta.notation.errors import FileProblem, ScenarioError
from canasta.notation.moves import cards_in
from canasta.rules.model import Ruleset
from canasta.scenarios.schema import GivenPosition, Scenario


def hand_number_of(rules: Ruleset, given: GivenPosition) -> int:
    """Return the number of the hand in the match.

    In games in which hands are rounds, `round` also sets it.
    """
    if given.hand_number is not None:
        return given.hand_number
    if given.round is not None and (rules.opening.by_round or rules.match.rounds):
        return given.round
    return 1


def build_position(scenario: Scenario, rules: Ruleset) -> Position:
    """Return the position of a scenario. Raise `ScenarioError` if it is impossible."""
    given = scenario.given
    out = _sitting_out(rules, given)
    problems = list(_problems(rules, given, out))
    if problems:
        raise ScenarioError(problems)
    turn = _turn(given, out)
    playing = [seat for seat in range(rules.seats.players) if seat not in out]
    hands, feet = _hands_and_feet(given)
    sides = rules.seats.sides

    placing = CardPlacement(rules)
    placing.reserve(list(_all_cards(given)))
    runs = placing.place_runs(given.melds)
    position = Position(turn=turn, phase=given.phase)
    # Place the player to move first: cards that belong together by suit go to the hand the moves are about.
    for seat in sorted(hands, key=lambda seat: (seat != turn, seat)):
        position.hands[seat] = placing.place(hands[seat], seat % sides)
    # Place the top card first: a player may want to add it to a sequence.
    position.pile = placing.place(given.pile[::-1], turn % sides)[::-1]
    stock = placing.place(given.stock if given.stock_is is None else given.stock_is, turn % sides)
    for seat in sorted(feet):
        position.feet[seat] = placing.place(feet[seat], seat % sides)
    pots = [placing.place(pot) for pot in given.pots or ()]
    for side, melds in given.melds.items():
        position.melds[side] = [
            runs[side, index] if (side, index) in runs else placing.place(meld)
            for index, meld in enumerate(melds)
        ]
    for side, bonus in given.bonus.items():
        position.bonus[side] = placing.place(_bonus_cards(bonus))
    for seat, talon in given.talon.items():
        if not isinstance(talon, int):
            position.talons[seat] = placing.place(talon)

    rest = placing.deck.rest(_mentioned(scenario))
    for seat in playing:
        if seat not in position.hands:
            position.hands[seat] = _fill(rest, rules.deal.hand_size)
    for seat, talon in given.talon.items():
        if isinstance(talon, int):
            position.talons[seat] = _fill(rest, talon)
    if rules.deal.foot_size:
        for seat in playing:
            if seat not in position.feet and seat not in given.picked_up:
                position.feet[seat] = _fill(rest, rules.deal.foot_size)
    if rules.deal.pots:
        left = rules.deal.pots[len(given.pot_taken) :]
        position.pots = pots if given.pots is not None else [_fill(rest, size) for size in left]
    position.not_returned = given.not_returned[0] if given.not_returned else -1
    position.pot_taken = set(given.pot_taken)
    position.pot_unplayed = set(given.pot_unplayed)
    position.stock = stock if given.stock_is is not None else stock + rest
    position.picked_up = set(given.picked_up)
    position.foot_unplayed = set(given.foot_unplayed)
    position.scores = [given.scores.get(side, 0) for side in range(sides)]
    position.round = given.round or (hand_number_of(rules, given) if rules.opening.by_round else 1)
    position.sitting_out = out
    position.melded_before = None if given.melded_before is None else set(given.melded_before)
    position.dealer = given.dealer
    position.caliente_played = [given.caliente_played.get(side, 0) for side in range(sides)]
    position.put_backs = [given.put_backs.get(side, 0) for side in range(sides)]
    position.pile_is_from_deal = _pile_is_from_deal(rules, given, out)
    return position


def build_cuts(rules: Ruleset, given: GivenPosition) -> list[list[int]]:
    """Return the cards that each player cut. Raise `ScenarioError` if they are impossible."""
    cut = given.cut or {}
    players = range(rules.seats.players)
    problems = [_wrong("cut", "NO_PLAYER", number=player) for player in cut if player not in players]
    problems += [_wrong("cut", "HAS_NOT_CUT", number=player) for player in players if not cut.get(player)]
    if problems:
        raise ScenarioError(problems)
    placing = CardPlacement(rules)
    placing.reserve([card for cards in cut.values() for card in cards])
    return [placing.place(cut[player]) for player in players]


def _sitting_out(rules: Ruleset, given: GivenPosition) -> set[int]:
    if given.sitting_out is not None:
        out = set(given.sitting_out)
        if rules.seats.sit_out and rules.seats.players == 6 and len(out) == 1:
            # One player of each team sits out; the teams rotate in pairs of neighbours.
            out.add(min(out) ^ 1)
        return out
    return set(sitting_out(rules, given.hand_number or 1))


def _turn(given: GivenPosition, out: set[int]) -> int:
    """Return the seat to move: by default the first that plays."""
    if given.turn is not None:
        return given.turn
    return next(seat for seat in range(len(out) + 1) if seat not in out)


def _wrong(key: str, code: str, **facts: int | str) -> FileProblem:
    return FileProblem(code, facts, path=f"given.{key}")


def _problems(rules: Ruleset, given: GivenPosition, out: set[int]) -> Iterator[FileProblem]:
    players = rules.seats.players
    seats = {
        "turn": [_turn(given, out)],
        "dealer": [] if given.dealer is None else [given.dealer],
        "hands": given.hands,
        "feet": given.feet,
        "talon": given.talon,
        "picked_up": given.picked_up,
        "sitting_out": out,
        "melded_before": given.melded_before or (),
    }
    for key, named in seats.items():
        for seat in sorted(named):
            if seat >= players:
                yield _wrong(key, "NO_SEAT", number=seat, players=players)
            elif seat in out and key in ("turn", "hands", "feet", "talon", "picked_up"):
                yield _wrong(key, "SITS_OUT", number=seat)
    for key, sides in (
        ("melds", set(given.melds)),
        ("bonus", set(given.bonus)),
        ("pot_taken", set(given.pot_taken)),
        ("pot_unplayed", set(given.pot_unplayed)),
        ("scores", set(given.scores)),
        ("caliente_played", set(given.caliente_played)),
        ("put_backs", set(given.put_backs)),
    ):
        for side in sorted(sides):
            if side >= rules.seats.sides:
                yield _wrong(key, "NO_SIDE", number=side, count=rules.seats.sides)
    if len(out) != len(sitting_out(rules, 1)):
        yield _wrong("sitting_out", "OTHERS_SIT_OUT", have=len(out), needed=len(sitting_out(rules, 1)))
    elif out and len({sides_of_seats(rules)[seat] for seat in out if seat < players}) < len(out):
        yield _wrong("sitting_out", "ONE_OF_EACH_TEAM")
    elif any(players == 5 and seat % 2 for seat in out):
        yield _wrong("sitting_out", "ONE_OF_THE_TEAM")
    if not rules.deal.foot_size:
        for key, used in (("feet", given.feet), ("picked_up", given.picked_up)):
            if used:
                yield _wrong(key, "NO_FEET", name=rules.name)
    yield from _problems_with_pots(rules, given)
    if rules.deck.threes != "natural" and ANY + THREES in _all_cards(given):
        yield FileProblem("WHICH_THREE", path="given")
    for seat in sorted(given.foot_unplayed - given.picked_up):
        yield _wrong("foot_unplayed", "FOOT_NOT_PICKED_UP", number=seat)
    for seat in sorted(given.picked_up & given.feet.keys() & given.hands.keys()):
        yield _wrong("feet", "FOOT_IN_HAND", number=seat)
    if given.talon and not rules.turn.talon:
        yield _wrong("talon", "NO_TALON", name=rules.name)
    for side, bonus in given.bonus.items():
        if isinstance(bonus, int) and bonus > MOST_CARDS:
            yield _wrong("bonus", "TOO_MANY_BONUS", number=bonus)
        elif not isinstance(bonus, int) and any(_is_no_bonus_card(rules, card) for card in bonus):
            yield _wrong("bonus", "NO_BONUS", number=side)


def _is_no_bonus_card(rules: Ruleset, card: int) -> bool:
    rank = rank_of_card(card)
    return rank == THREES or roles_of_ranks(rules)[rank] != BONUS_CARD


def _problems_with_pots(rules: Ruleset, given: GivenPosition) -> Iterator[FileProblem]:
    if not rules.deal.pots:
        for key, used in (("pots", given.pots), ("pot_taken", given.pot_taken)):
            if used:
                yield _wrong(key, "NO_POTS", name=rules.name)
        return
    if any(card >= ANY for card in given.not_returned) or len(given.not_returned) > 1:
        yield _wrong("not_returned", "ONE_CARD_WITH_SUIT")
    if len(given.pots or ()) + len(given.pot_taken) > len(rules.deal.pots):
        yield _wrong("pots", "SO_MANY_POTS", number=len(rules.deal.pots))
    for side in sorted(given.pot_unplayed - given.pot_taken):
        yield _wrong("pot_unplayed", "NO_POT_TAKEN", number=side)


def _hands_and_feet(given: GivenPosition) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Return hands and feet. If a foot was picked up, its cards are the hand."""
    hands, feet = dict(given.hands), dict(given.feet)
    for seat in given.picked_up & feet.keys():
        hands[seat] = feet.pop(seat)
    return hands, feet


def _bonus_cards(bonus: int | tuple[int, ...]) -> tuple[int, ...]:
    return (ANY + RED_THREE,) * bonus if isinstance(bonus, int) else bonus


def _all_cards(given: GivenPosition) -> Iterator[int]:
    for cards in (*given.hands.values(), *given.feet.values(), *(given.pots or ())):
        yield from cards
    for melds in given.melds.values():
        for meld in melds:
            yield from meld
    for bonus in given.bonus.values():
        yield from _bonus_cards(bonus)
    for talon in given.talon.values():
        if not isinstance(talon, int):
            yield from talon
    yield from [CALIENTE_KIND] * sum(given.caliente_played.values())
    yield from given.pile
    yield from given.stock if given.stock_is is None else given.stock_is


def _mentioned(scenario: Scenario) -> set[int]:
    """Return every rank that the scenario mentions."""
    ranks = {rank_of_card(card) for card in _all_cards(scenario.given)}
    for step in (*scenario.when, *scenario.can, *scenario.cannot):
        if step.move is not None:
            ranks.update(rank_of_card(card) for card in cards_in(step.move))
    return ranks


def _fill(rest: list[int], number: int) -> list[int]:
    cards = rest[:number]
    del rest[:number]
    return cards


def _pile_is_from_deal(rules: Ruleset, given: GivenPosition, out: set[int]) -> bool:
    """Return whether the pile could be as dealt and frozen, with the first player to move (PILE-13)."""
    if not rules.pile.bars_first_player or given.phase != "draw" or not given.pile:
        return False
    if any(given.melds.values()) or given.melded_before:
        return False
    if given.dealer is not None:
        order = turn_order(sides_of_seats(rules), tuple(sorted(out)))
        if given.dealer not in order or _turn(given, out) != first_to_play(given.dealer, order):
            return False
    role_of = roles_of_ranks(rules)
    *under, top = [role_of[rank_of_card(card)] for card in given.pile]
    wilds = under.count(WILD_CARD)
    bonus = under.count(BONUS_CARD)
    stops = under.count(STOP_CARD) if rules.deal.cover_black_three else 0
    if top != NATURAL_CARD or wilds + bonus + stops < len(under):
        return False
    most = 1 if rules.deal.reshuffle_second else len(given.pile)
    return wilds + bonus > 0 and wilds <= most and bonus <= most


# -- cards for the position ---------------------------------------------------------------------------------


_SUITS: Final = (HEARTS, SPADES, DIAMONDS, CLUBS)
_LAST_TO_FILL: Final = {BLACK_THREE: 2, TWO: 3, JOKER: 4, CALIENTE: 5, RED_THREE: 6}


class Deck:
    """The cards of a table that have not been taken yet."""

    def __init__(self, rules: Ruleset) -> None:
        cards = full_deck(rules.deck.decks, rules.deck.caliente_cards)
        self._left = [0] * KINDS
        for kind in cards:
            self._left[kind] += 1

    def demand(self, cards: Iterable[int]) -> None:
        """Raise `ScenarioError` unless the whole deck contains all of these cards at once."""
        wanted = Counter(cards)
        ranks = Counter(rank_of_card(card) for card in wanted.elements())
        problems: list[FileProblem] = []
        if THREES in ranks:
            ranks[THREES] += ranks[RED_THREE] + ranks[BLACK_THREE]
        for rank in sorted(ranks):
            held = self.left_of(rank)
            if ranks[rank] > held:
                problems.append(_shortage(any_of(rank), ranks[rank], held))
        for kind in sorted(card for card in wanted if card < ANY):
            if wanted[kind] > self._left[kind] and suit_of(kind) >= 0:
                problems.append(_shortage(kind, wanted[kind], self._left[kind]))
        if problems:
            raise ScenarioError(problems)

    def take_kind(self, kind: int) -> int:
        """Take one card of a kind, which must still be available."""
        assert self._left[kind] > 0
        self._left[kind] -= 1
        return kind

    def put_back(self, kind: int) -> None:
        self._left[kind] += 1

    def has(self, kind: int) -> bool:
        return self._left[kind] > 0

    def left_of(self, rank: int) -> int:
        return sum(self._left[kind] for kind in KINDS_OF[rank])

    def take_rank(self, rank: int, suits: Sequence[int]) -> int:
        """Take a card of a rank in the first of these suits that has one left. There must be one."""
        kinds = KINDS_OF[rank]
        if rank < NATURAL_RANKS:
            for suit in suits:
                if self.has(kinds[suit]):
                    return self.take_kind(kinds[suit])
        return self.take_kind(max(kinds, key=lambda kind: self._left[kind]))

    def rest(self, mentioned: Iterable[int]) -> list[int]:
        """Take everything that is left: plain cards first, in a fixed random order.

        Ranks that the scenario mentions come after the others, then the cards that have effects of their own.
        Drawing or holding the first ones thus changes as little as possible.
        """
        spoken_of = set(mentioned)
        cards = [kind for kind in range(KINDS) for _ in range(self._left[kind])]
        self._left = [0] * KINDS
        Rng("the rest of the deck").shuffle(cards)

        def place(kind: int) -> int:
            rank = RANK_OF[kind]
            if rank < NATURAL_RANKS:
                return 1 if rank in spoken_of else 0
            return _LAST_TO_FILL[rank]

        return sorted(cards, key=place)


def _shortage(card: int, wanted: int, held: int) -> FileProblem:
    if rank_of_card(card) == CALIENTE and not held:
        return FileProblem("NO_CALIENTE_CARDS")
    return FileProblem("TOO_MANY_OF", {"written": format_card(card), "count": wanted, "have": held})


def _in_suit(rank: int, suit: int) -> int:
    """Return the card of a rank in this suit. For threes, the colour of `rank` is ignored."""
    return KINDS_OF[THREES if rank in (RED_THREE, BLACK_THREE) else rank][suit]


class CardPlacement:
    """Assigns the cards of a position. Call `reserve` once with everything, then `place` for each group."""

    def __init__(self, rules: Ruleset) -> None:
        self.deck = Deck(rules)
        self._same_suit = rules.melds.runs and rules.melds.same_suit_runs
        self._is_run = is_long_run if rules.melds.run_most > 0 else is_run
        self._runs: dict[int, list[tuple[int, ...]]] = {}
        self._coloured: Counter[int] = Counter()
        """Threes of a colour that are still to be placed; an unspecified three must leave these."""

    def reserve(self, cards: Sequence[int]) -> None:
        """Check that all these cards exist, and take those that have a suit."""
        self.deck.demand(cards)
        for card in cards:
            if card < ANY:
                self.deck.take_kind(card)
            elif card - ANY in (RED_THREE, BLACK_THREE):
                self._coloured[card - ANY] += 1

    def place_runs(self, melds: dict[int, tuple[tuple[int, ...], ...]]) -> dict[tuple[int, int], list[int]]:
        """Place the sequences that must be of one suit; return them by side and index among its melds."""
        if not self._same_suit:
            return {}
        places = [(side, i) for side in melds for i, meld in enumerate(melds[side]) if self._is_run(meld)]
        runs = [melds[side][i] for side, i in places]
        suits = self._suits_for(runs)
        if suits is None:
            shown = ", ".join(format_cards(run) for run in runs)
            raise ScenarioError([FileProblem("NO_SUIT_LEFT", {"written": shown})])
        placed: dict[tuple[int, int], list[int]] = {}
        for place, run, suit in zip(places, runs, suits, strict=True):
            cards = [card if card < ANY else _in_suit(card - ANY, suit) for card in run]
            placed[place] = cards
            self._runs.setdefault(place[0], []).append(tuple(cards))
        return placed

    def _suits_for(self, runs: list[tuple[int, ...]]) -> list[int] | None:
        """Choose a suit for each run and take its cards; return `None` if that is impossible."""
        if not runs:
            return []
        # The suit of a wild two says nothing about the suit of the sequence.
        fixed = [suit_of(card) for card in runs[0] if card < ANY and RANK_OF[card] not in (TWO, JOKER)]
        for suit in fixed[:1] or _SUITS:
            taken: list[int] = []
            for card in runs[0]:
                if card >= ANY and self._has_in_suit(card - ANY, suit):
                    self.deck.take_kind(_in_suit(card - ANY, suit))
                    self._coloured[card - ANY] -= 1
                    taken.append(card - ANY)
            if len(taken) == sum(1 for card in runs[0] if card >= ANY):
                others = self._suits_for(runs[1:])
                if others is not None:
                    return [suit, *others]
            for rank in taken:
                self.deck.put_back(_in_suit(rank, suit))
                self._coloured[rank] += 1
        return None

    def _has_in_suit(self, rank: int, suit: int) -> bool:
        """Return whether the deck still has this rank in this suit.

        Threes that the scenario gives a colour (`3r`, `3b`) are reserved and don't count.
        """
        kind = _in_suit(rank, suit)
        colour = RANK_OF[kind]
        if rank == THREES and self.deck.left_of(colour) <= self._coloured[colour]:
            return False
        return rank in (colour, THREES) and self.deck.has(kind)

    def place(self, cards: Sequence[int], side: int = -1) -> list[int]:
        """Return kinds for the cards of one hand or pile.

        If sequences must be of one suit, the cards of a group share suits if possible, and prefer
        suits near the sequences that `side` has on the table.
        """
        placed: list[int] = []
        copies = [0] * RANKS
        for card in cards:
            if card < ANY:
                placed.append(card)
                continue
            rank = card - ANY
            if rank == THREES:
                red = self.deck.left_of(RED_THREE) > self._coloured[RED_THREE]
                rank = RED_THREE if red else BLACK_THREE
            else:
                self._coloured[rank] -= 1
            suits = self._suits_near(rank, cards, side) if self._same_suit else list(_SUITS)
            turn = copies[rank] % len(suits)
            copies[rank] += 1
            placed.append(self.deck.take_rank(rank, suits[turn:] + suits[:turn]))
        return placed

    def _suits_near(self, rank: int, cards: Sequence[int], side: int) -> list[int]:
        """Return the suits, sorted by the distance from this rank to the nearest card or sequence in each."""
        neighbours = [card for card in cards if card < ANY and RANK_OF[card] < NATURAL_RANKS]
        neighbours += [card for run in self._runs.get(side, []) for card in run]

        def distance(suit: int) -> int:
            gaps = [abs(RANK_OF[card] - rank) for card in neighbours if suit_of(card) == suit]
            # A suit that already has this very rank does not need a second one.
            return min(gaps, default=RANKS) if 0 not in gaps else RANKS

        return sorted(_SUITS, key=distance)
