"""Host name checks against DNS rebinding.

A page of another site can make its own name resolve to this machine, and would then count as our own page. A
server that listens only on this machine has few valid names, so it rejects all others. A server reachable
from outside can't know its names.
"""

from urllib.parse import urlsplit

from canasta.server.addresses import read_address


def is_own_name(called: str, bound: str, origins: tuple[str, ...]) -> bool:
    """Return whether a request for the host `called`, with or without a port, is meant for a server on
    `bound`."""
    # Programs other than browsers may omit it.
    if not called or called.lower() in origins or not _is_this_machine(bound):
        return True
    name = _name_of(called)
    return bool(name) and (_is_this_machine(name) or name in map(_name_of, origins))


def _name_of(host: str) -> str:
    """Return a host without its port; empty if it isn't a valid host."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_this_machine(name: str) -> bool:
    name = name.lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return read_address(name).is_loopback
    except ValueError:
        return False
