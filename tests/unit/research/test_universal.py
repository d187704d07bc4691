"""The layout for all rules: one size, one numbering of actions, and the facts of each game's own layout."""

import hashlib
import random
from itertools import chain

import numpy as np
import pytest
from unit.research.test_observations import EVERYWHERE, walk

from canasta import research
from canasta.engine.determinize import determinize
from canasta.engine.melds import ROWS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS, NEXT_CARDS
from canasta.engine.observation.layout import MOST_SLOTS, PREFIX_OF, Layout, pieces, universal_layout
from canasta.engine.rng import Rng
from canasta.engine.view import View
from canasta.errors import InputError
from canasta.research.batch import Batch
from canasta.research.episode import Episode, EpisodeGame
from canasta.research.opponents import Opponents
from canasta.rules import load_ruleset

VERSION_3 = "b321432cae931b77"
UNIVERSAL = "fc1dbce81c6377d1"


def by_name(layout: Layout, seen: bytes) -> dict[str, list[int]]:
    return {each.name: list(seen[each.offset : each.offset + each.length]) for each in pieces(layout)}


@pytest.mark.parametrize(("preset", "players", "options"), EVERYWHERE)
def test_it_tells_what_the_layout_by_the_rules_tells(
    preset: str, players: int, options: dict[str, object]
) -> None:
    rules = load_ruleset(preset, players, options)
    own, wide = EpisodeGame(rules, whole_match=True), EpisodeGame(rules, whole_match=True, universal=True)
    one, two = Episode(own), Episode(wide)
    for episode in (one, two):
        episode.begin("alike")
    slots = own.tables.slots.per_row
    for number, step in enumerate(walk(one, random.Random(f"{preset}{players}"), 400)):
        if number % 3:
            two.step(step)
            continue
        seat = one.to_act()
        told = by_name(own.marks.layout, one.observe(seat))
        told_wide = by_name(wide.marks.layout, two.observe(seat))
        assert len(two.observe(seat)) == wide.marks.layout.size
        for name, numbers in told.items():
            found = told_wide.pop(name)
            if name.endswith((".naturals", ".wilds")):
                sets = [found[MOST_SLOTS * row : MOST_SLOTS * row + slots] for row in range(ROWS)]
                assert list(chain(*sets)) == numbers
                assert sum(found) == sum(numbers)
            elif len(found) > len(numbers):  # by rank and by kind, or padded
                assert numbers in (found[: len(numbers)], found[-len(numbers) :])
            else:
                assert found == numbers
        told_wide.pop("seat_sides")
        assert all(sum(told_wide[name]) == 0 for name in told_wide if not name.startswith("rules."))
        assert [wide.steps[action] for action in two.legal_actions()] == sorted(two.legal)
        assert two.mask().count(1) == len(two.legal)
        two.step(step)


@pytest.mark.parametrize(("preset", "players", "options"), EVERYWHERE)
def test_hidden_cards_change_nothing(preset: str, players: int, options: dict[str, object]) -> None:
    episode = Episode(EpisodeGame(load_ruleset(preset, players, options), whole_match=False, universal=True))
    episode.begin("hidden")
    for number, _ in enumerate(walk(episode, random.Random(preset), 90)):
        if number % 30 == 0:
            for seat in episode.state.order:
                imagined = determinize(View(episode.state, seat, episode.scores), Rng(f"{seat}/{number}"))
                observer = episode.observer.copy()
                observer.look(imagined)
                assert observer.observe(imagined, seat) == episode.observe(seat)


def test_a_step_has_one_action_under_all_rules() -> None:
    """Drawing is the same action everywhere, and so is adding to the second set of kings."""
    games = [EpisodeGame(load_ruleset(name, 4), False, universal=True) for name in ("caliente", "bolivia")]
    assert games[0].actions == games[1].actions
    for game in games:
        steps = [step for step in game.steps if step >= 0]
        assert len(steps) == len(set(steps)) == EpisodeGame(game.rules, False).actions
    names = [research.action_names(name, 4) for name in ("caliente", "hand-and-foot")]
    wide = research.action_names(layout="universal")
    assert len(wide) == games[0].actions == len(set(wide))
    for name, words in zip(("caliente", "hand-and-foot"), names, strict=True):
        game = EpisodeGame(load_ruleset(name, 4), False, universal=True)
        own = EpisodeGame(game.rules, False)
        for action, step in enumerate(own.steps):
            universal = wide[game.action_of[step]]
            assert universal.replace("set 1 of", "the") == words[action].replace("set 1 of", "the")


def test_rules_that_it_has_no_room_for_are_refused() -> None:
    rules = load_ruleset("caliente-samba", 4, {"deck.decks": 5})
    with pytest.raises(InputError, match="10 sets of a rank, and the universal layout has room for 6"):
        EpisodeGame(rules, False, universal=True)


def test_many_tables() -> None:
    sizes = set()
    for preset, players in (("two-player", 2), ("bolivia", 6), ("burraco", 4), ("american", 2)):
        with research.vector_env(3, preset, players, layout="universal") as many:
            many.reset(1)
            many.step_randomly(50)
            many.step(many.sample())
            sizes.add((many.observations.shape, many.masks.shape, many.rewards.shape))
            assert [each.name for each in many.pieces][-1] == "turn.taken_top"
    assert len(sizes) == 1
    with pytest.raises(ValueError, match="rules, universal"):
        research.vector_env(2, layout="wide")


def told_of(presets: tuple[str, ...], most: int) -> str:
    """Return a digest of the layout's first `most` numbers and of the actions of these games."""
    told = hashlib.sha256()
    for each in research.observation_pieces(layout="universal"):
        if each.offset < most:
            told.update(f"{each.name} {each.offset} {each.length}\n".encode())
    for preset in presets:
        game = EpisodeGame(load_ruleset(preset, 4), False, universal=True)
        told.update(repr([action for action, step in enumerate(game.steps) if step >= 0]).encode())
    return told.hexdigest()[:16]


def test_a_layout_changes_with_its_version() -> None:
    """If the contents or their order change, raise the layout's version and record both numbers here."""
    presets = ("caliente", "hand-and-foot", "bolivia", "burraco", "buraco-fechado", "american")
    told = told_of(presets, universal_layout().size)
    assert (research.UNIVERSAL_VERSION, told) == (4, UNIVERSAL)


def test_an_older_version_is_the_beginning_of_this_one() -> None:
    """Networks trained with the older version read the same observations and choose the same actions."""
    numbers, actions = PREFIX_OF[3]
    older = ("caliente", "hand-and-foot", "bolivia")
    assert told_of(older, numbers) == VERSION_3
    for preset in older:
        game = EpisodeGame(load_ruleset(preset, 4), False, universal=True)
        assert max(action for action, step in enumerate(game.steps) if step >= 0) < actions
        episode = Episode(game)
        episode.begin("older")
        assert not any(episode.observe(0)[numbers:])


def batch(
    game: EpisodeGame, count: int, opponents: Opponents | None = None, *, hidden: bool = False
) -> tuple[Batch, memoryview, memoryview, "memoryview[float]"]:
    row = Batch.row_size(game, hidden)
    shown, acting = memoryview(bytearray(count * row)), memoryview(bytearray(count))
    paid = memoryview(bytearray(4 * 6 * count)).cast("f")
    made = Batch(
        game, count, "margin", shown, acting, memoryview(bytearray(count)), paid, opponents, hidden
    )  # fmt: skip
    made.reset("b", 0)
    return made, shown, acting, paid


def test_club_sits_on_a_side() -> None:
    """Its turns are not shown, and the reward of a hand is reported when a learner is next to act."""
    game = EpisodeGame(load_ruleset("caliente", 4), whole_match=True, universal=True)
    tables, shown, acting, paid = batch(game, 19, Opponents(game, {1: "club", 3: "club"}))
    row = Batch.row_size(game)
    ended = 0
    for _ in range(150):
        tables.step(tables.sample())
        assert all(game.side_of[seat] == 0 for seat in acting)
        for index, table in enumerate(tables.tables):
            assert acting[index] == table.to_act()
            assert shown[index * row : (index + 1) * row] == table.observe(acting[index]) + table.mask()
        margins = np.array(paid).reshape(19, 6)
        assert (margins[:, 0] == -margins[:, 1]).all()
        assert not margins[:, 4:].any()
        ended += int((margins[:, 0] < 0).sum())
    assert ended > 10


def test_advice_is_what_club_would_do() -> None:
    game = EpisodeGame(load_ruleset("jaques", 4), whole_match=True, universal=True)
    tables, _, _, paid = batch(game, 2)
    hands = 0
    for _ in range(400):
        tables.step(tables.advice())
        hands += any(paid)
    assert hands > 1


def test_a_judge_is_told_what_is_hidden() -> None:
    game = EpisodeGame(load_ruleset("caliente", 4), whole_match=True, universal=True)
    tables, shown, acting, _ = batch(game, 1, hidden=True)
    for _ in range(50):
        tables.step(tables.sample())
    state = tables.tables[0].state
    told = list(shown[-HIDDEN_NUMBERS:])
    hands = [state.counts_of((acting[0] + ahead) % 4) for ahead in range(1, 4)]
    assert told[: 5 * 16] == [*chain(*hands), *[0] * 32]
    nexts = [told[at : at + 16].index(1) for at in range(80, len(told), 16)]
    assert nexts == [game.tables.rank_of[kind] for kind in state.deck[state.at : state.at + NEXT_CARDS]]
