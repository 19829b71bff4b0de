from __future__ import annotations

import re

from hypothesis import given

from learnings.consolidation.proof.proof import prove
from learnings.consolidation.proof.results import MemoryVersion, Proof, Result
from learnings.core.entries.document import read
from tests.consolidation.merge.memories import Sides, three_versions

# The number in a title that the generated memories have, bulleted ones in lower case.
NUMBER = re.compile(r"case (\d+) returns")


def proof_of(before: bytes, after: bytes) -> Proof:
    versions = (MemoryVersion({"learnings.md": read(data)}, {}, {}) for data in (before, after))
    return prove(*versions, coverage=0.9)


def number_of(result: Result) -> int:
    match = NUMBER.search(result.title)
    assert match is not None
    return int(match[1])


@given(three_versions())
def test_what_is_gone_is_named_or_covered(sides: Sides) -> None:
    base, ours, _ = sides.files
    proof = proof_of(base, ours)
    lost = {number_of(loss) for loss in proof.losses}
    covered = {number_of(notice) for notice in proof.notices}
    before, after = ({lesson.number for lesson in side} for side in sides.lessons[:2])
    assert lost <= before - after <= lost | covered


def test_of_equally_similar_entries_the_first_in_the_file_is_the_edit_in_each_run() -> None:
    lines = set()
    for run in range(20):  # sets of words have any order
        some, others = (" ".join(f"{word}{run}x{n}" for n in range(6)) for word in "ab")
        before = f"# L\n\n## When {run}\n\n{some}\n{others}\n"
        after = f"# L\n\n## Once q{run}\n\n{some}\n\n## Once r{run}\n\n{others}\n"
        [notice] = proof_of(before.encode(), after.encode()).notices
        assert notice.after is not None
        lines.add(notice.after.line)
    assert lines == {3}
