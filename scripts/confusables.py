"""Write src/canasta/table/confusables.txt: letters and digits that look like others, by Unicode TR39.

    ./.venv/bin/python scripts/confusables.py

The data is Unicode's confusables.txt, read through ICU's spoof checker (libicui18n, version 60 or newer).
ICU is needed only to write the file. Names are compared by `canasta.table.names`.
"""

import ctypes
import ctypes.util
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent.parent / "src" / "canasta" / "table" / "confusables.txt"
HEADER = """\
# Letters and digits that look like others: what each looks like, a tab, and the characters themselves.
# Unicode Technical Standard 39, confusables.txt of Unicode {version}, written by scripts/confusables.py.
# Copyright © 1991-present Unicode, Inc. Licensed under the Unicode License v3 (https://www.unicode.org/license.txt).
"""
_LONGEST = 400


class Icu:
    """ICU's spoof checker."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("icui18n")
        if name is None:
            sys.exit("libicui18n isn't installed: apt install libicu72, or brew install icu4c.")
        found = re.search(r"\.so\.(\d+)", name)
        self._ending = f"_{found[1]}" if found else ""
        self._library = ctypes.CDLL(name)
        status = ctypes.c_int(0)
        opened = self._function("uspoof_open")
        opened.restype = ctypes.c_void_p
        self._checker = ctypes.c_void_p(opened(ctypes.byref(status)))
        self._skeleton = self._function("uspoof_getSkeletonUTF8")

    def _function(self, name: str) -> Any:
        return getattr(self._library, name + self._ending)

    def skeleton(self, text: str) -> str:
        content, status = text.encode(), ctypes.c_int(0)
        buffer = ctypes.create_string_buffer(_LONGEST)
        length = self._skeleton(
            self._checker, 0, content, len(content), buffer, _LONGEST, ctypes.byref(status)
        )
        if status.value > 0:
            sys.exit(f"ICU cannot compute the skeleton of U+{ord(text):04X}: error {status.value}.")
        return buffer.raw[:length].decode()

    @property
    def unicode_version(self) -> str:
        version = (ctypes.c_uint8 * 4)()
        self._function("u_getUnicodeVersion")(version)
        return f"{version[0]}.{version[1]}"


def main() -> None:
    icu = Icu()
    sources: dict[str, list[str]] = defaultdict(list)
    for character in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(character)[0] not in "LN":
            continue
        if unicodedata.normalize("NFD", character) != character:
            continue  # its parts are in the list
        look = icu.skeleton(character)
        if look != character:
            sources[look].append(character)
    lines = [f"{look}\t{''.join(found)}" for look, found in sorted(sources.items())]
    FILE.write_text(HEADER.format(version=icu.unicode_version) + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {sum(map(len, sources.values()))} characters, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
