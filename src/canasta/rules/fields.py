"""Every field of a `Ruleset`: what it means, which clause it serves, which values it takes.

This is the one registry behind validation, help, rule sheets, the documentation and the new-table form.
A field is named by its dotted path, `pile.natural_and_wild`.
"""

from typing import Final, NamedTuple

Value = bool | int | str | tuple[int, ...]
"""What a field can hold."""

YES_NO: Final = "yes or no"
NUMBER: Final = "number"
CHOICE: Final = "choice"
NUMBERS: Final = "list of numbers"
TEXT: Final = "text"


class Field(NamedTuple):
    """One field of the ruleset."""

    path: str
    kind: str
    """`YES_NO`, `NUMBER`, `CHOICE`, `NUMBERS` or `TEXT`."""
    clauses: tuple[str, ...]
    label: str
    meaning: str
    low: int = 0
    high: int = 0
    """Smallest and largest number, for `NUMBER` and each member of `NUMBERS`."""
    choices: tuple[tuple[str, str], ...] = ()
    """Values of a `CHOICE` with the words for them."""
    zero: str = ""
    """What 0 (or an empty list) means, where it is not simply a number."""
    option: str = ""
    """The short name that tables use for it, where it has one."""
    fixed: bool = False
    """Set by the preset and the number of players; no option changes it."""

    @property
    def section(self) -> str:
        return self.path.partition(".")[0] if "." in self.path else ""

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    def allowed(self) -> str:
        """The values it takes, in words: `a number from 1 to 6`."""
        if self.kind == YES_NO:
            return "true or false"
        if self.kind == CHOICE:
            return "one of " + ", ".join(value for value, _ in self.choices)
        if self.kind == NUMBER:
            return f"a whole number from {self.low} to {self.high}"
        if self.kind == NUMBERS:
            return f"a list of at most {_MOST_MEMBERS} whole numbers from {self.low} to {self.high}"
        return "text"

    def show(self, value: Value) -> str:
        """A value as a card player would read it.

        >>> FIELDS["melds.most_wilds"].show(0), FIELDS["pile.put_back"].show(True)
        ('no limit', 'yes')
        """
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, tuple):
            return ", ".join(str(number) for number in value) if value else (self.zero or "none")
        if isinstance(value, int):
            return self.zero if value == 0 and self.zero else str(value)
        for choice, words in self.choices:
            if choice == value:
                return words
        return value

    def typed(self, value: Value) -> str:
        """A value as `--option` takes it, with the words for it where they say more.

        >>> FIELDS["melds.most_wilds"].typed(0), FIELDS["pile.put_back"].typed(True)
        ('melds.most_wilds=0 (no limit)', 'pile.put_back=yes')
        >>> FIELDS["opening.scores"].typed((0, 1500))
        'opening.scores=0,1500'
        """
        words = self.show(value)
        text = str(value)
        if isinstance(value, bool):
            text = words
        elif isinstance(value, tuple):
            text = ",".join(str(number) for number in value) or "[]"
            words = text if value else words
        return f"{self.path}={text}" + (f" ({words})" if words != text else "")


def _flag(path: str, clauses: str, label: str, meaning: str, option: str = "") -> Field:
    return Field(path, YES_NO, tuple(clauses.split()), label, meaning, option=option)


def _number(
    path: str,
    clauses: str,
    low: int,
    high: int,
    label: str,
    meaning: str,
    *,
    zero: str = "",
    option: str = "",
) -> Field:
    return Field(path, NUMBER, tuple(clauses.split()), label, meaning, low, high, zero=zero, option=option)


def _choice(
    path: str, clauses: str, label: str, meaning: str, choices: dict[str, str], option: str = ""
) -> Field:
    return Field(
        path, CHOICE, tuple(clauses.split()), label, meaning, choices=tuple(choices.items()), option=option
    )


def _numbers(path: str, clauses: str, high: int, label: str, meaning: str, zero: str) -> Field:
    return Field(path, NUMBERS, tuple(clauses.split()), label, meaning, 0, high, zero=zero)


_MOST_POINTS: Final = 20_000
"""Of a bonus or a penalty: eight times the highest of any booklet."""
_MOST_SCORE: Final = 100_000
_MOST_DEALT: Final = 30
"""Cards of a hand or a foot: twice as many as any booklet deals."""
_MOST_IN_A_SET: Final = 36
_MOST_MINIMUM: Final = 1000
_MOST_MEMBERS: Final = 12
"""Numbers in a list."""

_ALL: Final[tuple[Field, ...]] = (
    Field("name", TEXT, (), "preset", "The short name of the rule system.", fixed=True),
    Field("title", TEXT, (), "title", "The name of the rule system on a rule sheet.", fixed=True),
    Field("version", NUMBER, (), "version", "Rises whenever a value of the preset changes, for old records.",
          1, 1_000_000, fixed=True),
    # deck
    _number("deck.decks", "DECK-1", 1, 6, "decks",
            "How many packs of 52 cards and two jokers are shuffled together."),
    _flag("deck.caliente_cards", "DECK-4 CALI-1", "Caliente cards",
          "One Caliente card for each deck is shuffled in.", "caliente_cards"),
    _flag("deck.caliente_names", "DECK-3", "Caliente names",
          "Rule sheets say Little Wild, Big Wild, Bonus card, Stop card, draw pile and prize pile instead of "
          "two, joker, red three, black three, stock and discard pile."),
    _number("deck.joker_value", "DECK-2", 0, 500, "value of a joker", "Points of a joker (Big Wild)."),
    _number("deck.two_value", "DECK-2", 0, 500, "value of a two", "Points of a two (Little Wild)."),
    _number("deck.ace_value", "DECK-2", 0, 500, "value of an ace", "Points of an ace."),
    _number("deck.high_value", "DECK-2", 0, 500, "value of king to eight",
            "Points of a king down to an eight."),
    _number("deck.low_value", "DECK-2", 0, 500, "value of seven to four",
            "Points of a seven down to a four."),
    _number("deck.black_three_value", "DECK-2", 0, 500, "value of a black three",
            "Points of a black three (Stop card) that is melded."),
    # seats
    Field("seats.players", NUMBER, ("SEAT-1", "SEAT-2", "SEAT-3", "SEAT-4"), "players",
          "How many people sit at the table.", 2, 6, fixed=True),
    _number("seats.sides", "SEAT-1 SEAT-4", 2, 3, "sides",
            "How many sides play against each other; six players choose between two and three.",
            option="sides"),
    _flag("seats.sit_out", "SEAT-2 SEAT-3", "players sit out in turn",
          "One player of each team of three sits out each hand, so that four play.", "sit_out"),
    _choice("seats.first_dealer", "SEAT-5 SEAT-6 SEAT-7", "first dealer",
            "How the first dealer (and, with a cut, the partners) are found.",
            {"random": "drawn at random", "cut": "found by cutting",
             "cut_deal": "found by cutting, everyone keeps the seat", "alternate": "the two take turns"}),
    _flag("seats.may_advise", "SEAT-8", "who sits out may advise",
          "A player who sits out may advise the team."),
    # deal
    _number("deal.hand_size", "DEAL-1 DEAL-2 DEAL-3", 1, _MOST_DEALT, "cards dealt",
            "How many cards each player is dealt as a hand.", option="hand_size"),
    _number("deal.foot_size", "DEAL-1 DEAL-2 DEAL-3 OUT-4", 0, _MOST_DEALT, "cards in the foot",
            "How many cards lie aside unseen as a second hand, the foot.", zero="no foot"),
    _flag("deal.cover_black_three", "DEAL-6", "a black three turned up first is covered",
          "A black three as the first up card gets another card on top; it does not freeze the pile."),
    _flag("deal.reshuffle_second", "DEAL-6", "a second wild or red three is shuffled back",
          "When a second wild card or a second red three is turned at the deal, the turned cards return "
          "to the stock, which is shuffled."),
    _flag("deal.natural_covers_frozen", "DEAL-5", "only a natural card covers a frozen pile at the deal",
          "Once a wild card or red three is turned at the deal, black threes and Caliente cards are covered "
          "too until a natural card lies on top."),
    # turn
    _number("turn.draw", "TURN-2 END-8", 1, 5, "cards drawn",
            "How many cards a player draws from the stock."),
    _flag("turn.lay_bonus_by_hand", "TURN-4", "red threes are laid by hand",
          "Players lay out their red threes themselves; one that stays in hand to the end costs points.",
          "lay_bonus_by_hand"),
    _flag("turn.keep_last_card", "DISC-5", "the last card may be kept",
          "With one card left and too few canastas a player skips the discard and keeps the card."),
    _flag("turn.undo", "MELD-9", "melds may be taken back before the discard",
          "A meld of this turn may be taken back as long as nothing hidden was seen through it."),
    # pile
    _flag("pile.first_meld_needs_pair", "PILE-2", "a natural pair for the first meld",
          "Before the side's first meld the pile is taken only with two naturals of the top card's rank."),
    _flag("pile.natural_and_wild", "PILE-4", "a natural and a wild take the pile",
          "A pile that is not frozen may be taken with one natural card and one wild card from the hand."),
    _flag("pile.add_to_meld", "PILE-5", "the top card may join a meld",
          "A pile that is not frozen may be taken by adding its top card to a meld short of a canasta."),
    _flag("pile.add_to_canasta", "PILE-6", "the top card may join a canasta",
          "A pile that is not frozen may be taken by adding its top card to a finished canasta."),
    _flag("pile.add_to_run", "PILE-7", "the top card may join a sequence",
          "A pile that is not frozen may be taken by adding its top card to a sequence short of a samba."),
    _flag("pile.always_frozen", "PILE-9", "the pile is always frozen",
          "The pile is taken only with two naturals from the hand or by adding to a meld short of a canasta.",
          "always_frozen"),
    _choice("pile.one_card_hand", "PILE-11", "taking the pile with one card in hand",
            "What holds for a player with a single card in hand.",
            {"free": "allowed like any other take", "must_go_out": "only if the player can then go out",
             "not_single": "not if the pile is a single card"}),
    _flag("pile.bars_first_player", "PILE-13", "a pile frozen at the deal is barred for the first player",
          "The first player of a hand cannot take a pile that the deal froze."),
    _flag("pile.put_back", "PILE-12", "the pile may be put back",
          "A player who has just taken the pile may restore it and pay a penalty.", "put_back"),
    _flag("pile.look_through", "DISC-2", "the pile may be looked through",
          "Anyone may look at every card of the pile; otherwise it is squared off and shows its top card and "
          "the cards that freeze it."),
    # melds
    _number("melds.canasta_size", "MELD-1", 4, 11, "cards of a canasta", "How many cards make a canasta."),
    _number("melds.largest_set", "MELD-1", 0, _MOST_IN_A_SET, "largest set",
            "The set is closed at this many cards.", zero="no limit"),
    _number("melds.least_naturals", "MELD-2", 2, 3, "fewest naturals in a set",
            "How many natural cards a set holds at the least."),
    _choice("melds.wilds_to_naturals", "MELD-2", "wild cards against naturals",
            "How the number of wild cards in a set compares with its natural cards.",
            {"fewer": "fewer wilds than naturals", "equal": "no more wilds than naturals",
             "free": "not compared"}, "equal_wilds"),
    _number("melds.most_wilds", "MELD-3", 0, _MOST_IN_A_SET, "most wild cards in a set",
            "The largest number of wild cards in one set, canastas included.", zero="no limit"),
    _numbers("melds.wilds_by_size", "MELD-2", _MOST_IN_A_SET, "wild cards by size of the set",
             "Wild cards allowed in a set of three, of four, and so on; the last number is for larger sets.",
             "no such steps"),
    _flag("melds.wilds_on_canasta", "MELD-4", "wild cards may join a finished canasta",
          "A wild card may be added to a canasta; a natural one becomes mixed by it."),
    _choice("melds.sets_per_rank", "MELD-5", "sets of one rank",
            "How many sets of the same rank a side may have.",
            {"one": "one", "one_open": "one open set at a time", "any": "any number"}),
    _flag("melds.runs", "MELD-6", "sequences",
          "Three to seven cards in sequence, four low and ace high, are a meld too; seven are a samba."),
    _flag("melds.same_suit_runs", "MELD-6", "sequences of one suit",
          "The cards of a sequence must be of the same suit.", "same_suit_runs"),
    _flag("melds.wild_melds", "MELD-7", "melds of wild cards alone",
          "Three or more wild cards are a meld too; as many as make a canasta are a wild canasta.",
          "wild_melds"),
    _flag("melds.wild_canasta_closed", "MELD-7", "a wild canasta is closed",
          "No further wild card joins a finished wild canasta."),
    # opening
    _number("opening.below_zero", "OPEN-1", 0, _MOST_MINIMUM, "first meld below zero",
            "Points the first meld needs while the side's score is negative.", zero="any legal meld"),
    _numbers("opening.scores", "OPEN-1", _MOST_SCORE, "scores of the first-meld steps",
             "The score at which each step of the first-meld minimum begins; the first step begins at 0.",
             "none, it goes by rounds"),
    _numbers("opening.minimums", "OPEN-1", _MOST_MINIMUM, "first-meld minimums",
             "Points the first meld needs on each step, by score or by round.", "none"),
    _flag("opening.above_score", "OPEN-1", "a step begins above its score",
          "A side exactly on the score of a step still needs the step before."),
    _flag("opening.by_round", "OPEN-1", "minimum by round",
          "The first-meld minimum rises with each round, whatever the score."),
    _flag("opening.top_card_counts", "OPEN-3", "the top card counts for the first meld",
          "The top card counts when the pile is taken for the first meld; otherwise the minimum rises by its "
          "value.", "top_card_counts"),
    _flag("opening.canasta_suffices", "OPEN-4", "a canasta opens without a minimum",
          "A first meld with a complete canasta in it needs no minimum."),
    _flag("opening.concealed_suffices", "OPEN-5", "going out concealed needs no minimum",
          "A first meld by which the player goes out needs no minimum."),
    _flag("opening.canasta_bonus_counts", "OPEN-6", "canasta bonuses count for the first meld",
          "The bonus of a canasta in the first meld counts towards the minimum.", "canasta_bonus_counts"),
    # going out
    _number("going_out.canastas", "OUT-1", 0, 20, "canastas to go out",
            "How many canastas of any kind the side needs before a player may go out.",
            zero="no number of any kind", option="canastas_to_go_out"),
    _number("going_out.natural", "OUT-1", 0, 20, "natural canastas to go out",
            "How many natural canastas the side needs.", zero="none needed"),
    _number("going_out.mixed", "OUT-1", 0, 20, "mixed canastas to go out",
            "How many mixed canastas the side needs.", zero="none needed"),
    _number("going_out.wild", "OUT-1", 0, 5, "wild canastas to go out",
            "How many wild canastas the side needs.", zero="none needed"),
    _number("going_out.sequence", "OUT-1", 0, 20, "sambas to go out",
            "How many sambas (sequences of seven) the side needs.", zero="none needed"),
    _choice("going_out.ask", "OUT-3", "asking the partner",
            "Whether a player asks a partner before going out; the answer binds.",
            {"may": "allowed", "must": "required", "no": "not part of the game"}),
    # the stock runs out
    _choice("stock_end.after_last_card", "END-1 END-4 END-6 END-7", "after the last card of the stock",
            "How the hand goes on when nothing is left to draw.",
            {"play_on": "play goes on as long as the pile is taken",
             "one_taker": "one more player may take the pile",
             "top_card": "a fitting top card is taken alone"}),
    _flag("stock_end.forced", "END-2 END-6", "a fitting up card must be taken",
          "With the stock gone, an up card that fits a meld of the side must be taken from a pile that is "
          "not frozen; where it is taken alone, it always must."),
    _choice("stock_end.last_red_three", "END-3 END-5", "a red three as the last card",
            "What happens when the last card of the stock is a red three.",
            {"ends": "the hand ends at once", "melds": "the player may meld, then the hand ends",
             "goes_on": "the turn goes on"}),
    # Caliente cards
    _number("caliente.hand_size", "CALI-2", 1, _MOST_DEALT, "hand after a Caliente card",
            "A player who plays a Caliente card draws up to this many cards."),
    _number("caliente.played_penalty", "CALI-4", 0, 10_000, "cost of a played Caliente card",
            "Points that each Caliente card played costs its side."),
    _number("caliente.held_one", "CALI-5", 1, 10, "one Caliente card held",
            "The cards left in a hand with one Caliente card count this many times."),
    _number("caliente.held_more", "CALI-5", 1, 10, "more Caliente cards held",
            "The cards left in a hand with two or more Caliente cards count this many times."),
    # scoring
    _number("scoring.natural_canasta", "SCOR-2", 0, _MOST_POINTS, "natural canasta",
            "Bonus for a canasta without wild cards."),
    _number("scoring.mixed_canasta", "SCOR-3", 0, _MOST_POINTS, "mixed canasta",
            "Bonus for a canasta with wild cards."),
    _number("scoring.samba", "SCOR-4", 0, _MOST_POINTS, "samba",
            "Bonus for a sequence of seven.", zero="none"),
    _number("scoring.wild_canasta", "SCOR-5", 0, _MOST_POINTS, "wild canasta",
            "Bonus for a canasta of wild cards alone.", zero="none"),
    _number("scoring.going_out", "SCOR-6", 0, _MOST_POINTS, "going out", "Bonus for going out.", zero="none"),
    _number("scoring.concealed", "SCOR-7", 0, _MOST_POINTS, "going out concealed",
            "Bonus on top for going out concealed.", zero="none"),
    _choice("scoring.concealed_by", "SCOR-11", "concealed means",
            "Whose earlier melds spoil a concealed hand.",
            {"player": "the player has melded nothing before, and melds a canasta in that turn",
             "table": "the side has nothing but red threes on the table before"}),
    _number("scoring.red_three", "SCOR-8", 0, _MOST_POINTS, "each red three",
            "Points of a red three laid out."),
    _number("scoring.red_three_extra_from", "SCOR-8", 0, 12, "red threes for the extra",
            "With so many red threes the side scores the extra.", zero="no extra"),
    _number("scoring.red_three_extra", "SCOR-8", 0, _MOST_POINTS, "extra for many red threes",
            "Points on top of the single ones.", zero="none"),
    _choice("scoring.red_threes_minus", "SCOR-9", "red threes count minus",
            "When the red threes of a side, with their extra, count against it.",
            {"no_first_meld": "the side made no first meld",
             "few_canastas": "the side has too few canastas",
             "other_went_out": "the side has no meld when another side goes out",
             "all_need_canastas": "with the extra: too few canastas; else: no meld when another goes out"}),
    _number("scoring.red_threes_minus_canastas", "SCOR-9", 0, 20, "canastas that save the red threes",
            "With fewer canastas than this the red threes count minus, where canastas decide it.",
            zero="canastas do not decide"),
    _number("scoring.black_three_in_hand", "SCOR-10", 0, _MOST_POINTS, "black three left in hand",
            "Points that a black three left in hand costs."),
    _number("scoring.forgotten_red_three", "TURN-4", 0, _MOST_POINTS, "red three left in hand",
            "Points that a red three left in hand costs, where they are laid by hand."),
    _number("scoring.put_back_penalty", "PILE-12", 0, _MOST_POINTS, "cost of putting the pile back",
            "Points that restoring the pile costs, where it is allowed."),
    _flag("scoring.canasta_for_positive_score", "SCOR-12", "canastas needed for a positive score",
          "A side short of the canastas for going out scores minus its cards in hand and on the table.",
          "canasta_for_positive_score"),
    # match
    _number("match.target", "GAME-1", 0, _MOST_SCORE, "score that ends the game",
            "The game ends with the hand in which a side reaches this score.", zero="none, it goes by rounds",
            option="target"),
    _number("match.rounds", "GAME-1 GAME-2", 0, 100, "rounds of the game",
            "The game ends after so many hands; equal totals are then a draw.",
            zero="none, it goes by score"),
)  # fmt: skip

FIELDS: Final[dict[str, Field]] = {field.path: field for field in _ALL}
"""All fields by path, in the order of the model."""

SECTION_TITLES: Final[dict[str, str]] = {
    "deck": "The cards",
    "seats": "Seats and sides",
    "deal": "The deal",
    "turn": "The turn",
    "pile": "Taking the pile",
    "melds": "Melds",
    "opening": "The first meld",
    "going_out": "Going out",
    "stock_end": "When the stock runs out",
    "caliente": "Caliente cards",
    "scoring": "Scoring a hand",
    "match": "The game",
}


def check_value(field: Field, value: object) -> str:
    """What is wrong with a value for this field; empty when it is fine. Lists are as good as tuples.

    >>> check_value(FIELDS["turn.draw"], True)
    'must be a whole number from 1 to 5'
    """
    if field.kind == YES_NO:
        fine = isinstance(value, bool)
    elif field.kind == NUMBER:
        fine = _is_number(value, field)
    elif field.kind == NUMBERS:
        fine = (
            isinstance(value, (list, tuple))
            and len(value) <= _MOST_MEMBERS
            and all(_is_number(member, field) for member in value)
        )
    elif field.kind == CHOICE:
        fine = isinstance(value, str) and any(value == choice for choice, _ in field.choices)
    else:
        fine = isinstance(value, str)
    return "" if fine else f"must be {field.allowed()}"


def _is_number(value: object, field: Field) -> bool:
    # bool is a subclass of int, but nobody means `true` cards
    return isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high


def as_value(value: object) -> Value:
    """A value that `check_value` found fine, in the form that the model holds."""
    if isinstance(value, (list, tuple)):
        return tuple(int(member) for member in value)
    assert isinstance(value, (bool, int, str))
    return value
