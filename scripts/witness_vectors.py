"""Write sessions that Python and the page must judge alike: web/src/lib/witness_vectors.json.

A session contains everything sent to one viewer, step by step. `{"at": seconds, "set": {…}}` is a state, as
changes to the fields of the previous one. `{"link": true}` is a new connection, and `{"game": {…}}` another
game that the server shows from then on. `{"answer": n, "done": …}` is the answer to the n-th order of the
witness. `seeds` are the seeds it chooses, in order.
States have only the fields that a witness reads; seats omit fields that are 0, false or empty. `digest` is
the SHA-256 of the saved transcript with sorted keys, and `transcript` is the whole transcript if it is short.
After the honest sessions come those of cheating servers (`tests/cheating_tables.py`).
A tampered session is another session with some states changed or omitted.
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from cheating_tables import CHEATS, HONEST
from witnessed_table import Viewing, WitnessedTable

from canasta.table.wire import Done, GameView, Refused, TableState, Welcome, WhyNot
from canasta.terminal.fairness import FairnessClient

FILE: Final = Path(__file__).resolve().parents[1] / "web" / "src" / "lib" / "witness_vectors.json"

_KEPT: Final = (
    *("state", "chain", "status", "seat", "hand", "dealer", "phase", "stock", "pots", "pile", "you", "seats"),
    *("sides", "events", "log", "fair", "cut"),
)
_SEAT: Final = ("cards", "foot", "talon", "sits_out", "shows")
_EVENT: Final = ("what", "seat", "count", "cards", "meld", "move")
_REST_OF_SEAT: Final = {"side": 0, "name": "", "who": "bot"}
_REST_OF_SIDE: Final = {"seats": [], "score": 0, "points_now": 0, "minimum": 0, "opened": False}

Step = dict[str, Any]
Tamper = Callable[[list[Step], "Session"], list[Step] | None]


def trimmed(state: TableState) -> dict[str, Any]:
    """Return the fields of a state that a witness reads."""
    whole: dict[str, Any] = msgspec.to_builtins(state)
    kept = {name: whole[name] for name in _KEPT}
    kept["pile"] = None if whole["pile"] is None else {"cards": whole["pile"]["cards"]}
    you = whole["you"]
    kept["you"] = None if you is None else {"cards": you["cards"], "talon": you["talon"]}
    kept["seats"] = [{name: seat[name] for name in _SEAT if seat[name]} for seat in whole["seats"]]
    kept["sides"] = [
        {
            "melds": [{"name": meld["name"], "cards": meld["cards"]} for meld in side["melds"]],
            "bonus": side["bonus"],
        }
        for side in whole["sides"]
    ]
    for name in ("events", "log"):
        kept[name] = [{key: event[key] for key in _EVENT if key in event} for event in whole[name]]
    return kept


def whole_state(kept: dict[str, Any]) -> TableState:
    """Return a state with these fields, and the others filled in."""
    told = dict(kept, host=False)
    told["seats"] = [dict(_REST_OF_SEAT, seat=at, **seat) for at, seat in enumerate(kept["seats"])]
    told["sides"] = [
        dict(
            _REST_OF_SIDE,
            bonus=side["bonus"],
            melds=[dict(meld, points=0, full=False) for meld in side["melds"]],
        )
        for side in kept["sides"]
    ]
    if kept["pile"] is not None:
        told["pile"] = dict(kept["pile"], frozen=False, stopped=False)
    if kept["you"] is not None:
        told["you"] = dict(kept["you"], seat=kept["seat"], turn=False)
    return msgspec.convert(told, TableState)


class Session:
    """A session: the messages to one viewer, and the verdicts of the viewer's witness."""

    def __init__(self, name: str, game: GameView, table: str, seeds: list[str], steps: list[Step]) -> None:
        self.name, self.game, self.table, self.seeds, self.steps = name, game, table, seeds, steps
        self.witness, self.orders = self.replayed(steps)

    @classmethod
    def of(cls, name: str, watched: WitnessedTable, viewing: Viewing) -> "Session":
        steps: list[Step] = []
        numbers: dict[str, int] = {}
        first: GameView | None = None
        game: GameView | None = None
        for number, order in enumerate(viewing.orders):
            numbers[order.id] = number
        for at, frame in viewing.steps:
            now = round(at, 1)
            if frame is None:
                steps.append({"at": now, "link": True})
            elif isinstance(frame, Welcome):
                if game not in (None, frame.game):
                    steps.append({"at": now, "game": msgspec.to_builtins(frame.game)})
                first = first or frame.game
                game = frame.game
            elif isinstance(frame, TableState):
                steps.append({"at": now, "state": trimmed(frame)})
            elif isinstance(frame, (Done, Refused)) and frame.id in numbers:
                steps.append({"at": now, "answer": numbers[frame.id], "done": isinstance(frame, Done)})
        table = watched.table
        assert first is not None, name
        session = cls(name, first, table.bound_to, list(viewing.seeds), steps)
        live = [(verdict.hand, verdict.result) for verdict in viewing.witness.verdicts]
        assert session.verdicts == live, (name, session.verdicts, live)
        assert session.transcript == json.loads(viewing.witness.transcript()), name
        return session

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Session":
        """Return a session as read from the file."""
        state: dict[str, Any] = {}
        steps: list[Step] = []
        for step in data["steps"]:
            if "set" in step:
                state = state | step["set"]
                steps.append({"at": step["at"], "state": state})
            else:
                steps.append(step)
        game = msgspec.convert(data["game"], GameView)
        return cls(data["name"], game, data["table"], data["seeds"], steps)

    def with_changes(self, changes: list[dict[str, Any]]) -> list[Step]:
        """Return the steps of a tampered session."""
        steps: list[Step | None] = list(self.steps)
        for change in changes:
            at = change["step"]
            step = steps[at] if at < len(self.steps) else None
            if "drop" in change:
                steps[at] = None
            elif step is None:
                whole = last_state(self)["state"] | change["set"]
                steps.append({"at": change["at"], "state": whole})
            elif "done" in change:
                steps[at] = {**step, "done": change["done"]}
            else:
                steps[at] = {**step, "state": step["state"] | change["set"]}
        return [step for step in steps if step is not None]

    def replayed(self, steps: list[Step]) -> tuple[FairnessClient, list[Any]]:
        """Send the steps to a new witness."""
        seeds = list(self.seeds)
        now = [0.0]
        spare = random.Random(self.name)
        witness = FairnessClient(
            self.table,
            lambda _hand, _commitment: seeds.pop(0) if seeds else spare.randbytes(32).hex(),
            clock=lambda: now[0],
        )
        witness.hear(_welcome(self.game))
        orders: list[Any] = []
        for step in steps:
            now[0] = step["at"]
            if "link" in step:
                witness.connected()
            elif "game" in step:
                witness.hear(_welcome(msgspec.convert(step["game"], GameView)))
            elif "state" in step:
                orders += witness.hear(whole_state(step["state"]))
            elif step["answer"] < len(orders):
                name = orders[step["answer"]].id
                witness.hear(
                    Done(id=name, state=0)
                    if step["done"]
                    else Refused(id=name, state=0, why=WhyNot(clause="", message=""))
                )
        return witness, orders

    @property
    def verdicts(self) -> list[tuple[int, str]]:
        return [(verdict.hand, verdict.result) for verdict in self.witness.verdicts]

    @property
    def transcript(self) -> Any:
        return json.loads(self.witness.transcript())

    def states(self, hand: int = 1) -> list[int]:
        """Return the numbers of the steps that are states of this hand."""
        return [at for at, step in enumerate(self.steps) if "state" in step and step["state"]["hand"] == hand]

    def digest(self) -> str:
        """Return the SHA-256 of the transcript as JSON without blanks, with sorted keys."""
        text = json.dumps(self.transcript, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def data(self) -> dict[str, Any]:
        before: dict[str, Any] = {}
        steps: list[Step] = []
        for step in self.steps:
            if "state" not in step:
                steps.append(step)
                continue
            state = step["state"]
            changed = {key: value for key, value in state.items() if before.get(key, ...) != value}
            steps.append({"at": step["at"], "set": changed})
            before = state
        return {
            "name": self.name,
            "table": self.table,
            "game": msgspec.to_builtins(self.game),
            "seeds": self.seeds,
            "steps": steps,
            "orders": [
                {key: value for key, value in msgspec.to_builtins(order).items() if key != "id"}
                for order in self.orders
            ],
            "verdicts": [{"hand": hand, "result": result} for hand, result in self.verdicts],
            "digest": self.digest(),
            **({"transcript": self.transcript} if len(self.witness.transcript()) < WHOLE else {}),
        }


def _welcome(game: GameView) -> Welcome:
    return Welcome(table="", link="", public=False, you="", game=game, clock=0, spectators=False, levels=[])


# -- honest sessions -----------------------------------------------------------------------------------------

GAMES: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("two-player", 2, {"hand_size": 5, "canastas_to_go_out": 0, "match.target": 20_000}),
    ("caliente", 3, {"hand_size": 5, "canastas_to_go_out": 0}),
    ("burraco", 2, {"hand_size": 4, "deal.pots": [5, 5], "going_out.canastas": 0}),
    ("hand-and-foot", 2, {"hand_size": 5, "deal.foot_size": 5, "canastas_to_go_out": 1, "deck.decks": 3}),
    ("american", 4, {"hand_size": 5, "canastas_to_go_out": 0}),
    ("jaques", 4, {"hand_size": 5, "canastas_to_go_out": 0}),
    ("bolivia-common", 4, {"hand_size": 5, "canastas_to_go_out": 0}),
)
TRIES: Final = 12
WHOLE: Final = 14_000
"""Maximum size in bytes of a transcript that is written in full."""


def honest(name: str, players: int, options: dict[str, Any], *, hands: int = 1) -> Session:
    """Return the shortest of some sessions with lost states, reconnections and melds taken back."""
    found: list[Session] = []
    for luck in range(TRIES):
        watched = WitnessedTable(name, players, min(2, players), seed=luck, options=options, moves="undo")
        viewing = watched.viewings[-1]
        choice = random.Random(f"{name}/{luck}")

        def trouble(
            _: int,
            viewing: Viewing = viewing,
            watched: WitnessedTable = watched,
            choice: random.Random = choice,
        ) -> None:
            kind = choice.random()
            if kind < 0.02:
                viewing.connected = False
            elif kind < 0.3 and not viewing.connected:
                watched.connect(viewing)
                watched.settle()

        watched.start()
        was_there = True
        for hand in range(hands):
            if hand:
                watched.next_hand()
            watched.play_hand(trouble)
            was_there &= viewing.connected
            if not was_there:
                watched.connect(viewing)
                watched.settle()
        if was_there or hands == 1:
            found.append(Session.of(f"{name}, {players} players", watched, viewing))
    enough = [session for session in found if len(session.steps) > 30 * hands]
    assert enough, (name, [len(session.steps) for session in found])
    return min(enough, key=lambda session: len(json.dumps(session.data()["steps"])))


# -- tampered sessions ---------------------------------------------------------------------------------------


def changed(session: Session, change: Callable[[int, dict[str, Any]], dict[str, Any] | None]) -> list[Step]:
    """Return the steps with states changed; `change` returns None to leave a state out."""
    steps: list[Step] = []
    for at, step in enumerate(session.steps):
        if "state" not in step:
            steps.append(step)
            continue
        state = change(at, json.loads(json.dumps(step["state"])))
        if state is not None:
            steps.append({**step, "state": state})
    return steps


def other_card(card: str) -> str:
    return "4c" if card != "4c" else "5d"


def own_card(session: Session) -> list[Step]:
    """Give the viewer a different card, from the deal on."""
    mine = set(session.states())

    def change(at: int, state: dict[str, Any]) -> dict[str, Any]:
        if at in mine and state["you"] and state["you"]["cards"]:
            state["you"]["cards"][0] = other_card(state["you"]["cards"][0])
        return state

    return changed(session, change)


def without_deal(session: Session) -> list[Step]:
    """Withhold the deal."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        state["events"] = [event for event in state["events"] if event["what"] != "dealt"]
        state["log"] = [event for event in state["log"] if event["what"] != "dealt"]
        return state

    return changed(session, change)


def without_draws(session: Session) -> list[Step]:
    """Withhold draws."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        state["events"] = [event for event in state["events"] if event["what"] != "drew"]
        state["log"] = [event for event in state["log"] if event["what"] != "drew"]
        return state

    return changed(session, change)


def lost_state(session: Session) -> list[Step]:
    """Drop a state with events in the middle of the hand."""
    with_events = [at for at in session.states() if session.steps[at]["state"]["events"]]
    lost = with_events[len(with_events) // 2]
    return changed(session, lambda at, state: None if at == lost else state)


def early_seed(session: Session) -> list[Step]:
    """Show the seeds once in the middle of the hand."""
    states = session.states()
    last = session.steps[states[-1]]["state"]["fair"]["dealt"]

    def change(at: int, state: dict[str, Any]) -> dict[str, Any]:
        if at == states[len(states) // 2]:
            state["fair"]["dealt"] = last
        return state

    return changed(session, change)


def other_dealer(session: Session) -> list[Step]:
    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        if state["hand"]:
            seats = len(state["seats"])
            state["dealer"] = (state["dealer"] + 1) % seats
            for event in [*state["events"], *state["log"]]:
                if event["what"] == "dealt":
                    event["seat"] = state["dealer"]
        return state

    return changed(session, change)


def shown_at_the_end(session: Session) -> list[Step]:
    """Let another seat show a card at the end that it never had."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        shows = [seat for at, seat in enumerate(state["seats"]) if seat.get("shows") and at != state["seat"]]
        if shows:
            shows[0]["shows"][0] = other_card(shows[0]["shows"][0])
        return state

    return changed(session, change)


def hidden_hands(session: Session) -> list[Step]:
    """Keep the hands hidden at the end, although the seeds are shown."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        for seat in state["seats"]:
            seat.pop("shows", None)
        return state

    return changed(session, change)


def melded_card(session: Session) -> list[Step]:
    """Let a player meld a card that isn't in the hand but deep in the stock."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        for event in [*state["events"], *state["log"]]:
            if event["what"] == "discarded" and event["seat"] != state["seat"]:
                event["cards"] = [other_card(event["cards"][0])]
        return state

    return changed(session, change)


def never_shown(session: Session) -> list[Step]:
    """Never show the seeds."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        if state["phase"] == "over" and state["fair"]:
            state["fair"]["dealt"] = None
        return state

    return changed(session, change)


def never_asked(session: Session) -> list[Step]:
    """Never show the viewer an open round."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        if state["fair"] and state["fair"]["next"] and state["hand"] == 0:
            return state
        if state["fair"]:
            state["fair"]["next"] = None
        return state

    steps = changed(session, change)
    return [step for step in steps if "answer" not in step or step["answer"] < 2]


def refused(session: Session) -> list[Step]:
    """Refuse every commitment as late, although the list was reported as open."""
    seat = next(step["state"]["seat"] for step in session.steps if "state" in step)

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        fair = state["fair"] or {}
        for view in [fair.get("next"), fair.get("dealt"), *fair.get("void", [])]:
            if view:
                view["seats"] = [part for part in view["seats"] if part["seat"] != seat]
        return state

    return [{**step, "done": False} if "answer" in step else step for step in changed(session, change)]


def other_seed_later(session: Session) -> list[Step]:
    """Show a different seed in a later state of the same hand, after correct ones."""
    steps = list(session.steps)
    last = json.loads(json.dumps(last_state(session)))
    assert last["state"]["phase"] == "over", session.name
    last["state"]["fair"]["dealt"]["server_seed"] = "0c" * 32
    return [*steps, last]


def last_state(session: Session) -> Step:
    return [step for step in session.steps if "state" in step][-1]


def rewritten_log(session: Session) -> list[Step]:
    """Show a different history after a reconnection."""

    def change(_: int, state: dict[str, Any]) -> dict[str, Any]:
        discards = [event for event in state["log"] if event["what"] == "discarded"]
        if discards:
            discards[0]["cards"] = [other_card(discards[0]["cards"][0])]
        return state

    return changed(session, change)


TAMPERED: Final[dict[str, Callable[[Session], list[Step]]]] = {
    "own card": own_card,
    "without deal": without_deal,
    "without draws": without_draws,
    "lost state": lost_state,
    "early seed": early_seed,
    "other dealer": other_dealer,
    "shown at the end": shown_at_the_end,
    "hidden hands": hidden_hands,
    "other discards": melded_card,
    "never shown": never_shown,
    "never asked": never_asked,
    "refused": refused,
    "other seed later": other_seed_later,
    "rewritten log": rewritten_log,
}


SMALL: Final = (
    *("own card", "lost state", "early seed", "shown at the end", "hidden hands", "never shown"),
    "other seed later",
)
"""Tampered sessions with small differences."""


def tampered(session: Session, number: int, name: str) -> dict[str, Any] | None:
    """Return a tampered session as its difference to the honest one; None if nothing differs."""
    steps = TAMPERED[name](session)
    witness, _ = session.replayed(steps)
    changes: list[dict[str, Any]] = []
    left = list(steps)
    for at, step in enumerate(session.steps):
        if left and left[0]["at"] == step["at"] and _kind(left[0]) == _kind(step):
            new = left.pop(0)
            if new == step:
                continue
            if "state" in new:
                fields = {key: value for key, value in new["state"].items() if step["state"][key] != value}
                changes.append({"step": at, "set": fields})
            else:
                changes.append({"step": at, "done": new["done"]})
        else:
            changes.append({"step": at, "drop": True})
    for new in left:
        fields = {
            key: value for key, value in new["state"].items() if last_state(session)["state"][key] != value
        }
        changes.append({"step": len(session.steps), "set": fields, "at": new["at"]})
    if not changes:
        return None
    verdicts = [{"hand": verdict.hand, "result": verdict.result} for verdict in witness.verdicts]
    return {"of": number, "name": f"{session.name}: {name}", "changes": changes, "verdicts": verdicts}


def _kind(step: Step) -> tuple[object, ...]:
    state = step.get("state")
    return ("link" in step, step.get("answer"), None if state is None else state["state"])


def vectors() -> dict[str, Any]:
    sessions = [honest(*game, hands=2 if number == 0 else 1) for number, game in enumerate(GAMES)]
    cheats = {name: play for name, (play, _, _) in CHEATS.items()} | {
        name: play for name, (play, _) in HONEST.items()
    }
    bent: list[dict[str, Any]] = []
    for number, session in enumerate(sessions):
        # Small changes with every game, large ones with one each.
        names = [name for name in TAMPERED if number == 0 or name in SMALL]
        names = names if number == 0 else names[number % 3 :: 3]
        bent += [one for name in names if (one := tampered(session, number, name)) is not None]
    sessions += [Session.of(name, *play()) for name, play in cheats.items()]
    return {"sessions": [session.data() for session in sessions], "tampered": bent}


def main() -> None:
    told = vectors()
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(one, separators=(",", ":")) for one in told[name]) + "\n]"
        for name in ("sessions", "tampered")
    ]
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
