"""One's own part in fair cards: the seeds that one gives, and whether the cards came from them.

The server is not believed. What was seen before a deal is kept, and compared with what the server shows when
the hand is over. `docs/fair-cards.md` tells what is done and why; the browser table does the same.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.engine.cutting import cut_cards
from canasta.engine.fair import SERVER, FairRound, Part, commit_to, seed_from_text
from canasta.engine.match import Match
from canasta.engine.moves.find_cards import cards_held
from canasta.engine.play.deal import deal_from_fair
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import HandState
from canasta.notation.cards import format_card
from canasta.rules import Ruleset, RulesetError, resolve_ruleset
from canasta.table.fair_wire import CutView, FairRoundView, FairView
from canasta.table.log import day_name
from canasta.table.wire import AnyFrame, Done, Happened, TableState, Welcome
from canasta.table.wire_commands import CommitSeed, RevealSeed
from canasta.terminal.source import new_id

FAIR: Final = "fair"
"""What a verdict is called among the events of a table."""
CHECKED: Final = "checked"
WITHOUT_YOU: Final = "without_you"
UNKNOWN_RULES: Final = "unknown_rules"
"""The seeds fit; what cards follow from them cannot be told."""
UNSEEN: Final = "unseen"
"""A hand was played, and its end was not shown: one was not connected then, or the server kept it back."""
PROBLEMS: Final = frozenset(
    {
        "server_changed",  # the server has not kept to the seed that it had committed to
        "seed_changed",
        "list_changed",  # the list of commitments is not the one that was shown
        "left_out",  # one's seed was taken and then left out
        "blamed",  # one's seed is said not to have been revealed, and it was
        "restarted",  # after one had revealed
        "cards",
        "dealer",
        "cut",
        "not_shown",
    }
)
RESULTS: Final = PROBLEMS | {CHECKED, WITHOUT_YOU, UNKNOWN_RULES, UNSEEN}

ChooseSeed = Callable[[int, str], str]
"""Given the number of the hand, 0 for the cut, and the server's commitment: a seed, or any text to make one
of; empty for a random one."""


def any_seed(_hand: int, _commitment: str) -> str:
    """One leaves it to chance."""
    return ""


@dataclass
class Kept:
    """What one knows of a round in which one takes part."""

    hand: int
    round: int
    seat: int
    seed: str
    commitment: str
    server: str
    """The server's commitment, as it was before one's own was sent."""
    taken: bool = False
    """The server has acknowledged the commitment."""
    listed: str = ""
    """The digest of the closed list for which the seed was revealed."""
    acknowledged: bool = False
    """The server has acknowledged the seed."""


@dataclass(frozen=True)
class Verdict:
    hand: int
    result: str
    """One of `RESULTS`."""

    def happened(self) -> Happened:
        """For the log of the table; the words are those of `events.fair`."""
        return Happened(what=FAIR, count=self.hand, phrase=self.result)


@dataclass
class _Seen:
    """Cards of a hand that one has seen."""

    dealer: int
    seat: int
    cards: list[str] | None = None
    """One's own after the deal."""
    pile: list[str] = field(default_factory=list)
    draws: list[tuple[int, int, list[str]]] = field(default_factory=list)
    """Places of the stock before and after, and what one drew between them."""
    pots: list[int] = field(default_factory=list)
    """Sizes of those that lay there when one first saw the hand."""
    taken: int = 0
    """Pots that players had taken then."""
    stocked: list[int] = field(default_factory=list)
    """Which of the pots have become the stock."""

    def place(self, state: TableState) -> int:
        """Where the next card of the stock lies, counted from the end of the deck as it was dealt. A pot that
        becomes the stock lies behind it."""
        taken = sum(side.pot_taken for side in state.sides) - self.taken
        while len(self.stocked) < len(self.pots) - len(state.pots) - taken:
            self.stocked.append(taken + len(self.stocked))
        return sum(self.pots[pot] for pot in self.stocked) - state.stock


class Witness:
    """Gives seeds and looks at the cards, for one viewer of one table."""

    def __init__(self, table: str, choose_seed: ChooseSeed = any_seed, *, alone: bool = False) -> None:
        """`alone`: no other program gives seeds for the same person."""
        self._table = table
        self._choose_seed = choose_seed
        self._alone = alone
        self.kept: list[Kept] = []
        self.verdicts: list[Verdict] = []
        self._told = 0
        """Verdicts that were told."""
        self._rules: Ruleset | None = None
        self._seen: dict[int, _Seen] = {}
        self._place = 0
        self._commits: dict[str, Kept] = {}
        self._reveals: dict[str, Kept] = {}
        """Commands on their way. The state that they lead to comes before the answer."""

    # -- giving seeds ---------------------------------------------------------------------------------------

    def hear(self, frame: AnyFrame) -> list[CommitSeed | RevealSeed]:
        """What to send in answer to a frame."""
        if isinstance(frame, Welcome):
            self._commits.clear()
            self._reveals.clear()
            if frame.day:
                self._table = day_name(frame.day)
            try:
                self._rules = resolve_ruleset(frame.game.rules, frame.game.players, frame.game.options)
            except RulesetError:
                self._rules = None
        elif isinstance(frame, Done):
            self._note_done(frame.id)
        elif isinstance(frame, TableState):
            self.look(frame)
            return self.take_part(frame)
        else:
            refused = str(getattr(frame, "id", ""))
            self._commits.pop(refused, None)
            self._reveals.pop(refused, None)
        return []

    def _note_done(self, name: str) -> None:
        if name in self._commits:
            self._commits.pop(name).taken = True
        elif name in self._reveals:
            self._reveals.pop(name).acknowledged = True

    def take_part(self, state: TableState) -> list[CommitSeed | RevealSeed]:
        """The seeds that a state asks for."""
        now = state.fair.next if state.fair is not None else None
        if now is None or state.seat < 0 or state.status == "over":
            return []
        listed = next((part.commitment for part in now.seats if part.seat == state.seat), "")
        if now.closed:
            return self._reveal(state.seat, now, listed)
        is_out = now.allowed is not None and state.seat not in now.allowed
        # A commitment that is there may be that of another device of the same person.
        is_in = bool(listed) and (not self._alone or self._find(now, listed) is not None)
        return [] if is_in or is_out else self._commit(state.seat, now)

    def _find(self, now: FairRoundView, commitment: str) -> Kept | None:
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
        # An earlier one for the same place is not in the list any more, and was not revealed.
        self.kept = [kept for kept in self.kept if kept.listed or (kept.hand, kept.round, kept.seat) != place]
        chosen = self._choose_seed(now.hand, now.commitment)
        seed = seed_from_text(chosen) if chosen else secrets.token_hex(32)
        commitment = commit_to(seed, table=self._table, hand=now.hand, number=now.round, seat=seat)
        kept = Kept(now.hand, now.round, seat, seed, commitment, now.commitment)
        self.kept.append(kept)
        command = CommitSeed(id=new_id(), hand=now.hand, round=now.round, commitment=commitment)
        self._commits[command.id] = kept
        return [command]

    def _reveal(self, seat: int, now: FairRoundView, listed: str) -> list[CommitSeed | RevealSeed]:
        """Only for a list that has one's own commitment, and the server's as it was."""
        kept = self._find(now, listed)
        if kept is None or kept.seat != seat or kept.server != now.commitment or kept.acknowledged:
            return []
        digest = as_round(self._table, now).list_digest()
        if kept.listed not in ("", digest) or kept in self._reveals.values():
            return []  # a list that changes after one has revealed gets nothing more
        kept.listed = digest
        command = RevealSeed(id=new_id(), hand=now.hand, round=now.round, seed=kept.seed)
        self._reveals[command.id] = kept
        return [command]

    def remember(self, fair: FairRound, seat: int) -> None:
        """One has taken part in this round in an earlier sitting, as one's own log says."""
        for part in fair.parts:
            if part.seat == seat:
                kept = Kept(fair.hand, fair.number, seat, part.seed, part.commitment, fair.commitment)
                kept.taken, kept.listed, kept.acknowledged = True, fair.list_digest(), True
                self.kept.append(kept)

    # -- looking at the cards -------------------------------------------------------------------------------

    def look(self, state: TableState) -> None:
        """Compares a state with what was told before."""
        if state.hand and state.you is not None and state.phase != "none":
            if state.hand not in self._seen:
                taken = sum(side.pot_taken for side in state.sides)
                first = _Seen(state.dealer, state.seat, pots=list(state.pots), taken=taken)
                self._seen[state.hand] = first
                self._place = -state.stock
            seen = self._seen[state.hand]
            dealt = any(event.what == "dealt" for event in state.events)
            if dealt and not any(event.what == "drew" for event in state.events):
                seen.cards = list(state.you.cards)
                seen.pile = list(state.pile.cards) if state.pile is not None else []
            before, self._place = self._place, seen.place(state)
            for event in state.events:
                if event.what == "drew" and event.seat == state.seat and event.cards and not dealt:
                    seen.draws.append((before, self._place, list(event.cards)))
        self._judge(state)

    def _judge(self, state: TableState) -> None:
        fair = state.fair
        told = {verdict.hand for verdict in self.verdicts}
        if state.cut is not None and 0 not in told:
            self.verdicts.append(Verdict(0, self._result_of_cut(state.cut)))
        if fair is not None and fair.dealt is not None and fair.dealt.server_seed:
            if fair.dealt.hand not in told:
                self.verdicts.append(Verdict(fair.dealt.hand, self._result(state, fair, fair.dealt)))
        self._judge_silence(state)

    def _judge_silence(self, state: TableState) -> None:
        """When the players have cut, and when a hand is over, the seeds are shown: to say nothing of a round
        for which one has revealed would be the simplest way to cheat."""
        due = [0] if state.hand == 1 else []
        due += [state.hand] if state.hand and state.phase == "over" else []
        told = {verdict.hand for verdict in self.verdicts}
        for hand in due:
            if hand not in told and self._revealed_for(hand):
                self.verdicts.append(Verdict(hand, "not_shown"))
        for hand in sorted(self._seen.keys() - told):
            if hand < state.hand and self._revealed_for(hand):
                self.verdicts.append(Verdict(hand, UNSEEN))

    def _revealed_for(self, hand: int) -> bool:
        return any(kept.hand == hand and kept.listed for kept in self.kept)

    def _result_of_cut(self, cut: CutView) -> str:
        fair = as_round(self._table, cut.round)
        problem = self._wrong_seeds(fair, [])
        if problem:
            return problem
        if self._rules is None:
            return UNKNOWN_RULES
        true = cut_cards(self._rules, fair.cut_rng())
        told = [[format_card(card) for card in true.cards[seat]] for seat in true.seating.players]
        if told != cut.cards or (true.seating.players, true.seating.dealer) != (cut.before, cut.dealer):
            return "cut"
        return self._own_part(fair)

    def _result(self, state: TableState, fair: FairView, dealt: FairRoundView) -> str:
        one = as_round(self._table, dealt)
        problem = self._wrong_seeds(one, [as_round(self._table, void) for void in fair.void])
        if not problem:
            if self._rules is None:
                return UNKNOWN_RULES
            problem = self._wrong_cards(state, one, self._rules)
        return problem or self._own_part(one)

    def _own_part(self, fair: FairRound) -> str:
        own = {kept.commitment for kept in self.kept}
        return CHECKED if any(part.commitment in own for part in fair.parts) else WITHOUT_YOU

    def _wrong_seeds(self, fair: FairRound, voids: Sequence[FairRound]) -> str:
        """The server's story against what one has kept."""
        wrong = next((one for one in (fair, *voids) if not one.holds), None)
        if wrong is not None:
            part = wrong.wrong_part()
            return "server_changed" if part is not None and part.seat == SERVER else "seed_changed"
        told = {one.number: one for one in voids} | {fair.number: fair}
        for kept in self.kept:
            if kept.hand != fair.hand:
                continue
            one = told.get(kept.round)
            if one is None:
                if kept.listed:
                    return "restarted"
                continue
            seen = self._seen.get(fair.hand)
            stayed = seen is not None and seen.seat == kept.seat
            problem = _wrong_round(kept, one, is_void=one is not fair, stayed=stayed)
            if problem:
                return problem
        return ""

    def _wrong_cards(self, state: TableState, fair: FairRound, rules: Ruleset) -> str:
        seen = self._seen.get(fair.hand)
        if seen is None:
            return ""
        if fair.hand == 1:
            cut = state.cut
            dealer = Match.new(rules, "", fair=fair, first_dealer=None if cut is None else cut.dealer).dealer
            if dealer != seen.dealer:
                return "dealer"
        true = dealt_cards(rules, fair, seen.dealer)
        if seen.cards is not None:
            own = Counter(map(format_card, cards_held(true, seen.seat)))
            pile = list(map(format_card, true.pile))
            # Where the pile is squared off, only some of its cards are shown.
            differs = any(card and card != real for card, real in zip(seen.pile, pile, strict=False))
            if own != Counter(seen.cards) or len(pile) != len(seen.pile) or differs:
                return "cards"
        pots = true.pots[len(true.pots) - len(seen.pots) :]
        stocked = [card for pot in seen.stocked for card in pots[pot]]
        deck = list(map(format_card, [*true.deck, *stocked]))
        end = len(true.deck)
        for before, after, cards in seen.draws:
            if Counter(cards) - Counter(deck[end + before : end + after]):
                return "cards"
        return ""

    def news(self) -> list[Verdict]:
        """Verdicts that were not told yet."""
        new, self._told = self.verdicts[self._told :], len(self.verdicts)
        return new

    def noted(self) -> str:
        """What `canasta verify` can look for, as it is typed there."""
        used = [kept for kept in self.kept if kept.acknowledged]
        return " ".join(f"--seed {kept.seed} --commitment {kept.listed}" for kept in used)


def _wrong_round(kept: Kept, fair: FairRound, *, is_void: bool, stayed: bool) -> str:
    """`stayed`: one sits where one sat; who moves has to commit anew."""
    part = next((part for part in fair.parts if part.seat == kept.seat), None)
    if kept.server != fair.commitment:
        return "server_changed"
    if kept.listed and kept.listed != fair.list_digest():
        return "list_changed"
    if part is None or part.commitment != kept.commitment:
        return "left_out" if kept.taken and stayed else ""
    if is_void and not fair.unrevealed:
        return "restarted"
    if is_void and not part.seed and kept.acknowledged:
        return "blamed"
    return ""


def as_round(table: str, told: FairRoundView) -> FairRound:
    """What the wire tells of a round."""
    parts = [Part(part.seat, part.commitment, part.seed) for part in told.seats]
    server = Part(SERVER, told.commitment, told.server_seed)
    return FairRound(table, told.hand, told.round, server, tuple(parts))


def dealt_cards(rules: Ruleset, fair: FairRound, dealer: int) -> HandState:
    """The hand as it is after the deal."""
    return deal_from_fair(
        PreparedRules(rules),
        fair=fair,
        hand_number=fair.hand,
        dealer=dealer,
        scores=[0] * rules.seats.sides,
    )
