"""Rows whose headings were reworded: which get the new words, and what they keep."""

from __future__ import annotations

import pytest

from learnings.index.index_fixes import with_fixes
from learnings.index.index_problems import problems_of
from learnings.rules.index import MISSING_ROW, ORPHAN_ROW
from tests.index.index_cases import (
    ARROW,
    BLOCK,
    TABLE,
    Files,
    fixed_index,
    fixed_text,
    index_and_files,
)

FILES: Files = {"a.md": "## When a long build hangs\n\nLook.\n\n## Caches of pages\n\nKept.\n"}
TOP = "## a.md\n\n"
LINKED = "| Entry | Words | File |\n|---|---|---|\n| [{}](a.md#x) | lock \\| stall | a.md |\n"
HEAD = "| Topic | File | Key |\n|---|---|---|\n"


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
    caches, old = (
        "**Caches of pages** — → a.md\n",
        "- **When a build hangs** — lock → stall → `a.md`\n",
    )
    new = old.replace("a build", "a long build")
    table = HEAD + "|b|`a.md`|  `/when a {}build hangs` | more\n"
    for form, before, after in (
        (TABLE, table.format(""), table.format("long ")),
        (TABLE, LINKED.format("When a build hangs"), LINKED.format("When a long build hangs")),
        (ARROW, caches + old, new + caches),
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
    # With a threshold the row is no orphan.
    assert fixed_index(index, files, fuzzy=0.8).decode() == text
    assert fixed_index(index, files, fuzzy=0.95).decode() != text


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
