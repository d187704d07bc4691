"""Encryption of push messages for one browser (RFC 8291, RFC 8188), and VAPID signatures (RFC 8292)."""

import contextlib
import os
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

_POINT: Final = 65
"""Size in bytes of an uncompressed public key: a type byte and both coordinates."""
_SECRET: Final = 16
_RECORD: Final = 4096
"""Maximum size in bytes of an encrypted record; each of our messages is one record."""
_SIGNED_FOR: Final = 12 * 3600
"""Lifetime of a signature in seconds; push services accept at most 24 hours."""


def base64url_decode(text: str) -> bytes:
    """Decode base64url, with or without padding; raise `ValueError`."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def base64url_encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _public(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `ValueError` unless these are valid keys of a browser."""
    point = base64url_decode(p256dh)
    if len(point) != _POINT or len(base64url_decode(auth)) != _SECRET:
        raise ValueError("a key has the wrong length")
    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)


def seal(
    plain: bytes,
    p256dh: str,
    auth: str,
    *,
    own: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a message for the browser with these keys. `own` and `salt` are random except in tests."""
    own = own or generate_private_key(SECP256R1())
    salt = salt or secrets.token_bytes(_SECRET)
    theirs, ours = base64url_decode(p256dh), _public(own)
    shared = own.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), theirs))
    common = _derived(shared, base64url_decode(auth), b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(common, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(common, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, plain + b"\2", None)


def _derived(secret: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(secret)


class VapidKey:
    """The key pair that identifies this server to push services.

    Browsers accept alerts only from the key they subscribed to, so it is created once and kept.
    """

    def __init__(self, file: Path) -> None:
        """Load the key pair, creating the file if needed; raise `OSError`, or `ValueError` if the file
        contains something else."""
        key = load_pem_private_key(_kept(file), None)
        if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
            raise ValueError("another kind of key")  # noqa: TRY004 - the file is wrong, not an argument
        self._key = key
        self.public: str = base64url_encode(_public(key))

    def sign(self, audience: str, contact: str) -> str:
        """Return the authorization header that identifies the sender."""
        claims = {"aud": audience, "exp": int(time.time()) + _SIGNED_FOR, "sub": contact}
        parts = [
            base64url_encode(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        ]
        text = ".".join(parts)
        numbers = decode_dss_signature(self._key.sign(text.encode(), ECDSA(SHA256())))
        signature = b"".join(number.to_bytes(32, "big") for number in numbers)
        return f"vapid t={text}.{base64url_encode(signature)}, k={self.public}"


def _kept(file: Path) -> bytes:
    """Return the content of the key file. If it doesn't exist, create it so that only its owner can read
    it."""
    if not file.exists():
        key = generate_private_key(SECP256R1())
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as writing:
            writing.write(pem)
        # If several processes start together, the first one creates the file, and none reads a partial key.
        with contextlib.suppress(FileExistsError):
            file.hardlink_to(draft)
        draft.unlink()
    return file.read_bytes()
