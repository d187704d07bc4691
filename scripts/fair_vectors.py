"""Write the test vectors of the fair cards, which the tests of Python and of the browser read."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from canasta.engine.cards import full_deck
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.engine.seating import cut_cards, is_cut
from canasta.notation.cards import format_card
from canasta.notation.record import (
    Entry,
    GameLeft,
    Header,
    Record,
    RoundVoid,
    cut_entries,
    entries_after,
    hand_starts,
)
from canasta.rules import load_ruleset
from canasta.table.replay_frames import replayed_hand
from canasta.table.views import deal_view

FILE = Path(__file__).resolve().parents[1] / "web" / "src" / "lib" / "fair_vectors.json"
RECORDS = FILE.with_name("record_vectors.json")

ROUNDS: tuple[tuple[str, int, int, int, tuple[int, ...]], ...] = (
    ("caliente", 4, 1, 1, (0,)),
    ("caliente", 2, 1, 1, (0, 1)),
    ("caliente", 5, 1, 2, (0, 1, 3)),
    ("caliente-samba", 6, 1, 1, (5,)),
    ("hand-and-foot", 4, 1, 1, (0, 2)),
    ("two-player", 2, 1, 1, ()),
    ("bolivia", 4, 1, 3, (1, 2)),
    ("burraco", 4, 1, 1, (0, 1)),
    ("buraco-fechado", 2, 1, 1, (1,)),
    ("jaques", 2, 0, 1, (0, 1)),
    ("jaques", 4, 0, 1, (0, 1, 2, 3)),
    ("jaques", 5, 0, 1, (0,)),
    ("jaques", 6, 0, 2, (0, 4)),
    ("original", 4, 0, 1, (0, 2)),
    ("original", 3, 0, 1, (1,)),
    ("burraco", 4, 0, 1, (0, 1)),
    ("burraco", 2, 0, 1, (0,)),
)


def _seed(*words: object) -> str:
    return hashlib.sha256("/".join(map(str, words)).encode()).hexdigest()


def _cards(kinds: Sequence[int]) -> str:
    return " ".join(map(format_card, kinds))


def vector(name: str, players: int, hand: int, number: int, seats: tuple[int, ...], luck: int = 0) -> Any:
    rules = load_ruleset(name, players)
    table = f"table{players}"
    seeds = {seat: _seed(name, seat) for seat in seats}
    server_seed = _seed(name, players, luck)
    fair = FairRound.of_seeds(table, hand, server_seed, seeds, number=number)
    deck = fair.deck(full_deck(rules.deck.decks, rules.deck.caliente_cards), hand)
    told: dict[str, Any] = {
        "name": f"{name}, {players} players, hand {hand}, round {number}, luck {luck}",
        "rules": name,
        "players": players,
        "caliente_cards": rules.deck.caliente_cards,
        "deal": msgspec.to_builtins(deal_view(rules)),
        "table": table,
        "hand": hand,
        "round": number,
        "server_seed": server_seed,
        "seeds": {str(seat): seed for seat, seed in seeds.items()},
        "commitment": fair.commitment,
        "commitments": {str(part.seat): part.commitment for part in fair.parts},
        "list": fair.list_digest(),
        "key": fair.key().hex(),
        "deck": _cards(deck),
    }
    if hand == 0:
        cut = cut_cards(rules, fair.cut_rng())
        told["cut"] = [_cards(kinds) for kinds in cut.cards]
        told["seating"], told["dealer"] = cut.seating.players, cut.seating.dealer
        return told
    match = Match.new(rules, "", fair=fair)
    state = match.hand.state
    told["dealer"] = match.dealer
    told["hands"] = [_cards(sorted(match.hand.hand_cards(seat))) for seat in range(players)]
    told["pile"] = _cards(state.pile)
    told["stock"] = _cards(state.deck[state.at :])
    return told


def reshuffled() -> Any:
    """Find a deal in which the stock had to be reshuffled."""
    rules = load_ruleset("jaques", 4)
    for luck in range(100_000):
        told = vector("jaques", 4, 1, 1, (0,), luck)
        seeds = {int(seat): seed for seat, seed in told["seeds"].items()}
        fair = FairRound.of_seeds(told["table"], 1, told["server_seed"], seeds)
        deck = fair.deck(full_deck(rules.deck.decks, rules.deck.caliente_cards), 1)
        if not _cards(deck).endswith(told["stock"]):
            return told
    raise RuntimeError("no such deal was found")


def joker_cut() -> Any:
    """Find a cut with two jokers, which are tied."""
    for luck in range(100_000):
        told = vector("burraco", 4, 0, 1, (0, 3), luck)
        if (
            sum("Jo" in cards.split() for cards in told["cut"]) > 1
            and "Jo" in told["cut"][told["seating"][0]]
        ):
            return told
    raise RuntimeError("no such cut was found")


def threes_laid() -> Any:
    """Find a deal after which the first player lays out two threes and keeps a third."""
    rules = load_ruleset("american", 4)
    dealt = rules.deck.decks * 54 - rules.deal.hand_size * rules.seats.players
    for luck in range(100_000):
        told = vector("american", 4, 1, 1, (0, 3), luck)
        if len(told["stock"].split()) == dealt - 2 and any("3" in hand for hand in told["hands"]):
            return told
    raise RuntimeError("no such deal was found")


GAMES: tuple[tuple[str, int], ...] = (
    ("two-player", 2),
    ("jaques", 4),
    ("hand-and-foot", 4),
    ("caliente", 6),
    ("american", 4),
    ("burraco", 4),
    ("buraco-fechado", 2),
)
MOVES = 12


def game(name: str, players: int, moves: int = MOVES) -> Any:
    """Return the start of a game with fair cards: its record, and what a table shows of it."""
    rules, table, luck = load_ruleset(name, players), f"table{players}", Random(name)
    seats = range(0, players, 2)

    def fair(hand: int, number: int = 1) -> FairRound:
        seeds = {seat: _seed(name, "game", hand, number, seat) for seat in seats}
        return FairRound.of_seeds(table, hand, _seed(name, hand, number), seeds, number=number)

    entries: list[Entry] = []
    dealer, number = None, 1
    if is_cut(rules):
        lots = cut_cards(rules, fair(0).cut_rng())
        dealer = lots.seating.dealer
        entries += cut_entries(lots, fair(0))
        # One player does not reveal, and the others start again without them.
        lost = fair(1)
        parts = tuple(replace(part, seed="" if part.seat == seats[-1] else part.seed) for part in lost.parts)
        entries.append(RoundVoid(replace(lost, parts=parts)))
        seats, number = seats[:-1], 2
    match = Match.new(rules, table, fair=fair(1, number), first_dealer=dealer)
    entries.append(hand_starts(1, fair(1, number)))
    for _ in range(moves):
        if match.hand.over:
            break
        seat, move = match.hand.turn, luck.choice(match.hand.legal_moves())
        match.apply(move)
        entries += entries_after(match, seat, move)
    entries += [] if match.over else [GameLeft()]
    text = Record(Header.of(rules, seed=table), entries).text()
    shown = replayed_hand(text, 1, "en", lambda: False)
    assert not isinstance(shown, str)
    assert not shown.problem, shown.problem
    frames = [
        {"dealer": frame.dealer, "stock": frame.stock, "pile": frame.pile, "events": frame.events,
         "seats": [{"seat": seat.seat, "shows": seat.shows, "talon": seat.talon} for seat in frame.seats]}
        for frame in shown.frames
    ]  # fmt: skip
    return msgspec.to_builtins(
        {
            "name": f"{name}, {players} players",
            "text": text,
            "game": {
                "players": players,
                "caliente_cards": rules.deck.caliente_cards,
                "deal": deal_view(rules),
            },
            "frames": frames,
            "movers": shown.movers,
        }
    )


def main() -> None:
    vectors = [*(vector(*wanted) for wanted in ROUNDS), threes_laid(), reshuffled(), joker_cut()]
    rows = ",\n".join(json.dumps(told) for told in vectors)
    FILE.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    games = ",\n".join(json.dumps(game(*wanted)) for wanted in GAMES)
    RECORDS.write_text(f"[\n{games}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
