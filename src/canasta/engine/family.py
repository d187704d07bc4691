"""The questions on which the families of games differ; the answers are in `families`.

This module implements no rules, so modules below `families` can use it through `CompiledRules.family`.
"""

from typing import TYPE_CHECKING

from canasta.engine.melds import NOT_A_CANASTA

if TYPE_CHECKING:
    from canasta.engine.compiled_rules import CompiledRules
    from canasta.engine.feasibility.last_discard import LastDiscardSearch
    from canasta.engine.law.american import MeldContext
    from canasta.engine.moves.referee import Referee
    from canasta.engine.moves.types import Add
    from canasta.engine.state import HandState


class Family:
    """A family of games. Its objects have no state, so all rulesets of a family can share one."""

    name: str

    def __reduce__(self) -> tuple[type["Family"], tuple[()]]:
        return (type(self), ())

    # -- the law --------------------------------------------------------------------------------------

    def why_not_discard(self, state: "HandState", rank: int) -> int:
        """Return why the player to move may not discard a card of this rank, or `OK`."""
        raise NotImplementedError

    def refusal_would_block_turn_end(self, state: "HandState") -> bool:
        """Return whether the turn could not end if the partner refused permission to go out.

        The player to move has drawn and not melded.
        """
        raise NotImplementedError

    def why_not_open(self, state: "HandState") -> int:
        """Return what the cards laid this turn lack for a first meld, or `OK` (OPEN-1, OPEN-4, OPEN-5)."""
        raise NotImplementedError

    def meld_context(self, state: "HandState") -> "MeldContext | None":
        """Return the state outside a set that its rules depend on; `None` if there is none."""
        raise NotImplementedError

    def canasta_of_run(self, compiled: "CompiledRules", run: int) -> int:
        """Return the kind of canasta that a sequence is, or `NOT_A_CANASTA` if it is too short."""
        raise NotImplementedError

    def in_order(self, run: int, kinds: list[int]) -> list[int]:
        """Sort a sequence's cards, given in the order they were laid, from low to high."""
        raise NotImplementedError

    def run_with(self, state: "HandState", run: int, kind: int) -> int:
        """Return the sequence with one more card, or `NO_RUN` if the card does not fit."""
        raise NotImplementedError

    # -- whether the turn can end ---------------------------------------------------------------------

    def first_meld_search(self, state: "HandState") -> "LastDiscardSearch | None":
        """Return a search for a first meld that serves all steps, or `None` if there is none."""
        raise NotImplementedError

    def can_open(self, state: "HandState") -> bool:
        """Return whether some legal continuation of what is already laid opens and then ends the turn."""
        raise NotImplementedError

    def why_not_end(self, state: "HandState") -> int:
        """Return why the player to move cannot bring this turn to a legal end, or `OK` (DISC-4).

        The answer is exact: `OK` if and only if some sequence of further melds and a discard (or going out,
        or keeping the last card if allowed) is legal, whatever cards the stock may still give.
        """
        raise NotImplementedError

    def turn_can_end_after(
        self,
        state: "HandState",
        step: int,
        left: int,
        points: int,
        lost: int = NOT_A_CANASTA,
        gained: int = NOT_A_CANASTA,
        joining: int = 1,
        hand: "LastDiscardSearch | None" = None,
    ) -> bool:
        """Return whether the turn can be ended after this step.

        The step leaves `left` cards in hand, is worth `points`, changes a canasta from kind `lost` to kind
        `gained`, and lays `joining` cards on one meld. Most steps are decided by these numbers; the rest are
        tried on a copy. `hand` is the search that `first_meld_search` returned before the step; passing it
        saves time.
        """
        raise NotImplementedError

    def turn_surely_ends(self, state: "HandState", left: int) -> bool:
        """Return whether the turn can end after any step of an open side that leaves `left` cards in hand."""
        raise NotImplementedError

    # -- steps and moves ------------------------------------------------------------------------------

    def play_steps(self, state: "HandState", steps: list[int]) -> None:
        """Append the legal steps after drawing."""
        raise NotImplementedError

    def possible_steps(self, compiled: "CompiledRules") -> list[int]:
        """Return every step that could ever be legal, in order."""
        raise NotImplementedError

    def looks_like_run(self, group: tuple[int, ...]) -> bool:
        """Return whether the cards of a move are meant as a sequence."""
        raise NotImplementedError

    def lay_groups(self, referee: "Referee", groups: list[list[int]]) -> None:
        """Lay groups of cards that are in the hand, each as the meld it forms."""
        raise NotImplementedError

    def add_cards(self, referee: "Referee", move: "Add", index: int) -> None:
        """Add cards to the meld with this index (a slot, or the number of a sequence)."""
        raise NotImplementedError

    def lay_given(self, state: "HandState", seat: int, kinds: list[int]) -> None:
        """Lay a meld of a position. Only its form is checked, because how it was built up is unknown."""
        raise NotImplementedError
