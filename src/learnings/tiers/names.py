"""Names of themes: in kebab-case, so that none leads out of the folder of themes."""

from __future__ import annotations

import unicodedata
from collections.abc import Container

from learnings.core.patterns import lazy_pattern

# Words of small Latin letters and digits, joined by single dashes.
_NAME = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# What stands between the words of a name.
_BETWEEN = lazy_pattern(r"[^a-z0-9]+")
LONGEST = 60
"""Characters of a name that is made here: with `.md` it fits any file system and a line."""
UNNAMED = "theme"
"""The name of a theme whose words have no Latin letter."""


def is_name(text: str) -> bool:
    """Return True if a text is the name of a theme; nothing else is one, no path at least."""
    return _NAME.fullmatch(text) is not None


def name_of(title: str) -> str:
    """Return the name for a title: its words in kebab-case, accents left out."""
    plain = unicodedata.normalize("NFKD", title.casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    name = _BETWEEN.sub("-", letters).strip("-")
    return name[:LONGEST].rstrip("-") or UNNAMED


def free_name(name: str, used: Container[str]) -> tuple[str, int]:
    """Return the name, or with `-2`, `-3` … behind it the first that is free, and that number."""
    number = 1
    numbered = name
    while numbered in used:
        number += 1
        numbered = f"{name}-{number}"
    return numbered, number
