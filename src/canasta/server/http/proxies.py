"""A proxy that does not say whose requests it passes on makes one address of everybody."""

from ipaddress import ip_address
from typing import Any, Final

from canasta.server.services import header_of

PROXY_HINT: Final = (
    "Limits go by address. A proxy has to send X-Forwarded-For, and one that is not on this machine has to be"
    " named in FORWARDED_ALLOW_IPS; otherwise all its visitors share the limits of one."
)
_SIGNS: Final = tuple(b"via forwarded x-forwarded-for x-forwarded-proto x-forwarded-host x-real-ip".split())


def hides_addresses(scope: Any, origins: tuple[str, ...]) -> bool:
    """Whether this request came through a proxy near by, and what it says of the sender is not there or not
    believed: the sender is then the proxy itself."""
    client = scope.get("client")
    if not client or not client[1]:  # an address that a proxy has told has no port
        return False
    try:
        if ip_address(str(client[0]).partition("%")[0]).is_global:
            return False
    except ValueError:
        return False
    if header_of(scope, b"host").lower() in origins:
        return True
    return any(header_of(scope, sign) for sign in _SIGNS)
