"""What was probably meant by a word that is none."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 100


def nearest(word: str, names: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the name that a word comes nearest to, None where none is near.

    cutoff is the likeness from 0 to 1 that a name has to have. Names are in lower case.
    """
    from difflib import get_close_matches  # noqa: PLC0415  (slow to import, seldom needed)

    near = get_close_matches(word[:_LONGEST].lower(), list(names), n=1, cutoff=cutoff)
    return near[0] if near else None
