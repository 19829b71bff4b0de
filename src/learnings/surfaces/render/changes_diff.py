"""Changes of files as a unified diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from learnings.core.text import decode
from learnings.store.files import Change


def diff(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the changes as lines, with their ends, that `git apply` takes."""
    for change in changes:
        old = "/dev/null" if change.before is None else f"a/{change.path}"
        before, after = map(_diffable, (change.before or b"", change.after))
        for line in unified_diff(before, after, old, f"b/{change.path}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _diffable(data: bytes) -> list[str]:
    # Lines with their ends, the last one without; \r is a character here, as it is for git.
    return re.findall(r"[^\n]*\n|[^\n]+", decode(data))
