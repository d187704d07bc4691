"""Reverse proxies: which ones to trust, and detecting one that hides the clients' addresses."""

from ipaddress import ip_network
from typing import Any, Final

from canasta.server.addresses import read_address
from canasta.server.services import header_of

PROXY_HINT: Final = (
    "Limits go by address. A proxy has to send X-Forwarded-For, and one that is not on this machine has to be"
    " named in FORWARDED_ALLOW_IPS; otherwise all its visitors share the limits of one."
)
_SIGNS: Final = tuple(b"via forwarded x-forwarded-for x-forwarded-proto x-forwarded-host x-real-ip".split())


def believed_proxies(named: str | None) -> str:
    """Return the proxies whose `X-Forwarded-For` is trusted, in uvicorn's format.

    These are the ones named in the environment, or this machine. IPv4 addresses are added in the form in
    which an IPv6 socket shows them.
    """
    hosts = [host.strip() for host in ("127.0.0.1,::1" if named is None else named).split(",")]
    return ",".join([*hosts, *filter(None, map(_mapped, hosts))])


def _mapped(host: str) -> str:
    """Return an IPv4 address or network as mapped into IPv6; empty for anything else."""
    try:
        found = ip_network(host, strict=False)
    except ValueError:
        return ""
    return f"::ffff:{found.network_address}/{96 + found.prefixlen}" if found.version == 4 else ""


def hides_addresses(scope: Any, origins: tuple[str, ...]) -> bool:
    """Return whether this request came through a nearby proxy that doesn't forward the client's address or
    isn't trusted, so that the proxy itself counts as the client."""
    client = scope.get("client")
    if not client or not client[1]:  # an address forwarded by a proxy has no port
        return False
    try:
        if read_address(str(client[0])).is_global:
            return False
    except ValueError:
        return False
    if header_of(scope, b"host").lower() in origins:
        return True
    return any(header_of(scope, sign) for sign in _SIGNS)
