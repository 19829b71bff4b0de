"""What stands before the Markdown of a file: a byte order mark and a YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from learnings.core.text import chomp

_KEY = re.compile(r"[^\s:#'\"-][^:]*:(?:\s|$)|(['\"])[^:]*\1:(?:\s|$)")
_YAML_LINE = re.compile(r"\s|- |#(?!#)|[^\s:#-][^:]*:(?:\s|$)")


def front_matter_of(lines: Sequence[str]) -> int:
    """Return the number of lines of a YAML front matter, its fences included, else 0.

    A `---` at the top may be a separator as well, so what it encloses has to look like YAML.
    """
    if not lines or chomp(lines[0]).removeprefix("\ufeff").rstrip() != "---":
        return 0
    keys = 0
    for number, line in enumerate(lines[1:], start=2):
        content = chomp(line)
        if content.rstrip() in ("---", "..."):
            return number if keys or number == 2 else 0
        if content.strip() and not _YAML_LINE.match(content):
            return 0
        keys += _KEY.match(content) is not None
    return 0


def without_bom(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines without a byte order mark at their start."""
    if not lines or not lines[0].startswith("\ufeff"):
        return lines
    return lines[1:] if lines[0] == "\ufeff" else (lines[0][1:], *lines[1:])
