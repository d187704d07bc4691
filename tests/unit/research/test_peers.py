"""The benchmark of other libraries, without them: only canasta's own speed is measured here."""

import subprocess
import sys


def test_our_environment_is_measured() -> None:
    words = ("--only", "canasta, PettingZoo", "--seconds", "0.05")
    command = [sys.executable, "-m", "benchmarks.peers", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    name, rate, unit = done.stdout.rsplit(maxsplit=2)
    assert (name, unit) == ("canasta, PettingZoo", "actions/s")
    assert int(rate.replace(",", "")) > 100
