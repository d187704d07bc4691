"""`canasta bench peers`: our research environment compared with others, in one run on one core."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import typer

from canasta.commands.output import FAILED, fail, fail_saying, measured, print_json, print_table, warn
from canasta.commands.version import facts
from canasta.extras import why_missing
from canasta.research import peer_runs

PEERS: Final = ("open-spiel", "rlcard", "pettingzoo[classic]")
"""Packages for the separate virtual environment, so that they can't affect our own versions."""
_NEEDED: Final = {"vector": "numpy", "PettingZoo": "pettingzoo", "OpenSpiel": "pyspiel"}


def bench_peers(*, seconds: float, folder: str | None, as_json: bool) -> None:
    """Measure our environment and the peers, each in its own process."""
    if importlib.util.find_spec("numpy") is None or importlib.util.find_spec("pettingzoo") is None:
        fail_saying(why_missing("the research environment", "pettingzoo"))
    place = Path(folder) if folder else _cache() / "canasta" / "peers"
    python = _install(place)
    rates: dict[str, float] = {}
    for name in peer_runs.RUNS:
        ours, _, form = name.partition(", ")
        if ours == "canasta" and importlib.util.find_spec(_NEEDED[form]) is None:
            warn("bench.not_installed", {"name": name, "text": _NEEDED[form]})
            continue
        typer.echo(measured("measuring", {"name": name}), err=True)
        rate = _measure(sys.executable if ours == "canasta" else str(python), name, seconds)
        if rate is None:
            warn("bench.not_measured", {"name": name})
        else:
            rates[name] = rate
    known = facts()
    if as_json:
        print_json({**known, "actions_per_second": {name: round(rate) for name, rate in rates.items()}})
        return
    print_table(
        (measured("environment"), measured("actions_second")),
        [(name, f"{rate:,.0f}") for name, rate in rates.items()],
        right=(measured("actions_second"),),
    )
    typer.echo(f"\n{ran_on(known)}. {measured('observed')}")


def ran_on(known: dict[str, str | bool | None]) -> str:
    """Describe the Python that was measured, and whether the engine is compiled."""
    python = f"{known['implementation']} {known['python']}"
    return measured("compiled" if known["compiled"] else "interpreted", {"text": python})


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _install(place: Path) -> Path:
    """Return the Python of the peers' virtual environment, creating it on first use."""
    python = place / "bin" / "python"
    ready = place / "peers.json"
    if ready.exists() and json.loads(ready.read_text(encoding="utf-8")) == list(PEERS):
        return python
    typer.echo(measured("installing", {"text": ", ".join(PEERS), "name": str(place)}), err=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(place)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - as listed
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
            fail("bench.no_peers", {"name": str(place), "text": said}, FAILED)
    ready.write_text(json.dumps(PEERS), encoding="utf-8")
    return python


def _measure(python: str, name: str, seconds: float) -> float | None:
    """Return the actions per second, or None if the run failed."""
    command = [python, "-W", "ignore", peer_runs.__file__, name, str(seconds)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - as above
    try:
        return float(json.loads(done.stdout.splitlines()[-1])["rate"])
    except (IndexError, KeyError, ValueError):
        return None
