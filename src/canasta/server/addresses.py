"""Network addresses: the client of a request, the host it was meant for, and the proxies in between."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit


def read_address(host: str) -> IPv4Address | IPv6Address:
    """Parse an address without its zone; raise `ValueError`.

    An IPv4 address mapped into IPv6 is returned as IPv4.
    """
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


@lru_cache(10_000)
def site_of(key: str) -> str:
    """Return the rate-limit key with its leading IPv6 /64 widened to the /48; empty if it doesn't start with
    one."""
    network, space, rest = key.partition(" ")
    if not network.endswith("/64"):
        return ""
    try:
        return f"{IPv6Network(network).supernet(new_prefix=48)}{space}{rest}"
    except ValueError:
        return ""


# -- requests ------------------------------------------------------------------------------------------------


def header_of(scope: Any, name: bytes) -> str:
    """Return a header of the request; empty if missing."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return ""


def address_of(scope: Any) -> str:
    """Return the address used for limits.

    This is the IPv4 address, even when mapped into IPv6, or the /64 network of an IPv6 address, since a
    household owns all of it.
    """
    client = scope.get("client")
    if not client:
        return "?"
    host = str(client[0])
    try:
        address = read_address(host)
    except ValueError:
        return host
    return str(address) if address.version == 4 else str(IPv6Network((str(address), 64), strict=False))


def home_of(scope: Any) -> str:
    """Return the address if it identifies a household; empty for a loopback address, which may be a proxy
    that doesn't forward addresses."""
    client = scope.get("client")
    try:
        is_telling = bool(client) and not read_address(str(client[0])).is_loopback
    except ValueError:
        is_telling = False
    return address_of(scope) if is_telling else ""


# -- host names ----------------------------------------------------------------------------------------------


def is_own_name(called: str, bound: str, origins: tuple[str, ...]) -> bool:
    """Return whether a request for the host `called`, with or without a port, is meant for a server on
    `bound`.

    This prevents DNS rebinding, in which another site's host name resolves to this machine so that its pages
    pass for ours. A server that listens only on this machine has few valid names and rejects all others. A
    server reachable from outside can't know its names, so it accepts any.
    """
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


# -- reverse proxies -----------------------------------------------------------------------------------------

PROXY_HINT: Final = (
    "Limits go by address. A proxy has to send X-Forwarded-For, and one that is not on this machine has to be"
    " named in FORWARDED_ALLOW_IPS; otherwise all its visitors share the limits of one."
)
_SIGNS: Final = tuple(b"via forwarded x-forwarded-for x-forwarded-proto x-forwarded-host x-real-ip".split())


def trusted_proxies(named: str | None) -> str:
    """Return the proxies whose `X-Forwarded-For` is trusted, in uvicorn's format.

    These are the proxies in `named` (from the environment), or this machine by default. IPv4 addresses are
    also listed as mapped into IPv6, as an IPv6 socket reports them.
    """
    hosts = [host.strip() for host in ("127.0.0.1,::1" if named is None else named).split(",")]
    return ",".join([*hosts, *filter(None, map(_mapped, hosts))])


def _mapped(host: str) -> str:
    """Return an IPv4 address or network as mapped into IPv6; empty for anything else."""
    try:
        network = ip_network(host, strict=False)
    except ValueError:
        return ""
    return f"::ffff:{network.network_address}/{96 + network.prefixlen}" if network.version == 4 else ""


def hides_addresses(scope: Any, origins: tuple[str, ...]) -> bool:
    """Return whether this request came through a local proxy that hides the client's address.

    The proxy doesn't forward the address or isn't trusted, so it counts as the client itself.
    """
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
