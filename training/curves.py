"""Training curves: draw the logs as a picture. This does not need PyTorch."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.arena.plots import HEIGHT, SERIES, Panel, PlotLine, picture
from canasta.errors import CanastaError
from training.log import Entry, Over, Run

MOST_POINTS: Final = 60
"""Maximum number of points of a line. Longer logs are averaged over neighbouring entries, so that noise
doesn't hide the trend.
"""
LOW: Final = 200
"""Height of the panels below the first one, which shows points."""
LONGEST_NAME: Final = 24

Reading = Callable[[Entry], tuple[float, float] | None]
"""Returns an entry's value for a line, and its weight."""


class NothingToDraw(CanastaError):
    """Raised if the logs don't contain what is requested; the message says what is missing."""


@dataclass(frozen=True)
class Course:
    """The entries of all runs that led to the latest weights, with their horizontal positions."""

    entries: list[tuple[float, Entry]]
    begins: list[float]
    """Horizontal positions at which the second and later runs start."""


def curves(logs: Mapping[str, Sequence[Run]], games: Sequence[str] = (), by: str | None = None) -> str:
    """Return a picture of one or more trainings, each with its name.

    It shows points over `club`, over earlier versions and over the initial network, speed and losses, as far
    as they were logged. `by` is `steps` or `time`; the default is steps, if every line contains them. Raise
    `NothingToDraw` if something requested is missing.
    """
    by = by or ("steps" if all(map(_has_steps, logs.values())) else "time")
    for name, runs in logs.items():
        if by == "steps" and not _has_steps(runs):
            raise NothingToDraw(f"{name} does not tell its steps in every line: draw it with --by time.")
    courses = {name: course(runs, by) for name, runs in logs.items()}
    games = games or _usual_games(courses.values())
    known = _counted(courses.values())
    for game in games:
        if game not in known:
            raise NothingToDraw(
                f"no log tells of {game}; they tell of: {', '.join(sorted(known)) or 'no game'}."
            )
    panels = _panels(courses, games, "million steps" if by == "steps" else "minutes of training")
    if not panels:
        raise NothingToDraw("nothing is told yet: no line follows the one that begins a run.")
    return picture(panels, title=f"Training: {', '.join(games or logs)}")


def _has_steps(runs: Sequence[Run]) -> bool:
    return all(
        run.steps_before is not None and all(entry.steps is not None for entry in run.entries) for run in runs
    )


def course(runs: Sequence[Run], by: str) -> Course:
    """Concatenate the runs.

    If the next run continued from a run's last saved weights, entries after that save are omitted.
    """
    found: list[tuple[float, Entry]] = []
    begins: list[float] = []
    seconds = 0.0
    for number, run in enumerate(runs):
        if number:
            begins.append((run.steps_before or 0) / 1e6 if by == "steps" else seconds / 60)
        ends = [later.steps_before for later in runs[number + 1 :] if later.steps_before is not None]
        kept = [entry for entry in run.entries if _steps(run, entry) <= min(ends, default=float("inf"))]
        for entry in kept:
            at = _steps(run, entry) / 1e6 if by == "steps" else (seconds + entry.seconds) / 60
            found.append((at, entry))
        seconds += kept[-1].seconds if kept else 0.0
    return Course(found, begins)


def _steps(run: Run, entry: Entry) -> float:
    return (run.steps_before or 0) + (entry.steps or 0)


def _counted(courses: Iterable[Course]) -> Counter[str]:
    """Return the number of hands against `club`, for every game in the logs."""
    found: Counter[str] = Counter()
    for each in courses:
        for _, entry in each.entries:
            found.update({game: int(over.hands or 1) for game, over in entry.over_club.items()})
            found.update(dict.fromkeys([*entry.over_earlier, *entry.gained], 0))
    return found


def _usual_games(courses: Iterable[Course]) -> list[str]:
    """Return the games with the most hands, as many as there are colours."""
    courses = list(courses)
    return [game for game, _ in _counted(courses).most_common(max(1, SERIES // len(courses)))]


def _panels(courses: Mapping[str, Course], games: Sequence[str], across: str) -> list[Panel]:
    begins = next(iter(courses.values())).begins if len(courses) == 1 else []
    panels = []
    shown: list[tuple[str, int, dict[str, Reading]]] = [
        ("points a hand over club", HEIGHT, _by_game("over_club", games)),
        ("points a hand over earlier selves", HEIGHT, _by_game("over_earlier", games)),
        ("points a decision over the beginning", HEIGHT, _by_game("gained", games)),
        ("million steps a second", LOW, {"speed": _measure("steps_a_second", 1e6)}),
        ("nats", LOW, {"entropy": _measure("entropy"), "belief": _measure("belief_loss")}),
        ("loss", LOW, {"value": _measure("value_loss"), "judge": _measure("judge_loss")}),
    ]
    for unit, height, readings in shown:
        lines = [
            _line(what if len(courses) == 1 else f"{what}, {name}", each, reading)
            for name, each in courses.items()
            for what, reading in readings.items()
        ]
        if drawn := [line for line in lines if line.values]:
            panels.append(Panel(drawn, across, unit, begins, height))
    return panels


def _by_game(over: str, games: Sequence[str]) -> dict[str, Reading]:
    return {game: _points(over, game) for game in games}


def _points(over: str, game: str) -> Reading:
    def reading(entry: Entry) -> tuple[float, float] | None:
        made: Over | None = getattr(entry, over).get(game)
        return (made.points, max(1, made.hands or 1)) if made else None

    return reading


def _measure(name: str, unit: float = 1.0) -> Reading:
    def reading(entry: Entry) -> tuple[float, float] | None:
        value: float | None = getattr(entry, name)
        return None if value is None else (value / unit, 1)

    return reading


def _line(label: str, drawn: Course, reading: Reading) -> PlotLine:
    readings = [(at, *read) for at, entry in drawn.entries if (read := reading(entry)) is not None]
    together = -(-len(readings) // MOST_POINTS)
    places, values = [], []
    for first in range(0, len(readings), together or 1):
        some = readings[first : first + together]
        weight = sum(each for _, _, each in some)
        places.append(some[-1][0])
        values.append(sum(value * each for _, value, each in some) / weight)
    short = label if len(label) <= LONGEST_NAME else f"{label[: LONGEST_NAME - 1]}…"
    return PlotLine(short, values, places)
