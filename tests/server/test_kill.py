"""Kill -9 in the middle of play: nothing that was acknowledged is lost, nothing is done twice."""

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
    # Everybody at the first kill, and at the second those who were back by then.
    assert result["lost_connections"] > 40
    assert result["acknowledged_moves"] >= 2 * 10
