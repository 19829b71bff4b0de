from __future__ import annotations

import pytest

from learnings.consolidation.merge.conflicts import Markers, without_markers
from learnings.consolidation.merge.merge import Merge, merge
from learnings.consolidation.merge.numbers import SharedId
from learnings.core.entries.document import read
from learnings.core.text import decode
from learnings.history.git.merges import merge_bytes
from tests.consolidation.merge.cases import CASES, Case, marked, memory
from tests.support.repository import GitRepository

NAMES = ("base", "ours", "theirs")


def merged(case: Case, repository: GitRepository, markers: Markers | None = None) -> Merge:
    def by_lines(*versions: bytes) -> tuple[bytes, int]:
        return merge_bytes(versions, repository.path, names=NAMES, marker_size=7)

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


def numbered(*ids: str, text: str = "") -> str:
    """Return a log of entries given as `ID title`."""
    entries = (f"## [{one.replace(' ', '] ')}\n\nThis is {one[-1]}.\n" for one in ids)
    return "\n".join([f"# Log\n{text}", *entries])


BUG = "BUG-20260504-"
SHARED = {
    "of a day": (
        [], [f"{BUG}001 O"], [f"{BUG}001 T"], [f"{BUG}001 O", f"{BUG}002 T"],
    ),
    "several": (
        ["L-1 A"], ["L-1 A", "L-2 O", "L-3 P"], ["L-1 A", "L-2 T", "L-3 U"],
        ["L-1 A", "L-2 O", "L-3 P", "L-4 T", "L-5 U"],
    ),
    "one of two": (
        ["L-09 A"], ["L-09 A", "L-10 O"], ["L-09 A", "L-10 T", "L-11 U"],
        ["L-09 A", "L-10 O", "L-12 T", "L-11 U"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_an_id_of_both_sides_is_renumbered(name: str, repository: GitRepository) -> None:
    base, ours, theirs, expected = (numbered(*ids) for ids in SHARED[name])
    result = merged(Case(base, ours, theirs, expected), repository)
    assert (decode(result.data), result.conflicts) == (expected, ())
    assert all(shared.new_id for shared in result.shared_ids)


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("", "L-1 O", "L-1 T, L-2 like L-1"),
        ("L-1 A", "L-1 A, L-2 O", "L-1 A, L-2 T, L-3 as in l-2, perhaps"),
        ("PROJ-9 A", "PROJ-9 A, PROJ-77 O", "PROJ-9 A, PROJ-77 T"),
    ],
)
def test_an_id_stays_if_it_may_be_meant(
    base: str, ours: str, theirs: str, repository: GitRepository
) -> None:
    old, one, other = (numbered(*filter(None, text.split(", "))) for text in (base, ours, theirs))
    result = merged(Case(old, one, other, ""), repository)
    names = [name for name in theirs.split(", ") if name not in base]
    assert all(f"[{name.replace(' ', '] ')}" in decode(result.data) for name in names)


def by_lines(*_: bytes) -> tuple[bytes, int]:
    raise AssertionError


HEADINGS = {
    "a stamp and a title": ("[2026-03-01] A", "[2026-03-02] A", "[2026-03-01] B", "[2026-03-02] B"),
    "the longer stamp": (
        "[2026-03-01] A", "[2026-03-02] A", "[2026-03-02-090000] B", "[2026-03-02-090000] B",
    ),
    "a shortened stamp": (
        "[2026-03-01-090000] A", "[2026-03-01] A", "[2026-03-01-090000] B", "[2026-03-01] B",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADINGS)
def test_a_heading_gets_the_stamp_of_one_side_and_the_title_of_the_other(name: str) -> None:
    base, *sides, expected = (f"# L\n\n## {line}\n\nx\n".encode() for line in HEADINGS[name])
    for ours, theirs in (sides, sides[::-1]):
        result = merge(base, ours, theirs, merge_text=by_lines, is_referred=lambda _: False)
        assert (result.data, result.conflicts) == (expected, ())


def test_lines_between_entries_are_those_of_the_side_that_changed_them() -> None:
    base = "# L\n\n## A\n\na\n\n## B\n\nb\n"
    spaced, longer = base.replace("\n## B", "\n\n\n## B"), f"{base}\n## C\n\nc\n"
    for sides in ((spaced, longer), (longer, spaced)):
        files = (text.encode() for text in (base, *sides))
        result = merge(*files, merge_text=by_lines, is_referred=lambda _: False)
        assert decode(result.data) == longer.replace("\n## B", "\n\n\n## B")


def test_an_id_that_the_repository_mentions_stays() -> None:
    base, ours, theirs = (numbered("L-1 A", *more).encode() for more in ([], ["L-2 O"], ["L-2 T"]))
    mentioned = merge(base, ours, theirs, merge_text=by_lines, is_referred={"L-2"}.__contains__)
    assert mentioned.shared_ids == (SharedId("L-2", "T", None),)
    taken = merge(base, ours, theirs, merge_text=by_lines, is_referred={"L-3"}.__contains__)
    assert taken.shared_ids == (SharedId("L-2", "T", "L-4"),)


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
