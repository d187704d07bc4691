"""Line editing for typed play at a terminal, with history and Tab completion of moves."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


def next_words(lines: Sequence[str], before: str, begun: str) -> list[str]:
    """Return the words that start with `begun` and follow `before` in one of these lines, ignoring case.

    A word that isn't the last of its line ends in a blank.

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
    """Give `input` editing, history and completion; `lines` returns the lines that can be typed now.

    This does nothing if standard input or output isn't a terminal, or if Python has no readline. The Windows
    console has its own line editing.
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
        # libedit, the readline of BSD and macOS, has its own syntax for this.
        is_bsd = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_bsd else "tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before[0])
            readline.set_completer_delims(before[1])
    else:
        yield
