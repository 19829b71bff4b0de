"""The problems of a memory index as values; `rules.index` says what each kind means."""

from __future__ import annotations

from typing import NamedTuple

# Kinds of problems; each has its own rule.
ORPHAN_ROW = "orphan-row"
MISSING_ROW = "missing-row"
DUPLICATE_ROW = "duplicate-row"
AMBIGUOUS_HEADING = "ambiguous-heading"
ROW_FORM = "row-form"
WRONG_SECTION = "wrong-section"
STRUCTURAL_ROW = "structural-row"
MISSING_FILE = "missing-file"
STALE_LINE_NUMBER = "stale-line-number"
ORDER = "order"
HOOK_DIFFERS = "hook-differs"


class IndexProblem(NamedTuple):
    """One problem in the file at path.

    kind is one of the constants above; line is 1-based; message says what is wrong and what to do.
    subject is the text that the problem is about, which stays the same when lines move.
    fixing.with_fixes() sets is_fixable, and is_renamed if the fix gives a row the new words of its
    heading. in_block: the index is a block, which is rewritten as a whole. is_notice: the problem
    is no error here.
    """

    kind: str
    path: str
    line: int
    message: str
    subject: str = ""
    is_fixable: bool = False
    is_renamed: bool = False
    in_block: bool = False
    is_notice: bool = False
