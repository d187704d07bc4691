"""What a scenario expects: each key of `then` becomes a check of the state that was reached."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import full_deck
from canasta.engine.hand import Hand
from canasta.engine.match import Match
from canasta.engine.score_tables import LINES
from canasta.engine.seating import Seating
from canasta.engine.view import HIDDEN
from canasta.notation.cards import format_cards, same_cards
from canasta.notation.errors import did_you_mean
from canasta.notation.scenarios.reader import Reader
from canasta.notation.scenarios.yaml_tree import Node
from canasta.rules.model import Ruleset

_PHASES: Final = {
    **{word: word for word in ("draw", "play", "answer", "over")},
    **dict.fromkeys(("hand_over", "game_over"), "over"),
}
_ENDS: Final = {
    **dict.fromkeys(("hand", "round", "true", "yes"), "hand"),
    **dict.fromkeys(("game", "match"), "game"),
    **dict.fromkeys(("nothing", "none", "null", "", "false", "no"), "nothing"),
}


@dataclass(frozen=True)
class Outcome:
    """Where a scenario has led: a match, or a seating when the players have cut for it."""

    rules: Ruleset
    match: Match | None = None
    seating: Seating | None = None

    @property
    def hand(self) -> Hand:
        assert self.match is not None
        return self.match.hand


@dataclass(frozen=True)
class Mismatch:
    """What was expected, and what was there."""

    expected: str
    got: str

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got}"


Test = Callable[[Outcome], Mismatch | None]


@dataclass(frozen=True)
class Check:
    """One expectation."""

    key: str
    test: Test

    @property
    def fits_cut(self) -> bool:
        """Can this be asked when there is only a seating?"""
        return self.key in ("seating", "dealer", "deck_size")


@dataclass(frozen=True)
class Checks:
    """All of `then`; the moves are still text."""

    checks: tuple[Check, ...] = ()
    can: tuple[str, ...] = ()
    cannot: tuple[str, ...] = ()
    illegal: Node | None = None


def read_checks(reader: Reader, then: Node) -> Checks:
    """Reads `then`."""
    values = reader.mapping(then, "then", (*_READERS, *_SPELLINGS, "illegal", "can", "cannot"))
    checks: list[Check] = []
    for spelling, node in values.items():
        key = _SPELLINGS.get(spelling, spelling)
        if key in _READERS:
            test = _READERS[key](reader, node, f"then.{key}")
            if test is not None:
                checks.append(Check(key, test))
    moves = {
        key: tuple(reader.texts(values[key], f"then.{key}")) if key in values else ()
        for key in ("can", "cannot")
    }
    return Checks(tuple(checks), moves["can"], moves["cannot"], values.get("illegal"))


def _compare(what: str, expected: object, got: object) -> Mismatch | None:
    return None if expected == got else Mismatch(f"{what} {_shown(expected)}", _shown(got))


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _cards_shown(cards: Sequence[int]) -> str:
    return format_cards(cards) or "no cards"


# -- one value ---------------------------------------------------------------------------------------------


def _number(what: str, get: Callable[[Outcome], int | None]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test | None:
        expected = reader.count(node, key)
        if expected is None:
            return None
        return lambda outcome: _compare(what, expected, get(outcome))

    return read


def _number_or_nobody(what: str, get: Callable[[Outcome], int | None]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test | None:
        expected = reader.nobody_or_number(node, key)
        return lambda outcome: _compare(what, expected, get(outcome))

    return read


def _read_phase(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.word(node, key, _PHASES)
    if expected is None:
        return None
    return lambda outcome: _compare("phase", expected, outcome.hand.phase)


def _read_frozen(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.truth(node, key)
    if expected is None:
        return None
    return lambda outcome: _compare("frozen", expected, outcome.hand.frozen)


def _read_over(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.word(node, key, _ENDS)
    if expected is None:
        return None

    def test(outcome: Outcome) -> Mismatch | None:
        assert outcome.match is not None
        ended = "game" if outcome.match.over else "hand" if outcome.hand.over else "nothing"
        # A game that has ended has ended with its last hand.
        if expected == ended or (expected == "hand" and ended == "game"):
            return None
        return Mismatch(f"over: {expected}", f"over: {ended}")

    return test


def _read_pile(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.cards(node, key)

    def test(outcome: Outcome) -> Mismatch | None:
        got = outcome.hand.pile
        if len(expected) == len(got) and all(map(_same_card, expected, got)):
            return None
        return Mismatch(f"pile {_cards_shown(expected)}", _cards_shown(got))

    return test


def _same_card(expected: int, got: int) -> bool:
    return same_cards((expected,), (got,))


def _read_scores(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)
    whole = node.items is not None

    def test(outcome: Outcome) -> Mismatch | None:
        assert outcome.match is not None
        got = list(outcome.match.scores)
        if whole:
            return _compare("scores", list(expected.values()), got)
        return _by_number("score of side", expected, dict(enumerate(got)))

    return test


def _read_victory_points(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)

    def test(outcome: Outcome) -> Mismatch | None:
        assert outcome.match is not None
        return _compare("victory points", expected, dict(enumerate(outcome.match.victory_points)))

    return test


# -- by seat or side ---------------------------------------------------------------------------------------


def _by_number(what: str, expected: dict[int, int], got: dict[int, int]) -> Mismatch | None:
    wrong = [number for number in expected if expected[number] != got.get(number)]
    if not wrong:
        return None
    return Mismatch(
        ", ".join(f"{what} {number} {expected[number]}" for number in wrong),
        ", ".join(_shown(got.get(number)) for number in wrong),
    )


def _read_points(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)

    def test(outcome: Outcome) -> Mismatch | None:
        sheets = outcome.hand.score_sheets()
        found = _by_number("points of side", expected, {i: sheet.total for i, sheet in enumerate(sheets)})
        if found is None:
            return None
        # The total alone does not tell which line is wrong.
        wrong = [side for side in expected if side < len(sheets) and expected[side] != sheets[side].total]
        lines = "; ".join(
            ", ".join(f"{_name_of(line)} {points}" for line, points in sheets[side].lines.items() if points)
            for side in wrong
        )
        return Mismatch(found.expected, f"{found.got} ({lines})" if lines else found.got)

    return test


def _name_of(line: str) -> str:
    """A line of the score sheet, as scenarios name it."""
    return line.replace("_", " ")


def _read_lines(reader: Reader, node: Node, key: str) -> Test:
    expected: dict[int, dict[str, int]] = {}
    for side, value in reader.by_number(node, key).items():
        what = f"{key}[{side}]"
        if value.pairs is None:
            reader.complain(value, what, f"lines of the score sheet are wanted, not {value.describe()}")
            continue
        for name, points in value.pairs:
            line = "_".join((name.text or "").lower().replace("_", " ").replace("-", " ").split())
            line = f"{line}s" if f"{line}s" in LINES else line
            number = reader.whole(points, what)
            if line not in LINES:
                known = [_name_of(each) for each in LINES]
                hint = did_you_mean(_name_of(line), known) or f"known are {', '.join(known)}"
                reader.complain(name, what, f"the score sheet has no line {_name_of(line)}; {hint}")
            elif number is not None:
                expected.setdefault(side, {})[line] = number

    def test(outcome: Outcome) -> Mismatch | None:
        sheets = outcome.hand.score_sheets()
        wrong: list[str] = []
        got: list[str] = []
        for side, lines in expected.items():
            have = sheets[side].lines if side < len(sheets) else {}
            for line, points in lines.items():
                if have.get(line, 0) != points:
                    wrong.append(f"{_name_of(line)} of side {side} {points}")
                    got.append(str(have.get(line, 0)))
        return Mismatch(", ".join(wrong), ", ".join(got)) if wrong else None

    return test


def _counts(what: str, get: Callable[[Hand, int], int], *, sides: bool) -> "_Reader":
    """Numbers by side or seat."""

    def read(reader: Reader, node: Node, key: str) -> Test:
        expected = reader.scores(node, key)

        def test(outcome: Outcome) -> Mismatch | None:
            numbers = [n for n in expected if _exists(outcome, n, sides=sides)]
            return _by_number(what, expected, {number: get(outcome.hand, number) for number in numbers})

        return test

    return read


def _exists(outcome: Outcome, number: int, *, sides: bool) -> bool:
    return number < (len(outcome.hand.sides) if sides else outcome.rules.seats.players)


def _cards_of_seats(what: str, get: Callable[[Hand, int], Sequence[int]]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test:
        expected = {
            seat: reader.cards(value, f"{key}[{seat}]") for seat, value in reader.by_number(node, key).items()
        }

        def test(outcome: Outcome) -> Mismatch | None:
            for seat, cards in expected.items():
                if not _exists(outcome, seat, sides=False):
                    return Mismatch(f"{what} {seat}", "no such seat")
                got = get(outcome.hand, seat)
                if not same_cards(cards, got):
                    return Mismatch(f"{what} {seat}: {_cards_shown(cards)}", _cards_shown(got))
            return None

        return test

    return read


def _read_bonus(reader: Reader, node: Node, key: str) -> Test:
    numbers: dict[int, int] = {}
    cards: dict[int, tuple[int, ...]] = {}
    for side, value in reader.by_number(node, key).items():
        if value.text is not None and value.text.strip().isdecimal():
            numbers[side] = reader.count(value, f"{key}[{side}]") or 0
        else:
            cards[side] = reader.cards(value, f"{key}[{side}]")

    def test(outcome: Outcome) -> Mismatch | None:
        for side in (*numbers, *cards):
            if not _exists(outcome, side, sides=True):
                return Mismatch(f"bonus {side}", "no such side")
            got = outcome.hand.bonus(side)
            if side in numbers and len(got) != numbers[side]:
                return Mismatch(f"bonus {side}: {numbers[side]}", str(len(got)))
            if side in cards and not same_cards(cards[side], got):
                return Mismatch(f"bonus {side}: {_cards_shown(cards[side])}", _cards_shown(got))
        return None

    return test


def _read_melds(reader: Reader, node: Node, key: str) -> Test:
    expected: dict[int, tuple[tuple[int, ...], ...]] = {}
    if node.items is not None:
        reader.complain(node, key, "write the melds by side, as {0: [K K K]}")
    else:
        for side, value in reader.by_number(node, key).items():
            expected[side] = reader.melds(value, f"{key}[{side}]")

    def test(outcome: Outcome) -> Mismatch | None:
        for side, melds in expected.items():
            if not _exists(outcome, side, sides=True):
                return Mismatch(f"melds {side}", "no such side")
            got = [meld.cards for meld in outcome.hand.melds(side)]
            if not _same_melds(melds, got):
                return Mismatch(f"melds {side}: {_melds_shown(melds)}", _melds_shown(got))
        return None

    return test


def _melds_shown(melds: Sequence[Sequence[int]]) -> str:
    return " + ".join(map(format_cards, melds)) or "no melds"


def _same_melds(expected: Sequence[Sequence[int]], got: Sequence[Sequence[int]]) -> bool:
    """Can the melds be paired off? A card without a suit fits several, so pairs may have to be changed."""
    if len(expected) != len(got):
        return False
    partner_of: dict[int, int] = {}

    def pair(index: int, tried: set[int]) -> bool:
        for other, meld in enumerate(got):
            if other in tried or not same_cards(expected[index], meld):
                continue
            tried.add(other)
            if other not in partner_of or pair(partner_of[other], tried):
                partner_of[other] = index
                return True
        return False

    return all(pair(index, set()) for index in range(len(expected)))


# -- the table ---------------------------------------------------------------------------------------------


def _read_seating(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.numbers(node, key)

    def test(outcome: Outcome) -> Mismatch | None:
        assert outcome.seating is not None
        return _compare("seating", expected, list(outcome.seating.players))

    return test


def _read_sitting_out(reader: Reader, node: Node, key: str) -> Test:
    expected = sorted(reader.numbers(node, key))

    def test(outcome: Outcome) -> Mismatch | None:
        assert outcome.match is not None
        return _compare("sitting out", expected, sorted(outcome.match.sitting_out))

    return test


def _read_pot_taken(reader: Reader, node: Node, key: str) -> Test:
    expected = sorted(reader.numbers(node, key))

    def test(outcome: Outcome) -> Mismatch | None:
        got = [side for side, taker in enumerate(outcome.hand.state.pot_taker) if taker >= 0]
        return _compare("pot taken by", expected, got)

    return test


def _read_sides(reader: Reader, node: Node, key: str) -> Test | None:
    if node.items is None:
        reader.complain(node, key, "the seats of each side are wanted, as [[0, 2], [1, 3]]")
        return None
    expected = [sorted(reader.numbers(item, key)) for item in node.items]
    return lambda outcome: _compare("sides", expected, [sorted(side) for side in outcome.hand.sides])


def _dealer(outcome: Outcome) -> int:
    if outcome.seating is not None:
        return outcome.seating.dealer
    assert outcome.match is not None
    return outcome.match.dealer


def _winner(outcome: Outcome) -> int | None:
    assert outcome.match is not None
    return outcome.match.winner


def _hidden_cards_seen(hand: Hand, seat: int) -> int:
    """How many cards of hands, feet and stock the view of this seat shows: its own hand, and no more."""
    state = hand.view(seat).state
    places = [state.deck, *state.feet, *state.pots, *state.talons]
    return sum(sum(state.cards_of(seat)) for seat in range(len(state.side_of))) + sum(
        kind != HIDDEN for kinds in places for kind in kinds
    )


def _deck_size(outcome: Outcome) -> int:
    return len(full_deck(outcome.rules.deck.decks, outcome.rules.deck.caliente_cards))


_Reader = Callable[[Reader, Node, str], Test | None]

_READERS: Final[dict[str, _Reader]] = {
    "turn": _number("turn", lambda outcome: outcome.hand.turn),
    "phase": _read_phase,
    "frozen": _read_frozen,
    "hand": _cards_of_seats("hand", lambda hand, seat: hand.hand_cards(seat)),
    "foot": _cards_of_seats("foot", lambda hand, seat: hand.foot_cards(seat)),
    "melds": _read_melds,
    "pile": _read_pile,
    "bonus": _read_bonus,
    "pile_size": _number("pile size", lambda outcome: len(outcome.hand.pile)),
    "stock_size": _number("stock size", lambda outcome: outcome.hand.stock_size),
    "hand_size": _counts("hand size of seat", lambda hand, seat: len(hand.hand_cards(seat)), sides=False),
    "sees": _counts("hidden cards seen by seat", _hidden_cards_seen, sides=False),
    "talon": _counts("talon cards of seat", lambda hand, seat: len(hand.talon_cards(seat)), sides=False),
    "foot_size": _counts("foot size of seat", lambda hand, seat: len(hand.foot_cards(seat)), sides=False),
    "pot_taken": _read_pot_taken,
    "pots": _number("pots left", lambda outcome: len(outcome.hand.state.pots)),
    "over": _read_over,
    "out": _number_or_nobody("out", lambda outcome: outcome.hand.out),
    "points": _read_points,
    "lines": _read_lines,
    "scores": _read_scores,
    "winner": _number_or_nobody("winner", _winner),
    "minimum": _counts("minimum of side", lambda hand, side: hand.minimum(side), sides=True),
    "victory_points": _read_victory_points,
    "seating": _read_seating,
    "dealer": _number("dealer", _dealer),
    "sitting_out": _read_sitting_out,
    "sides": _read_sides,
    "deck_size": _number("deck size", _deck_size),
}
_SPELLINGS: Final = {"hands": "hand", "feet": "foot", "score": "scores", "line": "lines", "point": "points"}
