from __future__ import annotations

import pytest

from learnings.core.index.check import problems
from tests.core.index.index_cases import (
    ARROW,
    BLOCK,
    ONE,
    TABLE,
    TWO,
    Files,
    index_and_files,
    problems_in,
)

CLEAN = "## a.md\n\n/when one | w\n/how two\nThree — s\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("top", ["", "\ufeff", "---\na: 1\n---\n", "Intro — with a dash.\n\n"])
@pytest.mark.parametrize(
    "rest",
    ["", "\n- note — x\n", "\n**Bold** — x\n", "\n```\n/when gone\n```\n", "\n<!-- /what -->\n"],
)
def test_an_index_in_order(newline: str, top: str, rest: str) -> None:
    assert problems_in((top + CLEAN + rest).replace("\n", newline), ONE) == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("/when one\n/how two\n", [("missing-row", "a.md", 9)]),
        ("/when one\n/how two\nThree — s\n/when gone\n", [("orphan-row", "", 6)]),
        ("/when one\n/how two\nThree — s\n/what x\n", [("row-form", "", 6)]),
        ("/when one\n/how two\nThree — s\n/when | x\n", [("row-form", "", 6)]),
        ("/when one\n/when ONE | x\n/how two\nThree — s\n", [("duplicate-row", "", 4)]),
        ("/when one\n/how two\n/how to two\nThree — s\n", [("duplicate-row", "", 5)]),
        (
            "/how one\n/how two\nThree — s\n",
            [("missing-row", "a.md", 3), ("orphan-row", "", 3)],
        ),
        ("/how two\n/when one\nThree — s\n", [("order", "", 4)]),
        ("Three — s\n/how two\n/when one\n", [("order", "", 4)]),
    ],
)
def test_one_section(rows: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(f"## a.md\n\n{rows}", ONE) == expected


def test_without_a_section_every_heading_lacks_its_row() -> None:
    assert problems_in("# Index\n", ONE) == [("missing-row", "a.md", line) for line in (3, 7, 9)]
    assert problems_in("", {"a.md": "# A\n\n### Intro\n\n## .Group\n"}) == []


def test_a_row_in_the_section_of_another_file() -> None:
    assert problems_in(CLEAN + "/when four\n\n## b.md\n", TWO) == [("wrong-section", "", 6)]
    assert problems_in(CLEAN + "\n## Notes\n\n/when four\n", TWO) == [("missing-row", "b.md", 3)]


def test_a_row_elsewhere_of_a_heading_that_has_one() -> None:
    text = CLEAN + "/when four\n\n## b.md\n\n/when four\n"

    assert problems_in(text, TWO) == [("duplicate-row", "", 6)]


def test_structural_headings_have_no_row() -> None:
    files = {"a.md": "## .Group\n\n### When one\n"}

    assert problems_in("## a.md\n\nGroup — s\n/when one\n", files) == [("structural-row", "", 3)]
    assert problems_in("## a.md\n\n.Group — s\n/when one\n", files) == [("structural-row", "", 3)]
    assert problems_in("## a.md\n\n**Group** — s\n/when one\n", files) == []


def test_a_heading_with_and_without_a_dot_is_not_structural() -> None:
    assert problems_in("## a.md\n\nGroup — s\n", {"a.md": "## .Group\n\n## Group\n"}) == []


def test_a_missing_file_is_one_finding() -> None:
    text = CLEAN + "\n## gone.md\n\n/when gone\n/when four\n\n## Notes\n\n## b.md\n"

    assert problems_in(text, TWO) == [("missing-file", "", 7), ("wrong-section", "", 10)]


def test_titles_and_what_introduces_a_file_may_have_a_row() -> None:
    files = {"a.md": "# A\n\n### Intro\n\n## When one\n"}

    assert problems_in("## a.md\n\nA — s\nIntro — s\n/when one\n", files) == []


def test_the_same_heading_twice() -> None:
    twice = {"a.md": "## When one\n\n## WHEN  one\n"}
    two_files = {"a.md": "## When one\n", "b.md": "## When one\n"}

    assert problems_in("## a.md\n\n/when one\n", twice) == [("ambiguous-heading", "a.md", 3)]
    assert problems_in("## a.md\n\n/when one\n\n## b.md\n\n/when one\n", two_files) == [
        ("ambiguous-heading", "b.md", 1)
    ]
    assert problems_in("## a.md\n\n/when one\n", two_files) == [
        ("ambiguous-heading", "b.md", 1),
        ("missing-row", "b.md", 1),
    ]
    assert problems_in("", {"a.md": "## .X\n\n## .X\n\n# Y\n\n# Y\n"}) == []


@pytest.mark.parametrize(
    ("title", "row"),
    [
        ("Plain — dashed", "Plain — dashed — s"),
        ("Plain — dashed", "Plain — dashed"),
        ("When a | b", "/when a | b | words"),
        ("1. Setup", "1. Setup — s"),
        ("**Bold**", "**Bold** — s"),
        ("Use `x`", "use `X` — s"),
    ],
)
def test_a_heading_with_the_signs_of_a_row(title: str, row: str) -> None:
    assert problems_in(f"## a.md\n\n{row}\n", {"a.md": f"## {title}\n"}) == []


def test_a_paragraph_with_a_dash_is_no_row() -> None:
    assert problems_in(CLEAN + "\nThe rows — all of them —\nare sorted.\n", ONE) == []
    assert problems_in(CLEAN + "\nThe rows — all of them\n", ONE) == [("orphan-row", "", 7)]


FUZZY: Files = {"a.md": "## When writing mock tests\n\n## When writing mock texts\n"}


@pytest.mark.parametrize(
    ("rows", "fuzzy", "expected"),
    [
        (
            "/when write mock tests\n",
            None,
            [("missing-row", 1), ("missing-row", 3), ("orphan-row", 3)],
        ),
        ("/when write mock tests\n", 0.8, [("missing-row", 1), ("missing-row", 3)]),
        (
            "/when write mock tests\n",
            1.0,
            [("missing-row", 1), ("missing-row", 3), ("orphan-row", 3)],
        ),
        (
            "/when writing mock tests\n/when writing mock texts\n/when write mock tests\n",
            0.8,
            [("collision", 5)],
        ),
        (
            "/when write mock tests\n/when writes mock tests\n/when wrote mock tests\n",
            0.8,
            [("collision", 5), ("missing-row", 1), ("missing-row", 3)],
        ),
    ],
)
def test_a_threshold(rows: str, fuzzy: float | None, expected: list[tuple[str, int]]) -> None:
    listed = problems_in(f"## a.md\n\n{rows}", FUZZY, fuzzy=fuzzy)

    assert [(kind, line) for kind, _, line in listed] == expected


def test_a_near_row_is_named_where_the_heading_is() -> None:
    index, files = index_and_files("## a.md\n\n/when write mock tests\n", FUZZY)
    messages = [problem.message for problem in problems(index, files, fuzzy=0.8)]

    assert any("the row in line 3 comes near" in message for message in messages)


@pytest.mark.parametrize(
    ("pointer", "stale"),
    [
        ("a.md:3", False),
        ("a.md:4", True),
        ("a.md:2", True),
        ("(lines 3-6)", False),
        ("(lines 3-7)", True),
        ("(lines 3-2)", True),
        ("b.md:99", False),
        ("../a.md#L4", True),
    ],
)
def test_lines_that_rows_point_at(pointer: str, *, stale: bool) -> None:
    rows = f"/when one | {pointer}\n/how two\nThree — s\n"

    assert problems_in(f"## a.md\n\n{rows}", ONE) == (
        [("stale-line-number", "", 3)] if stale else []
    )


HEAD = "| Topic | File | Key |\n|---|---|---|\n"
TABLED = HEAD + "| t | a.md | /when one |\n| t | `a.md` | How to two |\n| t | a.md | Three |\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLED, []),
        (TABLED + "| t | a.md | When gone |\n", [("orphan-row", "", 6)]),
        (TABLED + "| t | a.md | |\n", [("row-form", "", 6)]),
        (TABLED + "| t | | Three |\n", [("row-form", "", 6)]),
        (TABLED + "| t | gone.md | x |\n", [("missing-file", "", 6)]),
        (TABLED + "| t | a.md | three |\n", [("duplicate-row", "", 6)]),
        (TABLED + "\n| Mine | Other |\n|---|---|\n| a | b |\n", []),
        (HEAD, [("missing-row", "a.md", line) for line in (3, 7, 9)]),
    ],
)
def test_a_table(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(text, ONE, TABLE) == expected


def test_a_table_whose_file_is_the_wrong_one() -> None:
    text = TABLED + "| t | a.md | When four |\n"

    assert problems_in(text, TWO, TABLE) == [("wrong-section", "", 6)]


def test_a_table_of_lines_below_the_heading_of_its_file() -> None:
    rows = "| Title | Lines |\n|---|---|\n| When one | 3 |\n| How to two | 7-8 |\n| Three | 8 |\n"

    assert problems_in(f"## a.md\n\n{rows}", ONE, TABLE) == [("stale-line-number", "", 7)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a** — all of it → a.md\n", []),
        ("**A** — by its title → ../a.md\n", []),
        ("**When one** — s → a.md\n", [("missing-row", "a.md", 7), ("missing-row", "a.md", 9)]),
        ("", [("missing-row", "a.md", 1)]),
        ("**x** — s → a.md\n", [("missing-row", "a.md", 1), ("orphan-row", "", 1)]),
        ("**a** — s → a.md\n**x** — s → gone.md\n", [("missing-file", "", 2)]),
        ("**a** — s → a.md\n**a** — s → a.md\n", [("duplicate-row", "", 2)]),
        ("**a** — s → a.md\n**b** — s →\n", [("row-form", "", 2)]),
    ],
)
def test_rows_with_an_arrow(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(text, ONE, ARROW) == expected


BLOCK_HEAD = "<!-- INDEX:START -->\n| Date | Learning |\n|---|---|\n"
BODY = "<!-- INDEX:END -->\n\n## [2026-02-01-120000] One\n\n## [2026-02-02-120000] Two\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{BLOCK_HEAD}| 2026-02-01 | One |\n| 2026-02-02 | Two |\n{BODY}", []),
        (f"{BLOCK_HEAD}| 2026-02-01 | One |\n{BODY}", [("missing-row", "", 9)]),
        (
            f"{BLOCK_HEAD}| d | Two |\n| d | One |\n| d | Three |\n{BODY}",
            [("order", "", 5), ("orphan-row", "", 6)],
        ),
        (f"{BLOCK_HEAD}| d | One |\n| d | Two |\n| d | One |\n{BODY}", [("duplicate-row", "", 6)]),
        (f"<!-- INDEX:START -->\n{BODY}<!-- INDEX:END -->\n", [("row-form", "", 7)]),
        ("## [2026-02-01-120000] One\n\n## [2026-02-02-120000] Two\n", []),
    ],
)
def test_a_block(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(text, {}, BLOCK) == expected


def test_entries_of_one_title_have_a_row_each() -> None:
    body = "<!-- INDEX:END -->\n\n## [2026-02-01-120000] One\n\n## [2026-02-02-120000] One\n"

    assert problems_in(f"{BLOCK_HEAD}| d | One |\n| d | One |\n{body}", {}, BLOCK) == []
    assert problems_in(f"{BLOCK_HEAD}| d | One |\n{body}", {}, BLOCK) == [("missing-row", "", 9)]
