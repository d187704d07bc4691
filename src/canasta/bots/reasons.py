"""Why a move: one or two sentences in card players' words, with the numbers behind them."""

from canasta.bots.club.answer import (
    ASKERS_FOOT_BARS,
    CANASTAS_BAR,
    TEAMMATES_FOOT_BARS,
    cards_to_canastas,
    most_cards,
    what_bars,
)
from canasta.bots.club.discard import Discarding
from canasta.bots.club.going_out import gain_of_going_out, out_step
from canasta.bots.club.policy import caliente_pays, take_worth
from canasta.bots.club.weights import Weights
from canasta.bots.protocol import Explanation
from canasta.bots.sight import Sight, fits_own, foe_is_close, may_go_out, pile_worth
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    is_wild,
    plural,
    with_article,
)
from canasta.engine.law.pile import why_not_touch_pile
from canasta.engine.law.why_not import FROZEN_AT_THE_DEAL, OK
from canasta.engine.meld_names import ROW_BLACK_THREES, ROW_RUN, ROW_WILD
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.trying import try_move
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
)
from canasta.engine.state import MIXED, NATURAL, OVER, PLAY, SAMBA, WILD, HandState, run_length
from canasta.engine.steps.legal import legal_steps
from canasta.engine.view import View

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_CANASTAS = {NATURAL: "a natural canasta", MIXED: "a mixed canasta", WILD: "a wild canasta", SAMBA: "a samba"}


def count_in_words(count: int) -> str:
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def _sentence(text: str) -> str:
    """With a capital first letter, and the others as they are."""
    return text[0].upper() + text[1:]


def cards_in_words(count: int) -> str:
    return "one card" if count == 1 else f"{count_in_words(count)} cards"


def explain_move(view: View, move: Move, weights: Weights) -> Explanation:
    """What speaks for a move in this view."""
    state = view.state
    seat = view.seat
    assert seat is not None, "a player has a seat"
    if isinstance(move, Draw):
        return _draw(state, seat, weights)
    if isinstance(move, Take):
        return _take(state, seat, move, weights)
    if isinstance(move, (Meld, Add)):
        return _lay(state, seat, move)
    if isinstance(move, Discard):
        return _discard(state, seat, move, weights)
    if isinstance(move, PlayCaliente):
        return _caliente(state, seat, weights)
    if isinstance(move, (Ask, Answer)):
        return _question(state, seat, move, weights)
    return _plain(state, seat, move, weights)


# -- drawing and taking -----------------------------------------------------------------------------------


def _draw(state: HandState, seat: int, weights: Weights) -> Explanation:
    takes = [step for step in legal_steps(state) if state.prepared.layout.decoded[step].takes]
    stock = float(state.stock_size())
    size = len(state.pile)
    if takes:
        worth = max(take_worth(state, seat, weights, step) for step in takes)
        drawn = weights.draw_card * state.prepared.draw
        late = " With it the foot would have to wait longer." if state.foot_waits[seat] and size > 1 else ""
        return Explanation(
            f"The pile of {cards_in_words(size)} is worth about {worth:.0f} points here, "
            f"{cards_in_words(state.prepared.draw)} from the stock about {drawn:.0f}.{late}",
            {"pile": worth, "stock": drawn, "cards in the pile": float(size)},
        )
    if size == 0:
        why = "There is no pile to take."
    elif why_not_touch_pile(state) == FROZEN_AT_THE_DEAL:
        why = "The pile was frozen at the deal, and the first player may not take it."
    elif why_not_touch_pile(state) != OK:
        why = f"The pile cannot be taken with {with_article(RANK_OF[state.pile[-1]])} on top."
    else:
        rank = RANK_OF[state.pile[-1]]
        held = state.count(seat, rank)
        have = f"{count_in_words(held)} {plural(rank) if held != 1 else with_article(rank).split(' ', 1)[1]}"
        frozen = " of a frozen pile" if state.frozen or state.prepared.always_frozen else ""
        why = f"The hand holds {have}: not enough to take the {with_article(rank).split(' ', 1)[1]}{frozen}."
    return Explanation(
        f"{why} So a card from the stock, which has {cards_in_words(int(stock))} left.",
        {"stock cards": stock, "cards in the pile": float(size)},
    )


def _take(state: HandState, seat: int, move: Take, weights: Weights) -> Explanation:
    side = state.side_of[seat]
    rest = state.pile[:-1]
    worth = pile_worth(state, side, seat, weights, True)
    numbers = {"cards": float(len(rest)), "worth": worth}
    text = f"The pile brings {cards_in_words(len(rest))}"
    # A hint tells nobody what lies in a pile that may not be looked through.
    if state.prepared.rules.pile.look_through:
        inside = _inside(state, seat, rest)
        numbers |= {name: float(count) for name, (count, _) in inside.items()}
        parts = [words for _, words in inside.values() if words]
        text += ": " + ", ".join(parts) if parts else ""
    text += f"; together worth about {worth:.0f} points."
    if not state.opened[side]:
        text += _opening_words(state, side, _opening_points(state, move))
    elif move.onto is not None:
        text += " The top card is taken onto a meld, so it costs no card of the hand."
    return Explanation(text, numbers)


def _inside(state: HandState, seat: int, rest: list[int]) -> dict[str, tuple[int, str]]:
    """What the cards under the top card are good for, counted and in words."""
    side = state.side_of[seat]
    fits = sum(1 for kind in rest if RANK_OF[kind] < NATURAL_RANKS and fits_own(state, side, RANK_OF[kind]))
    matches = sum(
        1
        for kind in rest
        if RANK_OF[kind] < NATURAL_RANKS
        and not fits_own(state, side, RANK_OF[kind])
        and state.count(seat, RANK_OF[kind]) > 0
    )
    wilds = sum(1 for kind in rest if is_wild(RANK_OF[kind]))
    return {
        "fit melds": (fits, _counted(fits, "fits the side's melds", "fit the side's melds")),
        "match hand": (matches, _counted(matches, "matches the hand", "match the hand")),
        "wilds": (wilds, _counted(wilds, "is wild", "are wild")),
    }


def _counted(count: int, one: str, several: str) -> str:
    return f"{count_in_words(count)} {one if count == 1 else several}" if count else ""


# -- laying -----------------------------------------------------------------------------------------------


def _opening_points(state: HandState, move: Take | Meld) -> int:
    values = state.prepared.values
    groups = [*move.melds]
    points = 0
    if isinstance(move, Take):
        groups.append(move.cards)
        if state.prepared.top_card_counts:
            points += values[RANK_OF[state.pile[-1]]]
    for group in groups:
        for card in group:
            points += values[_rank(card)]
    return points


def _opening_words(state: HandState, side: int, points: int) -> str:
    minimum = state.minimum[side]
    if minimum <= 0:
        return " It opens for the side."
    if points < minimum:
        return f" It opens for the side, though worth {points} and not {minimum}."
    return f" It opens for the side with {points} points, {minimum} needed."


def _rank(card: int) -> int:
    return card - ANY if card >= ANY else RANK_OF[card]


def _lay(state: HandState, seat: int, move: Meld | Add) -> Explanation:
    side = state.side_of[seat]
    cards = [card for group in move.melds for card in group] if isinstance(move, Meld) else list(move.cards)
    points = sum(state.prepared.values[_rank(card)] for card in cards)
    wilds = sum(1 for card in cards if is_wild(_rank(card)))
    left = state.size[seat] - len(cards)
    numbers = {
        "cards laid": float(len(cards)),
        "points": float(points),
        "wilds": float(wilds),
        "cards left": float(left),
    }
    after = _after(state, move)
    if after is not None and after.phase == OVER and after.out == seat:
        gain = state.prepared.rules.scoring.going_out
        numbers["going out"] = float(gain)
        return Explanation(
            f"The last cards go down: out, for {gain} points and what the others hold.", numbers
        )
    words: list[str] = []
    if after is not None:
        for kind in (NATURAL, MIXED, WILD, SAMBA):
            if after.canastas(side, kind) > state.canastas(side, kind):
                bonus = state.prepared.canasta_bonus[kind]
                numbers["bonus"] = numbers.get("bonus", 0.0) + bonus
                words.append(f"It makes {_CANASTAS[kind]}, {bonus} points.")
    if isinstance(move, Meld):
        words.insert(0, _new_meld_words(state, side, move, points, wilds))
    elif not words:
        words.append(_growth_words(state, side, move, len(cards), numbers))
    words.append(_rest_words(state, seat, left))
    return Explanation(" ".join(words), numbers)


def _rest_words(state: HandState, seat: int, left: int) -> str:
    """What stays in the hand after laying, and what that is good for."""
    stays = f"{_sentence(cards_in_words(left))} {'stays' if left == 1 else 'stay'}"
    if state.foot_waits[seat]:
        if left == 0:
            return "That is all of the Hand: the foot is picked up."
        if left == 1:
            return "One card stays: thrown, it brings the foot."
        return f"{stays} before the foot is picked up."
    if may_go_out(state, state.side_of[seat]):
        return f"{stays} in the hand, and the canastas to go out are there."
    return f"{stays} in the hand."


def _after(state: HandState, move: Move) -> HandState | None:
    try:
        return try_move(state, move, partial=True)
    except RefusedMove:
        return None


def _new_meld_words(state: HandState, side: int, move: Meld, points: int, wilds: int) -> str:
    helped = f" with {count_in_words(wilds)} wild{'s' if wilds != 1 else ''}" if wilds else " without a wild"
    if not state.opened[side]:
        melds = "one meld" if len(move.melds) == 1 else f"{count_in_words(len(move.melds))} melds"
        return f"{melds.capitalize()}{helped}.{_opening_words(state, side, points)}"
    ranks = [_rank(card) for group in move.melds for card in group if _rank(card) < NATURAL_RANKS]
    if not ranks:
        if all(is_wild(_rank(card)) for group in move.melds for card in group):
            return f"A meld of wild cards, on the way to {state.prepared.canasta_bonus[WILD]} points."
        return "Black threes may be laid in going out."
    if len(set(ranks)) > 2 and not wilds:
        bonus = state.prepared.canasta_bonus[SAMBA]
        return f"A run of {count_in_words(len(ranks))}, on the way to {bonus} points."
    return f"A new set of {plural(ranks[0])}{helped}: {points} points are safe, and it takes the next one."


def _growth_words(state: HandState, side: int, move: Add, count: int, numbers: dict[str, float]) -> str:
    size = state.prepared.canasta_size
    if move.to.row == ROW_RUN:
        there = run_length(state.runs[side][move.to.number - 1])
        name = "run"
    else:
        there = state.set_size(side, move.to.row * state.prepared.slots + move.to.number - 1)
        name = "wild cards" if move.to.row == ROW_WILD else ""
        if move.to.row == ROW_BLACK_THREES:
            return "One more black three goes down in going out."
        if not name:
            name = plural(move.to.row)
    numbers["meld"] = float(there + count)
    verb = "grows" if name == "run" else "grow"
    if there >= size:
        verb = "take" if name != "run" else "takes"
        return f"The {name} {verb} it beyond the canasta: points that no longer count against the hand."
    return f"The {name} {verb} to {count_in_words(there + count)} of {count_in_words(size)}."


# -- discarding -------------------------------------------------------------------------------------------


def _discard(state: HandState, seat: int, move: Discard, weights: Weights) -> Explanation:
    rank = _rank(move.card)
    judged = Discarding(state, seat, weights)
    pile = len(state.pile)
    suit = move.card & 3 if move.card < ANY and rank < NATURAL_RANKS else 4
    price = judged.price(rank, suit)
    numbers = {"cards in the pile": float(pile), "pile worth": judged.pile, "price": price}
    if state.size[seat] == 1:
        last = (
            "The last card of the Hand: the foot is next."
            if state.foot_waits[seat]
            else "The last card: out."
        )
        return Explanation(last, numbers)
    if rank == BLACK_THREE or rank == CALIENTE:
        return Explanation(
            f"{_sentence(with_article(rank))} on top stops the next player: "
            f"the pile of {cards_in_words(pile)} is safe for a turn.",
            numbers,
        )
    if is_wild(rank):
        return Explanation(_freeze_words(state, judged, pile), numbers)
    sight = judged.sight
    chance = sight.take_chance(rank, state.frozen)
    total = 4 * state.prepared.rules.deck.decks
    seen = total - sight.unseen[rank]
    numbers["chance"] = chance
    numbers["in sight"] = float(seen)
    numbers["of"] = float(total)
    text = _danger_words(state, sight, rank, chance, seen) + " " + _loss_words(state, seat, rank)
    return Explanation(text, numbers)


def _freeze_words(state: HandState, judged: Discarding, pile: int) -> str:
    if state.prepared.always_frozen:
        return "A wild cannot be taken, and nothing else in the hand is safer."
    if state.frozen:
        return "The pile is frozen already; a wild on top keeps the next player from taking it."
    who = "only they have opened" if not state.opened[judged.side] else "they have the melds to take it"
    if not state.opened[judged.foe_side]:
        who = "it is worth a wild to keep it"
    return f"This freezes the pile of {cards_in_words(pile)}, worth about {judged.pile:.0f} points: {who}."


def _danger_words(state: HandState, sight: Sight, rank: int, chance: float, seen: int) -> str:
    frozen = state.frozen or state.prepared.always_frozen
    cards = f"{count_in_words(seen)} {'is' if seen == 1 else 'are'} in sight"
    name = with_article(rank)
    lying = " and the pile is frozen" if frozen else ""
    if chance < 0.005:
        return f"Nobody can take {name}: {cards}{lying}."
    percent = f"about {100 * chance:.0f}%"
    if chance >= 1.0 and sight.fits_their_meld(rank):
        return f"The next player can take {name} onto a meld, but every other card is dearer."
    if sight.was_passed(rank):
        return f"The next player has let {name} go by before: {percent} that it is taken, {cards}."
    if frozen or not state.opened[sight.foe_side]:
        return f"The next player needs a pair of {plural(rank)}: {percent}, for {cards}{lying}."
    return f"The next player can take {name} in {percent} of the hands he may hold; {cards}."


def _loss_words(state: HandState, seat: int, rank: int) -> str:
    count = state.count(seat, rank)
    if fits_own(state, state.side_of[seat], rank):
        return "It would fit a meld, but other cards are worth more."
    if count == 1:
        return "It stands alone in the hand."
    if count == 2:
        return "It breaks a pair."
    return f"{count_in_words(count - 1).capitalize()} more of them stay in the hand."


# -- the rest ---------------------------------------------------------------------------------------------


def _caliente(state: HandState, seat: int, weights: Weights) -> Explanation:
    gained = max(0, state.prepared.caliente_hand - state.size[seat] + 1)
    penalty = state.prepared.rules.caliente.played_penalty
    pays = "worth it" if caliente_pays(state, seat, weights) else "seldom worth it"
    return Explanation(
        f"The Caliente card draws {cards_in_words(gained)} and costs {penalty} points: {pays} now.",
        {"cards": float(gained), "penalty": float(penalty), "stock cards": float(state.stock_size())},
    )


def _question(state: HandState, seat: int, move: Ask | Answer, weights: Weights) -> Explanation:
    gain = gain_of_going_out(state, state.turn, weights)
    numbers = {"gain": gain, "cards in hand": float(state.size[seat])}
    if isinstance(move, Ask):
        if state.phase != PLAY or out_step(state, True) < 0:
            return Explanation(
                "Nothing here plays the hand out now, and the partner's answer would bind.", numbers
            )
        why = "The partner must be asked" if state.prepared.must_ask else "The partner's hand decides"
        return Explanation(
            f"{why}: going out now is worth about {gain:.0f} points against playing on.", numbers
        )
    barred = _bar_words(state, numbers)
    if barred:
        return Explanation(f"{'A yes is in vain' if move.yes else 'No'}: {barred}.", numbers)
    if move.yes:
        close = foe_is_close(state, state.side_of[seat])
        why = "the other side is close to going out" if close else f"it is worth about {gain:.0f} points"
        return Explanation(f"Yes: {why}, and {cards_in_words(state.size[seat])} here can be lost.", numbers)
    return Explanation(f"No: {cards_in_words(state.size[seat])} here should be melded first.", numbers)


def _bar_words(state: HandState, numbers: dict[str, float]) -> str:
    """Why the player who asks cannot go out in this turn; empty when nothing on the table says so."""
    bar = what_bars(state)
    if bar == ASKERS_FOOT_BARS:
        return "the partner has a foot to play first"
    if bar == TEAMMATES_FOOT_BARS:
        return "not every foot of the side has been played from"
    if bar == CANASTAS_BAR:
        missing = cards_to_canastas(state, state.side_of[state.turn])
        numbers["cards missing"] = float(missing)
        most = cards_in_words(most_cards(state))
        return f"the canastas lack {cards_in_words(missing)}, and the partner can lay {most} at the most"
    return ""


def _plain(state: HandState, seat: int, move: Move, weights: Weights) -> Explanation:
    numbers = {"cards in hand": float(state.size[seat]), "stock cards": float(state.stock_size())}
    side = state.side_of[seat]
    if isinstance(move, LayBonus):
        each = state.prepared.rules.scoring.red_three
        held = state.count(seat, RED_THREE)
        numbers["red threes"] = float(held)
        return Explanation(f"A red three on the table is {each} points; in the hand it costs.", numbers)
    if isinstance(move, Keep):
        lacking = (
            "the canastas to go out are missing" if not may_go_out(state, side) else "nothing better is left"
        )
        return Explanation(f"The last card is kept: {lacking}.", numbers)
    if isinstance(move, Pass):
        if state.no_discard:
            return Explanation("The last card of the stock was a red three: the hand is closed.", numbers)
        worth = pile_worth(state, side, seat, weights, True) if state.pile else 0.0
        numbers["pile"] = worth
        can = any(state.prepared.layout.decoded[step].takes for step in legal_steps(state))
        why = f"the pile is worth only about {worth:.0f} points" if can else "the pile cannot be taken"
        return Explanation(f"The stock is out and {why}: the hand ends.", numbers)
    if isinstance(move, PutBack):
        penalty = state.prepared.rules.scoring.put_back_penalty
        numbers["penalty"] = float(penalty)
        return Explanation(f"The pile goes back for {penalty} points; that is hardly ever right.", numbers)
    return Explanation("The last meld is taken back, to lay the cards in another way.", numbers)
