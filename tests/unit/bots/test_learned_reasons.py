"""A learned player's reasons come from the alternatives that it tried."""

import pytest

from canasta.bots import get_bot
from canasta.bots.discard_explanations import ESTIMATES, UNTAKEN
from canasta.bots.protocol import whole_move
from canasta.engine.actions.legal import legal_steps
from canasta.engine.moves.types import Discard, Take

pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

from master_matches import master_match

GIVEN = {"next_takes", "next_takes_alone", "next_leaves", "next_leaves_alone"}


def test_reasons_come_from_numbers() -> None:
    """A discard names the expected points, how often the pile is taken next, and the next best move."""
    match, bots = master_match("caliente", 25)
    told: set[str] = set()
    for _ in range(24):
        seat = match.hand.turn
        view = match.hand.view(seat)
        move = bots[seat].choose(view)
        if isinstance(move, Discard):
            said = bots[seat].explain(view, move)
            codes = [reason.code for reason in said.reasons]
            assert len({"brings_more", "too_few_deals", "about_same", "learned_for"} & set(codes)) <= 1
            assert "brings_less" not in codes
            given = [reason for reason in said.reasons if reason.code in GIVEN]
            assert bool(given) != bool(set(codes) & UNTAKEN)
            assert not set(codes) & ESTIMATES
            if given:
                told.add(given[0].code)
                chance = said.numbers["next takes"]
                assert codes[-2:] in ([given[0].code, "expects"], [given[0].code, "expects_less"])
                often = f"about {round(100 * chance)}% of the time" if chance else "in any of 24 likely deals"
                assert often in said.text
                # By then the discarded card is on the pile as well.
                assert given[0].facts["pile"] == view.state.pile_size() + 1
                assert said.numbers["pile worth then"] > said.numbers["pile worth"]
                worth = f" worth about {round(said.numbers['pile worth then'])} points."
                assert (worth in said.text) == (view.state.pile_size() > 0)
                assert f"{abs(round(said.numbers['expected']))} points" in said.text
                # One estimate of the same quantity is enough.
                assert sum("percent" in reason.facts for reason in said.reasons) <= 1
        match.apply(move)
    assert told >= {"next_takes", "next_leaves"}


@pytest.mark.parametrize("name", ["master", "grandmaster"])
@pytest.mark.parametrize("preset", ["caliente", "hand-and-foot", "bolivia", "burraco"])
def test_every_hint_tells_what_to_expect_and_none_speaks_against_another(preset: str, name: str) -> None:
    match, _ = master_match(preset, 30)
    told = 0
    for _ in range(5):
        view = match.hand.view(match.hand.turn)
        bot = get_bot(name, "s", -16.0)
        bot.begin(view)
        hints = bot.hint(view, 3)
        expected = [hint.reason.numbers["expected"] for hint in hints]
        for at, hint in enumerate(hints):
            codes = {reason.code for reason in hint.reason.reasons}
            assert codes & {"expects", "expects_less"}
            if at > 0 and codes & {"brings_less", "brings_more", "learned_against"}:
                told += 1
                # The other moves are compared with the best one.
                facts = next(one.facts for one in hint.reason.reasons if "move" in one.facts)
                assert facts["move"] == str(hints[0].move)
                assert expected[at] - expected[0] == pytest.approx(hint.reason.numbers["gain"], abs=1.1)
            assert not (at and codes & {"would_fit", "wild_safest"})
        match.apply(hints[0].move)
    assert told > 0


def test_a_grandmaster_names_what_it_has_tried() -> None:
    """A first meld with the pile is named as the network carries it out, which is how it was tried.

    Asked about any other move, the grandmaster tries it.
    """
    openings = asked = 0
    for seed in range(14):
        match, _ = master_match("caliente", 6 + seed, f"names {seed}")
        for _ in range(4):
            view = match.hand.view(match.hand.turn)
            bot, master = get_bot("grandmaster", "s", -13.0), get_bot("master", "s")
            for one in (bot, master):
                one.begin(view)
            hints = bot.hint(view, 3)
            likely = {hint.move for hint in master.hint(view, 3)}
            for hint in hints:
                if isinstance(hint.move, Take) and hint.move.melds:
                    openings += 1
                    assert any(
                        hint.move == whole_move(master, view, step) for step in legal_steps(view.state)
                    )
                assert bot.explain(view, hint.move).numbers["expected"] == hint.reason.numbers["expected"]
            for move in likely - {hint.move for hint in hints}:
                asked += 1
                assert "expected" in bot.explain(view, move).numbers
            match.apply(master.choose(view))
        if openings > 1 and asked > 1:
            break
    assert openings > 1
    assert asked > 1


def test_a_master_goes_by_what_it_has_learned() -> None:
    """If its deals favour another move, it reports both, and never claims to play the worse one."""
    learned = 0
    for preset in ("hand-and-foot", "burraco"):
        match, bots = master_match(preset, 40)
        for _ in range(25):
            seat = match.hand.turn
            view = match.hand.view(seat)
            hints = bots[seat].hint(view, 2)
            codes = [{reason.code for reason in hint.reason.reasons} for hint in hints]
            assert "brings_less" not in codes[0]
            if "learned_for" in codes[0]:
                learned += 1
                assert hints[0].reason.numbers["gain"] < 0.0
                assert "experience from many hands favours this" in hints[0].reason.text
            match.apply(hints[0].move)
    assert learned > 0
