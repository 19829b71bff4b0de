from __future__ import annotations

import pytest

from learnings.index.comparison import problems_of
from learnings.index.fixing import with_fixes
from learnings.rules.index import MISSING_ROW, ORPHAN_ROW
from tests.index.index_cases import (
    BLOCK,
    ONE,
    TABLE,
    TWO,
    Files,
    fixed_index,
    fixed_text,
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


WRITE = "/when write mock tests\n"
BOTH_ROWS = "/when writing mock tests\n/when writing mock texts\n"


def meant(rows: str, files: Files) -> dict[str, str]:
    """Return by kind and line, such as `orphan-row 3`, what a problem asks whether it is meant."""
    found = problems_of(*index_and_files(rows, files))
    return {f"{p.kind} {p.line}": p.message.partition("did you mean ")[2] for p in found}


def test_a_row_and_a_heading_that_are_alike_name_one_another() -> None:
    row = 'the row on line 3, "/when write mock tests"?'
    heading = '"When writing mock tests" on line 1, which has no row?'
    top = "## a.md\n\n"
    both = {"missing-row 1": row, "missing-row 3": "", "orphan-row 3": heading, "orphan-row 4": ""}
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
    rows = HEAD + "| t | gone.md | When one |\n| t | gone.md | When four |\n"
    kinds = problems_in(rows, TWO, TABLE)
    assert [line for kind, _, line in kinds if kind == "wrong-section"] == [3, 4]


def test_lines_that_rows_point_at() -> None:
    fresh = ["a.md:3", "(lines 3-6)", "b.md:99"]
    stale = ["a.md:4", "a.md:2", "(lines 3-7)", "(lines 3-2)", "../a.md#L4"]
    for pointer in (*fresh, *stale):
        rows = f"/when one | {pointer}\n/how two\nThree — s\n"
        expected = [("stale-line-number", "", 3)] if pointer in stale else []
        assert problems_in(f"## a.md\n\n{rows}", ONE) == expected, pointer


FILES: Files = {"a.md": "## When a long build hangs\n\nLook.\n\n## Caches of pages\n\nKept.\n"}
TOP = "## a.md\n\n"
LINKED = "| Entry | Words | File |\n|---|---|---|\n| [{}](a.md#x) | lock \\| stall | a.md |\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/when a build hangs | lock, stall", "/when a long build hangs | lock, stall"),
        ("/when a build hangs", "/when a long build hangs"),
        ("/when a build hangs | a | b", "/when a long build hangs | a | b"),
        ("When a build hangs — lock — stall", "When a long build hangs — lock — stall"),
        (
            "/when a build hangs | x <!-- learnings: ignore[line-limit] why -->",
            "/when a long build hangs | x <!-- learnings: ignore[line-limit] why -->",
        ),
        ("Cache of pages – kept a day (lines 5-7)", "Caches of pages – kept a day (lines 5-7)"),
        ("/how caches of pages | lock", "Caches of pages — lock"),
    ],
)
def test_a_row_keeps_its_other_text(before: str, after: str) -> None:
    for end in ("\n", "\r\n", ""):
        assert fixed_text(f"\ufeff{TOP}{before}{end}", FILES) == f"\ufeff{TOP}{after}{end}"


@pytest.mark.parametrize(
    ("title", "row", "after"),
    [
        ("If a long build hangs", "/when a long build hangs | x", "If a long build hangs — x"),
        ("If a long build hangs", "/when a long build hangs", "If a long build hangs — Look"),
        ("How to read a long log", "Read a long log — tail", "How to read a long log — tail"),
        ("How to read a long log", "/how read a log | tail", "/how read a long log | tail"),
    ],
)
def test_a_heading_may_begin_with_other_words(title: str, row: str, after: str) -> None:
    files = {"a.md": f"## {title}\n\nLook.\n"}
    assert fixed_text(f"{TOP}{row}\n", files) == f"{TOP}{after}\n"


def test_new_words_are_in_lower_case_where_the_rows_beside_them_are() -> None:
    files = {"a.md": "## When Writing Tests\n\n## When Reading Long Logs\n"}
    after = f"{TOP}/when writing tests\n/when reading long logs | x\n"
    assert fixed_text(f"{TOP}/when writing tests\n/when reading logs | x\n", files) == after
    assert fixed_text(f"{TOP}/when reading logs | x\n", files) == (
        f"{TOP}/when Reading Long Logs | x\n"
    )


def test_every_form() -> None:
    table = HEAD + "|b|`a.md`|  `/when a {}build hangs` | more\n"
    for form, before, after in (
        (TABLE, table.format(""), table.format("long ")),
        (TABLE, LINKED.format("When a build hangs"), LINKED.format("When a long build hangs")),
    ):
        assert fixed_text(before, FILES, form) == fixed_text(after, FILES, form) == after


@pytest.mark.parametrize(
    ("rows", "titles"),
    [
        # Two headings for one row, two rows for one heading.
        (["/when a build hangs | x"], ["When a long build hangs", "When one build hangs"]),
        (["/when a build hangs | x", "/when the build hangs"], ["When a long build hangs"]),
        # A note in a section without a file may be meant as well.
        (["/when a build hangs", "\n## Notes\n\n/when the build hangs"], ["When one build hangs"]),
        # One row is similar to both headings, though the other is similar to one.
        (
            ["/when a build hangs | x", "/when a long build stalls"],
            ["When a long build hangs", "When a build hang"],
        ),
        (["/when it is over | x"], ["When a long build hangs"]),
    ],
)
def test_where_another_may_be_meant_nothing_changes(rows: list[str], titles: list[str]) -> None:
    text = TOP + "\n".join([*rows, ""])
    files = {"a.md": "\n\n".join(f"## {title}" for title in titles)}
    assert fixed_text(text, files) == text
    after = fixed_text(text, files, add_missing=True)
    assert all(row.strip() in after for row in rows)


def test_a_pair_that_others_leave_behind_is_renamed_in_the_same_run() -> None:
    """A row is compared with the headings that share most with it, until these have their rows."""
    words = ("builds", "queues", "limits", "stalls", "caches")
    orders = ("01234", "02143", "03241", "04132", "10342", "12403", "13024", "14230", "20314")
    titles = [" ".join(words[int(number)] for number in order) for order in orders]
    titles[0] = "builts quoues limots stells cachas"
    files = {"a.md": "\n\n".join(f"## {title}" for title in titles)}
    old = ["builds queues limits stalls caches", *(f"{title}s" for title in titles[1:])]
    before = TOP + "".join(f"{title} — {number}\n" for number, title in enumerate(old))
    after = TOP + "".join(f"{title} — {number}\n" for number, title in enumerate(titles))
    assert fixed_text(before, files) == after


def test_a_row_stays_where_one_of_its_findings_is_ignored_or_is_none() -> None:
    text = f"{TOP}/when a build hangs | x\n"
    index, files = index_and_files(text, FILES)
    orphan, missing = (
        ("orphan-row", "/when a build hangs | x"),
        ("missing-row", "When a long build hangs"),
    )
    for problem in (orphan, missing):
        assert fixed_index(index, files, ignored={problem}).decode() == text
    assert fixed_index(index, files).decode() != text


OTHER_FILE: Files = {"a.md": "## .None\n", "b.md": FILES["a.md"]}
NOTE = f"{TOP}Caches of pages — kept\n\n## Notes\n\n/when a build hangs | x\n"


def test_what_cannot_be_meant_or_written_stays() -> None:
    for text, files in (
        (f"{TOP}/when a build hangs | x\n\n## b.md\n", OTHER_FILE),
        (NOTE, FILES),
        (f"{TOP}``` of code — x\n", {"a.md": "## ```` of code\n"}),
    ):
        assert fixed_text(text, files) == text


def test_a_row_of_a_block_that_says_more_is_renamed_and_not_repeated() -> None:
    block = (
        "<!-- INDEX:START -->\n| Date | Entry | Words |\n|---|---|---|\n{}<!-- INDEX:END -->\n\n"
    )
    entries = "## [2026-02-01-120000] When a long build hangs\n"
    before = block.format("| 2026-02-01 | When a build hangs | lock |\n") + entries
    after = block.format("| 2026-02-01 | When a long build hangs | lock |\n") + entries
    assert fixed_text(before, {}, BLOCK) == after
    open_end = before + "\n```\nAn entry may be in here\n"
    assert fixed_text(open_end, {}, BLOCK) == open_end
    # Two entries of one title are two candidates.
    twins = f"{entries}\n{entries.replace('-01-1', '-02-1')}"
    row = "| d | When a build hangs | lock |\n"
    assert row in fixed_text(block.format(row) + twins, {}, BLOCK)


def test_both_findings_say_that_the_row_changes() -> None:
    index, indexed = index_and_files(f"{TOP}/when a build hangs | x\n", FILES)
    problems = with_fixes(index, indexed, list(problems_of(index, indexed)))
    rules = {rule.kind: rule for rule in (ORPHAN_ROW, MISSING_ROW)}
    fixes = {problem.subject: rules[problem.kind].fix_of(problem) for problem in problems}
    row, other = fixes["/when a build hangs | x"], fixes["Caches of pages"]
    assert fixes["When a long build hangs"] == row
    assert row is not None
    assert not row.on_request
    assert other is not None
    assert other.on_request
