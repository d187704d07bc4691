"""`canasta play`: a table in the terminal, one line at a time. You are seat 0, or where the cut says."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TextIO

import typer
from rich.console import Console
from rich.rule import Rule

from canasta.bots import Bot, bot_names, get_bot
from canasta.commands.asked import Asked
from canasta.commands.line_editing import line_editing
from canasta.commands.output import (
    can_show_suits,
    coloured,
    console,
    fail,
    print_fitted,
    print_wrapped,
    reason_of,
)
from canasta.commands.play_help import WORDS, show_help, show_moves, show_refusal, show_rules
from canasta.commands.spoken import spoken
from canasta.commands.table import result_in_words, show_score_sheet, show_table
from canasta.engine.events import Event, seen_by
from canasta.engine.fair import CUT
from canasta.engine.law.out_in_reach import worth_offering
from canasta.engine.match import Match
from canasta.engine.moves.types import Move, Take
from canasta.notation.errors import NotationError, did_you_mean, printable, quoted
from canasta.notation.local_deals import LocalDeals
from canasta.notation.moves import format_move, parse_move
from canasta.notation.record import LONGEST_NAME, Header, Record, RecordWriter, one_line
from canasta.notation.seats import SEAT_NAMES
from canasta.rules import Ruleset
from canasta.rules.clauses import CLAUSES
from canasta.table.happenings import happened
from canasta.table.wire import Happened
from canasta.words import Voice
from canasta.words.events import Speaker

YOUR_NAME: Final = "You"
_ALIASES: Final = {"?": "help", "exit": "quit", "q": "quit", "bye": "quit", "": "table"}


class Leave(Exception):
    """The person leaves the table."""


def play_match(asked: Asked, *, bot: str, seed: str | None, record: str | None, names: str | None) -> None:
    """Plays a whole match with the person on standard input."""
    rules = asked.rules()
    if bot not in bot_names():
        hint = did_you_mean(bot, bot_names()) or f"there are {', '.join(bot_names())}"
        fail(f"there is no computer player {quoted(bot)}; {hint}")
    seated = _names(names, rules)
    options = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asked.options().items()
    }
    deals = LocalDeals(rules, seed, ask=ask_seed)
    record_header(rules, deals.table, seated, options)  # a seed that no record can hold ends it here
    try:
        deals.cut_for_seats()
        seated = deals.seated(seated)
        tell_cut(deals, seated)
        match = deals.begin()
    except (EOFError, KeyboardInterrupt):
        raise typer.Abort from None
    header = record_header(rules, deals.table, seated, options)
    with ExitStack() as stack:
        writer = None
        if record is not None:
            writer = RecordWriter(
                stack.enter_context(new_file(record)), header, match, fair=deals.fair, before=deals.before
            )
        table = PlayTable(match, header, seated, bot=bot, writer=writer, deals=deals)
        status = table.play()
    typer.echo(goodbye(deals, record))
    if status:
        raise typer.Exit(status)


def refuse_browser_options(*, port: int | None, open_page: bool | None) -> None:
    """What only the table in the browser understands."""
    for option, value in (("--port", port), ("--open and --no-open", open_page)):
        if value is not None:
            belong = "belong" if "and" in option else "belongs"
            fail(f"{option} {belong} to the table in the browser: leave it out, or leave out --text.")


def ask_seed(hand: int, commitment: str) -> str:
    """At a terminal one can type a seed of one's own, once the program has committed to its own."""
    which = "the cut" if hand == CUT else f"hand {hand}"
    typer.echo(f"Fair cards: this program's seed for {which} is fixed by\n  {commitment}")
    if not sys.stdin.isatty():
        return ""
    return input("Type a seed of your own, or Enter for a random one > ").strip()


def tell_cut(deals: LocalDeals, seated: Sequence[str]) -> None:
    """The cards that were cut, by the seats that they led to."""
    where, symbols = console(), can_show_suits()
    speaker = Speaker(seated, deals.you, Voice(spoken(), symbols=symbols))
    cuts = [Happened(what="cut", seat=seat, cards=cards.split()) for seat, cards in deals.cuts(symbols=False)]
    for sentence in speaker.tell(cuts):
        where.print(coloured(sentence))


def goodbye(deals: LocalDeals, record: str | None) -> str:
    """How to come back to the cards of a game."""
    written = printable(record) if record else ""
    if not deals.is_fair:
        return f"The same cards again: --seed {deals.table}" + (f". The record: {written}" if written else "")
    return (
        f"The record: {written}\nIts cards can be checked: canasta verify {written}"
        if written
        else "Goodbye."
    )


def _names(given: str | None, rules: Ruleset) -> list[str]:
    """Who sits where; those not named keep their usual names."""
    players = rules.seats.players
    names = [YOUR_NAME, *SEAT_NAMES[players][1:]]
    wanted = [] if given is None else [one_line(name, LONGEST_NAME) for name in given.split(",")]
    if len(wanted) > players:
        fail(f"{len(wanted)} names for {players} players; leave {len(wanted) - players} out.")
    for seat, name in enumerate(wanted):
        names[seat] = name or names[seat]
    return names


def record_header(rules: Ruleset, seed: str, names: Sequence[str], options: Mapping[str, object]) -> Header:
    # "You" means something at this terminal only
    written = ["" if name == YOUR_NAME else name for name in names]
    try:
        return Header.of(rules, seed=seed, names=written, options=options)
    except ValueError as error:
        fail(f"{error}; choose another --seed.")


def new_file(path: str) -> TextIO:
    """A file that was not there before: an old record is never written over."""
    try:
        return Path(path).open("x", encoding="utf-8")
    except FileExistsError:
        fail(f"{printable(path)} is there already; choose another name for the record.")
    except (OSError, ValueError) as error:
        fail(f"the record cannot be written to {printable(path)}: {reason_of(error)}.")


class PlayTable:
    """The match, the computer players, and the person who types."""

    def __init__(
        self,
        match: Match,
        header: Header,
        names: Sequence[str],
        *,
        bot: str = "club",
        writer: RecordWriter | None = None,
        deals: LocalDeals | None = None,
    ) -> None:
        self.match = match
        self.where: Console = console()
        self.deals = deals or LocalDeals(match.rules, match.seed)
        self.you = self.deals.you
        self.speaker = Speaker(names, self.you, Voice(spoken(), symbols=can_show_suits()))
        self.record = Record(header, list(self.deals.before))
        self.record.note_deal(match, self.deals.fair)
        self.writer = writer
        seats = range(match.rules.seats.players)
        self.bots: dict[int, Bot] = {
            seat: get_bot(bot, f"{match.seed}/{seat}") for seat in seats if seat != self.you
        }
        self.adviser = get_bot("club")
        """Gives the hints, whoever else is at the table."""
        self.saved: set[Path] = set()
        self.untold: list[Event] = []
        """What has happened since you were last told."""

    # -- the course of the game -----------------------------------------------------------------------------

    def play(self) -> int:
        """Plays to the end of the match or until the person leaves; the exit status."""
        try:
            with line_editing(self._typeable):
                return self._play_match()
        except (Leave, EOFError):
            self._say_goodbye()
            return 0
        except KeyboardInterrupt:
            self.where.print()
            self._say_goodbye()
            return 130

    def _play_match(self) -> int:
        while True:
            self._play_hand()
            self._end_hand()
            if self.match.over:
                self.where.print(coloured(result_in_words(self.match, self.speaker), "title"))
                return 0
            self._wait()
            self.deals.deal_next(self.match)
            self.record.note_deal(self.match, self.deals.fair)
            if self.writer is not None:
                self.writer.note_deal(self.match, self.deals.fair)

    def _typeable(self) -> list[str]:
        """The lines that can be typed now: the legal moves, and what is no move."""
        moves = [format_move(move) for move in self.match.hand.legal_moves()]
        return [*moves, *WORDS, *(f"rules {clause}" for clause in CLAUSES)]

    def _play_hand(self) -> None:
        dealt = Happened(what="dealt", seat=self.match.dealer, count=self.match.hand_number)
        self.where.print("\n" + "".join(self.speaker.tell([dealt])))
        is_new = True
        while not self.match.hand.over:
            seat = self.match.hand.turn
            if seat != self.you:
                self._make(seat, self.bots[seat].choose(self.match.hand.view(seat)))
                continue
            is_new = is_new or bool(self.untold)
            self._tell()
            if is_new and self.match.hand.phase != "play":
                self._show()
            is_new = False
            self._your_move()
        self._tell()

    def _make(self, seat: int, move: Move) -> None:
        events = self.match.apply(move)
        self.record.note_move(self.match, seat, move)
        if self.writer is not None:
            self.writer.note_move(self.match, seat, move)
        self.untold += [seen_by(event, self.you) for event in events]

    def _tell(self) -> None:
        for sentence in self.speaker.tell(happened(self.untold, self.you, self.speaker.names)):
            print_wrapped(self.where, sentence, rest="  ")
        self.untold.clear()

    def _end_hand(self) -> None:
        sheets = self.match.sheets[-1]
        self.where.print()
        self.where.print(Rule(f"Score of hand {self.match.hand_number}", style="quiet"))
        show_score_sheet(self.where, self.match, self.speaker, sheets, self.match.hand.scores)
        self.where.print()

    def _say_goodbye(self) -> None:
        if self.writer is not None:
            self.writer.note_left()
        moves = len(self.record.moves)
        self.where.print(f"You leave the table after {moves} move{'s' * (moves != 1)}.")

    # -- the person -----------------------------------------------------------------------------------------

    def _show(self) -> None:
        self.where.print()
        show_table(self.where, self.match, self.speaker)

    def _your_move(self) -> None:
        """Reads lines until one of them is a move that is made."""
        while True:
            line = self._read(self._question())
            if not self._obey(line):
                move = self._parse(line)
                if move is not None and self._try(move):
                    return

    def _question(self) -> str:
        hand = self.match.hand
        if hand.phase == "answer":
            asking = self.speaker.name(hand.state.turn)
            return f"{asking} asks to go out: answer yes or answer no"
        if hand.phase == "play":
            return "meld, add or discard"
        if hand.stock_size == 0:
            return "the stock is used up: take the pile, or pass"
        can_take = any(isinstance(move, Take) for move in hand.legal_moves())
        return "draw, or take the pile" if can_take else "draw"

    def _read(self, question: str) -> str:
        """One line from the person; raises `EOFError` at the end of input."""
        try:
            line = input(f"{question} > ")
        except EOFError:
            self.where.print()
            raise
        if not sys.stdin.isatty():
            # a terminal shows what is typed, a pipe does not
            typer.echo(printable(line))
        return line.strip()

    def _wait(self) -> None:
        if sys.stdin.isatty():
            input("Enter deals the next hand > ")

    def _parse(self, line: str) -> Move | None:
        try:
            return parse_move(line)
        except NotationError as error:
            # Half of the window is left for what the caret says.
            text, caret = (
                error.shown(max(20, self.where.width // 2)) if self.where.is_terminal else error.shown()
            )
            self.where.print(f"  {text}", markup=False, soft_wrap=True)
            print_fitted(self.where, error.summary, first=f"  {caret}", rest="    ")
            self.where.print("  Nothing has been played; help lists the moves.", style="quiet")
            return None

    def _try(self, move: Move) -> bool:
        """Makes a move of the person, or says why not."""
        refusal = self.match.check(move)
        if refusal is not None:
            show_refusal(self.where, refusal)
            return False
        self._make(self.you, move)
        self._tell()
        if self.match.hand.turn == self.you and not self.match.hand.over:
            groups = self.speaker.hand(self.match.hand.hand_cards(self.you))
            self.where.print(coloured("  " + "  ".join(groups)), soft_wrap=True)
        return True

    # -- what can be typed besides moves --------------------------------------------------------------------

    def _obey(self, line: str) -> bool:
        """Does what a line asks for that is not a move; False where it may be one."""
        word, _, rest = line.partition(" ")
        word = _ALIASES.get(word.lower(), word.lower())
        rest = rest.strip()
        if word == "quit":
            raise Leave
        if word == "help":
            show_help(self.where, self.match.rules)
        elif word == "moves":
            show_moves(self.where, self._moves_on_offer())
        elif word == "hint":
            self._hint()
        elif word == "rules":
            show_rules(self.where, self.match.rules, rest)
        elif word == "save":
            self._save(rest)
        elif word == "table":
            self._show()
        else:
            return False
        return True

    def _moves_on_offer(self) -> list[Move]:
        """The legal moves, less a question where going out is out of reach."""
        hand = self.match.hand
        return worth_offering(hand.view(self.you).state, hand.legal_moves())

    def _hint(self) -> None:
        best = self.adviser.hint(self.match.hand.view(self.you))[0]
        print_wrapped(self.where, f"{format_move(best.move)}: {best.reason.text}", first="  ")

    def _save(self, name: str) -> None:
        if not name:
            self._say("Save to which file? For example: save evening.canasta")
            return
        path = Path(name)
        so_far = Record(self.record.header, self.record.entries.copy())
        if not self.match.over:
            so_far.note_left()
        try:
            with path.open("w" if path in self.saved else "x", encoding="utf-8") as file:
                file.write(so_far.text())
        except FileExistsError:
            self._say(f"{name} is there already; choose another name.")
            return
        except (OSError, ValueError) as error:
            self._say(f"{name} cannot be written: {reason_of(error)}.")
            return
        self.saved.add(path)
        self._say(f"Saved: canasta replay {name}")

    def _say(self, text: str) -> None:
        """A line that is not broken, so that a name in it can be copied."""
        self.where.print(f"  {printable(text)}", markup=False, soft_wrap=True)
