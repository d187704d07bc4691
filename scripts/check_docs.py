"""Check the documentation: Sphinx must build it without warnings, and no internal link may be broken.

Links to other sites are not followed, so that the check does not depend on them.
"""

import os
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from check import ROOT

DOCS = ROOT / "docs"

GENERATED = ("_static", "_sources", "genindex.html", "search.html")
"""Generated pages, whose links are not ours."""


class Page(HTMLParser):
    """The links of a page, and its link targets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.targets: set[str] = set()
        self.feed(text)

    def handle_starttag(
        self,
        tag: str,  # noqa: ARG002 - the parser's signature
        attrs: list[tuple[str, str | None]],
    ) -> None:
        for name, value in attrs:
            if value and name in {"href", "src"}:
                self.links.append(value)
            elif value and name == "id":
                self.targets.add(value)


def dead_links(site: Path) -> list[str]:
    """Return every link from a page of the site to a file or target that does not exist."""
    pages = {path: Page(path.read_text(errors="replace")) for path in sorted(site.rglob("*.html"))}
    dead = []
    for path, page in pages.items():
        if path.relative_to(site).parts[0] in GENERATED:
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            if target.is_dir():
                target /= "index.html"
            name = unquote(parts.fragment)
            if not target.exists() or (name and target in pages and name not in pages[target].targets):
                dead.append(f"{path.relative_to(site)}: {link}")
    return dead


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        sphinx = [sys.executable, "-P", "-m", "sphinx", "--fail-on-warning", "--quiet", "--builder", "html"]
        command = [*sphinx, "--doctree-dir", str(Path(folder, "trees")), str(DOCS), str(site)]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            return 1
        dead = dead_links(site)
    for line in dead:
        print(f"dead link: {line}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
