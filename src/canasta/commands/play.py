"""`canasta play --text`: a table in the terminal, one line at a time."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.rule import Rule

from canasta.commands.local_game import leave, names_of, new_host, record_file, unfinished_game
from canasta.commands.options import (
    Bot,
    Lang,
    MaybeRules,
    New,
    NoSave,
    Options,
    Players,
    Port,
    Record,
    Resume,
    RulesArguments,
    Save,
    SaveArguments,
    Seed,
    examples,
    load_bot_or_exit,
    new_command,
)
from canasta.commands.output import (
    can_show_suits,
    coloured,
    console,
    fail,
    language,
    phrase,
    print_fitted,
    print_wrapped,
    refusal_text,
    use_language,
)
from canasta.commands.play_help import WORDS, line_editing, show_help, show_moves, show_refusal, show_rules
from canasta.commands.table_printer import result_in_words, show_score_sheet, show_table
from canasta.engine.events import Event, seen_by
from canasta.engine.fairness import CUT
from canasta.engine.match import Match
from canasta.engine.moves.legal_moves import why_no_offer, worth_offering
from canasta.engine.moves.types import Move, Take
from canasta.i18n.events import Speaker
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice, reason_in
from canasta.notation.cards import list_hand
from canasta.notation.errors import NotationError
from canasta.notation.moves import parse_move
from canasta.rules.clauses import CLAUSES
from canasta.table.errors import tell_problem
from canasta.table.event_views import Change, events_for
from canasta.table.next_action import Deal, Turn
from canasta.table.wire import EventView, Hints, Refused, TableState
from canasta.table.wire_commands import AskHint, MakeMove, NextHand, new_id
from canasta.terminal.local_table import Host

_ALIASES: Final = {"?": "help", "exit": "quit", "q": "quit", "bye": "quit", "": "table"}


def play_match(
    arguments: RulesArguments,
    *,
    bot: str | None,
    seed: str | None,
    record: str | None,
    names: str | None,
    saving: SaveArguments,
) -> None:
    """Play a whole match with a player who types on standard input."""
    saving.refuse(arguments, {"--bot": bot, "--seed": seed, "--names": names})
    rules = (arguments if arguments.names else replace(arguments, names=["caliente"])).rules()
    level, named = load_bot_or_exit(bot or "club"), names_of(names, rules)
    with record_file(record) as stream:
        try:
            host = unfinished_game(saving, ask_seed) or new_host(
                rules, bot=level, seed=seed, saving=saving, names=named, choose_seed=ask_seed
            )
        except (EOFError, KeyboardInterrupt):
            raise typer.Abort from None
        if stream is not None:
            host.record_to(stream)
        status = PlayTable(host).play()
        leave(host, command="canasta play --text", record=record, saving=saving)
    if status:
        raise typer.Exit(status)


def refuse_browser_options(*, port: int | None, open_page: bool | None) -> None:
    """Exit if an option was given that only the browser table has."""
    for option, value in (("--port", port), ("--open" if open_page else "--no-open", open_page)):
        if value is not None:
            fail("only_browser", {"name": option})


def ask_seed(hand: int, commitment: str) -> str:
    """Show the program's commitment and, at a terminal, let the player type a seed."""
    which = "typed.fair.cut" if hand == CUT else "typed.fair.hand"
    typer.echo(f"{phrase(which, {'count': hand})}\n  {commitment}")
    if not sys.stdin.isatty():
        return ""
    typed = input(f"{phrase('typed.own_seed')} > ").strip()
    if _ALIASES.get(typed.lower(), typed.lower()) == "quit":
        raise EOFError  # as if the input had ended
    return typed


class PlayTable:
    """A table for a player who types moves."""

    def __init__(self, host: Host) -> None:
        self.host = host
        host.on_change = self._hear
        host.on_problem = lambda problem: self._say(tell_problem(problem, language()))
        self.where: Console = console()
        self.saved: set[Path] = set()
        self.untold: list[Event] = []
        """Events that haven't been printed yet."""
        self._is_new = True
        """Whether others have moved since the table was last printed."""
        self._is_unseen = True
        """Whether the table hasn't been printed at all."""
        self._scored = 0
        """The last hand whose score sheet was printed."""

    @property
    def match(self) -> Match:
        match = self.host.table.match
        assert match is not None
        return match

    @property
    def you(self) -> int:
        return self.host.seat or 0

    @property
    def speaker(self) -> Speaker:
        table = self.host.table
        voice = Voice(language(), table.rules.deck.caliente_names, can_show_suits())
        return Speaker(table.names, self.you, voice)

    # -- the course of the game -----------------------------------------------------------------------------

    def play(self) -> int:
        """Play to the end of the match or until the player leaves, and return the exit status."""
        try:
            with line_editing(self._typeable):
                self._play_match()
        except EOFError:
            self._say_goodbye()
        except KeyboardInterrupt:
            self.where.print()
            self._say_goodbye()
            return 130
        return 0

    def _play_match(self) -> None:
        self.host.enter()
        while (due := self.host.due()) is not None:
            if not isinstance(due, Turn):
                if due is not Deal.AFTER_THE_CUT and self.host.table.created.cards:
                    self._wait()  # a prompt for a seed is pause enough
                self.host.handle(NextHand(id=new_id()))
            elif due.level:
                self.host.play(due, self.host.choose(due))
            else:
                self._tell()
                if self._is_unseen or (self._is_new and self.match.hand.phase != "play"):
                    self._show()
                self._is_new = self._is_unseen = False
                self._your_move()
        self.where.print(coloured(result_in_words(self.match, self.speaker), "title"))

    def _hear(self, frame: TableState, change: Change) -> None:
        for part in change:
            if not isinstance(part, EventView):
                self.untold.append(seen_by(part, self.you))
            elif part.what == "cut":
                self.where.print(coloured("".join(self.speaker.tell([part]))))
            elif part.what == "dealt":
                self.where.print("\n" + "".join(self.speaker.tell([part])))
                self._is_new = True
        if frame.turn != self.you and change:
            self._is_new = True
        if frame.sheet is not None and frame.sheet.hand != self._scored:
            self._scored = frame.sheet.hand
            self._tell()
            self._end_hand()
        for event in frame.events:
            if event.what == "fair":
                print_wrapped(self.where, self.speaker.phrase(event), rest="  ")

    def _typeable(self) -> list[str]:
        """Return the lines that can be typed now: legal moves and other commands."""
        if self.host.table.match is None:
            return []
        moves = [str(move) for move in self.match.hand.legal_moves()]
        return [*moves, *WORDS, *(f"rules {clause}" for clause in CLAUSES)]

    def _tell(self) -> None:
        for sentence in self.speaker.tell(events_for(self.untold, self.you, self.speaker.names)):
            print_wrapped(self.where, sentence, rest="  ")
        self.untold.clear()

    def _end_hand(self) -> None:
        sheets = self.match.sheets[-1]
        self.where.print()
        self.where.print(Rule(phrase("typed.score_of", {"count": self.match.hand_number}), style="quiet"))
        show_score_sheet(self.where, self.match, self.speaker, sheets, self.match.hand.scores)
        self.where.print()

    def _say_goodbye(self) -> None:
        moves = self.host.moves
        self.where.print(phrase("typed.you_leave", {"count": moves}))

    # -- the player -----------------------------------------------------------------------------------------

    def _show(self) -> None:
        self.where.print()
        show_table(self.where, self.match, self.speaker)

    def _your_move(self) -> None:
        """Read lines until one of them is a move that is accepted."""
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
            return phrase("typed.question.answer", {"name": asking})
        if hand.phase == "play":
            return phrase("typed.question.play")
        if hand.stock_size == 0:
            return phrase("typed.question.no_stock")
        can_take = any(isinstance(move, Take) for move in hand.legal_moves())
        return phrase("typed.question.take" if can_take else "typed.question.draw")

    def _read(self, question: str) -> str:
        """Read a line from the player. Raises `EOFError` at the end of input."""
        try:
            line = input(f"{question} > ")
        except EOFError:
            self.where.print()
            raise
        if not sys.stdin.isatty():
            # Echo input from a pipe; a terminal has shown it already.
            typer.echo(printable(line))
        return line.strip()

    def _wait(self) -> None:
        if sys.stdin.isatty():
            input(f"{phrase('typed.next_hand')} > ")

    def _parse(self, line: str) -> Move | None:
        try:
            return parse_move(line)
        except NotationError as error:
            # Leave half of the window for the message next to the caret.
            text, caret = (
                error.shown(max(20, self.where.width // 2)) if self.where.is_terminal else error.shown()
            )
            self.where.print(f"  {text}", markup=False, soft_wrap=True)
            problem = error.summary(language())
            print_fitted(self.where, problem, first=f"  {caret}", rest="    ")
            self.where.print(f"  {phrase('typed.not_played')}", style="quiet")
            return None

    def _try(self, move: Move) -> bool:
        """Make the player's move and return True, or print why it's refused."""
        command = MakeMove(id=new_id(), state=self.host.table.state, move=str(move))
        answer = self.host.handle(command)
        if isinstance(answer, Refused):
            show_refusal(self.where, self.match.rules, answer.why)
            return False
        self._tell()
        if self.match.hand.turn == self.you and not self.match.hand.over:
            hand = list_hand(
                self.match.hand.hand_cards(self.you),
                symbols=self.speaker.voice.symbols,
                natural_threes=self.match.compiled.natural_threes,
            )
            self.where.print(coloured(f"  {hand}"), soft_wrap=True)
        return True

    # -- what can be typed besides moves --------------------------------------------------------------------

    def _obey(self, line: str) -> bool:
        """Carry out a command other than a move. Return False if the line may be a move."""
        word, _, rest = line.partition(" ")
        word = _ALIASES.get(word.lower(), word.lower())
        rest = rest.strip()
        if word == "quit":
            raise EOFError  # as if the input had ended
        if word == "help":
            show_help(self.where, self.match.rules)
        elif word == "moves":
            moves = self._moves_on_offer()
            show_moves(self.where, moves)
            self._tell_pile(moves)
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
        """Return the legal moves, without the question to the partner if going out is impossible."""
        hand = self.match.hand
        return worth_offering(hand.view(self.you).state, hand.legal_moves())

    def _tell_pile(self, moves: Sequence[Move]) -> None:
        """Print why the pile can't be taken, if no legal move takes it."""
        hand = self.match.hand
        if hand.phase == "draw" and hand.pile and not any(isinstance(move, Take) for move in moves):
            message, _ = refusal_text(why_no_offer(hand.state))
            print_wrapped(self.where, message, first="  ", style="quiet")

    def _hint(self) -> None:
        answer = self.host.handle(AskHint(id=new_id()))
        if isinstance(answer, Refused):
            show_refusal(self.where, self.match.rules, answer.why)
            return
        assert isinstance(answer, Hints)
        best = answer.hints[0]
        why = self.speaker.voice.tell_reasons(best.reasons, best.text)
        print_wrapped(self.where, f"{best.move}: {why}", first="  ")

    def _save(self, name: str) -> None:
        if not name:
            self._say(phrase("typed.save.which"))
            return
        path = Path(name)
        try:
            with path.open("w" if path in self.saved else "x", encoding="utf-8") as file:
                file.write(self.host.table.record(whole=True))
        except FileExistsError:
            self._say(phrase("typed.save.there", {"name": name}))
            return
        except (OSError, ValueError) as error:
            self._say(phrase("typed.save.failed", {"name": name, "text": reason_in(error, language())}))
            return
        self.saved.add(path)
        self._say(phrase("typed.save.done", {"name": name}))

    def _say(self, text: str) -> None:
        """Print a line without wrapping it, so that a name in it can be copied."""
        self.where.print(f"  {printable(text)}", markup=False, soft_wrap=True)


app = new_command()


@app.command(
    epilog=examples(
        "canasta play",
        "canasta play --rules jaques-samba --players 4 --bot expert",
        "canasta play --text --rules two-player --seed tuesday",
    )
)
def play(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    rules: MaybeRules = None,
    players: Players = None,
    option: Options = None,
    bot: Bot = None,
    port: Port = None,
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page, or only print its address.")
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Type your moves in the terminal, line by line.")
    ] = False,
    seed: Seed = None,
    record: Record = None,
    names: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="The players' names, yours first, separated by commas."),
    ] = None,
    save: Save = None,
    no_save: NoSave = False,
    resume: Resume = False,
    new: New = False,
    lang: Lang = None,
) -> None:
    """Play in the browser.

    If you don't choose a game, you can choose one on the page. With --text you play in the terminal and type
    moves such as "draw", "meld K K K" or "discard 7"; the options --seed, --record, --names, --lang, --save,
    --no-save, --resume and --new work only there. If you leave, the game is saved, and you can resume it
    later.
    """
    saving = SaveArguments(save, no_save=no_save, resume=resume, new=new)
    if text:
        use_language(lang)
        refuse_browser_options(port=port, open_page=open_page)
        arguments = RulesArguments([] if rules is None else [rules], players, option or [])
        play_match(arguments, bot=bot, seed=seed, record=record, names=names, saving=saving)
        return
    from canasta.commands.serve import play_in_browser, refuse_text_options

    refuse_text_options(
        {"--seed": seed, "--record": record, "--names": names, "--lang": lang, **saving.given_options()}
    )
    arguments = RulesArguments([rules or "caliente"], players, option or [])
    game = None if rules is None and players is None and not option and bot is None else arguments
    play_in_browser(game, bot=bot or "club", port=port, open_page=open_page is not False)
