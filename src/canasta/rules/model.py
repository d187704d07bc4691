"""The ruleset model: one frozen, nested, typed value, resolved for a number of players.

A `Ruleset` is plain data. The engine branches on its fields and never on a preset's name. A field is declared
here and nowhere else: its default, the rulebook clauses it implements, its possible values, its name and its
meaning. `FIELDS` is the registry by dotted path, such as `pile.natural_and_wild`: validation, house rules,
forms, rule sheets and the documentation all read the fields from there. A new field's default must keep every
existing game unchanged.
"""

# ruff: noqa: RUF009 - the helpers return a dataclass field, and a frozen section may be shared

from dataclasses import dataclass, fields
from typing import Any, Final

from canasta.rules.field_types import Field, Switch, Value, choice, flag, number, numbers, section, text

_MOST_POINTS: Final = 20_000
"""Limit on a bonus or penalty: eight times the highest in any booklet."""
_MOST_SCORE: Final = 100_000
_MOST_DEALT: Final = 30
"""Limit on the cards of a hand or foot: twice as many as any booklet deals."""
_MOST_IN_A_SET: Final = 36
_MOST_MINIMUM: Final = 1000


class PlainData:
    """Base class of frozen dataclasses, which rebuilds a copied or unpickled object from its fields.

    By default Python would fill an empty copy field by field, which a compiled frozen class rejects.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        value: Any = self
        return (type(self), tuple(getattr(value, field.name) for field in fields(value)))


# A declaration reads like a row of a table.
# fmt: off


@dataclass(frozen=True)
class DeckRules(PlainData):
    decks: int = number(2, "DECK-1", 1, 6, "decks",
        "How many packs of 52 cards and two jokers are shuffled together.")
    threes: str = choice("special", "DECK-3 DECK-5", "threes",
        "What the threes are for.",
        {"special": "red ones bring a bonus, black ones stop the next player",
         "bonus": "all of them bring a bonus", "natural": "natural cards"})
    caliente_cards: bool = flag(False, "DECK-4 CALI-1", "Caliente cards",
        "One Caliente card for each deck is shuffled in.", option="caliente_cards")
    caliente_names: bool = flag(False, "DECK-3", "Caliente names",
        "Rule sheets say Little Wild, Big Wild, Bonus card, Stop card, draw pile and prize pile instead of "
        "two, joker, red three, black three, stock and discard pile.")
    joker_value: int = number(50, "DECK-2", 0, 500, "value of a joker",
        "Points of a joker (Big Wild).")
    two_value: int = number(20, "DECK-2", 0, 500, "value of a two",
        "Points of a two (Little Wild).")
    ace_value: int = number(20, "DECK-2", 0, 500, "value of an ace",
        "Points of an ace.")
    high_value: int = number(10, "DECK-2", 0, 500, "value of king to eight",
        "Points of a king down to an eight.")
    low_value: int = number(5, "DECK-2", 0, 500, "value of seven to four",
        "Points of a seven down to a four.")
    black_three_value: int = number(5, "DECK-2", 0, 500, "value of a black three",
        "Points of a black three (Stop card) that is melded; of any three where threes are natural cards.")
    natural_twos: bool = flag(False, "DECK-6", "natural twos",
        "In a sequence of its suit a two is natural in its own place, and wild everywhere else.",
        needs="melds.runs")


@dataclass(frozen=True)
class SeatRules(PlainData):
    players: int = number(4, "SEAT-1 SEAT-2 SEAT-3 SEAT-4", 2, 6, "players",
        "How many people sit at the table.", fixed=True)
    sides: int = number(2, "SEAT-1 SEAT-4", 2, 3, "sides",
        "How many sides play against each other; six players choose between two and three.", option="sides")
    sit_out: bool = flag(False, "SEAT-2 SEAT-3", "players sit out in turn",
        "One player of each team of three sits out each hand, so that four play.", option="sit_out")
    first_dealer: str = choice("random", "SEAT-5 SEAT-6 SEAT-7", "first dealer",
        "How the first dealer (and, with a cut, the partners) are found.",
        {"random": "drawn at random", "cut": "found by cutting",
         "cut_deal": "found by cutting, everyone keeps the seat", "alternate": "the two take turns"})
    cut_order: str = choice("ace_high", "SEAT-6", "highest card in the cut",
        "How cards rank when the players cut. Jokers that do not count and equal cards are cut again.",
        {"ace_high": "aces high, suits do not count, nor do jokers",
         "ace_high_suits": "aces high, then by suit: spades, hearts, diamonds, clubs; jokers do not count",
         "joker_high_suits": "jokers, twos, aces, kings down to threes; then hearts, diamonds, clubs, "
         "spades"})
    may_advise: bool = flag(False, "SEAT-8", "who sits out may advise",
        "A player who sits out may advise the team.")


@dataclass(frozen=True)
class DealRules(PlainData):
    hand_size: int = number(11, "DEAL-1 DEAL-2 DEAL-3", 1, _MOST_DEALT, "cards dealt",
        "How many cards each player is dealt as a hand.", option="hand_size")
    foot_size: int = number(0, "DEAL-1 DEAL-2 DEAL-3 OUT-4", 0, _MOST_DEALT, "cards in the foot",
        "How many cards lie aside unseen as a second hand, the foot.", zero="no foot")
    up_card: str = choice("natural", "DEAL-5 DEAL-7", "the first up card",
        "Which card begins the pile.",
        {"natural": "cards are turned up until a natural one lies on top",
         "any": "the first card turned up, whatever it is", "none": "none: the pile begins empty"})
    pots: tuple[int, ...] = numbers((), "DEAL-8 OUT-9", _MOST_DEALT, "pots",
        "How many cards each pot has: second hands that lie aside unseen. The first player of a side who has "
        "played every card takes one.", zero="no pots")
    cover_black_three: bool = flag(False, "DEAL-6", "a black three turned up first is covered",
        "A black three as the first up card gets another card on top; it does not freeze the pile.")
    reshuffle_second: bool = flag(False, "DEAL-6", "a second wild or red three is shuffled back",
        "When a second wild card or a second red three is turned at the deal, the turned cards return to "
        "the stock, which is shuffled.")
    natural_covers_frozen: bool = flag(True, "DEAL-5", "only a natural card covers a frozen pile at the deal",
        "Once a wild card or red three is turned at the deal, black threes and Caliente cards are covered "
        "too until a natural card lies on top.")


@dataclass(frozen=True)
class TurnRules(PlainData):
    draw: int = number(1, "TURN-2 END-8", 1, 5, "cards drawn",
        "How many cards a player draws from the stock.")
    lay_bonus_by_hand: bool = flag(False, "TURN-4", "red threes are laid by hand",
        "Players lay out their red threes themselves; one that stays in hand to the end costs points.",
        option="lay_bonus_by_hand")
    threes_at: str = choice("deal", "DEAL-4 TURN-6", "threes are laid out",
        "When the threes of the first hand are laid out and replaced.",
        {"deal": "at the deal", "turn": "at the start of the owner's turn"})
    keep_three: bool = flag(False, "TURN-6", "one three may be kept",
        "While the side has not opened, a player keeps one three in hand; it can be laid out at any time.")
    talon: tuple[int, ...] = numbers((), "TURN-7", _MOST_DEALT, "talon",
        "Cards that the player who opens for a side gets from the stock after the discard: for the first "
        "side to open, for the second, and so on.", zero="no talon")
    talon_floor: int = number(9, "TURN-7 DEAL-9", 0, 100, "stock for a talon",
        "With fewer cards than this in the stock nobody gets a talon.", zero="any")
    keep_last_card: bool = flag(False, "DISC-5", "the last card may be kept",
        "With one card left and too few canastas a player skips the discard and keeps the card.")
    undo: bool = flag(False, "MELD-9", "melds may be taken back before the discard",
        "A meld of this turn may be taken back as long as nothing hidden was seen through it.")


@dataclass(frozen=True)
class PileRules(PlainData):
    take: str = choice("meld_top", "PILE-16", "taking the pile",
        "What a player does to take the pile.",
        {"meld_top": "its top card is melded with cards of the same rank or joins a meld",
         "free": "nothing, anyone may take it", "use_top": "its top card goes into a meld at once"})
    no_return: bool = flag(False, "DISC-9", "a single card taken is not thrown back",
        "The only card of a pile that was taken is not discarded in that turn, unless the player held an "
        "equal one.")
    first_meld_needs_pair: bool = flag(True, "PILE-2", "a natural pair for the first meld",
        "Before the side's first meld the pile is taken only with two naturals of the top card's rank.")
    natural_and_wild: bool = flag(True, "PILE-4", "a natural and a wild take the pile",
        "A pile that is not frozen may be taken with one natural card and one wild card from the hand.")
    add_to_meld: bool = flag(True, "PILE-5", "the top card may join a meld",
        "A pile that is not frozen may be taken by adding its top card to a meld short of a canasta.")
    add_to_canasta: bool = flag(True, "PILE-6", "the top card may join a canasta",
        "A pile that is not frozen may be taken by adding its top card to a finished canasta.")
    add_to_run: bool = flag(False, "PILE-7", "the top card may join a sequence",
        "A pile that is not frozen may be taken by adding its top card to a sequence short of a samba.",
        needs="melds.runs")
    always_frozen: bool = flag(False, "PILE-9", "the pile is always frozen",
        "The pile is taken only with two naturals from the hand or, where it may be taken by adding to a "
        "meld, onto one short of a canasta.",
        option="always_frozen")
    opening_pair: str = choice("any", "OPEN-8", "the pair that takes the pile for a first meld",
        "Whether the two cards that take the pile may be part of the first meld.",
        {"any": "may be part of the first meld", "apart": "lies beside a first meld that does without it"})
    one_card_hand: str = choice("free", "PILE-11", "taking the pile with one card in hand",
        "What holds for a player with a single card in hand.",
        {"free": "allowed like any other take", "must_go_out": "only if the player can then go out",
         "not_single": "not if the pile is a single card",
         "not_single_while_stock": "not if the pile is a single card, until the stock is out"})
    bars_first_player: bool = flag(False, "PILE-13",
        "a pile frozen at the deal is barred for the first player",
        "The first player of a hand cannot take a pile that the deal froze.")
    put_back: bool = flag(False, "PILE-12", "the pile may be put back",
        "A player who has just taken the pile may restore it and pay a penalty.", option="put_back")
    look_through: bool = flag(True, "DISC-2", "the pile may be looked through",
        "Anyone may look at every card of the pile; otherwise it is squared off and shows its top card and "
        "the cards that freeze it.")


@dataclass(frozen=True)
class MeldRules(PlainData):
    canasta_size: int = number(7, "MELD-1", 4, 11, "cards of a canasta",
        "How many cards make a canasta.")
    largest_set: int = number(0, "MELD-1", 0, _MOST_IN_A_SET, "largest set",
        "The set is closed at this many cards.", zero="no limit")
    least_naturals: int = number(2, "MELD-2", 2, 3, "fewest naturals in a set",
        "How many natural cards a set holds at the least.")
    wilds_to_naturals: str = choice("fewer", "MELD-2", "wild cards against naturals",
        "How the number of wild cards in a set compares with its natural cards.",
        {"fewer": "fewer wilds than naturals", "equal": "no more wilds than naturals",
         "free": "not compared"},
        switch=Switch("equal_wilds", "as many wild cards as naturals",
            "A set may hold as many wild cards as naturals; otherwise it needs more naturals.",
            yes="equal", no="fewer"))
    most_wilds: int = number(3, "MELD-3", 0, _MOST_IN_A_SET, "most wild cards in a set",
        "The largest number of wild cards in one set, canastas included.", zero="no limit")
    wilds_by_size: tuple[int, ...] = numbers((), "MELD-2", _MOST_IN_A_SET, "wild cards by size of the set",
        "Wild cards allowed in a set of three, of four, and so on; the last number is for larger sets.",
        zero="no such steps")
    wilds_on_canasta: bool = flag(True, "MELD-4", "wild cards may join a finished canasta",
        "A wild card may be added to a canasta; a natural one becomes mixed by it.")
    sets_per_rank: str = choice("one", "MELD-5", "sets of one rank",
        "How many sets of the same rank a side may have.",
        {"one": "one", "one_open": "one open set at a time", "any": "any number"})
    runs: bool = flag(False, "MELD-6", "sequences",
        "Three to seven cards in sequence, four low and ace high, are a meld too; seven are a samba.")
    same_suit_runs: bool = flag(False, "MELD-6", "sequences of one suit",
        "The cards of a sequence must be of the same suit.", option="same_suit_runs", needs="melds.runs")
    run_most: int = number(0, "MELD-14", 0, 14, "most natural cards in a sequence",
        "Sequences grow beyond a canasta up to so many natural cards; with 14 an ace may lie at either end.",
        zero="a sequence is closed as a canasta")
    run_wilds: int = number(0, "MELD-14", 0, 1, "wild cards in a sequence",
        "How many wild cards a sequence may hold beside its natural cards.", zero="none")
    run_ace: str = choice("high", "MELD-14", "the ace in a sequence",
        "Where an ace may lie in a sequence.",
        {"high": "after the king", "both": "after the king or before the two"})
    wild_moves: str = choice("ends", "MELD-15", "moving the wild card of a sequence",
        "Which wild card of a sequence may move when a card is added; one whose own card comes always may.",
        {"locked": "none, it stays where it was laid", "ends": "one that lies at an end",
         "free": "any, where the cards still make a sequence"}, option="wild_moves", needs="melds.run_wilds")
    set_ranks: str = choice("all", "MELD-16", "sets",
        "Which ranks may be laid as sets.",
        {"all": "all ranks", "aces_threes": "aces and threes", "none": "none, only sequences are laid"})
    wild_melds: bool = flag(False, "MELD-7", "melds of wild cards alone",
        "Three or more wild cards are a meld too; as many as make a canasta are a wild canasta.",
        option="wild_melds")
    wild_canasta_closed: bool = flag(True, "MELD-7", "a wild canasta is closed",
        "No further wild card joins a finished wild canasta.")
    naturals_before_wild: int = number(0, "MELD-11", 0, 8, "naturals before a wild card",
        "Except in a first meld, a wild card joins only a set with so many naturals.", zero="no such number")
    dead_ranks: bool = flag(False, "MELD-12 PILE-14", "a canasta closes its rank for all",
        "Once a side has a canasta of a rank, nobody melds that rank or takes a pile with it on top.")
    wild_lock: bool = flag(False, "MELD-13", "an unfinished meld of wild cards binds them",
        "While its meld of wild cards is no canasta, a side lays no wild card anywhere else.")


@dataclass(frozen=True)
class SevenRules(PlainData):
    wilds: str = choice("free", "MELD-10", "wild cards with sevens",
        "Whether a set of sevens may hold wild cards.",
        {"free": "as in any set", "opening": "only if one lay with them in the first meld", "never": "never"})
    bonus: int = number(0, "SCOR-18", 0, _MOST_POINTS, "canasta of natural sevens",
        "Bonus for a canasta of sevens without wild cards.", zero="as any natural canasta")
    unfinished: int = number(0, "SCOR-16 OUT-8", 0, _MOST_POINTS, "unfinished sevens",
        "Points that a set of sevens without wild cards costs that is no canasta at the end.", zero="nothing")
    in_hand: int = number(0, "SCOR-17", 0, _MOST_POINTS, "three sevens in one hand",
        "Points that three or more sevens left in one hand cost on top.", zero="nothing")


@dataclass(frozen=True)
class AceRules(PlainData):
    wilds: str = choice("free", "MELD-10", "wild cards with aces",
        "Whether a set of aces may hold wild cards.",
        {"free": "as in any set", "opening": "only if one lay with them in the first meld", "never": "never"})
    bonus: int = number(0, "SCOR-18", 0, _MOST_POINTS, "canasta of natural aces",
        "Bonus for a canasta of aces without wild cards.", zero="as any natural canasta")
    unfinished: int = number(0, "SCOR-16 OUT-8", 0, _MOST_POINTS, "unfinished aces",
        "Points that a set of aces without wild cards costs that is no canasta at the end.", zero="nothing")
    in_hand: int = number(0, "SCOR-17", 0, _MOST_POINTS, "three aces in one hand",
        "Points that three or more aces left in one hand cost on top.", zero="nothing")


@dataclass(frozen=True)
class OpeningRules(PlainData):
    below_zero: int = number(0, "OPEN-1", 0, _MOST_MINIMUM, "first meld below zero",
        "Points the first meld needs while the side's score is negative.", zero="any legal meld")
    scores: tuple[int, ...] = numbers((0, 1500, 3000), "OPEN-1", _MOST_SCORE,
        "scores of the first-meld steps",
        "The score at which each step of the first-meld minimum begins; the first step begins at 0.",
        zero="none, it goes by rounds")
    minimums: tuple[int, ...] = numbers((50, 90, 120), "OPEN-1", _MOST_MINIMUM, "first-meld minimums",
        "Points the first meld needs on each step, by score or by round.", zero="none")
    above_score: bool = flag(False, "OPEN-1", "a step begins above its score",
        "A side exactly on the score of a step still needs the step before.")
    by_round: bool = flag(False, "OPEN-1", "minimum by round",
        "The first-meld minimum rises with each round, whatever the score.")
    top_card_counts: bool = flag(True, "OPEN-3", "the top card counts for the first meld",
        "The top card counts when the pile is taken for the first meld; otherwise the minimum rises by its "
        "value.", option="top_card_counts")
    canasta_suffices: bool = flag(False, "OPEN-4", "a canasta opens without a minimum",
        "A first meld with a complete canasta in it needs no minimum.")
    concealed_suffices: bool = flag(False, "OPEN-5", "going out concealed needs no minimum",
        "A first meld by which the player goes out needs no minimum.")
    canasta_bonus_counts: bool = flag(False, "OPEN-6", "canasta bonuses count for the first meld",
        "The bonus of a canasta in the first meld counts towards the minimum.",
        option="canasta_bonus_counts")
    pure_meld: str = choice("no", "OPEN-7", "a pure meld in the first meld",
        "Whether one of the melds of a first meld must be without wild cards.",
        {"no": "not needed", "natural": "three naturals of one rank",
         "any": "three naturals, or three wild cards"})
    from_hand: bool = flag(False, "OPEN-8", "the first meld comes from the hand alone",
        "The top card of the pile neither counts for the first meld nor completes its pure meld.")
    mixed_canasta: bool = flag(True, "OPEN-9", "a mixed canasta in the first meld",
        "A mixed canasta may be completed in the first meld.")
    splash: bool = flag(False, "OPEN-4", "a pure canasta opens without a minimum",
        "A canasta of naturals or of wild cards from the hand needs no minimum.")


@dataclass(frozen=True)
class DiscardRules(PlainData):
    wilds: str = choice("free", "DISC-6", "discarding wild cards",
        "Whether a wild card may be discarded.",
        {"free": "allowed", "only_wilds": "only as the last card, or from a hand of nothing but wild cards"})
    empty_pile_bars: bool = flag(False, "DISC-7", "nothing safe onto an empty pile",
        "No seven, ace, wild card or card of a closed rank is discarded onto an empty pile.")
    last_face_down: bool = flag(False, "DISC-8", "the last discard lies face down",
        "The card discarded in going out lies face down.")


@dataclass(frozen=True)
class GoingOutRules(PlainData):
    canastas: int = number(1, "OUT-1", 0, 20, "canastas to go out",
        "How many canastas of any kind the side needs before a player may go out.",
        zero="no number of any kind", option="canastas_to_go_out", clears=("natural", "mixed", "wild"),
        zero_clears=True)
    natural: int = number(0, "OUT-1", 0, 20, "natural canastas to go out",
        "How many natural canastas the side needs.", zero="none needed")
    mixed: int = number(0, "OUT-1", 0, 20, "mixed canastas to go out",
        "How many mixed canastas the side needs.", zero="none needed")
    wild: int = number(0, "OUT-1", 0, 5, "wild canastas to go out",
        "How many wild canastas the side needs.", zero="none needed")
    sequence: int = number(0, "OUT-1", 0, 20, "sambas to go out",
        "How many sambas (sequences of seven) the side needs.", zero="none needed")
    by: str = choice("any", "OUT-2 OUT-7", "how to go out",
        "Whether a player may go out by melding every card, or only by a last discard.",
        {"any": "by melding all cards, or with a last discard", "discard": "only with a last discard"})
    last_discard: str = choice("any", "DISC-8", "the last discard",
        "Which card may be the discard by which a player goes out.",
        {"any": "any card", "natural": "a natural card"})
    unfinished_bars: bool = flag(False, "OUT-8", "unfinished special sets bar going out",
        "Nobody goes out while the side has an unfinished set of pure aces, of sevens or of wild cards.")
    special_hands: str = choice("none", "OUT-10 SCOR-19 GAME-3", "special hands",
        "Whole hands that can be laid down after the draw, and end the hand.",
        {"none": "none", "league": "the eleven of the Canasta League of America",
         "pagat": "straight, pairs, wild pairs and garbage, as Pagat has them"})
    ask_limit: int = number(0, "OUT-3", 0, 20, "questions in a hand",
        "How often the players of a side may ask in one hand.", zero="no limit")
    ask: str = choice("may", "OUT-3", "asking the partner",
        "Whether a player asks a partner before going out; the answer binds.",
        {"may": "allowed", "must": "required", "no": "not part of the game"})


@dataclass(frozen=True)
class StockEndRules(PlainData):
    after_last_card: str = choice("play_on", "END-1 END-4 END-6 END-7", "after the last card of the stock",
        "How the hand goes on when nothing is left to draw.",
        {"play_on": "play goes on as long as the pile is taken",
         "one_taker": "one more player may take the pile", "top_card": "a fitting top card is taken alone",
         "ends": "the discard of the player who drew it ends the hand"})
    floor: int = number(0, "END-9", 0, 20, "cards of the stock that are never drawn",
        "The last cards of the stock stay where they are: with them alone it is out.", zero="none")
    pot_becomes_stock: bool = flag(False, "END-9", "a pot becomes the stock",
        "When the stock is out, a pot that nobody has taken takes its place.")
    most_turns: int = number(0, "END-9", 0, 1000, "turns without a draw",
        "The hand ends when so many turns in a row have taken the pile.", zero="no limit")
    forced: bool = flag(True, "END-2 END-6", "a fitting up card must be taken",
        "With the stock gone, an up card that fits a meld of the side must be taken from a pile that is "
        "not frozen; where it is taken alone, it always must.")
    taker_bonus: bool = flag(False, "END-4", "a last taker scores for going out",
        "With the stock gone, a player who takes the pile, and so may play on, scores the bonuses for going "
        "out by playing the last card, where that turn ends the hand in any case.")
    last_red_three: str = choice("ends", "END-3 END-5 END-10", "a red three as the last card",
        "What happens when the last card of the stock is a red three.",
        {"ends": "the hand ends at once", "melds": "the player may meld, then the hand ends",
         "goes_on": "the turn goes on", "in_hand": "it stays in the hand, and the hand ends at once"})


@dataclass(frozen=True)
class CalienteRules(PlainData):
    hand_size: int = number(11, "CALI-2", 1, _MOST_DEALT, "hand after a Caliente card",
        "A player who plays a Caliente card draws up to this many cards.")
    played_penalty: int = number(100, "CALI-4", 0, 10_000, "cost of a played Caliente card",
        "Points that each Caliente card played costs its side.")
    held_one: int = number(2, "CALI-5", 1, 10, "one Caliente card held",
        "The cards left in a hand with one Caliente card count this many times.")
    held_more: int = number(3, "CALI-5", 1, 10, "more Caliente cards held",
        "The cards left in a hand with two or more Caliente cards count this many times.")


@dataclass(frozen=True)
class ScoringRules(PlainData):
    natural_canasta: int = number(500, "SCOR-2", 0, _MOST_POINTS, "natural canasta",
        "Bonus for a canasta without wild cards.")
    mixed_canasta: int = number(300, "SCOR-3", 0, _MOST_POINTS, "mixed canasta",
        "Bonus for a canasta with wild cards.")
    samba: int = number(0, "SCOR-4", 0, _MOST_POINTS, "samba",
        "Bonus for a sequence of seven.", zero="none")
    wild_canasta: int = number(0, "SCOR-5", 0, _MOST_POINTS, "wild canasta",
        "Bonus for a canasta of wild cards alone.", zero="none")
    going_out: int = number(100, "SCOR-6", 0, _MOST_POINTS, "going out",
        "Bonus for going out.", zero="none")
    concealed: int = number(100, "SCOR-7", 0, _MOST_POINTS, "going out concealed",
        "Bonus on top for going out concealed.", zero="none")
    concealed_by: str = choice("player", "SCOR-11", "concealed means",
        "Whose earlier melds spoil a concealed hand.",
        {"player": "the player has melded nothing before, and melds a canasta in that turn",
         "table": "the side has nothing but red threes on the table before"})
    red_three: int = number(100, "SCOR-8", 0, _MOST_POINTS, "each red three",
        "Points of a red three laid out.")
    red_three_extra_from: int = number(4, "SCOR-8", 0, 12, "red threes for the extra",
        "With so many red threes the side scores the extra.", zero="no extra")
    red_three_extra: int = number(400, "SCOR-8", 0, _MOST_POINTS, "extra for many red threes",
        "Points on top of the single ones.", zero="none")
    red_threes_minus: str = choice("no_first_meld", "SCOR-9", "red threes count minus",
        "When the red threes of a side, with their extra, count against it.",
        {"no_first_meld": "the side made no first meld", "few_canastas": "the side has too few canastas",
         "other_went_out": "the side has no meld when another side goes out",
         "all_need_canastas": "with the extra: too few canastas; else: no meld when another goes out"})
    red_threes_minus_canastas: int = number(0, "SCOR-9", 0, 20, "canastas that save the red threes",
        "With fewer canastas than this the red threes count minus, where canastas decide it.",
        zero="canastas do not decide")
    black_three_in_hand: int = number(5, "SCOR-10", 0, _MOST_POINTS, "black three left in hand",
        "Points that a black three left in hand costs.")
    forgotten_red_three: int = number(100, "TURN-4", 0, _MOST_POINTS, "red three left in hand",
        "Points that a red three left in hand costs, where they are laid by hand.")
    put_back_penalty: int = number(50, "PILE-12", 0, _MOST_POINTS, "cost of putting the pile back",
        "Points that restoring the pile costs, where it is allowed.")
    grades: bool = flag(False, "SCOR-20", "clean and dirty canastas",
        "The score sheet tells clean canastas, semi-clean and dirty ones apart.")
    semi_clean: int = number(0, "SCOR-20", 0, _MOST_POINTS, "semi-clean canasta",
        "Bonus for a canasta whose wild card lies beside a whole canasta of natural cards.",
        zero="as a dirty one")
    semi_clean_nine: bool = flag(False, "SCOR-20", "a set of nine is semi-clean",
        "Eight natural cards of a rank and a wild card are semi-clean, not dirty.")
    semi_clean_inside: bool = flag(False, "SCOR-20", "semi-clean with the wild card inside",
        "A sequence is semi-clean as well when its wild card lies inside, beside a whole canasta of natural "
        "cards.")
    run_13: int = number(0, "SCOR-20", 0, _MOST_POINTS, "clean sequence of thirteen",
        "Bonus for a clean sequence of thirteen cards.", zero="as any clean one")
    run_14: int = number(0, "SCOR-20", 0, _MOST_POINTS, "clean sequence of fourteen",
        "Bonus for a clean sequence from ace to ace.", zero="as any clean one")
    pot_not_taken: int = number(0, "SCOR-21", 0, _MOST_POINTS, "pot not taken",
        "Points that it costs a side to have taken no pot.", zero="nothing")
    pot_not_taken_if: str = choice("other_took", "SCOR-21", "a pot not taken costs",
        "When it does.",
        {"other_took": "if another side took one", "always": "always",
         "unplayed": "always, and when nothing was played from the pot"})
    canasta_for_positive_score: bool = flag(False, "SCOR-12", "canastas needed for a positive score",
        "A side short of the canastas for going out scores minus its cards in hand and on the table.",
        option="canasta_for_positive_score")
    three_scale: tuple[int, ...] = numbers((), "SCOR-8 SCOR-14", _MOST_POINTS, "threes of one colour",
        "What one, two, three, four threes of a colour are worth together.", zero="each red three for itself")
    threes_minus_below: int = number(0, "SCOR-14", 0, 20, "canastas below which threes count minus",
        "With fewer canastas than this the threes of a side count against it, where they go by colour.",
        zero="never")
    threes_plus_from: int = number(0, "SCOR-14", 0, 20, "canastas from which threes count",
        "With so many canastas the threes of a side count for it, where they go by colour; below, nothing.",
        zero="always")
    melds_minus_below: int = number(0, "SCOR-15", 0, 20, "canastas below which melds count minus",
        "With fewer canastas than this the melded cards of a side count against it.", zero="never")
    unfinished_wilds: int = number(0, "SCOR-16 OUT-8", 0, _MOST_POINTS, "unfinished wild cards",
        "Points that a meld of wild cards costs that is no canasta at the end.", zero="nothing")
    wild_twos: int = number(0, "SCOR-18", 0, _MOST_POINTS, "wild canasta of twos",
        "Bonus for a wild canasta of twos alone.", zero="as any wild canasta")
    wild_jokers: int = number(0, "SCOR-18", 0, _MOST_POINTS, "wild canasta with all jokers",
        "Bonus for a wild canasta with four jokers or more.", zero="as any wild canasta")


@dataclass(frozen=True)
class MatchRules(PlainData):
    target: int = number(5000, "GAME-1", 0, _MOST_SCORE, "score that ends the game",
        "The game ends with the hand in which a side reaches this score.",
        zero="none, it goes by rounds", option="target", clears=("rounds",))
    rounds: int = number(0, "GAME-1 GAME-2", 0, 100, "rounds of the game",
        "The game ends after so many hands; equal totals are then a draw.", zero="none, it goes by score")
    victory_points: tuple[int, ...] = numbers((), "GAME-4", _MOST_SCORE, "victory points",
        "Twenty victory points are shared by the difference of the totals: ten each up to the first number, "
        "one more for the leader with each number passed.", zero="none, the totals count",
        option="victory_points", needs="melds.run_most")


@dataclass(frozen=True)
class Ruleset(PlainData):
    """One set of rules for one number of players.

    The values are in sections, as in `rules.deal.hand_size`. Rulesets with equal values are equal.
    """

    name: str = text("preset", "The short name of the rule system.")
    title: str = text("title", "The name of the rule system on a rule sheet.")
    version: int = number(1, "", 1, 1_000_000, "version",
        "Rises whenever a value of the preset changes, for old records.", fixed=True)
    deck: DeckRules = section(DeckRules())
    seats: SeatRules = section(SeatRules())
    deal: DealRules = section(DealRules())
    turn: TurnRules = section(TurnRules())
    pile: PileRules = section(PileRules())
    melds: MeldRules = section(MeldRules())
    sevens: SevenRules = section(SevenRules())
    aces: AceRules = section(AceRules())
    opening: OpeningRules = section(OpeningRules())
    discards: DiscardRules = section(DiscardRules())
    going_out: GoingOutRules = section(GoingOutRules())
    stock_end: StockEndRules = section(StockEndRules())
    caliente: CalienteRules = section(CalienteRules())
    scoring: ScoringRules = section(ScoringRules())
    match: MatchRules = section(MatchRules())

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}: {self.title}, {self.seats.players} players, {self.deck.decks} decks>"


# fmt: on
# -- the registry of all fields ------------------------------------------------------------------------------

SECTIONS: Final[dict[str, Any]] = {
    part.name: type(part.default) for part in fields(Ruleset) if "section" in part.metadata
}
"""The class of each section, in model order."""


def _read() -> dict[str, Field]:
    found: dict[str, Field] = {}
    for part in fields(Ruleset):
        if part.name not in SECTIONS:
            found[part.name] = part.metadata["field"]._replace(path=part.name)
            continue
        for leaf in fields(SECTIONS[part.name]):
            path = f"{part.name}.{leaf.name}"
            found[path] = leaf.metadata["field"]._replace(path=path)
    return found


FIELDS: Final[dict[str, Field]] = _read()
"""All fields by path, in model order."""


def usual_values() -> dict[str, Value]:
    """Return the default value of every field."""
    return {path: field.default for path, field in FIELDS.items()}
