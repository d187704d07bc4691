"""Readings: where the documents are silent or pull two ways, what we play and how a table changes it."""

from typing import Final, NamedTuple


class Reading(NamedTuple):
    """One decision about an unclear rule."""

    number: int
    clauses: tuple[str, ...]
    field: str | None
    """The field by which a table chooses another reading; None where there is none."""
    text: str


# fmt: off
READINGS: Final[tuple[Reading, ...]] = (
    Reading(1, ("MELD-2",), "melds.wilds_to_naturals",
            "In caliente a set needs more naturals than wild cards: of the two sentences in the booklet "
            "the stricter one comes with an example."),
    Reading(2, ("MELD-6",), "melds.same_suit_runs",
            "Sequences of caliente-samba may mix suits, because the booklet asks for no suit."),
    Reading(3, ("PILE-9",), "pile.always_frozen",
            "The always frozen pile of hand-and-foot is the variation that the same booklet describes "
            "under this name: a natural pair, or a meld of at most six cards, takes it."),
    Reading(4, ("DEAL-5", "DISC-3"), "deal.cover_black_three",
            "A Stop card or Caliente card turned up first in the Caliente games stays there and stops the "
            "first player."),
    Reading(5, ("MELD-5",), "melds.sets_per_rank",
            "In the Jaques games a side keeps one set of a rank in the classic game and any number in "
            "Samba and Bolivia."),
    Reading(6, ("DEAL-1", "DEAL-2", "DEAL-3"), "deal.hand_size",
            "Samba deals fifteen cards to any number of players: the Samba number replaces the numbers by "
            "players."),
    Reading(7, ("CALI-1",), None,
            "With an empty stock no Caliente card can be played."),
    Reading(8, ("OPEN-1",), "opening.below_zero",
            "Below zero any legal meld of three cards opens in caliente."),
    Reading(9, ("SCOR-8",), "scoring.red_three_extra",
            "In hand-and-foot every Bonus card is 100, and all ten bring nothing extra."),
    Reading(10, ("SEAT-1", "SEAT-2", "SEAT-3", "SEAT-4", "OUT-3", "OUT-5"), None,
            "hand-and-foot for other numbers than four is seated like caliente. A player without partner "
            "asks nobody and needs only their own foot."),
    Reading(11, ("END-4",), "stock_end.forced",
            "In the Jaques games a player who could take the pile after the last card may leave it, and "
            "the hand ends."),
    Reading(12, ("SCOR-9",), "scoring.red_threes_minus",
            "In the Jaques games and in two-player, red threes count minus only if another side went out."),
    Reading(13, ("OUT-3",), "going_out.ask",
            "Wherever there is a partner, asking is allowed unless it is required. On a side of three the "
            "next teammate in turn answers."),
    Reading(14, ("GAME-1",), "match.rounds",
            "A game of hand-and-foot is four rounds, as many as have a minimum; the highest total wins."),
    Reading(15, ("CALI-2",), "caliente.hand_size",
            "In caliente a Caliente card fills the hand to eleven for any number of players, although a "
            "second booklet speaks of the number dealt."),
    Reading(16, ("MELD-5",), "melds.sets_per_rank",
            "Where a rank has only one set, a new meld of that rank joins the one on the table; it still "
            "takes three cards."),
    Reading(17, ("SEAT-3", "SEAT-4"), "seats.sit_out",
            "Six players sit out in turn unless extra_deck or sides is chosen. Only in caliente does the "
            "extra deck change numbers; elsewhere it means that all six play."),
    Reading(18, ("DEAL-5", "DEAL-6"), "deal.reshuffle_second",
            "Cards are turned until a natural card covers a wild card or red three. One wild card and one "
            "red three together are covered once more and not shuffled back."),
    Reading(19, ("PILE-3", "PILE-8"), None,
            "A natural pair takes the pile even if the set it joins is or becomes a canasta, and further "
            "cards may go along with the pair whether or not the pile is frozen."),
    Reading(20, ("PILE-9", "END-2"), "pile.always_frozen",
            "An always frozen pile is never forced on anyone when the stock is gone, and a wild card in it "
            "changes nothing more."),
    Reading(21, ("PILE-11",), "pile.one_card_hand",
            "In the Jaques games a player with one card cannot go out if the side, with the top card "
            "melded, would still lack the canastas."),
    Reading(22, ("PILE-12",), "pile.put_back",
            "The pile is put back right after it was taken, while the stock has cards. The melds of that "
            "take return, and the player does not take again in that turn."),
    Reading(23, ("TURN-4",), "turn.lay_bonus_by_hand",
            "Laying a red three by hand is refused when no replacement is left and the turn could then not "
            "end. One from the pile is laid at once all the same."),
    Reading(24, ("END-4", "OUT-6"), None,
            "In the Jaques games a taker who plays the last card after the stock is gone has gone out and "
            "scores for it."),
    Reading(25, ("END-7", "TURN-3"), "stock_end.last_red_three",
            "In two-player a red three as the last card of the stock is laid out and the turn goes on."),
    Reading(26, ("OPEN-5",), "opening.concealed_suffices",
            "A first meld below the minimum must be one move that leaves at most one card, with the "
            "canastas for going out on the table."),
    Reading(27, ("OUT-3",), None,
            "A player asks once in a turn, while drawing or playing, before the first meld of that turn; "
            "taking the pile is a meld."),
    Reading(28, ("OUT-5",), None,
            "Every teammate in play must have picked up the foot and melded or discarded from it."),
    Reading(29, ("CALI-1",), None,
            "A side ahead of any single opponent in sets cannot play a Caliente card, nor can a player who "
            "could then not end the turn."),
    Reading(30, ("CALI-5",), None,
            "A foot not picked up counts minus once, whatever the hand holds; Caliente cards and red "
            "threes in it count nothing."),
    Reading(31, ("SCOR-11",), "scoring.concealed_by",
            "For a concealed hand the canasta must be among the cards that this player melds in this turn."),
    Reading(32, ("SCOR-9",), "scoring.red_threes_minus",
            "In two-player four red threes without a meld are minus 800."),
    Reading(33, ("DISC-1",), None,
            "The two-player document speaks of discarding a red three. As they are laid out at once, it "
            "cannot happen."),
    Reading(34, ("MELD-9",), "turn.undo",
            "The booklets forbid taking a melded card back, because the partner has seen it; two-player "
            "alone has an undo. So it is on there and off elsewhere, and any table may switch it on. Cards "
            "that are only being put together are not melded, and nobody else is shown them."),
    Reading(35, ("OUT-3", "DISC-4"), "going_out.ask",
            "Where asking is free, a question is refused if the player could not end the turn after a no: "
            "one card in hand, as after a Caliente card or a laid Bonus card. Where asking is a must it is "
            "allowed, and after a no the single card is kept and the turn ends without a discard."),
    Reading(36, ("TURN-4", "END-5"), "stock_end.last_red_three",
            "In the Jaques games by hand: a red three is laid before drawing, and what replaces it is the "
            "last card and again a red three. That one is laid out, melds may follow, and nothing is "
            "discarded."),
    Reading(37, ("TURN-4", "OUT-4"), "turn.lay_bonus_by_hand",
            "In hand-and-foot by hand: laying the last card of the hand brings the foot, before drawing and "
            "with the stock gone as well."),
    Reading(38, ("MELD-7",), "melds.wild_canasta_closed",
            "In two-player a canasta is at least seven cards, so an eighth wild card joins a wild canasta. "
            "The other games close it."),
    Reading(39, ("MELD-8",), None,
            "Black threes may be laid in one move or in two, as long as the turn ends by going out and at "
            "least three lie in the end. Three or four means three or more where more decks are in play."),
    Reading(40, ("SCOR-12", "PILE-12"), "scoring.put_back_penalty",
            "The penalty for putting the pile back is deducted also where a side scores only minus for the "
            "lack of canastas."),
    Reading(41, ("OPEN-1",), None,
            "The Jaques booklet speaks of the first meld that a player makes. It is read per side, as in "
            "every other document."),
    Reading(42, ("DISC-2",), "pile.look_through",
            "In the Jaques games the pile is squared off: a table shows its top card, the cards lying "
            "crosswise that freeze it, and how many there are. The other documents are silent, and there the "
            "pile may be looked through. Remembering is allowed everywhere: everyone saw each card when it "
            "was discarded, so computer players and learning programs count on what they have seen."),
    Reading(43, ("SEAT-6",), "seats.first_dealer",
            "In the Jaques games the cut for teams and dealer happens at the table: it comes from the same "
            "fair cards, is shown, and decides seats and dealer."),
    Reading(44, ("PILE-12", "MELD-7"), "pile.put_back",
            "The two-player document describes putting the pile back and wild canastas as part of its game "
            "and offers the second as an option. Both are options here, and off unless a table chooses "
            "them."),
    Reading(45, ("SEAT-2",), None,
            "With five players the side of two keeps its seats and the three sit out in turn, seat 4 first. "
            "The documents give no order."),
    # from here on ours alone
    Reading(46, ("TURN-4",), "scoring.forgotten_red_three",
            "two-player has no price for a red three left in hand; where a table lays them by hand, it is "
            "100, the value that the document gives the card."),
    Reading(47, ("OPEN-1",), "opening.below_zero",
            "The comparison table of the complete booklet gives 15 for a negative score also in the "
            "standard game, its rules say any three cards. Three cards of the lowest value are worth 15, "
            "so both agree; caliente has 0."),
    Reading(48, ("OPEN-1",), "opening.by_round",
            "In hand-and-foot the round alone sets the minimum, also for a side below zero; rounds after "
            "the fourth, where a table plays them, keep its minimum."),
    Reading(49, ("MELD-2",), "melds.wilds_to_naturals",
            "In the Sambas two naturals may stand with two wild cards: their own rule takes the place of "
            "the comparison."),
    Reading(50, ("SCOR-7",), "scoring.concealed",
            "hand-and-foot lists its bonuses and none for going out concealed, so there is none."),
    Reading(51, ("SEAT-4",), "seats.sides",
            "The option sides alone seats all six with the decks, cards and canastas of the usual game; "
            "only extra_deck changes those."),
    Reading(52, ("CALI-2", "DECK-4"), "caliente.hand_size",
            "The extra-deck game has three Caliente cards, and they fill the hand to eleven although "
            "thirteen are dealt."),
    Reading(53, ("DECK-4", "CALI-2"), "caliente.hand_size",
            "The Jaques games and two-player have no Caliente cards. A table that adds them fills the hand "
            "to eleven in classic, fifteen in Samba, Bolivia and two-player."),
    Reading(54, ("MELD-7", "SCOR-5"), "scoring.wild_canasta",
            "A table that allows melds of wild cards where the game has none scores a wild canasta as the "
            "nearest game does: 1500 in the Caliente games, 2500 in the Jaques games."),
    Reading(55, ("MELD-6", "SCOR-4"), "scoring.samba",
            "A table that allows sequences where the game has none scores 1500 for a samba."),
    Reading(56, ("GAME-1",), "match.target",
            "The option target in hand-and-foot replaces the four rounds."),
    Reading(57, ("OUT-1",), "going_out.canastas",
            "The option canastas_to_go_out replaces the list of hand-and-foot by any canastas of that "
            "number; Bolivia keeps its sequence."),
    Reading(58, ("DEAL-1", "DEAL-2", "DEAL-3"), "deal.foot_size",
            "The option hand_size in hand-and-foot changes the hand only."),
    Reading(59, ("OUT-3",), "going_out.ask",
            "The documents set no condition for asking, so it is allowed at any time before the first meld "
            "of a turn. The tables offer it only where going out could be reached in that turn."),
)
# fmt: on


def readings_of_clause(clause_id: str) -> list[Reading]:
    """The readings that touch a clause.

    >>> [reading.number for reading in readings_of_clause("END-4")]
    [11, 24]
    """
    return [reading for reading in READINGS if clause_id in reading.clauses]


def readings_markdown() -> str:
    """The page `docs/readings.md`."""
    lines = [
        "# Readings",
        "",
        "Where the documents are silent or pull two ways, this is what we play. A table that reads a rule",
        "differently sets the field or option in the last column.",
        "",
        "<!-- Made by readings_markdown() in src/canasta/rules/readings.py; change the readings there. -->",
        "",
        "| no. | clauses | reading | set by |",
        "| --- | --- | --- | --- |",
    ]
    for reading in READINGS:
        field = f"`{reading.field}`" if reading.field else "fixed"
        lines.append(f"| {reading.number} | {', '.join(reading.clauses)} | {reading.text} | {field} |")
    return "\n".join(lines) + "\n"
