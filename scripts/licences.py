"""Write THIRD_PARTY.md: all dependencies with their versions and licences.

    ./.venv/bin/python scripts/licences.py           # after a change of a lock
    ./.venv/bin/python scripts/licences.py --check   # say whether it is up to date

Names and versions come from the locks, licences from the packages themselves.
"""

import json
import re
import sys
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "THIRD_PARTY.md"
PYTHON_LOCKS = {
    "Python packages that run with canasta": "requirements/runtime.txt",
    "Python packages that build it": "requirements/build.txt",
}
BROWSER_LOCK = ROOT / "web" / "package-lock.json"

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)(?: ; ([^\\\n]+))?", re.MULTILINE)

SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT": "MIT",
    "MIT License": "MIT",
    "MIT-0": "MIT-0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""SPDX identifiers of licences, for packages that state longer names."""

INTRODUCTION = """\
# What canasta stands on

None of this is part of this repository, except that the built browser table contains parts of the packages
named under it, and that `src/canasta/table/confusables.txt` is made from Unicode's confusables.txt (Unicode
License v3). Each package is under its own licence. Written by `scripts/licences.py`.
"""


class Trouble(Exception):
    """The page cannot be written; the message says what to do."""


def licence_of(package: str, version: str) -> str:
    try:
        about = metadata(package)
    except PackageNotFoundError:
        raise Trouble(f"{package} is not installed: run ./canasta version first.") from None
    if about["Version"] != version:
        raise Trouble(f"{package} {about['Version']} is installed, the lock has {version}.")
    if "License-Expression" in about:
        return about["License-Expression"]
    stated = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    if not stated and "License" in about:
        stated = about["License"].splitlines()[:1]
    names = [SPDX.get(name) or SPDX.get(name.split(" (")[0]) for name in stated]
    known = sorted({name for name in names if name})
    if not known:
        raise Trouble(f"the licence of {package} is {stated}; add it to SPDX in scripts/licences.py.")
    return " / ".join(known)


def python_table(lock: str, done: set[str]) -> list[str]:
    lines = ["| package | version | licence |", "| --- | --- | --- |"]
    for package, version, marker in PIN.findall((ROOT / lock).read_text()):
        # Packages for Windows alone are not installed where this page is written.
        if package in done or "sys_platform == 'win32'" in marker:
            continue
        done.add(package)
        lines.append(f"| {package} | {version} | {licence_of(package, version)} |")
    return lines


def browser_list() -> list[str]:
    """Return the list by licence, since there are many packages, most of them tools."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, about in json.loads(BROWSER_LOCK.read_text())["packages"].items():
        if path:
            package = path.rpartition("node_modules/")[2]
            found[about.get("license", "not stated")].add(f"{package} {about['version']}")
    return [f"- {licence}: {', '.join(sorted(packages))}" for licence, packages in sorted(found.items())]


def page() -> str:
    parts = [INTRODUCTION.rstrip()]
    done: set[str] = set()
    for heading, lock in PYTHON_LOCKS.items():
        parts += ["", f"## {heading}", "", *python_table(lock, done)]
    if BROWSER_LOCK.exists():
        parts += ["", "## The browser table and the tools that build it", "", *browser_list()]
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    try:
        text = page()
    except Trouble as trouble:
        print(f"{PAGE.name} was not written: {trouble}", file=sys.stderr)
        return 1
    if "--check" not in arguments:
        PAGE.write_text(text)
        print(f"{PAGE.name} written")
    elif not PAGE.exists() or PAGE.read_text() != text:
        print(f"{PAGE.name} is not up to date: run scripts/licences.py.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
