"""The table of what one side does and the other; git runs it in test_merge_driver_command.py."""

from __future__ import annotations

import pytest

from learnings.consolidation.merge.conflicts import Markers, without_markers
from learnings.consolidation.merge.merge import Merge, merge
from learnings.consolidation.merge.texts import MergedText
from learnings.core.entries.document import read
from learnings.core.text import decode
from learnings.history.git.merge_file import merge_bytes
from tests.consolidation.merge.cases import CASES, Case, marked, memory
from tests.support.repository import GitRepository

NAMES = ("base", "ours", "theirs")


def merged(case: Case, repository: GitRepository, markers: Markers | None = None) -> Merge:
    def by_lines(*versions: bytes) -> MergedText:
        return MergedText(*merge_bytes(versions, repository.path, names=NAMES, marker_size=7))

    versions = ((version or "").encode() for version in case[:3])
    return merge(*versions, merge_text=by_lines, markers=markers)


def outcome(case: Case, repository: GitRepository) -> tuple[str, int]:
    result = merged(case, repository)
    return decode(result.data), len(result.conflicts)


@pytest.mark.parametrize("name", CASES)
def test_each_case(name: str, repository: GitRepository) -> None:
    case = CASES[name]
    assert outcome(case, repository) == (case.merged, case.conflicts)


@pytest.mark.parametrize("name", CASES)
def test_each_case_with_the_sides_swapped(name: str, repository: GitRepository) -> None:
    case = CASES[name]
    text, conflicts = outcome(case.mirrored, repository)
    assert conflicts == case.conflicts
    if not conflicts:
        entries, expected = (read(data.encode()).entries for data in (text, case.merged))
        assert {entry.identity for entry in entries} == {entry.identity for entry in expected}


def test_a_base_with_conflicts_of_its_own(repository: GitRepository) -> None:
    base = marked("A", "B'", 'B"', "C").replace("=======", "=========").replace("ours", "one")
    base = base.replace("<<<<<<<", "<<<<<<<<<").replace(">>>>>>>", ">>>>>>>>>")
    case = Case(base, memory("A B C' O"), memory("B C T"), memory("B C' O T"))
    assert outcome(case, repository) == (case.merged, 0)


def test_markers_are_taken_out_of_whole_conflicts_only() -> None:
    sides = "one\n||||||| base\nold\n=======\ntwo\n"
    whole = f"<<<<<<< ours\n{sides}>>>>>>> theirs\nend\n"
    assert without_markers(whole) == "one\nold\ntwo\nend\n"
    for text in (sides, f"<<<<<<< ours\n{sides}", f"{sides}>>>>>>> theirs\n", "a\n=======\n"):
        assert without_markers(text) == text
    assert without_markers(whole.replace(">>>>>>>", ">>>>>>>>")) != without_markers(whole)
