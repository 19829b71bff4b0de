"""What is wrong between the memory index and the files it lists, as a value.

In a module of its own, since runs without an index do not load the check.
"""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.findings.fixes import Fix

# Each is the id of the rule about it; the rule says how severe it is.
ORPHAN_ROW = "index-orphan-row"
MISSING_ROW = "index-missing-row"
DUPLICATE_ROW = "index-duplicate-row"
COLLISION = "index-collision"
AMBIGUOUS_HEADING = "index-ambiguous-heading"
ROW_FORM = "index-row-form"
WRONG_SECTION = "index-wrong-section"
STRUCTURAL_ROW = "index-structural-row"
MISSING_FILE = "index-missing-file"
STALE_LINE_NUMBER = "index-stale-line-number"
ORDER = "index-order"


class Problem(NamedTuple):
    """One thing that is wrong in the file at path.

    kind is one of the constants above. line and column are 1-based; message is one sentence on
    one line; subject is the text that the problem is about, which stays the same when lines move.
    fix is set by fixable.with_fixes().
    """

    kind: str
    path: str
    line: int
    column: int
    message: str
    subject: str = ""
    fix: Fix | None = None
