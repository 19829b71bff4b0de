"""SHA-256 without OpenSSL, which hashlib takes 10 ms to load: half of the start of Python."""

from __future__ import annotations

try:  # as random.py does; 3.12 and newer have the first name, 3.11 the second
    from _sha2 import sha256  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, no-redef, unused-ignore]
    except ImportError:
        from hashlib import sha256  # type: ignore[assignment, unused-ignore]


def sha256_of(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    digest: str = sha256(data).hexdigest()
    return digest
