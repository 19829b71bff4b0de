"""The one way a title becomes a key."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=16384)
def identity_key(stamp: str | None, title: str) -> str:
    """Return what two entries have in common that count as the same one.

    The stamp (where there is one) and the title, casefolded, white space collapsed.
    """
    return " ".join(f"{stamp or ''} {title}".casefold().split())
