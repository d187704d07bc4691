"""What there is to read: rules, help, the log, the pile, score sheets."""

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from canasta.notation.errors import printable
from canasta.rules import RulesetError, load_ruleset
from canasta.rules.clauses import CLAUSES
from canasta.rules.loader import options_of
from canasta.table.wire import GameView, SheetView
from canasta.terminal.dialogs import Paper, quiet
from canasta.terminal.faces import ACCENT, BRASS, QUIET, TITLE, card_style, points_text
from canasta.terminal.model import TableModel
from canasta.words import Voice, say
from canasta.words.clauses import clause_in, clause_value
from canasta.words.fields import house_rules
from canasta.words.scores import score_line
from canasta.words.sheets import rule_sheet

_KEYS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Your cards",
        (
            ("← → ↑ ↓", "go along your hand"),
            ("Space", "choose the card, or let it go; a click does the same"),
            ("4–9 0 J Q K A", "choose one more card of that rank; 0 is a ten (capital letters)"),
            ("2  W  3  C", "a two, a joker, a black three, a Caliente card"),
            ("Esc", "let all cards go"),
            ("o", "put the hand in order by rank, or by suit"),
        ),
    ),
    (
        "Your turn",
        (
            ("Enter", "what is brightest below: draw, meld or discard"),
            ("d", "draw; later in the turn: discard the chosen card"),
            ("t", "take the pile: with the chosen cards, or choose among the ways"),
            (
                "m",
                "meld the chosen cards, or add them; a first meld is staged until it is worth enough",
            ),
            ("u", "take back: what is staged, or the last meld of this turn"),
            ("p  k  g", "pass; keep the last card; ask your partner: may I go out?"),
            ("y  n", "answer your partner"),
            ("c  b  l", "play a Caliente card; put the pile back; lay out a red three"),
        ),
    ),
    (
        "Round the table",
        (
            ("h", "a hint with its reason; Enter plays it"),
            ("r", "the rules of this table, at the rule that refused your move"),
            ("i", "what lies in the pile"),
            ("s", "the score sheet and the course of the game"),
            ("w", "what happened, all of it"),
            ("[ ]  { }", "look along your melds, along theirs"),
            ("Enter", "while others play: do not wait for their pauses"),
            ("/", "on a server: say something"),
            ("q", "leave the table"),
        ),
    ),
    (
        "Signs beside a name",
        (
            ("*", "your partner, where there is no room for the word"),
            ("✓", "an account: nobody else has this name"),
            ("≈", "two of these seats share one network address"),
            ("→", "who has the seat from the next deal on"),
        ),
    ),
)


def help_paper() -> Paper:
    """All keys, and what the mouse does."""
    parts: list[RenderableType] = []
    for title, keys in _KEYS:
        parts.append(Text(title, style=BRASS))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=14, no_wrap=True)
        grid.add_column()
        for key, meaning in keys:
            grid.add_row(Text(key, style=TITLE), Text(meaning))
        parts += [grid, Text("")]
    parts.append(Text("With the mouse", style=BRASS))
    parts.append(
        Text(
            "Click a card to choose it, the stock to draw, the pile to take it or to discard onto it, "
            "a meld of yours to add the chosen cards, and any word of the bar at the bottom."
        )
    )
    return Paper("Help", parts)


def rules_paper(game: GameView, clause: str = "", lang: str = "en") -> Paper:
    """The rule sheet of this table; at a clause, if one is asked for."""
    try:
        rules = load_ruleset(game.rules, game.players, game.options)
    except RulesetError as error:
        told = "; ".join(str(defect) for defect in error.defects)
        return Paper("Rules", [Text(f"This program does not know the rules of that table: {told}")])
    sheet = rule_sheet(rules, lang)
    parts: list[RenderableType] = []
    pointed = -1
    if clause in CLAUSES:
        known = clause_in(clause, lang)
        text = Text(f"{known.id}  {known.title}\n", style=BRASS)
        text.append(known.text, style=TITLE)
        value = clause_value(clause, rules, lang)
        if value:
            text.append("\n" + say("sheets.list.here", {"text": value}, lang), style=ACCENT)
        parts += [text, Text("")]
    for line in house_rules(options_of(rules), lang):
        parts.append(Text(say("sheets.list.house_rule", {"text": line}, lang), style=ACCENT))
    for section in sheet.sections:
        parts.append(Text(f"\n{section.title}", style=BRASS))
        for rule in section.lines:
            if rule.clause == clause and clause and pointed < 0:
                pointed = len(parts)
            grid = Table.grid(padding=(0, 1))
            grid.add_column(width=8, no_wrap=True)
            grid.add_column()
            grid.add_row(Text(rule.clause, style=QUIET), Text(rule.text))
            parts.append(grid)
    return Paper(f"{sheet.title}, {sheet.subtitle}", parts, pointed=pointed if clause not in CLAUSES else -1)


def log_paper(model: TableModel) -> Paper:
    parts = [Text(told.sentence()) for told in model.log] or [quiet("Nothing has happened yet.")]
    return Paper("What happened", parts, at_end=True)


def pile_paper(model: TableModel) -> Paper:
    pile = model.state.pile if model.state is not None else None
    if pile is None or not pile.cards:
        return Paper("The pile", [quiet("The pile is empty.")])
    text = Text()
    for card in filter(None, reversed(pile.cards)):
        text.append(f" {model.look.card(card)} ", style=card_style(card))
        text.append(" ")
    points = "Frozen." if pile.frozen else "Its top card keeps it from being taken." if pile.stopped else ""
    is_squared = model.welcome is not None and not model.welcome.game.look_through
    order = "of which the top card and those that freeze it are seen" if is_squared else "the top card first"
    count = f"{len(pile.cards)} cards, {order}." if len(pile.cards) > 1 else "One card."
    head = f"{count} {points}".strip()
    return Paper("The pile", [quiet(head), Text(""), text])


def scores_paper(model: TableModel) -> Paper:
    """The last score sheet, and the course of the game."""
    state = model.state
    assert state is not None
    parts: list[RenderableType] = []
    title = "Scores"
    if state.sheet is not None:
        title = f"Score of hand {state.sheet.hand}"
        parts += [sheet_table(state.sheet, _sides(model), model.voice), Text("")]
        parts.append(quiet(_ending(model, state.sheet)))
    if state.winner != -1:
        title = "The game is over"
        parts.append(Text(result(model), style=BRASS))
    if state.history and (len(state.history) > 1 or state.sheet is None):
        parts += [Text(""), course_table(state.history, _sides(model))]
    elif not state.history:
        parts.append(quiet("No hand is over yet."))
    return Paper(title, parts, short=True)


def _sides(model: TableModel) -> list[str]:
    assert model.state is not None
    return [model.side_name(side) for side in range(len(model.state.sides))]


def _ending(model: TableModel, sheet: SheetView) -> str:
    if sheet.out < 0:
        return "The stock ended the hand; nobody went out."
    return f"{model.name(sheet.out)} went out."


def result(model: TableModel) -> str:
    """Who won, in a sentence."""
    assert model.state is not None
    scores = model.state.history[-1] if model.state.history else [side.score for side in model.state.sides]
    told = " to ".join(points_text(score) for score in sorted(scores, reverse=True))
    if model.state.winner == -2:
        return f"The game ends in a draw, {told}."
    if model.your_seat >= 0 and model.state.winner == model.your_side:
        return f"You win the game, {told}."
    name = model.side_name(model.state.winner)
    if name == "Them":
        name = " & ".join(model.name(seat) for seat in model.state.sides[model.state.winner].seats)
    return f"{name} win{'' if '&' in name else 's'} the game, {told}."


def sheet_table(sheet: SheetView, sides: Sequence[str], voice: Voice) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style=BRASS, expand=False)
    table.add_column("")
    for name in sides:
        table.add_column(name, justify="right", min_width=8)
    for line in sheet.lines[0] if sheet.lines else ():
        table.add_row(
            printable(score_line(line, voice)), *(_points(side.get(line, 0)) for side in sheet.lines)
        )
    table.add_section()
    table.add_row(voice.say("scores.this_hand"), *(_points(total) for total in sheet.totals), style=TITLE)
    before = [score - total for score, total in zip(sheet.scores, sheet.totals, strict=True)]
    if any(before):
        table.add_row(voice.say("scores.before"), *map(_points, before), style=QUIET)
    table.add_row(voice.say("scores.total"), *map(_points, sheet.scores), style=BRASS)
    return table


def course_table(history: Sequence[Sequence[int]], sides: Sequence[str]) -> Table:
    """The totals after each hand, with a bar for each side."""
    most = max((abs(score) for scores in history for score in scores), default=1) or 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style=BRASS)
    table.add_column("after hand", justify="right")
    for name in sides:
        table.add_column(name, justify="right")
        table.add_column("", width=12)
    for number, scores in enumerate(history, start=1):
        cells: list[Text] = []
        for score in scores:
            cells += [Text(points_text(score)), Text("▇" * max(0, round(12 * score / most)), style=BRASS)]
        table.add_row(str(number), *cells)
    return table


def _points(points: int) -> str:
    return points_text(points) if points else "–"
