"""The lines of a rule sheet about the first meld, going out, the end of the stock and the score."""

from canasta.rules.model import AceRules, Ruleset, ScoringRules, SevenRules
from canasta.rules.sheet import Phrase, RuleLine, line, phrase
from canasta.rules.special_hands import SPECIAL_HANDS


def opening_lines(rules: Ruleset) -> list[RuleLine]:
    opening = rules.opening
    if rules.melds.run_most:
        return [line("OPEN-1", "opening.none")]
    lines = [
        _minimums(rules),
        line("OPEN-2", "opening.what_counts" + ("_threes" if rules.deck.threes == "bonus" else "")),
    ]
    if not opening.from_hand:
        lines.append(line("OPEN-3", "opening.top_card" if opening.top_card_counts else "opening.no_top_card"))
    if opening.canasta_suffices:
        lines.append(line("OPEN-4", "opening.canasta_suffices"))
    if opening.concealed_suffices:
        lines.append(line("OPEN-5", "opening.concealed_suffices"))
    if opening.canasta_bonus_counts:
        lines.append(line("OPEN-6", "opening.canasta_bonus"))
    if opening.splash:
        lines.append(line("OPEN-4", "opening.splash"))
    if opening.pure_meld != "no":
        lines.append(line("OPEN-7", f"opening.pure_{opening.pure_meld}"))
    if opening.from_hand:
        lines.append(line("OPEN-8", f"opening.from_hand_{rules.pile.opening_pair}"))
    if not opening.mixed_canasta:
        lines.append(line("OPEN-9", "opening.no_mixed_canasta"))
    return lines


def _minimums(rules: Ruleset) -> RuleLine:
    opening = rules.opening
    if opening.by_round:
        last = len(opening.minimums) - 1
        rounds = [
            phrase("round.and_later" if at == last else "round.in", points=minimum, round=at + 1)
            for at, minimum in enumerate(opening.minimums)
        ]
        return line("OPEN-1", "opening.by_round", steps=tuple(rounds))
    steps = [
        phrase("score.above" if opening.above_score and at > 0 else "score.from", points=minimum, score=score)
        for at, (score, minimum) in enumerate(zip(opening.scores, opening.minimums, strict=True))
    ]
    if opening.below_zero == opening.minimums[0] and opening.scores[0] == 0:
        first = (
            phrase("score.below", points=opening.below_zero, score=opening.scores[1])
            if len(steps) > 1
            else phrase("score.any", points=opening.below_zero)
        )
        return line("OPEN-1", "opening.by_score_alike", steps=(first, *steps[1:]))
    if opening.below_zero:
        return line("OPEN-1", "opening.by_score", points=opening.below_zero, steps=tuple(steps))
    return line("OPEN-1", "opening.by_score_from_zero", steps=tuple(steps))


def going_out_lines(rules: Ruleset) -> list[RuleLine]:
    out = rules.going_out
    natural, mixed = ("clean", "dirty") if rules.scoring.grades else ("natural", "mixed")
    kinds = tuple(
        phrase(f"canastas.{kind}", count=count)
        for kind, count in (
            (natural, out.natural),
            (mixed, out.mixed),
            ("wild", out.wild),
            ("samba", out.sequence),
        )
        if count
    )
    if out.canastas > out.natural + out.mixed + out.wild + out.sequence > 0:
        lines = [line("OUT-1", "going_out.needs_among", count=out.canastas, kinds=kinds)]
    elif kinds:
        lines = [line("OUT-1", "going_out.needs_kinds", kinds=kinds)]
    else:
        lines = [line("OUT-1", "going_out.needs", count=out.canastas)]
    by_discard = out.by == "discard"
    lines.append(line("OUT-7", "going_out.by_discard") if by_discard else line("OUT-2", "going_out.how"))
    if out.last_discard == "natural":
        lines.append(line("DISC-8", "going_out.natural_last"))
    if rules.deal.pots:
        lines.append(line("OUT-9", "going_out.pot"))
    if rules.seats.players >= 4:
        lines.append(line("OUT-3", f"going_out.ask_{out.ask}"))
        if out.ask_limit and out.ask != "no":
            lines.append(line("OUT-3", "going_out.ask_limit", count=out.ask_limit))
    if rules.deal.foot_size:
        lines.append(line("OUT-4", "going_out.foot"))
        if rules.seats.players >= 4:
            lines.append(line("OUT-5", "going_out.both_feet"))
    lines.append(line("OUT-6", "going_out.ends"))
    if out.unfinished_bars:
        lines.append(line("OUT-8", "going_out.unfinished"))
    if out.special_hands != "none":
        lines += _special_lines(rules)
    return lines


def _special_lines(rules: Ruleset) -> list[RuleLine]:
    hands = SPECIAL_HANDS[rules.going_out.special_hands]
    names = [phrase("hand." + hand.name.replace(" ", "_"), points=hand.points) for hand in hands]
    return [
        line("OUT-10", "going_out.special"),
        line("OUT-10", "going_out.special_hands", kinds=tuple(names)),
    ]


def stock_end_lines(rules: Ruleset) -> list[RuleLine]:
    end = rules.stock_end
    if end.after_last_card == "ends":
        return _last_draw_lines(rules)
    if end.after_last_card == "top_card":
        lines = [line("END-6", "stock_end.top_card"), line("END-7", "stock_end.else_take_or_end")]
    elif end.after_last_card == "play_on":
        lines = [line("END-1", "stock_end.play_on")]
    else:
        bonus = "stock_end.taker_bonus" if end.taker_bonus else "stock_end.taker_no_bonus"
        lines = [line("END-4", "stock_end.one_taker"), line("END-4", bonus)]
    if end.after_last_card != "top_card" and end.forced and not rules.pile.always_frozen:
        lines.append(line("END-2", "stock_end.forced"))
    clause = {"ends": "END-3", "melds": "END-5", "in_hand": "END-10"}.get(end.last_red_three, "END-7")
    lines.append(line(clause, f"stock_end.last_red_three_{end.last_red_three}"))
    return lines


def _last_draw_lines(rules: Ruleset) -> list[RuleLine]:
    end = rules.stock_end
    lines = [line("END-9", "stock_end.last_draw")]
    if end.floor:
        lines = [
            line("END-9", "stock_end.floor", count=end.floor),
            line("END-9", "stock_end.last_draw_before_floor"),
        ]
    if end.pot_becomes_stock:
        lines.append(line("END-9", "stock_end.pot_becomes_stock"))
    if end.most_turns:
        lines.append(line("END-9", "stock_end.most_turns", count=end.most_turns))
    return lines


def caliente_lines(rules: Ruleset) -> list[RuleLine]:
    if not rules.deck.caliente_cards:
        return []
    caliente = rules.caliente
    return [
        line("CALI-1", "caliente.play"),
        line("CALI-2", "caliente.fill", count=caliente.hand_size),
        line("CALI-3", "caliente.rest"),
        line("CALI-4", "caliente.played", points=caliente.played_penalty),
        line("CALI-5", "caliente.held", one=_times(caliente.held_one), more=_times(caliente.held_more)),
        line("CALI-6", "caliente.discarded"),
    ]


def _times(factor: int) -> Phrase:
    named = {1: "once", 2: "double", 3: "triple"}
    return phrase(f"times.{named[factor]}") if factor in named else phrase("times.more", times=factor)


def scoring_lines(rules: Ruleset) -> list[RuleLine]:
    scoring, melds = rules.scoring, rules.melds
    lines = [
        line("SCOR-1", "scoring.cards_and_feet" if rules.deal.foot_size else "scoring.cards"),
    ]
    if scoring.grades:
        lines += _grade_lines(rules)
    else:
        lines += [
            line("SCOR-2", "scoring.natural_canasta", points=scoring.natural_canasta),
            line("SCOR-3", "scoring.mixed_canasta", points=scoring.mixed_canasta),
        ]
    if melds.runs and not melds.run_most:
        lines.append(line("SCOR-4", "scoring.samba", points=scoring.samba))
    if melds.wild_melds:
        lines.append(line("SCOR-5", "scoring.wild_canasta", points=scoring.wild_canasta))
    lines.append(line("SCOR-6", "scoring.going_out", points=scoring.going_out))
    if scoring.concealed:
        lines.append(line("SCOR-7", "scoring.concealed", points=scoring.concealed))
    else:
        lines.append(line("SCOR-7", "scoring.no_concealed"))
    if rules.deal.pots and scoring.pot_not_taken:
        lines.append(line("SCOR-21", f"scoring.pot_{scoring.pot_not_taken_if}", points=scoring.pot_not_taken))
    if rules.deck.threes == "natural":
        return lines
    if scoring.concealed or rules.opening.concealed_suffices:
        lines.append(line("SCOR-11", f"scoring.concealed_by_{scoring.concealed_by}"))
    all_bonus = rules.deck.threes == "bonus"
    in_hand = "scoring.three_in_hand" if all_bonus else "scoring.black_three"
    lines += [
        *(_threes_by_colour(rules) if all_bonus and scoring.three_scale else _red_threes(rules)),
        line("SCOR-10", in_hand, points=scoring.black_three_in_hand),
        *_wild_grades(rules),
    ]
    if scoring.melds_minus_below:
        lines.append(line("SCOR-15", "scoring.melds_minus", count=scoring.melds_minus_below))
    if rules.going_out.special_hands != "none":
        lines.append(line("SCOR-19", "scoring.special_hand"))
    if scoring.canasta_for_positive_score:
        lines.append(line("SCOR-12", "scoring.only_minus"))
    return lines


def _grade_lines(rules: Ruleset) -> list[RuleLine]:
    scoring = rules.scoring
    lines = [line("SCOR-20", "scoring.clean", points=scoring.natural_canasta)]
    for name in ("run_13", "run_14"):
        points = getattr(scoring, name)
        if points:
            lines.append(line("SCOR-20", f"scoring.{name}", points=points))
    if scoring.semi_clean and scoring.semi_clean != scoring.mixed_canasta:
        size = rules.melds.canasta_size
        lines.append(line("SCOR-20", "scoring.semi_clean", points=scoring.semi_clean, size=size))
        if scoring.semi_clean_inside:
            lines.append(line("SCOR-20", "scoring.semi_clean_inside", size=size))
        if rules.melds.set_ranks != "none":
            sets = "semi_clean_nine" if scoring.semi_clean_nine else "semi_clean_set"
            lines.append(line("SCOR-20", f"scoring.{sets}", size=size))
    # Without a preceding semi-clean line, canastas are only clean or dirty.
    dirty = "scoring.dirty" if lines[-1].code.startswith("scoring.semi") else "scoring.dirty_all"
    lines.append(line("SCOR-20", dirty, points=scoring.mixed_canasta))
    return lines


def _scale(scoring: ScoringRules) -> tuple[Phrase, ...]:
    """Return the points for one, two and more threes of a colour."""
    return tuple(
        phrase("threes.so_many", count=at + 1, points=points) for at, points in enumerate(scoring.three_scale)
    )


def _threes_by_colour(rules: Ruleset) -> list[RuleLine]:
    scoring = rules.scoring
    lines = [line("SCOR-14", "scoring.three_scale", steps=_scale(scoring))]
    if scoring.threes_minus_below:
        lines.append(line("SCOR-14", "scoring.threes_minus", count=scoring.threes_minus_below))
    if scoring.threes_plus_from:
        lines.append(line("SCOR-14", "scoring.threes_plus", count=scoring.threes_plus_from))
    return lines


def seven_lines(rules: Ruleset) -> list[RuleLine]:
    return _rank_lines("sevens", rules.sevens)


def ace_lines(rules: Ruleset) -> list[RuleLine]:
    return _rank_lines("aces", rules.aces)


def _rank_lines(rank: str, rule: SevenRules | AceRules) -> list[RuleLine]:
    """Return the lines about a rank with special scoring: bonus, unfinished sets, and cards left in hand."""
    lines = [
        ("SCOR-18", "bonus", rule.bonus),
        ("SCOR-16", "unfinished", rule.unfinished),
        ("SCOR-17", "in_hand", rule.in_hand),
    ]
    wilds = [line("MELD-10", f"melds.{rank}_{rule.wilds}")] if rule.wilds != "free" else []
    points = [
        line(clause, f"scoring.{rank}_{code}", points=points) for clause, code, points in lines if points
    ]
    return wilds + points


def _wild_grades(rules: Ruleset) -> list[RuleLine]:
    scoring = rules.scoring
    lines = [
        ("SCOR-18", "scoring.wild_twos", scoring.wild_twos),
        ("SCOR-18", "scoring.wild_jokers", scoring.wild_jokers),
        ("SCOR-16", "scoring.wilds_unfinished", scoring.unfinished_wilds),
    ]
    return [line(clause, code, points=points) for clause, code, points in lines if points]


def _red_threes(rules: Ruleset) -> list[RuleLine]:
    scoring = rules.scoring
    start, extra = scoring.red_three_extra_from, scoring.red_three_extra
    when = phrase(f"minus.{scoring.red_threes_minus}", count=scoring.red_threes_minus_canastas)
    if scoring.three_scale or not start or not extra:
        return [
            line("SCOR-8", "scoring.red_three_scale", steps=_scale(scoring))
            if scoring.three_scale
            else line("SCOR-8", "scoring.red_three", points=scoring.red_three),
            line("SCOR-9", "scoring.red_threes_minus", when=when),
        ]
    is_all = start == 2 * rules.deck.decks
    return [
        line(
            "SCOR-8",
            "scoring.red_three_extra_all" if is_all else "scoring.red_three_extra",
            points=scoring.red_three,
            threes=start,
            extra=extra,
        ),
        line("SCOR-9", "scoring.red_threes_minus_extra", when=when),
    ]


def game_lines(rules: Ruleset) -> list[RuleLine]:
    match = rules.match
    wins = any(hand.wins for hand in SPECIAL_HANDS[rules.going_out.special_hands])
    at_once = [line("GAME-3", "match.dream_hand")] if wins else []
    if match.target:
        return [line("GAME-1", "match.target", target=match.target), line("GAME-2", "match.winner"), *at_once]
    lines = [line("GAME-1", "match.rounds", rounds=match.rounds), line("GAME-2", "match.winner_or_draw")]
    lines += at_once
    return [*lines, line("GAME-4", "match.victory_points")] if match.victory_points else lines
