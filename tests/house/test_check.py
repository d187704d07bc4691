"""`./canasta test`: every stage runs, failures count, what is missing is said."""

import sys

import check
import pytest
from check import Stage


def python(name: str, code: str, *, shown: bool = False) -> Stage:
    return Stage(name, [sys.executable, "-c", code], is_shown=shown)


def test_all_stages_run_and_one_failure_decides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = [
        python("quiet", "print('all is well')"),
        python("broken", "print('why it failed'); raise SystemExit(3)"),
        python("after", "print('as it comes')", shown=True),
    ]
    monkeypatch.setattr(check, "stages", lambda arguments: plan)
    assert check.main([]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in told if line.endswith(" s")] == [
        ["quiet", "ok"],
        ["broken", "FAILED"],
        ["after", "ok"],
    ]
    assert told[-1] == "failed: broken"
    assert "why it failed" in told
    assert "as it comes" in told
    assert "all is well" not in told


def test_a_missing_program_is_a_skip_in_plain_sight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = [python("quick", ""), Stage("browser", ["never-run"], needs=["no-such-browser"])]
    monkeypatch.setattr(check, "stages", lambda arguments: plan)
    assert check.main([]) == 0
    told = capsys.readouterr().out
    assert "no-such-browser is not installed" in told
    assert told.endswith("1 of 2 stages skipped: browser\nall 1 stages passed\n")


def test_the_closing_line_of_pytest_is_repeated() -> None:
    code = "print('\\x1b[32m===== \\x1b[1m3 passed, 1 skipped\\x1b[0m in 0.01s =====\\x1b[0m')"
    outcome = check.run(Stage("tests", [sys.executable, "-c", code, "pytest"]))
    assert outcome.line().endswith("  3 passed, 1 skipped in 0.01s")


@pytest.mark.parametrize(("may_be_empty", "verdict"), [(True, "ok"), (False, "FAILED")])
def test_selecting_no_test_is_a_failure_save_where_allowed(may_be_empty: bool, verdict: str) -> None:
    stage = Stage("tests", [sys.executable, "-c", "raise SystemExit(5)"], may_be_empty=may_be_empty)
    assert check.run(stage).verdict == verdict


def test_arguments_reach_both_runs_of_pytest() -> None:
    runs = [stage for stage in check.stages(["--long", "-k", "pile"]) if "pytest" in stage.command]
    assert [stage.name for stage in runs] == ["tests", "interpreted"]
    for stage in runs:
        assert "--long -k pile" in " ".join(stage.command)
    assert list(runs[1].command[-2:]) == ["-m", "interpreted"]
