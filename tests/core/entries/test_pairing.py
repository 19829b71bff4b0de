from __future__ import annotations

import pytest

from learnings.core.entries.document import read
from learnings.core.entries.pairing import pairs

LONG = "Run it a hundred times at each step, since one pass alone proves nothing about it."

# The older and the newer file, and the pairs of indexes of their entries.
CASES: dict[str, tuple[str, str, dict[int, int]]] = {
    "moved": ("## A\n\nOne.\n\n## B\n\nTwo.\n", "## B\n\nTwo.\n\n## A\n\n1.\n", {0: 1, 1: 0}),
    "twins": ("## A\n\nOne.\n\n## A\n\nTwo.\n", "## A\n\nTwo.\n\n## A\n\n1.\n", {0: 1, 1: 0}),
    "the first twin removed": ("## A\n\nOne.\n\n## A\n\nTwo.\n", "## A\n\nTwo.\n", {1: 0}),
    "another heading": ("## A\n\nOne.\n", "## B\n\nOne.\n", {0: 0}),
    "two equal bodies": ("## A\n\nOne.\n", "## B\n\nOne.\n\n## C\n\nOne.\n", {}),
    "a stamp": ("## A\n\nOne.\n", "## [2026-03-01-120000] A\n\nTwo.\n", {0: 0}),
    "another stamp": (
        "## [2026-03-01-120000] A\n\nOne.\n", "## [2026-03-02-120000] A\n\nTwo.\n", {}
    ),
    "the same stamp": (
        "## [2026-03-01-120000] A\n\nOne.\n", "## [2026-03-01-120000] B\n\nTwo.\n", {0: 0}
    ),
    "the same day": ("## [2026-03-01] A\n\nOne.\n", "## [2026-03-01] B\n\nTwo.\n", {}),
    "similar texts": (f"## A\n\n{LONG}\n", f"## B\n\n{LONG} Never.\n", {0: 0}),
    "similar texts of few words": ("## A\n\nRun it again.\n", "## B\n\nRun it again!\n", {}),
    "a long item": (f"- 2026-03-01: {LONG}\n", f"- 2026-03-01: {LONG} Never.\n", {0: 0}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_pairs(name: str) -> None:
    old, new, expected = CASES[name]
    versions = (read(text.encode()).entries for text in (old, new))
    assert pairs(*versions) == expected
