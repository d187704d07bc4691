"""Typed play at a terminal: the line can be edited, earlier lines come back, Tab completes moves."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


def next_words(lines: Sequence[str], before: str, begun: str) -> list[str]:
    """The words that can follow `before` in one of these lines and begin so; capitals do not matter.

    A blank follows a word after which there is more to type.

    >>> next_words(["draw", "discard 7", "discard K"], "", "d")
    ['draw', 'discard ']
    >>> next_words(["draw", "discard 7", "discard K"], "discard ", "")
    ['7', 'K']
    """
    typed = before.lower().split()
    found: dict[str, None] = {}
    for line in lines:
        words = line.split()
        if len(words) > len(typed) and [word.lower() for word in words[: len(typed)]] == typed:
            word = words[len(typed)] + " " * (len(words) > len(typed) + 1)
            if word.lower().startswith(begun.lower()):
                found[word] = None
    return list(found)


@contextmanager
def line_editing(lines: Callable[[], Sequence[str]]) -> Iterator[None]:
    """While it is open `input` edits, remembers and completes; `lines` tells what can be typed now.

    Where no person types, and where Python has no readline, everything stays as it is. The console of Windows
    edits lines by itself.
    """
    if sys.platform != "win32" and sys.stdin.isatty() and sys.stdout.isatty():
        try:
            import readline  # noqa: PLC0415 - loading it changes what `input` does
        except ImportError:
            yield
            return
        offered: list[str] = []

        def complete(begun: str, number: int) -> str | None:
            if number == 0:
                offered[:] = next_words(lines(), readline.get_line_buffer()[: readline.get_begidx()], begun)
            return offered[number] if number < len(offered) else None

        before = readline.get_completer(), readline.get_completer_delims()
        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        # The library of BSD and macOS has its own words for the same.
        is_bsd = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_bsd else "tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before[0])
            readline.set_completer_delims(before[1])
    else:
        yield
