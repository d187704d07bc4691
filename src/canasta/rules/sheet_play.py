"""The sentences of a rule sheet about cards, seats, deal, turn, pile and melds."""

from canasta.rules.model import Ruleset
from canasta.rules.wording import Line, Names, a, counted, in_words, listed, sentence


def deck_lines(rules: Ruleset, names: Names) -> list[Line]:
    deck = rules.deck
    cards = deck.decks * 54
    joker, two = names.joker, names.two
    if deck.caliente_names:
        joker, two = f"{joker} (joker)", f"{two} (two)"
    lines = [
        Line(
            "DECK-1",
            sentence(
                f"{counted(deck.decks, 'deck')} of 52 cards with two jokers each"
                f"{' are shuffled together' if deck.decks > 1 else ''}: {cards} cards"
            ),
        ),
        Line(
            "DECK-2",
            sentence(
                f"{a(joker)} is worth {deck.joker_value}, {a(two)} {deck.two_value}, "
                f"an ace {deck.ace_value}, king to eight {deck.high_value}, seven to four {deck.low_value} "
                f"and {a(names.black_three)} {deck.black_three_value}"
            ),
        ),
        Line("DECK-3", _special_cards(deck.caliente_names)),
    ]
    if deck.caliente_cards:
        added = f"{counted(deck.decks, 'Caliente card')}, one for each deck, "
        verb = "is" if deck.decks == 1 else "are"
        lines.append(
            Line("DECK-4", sentence(f"{added}{verb} shuffled in: {cards + deck.decks} cards in all"))
        )
    return lines


def _special_cards(caliente_names: bool) -> str:
    if caliente_names:
        return "Twos are Little Wilds, jokers Big Wilds, red threes Bonus cards and black threes Stop cards."
    return "Twos and jokers are wild. Red threes bring a bonus, black threes stop the next player."


def seat_lines(rules: Ruleset) -> list[Line]:
    seats = rules.seats
    lines: list[Line] = []
    if seats.players < 4:
        lines.append(Line("SEAT-1", sentence(f"{counted(seats.players, 'player')}, each alone")))
    elif seats.players == 4:
        lines.append(Line("SEAT-1", "Two against two, partners facing each other."))
    elif seats.players == 5:
        lines.append(
            Line(
                "SEAT-2",
                "Three against two; one of the three sits out each hand, in turn, so that four play.",
            )
        )
    elif seats.sit_out:
        lines.append(
            Line(
                "SEAT-3",
                "Two teams of three; one of each team sits out each hand, in turn, so that four play.",
            )
        )
    else:
        teams = "two sides of three" if seats.sides == 2 else "three sides of two"
        lines.append(Line("SEAT-4", sentence(f"all six play as {teams}, everyone between two opponents")))
    if seats.first_dealer == "random":
        lines.append(
            Line(
                "SEAT-5",
                "Chance picks the first dealer; the deal passes left. The dealer's left plays first.",
            )
        )
    elif seats.first_dealer in ("cut", "cut_deal"):
        for_teams = seats.first_dealer == "cut" and seats.players >= 4
        found = "Cutting finds the teams and the dealer" if for_teams else "Cutting finds the dealer"
        lines.append(
            Line(
                "SEAT-6",
                f"{found}, aces high, jokers cut again: the player to the right of the highest cutter deals. "
                "The deal passes left. The dealer's left plays first.",
            )
        )
    else:
        lines.append(Line("SEAT-7", "The two take turns in playing first."))
    if seats.sit_out:
        advice = "" if seats.may_advise else " and may not advise the team"
        lines.append(Line("SEAT-8", f"Whoever sits out sees nobody's cards{advice}."))
    return lines


def deal_lines(rules: Ruleset, names: Names) -> list[Line]:
    deal = rules.deal
    dealt = f"each player is dealt {counted(deal.hand_size, 'card')}"
    if deal.foot_size:
        dealt += f" as a hand and {in_words(deal.foot_size)} more, unseen, as a foot"
    clause = "DEAL-1" if rules.seats.players == 2 else "DEAL-2" if rules.seats.players == 3 else "DEAL-3"
    replaced = f"{names.red_three}s dealt are laid out and replaced until no hand holds one"
    if deal.foot_size:
        replaced += "; the same happens when a foot is picked up"
    kept = ["a natural card"]
    if not deal.cover_black_three:
        kept.append(a(names.black_three))
    if rules.deck.caliente_cards:
        kept.append("a Caliente card")
    top = "a natural card" if deal.natural_covers_frozen else listed(kept, "or")
    lines = [
        Line(clause, sentence(dealt)),
        Line("DEAL-4", sentence(replaced)),
        Line(
            "DEAL-5",
            f"A wild card or {names.red_three} turned up first stays in the {names.pile} and freezes it; "
            f"cards are turned until {top} lies on top.",
        ),
    ]
    if deal.cover_black_three:
        lines.append(
            Line("DEAL-6", f"A {names.black_three} turned up first is covered, but freezes nothing.")
        )
    if deal.reshuffle_second:
        lines.append(
            Line(
                "DEAL-6",
                f"If a second wild card or second {names.red_three} is turned, the cards turned go back into "
                f"the {names.stock}, which is shuffled, and the turning begins again.",
            )
        )
    return lines


def turn_lines(rules: Ruleset, names: Names) -> list[Line]:
    turn = rules.turn
    lines = [
        Line("TURN-1", f"Draw or take the {names.pile}, meld if you like, and discard one card."),
        Line("TURN-2", sentence(f"a draw is {counted(turn.draw, 'card')} from the {names.stock}")),
    ]
    if turn.draw > 1:
        lines.append(Line("END-8", f"If the {names.stock} has fewer, what is left is drawn."))
    if turn.lay_bonus_by_hand:
        lines.append(
            Line(
                "TURN-4",
                f"Players lay out their {names.red_three}s themselves and draw a replacement then; one "
                f"overlooked may be laid in a later turn, one left in hand costs "
                f"{rules.scoring.forgotten_red_three}.",
            )
        )
    else:
        lines.append(Line("TURN-3", f"A {names.red_three} drawn is laid out and replaced at once."))
    lines += [
        Line("TURN-5", f"A {names.red_three} that comes with the {names.pile} is laid out and not replaced."),
        Line("DISC-1", f"One card discarded ends the turn; {a(names.red_three)} is never discarded."),
        Line(
            "DISC-2", f"A wild card discarded freezes the {names.pile} until it is taken, and lies crosswise."
        ),
        Line("DISC-2", _looking_at_the_pile(rules, names)),
        Line(
            "DISC-3", f"A {names.black_three} discarded keeps the next player from taking the {names.pile}."
        ),
    ]
    if turn.keep_last_card:
        lines.append(
            Line(
                "DISC-5",
                "A player with one card left and too few canastas passes the discard and keeps the card.",
            )
        )
    else:
        lines.append(
            Line("DISC-4", "A player who may not go out always keeps at least one card after discarding.")
        )
    return lines


def _looking_at_the_pile(rules: Ruleset, names: Names) -> str:
    if rules.pile.look_through:
        return f"Anyone may look through the {names.pile}."
    return (
        f"The {names.pile} is squared off: only its top card and the cards that lie crosswise are seen. "
        "What was discarded may be remembered."
    )


def pile_lines(rules: Ruleset, names: Names) -> list[Line]:
    pile = rules.pile
    lines = [
        Line("PILE-1", f"Whoever melds the top card at once may take the {names.pile}, and takes all of it.")
    ]
    if pile.first_meld_needs_pair or not pile.natural_and_wild or pile.always_frozen:
        opening = "only two natural cards of the top card's rank from the hand take it"
    else:
        opening = "two naturals, or unless it is frozen a natural and a wild, take it"
    if not pile.first_meld_needs_pair and (pile.always_frozen or not pile.natural_and_wild):
        opening += ", as at any other time"
    lines.append(
        Line(
            "PILE-2",
            f"Before the first meld of a {names.side} {opening}, "
            "and hand and top card must reach the minimum.",
        )
    )
    lines += _frozen_lines(rules, names) if pile.always_frozen else _free_lines(rules, names)
    stops = ["a wild card", a(names.red_three), a(names.black_three)]
    if rules.deck.caliente_cards:
        stops.append("a Caliente card")
    lines.append(Line("PILE-10", f"A {names.pile} topped by {listed(stops, 'or')} cannot be taken."))
    if pile.one_card_hand == "must_go_out":
        lines.append(
            Line(
                "PILE-11", f"With one card in hand the {names.pile} is taken only by a player who can go out."
            )
        )
    elif pile.one_card_hand == "not_single":
        lines.append(
            Line("PILE-11", f"With one card in hand a {names.pile} of a single card cannot be taken.")
        )
    if pile.put_back:
        lines.append(
            Line(
                "PILE-12",
                f"A player who has just taken the {names.pile} and cannot use the top card may put it back "
                f"for {rules.scoring.put_back_penalty} points.",
            )
        )
    if pile.bars_first_player:
        lines.append(
            Line("PILE-13", f"A {names.pile} frozen at the deal is closed to the first player of the hand.")
        )
    return lines


def _frozen_lines(rules: Ruleset, names: Names) -> list[Line]:
    text = f"The {names.pile} is always frozen: two naturals from the hand take it"
    onto = _melds_joined(rules)
    if onto:
        text += f", or, once the {names.side} has melded, adding the top card to {listed(onto, 'or')}"
    return [Line("PILE-9", text + ".")]


def _melds_joined(rules: Ruleset) -> list[str]:
    pile, short = rules.pile, rules.melds.canasta_size - 1
    onto: list[str] = []
    if pile.add_to_meld:
        onto.append(f"a set of at most {in_words(short)} cards")
    if pile.add_to_run and rules.melds.runs:
        onto.append(f"a sequence of at most {in_words(short)} cards")
    return onto


def _free_lines(rules: Ruleset, names: Names) -> list[Line]:
    pile, runs = rules.pile, rules.melds.runs
    lines = [Line("PILE-3", f"After it, two naturals from the hand take the {names.pile}.")]
    ways = [
        ("PILE-4", pile.natural_and_wild, "a natural with a wild from the hand"),
        ("PILE-5", pile.add_to_meld, "adding the top card to a set short of a canasta"),
        ("PILE-6", pile.add_to_canasta, "adding the top card to a canasta"),
    ]
    if runs:
        ways.append(("PILE-7", pile.add_to_run, "adding the top card to a sequence short of a samba"))
    for clause, allowed, way in ways:
        if allowed:
            text = f"unless it is frozen, {way} takes the {names.pile} too"
        else:
            text = f"{way} never takes the {names.pile}"
        lines.append(Line(clause, sentence(text)))
    lines.append(
        Line(
            "PILE-8",
            f"With a wild card or {a(names.red_three)} in it the {names.pile} is frozen: "
            "only two naturals from the hand take it.",
        )
    )
    return lines


def meld_lines(rules: Ruleset, names: Names) -> list[Line]:
    melds = rules.melds
    size = in_words(melds.canasta_size)
    text = f"Three or more cards of one rank, four to ace, are a set; {size} are a canasta."
    if melds.largest_set:
        text += f" A set is closed at {in_words(melds.largest_set)} cards."
    lines = [Line("MELD-1", text), *_wild_lines(rules)]
    closed = melds.largest_set == melds.canasta_size
    if melds.wilds_on_canasta:
        lines.append(Line("MELD-4", "A wild card may join a finished canasta and makes a natural one mixed."))
    elif not closed:
        lines.append(Line("MELD-4", "No wild card joins a finished canasta."))
    per_rank = {
        "one": f"A {names.side} has one set of a rank: all cards of it go together.",
        "one_open": f"A {names.side} has one open set of a rank; the next begins when that one is closed.",
        "any": f"A {names.side} may have any number of sets of a rank.",
    }
    lines.append(Line("MELD-5", per_rank[melds.sets_per_rank]))
    if melds.runs:
        suits = "of one suit" if melds.same_suit_runs else "of any suits"
        lines.append(
            Line(
                "MELD-6",
                f"Three to {size} naturals in sequence {suits}, four low and ace high, are a meld too; "
                f"{size} are a samba and closed.",
            )
        )
    else:
        lines.append(Line("MELD-6", "Cards in sequence are no meld."))
    if melds.wild_melds:
        many = f"Three to {size}" if melds.wild_canasta_closed else "Three or more"
        more = " and closed" if melds.wild_canasta_closed else ", which more may join"
        lines.append(
            Line("MELD-7", f"{many} wild cards are a meld of their own; {size} are a wild canasta{more}.")
        )
    else:
        lines.append(Line("MELD-7", "Wild cards alone are no meld."))
    lines.append(
        Line(
            "MELD-8",
            sentence(
                f"{names.black_three}s are melded only in going out: three or more, without wild cards, "
                "as the last meld"
            ),
        )
    )
    undo = (
        "Until the discard melds of this turn may be taken back, as long as nothing hidden was seen."
        if rules.turn.undo
        else "A card once melded stays."
    )
    whose = "Players add only to their own melds." if rules.seats.players < 4 else (
        "Partners share their melds and add to no others."
    )  # fmt: skip
    lines.append(Line("MELD-9", f"{whose} {undo}"))
    return lines


def _wild_lines(rules: Ruleset) -> list[Line]:
    melds = rules.melds
    limits = [f"at least {counted(melds.least_naturals, 'natural')}"]
    if melds.wilds_to_naturals == "fewer":
        limits.append("fewer wild cards than naturals")
    elif melds.wilds_to_naturals == "equal":
        limits.append("no more wild cards than naturals")
    lines = [Line("MELD-2", f"A set holds {listed(limits)}.")]
    if melds.wilds_by_size:
        last = len(melds.wilds_by_size) - 1
        steps = [
            f"{in_words(wilds)} in {in_words(3 + i)}{' or more' if i == last else ''}"
            for i, wilds in enumerate(melds.wilds_by_size)
        ]
        lines.append(Line("MELD-2", f"Wild cards by the size of the set: {listed(steps)} cards."))
    if melds.most_wilds:
        lines.append(Line("MELD-3", sentence(f"at most {counted(melds.most_wilds, 'wild card')} in a set")))
    else:
        lines.append(Line("MELD-3", "There is no other limit to the wild cards in a set."))
    return lines
