"""The load script on a small scale: moves reach everyone at many tables at once."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_moves_reach_everyone_at_all_tables() -> None:
    words = ["--tables", "10", "--seconds", "2", "--warm-up", "0.5", "--every", "0.2", "--goal", "1000"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *words],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout[done.stdout.index("\n{") :])
    assert result["moves"] >= 20
    assert result["lost_connections"] == 0
    assert result["problems"] == []
