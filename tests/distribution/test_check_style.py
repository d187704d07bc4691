"""The style ratchet finds what the style guide rules out and fails if a count has risen."""

import json
from pathlib import Path

import check_style
import pytest

MODULE = '''"""What is kept of thousands of tables lies in such."""

LIMIT = 3  # so many are told


class Table:
    """A table."""
'''


def matching(folder: Path, patterns: tuple[str, ...]) -> list[str]:
    return [str(path.relative_to(folder)) for pattern in patterns for path in folder.rglob(pattern)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("src/one.py", "src/bell.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MODULE)
    (tmp_path / "page.md").write_text("A row goes on.\n```\nthis goes on\n```\n")
    monkeypatch.setattr(check_style, "ROOT", tmp_path)
    monkeypatch.setattr(check_style, "tracked", lambda *patterns: matching(tmp_path, patterns))
    monkeypatch.setattr(check_style, "COUNTS", tmp_path / "counts.json")
    return tmp_path


def test_every_kind_of_place_is_found(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_style.main(["--update"]) == 0
    assert json.loads((project / "counts.json").read_text()) == {
        "clause as a subject": 2,
        "duplicate class": 1,
        "goes on": 1,
        "lies, stands": 2,
        "odd module": 1,
        "so many": 2,
        "told": 2,
    }
    assert check_style.main([]) == 0
    check_style.main(["--list"])
    assert "page.md:1: [goes on] A row goes on." in capsys.readouterr().out.splitlines()


def test_a_count_that_went_up_fails(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_style.main(["--update"])
    (project / "page.md").write_text("It goes on.\nIt goes on and on.\n")
    assert check_style.main([]) == 1
    assert "goes on: 2 places, at most 1 are allowed." in capsys.readouterr().out
    (project / "page.md").write_text("It continues.\n")
    assert check_style.main([]) == 0
