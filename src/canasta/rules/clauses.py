"""The clauses of the rulebook: one id and one short text for each rule that a refusal or a test can name."""

from typing import Final, NamedTuple

from canasta.rules.fields import FIELDS, Field
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset


class Clause(NamedTuple):
    """One rule. What differs between presets is in the fields that serve it, not in the text."""

    id: str
    title: str
    text: str

    @property
    def group(self) -> str:
        return self.id.partition("-")[0]


GROUP_TITLES: Final[dict[str, str]] = {
    "DECK": "The cards",
    "SEAT": "Seats, teams, dealer",
    "DEAL": "The deal",
    "TURN": "Drawing",
    "PILE": "Taking the pile",
    "MELD": "Melds",
    "OPEN": "The first meld of a side",
    "DISC": "Discarding",
    "OUT": "Going out",
    "END": "The stock runs out",
    "CALI": "Caliente cards",
    "SCOR": "Scoring a hand",
    "GAME": "The game",
}

# fmt: off
_ALL: Final[tuple[Clause, ...]] = (
    Clause("DECK-1", "number of decks",
           "Several decks of 52 cards with two jokers each are shuffled into one."),
    Clause("DECK-2", "card values",
           "Each card has a value in points, for first meld and score: jokers most, then twos and aces, "
           "then kings to eights, then the low cards and black threes."),
    Clause("DECK-3", "special cards",
           "Twos are little and jokers big wild cards. Red threes bring a bonus, black threes stop the "
           "next player; neither is melded like other cards."),
    Clause("DECK-4", "Caliente cards in the deck", "A table may shuffle in one Caliente card for each deck."),
    Clause("SEAT-1", "two to four players",
           "Two or three play for themselves; four form two partnerships, partners facing each other."),
    Clause("SEAT-2", "five players",
           "Two play against three, and one of the three sits out each hand, in turn, seat 4 first: every "
           "hand has four players with the sides alternating."),
    Clause("SEAT-3", "six players, one of each team sits out",
           "Two teams of three, of which one player each sits out every hand, in turn."),
    Clause("SEAT-4", "six players, all playing",
           "Nobody sits out: two sides of three or three sides of two, everyone between two opponents."),
    Clause("SEAT-5", "dealer at random",
           "Chance picks the first dealer; afterwards the deal moves one seat to the left. The seat left "
           "of the dealer begins."),
    Clause("SEAT-6", "cutting for partners and deal",
           "Everyone cuts, aces high; a joker is cut again. High cutters form a team: two of four, three "
           "of five or six. The seat to the right of the highest cutter deals."),
    Clause("SEAT-7", "two players alternate", "The two players take turns in playing first."),
    Clause("SEAT-8", "sitting out",
           "Whoever sits out sees the table as a spectator does, and nobody's hidden cards."),
    Clause("DEAL-1", "cards dealt to two", "How many cards each of two players gets."),
    Clause("DEAL-2", "cards dealt to three", "How many cards each of three players gets."),
    Clause("DEAL-3", "cards dealt to four or more", "How many cards each of four, five or six players gets."),
    Clause("DEAL-4", "red threes in the deal",
           "Red threes among the cards dealt are laid out and replaced until no hand holds one."),
    Clause("DEAL-5", "the first up card",
           "A wild card or a red three turned up first stays there and freezes the pile; cards are turned "
           "onto it until a natural one lies on top."),
    Clause("DEAL-6", "covering and reshuffling the first up card",
           "A black three turned up first is covered too, without freezing. A second wild card or second "
           "red three sends the turned cards back into the shuffled stock, and the turning begins anew."),
    Clause("TURN-1", "the course of a turn",
           "First draw or take the pile, then meld if you wish, then discard one card."),
    Clause("TURN-2", "cards drawn", "How many cards a draw from the stock brings."),
    Clause("TURN-3", "a red three drawn",
           "A red three that is drawn is laid out and replaced straight away."),
    Clause("TURN-4", "red threes laid by hand",
           "Where players lay out red threes themselves, one overlooked can be laid and replaced in a "
           "later turn of its owner; one still in hand at the end costs points."),
    Clause("TURN-5", "a red three in the pile",
           "A red three that comes along with the pile is laid out and brings no replacement."),
    Clause("PILE-1", "taking needs a meld",
           "Only a player who melds the top card at once may take the pile, and then takes all of it."),
    Clause("PILE-2", "taking before the first meld",
           "A side that has not melded takes the pile only if cards from the hand and the top card make "
           "its first meld, as a rule with two naturals of the top card's rank."),
    Clause("PILE-3", "taking with two naturals",
           "Two natural cards of the top card's rank from the hand take the pile."),
    Clause("PILE-4", "taking with a natural and a wild",
           "Whether one natural card and one wild card from the hand take a pile that is not frozen."),
    Clause("PILE-5", "taking onto a meld",
           "Whether the top card of a pile that is not frozen may be added to a meld of its rank that is "
           "still short of a canasta."),
    Clause("PILE-6", "taking onto a canasta",
           "Whether the top card of a pile that is not frozen may be added to a finished canasta."),
    Clause("PILE-7", "taking onto a sequence",
           "Whether the top card of a pile that is not frozen may be added to an unfinished sequence."),
    Clause("PILE-8", "a frozen pile",
           "A pile with a wild card or a red three in it is frozen: only two naturals from the hand take "
           "it."),
    Clause("PILE-9", "an always frozen pile",
           "Where the pile is always frozen, two naturals from the hand take it, or a meld of at most six "
           "cards that the top card joins."),
    Clause("PILE-10", "top cards that cannot be taken",
           "A pile topped by a wild card, a three or a Caliente card cannot be taken; a black three thus "
           "holds up the next player only."),
    Clause("PILE-11", "taking with one card in hand",
           "What a player whose hand is down to one card may do about the pile."),
    Clause("PILE-13", "a pile frozen at the deal",
           "Whether a pile that the deal froze is closed to the first player of the hand."),
    Clause("PILE-12", "putting the pile back",
           "Where the table allows it, a player who cannot use the top card after all restores the pile "
           "and pays a penalty."),
    Clause("MELD-1", "sets",
           "At least three cards of one rank from four to ace make a set; threes never do. Seven are a "
           "canasta."),
    Clause("MELD-2", "wild cards in a set", "How wild cards and naturals mix in one set."),
    Clause("MELD-3", "most wild cards in a set", "How many wild cards a set can hold at all."),
    Clause("MELD-4", "wild cards on a canasta",
           "Whether a wild card may still join a finished canasta; a natural canasta becomes mixed by it."),
    Clause("MELD-5", "sets of one rank", "How many sets of the same rank a side may keep."),
    Clause("MELD-6", "sequences",
           "Whether three to seven naturals in a row, four low and ace high, are a meld; the seventh "
           "closes it and makes a samba."),
    Clause("MELD-7", "melds of wild cards", "Whether three to seven wild cards make a meld of their own."),
    Clause("MELD-8", "black threes",
           "Black threes are melded only as the last meld of a player going out: three or more, without "
           "wilds."),
    Clause("MELD-9", "melds stay",
           "Both partners add to the melds of their own side only, and a melded card stays where it is."),
    Clause("OPEN-1", "first-meld minimum",
           "The first meld of a side in a hand needs a number of points that grows with its score or the "
           "round."),
    Clause("OPEN-2", "what counts for the first meld",
           "All melds of the turn count together, by card values; red threes count nothing here."),
    Clause("OPEN-3", "the top card in the first meld",
           "Whether the top card counts for a first meld that takes the pile. The cards below it never do."),
    Clause("OPEN-4", "a canasta as first meld",
           "Whether a complete canasta opens without a minimum; the top card may be its last card."),
    Clause("OPEN-5", "opening by going out concealed",
           "Whether a player who goes out concealed is free of the minimum."),
    Clause("OPEN-6", "canasta bonuses in the first meld",
           "Whether the bonus of a canasta counts towards the minimum."),
    Clause("DISC-1", "the discard", "One discarded card ends the turn. A red three is never discarded."),
    Clause("DISC-2", "discarding a wild card",
           "A wild card freezes the pile until somebody takes it, and lies crosswise to show it."),
    Clause("DISC-3", "discarding a stop",
           "A black three or a Caliente card on the pile stops the next player, and only that one, from "
           "taking."),
    Clause("DISC-4", "a card to keep",
           "Without the canastas for going out a player must have a card left after discarding; a move "
           "that would make this impossible is refused."),
    Clause("DISC-5", "keeping the last card",
           "Where the game has it, a player with one card and too few canastas skips the discard."),
    Clause("OUT-1", "canastas needed",
           "How many canastas, and of which kind, a side needs before one of its players goes out."),
    Clause("OUT-2", "how to go out", "Going out means melding all cards, or all but one that is discarded."),
    Clause("OUT-3", "asking the partner",
           "Before melding, a player asks a partner for leave to go out. The answer binds."),
    Clause("OUT-4", "picking up the foot",
           "A player who melds the whole hand picks up the foot and plays on in that turn; after a last "
           "discard the foot is played from the next turn."),
    Clause("OUT-5", "both feet in play",
           "When one partner plays out the foot, the other must have picked up and played from theirs."),
    Clause("OUT-6", "the end of the hand", "The hand is over the moment somebody goes out."),
    Clause("END-1", "playing on without a stock",
           "When the stock is gone, the hand lasts as long as one player after the other takes the pile; "
           "the first to pass ends it, and nobody scores for going out."),
    Clause("END-2", "forced to take",
           "With the stock gone, a player must take a pile that is not frozen if the up card fits a meld "
           "of the side."),
    Clause("END-3", "a red three drawn last ends the hand",
           "If the last card of the stock is a red three, it is laid out and the hand ends on the spot."),
    Clause("END-4", "one last taker",
           "With the stock gone, a player who does not take the pile ends the hand; one who does ends it "
           "by discarding."),
    Clause("END-5", "melding after a last red three",
           "If the last card of the stock is a red three, its player may still meld, but not discard, and "
           "then closes the hand by passing."),
    Clause("END-6", "the top card alone",
           "With the stock gone and the pile not frozen, a top card that fits a meld must be taken: that "
           "one card and no other. A discard follows."),
    Clause("END-7", "taking or ending",
           "If the top card fits nothing, the pile may be taken in the usual way; otherwise the player "
           "ends the hand."),
    Clause("END-8", "one card left to draw", "A draw of several cards takes what the stock still has."),
    Clause("CALI-1", "playing a Caliente card",
           "A player whose side has no more sets on the table than any other may play a Caliente card "
           "instead of drawing or taking."),
    Clause("CALI-2", "filling the hand",
           "The player then draws until the hand has its full number again, as far as the stock reaches."),
    Clause("CALI-3", "the rest of that turn",
           "Melds and discard follow as always, but no second Caliente card in the same turn."),
    Clause("CALI-4", "the price of playing it",
           "Each Caliente card played costs its side points when the hand is scored."),
    Clause("CALI-5", "the price of holding it",
           "A Caliente card held at the end multiplies what the other cards of that hand cost. It has no "
           "value itself."),
    Clause("CALI-6", "discarding it", "On the pile a Caliente card stops the next player."),
    Clause("SCOR-1", "cards", "Melded cards count for their side, cards left in hands and feet against it."),
    Clause("SCOR-2", "natural canasta", "The bonus for a canasta of naturals alone."),
    Clause("SCOR-3", "mixed canasta", "The bonus for a canasta with wild cards in it."),
    Clause("SCOR-4", "samba", "The bonus for seven cards in sequence."),
    Clause("SCOR-5", "wild canasta", "The bonus for a canasta of wild cards alone."),
    Clause("SCOR-6", "going out", "The bonus for going out."),
    Clause("SCOR-7", "going out concealed", "The bonus on top for going out concealed."),
    Clause("SCOR-8", "red threes", "Each red three laid out scores; having many of them scores an extra."),
    Clause("SCOR-9", "red threes that count minus",
           "When a side has not done enough, its red threes with their extra turn against it."),
    Clause("SCOR-10", "black threes in hand", "What a black three left in hand costs."),
    Clause("SCOR-11", "what concealed means",
           "Concealed is going out in one turn with everything held back until then."),
    Clause("SCOR-12", "canastas for a positive score",
           "Where the table plays it, a side short of the canastas for going out scores only minus: its "
           "cards in hand and on the table."),
    Clause("SCOR-13", "the worked example",
           "Three sevens, two jacks with a joker, eight tens, six fives with a two, one red three and "
           "going out, less a five, an eight and a king in the partner's hand, come to 1190."),
    Clause("GAME-1", "the end of the game",
           "The game ends with the hand in which a side reaches the target, or after a number of rounds."),
    Clause("GAME-2", "the winner",
           "The highest total wins. Equal totals at the target are broken by another hand; after a fixed "
           "number of rounds they are a draw."),
)
# fmt: on

CLAUSES: Final[dict[str, Clause]] = {clause.id: clause for clause in _ALL}
"""All clauses by id, in the order of the rulebook."""


def clause(clause_id: str) -> Clause:
    """The clause of that id; a `KeyError` says that there is none."""
    return CLAUSES[clause_id]


def clauses_of_group(group: str) -> list[Clause]:
    """The clauses of one group, in order.

    >>> [clause.id for clause in clauses_of_group("GAME")]
    ['GAME-1', 'GAME-2']
    """
    return [clause for clause in CLAUSES.values() if clause.group == group]


def fields_of_clause(clause_id: str) -> list[Field]:
    """The fields that settle a clause; none where it is the same in every game."""
    return [field for field in FIELDS.values() if clause_id in field.clauses]


def clause_value(clause_id: str, rules: Ruleset) -> str:
    """What the clause comes to in this ruleset, from its fields; empty where it has none.

    >>> from canasta.rules.loader import load_ruleset
    >>> clause_value("SCOR-6", load_ruleset("bolivia"))
    'going out: 200'
    """
    values = values_of(rules)
    return "; ".join(
        f"{field.label}: {field.show(values[field.path])}" for field in fields_of_clause(clause_id)
    )
