"""What a player can do now, in words: the bar at the bottom and the sentence above it."""

from canasta.table.wire import YourView
from canasta.terminal.hand import ActionItem
from canasta.terminal.model import TableModel

_RARE = {
    "pass": ("p", "Pass"),
    "keep": ("k", "Keep it"),
    "caliente": ("c", "Caliente"),
    "ask": ("g", "Ask"),
    "putback": ("b", "Put back"),
    "lay 3r": ("l", "Lay out"),
}


def items_now(model: TableModel, *, is_local: bool) -> tuple[ActionItem, ...]:
    """The bar: what is possible first, the one thing to do next brightest."""
    state, you = model.state, model.you
    items: list[ActionItem] = []
    if state is None:
        pass
    elif state.status == "waiting":
        if model.your_seat < 0:
            items.append(ActionItem("⏎", "Sit down", "do:sit", main=True))
        if state.host:
            items.append(ActionItem("⏎", "Start", "do:start", main=not items))
    elif state.phase == "over":
        over = state.status == "over"
        items.append(ActionItem("⏎", "Scores" if over else "Next hand", "do:main", main=not over))
    elif you is None:
        if model.your_seat < 0 and state.joins < 0 and not is_local:
            items.append(ActionItem("⏎", "Sit down", "do:sit"))
    elif not you.turn:
        if is_local:
            items.append(ActionItem("⏎", "Do not wait", "do:main"))
    else:
        items += _turn_items(model, you)
    items += [
        ActionItem("h", "Hint", "do:hint", able=you is not None and you.turn),
        ActionItem("r", "Rules", "rules"),
        ActionItem("s", "Scores", "scores"),
        ActionItem("q", "Leave", "leave"),
        ActionItem("?", "Help", "help"),
    ]
    return tuple(items)


def _turn_items(model: TableModel, you: YourView) -> list[ActionItem]:
    assert model.state is not None
    phase = model.state.phase
    chosen = len(model.chosen)
    items: list[ActionItem] = []
    if phase == "answer":
        items.append(ActionItem("y", "Yes", "do:answer yes", main=True))
        items.append(ActionItem("n", "No", "do:answer no"))
        return items
    if phase == "draw":
        draws = "draw" in you.can
        staged = bool(model.staged)
        items.append(ActionItem("d", "Draw", "do:draw", able=draws, main=draws and not staged))
        takes = bool(model.possible.take) if chosen and not staged else bool(you.takes)
        items.append(ActionItem("t", "Take the pile", "do:take", able=takes))
        if staged:
            items.append(_meld_item(model))
    else:
        items.append(_meld_item(model))
        discards = chosen == 1 and model.possible.discard
        items.append(ActionItem("d", "Discard", "do:discard", able=discards, main=discards))
    for move, (key, label) in _RARE.items():
        if move in you.can:
            items.append(ActionItem(key, label, f"do:{move}"))
    if "undo" in you.can or model.staged:
        items.append(ActionItem("u", "Undo", "do:undo"))
    return items


def _meld_item(model: TableModel) -> ActionItem:
    """Offered only where the rules take the chosen cards, or where they lack nothing but points."""
    meld = model.possible.meld
    if meld == "stage" and model.chosen:
        return ActionItem("m", "Stage", "do:meld", main=len(model.chosen) > 1)
    able = meld == "now"
    return ActionItem(
        "m", "Meld", "do:meld", able=able, main=able and (len(model.chosen) > 1 or bool(model.staged))
    )


def prompt_now(model: TableModel) -> str:
    """What is to be done, or whom the table waits for."""
    state, you = model.state, model.you
    if state is None:
        return "Waiting for the table …"
    if state.status == "waiting":
        free = sum(seat.who == "free" for seat in state.seats)
        start = (
            "Enter starts; computer players take the free seats."
            if state.host
            else "The host starts the game."
        )
        return f"{free} free seat{'s' * (free != 1)}. {start}" if free else f"All seats are taken. {start}"
    if state.status == "over":
        return "The game is over. s shows the scores, q leaves."
    if state.phase == "over":
        return "The hand is over. Enter deals the next one."
    clock = ""
    if state.clock is not None and state.clock.seat == state.turn:
        clock = f" {state.clock.left:.0f} s"
    if you is None or not you.turn:
        name = model.name(state.turn)
        if state.phase == "answer":
            return f"{name} is asked: may {model.name(state.asked)} go out?{clock}"
        joins = " You join at the next deal." if state.joins >= 0 else ""
        return f"{name} is playing …{clock}{joins}"
    if state.phase == "answer":
        return f"{model.name(state.asked)} asks: may I go out? y or n.{clock}"
    if state.phase == "draw":
        return f"Your turn: {_ways_to_begin(you)}{clock}"
    return f"Your turn: {_ways_to_go_on(model, you)}{clock}"


def _ways_to_begin(you: YourView) -> str:
    ways = ["draw"] if "draw" in you.can else []
    if you.takes:
        ways.append("take the pile")
    if "caliente" in you.can:
        ways.append("play a Caliente card")
    if "pass" in you.can:
        ways.append("pass")
    if not ways:
        return "take the pile."
    return (ways[0] if len(ways) == 1 else ", ".join(ways[:-1]) + " or " + ways[-1]) + "."


def _ways_to_go_on(model: TableModel, you: YourView) -> str:
    chosen, possible = len(model.chosen), model.possible
    if chosen == 1:
        ways = ["d discards it"] * possible.discard + ["m adds it to a meld"] * bool(possible.meld)
        return (", ".join(ways) or "this card can be neither discarded nor added; d or m tells why") + "."
    if chosen > 1:
        if possible.meld == "stage":
            return f"m puts the {chosen} cards aside for a first meld."
        return f"m melds the {chosen} cards." if possible.meld else "these cards are no meld; m tells why."
    if not you.can_discard:
        return "choose cards to meld."
    return "choose cards to meld, or one to discard."
