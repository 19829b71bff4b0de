"""A TOML file as text: its values, and lines put into it where they belong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from learnings.app.setup.step import insert_lines
from learnings.core.errors import BadSettings
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.toml_lines import key_lines

# The header `[tool.learnings]`, with the white space that TOML allows in it.
_HEADER = lazy_pattern(r"[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*learnings[ \t]*\]")


def parsed(text: str, name: str) -> dict[str, Any]:
    """Return the values of a file. Raises BadSettings with its name."""
    import tomllib  # noqa: PLC0415  (for this command only)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{name} is not valid TOML ({error}); correct it and run again") from None


def with_key(text: str, line: str, section: Sequence[str] = ()) -> str:
    """Put a key at the top of its section."""
    lines = key_lines(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if section:
        first = starts[lines[tuple(section)] - 1] if tuple(section) in lines else len(text)
        if _HEADER.match(text, first) is None:
            return with_lines_at_end(text, [f"[{'.'.join(section)}]", line])
        offset = text.find("\n", first) + 1 or len(text)
    else:
        offset = starts[min(lines.values()) - 1] if lines else len(text)
    return insert_lines(text, offset, [line])


def with_lines_at_end(text: str, lines: Sequence[str]) -> str:
    """Put lines at the end of a text, below a blank line."""
    # A line end, and a line of blanks behind it that ends the text.
    ends_with_blank_line = re.search(r"\n[ \t\r]*\n\Z", text) is not None
    gap = [""] if text.strip() and not ends_with_blank_line else []
    return insert_lines(text, len(text), [*gap, *lines])
