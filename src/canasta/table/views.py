"""The table as one viewer may see it, in wire form. It is built only from the engine's redacted view."""

from collections.abc import Sequence
from typing import Final, cast

from msgspec.structs import replace

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_CARD, NATURAL_RANKS, TWO
from canasta.engine.compiled_rules import card_values
from canasta.engine.hand import TriedMove
from canasta.engine.law.american import dead_rows, unfinished_rows
from canasta.engine.law.going_out import ANY_CANASTA, canastas_asked
from canasta.engine.match import Match
from canasta.engine.melds import (
    KIND_NAMES,
    NOT_A_CANASTA,
    ROW_BLACK_THREES,
    ROW_RUN,
    ROW_THREES,
    ROW_WILD,
    SAMBA,
    run_low,
    run_suit,
)
from canasta.engine.moves.types import (
    Add,
    Meld,
    Take,
)
from canasta.engine.play.scoring import ScoreSheet, grade_of_run, grade_of_set, score_side
from canasta.engine.rule_tables import LINES
from canasta.engine.sequences import LOW_ACE, kind_at, wild_at, wild_in
from canasta.engine.state import HandState
from canasta.engine.view import HIDDEN, MeldOnTable, View, melds_of
from canasta.notation.cards import any_of, format_card
from canasta.rules.loader import house_rules, options_of
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import titles_of
from canasta.table.player_view import your_view
from canasta.table.wire import (
    CanastaProgress,
    DealView,
    EventView,
    GameView,
    MeldView,
    Phase,
    PileView,
    SeatView,
    SheetView,
    SideView,
    TableState,
    Takes,
    Threes,
)

ANY_KIND: Final = "canasta"
"""Used as the kind in `CanastaProgress` if any kind of canasta counts."""

_ON_THE_TABLE: Final = (
    *("melded_cards", "natural_canastas", "mixed_canastas", "sambas", "wild_canastas"),
    *("clean", "semi_clean", "dirty", "red_threes", "black_threes"),
)
"""Score sheet lines for things that everybody can see."""


# -- the game ------------------------------------------------------------------------------------------------


def game_view(rules: Ruleset) -> GameView:
    """Return the settings that don't change during a game."""
    options = options_of(rules)
    deck, melds = rules.deck, rules.melds
    by_rank = card_values(rules)
    melded = (*range(NATURAL_RANKS), TWO, JOKER, BLACK_THREE)
    values = {format_card(any_of(rank)): by_rank[rank] for rank in melded}
    if deck.threes == "natural":
        values["3r"] = by_rank[BLACK_THREE]
    return GameView(
        rules=rules.name,
        title=rules.title,
        titles=titles_of(rules),
        players=rules.seats.players,
        options=options,
        house_rules=house_rules(options),
        target=0 if rules.match.rounds else rules.match.target,
        rounds=rules.match.rounds,
        caliente_names=deck.caliente_names,
        values=values,
        canasta_size=melds.canasta_size,
        runs=melds.runs,
        long_runs=melds.run_most > 0,
        same_suit_runs=melds.same_suit_runs,
        sets=melds.set_ranks == "all",
        many_sets=melds.sets_per_rank == "any",
        wild_melds=melds.wild_melds,
        has_foot=rules.deal.foot_size > 0,
        pots=len(rules.deal.pots),
        threes=cast("Threes", deck.threes),
        takes=cast("Takes", rules.pile.take),
        stock_floor=rules.stock_end.floor,
        talon=list(rules.turn.talon),
        talon_floor=rules.turn.talon_floor if rules.turn.talon else 0,
        pure_meld=rules.opening.pure_meld != "no",
        caliente_cards=deck.caliente_cards,
        draw_count=rules.turn.draw,
        undo=rules.turn.undo,
        look_through=rules.pile.look_through,
        top_card_counts=rules.opening.top_card_counts and not rules.opening.from_hand,
        deal=deal_view(rules),
    )


def deal_view(rules: Ruleset) -> DealView:
    return DealView(
        decks=rules.deck.decks,
        hand_size=rules.deal.hand_size,
        foot_size=rules.deal.foot_size,
        sides=rules.seats.sides,
        sit_out=rules.seats.sit_out,
        first_dealer=rules.seats.first_dealer,
        cut_order=rules.seats.cut_order,
        pots=list(rules.deal.pots),
        pots_become_stock=rules.stock_end.after_last_card == "ends" and rules.stock_end.pot_becomes_stock,
        up_card=rules.deal.up_card,
        threes=rules.deck.threes,
        threes_laid=_threes_laid(rules),
        cover_black_three=rules.deal.cover_black_three,
        natural_covers_frozen=rules.deal.natural_covers_frozen,
        reshuffle_second=rules.deal.reshuffle_second,
    )


def _threes_laid(rules: Ruleset) -> str:
    if rules.turn.lay_bonus_by_hand:
        return "hand"
    if rules.turn.threes_at == "turn":
        return "turn_but_one" if rules.turn.keep_three else "turn"
    return "deal"


# -- the table -----------------------------------------------------------------------------------------------


def table_state(
    match: Match,
    occupants: Sequence[SeatView],
    *,
    state: int,
    viewer: int | None = None,
    events: Sequence[EventView] = (),
) -> TableState:
    """Return a game in play as a viewer sees it.

    The caller adds the clock, score sheet, commitment and the like. occupants: people and computer players by
    seat, as shown to others. viewer: the viewer's seat; `None` for a spectator.
    """
    hand = match.hand
    view = hand.view(viewer)
    visible = view.state
    return TableState(
        state=state,
        status="over" if match.over else "playing",
        seats=_seats(match, view, occupants),
        sides=[_side(match, view, side) for side in range(match.sides)],
        host=False,
        seat=-1 if viewer is None else viewer,
        hand=match.hand_number,
        dealer=match.dealer,
        phase=cast("Phase", view.phase),
        turn=view.turn if not hand.over else -1,
        asked=visible.turn if view.phase == "answer" else -1,
        stock=view.stock_size,
        pile=pile_view(match, view),
        you=None if view.seat is None else your_view(hand, view),
        events=list(events),
        winner=_winner(match),
        pots=[len(pot) for pot in view.state.pots],
    )


def pile_view(match: Match, view: View) -> PileView:
    pile = view.state.pile
    return PileView(
        cards=["" if card == HIDDEN else format_card(card) for card in view.pile_shown],
        frozen=match.hand.frozen,
        stopped=bool(pile)
        and match.compiled.role_of[pile[-1]] != NATURAL_CARD
        and not match.compiled.takes_at_once,
    )


def empty_table(
    rules: Ruleset, side_of: Sequence[int], occupants: Sequence[SeatView], *, state: int
) -> TableState:
    """Return the state of a table that is waiting for its players."""
    sides = [
        SideView(
            seats=[seat for seat, other in enumerate(side_of) if other == side],
            score=0,
            points_now=0,
            melds=[],
            bonus=[],
            minimum=0,
            opened=False,
        )
        for side in range(rules.seats.sides)
    ]
    seats = [replace(one, seat=seat, side=side_of[seat]) for seat, one in enumerate(occupants)]
    return TableState(state=state, status="waiting", seats=seats, sides=sides, host=False)


def _winner(match: Match) -> int:
    if not match.over:
        return -1
    return -2 if match.winner is None else match.winner


def _seats(match: Match, view: View, occupants: Sequence[SeatView]) -> list[SeatView]:
    seats: list[SeatView] = []
    visible = view.state
    for seat, occupant in enumerate(occupants):
        shown = replace(occupant, seat=seat, side=match.side_of[seat])
        if seat in visible.order:
            shown.cards = visible.size(seat)
            shown.foot = len(visible.feet[seat]) if visible.foot_waits(seat) else 0
            shown.talon = len(visible.talons[seat])
        else:
            shown.sits_out = True
        seats.append(shown)
    return seats


def _side(match: Match, view: View, side: int) -> SideView:
    visible = view.state
    melds = view.melds(side)
    kinds = [KIND_NAMES[meld.canasta] for meld in melds if meld.canasta != NOT_A_CANASTA]
    return SideView(
        seats=[seat for seat, other in enumerate(match.side_of) if other == side],
        score=view.scores[side],
        points_now=_points_now(match.hand.state, side),
        melds=[meld_view(visible, side, meld) for meld in melds],
        bonus=[format_card(card) for card in visible.bonus[side]],
        minimum=0 if visible.opened(side) else visible.minimum(side),
        opened=visible.opened(side),
        caliente_played=visible.caliente_played(side),
        pot_taken=visible.pot_taker(side) >= 0,
        progress=canasta_progress(match.rules, kinds),
        unfinished=_rows(visible, unfinished_rows(visible, side)) if match.compiled.unfinished_bars else [],
        closed=_rows(visible, dead_rows(visible, side)),
    )


def canasta_progress(rules: Ruleset, canastas: Sequence[str]) -> list[CanastaProgress]:
    """Return the canastas that OUT-1 requires, with those a side has. `canastas` lists the kinds on the
    table.

    >>> from canasta.rules import load_ruleset
    >>> canasta_progress(load_ruleset("jaques"), ["mixed"])
    [CanastaProgress(kind='canasta', have=1, needed=1)]
    """
    return [
        CanastaProgress(
            kind=ANY_KIND if kind == ANY_CANASTA else kind,
            have=len(canastas) if kind == ANY_CANASTA else canastas.count(kind),
            needed=needed,
        )
        for kind, needed in canastas_asked(rules.going_out)
        if needed > 0
    ]


def _rows(state: HandState, rows: list[int]) -> list[str]:
    """Return the names of the melds in these rows of the engine's sets."""
    return [str(state.compiled.set_name(state.compiled.slots.first_slot(row))) for row in rows]


def _points_now(state: HandState, side: int) -> int:
    """Return the value of the side's melds and bonus cards."""
    score = state.compiled.score
    if score.grades or score.by_colour:
        lines = score_side(state, side).lines
        return sum(lines.get(line, 0) for line in _ON_THE_TABLE)
    canastas = zip(state.canasta_counts(side), state.compiled.canasta_bonus, strict=True)
    bonus = score.bonus[len(state.bonus[side])]
    return state.points(side) + bonus + sum(count * worth for count, worth in canastas)


def meld_view(state: HandState, side: int, meld: MeldOnTable) -> MeldView:
    compiled = state.compiled
    is_run = meld.name.row == ROW_RUN
    cards = list(meld.cards)
    if is_run:
        largest = compiled.longest_run
    else:
        largest = compiled.largest_wild_meld if meld.name.row == ROW_WILD else compiled.largest_set
    shown = MeldView(
        name=str(meld.name),
        cards=[format_card(card) for card in cards],
        canasta="" if meld.canasta == NOT_A_CANASTA else KIND_NAMES[meld.canasta],
        points=sum(compiled.values[compiled.rank_of[card]] for card in cards),
        full=meld.canasta == SAMBA or len(cards) >= largest,
    )
    if is_run:
        run = state.runs[side][meld.name.number - 1]
        if wild_in(run) > 0:
            shown.wild = wild_at(run) - run_low(run)
            shown.stands_for = format_card(kind_at(run_suit(run), wild_at(run)))
        shown.grade = grade_of_run(state, run) if compiled.score.grades else ""
    elif compiled.score.grades:
        row = ROW_BLACK_THREES if meld.name.row == ROW_THREES else meld.name.row
        shown.grade = grade_of_set(state, side, compiled.slots.slot_of(row, meld.name.number))
    return shown


def melds_after(tried: TriedMove) -> list[MeldView]:
    """Return the melds that a move would start or change, if the player can choose a card's position in one;
    otherwise an empty list."""
    state, after = tried.before, tried.after
    rules = state.compiled.run_rules
    has_choice = rules.wilds > 0 or rules.lowest == LOW_ACE
    if not has_choice or not isinstance(tried.move, (Meld, Add, Take)):
        return []
    side = state.side_of[state.turn]
    before = melds_of(state, side)
    return [meld_view(after, side, meld) for meld in melds_of(after, side) if meld not in before]


# -- scores --------------------------------------------------------------------------------------------------


def sheet_view(hand: int, sheets: Sequence[ScoreSheet], scores: Sequence[int], out: int | None) -> SheetView:
    """Return the points of a hand, without lines that are zero for every side."""
    used = [line for line in LINES if any(sheet.lines.get(line, 0) for sheet in sheets)]
    return SheetView(
        hand=hand,
        lines=[{line: sheet.lines[line] for line in used} for sheet in sheets],
        totals=[sheet.total for sheet in sheets],
        scores=list(scores),
        out=-1 if out is None else out,
    )


def last_sheet(match: Match) -> SheetView:
    """Return the sheet of the hand that has just ended."""
    state = match.hand.state
    sheet = sheet_view(match.hand_number, match.sheets[-1], match.scores, match.hand.out)
    if state.special >= 0:
        sheet.special, sheet.special_by = match.compiled.special_hands[state.special].name, state.special_by
        sheet.special_cards = [format_card(card) for card in sorted(state.special_cards)]
    sheet.victory = match.victory_points
    return sheet


def score_history(match: Match | None) -> list[list[int]]:
    """Return scores by side after each finished hand."""
    scores: list[list[int]] = []
    for sheets in match.sheets if match is not None else ():
        before = scores[-1] if scores else [0] * len(sheets)
        scores.append([score + sheet.total for score, sheet in zip(before, sheets, strict=True)])
    return scores
