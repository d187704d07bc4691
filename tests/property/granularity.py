"""The states that small steps lead to, for comparing them with whole moves."""

from property.brute import Place, TurnSearch

from canasta.engine.actions.codec import lays_cards
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.state import DRAW, PLAY, HandState

Outcome = tuple[Place, int, int, tuple[int, ...]]


def outcome(state: HandState) -> Outcome:
    """Return the place of every card, whatever the order in which it got there."""
    return TurnSearch(state).start, state.phase, state.out, tuple(state.pile)


def laying_steps(state: HandState) -> list[int]:
    return [step for step in legal_steps(state) if lays_cards(step)]


def reached_by_steps(state: HandState, *, most: int = 4000) -> set[Outcome]:
    """Return every outcome that steps which lay cards can reach; empty if there are too many to try."""
    found = {outcome(state)}
    to_try = [state]
    while to_try:
        here = to_try.pop()
        if here.phase not in (DRAW, PLAY):
            continue
        for step in laying_steps(here):
            after = here.copy()
            make_step(after, step)
            key = outcome(after)
            if key not in found:
                found.add(key)
                to_try.append(after)
        if len(found) > most:
            return set()
    return found


def first_melds_by_steps(state: HandState, *, most: int = 3000) -> set[Outcome] | None:
    """Return the outcomes in which steps complete the first meld; None if there are too many to try."""
    side = state.side_of[state.turn]
    seen = {outcome(state)}
    good: set[Outcome] = set()
    to_try = [state]
    while to_try:
        here = to_try.pop()
        for step in laying_steps(here):
            after = here.copy()
            make_step(after, step)
            key = outcome(after)
            if after.opened(side):
                good.add(key)
            elif key not in seen:
                seen.add(key)
                to_try.append(after)
        if len(seen) > most:
            return None
    return good
