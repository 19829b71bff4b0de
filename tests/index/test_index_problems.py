from __future__ import annotations

import pytest

from learnings.index.index_problems import problems_of
from tests.index.index_cases import (
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


@pytest.mark.parametrize(
    ("newline", "top"),
    [("\n", "Intro — with a dash.\n\n"), ("\r\n", "\ufeff"), ("\n", "---\na: 1\n---\n")],
)
def test_an_index_in_order(newline: str, top: str) -> None:
    code = "\n```\n/when gone\n```\n"
    for rest in ("", "\n- note — x\n", "\n**Bold** — x\n", code, "\n<!-- /what -->\n"):
        assert problems_in((top + CLEAN + rest).replace("\n", newline), ONE) == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("/when one\n/how two\n", [("missing-row", "a.md", 9)]),
        ("/when one\n/how two\nThree — s\n/when gone\n", [("orphan-row", "", 6)]),
        ("/when one\n/how two\nThree — s\n/what x\n", [("row-form", "", 6)]),
        ("/when one\n/when ONE | x\n/how two\nThree — s\n", [("duplicate-row", "", 4)]),
        ("/when one\n/how two\n/how to two\nThree — s\n", [("duplicate-row", "", 5)]),
        ("/how one\n/how two\nThree — s\n", [("missing-row", "a.md", 3), ("orphan-row", "", 3)]),
        ("/how two\n/when one\nThree — s\n", [("order", "", 4)]),
        ("Three — s\n/how two\n/when one\n", [("order", "", 4)]),
    ],
)
def test_one_section(rows: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(f"## a.md\n\n{rows}", ONE) == expected


@pytest.mark.parametrize(
    ("top", "line"),
    [
        ("## Notes\n\n", 1),
        ("## Behaviour\n\n### Waiting\n\n", 1),
        ("# Index\n\n", 1),
        ("---\na: 1\n---\n", 4),
        ("", 1),
        ("## gone.md\n\n", 3),
    ],
)
def test_rows_in_a_section_without_a_file_are_one_problem(top: str, line: int) -> None:
    rows = "/when one | w\n/how two\n- a note — stays\n**Four** — a note\nThree — s\n/when four\n"
    gone = [("missing-file", "", 1)] if "gone" in top else []

    assert problems_in(top + rows, TWO) == [*gone, ("wrong-section", "", line)]


def test_notes_in_a_section_without_a_file_are_no_problem() -> None:
    for note in (
        *("/when one | only an example", "/when nobody knows", "**Three** — a note"),
        "Words — of a paragraph\nthat goes on",
    ):
        for section in ("## Notes", "# End"):
            assert problems_in(f"{CLEAN}\n{section}\n\n{note}\n", ONE) == []
            assert problems_in(f"{section}\n\n{note}\n\n{CLEAN}", ONE) == []


FUZZY: Files = {"a.md": "## When writing mock tests\n\n## When writing mock texts\n"}


HEAD = "| Topic | File | Key |\n|---|---|---|\n"
TABLED = HEAD + "| t | a.md | /when one |\n| t | `a.md` | How to two |\n| t | a.md | Three |\n"


BLOCK_HEAD = "<!-- INDEX:START -->\n| Date | Learning |\n|---|---|\n"
BODY = "<!-- INDEX:END -->\n\n## [2026-02-01-120000] One\n\n## [2026-02-02-120000] Two\n"
SAME = "<!-- INDEX:END -->\n\n## [2026-02-01-120000] One\n\n## [2026-02-02-120000] One\n"
D_ONE, D_TWO, D_THREE = (f"| d | {title} |\n" for title in ("One", "Two", "Three"))
ROWED = "| Heading | Meaning |\n|---|---|\n"
LINED = "| Title | Lines |\n|---|---|\n| When one | 3 |\n| How to two | 7-8 |\n| Three | 8 |\n"


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        (TABLED, TABLE, []),
        (TABLED + "| t | a.md | When gone |\n", TABLE, [("orphan-row", "", 6)]),
        (TABLED + "| t | a.md | |\n", TABLE, [("row-form", "", 6)]),
        (TABLED + "| t | | Three |\n", TABLE, [("row-form", "", 6)]),
        (TABLED + "| t | gone.md | x |\n", TABLE, [("missing-file", "", 6)]),
        (TABLED + "| t | a.md | three |\n", TABLE, [("duplicate-row", "", 6)]),
        (TABLED + "\n| Mine | Other |\n|---|---|\n| a | b |\n", TABLE, []),
        (HEAD, TABLE, [("missing-row", "a.md", line) for line in (3, 7, 9)]),
        (f"# Words\n\n{ROWED}| x | |\n| | y |\n\n{TABLED}", TABLE, []),
        (f"## a.md\n\n{LINED}", TABLE, [("stale-line-number", "", 7)]),
        ("**a** — all of it → a.md\n", ARROW, []),
        ("**When one** — s → a.md\n", ARROW, [("missing-row", "a.md", n) for n in (7, 9)]),
        ("", ARROW, [("missing-row", "a.md", 1)]),
        ("**x** — s → a.md\n", ARROW, [("missing-row", "a.md", 1), ("orphan-row", "", 1)]),
        ("**a** — s → a.md\n**x** — s → gone.md\n", ARROW, [("missing-file", "", 2)]),
        ("**a** — s → a.md\n**a** — s → a.md\n", ARROW, [("duplicate-row", "", 2)]),
        ("**a** — s → a.md\n**b** — s →\n", ARROW, [("row-form", "", 2)]),
        (BLOCK_HEAD + D_ONE + D_TWO + BODY, BLOCK, []),
        (BLOCK_HEAD + D_ONE + BODY, BLOCK, [("missing-row", "", 9)]),
        (BLOCK_HEAD + D_TWO + D_ONE + BODY, BLOCK, [("order", "", 5)]),
        (BLOCK_HEAD + D_ONE + D_TWO + D_THREE + BODY, BLOCK, [("orphan-row", "", 6)]),
        (BLOCK_HEAD + D_ONE + D_TWO + D_ONE + BODY, BLOCK, [("duplicate-row", "", 6)]),
        (f"<!-- INDEX:START -->\n{BODY}<!-- INDEX:END -->\n", BLOCK, [("row-form", "", 7)]),
        ("## [2026-02-01-120000] One\n\n## [2026-02-02-120000] Two\n", BLOCK, []),
        (BLOCK_HEAD + D_ONE + D_ONE + SAME, BLOCK, []),
        (BLOCK_HEAD + D_ONE + SAME, BLOCK, [("missing-row", "", 9)]),
    ],
)
def test_other_forms(text: str, form: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems_in(text, ONE, form) == expected


def test_rows_of_a_table_in_a_wrong_section() -> None:
    rows = f"## Behaviour\n\n{ROWED}| When one | x |\n| How to two | y |\n| Three | z |\n"
    assert problems_in(rows, ONE, TABLE) == [("wrong-section", "", 1)]
    other = TABLED + "| t | a.md | When four |\n"
    assert problems_in(other, TWO, TABLE) == [("wrong-section", "", 6)]


GROUP: Files = {"a.md": "## .Group\n\n### When one\n"}
TITLED: Files = {"a.md": "# A\n\n### Intro\n\n## When one\n"}
TWICE: Files = {"a.md": "## When one\n\n## WHEN  one\n"}
IN_TWO: Files = {"a.md": "## When one\n", "b.md": "## When one\n"}
SIGNS: Files = {"a.md": "## Plain — dashed\n\n## When a | b\n\n## 1. Setup\n\n## **Bold**\n"}
SIGN_ROWS = "/when a | b | words\n1. Setup — s\n**Bold** — s\n"


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("# Index\n", ONE, [("missing-row", "a.md", line) for line in (3, 7, 9)]),
        ("", {"a.md": "# A\n\n### Intro\n\n## .Group\n"}, []),
        (CLEAN + "/when four\n\n## b.md\n", TWO, [("wrong-section", "", 6)]),
        (CLEAN + "/when four\n\n## b.md\n\n/when four\n", TWO, [("duplicate-row", "", 6)]),
        ("## a.md\n\nGroup — s\n/when one\n", GROUP, [("structural-row", "", 3)]),
        ("## a.md\n\n.Group — s\n/when one\n", GROUP, [("structural-row", "", 3)]),
        ("## a.md\n\n**Group** — s\n/when one\n", GROUP, []),
        ("## a.md\n\nGroup — s\n", {"a.md": "## .Group\n\n## Group\n"}, []),
        (
            CLEAN + "\n## gone.md\n\n/when gone\n/when four\n\n## Notes\n\n## b.md\n",
            TWO,
            [("missing-file", "", 7), ("wrong-section", "", 10)],
        ),
        ("## a.md\n\nA — s\nIntro — s\n/when one\n", TITLED, []),
        ("## a.md\n\n/when one\n", TWICE, [("ambiguous-heading", "a.md", 3)]),
        (
            "## a.md\n\n/when one\n",
            IN_TWO,
            [("ambiguous-heading", "b.md", 1), ("missing-row", "b.md", 1)],
        ),
        ("", {"a.md": "## .X\n\n## .X\n\n# Y\n\n# Y\n"}, []),
        (CLEAN + "\nThe rows — all of them —\nare sorted.\n", ONE, []),
        (CLEAN + "\nThe rows — all of them\n", ONE, [("orphan-row", "", 7)]),
        (f"## a.md\n\nPlain — dashed — s\n{SIGN_ROWS}", SIGNS, []),
        (f"## a.md\n\nPlain — dashed\n{SIGN_ROWS}", SIGNS, []),
    ],
)
def test_sections_and_headings(
    text: str, files: Files, expected: list[tuple[str, str, int]]
) -> None:
    assert problems_in(text, files) == expected


WRITE, WROTE = "/when write mock tests\n", "/when wrote mock tests\n"
BOTH_ROWS = "/when writing mock tests\n/when writing mock texts\n"
LACKING = [("missing-row", 1), ("missing-row", 3)]


@pytest.mark.parametrize(
    ("rows", "fuzzy", "expected"),
    [
        (WRITE, None, [*LACKING, ("orphan-row", 3)]),
        (WRITE, 0.8, LACKING),
        (WRITE, 1.0, [*LACKING, ("orphan-row", 3)]),
        (BOTH_ROWS + WRITE, 0.8, [("collision", 5)]),
        (f"{WRITE}/when writes mock tests\n{WROTE}", 0.8, [("collision", 5), *LACKING]),
    ],
)
def test_a_threshold(rows: str, fuzzy: float | None, expected: list[tuple[str, int]]) -> None:
    listed = problems_in(f"## a.md\n\n{rows}", FUZZY, fuzzy=fuzzy)
    assert [(kind, line) for kind, _, line in listed] == expected


def meant(rows: str, files: Files, *, fuzzy: float | None = None) -> dict[str, str]:
    """Return by kind and line, such as `orphan-row 3`, what a problem asks whether it is meant."""
    found = problems_of(*index_and_files(rows, files), fuzzy=fuzzy)
    return {f"{p.kind} {p.line}": p.message.partition("did you mean ")[2] for p in found}


def test_a_row_and_a_heading_that_are_alike_name_one_another() -> None:
    row = 'the row on line 3, "/when write mock tests"?'
    heading = '"When writing mock tests" on line 1, which has no row?'
    top = "## a.md\n\n"
    near = {"missing-row 1": row, "missing-row 3": ""}
    assert meant(top + WRITE, FUZZY, fuzzy=0.8) == near
    both = near | {"orphan-row 3": heading, "orphan-row 4": ""}
    assert meant(f"{top}{WRITE}/when all else\n", FUZZY) == both
    assert meant(top + BOTH_ROWS + WRITE, FUZZY) == {"orphan-row 5": ""}
    # A row is paired within its file, and a note without a file with any.
    files = {**ONE, "b.md": "## When four comes\n"}
    assert not any(meant(f"{CLEAN}/when four came\n\n## b.md\n", files).values())
    note = meant(f"{CLEAN}\n## Notes\n\n/when four came\n", files)
    assert note == {"missing-row 1": 'the row on line 9, "/when four came"?'}


def test_rows_without_a_file_are_counted_and_their_files_named() -> None:
    text = "## Behaviour\n\n/when one\n/how two\nThree — s\n/when four\n\n## Other\n\n/when x\n"
    (problem,) = problems_of(*index_and_files(text, TWO))
    assert problem.message.startswith('4 rows for "a.md" and 1 other file stand in this section')
    assert problem.subject == "## Behaviour"
    # Those that name a file that is gone are judged one by one.
    arrows = "**When one** — s → gone.md\n**When four** — s → gone.md\n"
    kinds = problems_in(arrows, TWO, ARROW)
    assert [line for kind, _, line in kinds if kind == "wrong-section"] == [1, 2]


def test_lines_that_rows_point_at() -> None:
    fresh = ["a.md:3", "(lines 3-6)", "b.md:99"]
    stale = ["a.md:4", "a.md:2", "(lines 3-7)", "(lines 3-2)", "../a.md#L4"]
    for pointer in (*fresh, *stale):
        rows = f"/when one | {pointer}\n/how two\nThree — s\n"
        expected = [("stale-line-number", "", 3)] if pointer in stale else []
        assert problems_in(f"## a.md\n\n{rows}", ONE) == expected, pointer
