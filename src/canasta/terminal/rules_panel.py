"""The rule sheet of a table."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from canasta.i18n import say
from canasta.i18n.clauses import clause_in, clause_value
from canasta.i18n.defects import defect_line
from canasta.i18n.fields import house_rules
from canasta.i18n.sheets import rule_sheet
from canasta.rules import RulesetError, load_ruleset
from canasta.rules.clauses import CLAUSES
from canasta.rules.loader import options_of
from canasta.table.wire import GameView
from canasta.terminal.dialogs import Paper
from canasta.terminal.theme import ACCENT, BRASS, QUIET, TITLE


def rules_paper(game: GameView, clause: str = "", lang: str = "en") -> Paper:
    """Return the rule sheet of this table, opened at a clause if one is given."""
    sign = say("screens.sign.scroll", lang=lang)
    try:
        rules = load_ruleset(game.rules, game.players, game.options)
    except RulesetError as error:
        told = " ".join(defect_line(defect, lang) for defect in error.defects)
        unknown = Text(say("screens.rules.unknown", {"text": told}, lang))
        return Paper(say("screens.title.rules", lang=lang), [unknown], sign=sign)
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
    pointed = pointed if clause not in CLAUSES else -1
    return Paper(f"{sheet.title}, {sheet.subtitle}", parts, pointed=pointed, sign=sign)
