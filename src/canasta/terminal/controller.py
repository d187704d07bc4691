"""The player's actions: grouping cards, asking the rules, staging melds, and making moves."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from canasta.i18n import Facts
from canasta.i18n.safe_text import printable
from canasta.rules.special_hands import SPECIAL_NAMES
from canasta.table.errors import problem_of
from canasta.table.selection import Interpretation, other_way, run_ends
from canasta.table.wire import (
    PHRASES,
    AnyFrame,
    Checked,
    Done,
    Hints,
    Problem,
    Refused,
    SeatView,
    TableState,
    TakeChoice,
    WhyNot,
)
from canasta.table.wire_commands import (
    AnyCommand,
    AskHint,
    CheckMove,
    MakeMove,
    NextHand,
    PlayAgain,
    Say,
    StartGame,
    TakeSeat,
    new_id,
)
from canasta.terminal.board import BoardScreen
from canasta.terminal.dialogs import Chooser, MenuChoice
from canasta.terminal.local_table import TableSource
from canasta.terminal.menu import TOO_LITTLE, interpretations_of, main_action, staged_with, take_ways
from canasta.terminal.model import StagedMelds

_PATIENCE: Final = 15.0
_PLAIN: Final = ("pass", "keep", "ask", "answer yes", "answer no", "caliente", "putback", "lay 3r", "lay 3b")


class Actions:
    """Carries out the player's actions, one at a time.

    A second key is ignored while the first awaits its answer, unless the player has already seen the result.
    """

    def __init__(self, screen: BoardScreen, source: TableSource, open_scores: Callable[[], None]) -> None:
        self._screen = screen
        self._model = screen.model
        self._source = source
        self._open_scores = open_scores
        self._waiting: dict[str, asyncio.Future[AnyFrame]] = {}
        self._busy = False
        self._view = 0
        """The number of the state that the move in progress is based on."""
        self._next: tuple[str, str] | None = None
        """The action to carry out next."""

    @property
    def busy(self) -> bool:
        """Whether an action is in progress, including a question to the player."""
        return self._busy

    @property
    def waits(self) -> bool:
        """Whether an answer of the table is pending."""
        return bool(self._waiting)

    def answered(self, command: str, frame: AnyFrame) -> bool:
        """Pass an answer to the caller that is waiting for it. Return False if there is none."""
        waiting = self._waiting.pop(command, None)
        if waiting is None or waiting.done():
            return False
        waiting.set_result(frame)
        return True

    def do(self, what: str, name: str = "") -> None:
        model = self._model
        if model.state is None:
            return
        if self._busy:
            if model.moving and model.state.state > self._view:
                self._next = (what, name)
            return
        doing = self._find(what, name)
        if doing is not None:
            self._busy = True
            self._screen.run_worker(self._finish(doing), group="action")

    async def _finish(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
        finally:
            self._busy = False
            self._screen.show_all()
        if self._next is not None:
            following, self._next = self._next, None
            self.do(*following)

    def _find(self, what: str, name: str) -> Coroutine[Any, Any, None] | None:
        model = self._model
        state = model.state
        assert state is not None
        if what == "main":
            what = main_action(model, is_local=self._source.is_local)
        if what == "d":
            what = "draw" if state.phase == "draw" else "discard"
        if what == "pile":
            what = "discard" if state.phase == "play" and model.is_your_turn else "take"
        if what == "hurry":
            self._source.hurry()
        elif what == "scores":
            self._open_scores()
        elif what == "hint":
            return self._hint()
        elif what == "say":
            return self._say()
        elif what == "sit":
            return self._sit()
        elif what == "start":
            return self._order(StartGame(id=new_id()))
        elif what == "next":
            return self._order(NextHand(id=new_id()))
        elif what == "again":
            return self._order(PlayAgain(id=new_id(), now=model.wants_rematch))
        elif not model.is_your_turn:
            model.notice = model.say("tell.not_your_turn")
            self._screen.show_all()
        else:
            return self._find_move(what, name)
        return None

    def _find_move(self, what: str, name: str) -> Coroutine[Any, Any, None] | None:
        match what:
            case "draw":
                return self._play(["draw"])
            case "take":
                return self._take()
            case "meld":
                return self._meld()
            case "add":
                return self._add(name)
            case "discard":
                return self._discard()
            case "undo":
                if self._model.staged:
                    self._model.unstage()
                    self._screen.show_all()
                    return None
                return self._play(["undo"])
            case "lay" | "special":
                return self._play([self._offered(what)])
        return self._play([what]) if what in _PLAIN else None

    def _offered(self, verb: str) -> str:
        """Return a possible move with this verb or, if there is none, one whose refusal explains why."""
        you = self._model.you
        moves = [] if you is None else you.can
        otherwise = "3r" if verb == "lay" else SPECIAL_NAMES[0]
        return next((move for move in moves if move.startswith(f"{verb} ")), f"{verb} {otherwise}")

    # -- talking to the table -------------------------------------------------------------------------------

    async def _ask(self, command: AnyCommand) -> AnyFrame:
        answer: asyncio.Future[AnyFrame] = asyncio.get_running_loop().create_future()
        self._waiting[command.id] = answer
        self._source.send(command)
        try:
            return await asyncio.wait_for(answer, _PATIENCE)
        except TimeoutError:
            return problem_of("server_error", "NO_ANSWER", answers=command.id)
        finally:
            self._waiting.pop(command.id, None)

    async def check(self, move: str) -> WhyNot | None:
        """Return why the rules refuse a move, or None if they allow it."""
        answer = await self._ask(CheckMove(id=new_id(), move=move))
        if isinstance(answer, Checked):
            return answer.why
        assert isinstance(answer, Problem)
        return WhyNot(clause="", message=self._model.problem_text(answer))

    async def _play(self, moves: Sequence[str]) -> None:
        """Make moves in order, stopping at the first that is refused."""
        model = self._model
        for move in moves:
            state = model.state
            assert state is not None
            self._view, model.moving = state.state, True
            try:
                answer = await self._ask(MakeMove(id=new_id(), state=state.state, move=move))
            finally:
                model.moving = False
            if isinstance(answer, Done):
                model.refusal, model.notice = None, ""
                continue
            if isinstance(answer, Refused):
                model.refusal = answer.why
                if answer.stale:
                    model.refusal = WhyNot(clause="", message=model.say("tell.moved_on"))
            elif isinstance(answer, Problem):
                model.refusal, model.notice = None, model.problem_text(answer)
            return
        if model.staged:
            model.staged = StagedMelds()
            model.arrange()

    async def _order(self, command: AnyCommand) -> None:
        """Send a command other than a move, and report only its problems."""
        answer = await self._ask(command)
        if isinstance(answer, Problem):
            self._model.notice = self._model.problem_text(answer)
        elif isinstance(answer, Refused):
            self._model.refusal = answer.why

    async def _choose(self, title: str, choices: Sequence[MenuChoice]) -> int | None:
        sign = self._model.say("sign.choose")
        return await self._screen.app.push_screen_wait(Chooser(title, choices, sign=sign))

    def _notify(self, notice: str) -> None:
        self._model.refusal, self._model.notice = None, notice

    # -- melding --------------------------------------------------------------------------------------------

    async def _meld(self) -> None:
        """Meld or add the chosen cards. A first meld that is worth too little is staged."""
        model = self._model
        own = model.own()
        if own is None or model.welcome is None:
            return
        if not model.chosen and not model.staged:
            self._notify(model.say("tell.choose_first"))
            return
        readings = interpretations_of(model)
        if own.opened and not model.staged:
            await self._play_one_of(readings, [plan.moves() for plan in readings])
        else:
            await self._open_with(readings)

    async def _open_with(self, readings: Sequence[Interpretation]) -> None:
        """Make a side's first meld as a single move, which must reach the minimum."""
        model = self._model
        allowed: list[Interpretation] = []
        too_little: list[tuple[Interpretation, WhyNot]] = []
        refusal: WhyNot | None = None
        for plan in readings:
            why = await self.check(staged_with(model, plan).move())
            if why is None:
                allowed.append(plan)
            elif why.reason in TOO_LITTLE:
                too_little.append((plan, why))
            else:
                refusal = refusal or why
        if allowed:
            await self._play_one_of(
                allowed, [[staged_with(model, plan).move()] for plan in allowed], checked=True
            )
        elif too_little:
            plan, why = too_little[0]
            model.stage([part.cards for part in plan.parts])
            if plan.parts:
                self._notify(model.refusal_text(why))
            else:
                model.refusal = why
        else:
            model.refusal = refusal

    async def _play_one_of(
        self, readings: Sequence[Interpretation], moves: Sequence[list[str]], *, checked: bool = False
    ) -> None:
        """Play the reading that the rules allow; ask the player if there are several."""
        allowed: list[int] = []
        refusal: WhyNot | None = None
        for number, own in enumerate(moves):
            why = None if checked else await self.check(own[0])
            if why is None:
                allowed.append(number)
            else:
                refusal = refusal or why
        if not allowed:
            self._model.refusal = refusal
            return
        chosen = allowed[0]
        if len(allowed) > 1:
            choices = [MenuChoice(self._description(readings[number])) for number in allowed]
            place = await self._choose(self._model.say("title.ways"), choices)
            if place is None:
                return
            chosen = allowed[place]
        await self._lay(moves[chosen])

    async def _lay(self, moves: Sequence[str]) -> None:
        """Play moves that lay cards. Ask the player how to lay a sequence if there are several ways."""
        model = self._model
        if model.welcome is None or not model.welcome.game.long_runs or len(moves) != 1:
            await self._play(moves)
            return
        ways = await self._ways_of(moves[0])
        place: int | None = 0
        if len(ways) > 1:
            choices = [MenuChoice(model.look.cards(cards)) for cards in ways]
            place = await self._choose(model.say("title.end"), choices)
        if place is not None:
            await self._play([list(ways.values())[place]] if len(ways) > 1 else moves)

    async def _ways_of(self, move: str) -> dict[tuple[str, ...], str]:
        """Return the possible results of laying a sequence, each with its move.

        A wild card or an ace can go to either end.
        """
        ways: dict[tuple[str, ...], str] = {}
        tries = [f"{move} high", f"{move} low"] if move.rpartition(" ")[2].startswith("run") else [move]
        while tries:
            text = tries.pop(0)
            answer = await self._ask(CheckMove(id=new_id(), move=text))
            if not isinstance(answer, Checked) or answer.why is not None or len(answer.melds) != 1:
                continue
            meld = answer.melds[0]
            if not ways and move.startswith("meld ") and (other := other_way(meld)):
                tries.append("meld " + " ".join(other))
            ways.setdefault(tuple(meld.cards), text)
        return ways

    def _description(self, plan: Interpretation) -> str:
        look, say = self._model.look, self._model.say
        melds = {meld.name: meld for meld in self._model.own_melds()}
        parts: list[str] = []
        for part in plan.parts:
            if part.to.startswith("run") and part.to in melds:
                parts.append(
                    say("way.add_run", {"text": look.cards(part.cards), "more": self._ends(part.to)})
                )
            elif part.to:
                size = len(melds[part.to].cards) if part.to in melds else 0
                facts: Facts = {"text": look.cards(part.cards), "meld": part.to, "size": size}
                parts.append(say("way.add", facts))
            else:
                parts.append(say("way.meld", {"text": look.cards(part.cards)}))
        return ", ".join(parts)

    def _ends(self, name: str) -> str:
        """Return the text for one of the player's sequences, such as `5♥–9♥`."""
        model = self._model
        meld = next(meld for meld in model.own_melds() if meld.name == name)
        return "–".join(model.look.card(card) for card in run_ends(meld))

    def _way_to_take(self, take: TakeChoice, top: str) -> str:
        model = self._model
        one, more = model.look.card(top), model.look.cards(take.cards)
        if take.onto.startswith("run"):
            onto = model.say("way.take_onto_run", {"one": one, "more": self._ends(take.onto)})
            return f"{onto} + {more}" if more else onto
        if take.onto:
            return model.say("way.take_onto", {"one": one, "meld": take.onto})
        return model.say("way.take_with", {"one": one, "more": more})

    async def _add(self, name: str) -> None:
        """Add the chosen cards to the meld that was clicked."""
        cards = self._model.chosen_cards()
        if cards:
            await self._lay([f"add {' '.join(cards)} to {name}"])
        else:
            self._notify(self._model.say("tell.choose_to_add"))

    async def _discard(self) -> None:
        cards = self._model.chosen_cards()
        if len(cards) == 1:
            await self._play([f"discard {cards[0]}"])
        elif cards:
            self._notify(self._model.say("tell.one_discard", {"count": len(cards)}))
        else:
            self._notify(self._model.say("tell.choose_to_discard"))

    # -- taking the pile ------------------------------------------------------------------------------------

    async def _take(self) -> None:
        model = self._model
        you, welcome, top = model.you, model.welcome, model.top()
        if you is None or welcome is None:
            return
        if model.staged:
            await self._meld()
        elif model.chosen:
            await self._take_with(top)
        elif you.takes:
            await self._take_by(you.takes, top)
        elif you.no_take is not None:
            model.refusal = you.no_take
        else:
            self._notify(model.say("tell.take_first"))

    async def _take_with(self, top: str) -> None:
        """Take the pile with the chosen cards."""
        model = self._model
        refusal: WhyNot | None = None
        if model.welcome is not None and model.welcome.game.takes == "use_top":
            await self._take_using([moves[0] for moves in take_ways(model)], top)
            return
        for moves in take_ways(model):
            why = await self.check(moves[0])
            if why is None:
                await self._play(moves)
                return
            if why.reason in TOO_LITTLE:
                taking, *more = [
                    tuple(group.split()) for group in moves[0].removeprefix("take ").split(" + ")
                ]
                model.stage_take(taking, top)
                model.stage(more)
                self._notify(model.refusal_text(why))
                return
            refusal = refusal or why
        model.refusal = refusal

    async def _take_using(self, moves: Sequence[str], top: str) -> None:
        """Take the pile, using its top card in one of these ways. Ask the player if there are several."""
        model = self._model
        cards = model.chosen_cards()
        takes: list[TakeChoice] = []
        refusal: WhyNot | None = None
        for move in moves:
            why = await self.check(move)
            if why is None:
                takes.append(TakeChoice(move=move, cards=cards, onto=move.partition(" onto ")[2]))
            refusal = refusal or why
        if takes:
            await self._take_by(takes, top)
        else:
            model.refusal = refusal

    async def _take_by(self, takes: Sequence[TakeChoice], top: str) -> None:
        model, say = self._model, self._model.say
        place: int | None = 0
        if len(takes) > 1:
            choices = [
                MenuChoice(
                    self._way_to_take(take, top),
                    say("way.short", {"short": take.short}) if take.short else "",
                )
                for take in takes
            ]
            place = await self._choose(say("title.take"), choices)
        if place is None:
            return
        take = takes[place]
        if (take.short > 0 or take.lacks) and not take.onto:
            model.stage_take(take.cards, top)
            short = say("tell.short", {"short": take.short})
            self._notify(model.voice.say(f"refusals.{take.lacks}") if take.lacks else short)
        else:
            await self._play([take.move])

    # -- the rest -------------------------------------------------------------------------------------------

    async def _hint(self) -> None:
        model = self._model
        if not model.is_your_turn:
            self._notify(model.say("tell.hint_later"))
            return
        self._notify(model.say("tell.thinking"))
        self._screen.show_all()
        answer = await self._ask(AskHint(id=new_id()))
        self._notify("")
        self._screen.show_all()  # remove the notice before the hints cover the table
        if isinstance(answer, Refused):
            model.refusal = answer.why
            self._screen.show_all()
            return
        if not isinstance(answer, Hints) or not answer.hints:
            self._notify(
                model.problem_text(answer) if isinstance(answer, Problem) else model.say("tell.no_hint")
            )
            return
        choices = [MenuChoice(hint.move, model.hint_text(hint)) for hint in answer.hints]
        place = await self._screen.app.push_screen_wait(
            Chooser(model.say("title.hint"), choices, sign=model.say("sign.play"))
        )
        if place is not None:
            while model.staged:
                model.unstage()
            await self._play([answer.hints[place].move])

    async def _say(self) -> None:
        if self._source.is_local:
            self._notify(self._model.say("tell.nobody_listens"))
            return
        model = self._model
        choices = [MenuChoice(model.voice.say(f"events.phrase.{phrase}")) for phrase in PHRASES]
        place = await self._choose(model.say("title.say"), choices)
        if place is not None:
            await self._order(Say(id=new_id(), phrase=PHRASES[place]))

    async def _sit(self) -> None:
        """Take a free seat or that of a computer player."""
        state, say = self._model.state, self._model.say
        assert state is not None
        if state.joins >= 0:
            self._notify(say("tell.seat_later", {"number": state.joins + 1}))
            return
        seats = [seat for seat in state.seats if seat.open]
        if not seats:
            self._notify(say("tell.no_seat"))
            return
        place: int | None = 0
        if len(seats) > 1:
            choices = [
                MenuChoice(say("sit.seat", {"number": seat.seat + 1}), self._occupant_text(seat, state))
                for seat in seats
            ]
            place = await self._choose(say("title.sit"), choices)
        if place is not None:
            await self._order(TakeSeat(id=new_id(), seat=seats[place].seat))

    def _occupant_text(self, seat: SeatView, state: TableState) -> str:
        """Return a text with the present occupant of the seat and the future partner."""
        voice, say = self._model.voice, self._model.say
        code = {"bot": "sit.bot", "person": "sit.away"}.get(seat.who, "sit.free")
        held = printable(say(code, {"name": voice.place(seat.name), "text": seat.level}))
        others = [other.name for other in state.seats if other.side == seat.side and other is not seat]
        partners = voice.listed([voice.place(printable(name)) for name in others if name])
        return say("sit.with", {"text": held, "partner": partners}) if partners else held
