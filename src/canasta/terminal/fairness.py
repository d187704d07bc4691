"""The fairness client of a viewer, which contributes seeds and checks that the cards came from them.

It doesn't trust the server. It keeps everything it has seen before a deal and compares that with the seeds
that the server reveals after the hand. `docs/fair-cards.md` specifies the procedure, which the browser
follows too.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.fairness import CUT, FairRound, commit_to, seed_from_text
from canasta.engine.families.factory import compile_rules
from canasta.engine.match import Match
from canasta.engine.play.deal import deal_from_fair
from canasta.engine.seating import DEAL_ONLY, WITH_SEATS, cut_cards, next_dealer, order_of_hand
from canasta.engine.state import HandState
from canasta.notation.cards import format_card
from canasta.rules import Ruleset, RulesetError, resolve_ruleset
from canasta.table.fairness.ledger import fault_in
from canasta.table.fairness.observation import HandOrderCheck
from canasta.table.fairness.rounds import (
    OwnContribution,
    Participation,
    as_round,
    conflict_with,
    fault_in_rounds,
)
from canasta.table.fairness.transcript import (
    HandTranscript,
    KeptSeed,
    Verdict,
    WitnessFile,
    encode_transcript,
)
from canasta.table.log import day_name
from canasta.table.wire import (
    AnyFrame,
    CutView,
    Done,
    FairRoundView,
    GameView,
    TableState,
    Welcome,
)
from canasta.table.wire_commands import CommitSeed, RevealSeed, new_id

CHECKED: Final = "checked"
WITHOUT_YOU: Final = "without_you"
UNKNOWN_RULES: Final = "unknown_rules"
"""The seeds match, but this program doesn't know the rules that turn them into cards."""
UNSEEN: Final = "unseen"
"""The end of a hand was not shown: the viewer was disconnected, or the server withheld the message."""
PROBLEMS: Final = frozenset(
    {
        "server_changed",  # the server's seed doesn't match its commitment
        "seed_changed",
        "list_changed",  # the list of commitments differs from the one shown earlier
        "left_out",  # the viewer's seed was accepted but left out of the deal
        "blamed",  # the viewer revealed a seed, but the server claims otherwise
        "restarted",  # the round started again after the viewer had revealed a seed
        "cards",
        "dealer",
        "cut",
        "not_shown",
        "early_seed",  # the server revealed its seed before the hand was over
        "no_deal",  # a hand was played whose deal was never shown
        "gap",  # states and events are inconsistent
        "refused",  # the viewer's commitment was sent in time but isn't in the list
        "not_asked",  # the server never asked a connected viewer for a seed
        "rules_changed",  # the rules changed after the viewer had revealed a seed, or between hands
    }
)
RESULTS: Final = PROBLEMS | {CHECKED, WITHOUT_YOU, UNKNOWN_RULES, UNSEEN}

RULES: Final = ("rules", "players", "options", "deal", "stock_floor", "takes", "threes", "caliente_cards")
"""The fields of a game that determine the order and movement of cards."""
MOST_SEATS: Final = 6

ChooseSeed = Callable[[int, str], str]
"""Chooses a seed, given the hand's number (0 for the cut) and the server's commitment.

It returns a seed, any text to derive one from, or an empty text for a random seed.
"""


def any_seed(_hand: int, _commitment: str) -> str:
    """Choose a random seed."""
    return ""


class FairnessClient:
    """Contributes seeds and checks the cards for one viewer of one table."""

    def __init__(
        self,
        table: str,
        choose_seed: ChooseSeed = any_seed,
        *,
        alone: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch a table. `alone` means that no other program contributes seeds for the same person."""
        self._table = table
        self._choose_seed = choose_seed
        self._alone = alone
        self.kept: list[OwnContribution] = []
        self.verdicts: list[Verdict] = []
        self._reported = 0
        """Number of verdicts that have been reported."""
        self._game: GameView | None = None
        self._compiled: CompiledRules | None = None
        """The rules in compiled form; None if they are unknown."""
        self.hands: dict[int, HandTranscript] = {}
        self._judged: dict[int, tuple[FairRoundView, list[FairRoundView]]] = {}
        """By hand, its round and its void rounds as they were shown when the hand was last judged."""
        self._cut: CutView | None = None
        self._cut_seat: int | None = None
        """The seat of the viewer when the cut was last judged."""
        self._dealers: dict[int, int] = {}
        self._course = HandOrderCheck()
        self._participation = Participation(clock)
        self._bound: dict[str, Any] = {}
        """The rules that were in force at the first deal, as shown in the welcome; empty before that."""
        self._commits: dict[str, OwnContribution] = {}
        self._reveals: dict[str, OwnContribution] = {}
        """Reveals that await an answer, by command id. The resulting state arrives before the answer."""

    @property
    def table(self) -> str:
        """The table's name, which the commitments to the seeds include."""
        return self._table

    def connected(self) -> None:
        """Start a new connection. Pending commands are lost."""
        self._participation.connect()
        self._commits.clear()
        self._reveals.clear()

    # -- giving seeds ---------------------------------------------------------------------------------------

    def hear(self, frame: AnyFrame) -> list[CommitSeed | RevealSeed]:
        """Return the commands to send in answer to a frame."""
        if isinstance(frame, Welcome):
            self._note_welcome(frame)
        elif isinstance(frame, Done):
            self._note_done(frame.id)
        elif isinstance(frame, TableState):
            self.examine(frame)
            return self.take_part(frame)
        else:
            refused = str(getattr(frame, "id", ""))
            self._commits.pop(refused, None)
            self._reveals.pop(refused, None)
        return []

    def _note_welcome(self, welcome: Welcome) -> None:
        if welcome.day:
            self._table = day_name(welcome.day)
        game = self._game = welcome.game
        try:
            self._compiled = compile_rules(resolve_ruleset(game.rules, game.players, game.options))
        except RulesetError:
            self._compiled = None

    @property
    def _rules(self) -> Ruleset | None:
        return None if self._compiled is None else self._compiled.rules

    def _note_done(self, name: str) -> None:
        if name in self._commits:
            self._commits.pop(name).taken = True
        elif name in self._reveals:
            self._reveals.pop(name).acknowledged = True

    def take_part(self, state: TableState) -> list[CommitSeed | RevealSeed]:
        """Return the commands with the seeds that a state asks for."""
        now = state.fair.next if state.fair is not None else None
        if now is None or state.seat < 0 or state.status == "over":
            return []
        listed = next((part.commitment for part in now.seats if part.seat == state.seat), "")
        if now.closed:
            return self._reveal(state.seat, now, listed)
        is_out = now.allowed is not None and state.seat not in now.allowed
        # A listed commitment may come from another device of the same user.
        is_in = bool(listed) and (not self._alone or self._find(now, listed) is not None)
        return [] if is_in or is_out else self._commit(state.seat, now)

    def _find(self, now: FairRoundView, commitment: str) -> OwnContribution | None:
        return next(
            (
                kept
                for kept in self.kept
                if (kept.hand, kept.round, kept.commitment) == (now.hand, now.round, commitment)
            ),
            None,
        )

    def _commit(self, seat: int, now: FairRoundView) -> list[CommitSeed | RevealSeed]:
        place = (now.hand, now.round, seat)
        if any((kept.hand, kept.round, kept.seat) == place for kept in self._commits.values()):
            return []
        # Replace an earlier commitment, which is no longer in the list and was not revealed.
        self.kept = [kept for kept in self.kept if kept.listed or (kept.hand, kept.round, kept.seat) != place]
        chosen = self._choose_seed(now.hand, now.commitment)
        seed = seed_from_text(chosen) if chosen else secrets.token_hex(32)
        commitment = commit_to(seed, table=self._table, hand=now.hand, number=now.round, seat=seat)
        kept = OwnContribution(
            now.hand, now.round, seat, seed, commitment, now.commitment, link=self._participation.link
        )
        kept.in_time = self._participation.is_in_time(*place)
        self.kept.append(kept)
        command = CommitSeed(id=new_id(), hand=now.hand, round=now.round, commitment=commitment)
        self._commits[command.id] = kept
        return [command]

    def _reveal(self, seat: int, now: FairRoundView, listed: str) -> list[CommitSeed | RevealSeed]:
        """Reveal the seed if the list contains the viewer's commitment and the server's commitment hasn't
        changed.
        """
        kept = self._find(now, listed)
        if kept is None or kept.seat != seat or kept.server != now.commitment or kept.acknowledged:
            return []
        digest = as_round(self._table, now).list_digest()
        if kept.listed not in ("", digest) or kept in self._reveals.values():
            return []  # reveal nothing more if the list has changed since a reveal
        kept.listed = digest
        kept.game = self._game_facts()
        command = RevealSeed(id=new_id(), hand=now.hand, round=now.round, seed=kept.seed)
        self._reveals[command.id] = kept
        return [command]

    def remember(self, fair: FairRound, seat: int) -> None:
        """Restore a round from an earlier session, from the viewer's own log."""
        for part in fair.parts:
            if part.seat == seat:
                kept = OwnContribution(
                    fair.hand, fair.number, seat, part.seed, part.commitment, fair.commitment
                )
                kept.taken, kept.listed, kept.acknowledged = True, fair.list_digest(), True
                self.kept.append(kept)

    # -- looking at the cards -------------------------------------------------------------------------------

    def examine(self, state: TableState) -> None:
        """Compare a state with earlier ones."""
        self._check_early_seeds(state)
        self._check_own_commitment(state)
        unasked = self._participation.hand_not_asked(state)
        if unasked is not None and (unasked != CUT or self._has_cut()):
            self._alarm(unasked, "not_asked")
        self._check_rules(state)
        if self._is_possible(state):
            is_new = self._observe(state)
            self._judge_cut(state)
            self._judge(state, is_new=is_new)
            self._judge_silence(state)
        self._participation.is_first = False

    @property
    def _takes_part(self) -> bool:
        """Whether the viewer has a seat at a table with fair cards."""
        return self._participation.was_fair and self._participation.was_seated

    def _is_possible(self, state: TableState) -> bool:
        """Return whether a state can follow the earlier ones; raise an alarm if it can't."""
        fault = ""
        if self._takes_part:
            fault = self._course.fault(state, may_skip=self._participation.is_first or bool(state.log))
        if fault:
            self._alarm(max(self._course.hand, 1), fault)
        else:
            self._course.note(state)
        return not fault

    def _check_early_seeds(self, state: TableState) -> None:
        if state.fair is None:
            return
        coming, dealt = state.fair.next, state.fair.dealt
        if coming is not None and coming.server_seed:
            self._alarm(coming.hand, "early_seed")
        if dealt is not None and dealt.server_seed:
            if dealt.hand != state.hand or state.phase != "over":
                self._alarm(dealt.hand, "early_seed")

    def _check_own_commitment(self, state: TableState) -> None:
        """Raise an alarm if a closed list lacks the viewer's commitment."""
        self._participation.note_rounds(state)
        now = state.fair.next if state.fair is not None else None
        if now is not None and now.closed and self._participation.is_refused(now, state.seat, self.kept):
            self._alarm(now.hand, "refused")

    def _check_rules(self, state: TableState) -> None:
        """Raise an alarm if the rules have changed since the first seed or card."""
        facts = self._game_facts()
        if not self._takes_part or not facts:
            return
        for kept in self.kept:
            if kept.listed and kept.game not in ({}, facts):
                self._alarm(kept.hand, "rules_changed")
        if not self._bound and (state.hand > 0 or state.cut is not None):
            self._bound = facts
        elif self._bound not in ({}, facts):
            self._alarm(max(state.hand, 1), "rules_changed")

    def _game_facts(self) -> dict[str, Any]:
        """Return the rules from the last `welcome` message that affect how cards move."""
        game = {} if self._game is None else msgspec.to_builtins(self._game)
        return {name: game[name] for name in RULES if name in game}

    def _observe(self, state: TableState) -> bool:
        """Store the visible part of a hand's state. Return whether it was new."""
        seen = self.hands.get(state.hand)
        seat = state.seat
        if seat < 0:
            # A viewer without a seat still checks the public part of a hand that they contributed to.
            own = [kept.seat for kept in self.kept if kept.hand == state.hand and kept.listed]
            seat = seen.seat if seen is not None else own[-1] if own else -1
        if not state.hand or state.phase == "none" or not 0 <= seat < len(state.seats):
            return False
        self._dealers.setdefault(state.hand, state.dealer)
        if seen is None or (seen.seat != seat and not seen.sees_cards):
            seen = self.hands[state.hand] = HandTranscript(state.hand, seat, state.dealer)
        return seen.add(state)

    def _alarm(self, hand: int, result: str) -> None:
        """Raise an alarm, unless the hand already has one."""
        if not any(verdict.hand == hand and verdict.result in PROBLEMS for verdict in self.verdicts):
            self.verdicts.append(Verdict(hand, result))

    def _add_verdict(self, hand: int, result: str) -> None:
        """Add a verdict. After the first verdict on a hand, only an alarm is added."""
        if result in PROBLEMS:
            self._alarm(hand, result)
        elif not any(verdict.hand == hand for verdict in self.verdicts):
            self.verdicts.append(Verdict(hand, result))

    def _judge_cut(self, state: TableState) -> None:
        cut = state.cut
        if cut is None or (cut, state.seat) == (self._cut, self._cut_seat):
            return
        is_other = self._cut not in (None, cut)
        self._cut, self._cut_seat = cut, state.seat
        self._add_verdict(0, "cut" if is_other else self._result_of_cut(state, cut))

    def _judge(self, state: TableState, *, is_new: bool) -> None:
        """Check a finished hand as soon as its seeds are shown, and again whenever more is shown."""
        hand, fair = state.hand, state.fair
        judged = self._judged.get(hand)
        dealt = fair.dealt if fair is not None else None
        if fair is not None and dealt is not None and dealt.server_seed and dealt.hand == hand:
            if state.phase == "over" and (judged is None or judged[0] != dealt):
                voids = [one for one in fair.void if one.hand == hand]
                if judged is None and hand in self.hands:
                    self.hands[hand].fair, self.hands[hand].void = dealt, voids
                self._judged[hand] = (dealt, voids)
                is_new = True
        if is_new and hand in self._judged:
            self._add_verdict(hand, self._result(*self._judged[hand]))

    def _judge_silence(self, state: TableState) -> None:
        """Add a verdict on hands whose seeds should have been shown but weren't.

        The server shows them after the cut and after each hand. Hiding a round for which the viewer has
        revealed a seed would be the easiest way to cheat.
        """
        due = [0] if state.hand == 1 else []
        due += [state.hand] if state.hand and state.phase == "over" else []
        judged = {verdict.hand for verdict in self.verdicts}
        for hand in due:
            if hand not in judged and self._revealed_for(hand):
                self.verdicts.append(Verdict(hand, "not_shown"))
        for hand in sorted(self.hands.keys() - judged):
            if hand < state.hand and self._revealed_for(hand):
                self.verdicts.append(Verdict(hand, UNSEEN))

    def _revealed_for(self, hand: int) -> bool:
        return any(kept.hand == hand and kept.listed for kept in self.kept)

    def _result_of_cut(self, state: TableState, cut: CutView) -> str:
        is_seat = 0 <= state.seat < len(cut.before)
        seat = cut.before[state.seat] if is_seat else -1
        if cut.round.hand != CUT or not self._has_cut():
            return "cut"
        fair = as_round(self._table, cut.round)
        problem = self._wrong_rounds(cut.round, cut.void, seat)
        if problem:
            return problem
        if self._rules is None:
            return UNKNOWN_RULES
        true = cut_cards(self._rules, fair.cut_rng())
        shown = [[format_card(card) for card in true.cards[seat]] for seat in true.seating.players]
        if shown != cut.cards or (true.seating.players, true.seating.dealer) != (cut.before, cut.dealer):
            return "cut"
        return self._own_part(fair)

    def _has_cut(self) -> bool:
        """Return whether this game starts with a cut for the deal."""
        return self._game is None or self._game.deal.first_dealer in (WITH_SEATS, DEAL_ONLY)

    def _result(self, dealt: FairRoundView, voids: list[FairRoundView]) -> str:
        one = as_round(self._table, dealt)
        seen = self.hands.get(dealt.hand)
        problem = self._wrong_rounds(dealt, voids, seen.seat if seen is not None and seen.sees_cards else -1)
        if problem:
            return problem
        if self._compiled is None:
            return UNKNOWN_RULES
        problem = self._wrong_cards(one, self._compiled)
        if problem:
            return problem
        result = self._own_part(one)
        is_complete = seen is not None and seen.sees_cards and seen.observations[-1].phase == "over"
        return result if is_complete or result != CHECKED else UNSEEN

    def _own_part(self, fair: FairRound) -> str:
        own = {kept.commitment for kept in self.kept}
        return CHECKED if any(part.commitment in own for part in fair.parts) else WITHOUT_YOU

    def _wrong_rounds(self, dealt: FairRoundView, voids: Sequence[FairRoundView], seat: int) -> str:
        """Return the code of the first fault in a hand's rounds; empty if there is none.

        `seat` is the viewer's seat in those rounds.
        """
        fair = as_round(self._table, dealt)
        lost = [as_round(self._table, void) for void in voids]
        problem = fault_in_rounds(fair, lost, MOST_SEATS if self._game is None else self._game.players)
        if problem:
            return problem
        rounds = {one.number: one for one in (*lost, fair)}
        for kept in self.kept:
            if kept.hand != fair.hand:
                continue
            one = rounds.get(kept.round)
            if one is None:
                if kept.listed:
                    return "restarted"
                continue
            problem = conflict_with(kept, one, is_void=one is not fair, stayed=kept.seat == seat)
            if problem:
                return problem
        if any(self._participation.is_refused(closed, seat, self.kept) for closed in (dealt, *voids)):
            return "refused"
        return ""

    def _wrong_cards(self, fair: FairRound, compiled: CompiledRules) -> str:
        seen = self.hands.get(fair.hand)
        if seen is None:
            return ""
        dealer = self._true_dealer(fair, compiled.rules)
        if dealer is not None and dealer != seen.dealer:
            return "dealer"
        if seen.dealer not in order_of_hand(compiled.rules, fair.hand):
            return "dealer"
        if not seen.sees_cards and not seen.has_deal:
            return ""
        deal = dealt_cards(compiled, fair, seen.dealer)
        return fault_in(seen.observations, deal, hand=fair.hand, dealer=seen.dealer, seat=seen.seat)

    def _true_dealer(self, fair: FairRound, rules: Ruleset) -> int | None:
        """Return the seat that must deal this hand, or None if no earlier dealer is known.

        -1 means that the cut, which should have chosen the dealer, wasn't shown.
        """
        players = rules.seats.players
        if fair.hand == 1:
            first = None
            if self._has_cut():
                first = -1 if self._cut is None else self._cut.dealer
                if not 0 <= first < players:
                    return -1
            return Match.new(rules, "", fair=fair, first_dealer=first).dealer
        earlier = max((hand for hand in self._dealers if hand < fair.hand), default=None)
        if earlier is None:
            return None
        dealer = self._dealers[earlier]
        for hand in range(earlier + 1, fair.hand + 1):
            dealer = next_dealer(dealer, order_of_hand(rules, hand), players)
        return dealer

    @property
    def alarms(self) -> list[Verdict]:
        """Return all alarms so far."""
        return [verdict for verdict in self.verdicts if verdict.result in PROBLEMS]

    def new_verdicts(self) -> list[Verdict]:
        """Return verdicts that have not been reported yet."""
        new, self._reported = self.verdicts[self._reported :], len(self.verdicts)
        return new

    def verify_options(self) -> str:
        """Return the options of `canasta verify` that check the viewer's own seeds."""
        used = [kept for kept in self.kept if kept.acknowledged]
        return " ".join(f"--seed {kept.seed} --commitment {kept.listed}" for kept in used)

    def transcript(self) -> bytes:
        """Return everything seen so far, as a file for `canasta verify --witness`."""
        game = self._game
        return encode_transcript(
            WitnessFile(
                table=self._table,
                rules="" if game is None else game.rules,
                players=0 if game is None else game.players,
                options={} if game is None else game.options,
                kept=[
                    msgspec.convert(kept, KeptSeed, from_attributes=True) for kept in self.kept if kept.listed
                ],
                verdicts=list(self.verdicts),
                hands=[self.hands[hand].saved() for hand in sorted(self.hands)],
                dropped=[],
            )
        )


def transcript_name(table: str) -> str:
    """Return the path of a transcript file in the current folder."""
    safe = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in table)[:60]
    return f"canasta-{safe}.witness.json"


def dealt_cards(compiled: CompiledRules, fair: FairRound, dealer: int) -> HandState:
    """Return the hand after the deal."""
    return deal_from_fair(
        compiled,
        fair=fair,
        hand_number=fair.hand,
        dealer=dealer,
        scores=[0] * compiled.rules.seats.sides,
    )
