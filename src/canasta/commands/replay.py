"""`canasta replay`: replay a game record hand by hand."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from canasta.commands.options import Json, Lang, RecordToRead, examples, new_command
from canasta.commands.output import (
    BAD_INPUT,
    FAILED,
    can_show_suits,
    console,
    fail,
    in_words,
    language,
    print_fitted,
    print_json,
    refusal_text,
    use_language,
    warn,
    warn_saying,
)
from canasta.commands.table_printer import goal, result_in_words, show_score_sheet, show_table
from canasta.engine.match import Match
from canasta.engine.play.scoring import ScoreSheet
from canasta.i18n import Facts
from canasta.i18n.events import Speaker
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice, reason_in
from canasta.notation.errors import FileProblem
from canasta.notation.record import LARGEST_RECORD, MoveMade
from canasta.notation.record_reader import RecordError, decode_record
from canasta.notation.replay import Replay, Replayer
from canasta.rules.preset_files import title_of


@dataclass
class RecordedHand:
    """One hand of a record, possibly unfinished."""

    number: int
    dealer: int
    sitting_out: tuple[int, ...]
    before: list[int]
    """Total scores by side before the hand."""
    moves: list[MoveMade] = field(default_factory=list)
    sheets: list[ScoreSheet] | None = None
    """Score sheets by side; None if the hand isn't over."""


def read_record(file: str) -> str:
    """Read a record file, or standard input for `-`; exit with an error if it isn't text."""
    most = 4 * LARGEST_RECORD + 1
    try:
        if file == "-":
            data = sys.stdin.buffer.read(most)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(most)
    except (OSError, ValueError) as error:
        fail("record_unreadable", {"name": printable(file), "text": reason_in(error, language())})
    try:
        text = decode_record(data)
    except RecordError as error:
        fail("record_wrong", {"name": printable(file), "text": error.problem.message_in(language())})
    if "\0" in text:
        fail("record_no_text", {"name": printable(file)})
    return text


def _play(replayer: Replayer, to: int | None) -> list[RecordedHand]:
    """Play the moves of the record, at most `to` of them, and return its hands."""
    match = replayer.replay.match
    if match is None:
        return []
    hands = [_begin(match)]
    while to is None or len(replayer.replay.moves) < to:
        move = replayer.step()
        if match.hand_number != hands[-1].number:
            hands.append(_begin(match))
        if move is None:
            break
        hands[-1].moves.append(move)
        if match.hand.over:
            hands[-1].sheets = match.sheets[-1]
    return hands


def _begin(match: Match) -> RecordedHand:
    return RecordedHand(match.hand_number, match.dealer, match.sitting_out, match.hand.scores.copy())


# -- text output ---------------------------------------------------------------------------------------------


def _print_course(replay: Replay, match: Match, hands: Sequence[RecordedHand], to: int | None) -> None:
    where = console()
    header = replay.header
    named = header.names if header is not None else {}
    voice = Voice(language(), symbols=can_show_suits())
    names = [
        voice.place(printable(named.get(seat, in_words("record_seat", {"number": seat}))))
        for seat in range(match.rules.seats.players)
    ]
    speaker = Speaker(names, None, voice)
    seed = "" if header is None else printable(header.seed)
    facts: Facts = {
        "title": title_of(match.rules, language()),
        "players": match.rules.seats.players,
        "text": seed,
    }
    print_fitted(where, in_words("record_title_seed" if seed else "record_title", facts), style="title")
    if header is not None and header.options:
        options = ", ".join(f"{name}={value}" for name, value in header.options.items())
        print_fitted(where, in_words("record_house_rules", {"text": printable(options)}), rest="  ")
    for hand in hands:
        _print_hand(where, match, hand, speaker)
    where.print()
    if to is not None and not match.over:
        show_table(where, match, speaker, open_hands=True)
        where.print()
    replayed = in_words("record_replayed", {"count": len(replay.moves)})
    print_fitted(where, f"{replayed} {result_in_words(match, speaker)}", style="title")


def _print_hand(where: Console, match: Match, hand: RecordedHand, speaker: Speaker) -> None:
    where.print()
    where.print(
        Rule(
            goal(match.rules, hand.number, speaker.voice).split(",")[0].capitalize(),
            style="quiet",
            align="left",
        )
    )
    out = speaker.voice.listed([speaker.names[seat] for seat in hand.sitting_out])
    facts: Facts = {"name": speaker.names[hand.dealer], "text": out}
    where.print(Text(in_words("record_deals_out" if out else "record_deals", facts)), soft_wrap=True)
    width = max(map(len, speaker.names))
    for seat, moves in _turns(hand.moves):
        line = ", ".join(str(move.move) for move in moves)
        print_fitted(where, line, first=f"  {speaker.names[seat]:<{width}}  ", rest="    ")
    if hand.sheets is not None:
        where.print()
        show_score_sheet(where, match, speaker, hand.sheets, hand.before)


def _turns(moves: Sequence[MoveMade]) -> list[tuple[int, list[MoveMade]]]:
    """Group consecutive moves by the same player."""
    turns: list[tuple[int, list[MoveMade]]] = []
    for move in moves:
        if not turns or turns[-1][0] != move.seat:
            turns.append((move.seat, []))
        turns[-1][1].append(move)
    return turns


def _tell_problem(file: str, replay: Replay, problem: FileProblem) -> None:
    message = problem.message_in(language())
    text = in_words("record_line", {"name": printable(file), "number": problem.line, "text": message})
    if moves := len(replay.moves):
        code = "record_good_before" if problem is replay.problem else "record_good"
        text += f" {in_words(code, {'count': moves})}"
    warn_saying(text)


# -- JSON output ---------------------------------------------------------------------------------------------


def _print_as_json(replay: Replay, hands: Sequence[RecordedHand]) -> None:
    header, match, problem = replay.header, replay.match, replay.problem or replay.breaks_off
    refusal = problem.refusal if problem is not None else None
    print_json(
        {
            "good": replay.is_good,
            "rules": header and header.rules,
            "version": header and header.version,
            "players": header and header.players,
            "options": header.options if header is not None else {},
            "names": {str(seat): name for seat, name in header.names.items()} if header is not None else {},
            "seed": header and header.seed,
            "moves": len(replay.moves),
            "hands": [_hand_as_data(hand) for hand in hands],
            "scores": match.scores if match is not None else [],
            "over": match is not None and match.over,
            "winner": match.winner if match is not None else None,
            "cut_off": replay.is_cut_off,
            "problem": problem
            and {
                "line": problem.line,
                "message": problem.message_in(language()),
                "clause": refusal and refusal.clause,
                "reason": refusal.code if refusal is not None else problem.code,
                "facts": refusal.facts if refusal is not None else problem.facts,
                "remedy": refusal and refusal_text(refusal).remedy,
            },
        }
    )


def _hand_as_data(hand: RecordedHand) -> dict[str, object]:
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "sitting_out": list(hand.sitting_out),
        "moves": [
            {"line": move.line, "seat": move.seat, "move": str(move.move), "comment": move.comment}
            for move in hand.moves
        ],
        "points": [sheet.total for sheet in hand.sheets] if hand.sheets is not None else None,
        "sheets": [{line: points for line, points in sheet.lines.items() if points} for sheet in hand.sheets]
        if hand.sheets is not None
        else None,
    }


app = new_command()


@app.command(epilog=examples("canasta replay evening.canasta", "canasta replay evening.canasta --to 0"))
def replay(
    file: RecordToRead,
    to: Annotated[
        int | None,
        typer.Option(
            "--to", metavar="N", min=0, help="Stop after N moves and show the table with all cards."
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Replay a game record, checking every move.

    Prints the moves hand by hand, the score sheets and the result. If a record ends in mid-game or breaks a
    rule, it is replayed up to that line, which is reported, and the exit status is 1.
    """

    use_language(lang)
    replayer = Replayer(read_record(file))
    hands = _play(replayer, to)
    replay = replayer.replay
    if json:
        _print_as_json(replay, hands)
    elif replay.match is not None:
        _print_course(replay, replay.match, hands, to)
    problem = replay.problem or replay.breaks_off
    if problem is not None:
        _tell_problem(file, replay, problem)
    if replay.is_cut_off and problem is not None and not json:
        warn("record_cut_off", {"name": printable(file)})
    if problem is not None:
        raise typer.Exit(FAILED)
    if to is not None and len(replay.moves) < to:
        warn("record_shorter", {"count": len(replay.moves), "number": to})
        raise typer.Exit(BAD_INPUT)
