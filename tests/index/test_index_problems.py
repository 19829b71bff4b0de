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
CLEAN_TABLE = "| Key | File |\n|---|---|\n" + "".join(
    f"| {key} | a.md |\n" for key in ("/when one", "How to two", "Three")
)


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


def test_rows_that_name_a_file_that_is_gone_are_judged_one_by_one() -> None:
    text = "**When one** — s → gone.md\n**When four** — s → gone.md\n"
    kinds = problems_in(text, TWO, ARROW)

    assert [line for kind, _, line in kinds if kind == "wrong-section"] == [1, 2]


def test_rows_without_a_file_are_counted_and_their_files_named() -> None:
    text = "## Behaviour\n\n/when one\n/how two\nThree — s\n/when four\n\n## Other\n\n/when x\n"
    index, files = index_and_files(text, TWO)
    (problem,) = problems_of(index, files)

    where = '4 rows for "a.md" and 1 other file stand in this section, which names no file;'
    assert problem.message.startswith(where)
    assert problem.subject == "## Behaviour"


@pytest.mark.parametrize(
    "note",
    [
        "/when one | only an example",
        "/what is this",
        "/when nobody knows",
        "Nobody — knows",
        "**Three** — a note",
        "Words — of a paragraph\nthat goes on",
    ],
)
def test_notes_in_a_section_without_a_file_are_no_problem(note: str) -> None:
    for section in ("## Notes", "# End"):
        assert problems_in(f"{CLEAN}\n{section}\n\n{note}\n", ONE) == []
        assert problems_in(f"{section}\n\n{note}\n\n{CLEAN}", ONE) == []


def test_a_table_in_a_section_without_a_file() -> None:
    head = "| Heading | Meaning |\n|---|---|\n"
    text = f"## Behaviour\n\n{head}| When one | x |\n| How to two | y |\n| Three | z |\n"

    assert problems_in(text, ONE, TABLE) == [("wrong-section", "", 1)]
    assert problems_in(f"# Words\n\n{head}| x | |\n| | y |\n\n" + CLEAN_TABLE, ONE, TABLE) == []


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


def messages_in(rows: str, files: Files, *, fuzzy: float | None = None) -> dict[str, str]:
    """Return the messages by kind and line, such as `orphan-row 3`."""
    found = problems_of(*index_and_files(rows, files), fuzzy=fuzzy)
    return {f"{p.kind} {p.line}": p.message for p in found}


def test_a_near_row_is_named_where_the_heading_is() -> None:
    messages = messages_in("## a.md\n\n/when write mock tests\n", FUZZY, fuzzy=0.8)

    assert messages["missing-row 1"].endswith(
        'did you mean the row on line 3, "/when write mock tests"?'
    )
    assert "did you mean" not in messages["missing-row 3"]


def test_an_orphan_row_and_a_heading_without_a_row_name_one_another() -> None:
    messages = messages_in("## a.md\n\n/when write mock tests\n/when all else\n", FUZZY)

    assert sorted(messages) == ["missing-row 1", "missing-row 3", "orphan-row 3", "orphan-row 4"]
    heading = 'did you mean "When writing mock tests" on line 1, which has no row?'
    assert messages["orphan-row 3"].endswith(heading)
    assert messages["missing-row 1"].endswith(
        'did you mean the row on line 3, "/when write mock tests"?'
    )
    assert not any("did you mean" in messages[key] for key in ("missing-row 3", "orphan-row 4"))


def test_a_heading_that_has_a_row_is_nobodys_pair() -> None:
    rows = "/when writing mock tests\n/when writing mock texts\n/when write mock tests\n"
    messages = messages_in(f"## a.md\n\n{rows}", FUZZY)

    assert messages == {
        "orphan-row 5": (
            '"a.md" has no heading "when write mock tests"; correct the row, or remove it'
        )
    }


def test_a_row_is_paired_within_its_file_and_a_note_without_a_file_with_any() -> None:
    files = {**ONE, "b.md": "## When four comes\n"}
    orphan = messages_in(f"{CLEAN}/when four came\n\n## b.md\n", files)
    note = messages_in(f"{CLEAN}\n## Notes\n\n/when four came\n", files)

    assert "did you mean" not in "".join(orphan.values())
    assert list(note) == ["missing-row 1"]
    assert note["missing-row 1"].endswith('did you mean the row on line 9, "/when four came"?')


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
