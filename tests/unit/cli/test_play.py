"""`canasta play`: the table in the terminal."""

import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from terminal.test_command import Terminal
from unit.cli.conftest import Run

from canasta.bots import bot_names, get_bot
from canasta.commands.play import PlayTable, ask_seed
from canasta.commands.play_help import next_words
from canasta.engine.cards import KINDS
from canasta.engine.fairness import FairRound, seed_from_text
from canasta.i18n.voice import SEAT_NAMES
from canasta.notation.replay import replay
from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.terminal.local_table import Host, new_table

TABLES = [(name, players) for name in preset_names() for players in player_numbers(name)]
FEW = [("caliente", 4), ("caliente", 5), ("hand-and-foot", 2), ("bolivia", 3), ("two-player", 2)]


def deal(rules: str, players: int | None, seed: str, **options: object) -> PlayTable:
    chosen = load_ruleset(rules, players, options)
    names = ["Ada", "Bo", "Cleo", "Dora", "Emil", "Fay"][: chosen.seats.players]
    return PlayTable(Host(new_table(chosen, "club", seed), names=names))


def play_by_advice(table: PlayTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Type the adviser's moves, from the first to the last."""
    adviser = get_bot("club")

    def typed(prompt: str) -> str:
        assert prompt.endswith(" > ")
        return str(adviser.choose(table.match.hand.view(table.you)))

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert table.play() == 0


@pytest.mark.parametrize(("rules", "players"), FEW)
def test_a_whole_match(
    rules: str, players: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = deal(rules, players, "whole")
    play_by_advice(table, monkeypatch)
    assert table.match.over
    told = capsys.readouterr().out
    assert told.count("this hand") == table.match.hand_number
    assert f" the game, {max(table.match.scores)} to " in told
    drawn = re.findall(r"^(?!You)\w+ drew (.*?)(?:,| and|\.)", told, re.MULTILINE)
    assert set(drawn) <= {"a card", "2 cards"}  # never which cards
    again = replay(table.host.table.record())
    assert again.problem is None
    assert again.match is not None
    assert again.match.scores == table.match.scores
    if players == 5:
        assert "You’re sitting out this hand." not in told  # nobody waits for a player who sits out
        assert "you sit out" not in told


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players"), TABLES)
@pytest.mark.parametrize("seed", ["a", "b"])
def test_every_table(
    rules: str, players: int, seed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = deal(rules, players, seed)
    play_by_advice(table, monkeypatch)
    assert table.match.over
    assert replay(table.host.table.record()).problem is None
    assert "None" not in capsys.readouterr().out


def test_nothing_hidden_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Exchanging a hidden card with one of the stock changes no word that the person reads."""
    table = deal("caliente", 4, "hidden")
    table.host.enter()
    capsys.readouterr()
    state = table.match.hand.state
    partner = 2
    table._show()
    before = capsys.readouterr().out
    for kind in range(KINDS):
        if state.held(partner, kind):
            other = state.deck_card(state.at)
            state.remove(partner, kind)
            state.give(partner, other)
            state.set_deck([*state.deck[: state.at], kind, *state.deck[state.at + 1 :]])
            break
    table._show()
    assert capsys.readouterr().out == before


def test_a_first_turn(run: Run) -> None:
    result = run("play", "--text", "--seed", "tuesday", typed="draw\ndiscard 5\n")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "Canasta Caliente: hand 1, to 5000" in result.stdout
    assert "  stock 61      pile 2 with 6♥ on top, frozen" in lines
    assert "  5♦  6♦  9♣ 9♥  K♦ K♥  A♦ A♥  2♣ 2♦  Jo" in lines
    assert "draw > draw" in lines
    assert "You drew 7♥." in lines
    assert "You discarded 5♦." in lines
    assert any(line.startswith("West ") for line in lines)
    assert lines[-2].startswith("You leave the table after ")
    assert lines[-1] == "Same cards again: --seed tuesday"


def test_the_same_seed_is_the_same_table(run: Run) -> None:
    once, again = (
        run("play", "--text", "--seed", "wednesday", typed="draw\nquit\n").stdout for _ in range(2)
    )
    assert once == again
    assert run("play", "--text", "--seed", "thursday", typed="draw\nquit\n").stdout != once


def test_without_a_seed_one_is_drawn(run: Run) -> None:
    told = {tuple(run("play", "--text", typed="").stdout.splitlines()[:2]) for _ in range(3)}
    assert all(first.startswith("Fair cards: ") for first, _ in told)
    assert len({commitment for _, commitment in told}) == 3


@pytest.mark.parametrize("word", ["quit", "QUIT", "exit", "q", ""])
def test_leaving(run: Run, word: str) -> None:
    result = run("play", "--text", "--seed", "tuesday", typed=f"{word}\n" if word else "")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-2] == "You leave the table after 0 moves."


def test_a_refusal_names_rule_and_remedy(run: Run) -> None:
    result = run("play", "--text", "--seed", "tuesday", typed="take 6 2\ndiscard 5\nquit\n")
    told = result.stdout
    assert "  No: The pile is frozen: you need two natural sixes from your hand" in told
    assert "      Take it with two natural sixes, or draw.\n" in told
    assert "      PILE-8, a frozen pile; for more: rules PILE-8\n" in told
    assert "  No: You can’t discard now: your turn starts with a draw.\n" in told
    assert "You leave the table after 0 moves." in told


def test_a_text_that_is_no_move(run: Run) -> None:
    told = run("play", "--text", "--seed", "tuesday", typed="drow\ntake [red] K\nmeld K Kx\n").stdout
    assert '  drow\n  ^ "drow" isn’t a move: did you mean draw?\n' in told
    assert '"[red]" isn’t a card' in told
    assert "  No move was made; help lists the moves.\n" in told


def test_a_text_that_is_no_move_is_told_in_the_language(run: Run) -> None:
    told = run("play", "--text", "--seed", "tuesday", "--lang", "de", typed="drow\nmeld K W\n").stdout
    assert "  drow\n  ^ „drow“ ist kein Zug: Meinst du draw?\n" in told
    assert "^ „W“ ist keine Karte: eine wilde Karte ist 2 oder Jo\n" in told


def test_help_lists_what_this_game_has(run: Run) -> None:
    told = run("play", "--text", "--seed", "tuesday", typed="help\n").stdout
    assert "take Q Q + A A Jo" in told
    assert "ask your partner" in told
    assert "run#1" not in told
    assert "keep  " not in told
    two = run("play", "--text", "-r", "two-player", "-o", "put_back=yes", typed="?\n").stdout
    assert "keep your last card" in two
    assert "putback" in two
    assert "ask your partner" not in two
    assert "run#1" in run("play", "--text", "-r", "bolivia", typed="help\n").stdout
    burraco = run("play", "--text", "-r", "burraco", typed="help\n").stdout
    assert "take the whole pile" in burraco
    assert "add 6h to run#1 low" in burraco
    assert "take K K" not in burraco
    assert "  pass  " in told
    assert "  pass  " not in burraco
    american = run("play", "--text", "-r", "american", typed="help\n").stdout
    assert "special straight" in american
    assert "lay 3b" in american
    assert "take onto K" in told
    assert "take onto" not in run("play", "--text", "-r", "uruguay", typed="help\n").stdout


def test_a_typed_table_speaks_of_pots_where_there_are_pots(run: Run) -> None:
    told = run("play", "--text", "-r", "burraco", "--seed", "tuesday", typed="quit\n").stdout
    assert "2 pots" in told
    assert "to go out: canastas 0 of 1, pot 0 of 1" in told
    assert "foot" not in told
    assert "have melded" not in told


def test_an_open_pile_and_the_title_are_told_in_the_language(run: Run) -> None:
    told = run("play", "--text", "-r", "burraco", "--seed", "c", "--lang", "de", typed="quit\n").stdout
    assert " Burraco (italienisch): Runde 1" in told
    assert "Stapel 3 mit 7♦ obenauf, 2 Töpfe\n  A♦ 9♥ 7♦\n" in told
    assert "  3♣  4♥  6♠ 6♠  7♣" in told, "threes are the lowest cards here"


def test_the_moves_that_are_listed_are_the_legal_ones(run: Run) -> None:
    told = run("play", "--text", "--seed", "tuesday", typed="moves\ndraw\nmoves\n").stdout
    # Asking would be legal too, but nobody can go out in this turn.
    assert "draw > moves\n  draw\n  The pile is frozen: " in told
    assert "  discard one of 5 6 7 9 K A 2 Jo\n" in told
    assert "meld A A 2, " in told


def test_a_hint_is_a_legal_move(run: Run) -> None:
    told = run("play", "--text", "--seed", "tuesday", typed="hint\n").stdout
    hint = told[told.index("> hint\n  ") + 9 :].splitlines()[0]
    assert hint.split(":")[0] == "draw"


def test_rules_at_the_table(run: Run) -> None:
    told = run(
        "play",
        "--text",
        "-r",
        "caliente",
        "-o",
        "hand_size=13",
        "--seed",
        "x",
        typed="rules OUT-1\nrules pile\nrules x\n",
    )
    assert "At this table: canastas to go out: 1" in told.stdout
    assert "  PILE-10  You can’t take a pile with a wild card" in told.stdout
    assert 'Clause "x" doesn’t exist; the groups are DECK, ' in told.stdout
    sheet = run(
        "play", "--text", "-r", "caliente", "-o", "hand_size=13", "--seed", "x", typed="rules\n"
    ).stdout
    assert "Each player is dealt thirteen cards." in sheet


def test_undo_takes_a_meld_back(run: Run) -> None:
    words = "play --text --seed tuesday -o turn.undo=true".split()
    told = run(*words, typed="draw\nundo\nmeld A A Jo\nundo\nmoves\n").stdout
    assert "You haven’t melded anything this turn that you could take back." in told
    assert "You melded A♦ A♥ and a Big Wild.\n" in told
    assert "You took back the last meld.\n  5♦  6♦  7♥  9♣ 9♥  K♦ K♥  A♦ A♥  2♣ 2♦  Jo\n" in told


def test_a_record_is_written_as_the_game_goes_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening.canasta"
    words = "play --text --seed tuesday -o target=3000 -o turn.undo=true --names Ada,,Cleo --record".split()
    result = run(*words, str(file), typed="draw\nmeld A A Jo\nundo\ndiscard 5\n")
    assert result.exit_code == 0
    text = file.read_text()
    assert "option match.target: 3000\n" in text
    assert "seat 0: Ada\nseat 1: West\nseat 2: Cleo\nseat 3: East\n" in text
    assert "0: meld A A Jo\n0: undo\n0: discard 5\n" in text
    replayed = run("replay", str(file))
    assert replayed.exit_code == 0
    assert "Ada" in replayed.stdout
    again = run(*words, str(file), typed="")
    assert again.exit_code == 2
    assert again.stderr == f"canasta: {file} already exists; choose another name for the record.\n"
    assert file.read_text() == text


def test_saving(run: Run, tmp_path: Path) -> None:
    file, old = tmp_path / "saved", tmp_path / "old"
    old.write_text("mine")
    typed = f"save\nsave {old}\nsave {tmp_path}/no/where\ndraw\nsave {file}\nmeld A A Jo\nsave {file}\n"
    told = run("play", "--text", "--seed", "tuesday", typed=typed).stdout
    assert "Save to which file? For example: save evening.canasta" in told
    assert f"{old} already exists; choose another name." in told
    assert "where can’t be written: no such file or directory." in told
    assert told.count(f"Saved: canasta replay {file}") == 2
    assert old.read_text() == "mine"
    assert "result: unfinished\n" in file.read_text()
    assert replay(file.read_bytes()).problem is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rules", "calente"], "rules = 'calente': this preset doesn’t exist; did you mean caliente?"),
        (["--bot", "clob"], 'there’s no computer player called "clob"; did you mean club?'),
        (["--names", "a,b,c,d,e"], "5 names for 4 players; leave 1 out."),
        (["--seed", " x "], "a seed is one line of text, without spaces around it; choose another --seed."),
        (["--seed", ""], "a seed is one line of text, without spaces around it; choose another --seed."),
        (["--record", "/"], "/ already exists; choose another name for the record."),
    ],
)
def test_what_cannot_be_played(run: Run, words: list[str], sentence: str) -> None:
    result = run("play", "--text", *words, typed="")
    assert result.exit_code == 2
    assert result.stderr == f"canasta: {sentence}\n"


def test_the_computer_players_are_named_in_the_help(run: Run) -> None:
    told = " ".join(run("play", "--help").stdout.split())
    assert f"{', '.join(bot_names()[:-1])} or {bot_names()[-1]}." in told


def test_a_question_waits_for_the_answer(run: Run) -> None:
    """In hand-and-foot a player must ask the partner; here the person asks and is answered at once."""
    told = run("play", "--text", "-r", "hand-and-foot", "--seed", "c", typed="ask\nquit\n").stdout
    assert "asked" in told
    assert "answered" in told


def test_at_a_real_terminal() -> None:
    """Colours, input that isn't echoed twice, and Ctrl+C."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    # Background shells ignore Ctrl+C, and child processes inherit that.
    listen = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    start = listen + "runpy.run_module('canasta', run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-c", start, "play", "--text", "--seed", "tuesday", "--no-save"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
        start_new_session=True,
    )
    os.close(follower)

    def read_to(end: bytes, seconds: float = 240) -> bytes:
        seen = b""
        until = time.monotonic() + seconds
        while not seen.endswith(end) and time.monotonic() < until:
            if select.select([leader], [], [], 0.2)[0]:
                seen += os.read(leader, 65536)
        return seen

    try:
        first = read_to(b"draw > ")
        assert b"\x1b[1mYour hand" in first
        os.write(leader, b"draw\n")
        second = read_to(b"meld, add or discard > ")
        assert second.count(b"draw\r\n") == 1
        last = b""
        for _ in range(60):
            # A signal between printing the prompt and waiting for a line is recorded but wakes nobody.
            process.send_signal(2)
            last = read_to(b"--seed tuesday\r\n", seconds=0.5)
            if last:
                break
        if not last.endswith(b"--seed tuesday\r\n"):
            last += read_to(b"--seed tuesday\r\n")
        assert b"You leave the table after 1 move." in last
        assert process.wait(timeout=300) == 130
    finally:
        process.kill()
        process.wait()
        os.close(leader)


# -- fair cards and the cut -------------------------------------------------------------------------------


def test_a_game_without_a_seed_has_fair_cards(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fair.canasta"
    result = run("play", "--text", "--rules", "two-player", "--record", str(file), typed="quit\n")
    assert result.exit_code == 0
    assert "Fair cards: this program’s seed for hand 1 is fixed by\n" in result.stdout
    assert f"canasta verify {file}" in result.stdout
    assert " fair-2 round 1, server " in file.read_text(encoding="utf-8")
    verified = run("verify", str(file))
    assert verified.exit_code == 0
    commitment = result.stdout.partition("is fixed by\n")[2].split()[0]
    assert run("verify", str(file), "--commitment", commitment).exit_code == 0


def test_the_cut_is_told_before_the_seed_of_the_first_hand(run: Run) -> None:
    result = run("play", "--text", "--rules", "jaques", typed="quit\n")
    # Today's date seeds the cards, so the person may be the one who deals.
    order = ["seed for the cut is", "You cut ", "seed for hand 1 is", " deals?[.]", "Your hand"]
    assert re.search(".*".join(order), result.stdout, re.DOTALL), result.stdout


def test_the_players_cut_and_the_person_sits_where_it_says(run: Run, tmp_path: Path) -> None:
    seats = set()
    for number in range(4):
        file = tmp_path / f"cut-{number}.canasta"
        words = ["--rules", "jaques", "--seed", f"evening {number}", "--names", "Ada,,Cleo"]
        result = run("play", "--text", *words, "--record", str(file), typed="quit\n")
        assert result.exit_code == 0
        assert "You cut " in result.stdout
        assert result.stdout.count(" cut ") == 4
        text = file.read_text(encoding="utf-8")
        assert "\ncut: " in text
        assert replay(text).problem is None
        names = re.findall(r"^seat \d: (.*)$", text, re.MULTILINE)
        assert {"Ada", "Cleo"} < set(names)
        # Players named only after their seat take the name of the new one.
        others = [seat for seat, name in enumerate(names) if name not in ("Ada", "Cleo")]
        assert [names[seat] for seat in others] == [SEAT_NAMES[4][seat] for seat in others]
        seats.add(names.index("Ada"))
    assert len(seats) > 1, "not always on the same seat"


def test_a_seed_of_ones_own_can_be_typed_once_the_program_has_committed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Typist(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Typist())
    monkeypatch.setattr("builtins.input", lambda prompt: " my luck ")
    table = new_table(load_ruleset("two-player"), "club")
    Host(table, choose_seed=ask_seed).enter()
    assert isinstance(table.fair, FairRound)
    assert [part.seed for part in table.fair.parts] == [seed_from_text("my luck")]
    assert table.fair.commitment in capsys.readouterr().out


def test_at_a_terminal_lines_are_completed_edited_and_remembered() -> None:
    words = "-m canasta play --text --no-save --seed tuesday --bot novice".split()
    start = [sys.executable, *words]
    terminal = Terminal(start, INPUTRC=os.devnull, NO_COLOR="1")
    try:
        terminal.read_until("draw > ")
        terminal.type("dr\t\n")
        terminal.read_until("You drew 7")
        terminal.read_until("discard > ")
        terminal.type("DIS\t7x\x7f\n")
        terminal.read_until("You discarded 7")
        terminal.read_until("draw > ")
        terminal.type("\x1b[A\x1b[A\n")  # two lines up: draw again
        terminal.read_until("You drew", after="You discarded 7")
        terminal.type("quit\n")
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "Traceback" not in text


def test_where_nobody_types_nothing_is_edited(run: Run) -> None:
    result = run("play", "--text", "--seed", "tuesday", typed="dr\t\nquit\n")
    assert "did you mean" in result.stdout
    assert "You drew" not in result.stdout


def test_the_words_that_can_follow() -> None:
    lines = ["draw", "take K K", "take onto K", "add K to K", "add 2 to K", "rules PILE-1", "help"]
    assert next_words(lines, "", "") == ["draw", "take ", "add ", "rules ", "help"]
    assert next_words(lines, "TAKE ", "") == ["K ", "onto "]
    assert next_words(lines, "take ", "ON") == ["onto "]
    assert next_words(lines, "rules ", "pi") == ["PILE-1"]
    assert next_words(lines, "draw ", "") == []


@pytest.mark.parametrize("words", [["--port", "0"], ["--no-open"]])
def test_options_of_the_browser_do_not_go_with_typed_lines(run: Run, words: list[str]) -> None:
    result = run("play", "--text", *words, typed="")
    assert result.exit_code == 2
    assert "works only in the browser" in result.stderr


def test_the_foot_and_the_way_to_going_out_are_told(run: Run) -> None:
    told = run("play", "--text", "--rules", "hand-and-foot", "--seed", "x", typed="").stdout
    assert "to go out: natural 0 of 2, mixed 0 of 2, wild 0 of 1" in told
    assert "Your foot waits" in told
    assert "foot" not in run("play", "--text", "--seed", "x", typed="").stdout
