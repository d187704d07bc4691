"""Under which names this server may be called.

A page of another site can have its own name point to this machine, and would then count as the table's own
page. A server that listens on this machine alone is called by few names, so any other is refused there. One
that others reach cannot know what they call it.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_own_name(called: str, bound: str, origins: tuple[str, ...]) -> bool:
    """Whether a request for the host `called`, which may name a port, is meant for a server on `bound`."""
    # Programs that are no browsers may leave it out.
    if not called or called.lower() in origins or not _is_this_machine(bound):
        return True
    name = _name_of(called)
    return bool(name) and (_is_this_machine(name) or name in map(_name_of, origins))


def _name_of(host: str) -> str:
    """Without the port; empty for something that is no host."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_this_machine(name: str) -> bool:
    name = name.lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
