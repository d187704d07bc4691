"""Build a position that the engine can play from what a scenario gives."""

from collections.abc import Iterator

from canasta.engine.cards import (
    ANY,
    BONUS_CARD,
    CALIENTE_KIND,
    NATURAL_CARD,
    RED_THREE,
    STOP_CARD,
    THREES,
    WILD_CARD,
)
from canasta.engine.compiled_rules import roles_of_ranks
from canasta.engine.position import Position
from canasta.engine.seating import first_to_play, sides_of_seats, sitting_out, turn_order
from canasta.notation.cards import MOST_CARDS, rank_of_card
from canasta.notation.errors import FileProblem, ScenarioError
from canasta.notation.moves import cards_in
from canasta.rules.model import Ruleset
from canasta.scenarios.card_pool import CardPlacement
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
