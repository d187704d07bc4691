"""Players from elsewhere: found by module, file or entry point, and reported clearly when they fail."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from canasta.arena.executors import InProcess, ProcessPool
from canasta.arena.play import BotSpec, GameSpec, play_match
from canasta.arena.tournament import TournamentPlan, judge, play
from canasta.bots import bot_names, get_bot, load_bot, plugins
from canasta.bots.protocol import BotError, moves_whole
from canasta.engine.match import Match
from canasta.rules import load_ruleset

CAUTIOUS = '''
import canasta

class Cautious(canasta.Bot):
    """Draws, lays nothing down, throws the last card of its list away."""

    def choose(self, view):
        return canasta.legal_moves(view)[0 if view.phase == "draw" else -1]

class Stepper:
    name = "stepper"

    def __init__(self, seed):
        self.seed = seed

    def step(self, view):
        from canasta.engine.actions.legal import legal_steps
        return legal_steps(view.state)[0]

class Listening(Cautious):
    def hear(self, event):
        raise RuntimeError("too loud")

class Cheat(canasta.Bot):
    def choose(self, view):
        return "discard A"

class Babbler(canasta.Bot):
    def choose(self, view):
        return "dsicard A"

class Silent(canasta.Bot):
    def choose(self, view):
        return None

class Confused(canasta.Bot):
    def step(self, view):
        return "draw"

class Breaks(canasta.Bot):
    def step(self, view):
        return 1 // 0

class Deaf(canasta.Bot):
    def step(self):
        return 0

class Proud(canasta.Bot):
    def __init__(self, money):
        self.money = money
    def step(self, view):
        return 0

class Idle(canasta.Bot):
    pass

PLAYER = 3
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with players in the working directory; whatever it loads is forgotten afterwards."""
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "strange_players.py"
    path.write_text(CAUTIOUS)
    return path


def spoken(file: Path, called: str) -> str:
    """Return the error of a match with this player in the first seat."""
    rules = load_ruleset("two-player")
    spec = BotSpec(f"{file}:{called}")
    with pytest.raises(BotError) as told:
        play_match(rules, [spec.create("s", 0), get_bot("club")], "s", most_hands=1)
    return str(told.value).replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("called", "sentence"),
    [
        (
            "Cheat",
            "FILE:Cheat chose discard A in seat 0: You can’t discard now: your turn starts with a draw.",
        ),
        ("Babbler", 'FILE:Babbler chose "dsicard A": "dsicard" isn’t a move: did you mean discard?'),
        ("Silent", "FILE:Silent answered choose(view) with NoneType, which is no move"),
        ("Confused", 'FILE:Confused answered step(view) with "draw", which is no step'),
        ("Breaks", "FILE:Breaks broke down in step: ZeroDivisionError: integer division or modulo by zero"),
        (
            "Deaf",
            "FILE:Deaf broke down in step: TypeError: Deaf.step() takes 1 positional argument but 2 were",
        ),
        (
            "Listening",
            "FILE:Listening broke down in hear: RuntimeError: too loud (strange_players.py, line 22)",
        ),
        ("Proud", "FILE:Proud can’t be created: TypeError: Proud.__init__() missing 1 required positional"),
        ("Idle", "FILE:Idle isn’t a player: it needs a method choose(self, view) that returns a move"),
        ("PLAYER", "FILE:PLAYER must be a player class or a function that returns a player"),
        ("Cautoius", "FILE:Cautoius has no Cautoius; did you mean Cautious?"),
    ],
)
def test_what_a_strange_player_does_is_told(file: Path, called: str, sentence: str) -> None:
    assert spoken(file, called).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nobody", 'there’s no computer player called "nobody"; there are random,'),
        ("culb", 'there’s no computer player called "culb"; did you mean club?'),
        ("nowhere:Bot", 'there’s no module "nowhere" here, and none is installed'),
        ("nowhere.py:Bot", 'there’s no player file "nowhere.py"; its name must end in .py'),
        ("broken:Bot", "broken can’t be loaded: SyntaxError"),
        ("./broken.py:Bot", "./broken.py can’t be loaded: SyntaxError"),
        ("lacking:Bot", "lacking can’t be loaded: ModuleNotFoundError: No module named 'no_such_package'"),
        (":Bot", '":Bot" doesn’t name a player: write my_bot:MyBot, or path/to/my_bot.py:MyBot'),
    ],
)
def test_who_cannot_be_found_is_told(file: Path, text: str, sentence: str) -> None:
    (file.parent / "broken.py").write_text("class Bot(:\n")
    (file.parent / "lacking.py").write_text("import no_such_package\n")
    with pytest.raises(BotError) as told:
        load_bot(text)
    assert str(told.value).startswith(sentence)


def test_strangers_names_run_nothing(file: Path) -> None:
    for text in ("strange_players:Cautious", f"{file}:Cautious", "os:getcwd"):
        with pytest.raises(BotError, match="there’s no computer player"):
            get_bot(text)
    assert load_bot("strange_players:Cautious") in bot_names()
    assert get_bot("strange_players:Cautious").name == "strange_players:Cautious"


def test_whole_moves_and_steps_are_both_played(file: Path) -> None:
    rules = load_ruleset("caliente")
    bots = [BotSpec(f"strange_players:{name}").create("s", 0) for name in ("Cautious", "Stepper")]
    assert [moves_whole(bot) for bot in (*bots, get_bot("club"))] == [True, False, False]
    result = play_match(rules, bots * 2, "s", most_hands=2)
    assert result.hands == 2


def test_a_tournament_with_a_player_of_ones_own(file: Path) -> None:
    plan = TournamentPlan(
        GameSpec("two-player", 2, by="hand"), (BotSpec(f"{file}:Cautious"), BotSpec("club")), 4, "own"
    )
    here = play(plan, InProcess())
    assert not here.failure
    assert judge(plan, here).matchups[0].a == 1
    # Other processes find the file too.
    assert play(plan, ProcessPool(2)).results == here.results


def test_a_player_that_fails_ends_the_tournament_with_what_was_played(file: Path) -> None:
    (file.parent / "late.py").write_text(
        "import canasta\nturns = 0\n"
        "class Late(canasta.Bot):\n"
        "    def choose(self, view):\n"
        "        global turns\n        turns += 1\n"
        "        return 'pass' if turns > 400 else canasta.get_bot('club').choose(view)\n"
    )
    plan = TournamentPlan(
        GameSpec("two-player", 2, by="hand"), (BotSpec("late:Late"), BotSpec("club")), 50, "late"
    )
    played = play(plan, InProcess())
    assert 0 < len(played.results) < 50
    assert played.failure.startswith("late:Late chose pass in seat ")
    assert "(late:Late against club, two-player with 2 players, seed 'late/" in played.failure
    assert judge(plan, played).pairs == len(played.results)


def test_players_of_installed_packages(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("cautious", "strange_players:Cautious", plugins.GROUP),
        EntryPoint("gone", "no_such_package:Bot", plugins.GROUP),
        EntryPoint("club", "strange_players:Cautious", plugins.GROUP),
    ]
    monkeypatch.setattr(plugins, "_are_listed", [])
    monkeypatch.setattr(plugins, "_installed", {})
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: points if group == "canasta.bots" else []
    )
    assert bot_names()[-2:] == ("cautious", "gone")
    assert moves_whole(get_bot("cautious"))
    assert not moves_whole(get_bot("club"))
    with pytest.raises(
        BotError, match="the player gone of no_such_package:Bot can’t be loaded: ModuleNotFound"
    ):
        get_bot("gone")


NONSENSE = """
import sys
from canasta.bots import Bot
from canasta.engine.moves.types import Add, Discard, Meld


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError


class Nonsense(Bot):
    def __init__(self, seed="", budget=None):
        self.name = "nonsense"

    def choose(self, view):
        return {answer}
"""


@pytest.mark.parametrize(
    "answer",
    [
        "Discard(10**9)", "Discard(-1)", 'Discard("Kd")', "Discard(None)", "Meld(None)", 'Meld((("a",),))',
        "Add((1,), None)", "sys.exit(7)", "(_ for _ in ()).throw(Wordless())",
    ],
)  # fmt: skip
def test_nonsense_is_told_in_a_sentence(answer: str, file: Path) -> None:
    (file.parent / "nonsense.py").write_text(NONSENSE.replace("{answer}", answer))
    bot = get_bot(load_bot(f"{file.parent / 'nonsense.py'}:Nonsense"))
    match = Match.new(load_ruleset("two-player"), "nonsense")
    with pytest.raises(BotError) as told:
        bot.choose(match.hand.view(match.hand.turn))
    assert str(told.value).isprintable()


def test_a_file_that_ends_the_program_is_told(file: Path) -> None:
    (file.parent / "leaves.py").write_text("import sys\nsys.exit(9)\n")
    for text in (f"{file.parent / 'leaves.py'}:Bot", "~nobody-of-this-name/x.py:A"):
        with pytest.raises(BotError):
            load_bot(text)
