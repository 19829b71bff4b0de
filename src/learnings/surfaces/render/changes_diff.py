"""Changes of files as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, printable
from learnings.store.files import Change

# A line with its end, which the last may lack; as for git, \r is an ordinary character.
_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")
_QUOTED = lazy_pattern(r'["\\]')


def diff(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the changes as lines with line ends, a patch for `git apply`."""
    for change in changes:
        old, new = (
            "/dev/null" if data is None else _name(f"{side}/{change.path}")
            for side, data in (("a", change.before), ("b", change.after))
        )
        before, after = (
            _LINE.findall(decode(data or b"")) for data in (change.before, change.after)
        )
        for line in unified_diff(before, after, old, new):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(path: str) -> str:
    """Return a path as git writes it in a patch: quoted as in C if needed; `a/é` stays."""
    if printable(path) == path and not _QUOTED.search(path):
        return path
    escaped = (
        _QUOTED.sub(r"\\\g<0>", character)
        if printable(character) == character
        else "".join(f"\\{byte:03o}" for byte in encode(character))
        for character in path
    )
    return f'"{"".join(escaped)}"'
