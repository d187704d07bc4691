"""Static files of the browser client, with ETags and compression.

Files are read and compressed once and cached. The framework's static files are read and compressed for every
request, and don't support client-side routes.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from litestar.types import Send

from canasta.server.addresses import header_of

PAGES: Final = {
    "home": "/",
    "new": "/new",
    "table": "/t/{id}",
    "games": "/games",
    "rules": "/rules/{id?}",
    "glossary": "/glossary",
    "advice": "/advice",
    "tip": "/advice/{id}",
    "replay": "/replay/{id?}",
    "puzzles": "/puzzles",
    "puzzle": "/puzzles/{id}",
    "day": "/day/{id?}",
    "learn": "/learn",
    "lesson": "/learn/{id}",
}
"""Pages of the browser client by name, with their paths. `index.html` serves them all."""
_PAGE: Final = re.compile(
    "|".join(path.replace("/{id?}", "(?:/[^/]*)?").replace("{id}", "[^/]*") for path in PAGES.values())
)
_PLAIN: Final = ("image/png", "image/webp", "font/woff2", "audio/mpeg", "audio/ogg")
"""Content types that are already compressed."""

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


@dataclass(frozen=True)
class _File:
    content: bytes
    zipped: bytes | None
    kind: bytes
    etag: bytes
    stamp: tuple[int, int]


class Pages:
    """Serves the files. Each is read on first use, and again after it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[Path, _File] = {}

    async def serve(self, scope: Any, send: Send) -> None:
        path: str = scope["path"]
        asks = scope["method"] in ("GET", "HEAD")
        file = self._find(path) if asks else None
        status = 200
        if file is None and asks and "text/html" in header_of(scope, b"accept"):
            # An unknown page gets the client with status 404, which offers a way back.
            file, status = self._find("/"), 404
        if file is None:
            await _plain(send, 404, b"There is no such page here. Begin at the front page: /\n")
            return
        # File names don't change between builds, so browsers revalidate each time; an unchanged file costs a
        # 304.
        headers = [
            (b"content-type", file.kind),
            (b"etag", file.etag),
            (b"vary", b"accept-encoding"),
            (b"cache-control", b"no-cache"),
        ]
        if status == 200 and file.etag.decode() in header_of(scope, b"if-none-match"):
            await _send(send, 304, headers, b"")
            return
        content = file.content
        if file.zipped is not None and "gzip" in header_of(scope, b"accept-encoding"):
            content = file.zipped
            headers.append((b"content-encoding", b"gzip"))
        headers.append((b"content-length", str(len(content)).encode()))
        await _send(send, status, headers, b"" if scope["method"] == "HEAD" else content)

    def _find(self, path: str) -> _File | None:
        if "\0" in path:
            return None
        if _PAGE.fullmatch(path):
            path = "/index.html"
        file = (self._folder / path.lstrip("/")).resolve()
        if not file.is_relative_to(self._folder):
            return None
        try:
            status = file.stat()
        except (OSError, ValueError):
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        known = self._files.get(file)
        if known is None or known.stamp != stamp:
            if not file.is_file():
                return None
            known = self._files[file] = _read(file, stamp)
        return known


def _read(file: Path, stamp: tuple[int, int]) -> _File:
    content = file.read_bytes()
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    zipped = None if kind in _PLAIN else gzip.compress(content, 9, mtime=0)
    if zipped is not None and len(zipped) >= len(content):
        zipped = None
    is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    full = f"{kind}; charset=utf-8" if is_text else kind
    etag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _File(content, zipped, full.encode(), etag.encode(), stamp)


async def _plain(send: Send, status: int, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await _send(send, status, headers, text)


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
