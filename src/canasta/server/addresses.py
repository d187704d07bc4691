"""Network addresses, as used for limits and queues."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address


def read_address(host: str) -> IPv4Address | IPv6Address:
    """Parse an address without its zone; raise `ValueError`.

    An IPv4 address mapped into IPv6 is returned as IPv4.
    """
    found = ip_address(host.partition("%")[0])
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


@lru_cache(10_000)
def site_of(key: str) -> str:
    """Return the key with its leading IPv6 /64 widened to the /48; empty if it doesn't start with one."""
    network, space, rest = key.partition(" ")
    if not network.endswith("/64"):
        return ""
    try:
        return f"{IPv6Network(network).supernet(new_prefix=48)}{space}{rest}"
    except ValueError:
        return ""
