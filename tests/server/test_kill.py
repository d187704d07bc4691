"""Kill -9 in the middle of play: nothing acknowledged is lost, and nothing happens twice."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_killed_server_has_lost_nothing() -> None:
    words = ["--tables", "10", "--kills", "2", "--every", "0.2"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.crash", *words],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout[done.stdout.index("\n{") :])
    assert result["problems"] == []
    # Everyone at the first kill; at the second, those who had reconnected.
    assert result["lost_connections"] > 40
    assert result["acknowledged_moves"] >= 2 * 10
