"""Local games: fair cards, and a file from which an unfinished game resumes."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from terminal.test_command import Terminal

from canasta.bots import get_bot, load_bot
from canasta.engine.fairness import FairRound, commit_to, seed_from_text
from canasta.engine.match import Match
from canasta.errors import InputError
from canasta.notation.replay import replay
from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.table.errors import tell_problem
from canasta.table.event_views import Change
from canasta.table.log import Committed, Created, Entry, ListClosed, Moved, Readied, Revealed, Seated
from canasta.table.next_action import Deal, Turn
from canasta.table.table import Table
from canasta.table.wire import Done, EventView, Problem, TableState
from canasta.table.wire_commands import LeaveSeat, MakeMove, NextHand, new_id
from canasta.terminal.fairness import CHECKED, WITHOUT_YOU, ChooseSeed, any_seed
from canasta.terminal.game_file import SUFFIX, GameFile, saved_games
from canasta.terminal.local_table import Host, new_table

TABLES = [(name, players) for name in preset_names() for players in player_numbers(name)]


def play_on(host: Host, *, moves: int = 10_000, hands: int = 1) -> None:
    """Let the person play as a novice until they have made `moves` moves or finished `hands` hands."""
    novice = get_bot("novice")
    while (due := host.due()) is not None and moves:
        if not isinstance(due, Turn):
            hands -= due is not Deal.AFTER_THE_CUT
            if not hands:
                return
            assert isinstance(host.handle(NextHand(id=new_id())), Done)
        elif due.level:
            host.play(due, host.choose(due))
        else:
            assert host.table.match is not None
            move = str(novice.choose(host.table.match.hand.view(due.seat)))
            command = MakeMove(id=new_id(), state=host.table.state, move=move)
            assert isinstance(host.handle(command), Done)
            moves -= 1


@pytest.fixture
def own(tmp_path: Path) -> Iterator["Own"]:
    tables = Own(tmp_path / "game")
    yield tables
    for host in tables.hosts:
        host.close()


class Own:
    """A file, and the tables that were opened with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hosts: list[Host] = []

    def new(self, table: Table, choose_seed: ChooseSeed = any_seed) -> Host:
        host = Host(table, GameFile.create(self.path, table.name), names=["Ada"], choose_seed=choose_seed)
        self.hosts.append(host)
        host.enter()
        return host

    def again(self, host: Host) -> Host:
        """Leave the table and return to it."""
        host.close()
        return self.reopened()

    def reopened(self) -> Host:
        host = Host.reopened(self.path)
        self.hosts.append(host)
        return host


def frame_of(host: Host) -> TableState:
    return host.frame([])


# -- fair cards ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_fair_cards_of_every_game_can_be_verified(rules: str, players: int) -> None:
    host = Host(new_table(load_ruleset(rules, players), "novice"))
    host.enter()
    play_on(host)
    again = replay(host.table.record())
    assert again.is_good, again.problem
    assert isinstance(host.table.fair, FairRound)
    assert host.table.fair.contributors == (host.seat,)
    hands = ([0] if host.table.cut else []) + [1]
    assert [(verdict.hand, verdict.result) for verdict in host.witness.verdicts] == [
        (hand, CHECKED) for hand in hands
    ]


def test_a_pot_that_becomes_the_stock_raises_no_alarm() -> None:
    """With that many cards dealt, the stock is soon empty, and a pot takes its place."""
    for _ in range(10):
        host = Host(new_table(load_ruleset("buraco-aberto", 4, {"hand_size": 15}), "novice"))
        host.enter()
        play_on(host)
        assert [verdict.result for verdict in host.witness.verdicts] == [CHECKED]
        assert host.table.match is not None
        state = host.table.match.hand.state
        if len(state.pots) + sum(taker >= 0 for taker in state.pot_takers()) < 2:
            return
    pytest.fail("no pot became the stock")


def test_the_program_commits_before_it_asks_and_reveals_after_the_list_is_closed(own: "Own") -> None:
    asked: list[tuple[int, str]] = []

    def ask(hand: int, commitment: str) -> str:
        asked.append((hand, commitment))
        return f"my luck {hand}"

    table = new_table(load_ruleset("jaques", 4, {"target": 20_000}), "novice")
    host = own.new(table, ask)
    play_on(host, hands=2)
    assert [hand for hand, _ in asked] == [0, 1, 2, 3]
    host.close()
    file, _, log = GameFile.open(own.path)
    file.close()
    seeds = [entry for entry in log if isinstance(entry, (Committed, ListClosed, Revealed))]
    assert [type(entry) for entry in seeds[:6]] == [Committed, ListClosed, Revealed] * 2
    assert isinstance(host.table.fair, FairRound)
    assert host.table.fair.commitment == asked[2][1]
    part = host.table.fair.parts[0]
    assert part.seed == seed_from_text("my luck 2")
    assert part.commitment == commit_to(part.seed, table=table.name, hand=2, number=1, seat=part.seat)


def test_a_seed_deals_the_same_again_and_others_do_not() -> None:
    def cards(rules: str, players: int, seed: str | None) -> list[int]:
        host = Host(new_table(load_ruleset(rules, players), "novice", seed))
        host.enter()
        if host.due() is Deal.AFTER_THE_CUT:
            host.handle(NextHand(id=new_id()))
        assert host.table.match is not None
        return list(host.table.match.hand.state.deck)

    assert cards("jaques", 5, "tuesday") == cards("jaques", 5, "tuesday")
    assert cards("caliente", 4, "x") == list(Match.new(load_ruleset("caliente", 4), "x").hand.state.deck)
    assert len({tuple(cards("caliente", 4, None)) for _ in range(4)}) == 4


# -- files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, "tuesday"])
@pytest.mark.parametrize("rules", ["caliente", "jaques", "hand-and-foot"])
def test_a_game_goes_on_where_it_was_left(rules: str, seed: str | None, own: Own) -> None:
    chosen = load_ruleset(rules, 4, {} if rules == "hand-and-foot" else {"target": 20_000})
    host = own.new(new_table(chosen, "novice", seed))
    for _ in range(4):
        play_on(host, moves=3)
        before, cards = frame_of(host), host.table.record(whole=True)
        host = own.again(host)
        assert frame_of(host) == before
        assert host.table.record(whole=True) == cards
        host.enter()
    play_on(host, hands=2)
    assert host.table.match is not None
    assert host.table.match.hand_number == 2
    assert replay(host.table.record()).is_good
    verdicts = {verdict.result for verdict in host.witness.verdicts}
    assert verdicts == ({CHECKED} if seed is None else set())


def test_who_comes_back_is_told_what_the_others_did(own: Own) -> None:
    host = own.new(new_table(load_ruleset("caliente"), "novice", "tuesday"))
    while not (isinstance(due := host.due(), Turn) and due.level):
        play_on(host, moves=1)
    seen: list[Change] = []
    host.on_change = lambda frame, change: seen.append(change)
    while isinstance(due := host.due(), Turn) and due.level:
        host.play(due, host.choose(due))
    told: list[Change] = []
    host = own.again(host)
    host.on_change = lambda frame, change: told.append(change)
    host.enter()
    assert seen
    assert told == [[event for change in seen for event in change]]


@pytest.mark.parametrize("torn", [b'{"type":"moved","sea', b"\xff\xfe", b"{"])
def test_a_line_that_was_being_written_has_not_happened(torn: bytes, own: Own) -> None:
    host = own.new(new_table(load_ruleset("caliente"), "novice", "tuesday"))
    play_on(host, moves=2)
    before = frame_of(host)
    host.close()
    whole = own.path.read_bytes()
    own.path.write_bytes(whole + torn)
    host = own.reopened()
    assert frame_of(host) == before
    play_on(host, moves=1)
    host = own.again(host)
    assert own.path.read_bytes().startswith(whole + b'{"')
    assert frame_of(host).state > before.state


def test_a_seed_that_was_lost_between_the_halves_of_a_round_ends_it(own: Own) -> None:
    own.new(new_table(load_ruleset("two-player"), "novice")).close()
    lines = own.path.read_bytes().splitlines(keepends=True)
    closed = next(at for at, line in enumerate(lines) if b'"closed"' in line)
    assert b'"revealed"' not in lines[closed]
    own.path.write_bytes(b"".join(lines[: closed + 1]))
    host = own.reopened()
    assert host.table.shuffling.unrevealed == [0]
    host.enter()
    play_on(host)
    assert [verdict.result for verdict in host.witness.verdicts] == [WITHOUT_YOU]
    assert replay(host.table.record()).is_good


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "isn’t a saved game"),
        (b"format: canasta 1\n", "isn’t a saved game"),
        (b'{"format": "canasta table 2", "table": "x"}\n', "was saved by another version"),
        (b'{"format": "canasta table 1", "table": "x"}\n', "isn’t a possible game"),
        (b'{"format": "canasta table 1", "table": "x"}\n{"type":"nothing"}\n', "is damaged at line 2"),
        (
            b'{"format": "canasta table 1", "table": "x"}\n{"type":"ready","seat":1}\n',
            "isn’t a possible game",
        ),
        (b"\x00\xff\n" * 50, "isn’t a saved game"),
    ],
)
def test_what_is_no_game_is_told_and_left_as_it_is(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        Host.reopened(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"version": 99}, "is from a newer canasta: it uses version 99 of caliente, and here is "),
        ({"rules": "manila"}, "uses rules that aren’t known here: .*this preset doesn’t exist"),
        ({"options": {"decks_of_tarot": 2}}, "uses rules that aren’t known here: decks_of_tarot"),
    ],
)
def test_a_game_of_a_newer_canasta_is_called_that(
    changed: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    created = new_table(load_ruleset("caliente"), "novice", "x").created
    path = tmp_path / "game"
    file = GameFile.create(path, "x")
    file.append([msgspec.structs.replace(created, **changed)])
    file.close()
    with pytest.raises(InputError, match=sentence):
        Host.reopened(path)


def test_a_log_with_impossible_entries_is_no_game(tmp_path: Path) -> None:
    created = new_table(load_ruleset("caliente"), "novice", "x").created
    assert isinstance(created, Created)
    impossible: list[Entry] = [
        Moved(seat=0, move="no move"),
        Revealed(seat=70, seed="x"),
        Readied(seat=9),
        created,
    ]
    for number, entry in enumerate(impossible):
        path = tmp_path / str(number)
        file = GameFile.create(path, "x")
        file.append([created, entry, Moved(seat=0, move="draw")])
        file.close()
        with pytest.raises(InputError, match="isn’t a possible game"):
            Host.reopened(path)


def test_two_programs_do_not_write_to_one_game(tmp_path: Path) -> None:
    path = tmp_path / "game"
    file = GameFile.create(path, "x")
    with pytest.raises(InputError, match="is open in another program"):
        GameFile.open(path)
    with pytest.raises(FileExistsError):
        GameFile.create(path, "x")
    file.close()
    GameFile.open(path)[0].close()


def test_a_file_that_cannot_be_written_ends_and_the_game_goes_on(tmp_path: Path) -> None:
    table = new_table(load_ruleset("caliente"), "novice", "tuesday")
    file = GameFile.create(tmp_path / "game", table.name)
    host = Host(table, file)
    told: list[Problem] = []
    host.on_problem = told.append
    host.enter()
    file._stream.close()  # simulate a full disk
    play_on(host, moves=3)
    assert host.own_moves == 3
    assert len(told) == 1
    assert "can no longer be saved" in told[0].message
    assert tell_problem(told[0], "es").startswith("La partida ya no se puede guardar: ")


# -- as a player would do it ---------------------------------------------------------------------------------


def text_table(folder: Path, *words: str) -> Terminal:
    command = [sys.executable, "-m", "canasta", "play", "--text", *words]
    return Terminal(command, NO_COLOR="1", XDG_DATA_HOME=str(folder))


def only_game(folder: Path) -> Path:
    games = saved_games(folder / "canasta" / "games")
    assert len(games) == 1
    assert games[0].name.endswith(SUFFIX)
    return games[0]


def test_a_typed_game_that_was_killed_goes_on(tmp_path: Path) -> None:
    terminal = text_table(tmp_path, "--seed", "tuesday", "--bot", "novice")
    try:
        terminal.read_until("draw > ")
        terminal.type("draw\n")
        terminal.read_until("You drew 7")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait()
    finally:
        terminal.close()
    kept = only_game(tmp_path).read_bytes()
    terminal = text_table(tmp_path)
    try:
        terminal.read_until("You have an unfinished game: Canasta Caliente for 4, hand 1, 0 to 0.")
        other = text_table(tmp_path, "--resume")
        try:
            assert "there’s no game to resume" in other.end(), "it is open in the first window"
        finally:
            other.close()
        terminal.type("\n")
        terminal.read_until("7♥")
        terminal.read_until("discard > ")
        terminal.type("discard 7\n")
        terminal.read_until("You discarded 7")
        terminal.read_until("draw > ", after="You discarded 7")
        terminal.type("quit\n")
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "Traceback" not in text
    assert "canasta play --text --resume continues it" in text
    assert only_game(tmp_path).read_bytes().startswith(kept)


def test_a_new_game_keeps_the_old_one_and_an_empty_one_is_not_kept(tmp_path: Path) -> None:
    first = text_table(tmp_path, "--seed", "tuesday", "--bot", "novice")
    try:
        first.read_until("draw > ")
        first.type("draw\nquit\n")
        first.end()
    finally:
        first.close()
    kept = only_game(tmp_path).read_bytes()
    second = text_table(tmp_path, "--seed", "wednesday")
    try:
        second.read_until("(the old one is kept) > ")
        second.type("perhaps\nn\n")
        second.read_until("Your hand")
        second.type("quit\n")
        text = second.end()
    finally:
        second.close()
    assert "The game is saved" not in text
    assert only_game(tmp_path).read_bytes() == kept


def test_who_is_asked_for_a_seed_can_leave_and_comes_back_to_the_question(tmp_path: Path) -> None:
    words = ("--rules", "jaques", "--bot", "novice", "--save", str(tmp_path / "evening"))
    first = text_table(tmp_path, *words)
    try:
        first.read_until("quit leaves > ")
        first.type("my luck\n")
        first.read_until("quit leaves > ", after="You cut")
        first.type("quit\n")
        text = first.end()
    finally:
        first.close()
    assert first.process.returncode == 0
    assert "--resume --save" in text
    again = text_table(tmp_path, "--resume", "--save", str(tmp_path / "evening"))
    try:
        again.read_until("seed for hand 1 is fixed by")
        again.read_until("quit leaves > ")
        again.type("\n")
        again.read_until("Your hand")
        again.type("quit\n")
        text = again.end()
    finally:
        again.close()
    assert again.process.returncode == 0
    assert "Traceback" not in text


def test_the_table_on_the_whole_screen_goes_on_too(tmp_path: Path) -> None:
    words = ["--rules", "caliente", "--seed", "tuesday", "--bot", "novice"]
    terminal = Terminal(
        [sys.executable, "-m", "canasta", "tui", *words, "--save", str(tmp_path / "evening")],
        XDG_DATA_HOME=str(tmp_path),
    )
    try:
        terminal.read_until("Your turn")
        terminal.type("d")
        terminal.read_until("select cards to meld")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait()
    finally:
        terminal.close()
    terminal = Terminal(
        [sys.executable, "-m", "canasta", "tui", "--resume", "--save", str(tmp_path / "evening")],
        XDG_DATA_HOME=str(tmp_path),
    )
    try:
        terminal.read_until("select cards to meld")
        terminal.type("\x03")
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "canasta tui --resume --save" in "".join(text.split("\r\n"))
    host = Host.reopened(tmp_path / "evening")
    assert host.own_moves == 1
    host.close()


# -- who plays -----------------------------------------------------------------------------------------------


def test_a_player_from_elsewhere_that_fails_is_told_of_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta.bots.plugins._loaded", {})
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    def choose(self, view):\n        raise RuntimeError('no idea')\n",
        encoding="utf-8",
    )
    host = Host(new_table(load_ruleset("two-player"), load_bot(f"{tmp_path / 'broken.py'}:Broken"), "x"))
    told: list[Problem] = []
    changes: list[Change] = []
    host.on_problem = told.append
    host.on_change = lambda frame, change: changes.append(change)
    host.enter()
    play_on(host, moves=6)
    assert told
    assert all("no idea" in problem.message for problem in told)
    hurried = [part for change in changes for part in change if isinstance(part, EventView)]
    assert any(part.what == "hurried" for part in hurried)


def test_who_leaves_the_seat_has_a_computer_player_stand_in() -> None:
    host = Host(new_table(load_ruleset("two-player"), "novice", "x"))
    host.enter()
    assert isinstance(host.handle(LeaveSeat(id="a")), Done)
    for _ in range(8):
        due = host.due()
        assert isinstance(due, Turn)
        assert due.level
        host.play(due, host.choose(due))


def test_a_game_of_several_people_is_not_one_of_ones_own(own: Own) -> None:
    host = own.new(new_table(load_ruleset("caliente"), "novice", "x"))
    host.close()
    file, _, _ = GameFile.open(own.path)
    file.append([Seated(seat=1, player="ben", name="Ben")])
    file.close()
    with pytest.raises(InputError, match="a game of several people"):
        Host.reopened(own.path)


def test_a_game_that_broke_off_after_any_line_goes_on(own: Own, tmp_path: Path) -> None:
    """Entries that belong together are on one line, so half a deal is never saved."""
    for seed in (None, "tuesday"):
        path = tmp_path / f"whole-{seed}"
        table = new_table(load_ruleset("two-player"), "novice", seed)
        host = Host(table, GameFile.create(path, table.name))
        host.enter()
        play_on(host, moves=3)
        host.close()
        lines = path.read_bytes().splitlines(keepends=True)
        for kept in range(2, len(lines)):
            own.path.write_bytes(b"".join(lines[:kept]))
            again = own.reopened()
            again.enter()
            assert again.table.match is not None, lines[kept - 1]
            assert again.due() is not None
            again.close()
