"""Rule sheets, section by section: their lines, the pictures next to them, and their text in a language."""

import textwrap
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from canasta.i18n import Fact
from canasta.i18n.voice import Voice
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import title_of
from canasta.rules.sheet import Phrase, RuleLine, SheetFact, phrase
from canasta.rules.sheet.play import (
    deal_lines,
    deck_lines,
    discard_lines,
    meld_lines,
    pile_lines,
    seat_lines,
    turn_lines,
)
from canasta.rules.sheet.score import (
    ace_lines,
    caliente_lines,
    game_lines,
    going_out_lines,
    opening_lines,
    scoring_lines,
    seven_lines,
    stock_end_lines,
)

_SECTIONS: Final = {
    "deck": deck_lines,
    "seats": seat_lines,
    "deal": deal_lines,
    "turn": turn_lines,
    "pile": pile_lines,
    "melds": meld_lines,
    "sevens": seven_lines,
    "aces": ace_lines,
    "opening": opening_lines,
    "discards": discard_lines,
    "going_out": going_out_lines,
    "stock_end": stock_end_lines,
    "caliente": caliente_lines,
    "scoring": scoring_lines,
    "match": game_lines,
}


class SheetSection(NamedTuple):
    """The lines about one part of the game, named after that section of the ruleset."""

    key: str
    lines: tuple[RuleLine, ...]


def sheet_sections(rules: Ruleset) -> tuple[SheetSection, ...]:
    """Return all lines of a rule sheet, in order of play.

    >>> from canasta.rules.loader import load_ruleset
    >>> sheet_sections(load_ruleset("bolivia"))[-1].lines[0]
    RuleLine(clause='GAME-1', code='match.target', facts={'target': 10000})
    """
    sections = ((key, lines_of(rules)) for key, lines_of in _SECTIONS.items())
    return tuple(SheetSection(key, tuple(lines)) for key, lines in sections if lines)


_SUITS: Final = "hdsc"
_RANKS: Final = "456789TJQKA"
_HIGH: Final = "89TJQK"
_MOST_MELDS: Final = 3
"""Maximum number of melds in the picture of a first meld."""


class PicturedMeld(NamedTuple):
    """A meld as a table shows it."""

    name: str
    """The name in notation: `K`, `W`, `run#1`."""
    cards: tuple[str, ...]
    canasta: str = ""
    """`natural`, `mixed`, `wild` or `samba`; empty if it is not a canasta."""
    grade: str = ""
    wild: int = -1
    """Index of a sequence's wild card; -1 if it has none."""
    stands_for: str = ""
    """The card that the wild card represents."""


class Picture(NamedTuple):
    """A picture; its parts are shown side by side."""

    label: Phrase
    cards: tuple[str, ...] = ()
    melds: tuple[PicturedMeld, ...] = ()
    pile: tuple[str, ...] = ()
    """The pile, lowest card first."""
    frozen: bool = False
    packets: tuple[int, ...] = ()
    """Sizes of packets of face-down cards."""


def pictures_of(section: str, rules: Ruleset) -> tuple[Picture, ...]:
    """Return the pictures of one section of a rule sheet.

    >>> from canasta.rules.loader import load_ruleset
    >>> [shown.cards for shown in pictures_of("deck", load_ruleset("jaques"))[:2]]
    [('Jo',), ('As', '2c')]
    """
    show = _SHOWN.get(section)
    return () if show is None else tuple(show(rules))


def _deck(rules: Ruleset) -> Iterator[Picture]:
    """Show the cards by their points, the highest first."""
    by_value: dict[int, list[str]] = {}
    for card, value in values_by_card(rules).items():
        by_value.setdefault(value, []).append(card)
    for value, cards in sorted(by_value.items(), reverse=True):
        yield Picture(phrase("picture.points", points=value), tuple(cards))


def values_by_card(rules: Ruleset) -> dict[str, int]:
    """Return the points of a card of each rank in a meld."""
    deck = rules.deck
    values = {"Jo": deck.joker_value, "As": deck.ace_value, "2c": deck.two_value}
    values |= {f"{rank}{_SUITS[at % 4]}": deck.high_value for at, rank in enumerate(reversed(_HIGH))}
    values |= {f"{rank}{_SUITS[at % 4]}": deck.low_value for at, rank in enumerate("7654")}
    if deck.threes == "special":
        values["3c"] = deck.black_three_value
    elif deck.threes == "natural":
        values["3d"] = deck.black_three_value
    return values


def _deal(rules: Ruleset) -> Iterator[Picture]:
    deal = rules.deal
    if deal.foot_size:
        yield Picture(phrase("picture.foot"), packets=(deal.hand_size, deal.foot_size))
    if deal.pots:
        yield Picture(phrase("picture.pots", count=len(deal.pots)), packets=deal.pots)


def _turn(rules: Ruleset) -> Iterator[Picture]:
    if rules.turn.talon:
        yield Picture(phrase("picture.talon", count=rules.turn.talon[0]), packets=rules.turn.talon[:1])


def _pile(rules: Ruleset) -> Iterator[Picture]:
    pile = rules.pile
    if pile.take != "meld_top":
        return
    if pile.natural_and_wild and not pile.always_frozen:
        yield Picture(phrase("picture.take"), ("Ks", "2d"), pile=("7c", "4d", "Kd"))
    below = "Qs" if pile.always_frozen else "2h"
    yield Picture(phrase("picture.frozen"), ("9s", "9h"), pile=("7c", below, "9d"), frozen=True)
    if rules.deck.threes == "special":
        yield Picture(phrase("picture.stopped"), pile=("Qd", "5h", "3s"))


def _melds(rules: Ruleset) -> Iterator[Picture]:
    melds, score = rules.melds, rules.scoring
    size = melds.canasta_size
    by_grade = score.grades
    natural, mixed = ("clean", "dirty") if by_grade else ("natural", "mixed")
    if melds.set_ranks == "all":
        yield Picture(phrase("picture.set"), melds=(_set("8", 3), _set("J", 3, 1)))
        wilds = 2 if melds.most_wilds != 1 else 1
        if size <= 4 * rules.deck.decks:
            whole = _set("Q", size)._replace(canasta="natural", grade=natural if by_grade else "")
            yield Picture(phrase(f"picture.{natural}", points=score.natural_canasta), melds=_squared(whole))
        whole = _set("K", size - wilds, wilds)._replace(canasta="mixed", grade=mixed if by_grade else "")
        yield Picture(phrase(f"picture.{mixed}", points=score.mixed_canasta), melds=_squared(whole))
    if melds.runs:
        yield from _runs(rules)
    if melds.wild_melds and size <= 6 * rules.deck.decks:
        jokers = min(size - 1, 2 * rules.deck.decks, 2)
        cards = ("Jo",) * jokers + tuple(f"2{_SUITS[at % 4]}" for at in range(size - jokers))
        bonus = phrase("picture.wild", points=score.wild_canasta)
        yield Picture(bonus, melds=_squared(PicturedMeld("W", cards, "wild")))


def _runs(rules: Ruleset) -> Iterator[Picture]:
    melds, score = rules.melds, rules.scoring
    size = melds.canasta_size
    first = min(1, len(_RANKS) - size)
    yield Picture(phrase("picture.run"), melds=(_run("d", _RANKS[3:6]),))
    whole = _run("h", _RANKS[first : first + size])
    if not melds.run_most:
        yield Picture(
            phrase("picture.samba", points=score.samba), melds=_squared(whole._replace(canasta="samba"))
        )
        return
    grade = ("clean", "dirty") if score.grades else ("", "")
    clean = phrase("picture.clean", points=score.natural_canasta)
    yield Picture(clean, melds=_squared(whole._replace(canasta="natural", grade=grade[0])))
    if melds.run_wilds:
        at = size // 2
        cards = [card.replace("h", "s") for card in whole.cards]
        missing, cards[at] = cards[at], "2d"
        dirty = PicturedMeld("run#1", tuple(cards), "mixed", grade[1], at, missing)
        yield Picture(phrase("picture.dirty", points=score.mixed_canasta), melds=_squared(dirty))


def _squared(canasta: PicturedMeld) -> tuple[PicturedMeld, PicturedMeld]:
    """Return the melds that show a canasta: its single cards, and the squared-up packet."""
    return canasta._replace(canasta="", grade=""), canasta


def _set(rank: str, naturals: int, wilds: int = 0) -> PicturedMeld:
    cards = [f"{rank}{_SUITS[at % 4]}" for at in range(naturals)]
    return PicturedMeld(rank, (*cards, *("2s", "Jo")[:wilds]))


def _run(suit: str, ranks: str) -> PicturedMeld:
    return PicturedMeld("run#1", tuple(rank + suit for rank in ranks))


def _opening(rules: Ruleset) -> Iterator[Picture]:
    opening = rules.opening
    if opening.by_round:
        labels = [
            phrase("round.in", points=minimum, round=at) for at, minimum in enumerate(opening.minimums, 1)
        ]
    else:
        steps = zip(opening.scores, opening.minimums, strict=True)
        labels = [
            phrase(
                "score.above" if opening.above_score and score else "score.from", points=minimum, score=score
            )
            for score, minimum in steps
        ]
    for label in labels:
        melds = _first_meld(rules, label.facts["points"])
        if melds:
            yield Picture(label, melds=melds)


def _first_meld(rules: Ruleset, minimum: int) -> tuple[PicturedMeld, ...]:
    """Return a few melds that reach the minimum as exactly as possible."""
    if minimum == 0:
        return ()
    values = {card[:-1] or card: value for card, value in values_by_card(rules).items()}
    values["Jo"] = rules.deck.joker_value

    def worth(melds: tuple[PicturedMeld, ...]) -> int:
        return sum(values["Jo" if card == "Jo" else card[0]] for meld in melds for card in meld.cards)

    wild_king = PicturedMeld("K", ("Kh", "Ks", "Jo"))
    menu = [_set("A", 3), _set("A", 4), _set("K", 3), wild_king, _set("Q", 3), _set("Q", 2, 1), _set("J", 4)]
    for count in range(1, _MOST_MELDS + 1):
        enough = [
            melds
            for melds in combinations(menu, count)
            if len({meld.name for meld in melds}) == count
            and worth(melds) >= minimum
            and (
                rules.opening.pure_meld == "no"
                or any("2s" not in m.cards and "Jo" not in m.cards for m in melds)
            )
        ]
        if enough:
            return min(enough, key=worth)
    return ()


def _caliente(rules: Ruleset) -> Iterator[Picture]:
    if rules.deck.caliente_cards:
        yield Picture(phrase("picture.caliente", points=rules.caliente.played_penalty), ("Ca",))


def _scoring(rules: Ruleset) -> Iterator[Picture]:
    if rules.deck.threes == "special":
        yield Picture(phrase("picture.red_three", points=rules.scoring.red_three), ("3h", "3d"))


_SHOWN: Final = {
    "deck": _deck,
    "deal": _deal,
    "turn": _turn,
    "pile": _pile,
    "melds": _melds,
    "opening": _opening,
    "caliente": _caliente,
    "scoring": _scoring,
}


# -- the text of a sheet ------------------------------------------------------------------------------------


class TranslatedLine(NamedTuple):
    """A line of a rule sheet, one or two sentences long, with the clause that it states."""

    clause: str
    text: str


class TranslatedSection(NamedTuple):
    title: str
    lines: tuple[TranslatedLine, ...]
    pictures: tuple[tuple[str, Picture], ...]
    """Pictures to show next to the lines, each with its caption."""


class RuleSheet(NamedTuple):
    """A table's rules, in order of play."""

    title: str
    subtitle: str
    intro: str
    """The subtitle as a sentence."""
    sections: tuple[TranslatedSection, ...]

    def text(self, width: int = 100) -> str:
        """Return the sheet as wrapped plain text, with the clause in front of each line."""
        parts = [f"{self.title}, {self.subtitle}"]
        for section in self.sections:
            parts += ["", section.title]
            for line in section.lines:
                head = f"  {line.clause:<8} "
                parts += textwrap.wrap(
                    line.text, max(width, 40), initial_indent=head, subsequent_indent=" " * len(head)
                )
        return "\n".join(parts) + "\n"

    def markdown(self) -> str:
        parts = [f"# {self.title}", "", self.intro]
        for section in self.sections:
            parts += ["", f"## {section.title}", ""]
            parts += [f"- {line.text} ({line.clause})" if line.clause else f"- {line.text}"
                      for line in section.lines]  # fmt: skip
        return "\n".join(parts) + "\n"


def section_title(section: str, rules: Ruleset, lang: str = "en") -> str:
    """Return the title of a section of the rule sheet.

    >>> from canasta.rules.loader import load_ruleset
    >>> section_title("going_out", load_ruleset("jaques"))
    'Going out'
    """
    return Voice(lang, rules.deck.caliente_names).say(f"sheets.section.{section}")


def rule_sheet(rules: Ruleset, lang: str = "en") -> RuleSheet:
    """Return the rule sheet of a ruleset."""
    voice = Voice(lang, rules.deck.caliente_names)
    team = "player" if rules.seats.players < 4 else "side"
    sections = [
        TranslatedSection(
            voice.say(f"sheets.section.{section.key}"),
            tuple(TranslatedLine(line.clause, _line_text(voice, line, team)) for line in section.lines),
            tuple((_phrase(voice, picture.label), picture) for picture in pictures_of(section.key, rules)),
        )
        for section in sheet_sections(rules)
    ]
    players = {"players": rules.seats.players}
    subtitle, intro = voice.say("sheets.players", players), voice.say("sheets.for", players)
    return RuleSheet(title_of(rules, lang), subtitle, intro, tuple(sections))


def _line_text(voice: Voice, line: RuleLine, team: str) -> str:
    facts = {name: _fact(voice, name, fact) for name, fact in line.facts.items()}
    return voice.say(f"sheets.{line.code}", {"team": team, **facts})


def _fact(voice: Voice, name: str, fact: SheetFact) -> Fact:
    if isinstance(fact, int):
        return fact
    if isinstance(fact, Phrase):
        return _phrase(voice, fact)
    parts = [_phrase(voice, one) for one in fact]
    return voice.listed(parts, "or" if name.startswith("any_") else "and")


def _phrase(voice: Voice, phrase: Phrase) -> str:
    return voice.say(f"sheets.{phrase.code}", phrase.facts)
