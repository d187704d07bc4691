"""Print a table in a terminal: melds, pile, hands and score sheets."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from canasta.commands.output import coloured, print_wrapped
from canasta.engine.cards import NATURAL_RANKS, RANK_OF, RANK_TEXTS
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.law.american import dead_rows
from canasta.engine.match import Match
from canasta.engine.melds import KIND_NAMES, NOT_A_CANASTA, ROW_RUN, SAMBA
from canasta.engine.play.scoring import ScoreSheet
from canasta.engine.view import MeldOnTable, View
from canasta.i18n import Facts
from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.notation.cards import format_cards, list_hand, rank_of_card
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import title_of
from canasta.table.views import canasta_progress, sheet_view
from canasta.table.wire import CanastaProgress
from canasta.terminal.theme import ScoreSheetStyle, score_table

_GAP: Final = "   "


def goal(rules: Ruleset, hand_number: int, voice: Voice) -> str:
    """Return the hand number and the match's target, such as `hand 2, to 5000`."""
    if rules.match.rounds:
        return voice.say("typed.goal_round", {"round": hand_number, "rounds": rules.match.rounds})
    return voice.say("typed.goal_target", {"count": hand_number, "target": rules.match.target})


def show_table(where: Console, match: Match, speaker: Speaker, *, open_hands: bool = False) -> None:
    """Print the table as the speaker's seat sees it; `open_hands` shows every player's cards."""
    view = match.hand.view(speaker.you)
    say = speaker.voice.say
    compiled = view.state.compiled
    where.print(
        Rule(
            f"{title_of(match.rules, speaker.voice.language)}: "
            f"{goal(match.rules, match.hand_number, speaker.voice)}",
            style="quiet",
        )
    )
    sides = sorted(range(match.sides), key=lambda side: side == _own_side(match, speaker))
    for side in sides[:-1]:
        _show_side(where, match, view, speaker, side)
    _show_middle(where, view, speaker)
    _show_side(where, match, view, speaker, sides[-1])
    if open_hands:
        for seat in view.state.order:
            _show_cards(where, speaker.name(seat), match.hand.hand_cards(seat), compiled, speaker)
            foot = match.hand.foot_cards(seat)
            if foot:
                whose = say("typed.foot_of", {"name": speaker.name(seat)})
                _show_cards(where, whose, foot, compiled, speaker)
    elif view.seat is not None:
        _show_cards(where, say("typed.your_hand"), view.hand, compiled, speaker)
        if view.state.foot_waits(view.seat) and match.compiled.has_foot:
            print_wrapped(where, say("typed.your_foot"), first="  ", style="quiet")
    else:
        where.print(Text(say("typed.you_sit_out"), style="quiet"))


def _cards(speaker: Speaker, cards: Iterable[int]) -> str:
    return format_cards(cards, symbols=speaker.voice.symbols)


def _own_side(match: Match, speaker: Speaker) -> int:
    return -1 if speaker.you is None else match.side_of[speaker.you]


def _show_side(where: Console, match: Match, view: View, speaker: Speaker, side: int) -> None:
    state = view.state
    members = [seat for seat, other in enumerate(match.side_of) if other == side]
    line = Text(speaker.side_name(members), style="title")
    say = speaker.voice.say
    line.append("  " + say("typed.points", {"points": view.scores[side]}), style="default")
    if match.compiled.no_opening:
        pass  # each side may meld freely from the start
    elif state.opened(side):
        line.append("  " + say(f"typed.melded.{_who(members, speaker)}"), style="quiet")
    else:
        least = state.minimum(side)
        code = "typed.first_meld" if least else "typed.first_meld_any"
        line.append("  " + say(code, {"needed": least}), style="quiet")
    if state.bonus[side]:
        threes = (
            speaker.voice.word("rank.3", "plural")
            if match.compiled.bonus_threes
            else say("scores.red_threes")
        )
        line.append(f"  {threes} ").append_text(coloured(_cards(speaker, state.bonus[side])))
    closed = [RANK_TEXTS[row] for row in dead_rows(state, side) if row < NATURAL_RANKS]
    if closed:
        line.append("  " + say("typed.closed", {"text": " ".join(closed)}), style="quiet")
    if state.caliente_played(side):
        line.append("  " + say("typed.caliente_played", {"count": state.caliente_played(side)}))
    where.print(line)
    others = [_holding(view, speaker, seat) for seat in members if seat != view.seat]
    if others:
        where.print(Text("  " + ", ".join(others), style="quiet"))
    _show_melds(where, view.melds(side), speaker)
    if view.seat in members:
        kinds = [KIND_NAMES[meld.canasta] for meld in view.melds(side) if meld.canasta != NOT_A_CANASTA]
        progress = canasta_progress(match.rules, kinds)
        if match.compiled.has_pots:
            progress.append(CanastaProgress(kind="pot", have=int(state.pot_taker(side) >= 0), needed=1))
        text = _progress_text(progress, speaker.voice)
        print_wrapped(where, say("typed.to_go_out", {"text": text}), first="  ", rest="    ", style="quiet")
    where.print()


def _progress_text(progress: Sequence[CanastaProgress], voice: Voice) -> str:
    """Return a text such as `natural 1 of 2, mixed 0 of 2, wild 0 of 1`, or that all are complete."""
    if all(each.have >= each.needed for each in progress):
        return voice.say("scores.enough")
    return ", ".join(
        voice.say(
            f"scores.progress.{each.kind}", {"have": min(each.have, each.needed), "needed": each.needed}
        )
        for each in progress
    )


def _who(members: Sequence[int], speaker: Speaker) -> str:
    """Return the grammatical form of the subject: the reader, the reader's side, another player, or
    several.
    """
    if speaker.you in members:
        return "yours" if len(members) == 1 else "ours"
    return "one" if len(members) == 1 else "many"


def _holding(view: View, speaker: Speaker, seat: int) -> str:
    state = view.state
    if seat not in state.order:
        return speaker.voice.say("typed.sits_out", {"name": speaker.name(seat)})
    code = "typed.holds_foot" if state.foot_waits(seat) and state.compiled.has_foot else "typed.holds"
    held = speaker.voice.say(code, {"name": speaker.name(seat), "size": state.size(seat)})
    if not state.talons[seat]:
        return held
    facts: Facts = {"name": speaker.name(seat), "count": len(state.talons[seat])}
    return f"{held}, {speaker.voice.say('typed.talon', facts)}"


def _show_melds(where: Console, melds: Sequence[MeldOnTable], speaker: Speaker) -> None:
    """Print melds side by side, each as a short column under its name."""
    columns = [_column(meld, speaker) for meld in melds]
    while columns:
        row: list[list[str]] = []
        width = 2
        while columns:
            needed = max(map(len, columns[0])) + len(_GAP)
            if row and width + needed > where.width:
                break
            width += needed
            row.append(columns.pop(0))
        for height in range(max(map(len, row))):
            cells = [
                (column[height] if height < len(column) else "").ljust(max(map(len, column)))
                for column in row
            ]
            line = coloured("  " + _GAP.join(cells).rstrip())
            if height == 0:
                line.stylize("title")
            line.highlight_regex("|".join(_brass(speaker.voice)), "brass")
            where.print(line)


def _brass(voice: Voice) -> list[str]:
    """Return the words for canastas, which are printed in colour."""
    return [voice.say("typed.canasta"), *(voice.say(f"typed.short.{kind}") for kind in KIND_NAMES)]


def _column(meld: MeldOnTable, speaker: Speaker) -> list[str]:
    is_run = meld.name.row == ROW_RUN
    name = str(meld.name)
    say = speaker.voice.say
    if meld.canasta == NOT_A_CANASTA:
        # put naturals first: wild cards have the higher ranks
        in_order = sorted(meld.cards, key=lambda card: (rank_of_card(card), card))
        cards = meld.cards if is_run else in_order
        return [name, *(_cards(speaker, [card]) for card in cards)]
    if meld.canasta == SAMBA:
        ends = f"{_cards(speaker, [min(meld.cards)])}–{_cards(speaker, [max(meld.cards)])}"
        return [name, say("typed.short.samba"), ends]
    kind = say(f"typed.short.{KIND_NAMES[meld.canasta]}")
    if is_run:
        ends = f"{_cards(speaker, [meld.cards[0]])}–{_cards(speaker, [meld.cards[-1]])}"
        return [name, say("typed.canasta"), kind, ends]
    return [name, say("typed.canasta"), kind, say("typed.cards", {"count": len(meld.cards)})]


def _show_middle(where: Console, view: View, speaker: Speaker) -> None:
    state = view.state
    line = Text("  ")
    say = speaker.voice.say
    line.append(say("typed.stock", {"stock": view.stock_size}).ljust(14))
    if not state.pile:
        line.append(say("typed.pile_empty"))
    else:
        facts: Facts = {"pile": state.pile_size(), "text": _cards(speaker, [state.top_card()])}
        line.append_text(coloured(say("typed.pile", facts)))
        if state.frozen:
            line.append(f", {say('typed.frozen')}", style="frozen")
    if state.pots:
        line.append(f", {say('screens.pots', {'count': len(state.pots)})}")
    where.print(line)
    if state.compiled.takes_at_once and state.compiled.rules.pile.look_through and state.pile_size() > 1:
        where.print(coloured(f"  {_cards(speaker, state.pile)}"))
    where.print()


def _show_cards(
    where: Console, whose: str, cards: Sequence[int], compiled: CompiledRules, speaker: Speaker
) -> None:
    """Print a hand in as few lines as fit, and its value in points."""
    worth = sum(compiled.values[RANK_OF[card]] for card in cards)
    line = Text(whose, style="title")
    heading = speaker.voice.say("typed.cards_worth", {"count": len(cards), "points": worth})
    line.append(f"  {heading}", style="quiet")
    where.print(line)
    row = " "
    hand = list_hand(cards, symbols=speaker.voice.symbols, natural_threes=compiled.natural_threes)
    for group in hand.split("  ") if cards else ():
        if len(row) > 2 and len(row) + len(group) + 2 > where.width:
            where.print(coloured(row))
            row = " "
        row += " " + group + " "
    if row.strip():
        where.print(coloured(row.rstrip()))


_LOOK: Final = ScoreSheetStyle("title", "title", "", "title")


def show_score_sheet(
    where: Console, match: Match, speaker: Speaker, sheets: Sequence[ScoreSheet], before: Sequence[int]
) -> None:
    """Print the points of a hand, line by line, and the totals."""
    members = [
        [seat for seat, other in enumerate(match.side_of) if other == side] for side in range(match.sides)
    ]
    scores = [score + sheet.total for score, sheet in zip(before, sheets, strict=True)]
    sheet = sheet_view(match.hand_number, sheets, scores, None)
    where.print(score_table(sheet, list(map(speaker.side_name, members)), speaker.voice, _LOOK))


def result_in_words(match: Match, speaker: Speaker) -> str:
    """Return the result of the game, or the current score."""
    say = speaker.voice.say
    scores = f" {say('typed.to')} ".join(str(score) for score in sorted(match.scores, reverse=True))
    if not match.over:
        return say("typed.not_over", {"text": ", ".join(map(str, match.scores))})
    if match.winner is None:
        return say("typed.draw", {"text": scores})
    members = [seat for seat, side in enumerate(match.side_of) if side == match.winner]
    return say(f"typed.wins.{_who(members, speaker)}", {"name": speaker.side_name(members), "text": scores})
