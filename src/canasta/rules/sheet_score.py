"""The sentences of a rule sheet about the first meld, going out, the end of the stock and the score."""

from canasta.rules.model import Ruleset
from canasta.rules.wording import Line, Names, a, counted, in_words, listed, sentence


def opening_lines(rules: Ruleset, names: Names) -> list[Line]:
    opening = rules.opening
    lines = [
        Line("OPEN-1", _minimums(rules, names)),
        Line(
            "OPEN-2",
            f"All melds of that turn count together by the value of their cards; {names.red_three}s count "
            "nothing.",
        ),
    ]
    if opening.top_card_counts:
        lines.append(Line("OPEN-3", f"The top card of the {names.pile} counts, the cards below it do not."))
    else:
        lines.append(
            Line("OPEN-3", f"When the {names.pile} is taken, the minimum rises by the value of its top card.")
        )
    if opening.canasta_suffices:
        lines.append(Line("OPEN-4", "A complete canasta opens without a minimum."))
    if opening.concealed_suffices:
        lines.append(Line("OPEN-5", "A player who goes out concealed needs no minimum."))
    if opening.canasta_bonus_counts:
        lines.append(Line("OPEN-6", "The bonus of a canasta counts towards the minimum."))
    return lines


def _minimums(rules: Ruleset, names: Names) -> str:
    opening = rules.opening
    start = f"The first meld of a {names.side} in a hand:"
    steps: list[str] = []
    if opening.by_round:
        last = len(opening.minimums) - 1
        for i, minimum in enumerate(opening.minimums):
            later = " and later" if i == last else ""
            steps.append(f"{minimum} in round {in_words(i + 1)}{later}")
        return f"{start} at least {listed(steps)}."
    for i, (score, minimum) in enumerate(zip(opening.scores, opening.minimums, strict=True)):
        word = "above" if opening.above_score and i > 0 else "from"
        steps.append(f"{minimum} {word} {score}{' on' if word == 'from' else ''}")
    below = f"at least {opening.below_zero}" if opening.below_zero else "any legal meld"
    return f"{start} {below} with a score below 0; at least {listed(steps)}."


def going_out_lines(rules: Ruleset, names: Names) -> list[Line]:
    out = rules.going_out
    kinds = [
        counted(number, thing)
        for number, thing in (
            (out.natural, "natural canasta"),
            (out.mixed, "mixed canasta"),
            (out.wild, "wild canasta"),
            (out.sequence, "samba"),
        )
        if number
    ]
    if out.canastas and kinds:
        needed = f"{counted(out.canastas, 'canasta')}, among them {listed(kinds)}"
    elif kinds:
        needed = listed(kinds)
    else:
        needed = counted(out.canastas, "canasta")
    lines = [
        Line("OUT-1", f"Before going out a {names.side} needs {needed}."),
        Line("OUT-2", "Going out is melding every card, or all but one and discarding that one."),
    ]
    if rules.seats.players >= 4:
        ask = {
            "may": "Before melding a player may ask a partner for leave to go out; the answer binds.",
            "must": "A player must ask a partner for leave before going out; the answer binds.",
            "no": "Partners are not asked for leave to go out.",
        }
        lines.append(Line("OUT-3", ask[out.ask]))
    if rules.deal.foot_size:
        lines.append(
            Line(
                "OUT-4",
                "A hand melded to the last card: the foot is picked up and the turn goes on. A hand ended by "
                "a discard: the foot is played from the next turn.",
            )
        )
        if rules.seats.players >= 4:
            lines.append(
                Line("OUT-5", "To go out, every partner must have picked up the foot and played from it.")
            )
    lines.append(Line("OUT-6", "The hand ends at once when a player goes out."))
    return lines


def stock_end_lines(rules: Ruleset, names: Names) -> list[Line]:
    end = rules.stock_end
    lines: list[Line] = []
    if end.after_last_card == "top_card":
        lines += [
            Line(
                "END-6",
                "A top card that fits a meld must be taken unless the "
                f"{names.pile} is frozen: that card alone, and a discard follows.",
            ),
            Line("END-7", f"Otherwise the {names.pile} may be taken as usual, or the player ends the hand."),
        ]
    elif end.after_last_card == "play_on":
        lines.append(
            Line(
                "END-1",
                f"Play goes on as long as each player takes the {names.pile}; the first who does not passes, "
                "and the hand ends without a bonus for going out.",
            )
        )
    else:
        lines.append(
            Line(
                "END-4",
                f"A player who does not take the {names.pile} ends the hand; one who does ends it by "
                "discarding.",
            )
        )
    if end.after_last_card != "top_card" and end.forced and not rules.pile.always_frozen:
        lines.append(
            Line("END-2", f"A top card that fits a meld must be taken, unless the {names.pile} is frozen.")
        )
    last = f"{a(names.red_three)} as the last card is laid out, and "
    if end.last_red_three == "ends":
        lines.append(Line("END-3", sentence(last + "the hand ends, without melds or discard")))
    elif end.last_red_three == "melds":
        lines.append(Line("END-5", sentence(last + "melds may follow but no discard; then the hand ends")))
    else:
        lines.append(Line("END-7", sentence(last + "the turn goes on")))
    return lines


def caliente_lines(rules: Ruleset, names: Names) -> list[Line]:
    if not rules.deck.caliente_cards:
        return []
    caliente = rules.caliente
    return [
        Line(
            "CALI-1",
            "Instead of drawing or taking, a player may play one Caliente card, unless the "
            f"{names.side} has more sets on the table than another.",
        ),
        Line(
            "CALI-2",
            f"The hand is then drawn up to {counted(caliente.hand_size, 'card')}, "
            f"as far as the {names.stock} reaches.",
        ),
        Line("CALI-3", "Melds and the discard follow; a second Caliente card waits for another turn."),
        Line("CALI-4", f"Each one played costs {caliente.played_penalty}."),
        Line(
            "CALI-5",
            f"One held at the end: the other cards of that hand count {_times(caliente.held_one)}; two or "
            f"more: {_times(caliente.held_more)}. Alone in hand it costs nothing.",
        ),
        Line("CALI-6", f"Discarded, it works like {a(names.black_three)}."),
    ]


def scoring_lines(rules: Ruleset, names: Names) -> list[Line]:
    scoring, melds = rules.scoring, rules.melds
    feet = " and feet" if rules.deal.foot_size else ""
    lines = [
        Line("SCOR-1", f"Melded cards count plus, cards left in hands{feet} minus."),
        Line("SCOR-2", f"A natural canasta is {scoring.natural_canasta}."),
        Line("SCOR-3", f"A mixed canasta is {scoring.mixed_canasta}."),
    ]
    if melds.runs:
        lines.append(Line("SCOR-4", f"A samba is {scoring.samba}."))
    if melds.wild_melds:
        lines.append(Line("SCOR-5", f"A wild canasta is {scoring.wild_canasta}."))
    lines.append(Line("SCOR-6", f"Going out is {scoring.going_out}."))
    if scoring.concealed:
        lines.append(Line("SCOR-7", f"Going out concealed is {scoring.concealed} more."))
    else:
        lines.append(Line("SCOR-7", "Going out concealed brings nothing more."))
    if scoring.concealed or rules.opening.concealed_suffices:
        lines.append(Line("SCOR-11", _concealed(rules, names)))
    lines += [
        Line("SCOR-8", _red_threes(rules, names)),
        Line("SCOR-9", _red_threes_minus(rules, names)),
        Line("SCOR-10", f"A {names.black_three} left in hand costs {scoring.black_three_in_hand}."),
    ]
    if scoring.canasta_for_positive_score:
        lines.append(
            Line(
                "SCOR-12",
                f"A {names.side} without the canastas for going out scores minus the cards in hand and on "
                "the table, and nothing else.",
            )
        )
    return lines


def _concealed(rules: Ruleset, names: Names) -> str:
    if rules.scoring.concealed_by == "player":
        return (
            "Concealed means that the player has melded nothing before that turn and melds a canasta in it."
        )
    return f"Concealed means that nothing but {names.red_three}s lay on the table before that turn."


def _red_threes(rules: Ruleset, names: Names) -> str:
    scoring = rules.scoring
    text = f"A {names.red_three} laid out is {scoring.red_three}."
    if not scoring.red_three_extra_from or not scoring.red_three_extra:
        return text + " There is no extra for many of them."
    everything = 2 * rules.deck.decks
    start = scoring.red_three_extra_from
    many = f"all {in_words(start)}" if start == everything else f"{in_words(start)} or more"
    return text + " " + sentence(f"{many} bring {scoring.red_three_extra} on top")


def _red_threes_minus(rules: Ruleset, names: Names) -> str:
    scoring = rules.scoring
    extra = ", and their extra," if scoring.red_three_extra_from and scoring.red_three_extra else ""
    they = f"The {names.red_three}s of a {names.side}{extra} count minus"
    few = f"with fewer than {counted(scoring.red_threes_minus_canastas, 'canasta')}"
    other = "without a meld when another goes out"
    when = {
        "no_first_meld": "without a first meld",
        "few_canastas": few,
        "other_went_out": other,
        "all_need_canastas": f"{few} if there are enough for the extra, otherwise {other}",
    }
    return f"{they} {when[scoring.red_threes_minus]}."


def _times(factor: int) -> str:
    return {1: "once", 2: "double", 3: "triple"}.get(factor, f"{in_words(factor)} times")


def game_lines(rules: Ruleset, names: Names) -> list[Line]:
    match = rules.match
    if match.target:
        return [
            Line("GAME-1", f"The game ends with the hand in which a {names.side} reaches {match.target}."),
            Line("GAME-2", "The highest total wins; on equal totals another hand is played."),
        ]
    return [
        Line("GAME-1", sentence(f"the game is {counted(match.rounds, 'round')}")),
        Line("GAME-2", "The highest total wins; equal totals are a draw."),
    ]
