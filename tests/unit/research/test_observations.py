"""Observations: what they contain, and that they reveal nothing hidden."""

import copy
import hashlib
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from canasta import research
from canasta.engine.actions.codec import PUT_BACK, is_discard
from canasta.engine.cards import ACE, NATURAL_RANKS, RANK_OF, RANKS
from canasta.engine.determinize import determinize
from canasta.engine.observation.layout import pieces
from canasta.engine.position import Position, set_up
from canasta.engine.rng import Rng
from canasta.engine.sequences import wild_at, wild_in
from canasta.engine.state import ANSWER, DRAW, HandState, cards_held
from canasta.engine.view import View
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import load_ruleset, player_numbers, preset_names

KING = ACE - 1
TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]
SPECIAL: list[tuple[str, int, dict[str, object]]] = [
    ("caliente", 4, {"caliente_cards": True, "lay_bonus_by_hand": True}),
    ("hand-and-foot", 4, {"lay_bonus_by_hand": True, "put_back": True}),
    ("jaques-samba", 4, {"put_back": True}),
    ("bolivia", 6, {"sides": 3, "put_back": True}),
]
EVERYWHERE: list[tuple[str, int, dict[str, object]]] = [
    (preset, players, {}) for preset, players in TABLES
] + SPECIAL


def table(
    preset: str, players: int, options: dict[str, object] | None = None, *, match: bool = False
) -> Episode:
    episode = Episode(EpisodeGame(load_ruleset(preset, players, options or {}), match))
    episode.begin(f"{preset}/{players}")
    return episode


def walk(episode: Episode, choice: random.Random, most: int) -> Iterator[int]:
    """Make random steps, each yielded before it is made; the walk often stops before the hand ends."""
    for _ in range(most):
        if episode.over:
            return
        step = choice.choice(episode.legal)
        yield step
        episode.step(step)


def piece(episode: Episode, seat: int, name: str) -> list[int]:
    found = next(each for each in pieces(episode.observer.layout) if each.name == name)
    return list(episode.observe(seat)[found.offset : found.offset + found.length])


@pytest.mark.interpreted
@pytest.mark.parametrize(("preset", "players", "options"), EVERYWHERE)
def test_hidden_cards_change_nothing(preset: str, players: int, options: dict[str, object]) -> None:
    """Resampled from a seat's view, the table gives that seat the same observation."""
    episode = table(preset, players, options)
    choice = random.Random(f"hidden/{preset}/{players}")
    for number, _ in enumerate(walk(episode, choice, 150)):
        if number % 15 == 0:
            for seat in episode.state.order:
                view = View(episode.state, seat, episode.scores)
                imagined = determinize(view, Rng(f"{seat}/{number}"))
                observer = episode.observer.copy()
                observer.look(imagined)
                assert observer.observe(imagined, seat) == episode.observe(seat)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_is_remembered_needs_no_hidden_card(preset: str, players: int) -> None:
    """The same public steps leave the same memory, whatever the others hold."""
    episode = table(preset, players)
    choice = random.Random(f"memory/{preset}/{players}")
    for step in walk(episode, choice, 100):
        if choice.randrange(10) == 0:
            other = determinize(View(episode.state, episode.state.turn, episode.scores), Rng("x"))
            one, two = episode.observer.copy(), episode.observer.copy()
            one.before_step(episode.state, step)
            two.before_step(other, step)
            two.look(other)
            one.look(episode.state)
            assert one.observe(episode.state, episode.state.turn) == two.observe(other, episode.state.turn)


@pytest.mark.parametrize(("preset", "players", "options"), EVERYWHERE)
def test_following_a_hand_equals_looking_anew(preset: str, players: int, options: dict[str, object]) -> None:
    choice = random.Random(f"follow/{preset}/{players}")
    for universal in (False, True):
        episode = Episode(EpisodeGame(load_ruleset(preset, players, options), True, universal=universal))
        episode.begin("follow")
        for _ in walk(episode, choice, 160):
            if choice.randrange(3) == 0:
                anew = copy.copy(episode.observer)
                anew.look(episode.state)
                seat = choice.randrange(players)
                assert anew.observe(episode.state, seat) == episode.observe(seat)


@pytest.mark.interpreted
@pytest.mark.parametrize("preset", ["hand-and-foot", "jaques-samba"])
def test_a_pile_that_was_put_back_is_read_anew(preset: str) -> None:
    """This includes a pile of a single card, whose return looks like a discard."""
    episode = table(preset, 4, {"put_back": True})
    choice = random.Random(f"put back/{preset}")
    single = 0
    for _ in range(20_000):
        if single == 2:
            return
        if episode.over:
            episode.begin_next()
        puts_back = PUT_BACK in episode.legal and choice.randrange(2) == 0
        known = sum(episode.state.known_of(episode.state.turn))
        episode.step(PUT_BACK if puts_back else choice.choice(episode.legal))
        if puts_back:
            assert not episode.over
            anew = episode.observer.copy()
            anew.look(episode.state)
            assert anew.observe(episode.state, 0) == episode.observe(0)
            single += episode.state.pile_size() == 1 and known != sum(
                episode.state.known_of(episode.state.turn)
            )
    pytest.fail("no pile of a single card was put back")


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_pieces_fill_an_observation_without_gaps(preset: str, players: int) -> None:
    episode = table(preset, players)
    at = 0
    names = []
    for each in pieces(episode.observer.layout):
        assert each.offset == at
        assert each.length > 0
        assert each.meaning
        at += each.length
        names.append(each.name)
    assert at == episode.observer.size == len(episode.observe(0))
    assert len(set(names)) == len(names)


LAYOUT = "1f42b4bfd8c6d359"


def test_a_layout_changes_with_its_version() -> None:
    """If the contents or their order change, raise the layout's version and record both numbers here."""
    told = hashlib.sha256()
    for preset, players, options in [("two-player", 2, {}), ("jaques", 5, {}), *SPECIAL]:
        for each in research.observation_pieces(preset, players, options):
            told.update(f"{each.name} {each.offset} {each.length}\n".encode())
    assert (research.OBSERVATION_VERSION, told.hexdigest()[:16]) == (2, LAYOUT)


@pytest.mark.interpreted
@pytest.mark.parametrize("preset", ["jaques-samba", "bolivia"])
def test_the_suits_of_melded_sets_are_told_where_suits_matter(preset: str) -> None:
    episode = table(preset, 4, {"put_back": True})
    choice = random.Random(f"suits/{preset}")
    most = 0
    for _ in walk(episode, choice, 600):
        state = episode.state
        for side in range(2):
            sets = len(state.naturals_of(side))
            cards = Counter(card & 63 for card in state.cards_laid_by(side) if card >> 6 < sets)
            told = piece(episode, side, "side+0.set_cards")
            assert {kind: number for kind, number in enumerate(told) if number} == cards
            assert piece(episode, 1 - side, "side+1.set_cards") == told
            most = max(most, sum(told))
    assert most > 6


def test_own_cards_and_sizes() -> None:
    for episode in (table("caliente", 4), table("bolivia", 4)):
        for seat in range(4):
            held = cards_held(episode.state, seat)
            counts = Counter(held) if episode.observer.layout.by_kind else Counter(RANK_OF[k] for k in held)
            hand = piece(episode, seat, "hand")
            assert {at: number for at, number in enumerate(hand) if number} == counts
            for ahead in range(4):
                size = episode.state.size((seat + ahead) % 4)
                assert piece(episode, seat, f"seat+{ahead}.size") == [size]


def test_turn_and_phase_are_told_from_the_viewer() -> None:
    episode = table("caliente", 4)
    first = episode.to_act()
    assert piece(episode, first, "to_act") == [1, 0, 0, 0]
    assert piece(episode, (first + 1) % 4, "to_act") == [0, 0, 0, 1]
    assert piece(episode, first, "phase") == [1, 0, 0, 0]
    episode.step(episode.legal[0])
    assert piece(episode, first, "phase") == [0, 1, 0, 0]


def test_an_answer_is_awaited_from_the_partner() -> None:
    episode = table("caliente", 4)
    choice = random.Random(5)
    for _ in range(200):
        while not episode.over:
            if episode.state.phase == ANSWER:
                asker = episode.state.turn
                assert piece(episode, asker, "turn") == [1, 0, 0, 0]
                assert piece(episode, asker, "to_act") == [0, 0, 1, 0]
                return
            episode.step(choice.choice(episode.legal))
        episode.begin_next()
    pytest.fail("nobody asked")


@pytest.mark.interpreted
def test_discards_and_top_cards_let_lie_are_counted() -> None:
    episode = table("caliente", 4)
    choice = random.Random(8)
    discarded = [[0] * RANKS for _ in range(4)]
    let_pass = [[0] * NATURAL_RANKS for _ in range(4)]
    while not episode.over:
        step = choice.choice(episode.legal)
        state = episode.state
        seat = state.turn
        if is_discard(step):
            discarded[seat][episode.state.compiled.layout.decoded[step].row] += 1
        if state.phase == DRAW and step == 0 and _could_be_taken(state):
            let_pass[seat][RANK_OF[state.top_card()]] += 1
        episode.step(step)
    for viewer in range(4):
        for ahead in range(4):
            seat = (viewer + ahead) % 4
            assert piece(episode, viewer, f"seat+{ahead}.discarded") == discarded[seat]
            assert piece(episode, viewer, f"seat+{ahead}.let_pass") == let_pass[seat]
    assert sum(map(sum, discarded)) > 20
    assert sum(map(sum, let_pass)) > 10


def _could_be_taken(state: HandState) -> bool:
    """Return whether the pile seems open to all: a natural card on top, and no rule that bars this player."""
    if not state.pile or RANK_OF[state.top_card()] >= NATURAL_RANKS:
        return False
    barred = state.frozen and state.pile_is_from_deal and state.compiled.bars_first_player
    alone = state.compiled.one_card_not_single and state.pile_size() == 1 and state.size(state.turn) == 1
    alone = alone and not (state.compiled.single_at_stock_end and state.stock_size() == 0)
    return not barred and not alone


def test_scores_and_minimum_in_a_match() -> None:
    episode = table("caliente", 4, match=True)
    choice = random.Random(3)
    while episode.hand_number < 3:
        episode.step(choice.choice(episode.legal))
    for seat in (0, 1):
        hundreds, fives = piece(episode, seat, "side+0.score")
        assert 100 * (hundreds - 50) + 5 * fives == episode.scores[seat]
        assert piece(episode, seat, "side+0.minimum") == [episode.state.minimum(seat) // 5]
    assert piece(episode, 0, "hand_number") == [3]


@pytest.mark.parametrize("players", [2, 4])
def test_wild_cards_of_long_runs_and_pots_are_told(players: int) -> None:
    episode = table("burraco", players, {"hand_size": 3})
    choice = random.Random(f"wilds/{players}")
    wilds = taken = 0
    for _ in walk(episode, choice, 400):
        state = episode.state
        for side in range(2):
            told = piece(episode, side, "side+0.run_wilds")
            for number, run in enumerate(state.runs[side]):
                assert told[2 * number : 2 * number + 2] == [wild_at(run), wild_in(run)]
                wilds += wild_in(run) > 0
            assert piece(episode, 1 - side, "side+1.run_wilds") == told
            took = state.pot_taker(side) >= 0
            assert piece(episode, side, "side+0.pot_taken") == [took]
            taken += took
        assert piece(episode, 0, "pots")[0] == len(state.pots)
    assert wilds > 0
    assert taken > 0


def test_a_talon_is_told_and_seen_by_its_owner_alone() -> None:
    episode = table("american", 4)
    choice = random.Random("talon")
    waited = 0
    for _ in range(200):
        for _ in walk(episode, choice, 400):
            for seat, talon in enumerate(episode.state.talons):
                if talon:
                    waited += 1
                    assert piece(episode, seat, "seat+0.talon") == [len(talon)]
                    held = Counter(episode.state.compiled.rank_of[kind] for kind in talon)
                    own = piece(episode, seat, "talon")
                    assert {rank: number for rank, number in enumerate(own) if number} == held
                    assert sum(piece(episode, (seat + 1) % 4, "talon")) in (
                        0,
                        len(episode.state.talons[(seat + 1) % 4]),
                    )
        if waited > 5:
            return
        episode.begin_next()
    pytest.fail("nobody got a talon")


def test_the_last_discard_that_lies_face_down_is_told_to_nobody() -> None:
    """Whichever card it is, everybody else gets the same observation."""
    shown = set()
    for last in (4 * ACE, 4 * NATURAL_RANKS):
        episode = table("american", 4)
        kings = [4 * KING + suit for suit in range(4)] * 2
        queens = [4 * KING - 4 + suit for suit in range(4)] * 2
        position = Position(
            hands={0: [last], 1: [0], 2: [0], 3: [1]}, melds={0: [kings[:7], queens[:7]]}, phase="play"
        )
        episode.state = set_up(episode.game.tables, position)
        episode.observer.begin(episode.state, [0, 0], 1)
        legal = episode.game.legal(episode.state)
        episode.step(next(step for step in legal if is_discard(step)))
        assert episode.over
        shown.add(episode.observe(1))
    assert len(shown) == 1


def test_a_last_card_of_the_hand_is_seen_where_the_foot_is_still_to_be_played() -> None:
    options = {"discards.last_face_down": True, "canastas_to_go_out": 1, "going_out.ask": "may"}
    episode = table("hand-and-foot", 4, options)
    kings = [4 * KING + suit for suit in range(4)] * 2
    position = Position(
        hands={0: [4 * ACE], 1: [0], 2: [0], 3: [1]},
        feet={0: [2, 3]},
        picked_up={2},
        melds={0: [kings[:7]]},
        phase="play",
    )
    episode.state = set_up(episode.game.tables, position)
    episode.observer.begin(episode.state, [0, 0], 1)
    legal = episode.game.legal(episode.state)
    episode.step(next(step for step in legal if is_discard(step)))
    assert not episode.over
    assert piece(episode, 1, "seat+3.discarded")[ACE] == 1
