"""Help at the typed table: moves, refusals and rules, and line editing with completion of moves."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.text import Text

from canasta.commands.output import language, phrase, print_wrapped, text_width
from canasta.commands.rules import no_clause, show_clause, show_sheet
from canasta.engine.moves.refusals import NOTATION
from canasta.engine.moves.types import Discard, Move
from canasta.i18n import Message
from canasta.i18n.voice import Voice
from canasta.notation.cards import format_cards
from canasta.rules.clauses import CLAUSE_GROUPS, CLAUSES, clause_in, clause_value
from canasta.rules.model import Ruleset
from canasta.rules.sheet.sections import rule_sheet
from canasta.table.wire import WhyNot

MOST_MOVES: Final = 40
"""Maximum moves of one kind to list; a large hand can open in hundreds of ways."""

_COMMANDS: Final = ("moves", "hint", "rules", "table", "save", "quit")

WORDS: Final = (*_COMMANDS, "help")
"""Commands that can be typed in place of a move."""


def show_help(where: Console, rules: Ruleset) -> None:
    """Print this game's moves and the other commands."""
    voice = Voice(language(), rules.deck.caliente_names)
    where.print(Text(voice.say("typed.help.moves"), style="title"))
    for move, form in _moves(rules):
        where.print(f"  {move:<24} {voice.say(f'typed.form.{form}')}", markup=False, soft_wrap=True)
    print_wrapped(where, voice.say("typed.help.cards"), first="  ")
    where.print(Text(voice.say("typed.help.also"), style="title"))
    for word in _COMMANDS:
        typed = "save FILE" if word == "save" else word
        where.print(f"  {typed:<24} {voice.say(f'typed.command.{word}')}", markup=False, soft_wrap=True)
    if where.is_terminal:
        print_wrapped(where, voice.say("typed.help.keys"), first="  ")


def _moves(rules: Ruleset) -> list[tuple[str, str]]:
    """Return examples of this game's moves as typed, each with the code of its explanation."""
    lines = [("draw", "draw"), *_takes(rules)]
    if rules.melds.run_most:
        lines += [
            ("meld 5h 6h 7h", "meld_run"),
            ("add 8h to run#1", "add_run"),
            ("add 6h to run#1 low", "add_end"),
        ]
    else:
        lines += [("meld K K K + 9 9 2", "meld"), ("add K 2 to K", "add")]
        lines += [("add 8 to run#1", "add_run")] if rules.melds.runs else []
    lines.append(("discard 7", "discard"))
    if rules.stock_end.after_last_card != "ends":
        lines.append(("pass", "pass"))
    if rules.turn.undo:
        lines.append(("undo", "undo"))
    if rules.turn.keep_last_card:
        lines.append(("keep", "keep"))
    if rules.deck.caliente_cards:
        lines.append(("caliente", "caliente"))
    if rules.turn.lay_bonus_by_hand:
        lines.append(("lay 3r", "lay"))
    if rules.turn.keep_three:
        lines.append(("lay 3b", "lay_kept"))
    if rules.going_out.special_hands != "none":
        lines.append(("special straight", "special"))
    if rules.pile.put_back:
        lines.append(("putback", "putback"))
    if rules.going_out.ask != "no" and rules.seats.players >= 4:
        lines += [("ask", "ask"), ("answer yes", "answer")]
    return lines


def _takes(rules: Ruleset) -> list[tuple[str, str]]:
    """Return the ways to take the pile, as pairs of an example command and the key of its help text."""
    pile = rules.pile
    if pile.take == "free":
        return [("take", "take_free")]
    if pile.take == "use_top":
        return [("take 5h 6h", "take"), ("take onto run#1", "take_run")]
    onto = pile.add_to_meld or pile.add_to_canasta or pile.add_to_run
    more = ("take Q Q + A A Jo", "take_more")
    return [("take K K", "take"), *([("take onto K", "take_onto")] if onto else []), more]


def show_moves(where: Console, moves: list[Move]) -> None:
    """Print the legal moves, one line for each kind."""
    kinds: dict[str, list[str]] = {}
    discards = [move.card for move in moves if isinstance(move, Discard)]
    for move in moves:
        if not isinstance(move, Discard):
            text = str(move)
            kinds.setdefault(text.split(" ", maxsplit=1)[0], []).append(text)
    for texts in kinds.values():
        left_out = len(texts) - MOST_MOVES
        more = f", {phrase('typed.more_moves', {'count': left_out})}" if left_out > 0 else ""
        print_list(where, texts[:MOST_MOVES], more)
    if discards:
        discardable = phrase("typed.discard_one", {"text": format_cards(discards)})
        print_wrapped(where, discardable, first="  ", rest="    ")


def print_list(where: Console, texts: list[str], more: str) -> None:
    """Print moves separated by commas, without breaking any over two lines."""
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
    """Print why a move was refused, by which clause, and what to do instead."""
    voice = Voice(language(), rules.deck.caliente_names)
    message, remedy = voice.tell(Message(f"refusals.{refusal.reason}", refusal.facts))
    print_wrapped(where, message, first=f"  {voice.word('no')}: ", rest="      ", style="refused")
    if remedy:
        print_wrapped(where, remedy, first="      ")
    if refusal.clause in CLAUSES:
        clause = clause_in(refusal.clause, language())
        more = voice.say("cards.more", {"name": clause.id})
        where.print(f"      {clause.id}, {clause.title}; {more}", style="quiet", soft_wrap=True)
    elif refusal.clause != NOTATION:
        where.print(f"      {refusal.clause}", style="quiet")


def show_rules(where: Console, rules: Ruleset, wanted: str) -> None:
    """Print this table's rule sheet, a group of its clauses, or one clause with its value here."""
    name = wanted.upper()
    if not name:
        show_sheet(rule_sheet(rules, language()))
    elif name in CLAUSE_GROUPS:
        for clause in (clause_in(each, language()) for each in CLAUSE_GROUPS[name]):
            print_wrapped(where, clause.text, first=f"  {clause.id:<8} ", rest=" " * 11)
    elif name in CLAUSES:
        show_clause(clause_in(name, language()))
        value = clause_value(name, rules, language())
        if value:
            print_wrapped(where, phrase("sheets.list.here", {"text": value}), first="  ")
    else:
        where.print(f"  {no_clause(wanted)}", markup=False, soft_wrap=True)


def next_words(lines: Sequence[str], before: str, begun: str) -> list[str]:
    """Return the words that start with `begun` and follow `before` in one of these lines, ignoring case.

    A word that isn't the last of its line ends in a blank.

    >>> next_words(["draw", "discard 7", "discard K"], "", "d")
    ['draw', 'discard ']
    >>> next_words(["draw", "discard 7", "discard K"], "discard ", "")
    ['7', 'K']
    """
    typed = before.lower().split()
    found: dict[str, None] = {}
    for line in lines:
        words = line.split()
        if len(words) > len(typed) and [word.lower() for word in words[: len(typed)]] == typed:
            word = words[len(typed)] + " " * (len(words) > len(typed) + 1)
            if word.lower().startswith(begun.lower()):
                found[word] = None
    return list(found)


@contextmanager
def line_editing(lines: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Give `input` editing, history and completion; `lines` returns the lines that can be typed now.

    This does nothing if standard input or output isn't a terminal, or if Python has no readline. The Windows
    console has its own line editing.
    """
    if sys.platform != "win32" and sys.stdin.isatty() and sys.stdout.isatty():
        try:
            import readline  # noqa: PLC0415 - loading it changes what `input` does
        except ImportError:
            yield
            return
        offered: list[str] = []

        def complete(begun: str, number: int) -> str | None:
            if number == 0:
                offered[:] = next_words(lines(), readline.get_line_buffer()[: readline.get_begidx()], begun)
            return offered[number] if number < len(offered) else None

        before = readline.get_completer(), readline.get_completer_delims()
        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        # libedit, the readline of BSD and macOS, has its own syntax for this.
        is_bsd = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_bsd else "tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before[0])
            readline.set_completer_delims(before[1])
    else:
        yield
