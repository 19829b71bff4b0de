from __future__ import annotations

import pytest

from tests.rules.cases import BOM, lines, run

RULE = "entry-heading-malformed"
STAMPED = "## [2026-02-16-120000] A\n\n## [2026-02-17-120000] B\n\n"
NUMBERED = "## [LRN-20260206-001] a\n\n## [LRN-20260207-002] b\n\n"
COUNTED = "## [L-001] a\n\n## [L-002] b\n\n## [L-003] c\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\n##Title\n", [3]),
        ("## A\n\n##2026-02-01 Title\n", [3]),
        ("## A\n\n###Deeper\n", [3]),
        ("## A\n\n##**When** it hangs\n", [3]),
        ("## A\r\n\r\n##Title\r\n", [3]),
        (f"{BOM}##Title\n## A\n", [1]),
        (f"## A\n\n{BOM}## B\n", [3]),
        ("# L\n\n- a\n- b\n\u200b- c\n", [5]),
        ("## A\n\n- a\n\u200b- no entry\n\n## B\n", []),
        ("- a\n- b\n\n\u00a0- indented\n\u3000- as well\n", []),
        ("## A\n\n```\n\u200b## code\n```\n", []),
        ("### [2026-02-16] L-001: a\n### [2026-02-17] L-002: b\n### [2026-02-18] L-3x: c\n", [3]),
        ("### [2026-02-16] L-001: a\n### [2026-02-17] L-002: b\n### [2026-02-18] c\n", []),
        (f"{STAMPED}# [2026-02-18-120000] C\n", [5]),
        (f"{STAMPED}### [2026-02-16-120000] Later\n", []),
        (f"{NUMBERED}### [LRN-20260206-001] again\n", []),
        ("# L\n## When a\n# When b\n## How to c\n", []),
        ("# L\n## When a\n# Builds\n\ntext\n## How to c\n", []),
        ("# L\n## When a\n# When b\n\ntext\n## How to c\n", [3]),
    ],
)
def test_which_headings_are_malformed(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#tag and more",
        "#include <stdio.h>",
        "    ##Title",
        "> ##Title",
        "##[error] failed",
        "ask in\n##linux or elsewhere",
        "##",
        "##!",
    ],
)
def test_no_heading_meant(text: str) -> None:
    assert lines(RULE, f"## A\n\n{text}\n\n## B\n") == []


@pytest.mark.parametrize(
    "heading",
    [
        "## [2026-02-30] A day that is none",
        "## [2026-02-16-250000] An hour that is none",
        "## [2026/02/16] Slashes",
        "## [2026-02-16-120000 No bracket at the end",
    ],
)
def test_time_stamp_that_cannot_be_read(heading: str) -> None:
    assert lines(RULE, f"{STAMPED}{heading}\n") == [5]


@pytest.mark.parametrize(
    "heading",
    [
        "## [2026-02-16] Day",
        "## [2026-02-16-1200] Minutes",
        "## 2026-02-16 Date in the title",
        "## [2026-02-16-120000](https://example.invalid) A link",
    ],
)
def test_time_stamp_that_can_be_read_or_is_none(heading: str) -> None:
    assert lines(RULE, f"{STAMPED}{heading}\n") == []


def test_odd_stamps_are_fine_where_entries_have_none() -> None:
    assert lines(RULE, "## A\n## B\n## C\n## 2026-02-30-990000 D\n") == []


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("## [LRN-] c", [5]),
        ("## LRN-20260208-003 c", [5]),
        ("## [LRN-20260208-003] c", []),
        ("## [ERR-1] another series\n## [ERR-] c", []),
    ],
)
def test_id(heading: str, expected: list[int]) -> None:
    assert lines(RULE, f"{NUMBERED}{heading}\n") == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("## [L-4x] d", [7]), ("## [L-2x] d", [7]), ("## [L-004a] one\n## [L-004b] two", [])],
)
def test_id_with_a_letter_that_no_other_has(heading: str, expected: list[int]) -> None:
    assert lines(RULE, f"{COUNTED}{heading}\n") == expected


def test_eight_digits_are_no_date_where_ids_have_none() -> None:
    assert lines(RULE, "## [ABC-19991399-1] a\n## [ABC-2] b\n") == []


@pytest.mark.parametrize(
    ("source", "wording"),
    [
        ("## A\n\n##Title\n", 'blank is missing after ##; write "## Title"'),
        (f"{NUMBERED}## [LRN-] c\n", "write it like [LRN-20260206-001]"),
        (f"{COUNTED}## [L-2x] d\n", 'like the others; write "L-004", the next free one'),
    ],
)
def test_message_names_what_was_meant(source: str, wording: str) -> None:
    (finding,) = run(RULE, source)
    assert wording in finding.message


@pytest.mark.parametrize(
    ("source", "new"),
    [
        ("## A\n\n##Title\n", "## Title\n"),
        (f"{BOM}##Title\n", f"{BOM}## Title\n"),
        (f"{STAMPED}## [2026-02-30] C\n", None),
    ],
)
def test_fix_of_a_missing_blank_only(source: str, new: str | None) -> None:
    (finding,) = run(RULE, source)
    edits = finding.fix.edits if finding.fix else ()
    assert [edit.new for edit in edits] == ([] if new is None else [new])
    assert [edit.line for edit in edits] == ([] if new is None else [finding.line])


def test_a_fix_that_would_end_the_entries_is_not_made_but_said() -> None:
    bullets = "- a\n- b\n- c\n- d\n"
    said = run(RULE, f"##One\n\n{bullets}\n##Two\n\ntext\n")
    assert [finding.fix for finding in said] == [None, None]
    advice = "by hand: after that, 4 entries of this file are no longer entries"
    expected = f'a blank is missing after ##; write "## One" {advice}'
    assert said[0].message == expected


@pytest.mark.slow
def test_many_ids_take_no_long_time() -> None:
    """If each id were compared with all others, this would take minutes."""
    source = "".join(f"## [L-{number}x] When one\n\ntext\n\n" for number in range(20_000))
    assert lines(RULE, source) == []
