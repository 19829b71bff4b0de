"""What is wrong between the memory index and the files it lists, as a value.

Apart from the check, which files without an index do not load.
"""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.findings.fixes import Fix


class Problem(NamedTuple):
    """One thing that is wrong in the file path.

    kind is the id of a rule. line and column are
    1-based; message is one sentence on one line; subject is the text that the problem is about,
    which stays the same when lines move. fix is set by index_mend.with_fixes().
    """

    kind: str
    path: str
    line: int
    column: int
    message: str
    subject: str = ""
    fix: Fix | None = None
