"""What the table in the terminal explains: the moves, a refusal, a rule."""

from typing import Final

from rich.console import Console
from rich.text import Text

from canasta.commands.output import print_wrapped, text_width
from canasta.commands.rules import show_clause, show_sheet
from canasta.commands.spoken import spoken
from canasta.engine.moves.refusals import NOTATION
from canasta.engine.moves.types import Discard, Move
from canasta.notation.cards import format_cards
from canasta.notation.errors import did_you_mean, quoted
from canasta.notation.moves import format_move
from canasta.rules.clauses import CLAUSE_GROUPS, CLAUSES
from canasta.rules.model import Ruleset
from canasta.table.wire import WhyNot
from canasta.words import Voice, say, tell_reason
from canasta.words.clauses import clause_in, clause_value
from canasta.words.sheets import rule_sheet

MOST_MOVES: Final = 40
"""Moves of one kind that are listed; a large hand can open in hundreds of ways."""

_COMMANDS: Final = (
    ("moves", "the moves that are legal now"),
    ("hint", "what a computer player would do"),
    ("rules", "the rules of this game; rules PILE a group, rules PILE-8 one clause"),
    ("table", "the table again; an empty line does the same"),
    ("save FILE", "write the game so far to a new file"),
    ("quit", "leave the table"),
)

WORDS: Final = tuple(command.split()[0] for command, _ in (*_COMMANDS, ("help", "")))
"""What can be typed that is no move."""


def show_help(where: Console, rules: Ruleset) -> None:
    """The moves of this game and the other things that can be typed."""
    where.print(Text("Moves", style="title"))
    for move, meaning in _moves(rules):
        where.print(f"  {move:<24} {meaning}", markup=False, soft_wrap=True)
    print_wrapped(
        where,
        "Cards: K is any king, Kh the king of hearts, 10 or T a ten, 2 and Jo are wild, 3b is a black three, "
        "K*3 is K K K. Capitals do not matter.",
        first="  ",
    )
    where.print(Text("Also", style="title"))
    for word, meaning in _COMMANDS:
        where.print(f"  {word:<24} {meaning}", markup=False, soft_wrap=True)
    if where.is_terminal:
        print_wrapped(
            where, "Tab completes a move, and the arrows bring back what you typed before.", first="  "
        )


def _moves(rules: Ruleset) -> list[tuple[str, str]]:
    """The moves that this game has."""
    lines = [
        ("draw", "draw from the stock"),
        ("take K K", "take the pile, melding its top card with these of yours"),
        ("take onto K", "take the pile, adding its top card to your kings"),
        ("take Q Q + A A Jo", "take it with more melds, to reach the minimum"),
        ("meld K K K + 9 9 2", "lay down one meld, or several as one move"),
        ("add K 2 to K", "add cards to a meld of your side"),
        ("discard 7", "discard, which ends your turn"),
        ("pass", "leave the pile when the stock is used up"),
    ]
    if rules.melds.runs:
        lines.insert(6, ("add 8 to run#1", "add a card to your first sequence"))
    if rules.turn.undo:
        lines.append(("undo", "take back the last meld of this turn"))
    if rules.turn.keep_last_card:
        lines.append(("keep", "keep your last card instead of discarding it"))
    if rules.deck.caliente_cards:
        lines.append(("caliente", "play a Caliente card instead of drawing"))
    if rules.turn.lay_bonus_by_hand:
        lines.append(("lay 3r", "lay out a red three"))
    if rules.pile.put_back:
        lines.append(("putback", "put back the pile that you have just taken"))
    if rules.going_out.ask != "no" and rules.seats.players >= 4:
        lines.append(("ask", "ask your partner: may I go out?"))
    return lines


def show_moves(where: Console, moves: list[Move]) -> None:
    """The legal moves, one line for each kind."""
    kinds: dict[str, list[str]] = {}
    discards = [move.card for move in moves if isinstance(move, Discard)]
    for move in moves:
        if not isinstance(move, Discard):
            text = format_move(move)
            kinds.setdefault(text.split(" ")[0], []).append(text)
    for texts in kinds.values():
        more = f", and {len(texts) - MOST_MOVES} more" if len(texts) > MOST_MOVES else ""
        print_list(where, texts[:MOST_MOVES], more)
    if discards:
        print_wrapped(where, f"discard one of {format_cards(discards)}", first="  ", rest="    ")


def print_list(where: Console, texts: list[str], more: str) -> None:
    """Moves with commas between, none of them broken over two lines."""
    width = text_width(where)
    line = "  "
    for number, text in enumerate(texts, start=1):
        piece = text + ("," if number < len(texts) else more)
        if line.strip() and len(line) + len(piece) > width:
            where.print(line.rstrip(), markup=False, soft_wrap=True)
            line = "    "
        line += piece + " "
    where.print(line.rstrip(), markup=False, soft_wrap=True)


def show_refusal(where: Console, rules: Ruleset, refusal: WhyNot) -> None:
    """Why a move was refused, by which clause, and what to do instead."""
    voice = Voice(spoken(), rules.deck.caliente_names)
    message, remedy = tell_reason(refusal.reason, refusal.facts, voice)
    print_wrapped(where, message, first=f"  {voice.word('no')}: ", rest="      ", style="refused")
    if remedy:
        print_wrapped(where, remedy, first="      ")
    if refusal.clause in CLAUSES:
        clause = clause_in(refusal.clause, spoken())
        more = voice.say("cards.more", {"name": clause.id})
        where.print(f"      {clause.id}, {clause.title}; {more}", style="quiet", soft_wrap=True)
    elif refusal.clause != NOTATION:
        where.print(f"      {refusal.clause}", style="quiet")


def show_rules(where: Console, rules: Ruleset, wanted: str) -> None:
    """The rule sheet of this table, a part of it, or one clause as this table plays it."""
    name = wanted.upper()
    if not name:
        show_sheet(rule_sheet(rules, spoken()))
    elif name in CLAUSE_GROUPS:
        for clause in (clause_in(each, spoken()) for each in CLAUSE_GROUPS[name]):
            print_wrapped(where, clause.text, first=f"  {clause.id:<8} ", rest=" " * 11)
    elif name in CLAUSES:
        show_clause(clause_in(name, spoken()))
        value = clause_value(name, rules, spoken())
        if value:
            print_wrapped(where, say("sheets.list.here", {"text": value}, spoken()), first="  ")
    else:
        hint = did_you_mean(name.lower(), [clause.lower() for clause in CLAUSES]).upper()
        hint = hint.replace("DID YOU MEAN", "did you mean") or "the groups are " + ", ".join(CLAUSE_GROUPS)
        where.print(f"  There is no clause {quoted(wanted)}; {hint}", markup=False, soft_wrap=True)
