from __future__ import annotations

import pytest

from learnings.core.entries.decisions import (
    Decision,
    Decisions,
    decisions_text,
    is_decisions,
    joined,
    merged_decisions,
    read_decisions,
)

A, B = "a" * 12, "b" * 12


def file(*lines: str, newline: str = "\n") -> bytes:
    return newline.join(["# Decisions", "", *(f"- {line}" for line in lines), ""]).encode()


def kept(day: int, digest: str = A, kind: str = "kept", reason: str = "") -> str:
    return f"{kind} 2026-03-0{day} `{digest}` `Title`{f': {reason}' if reason else ''}"


# What base, ours and theirs hold, and kind and reason of what the merge holds.
MERGED = {
    "the later": ([kept(1)], [kept(2, reason="x")], [kept(3, reason="y")], {A: ("kept", "y")}),
    "an escalated one of the same day": (
        [], [kept(2)], [kept(2, kind="escalated", reason="who")], {A: ("escalated", "who")},
    ),
    "the changed one": ([kept(5)], [kept(5)], [kept(4, reason="x")], {A: ("kept", "x")}),
    "one removed by a side": (
        [kept(1), kept(1, B)], [kept(1)], [kept(1), kept(1, B)], {A: ("kept", "")},
    ),
    "changed and removed": ([kept(1)], [], [kept(2, reason="x")], {A: ("kept", "x")}),
    "one of each": ([], [kept(1)], [kept(1, B)], {A: ("kept", ""), B: ("kept", "")}),
}  # fmt: skip


@pytest.mark.parametrize("name", MERGED)
def test_merged(name: str) -> None:
    base, one, other, expected = MERGED[name]
    for ours, theirs in ((one, other), (other, one)):
        merged = read_decisions(merged_decisions(file(*base), file(*ours), file(*theirs)))
        found = {digest: (row.kind, row.reason) for digest, row in merged.by_digest.items()}
        assert found == expected


def test_the_later_settled_date_and_the_newlines_of_ours_are_kept() -> None:
    old, new = (f"settled 2026-03-0{day}" for day in (1, 4))
    data = merged_decisions(b"", file(old, newline="\r\n"), file(new, kept(1)))
    assert read_decisions(data).settled == "2026-03-04"
    assert data.count(b"\r\n") == data.count(b"\n")
    assert read_decisions(merged_decisions(b"", file(kept(1)), file())).settled is None


def test_other_lines_of_both_sides_stay() -> None:
    base, ours, theirs = (
        file(kept(1), *others) for others in (["broken"], ["broken", "ask Ann"], ["broken", "no"])
    )
    lines = merged_decisions(base, ours, theirs + b"A note.\n").decode().splitlines()
    assert [line for line in lines if line in ("- broken", "- ask Ann", "- no", "A note.")] == [
        "- broken", "- ask Ann", "- no", "A note.",
    ]  # fmt: skip


OURS = decisions_text(Decisions(settled="2026-03-01"), None)
ROW = f"- {kept(1)}\n".encode()


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("agents/archive/learnings-decisions.md", OURS, True),
        ("docs/api-decisions.md", b"\xef\xbb\xbf\n" + OURS.replace(b"\n", b"\r\n"), True),
        ("docs/archive/api-decisions.md", b"A note\n" + ROW, True),
        ("docs/api-decisions.md", ROW, False),
        ("docs/archive/api-decisions.md", b"# Design\n\n- keep it\n", False),
        ("agents/archive/learnings.md", OURS, False),
        ("agents/archive/learnings-decisions.md", b"", False),
    ],
)
def test_a_decision_file_has_the_heading_of_apply(
    path: str, data: bytes, *, expected: bool
) -> None:
    assert is_decisions(path, data) is expected


def test_of_joined_files_the_later_decision_counts_and_on_one_day_the_last() -> None:
    files = [[kept(2, reason="x")], [kept(1), "settled 2026-03-03"], [kept(2, reason="y")]]
    result = joined(read_decisions(file(*lines)) for lines in files)
    assert [row.reason for row in result.by_digest.values()] == ["y"]
    assert result.settled == "2026-03-03"


def test_a_line_has_the_digest_and_the_start_of_a_title() -> None:
    long = Decision("kept", "2026-03-01", A, "When the cache fails because " + "it rains " * 20)
    (row,) = read_decisions(decisions_text(Decisions({A: long}), None)).by_digest.values()
    assert len(row.identity) <= 60
    assert long.identity.startswith(row.identity.rstrip("…"))
