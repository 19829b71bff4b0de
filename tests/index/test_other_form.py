"""An index in another form than the configured one: one problem, and none for a right one."""

from __future__ import annotations

import pytest

from learnings.core.entries.document import read
from learnings.index.forms import FORMS, read_index
from learnings.index.headings import entries_of, headings_of
from learnings.index.index_problems import OtherForm, may_be_other, other_form
from tests.index.index_cases import ARROW, BLOCK, PATH, ROWS, TABLE, index_and_files

FILES = {
    "docs/a.md": "# A\n\n## When one\n\n## How to two\n\n## Three\n\n## Four\n",
    "docs/b.md": "# B\n\n## When five\n\n## Six\n\n## Seven\n\n## Eight\n",
}
HEADINGS = {
    path: [line[3:] for line in text.splitlines() if line.startswith("## ")]
    for path, text in FILES.items()
}


def rows_of(row: str, *, below: str = "") -> str:
    """Return a row for each heading, `{h}` in the file `{p}`, below a line for each file."""
    return "".join(
        below.format(p=path) + "".join(row.format(h=heading, p=path) for heading in headings)
        for path, headings in HEADINGS.items()
    )


HEAD = "| Topic | File | Key |\n|---|---|---|\n"
INDEXES = {
    ROWS: "# Index\n\n" + rows_of("{h} — about it\n", below="\n## {p}\n\n"),
    TABLE: "# Index\n\n" + HEAD + rows_of("| t | {p} | {h} |\n"),
    ARROW: "# Index\n\n" + rows_of("**{h}** — about it → {p}\n"),
}
NOTES = (
    "\n## Notes\n\n- see docs/b.md\n- **bold** — see docs/a.md\n1. one\n2. two\n> a quote\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\nProse — with a dash\nthat goes on.\n"
)


def judged(text: str, form: str) -> OtherForm | None:
    index, files = index_and_files(text, FILES, form)
    if not may_be_other(index):
        return None
    candidates = []
    for name in FORMS:
        other = read_index(text.encode(), form=name, path=PATH)
        own = [entries_of(PATH, read(text.encode()))]
        listed = [headings_of(path, source.encode()) for path, source in FILES.items()]
        if name != form and other.rows:
            candidates.append((other, own if other.form.lists_itself else listed))
    return other_form(index, files, candidates)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("written", INDEXES)
def test_the_form_to_configure_is_named(form: str, written: str) -> None:
    for text in (INDEXES[written], INDEXES[written] + NOTES):
        other = judged(text, form)
        if form == written:
            assert other is None
            continue
        assert other is not None
        assert other.is_list
        assert f'index-form is "{form}"; set index-form = "{written}"' in other.problem.message


def test_an_arrow_for_each_file_and_a_table_below_each_path_are_forms() -> None:
    arrows = "# I\n\n- **a** — this → docs/a.md\n- **b** — that → docs/b.md\n"
    tables = rows_of("| {h} | x |\n", below="\n## {p}\n\n| Heading | About |\n|---|---|\n")
    for text, form in ((arrows, ARROW), (tables, TABLE)):
        other = judged(text, ROWS)
        assert other is not None
        assert f'"{form}"' in other.problem.message
    block = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n| d | One |\n<!-- INDEX:END -->\n"
    other = judged(f"# L\n\n{block}\n## [2026-02-01-120000] One\n\nx\n", ROWS)
    assert other is not None
    assert '"block"' in other.problem.message


@pytest.mark.parametrize(
    "text",
    [
        rows_of("- [{h}]({p}) — a hook\n"),
        rows_of("- {h}\n", below="\n## {p}\n\n"),
        rows_of("{h}: about it\n", below="\n## {p}\n\n"),
        rows_of("  - {h}\n", below="- {p}\n"),
        rows_of("1. {h}: see {p}\n"),
        "| What | About |\n|---|---|\n" + rows_of("| {h} | x |\n"),
        rows_of("### {h}\n\nIn {p}.\n\n"),
    ],
)
def test_a_list_in_no_form_is_one_problem_that_shows_a_row(text: str) -> None:
    for newline in ("\n", "\r\n"):
        other = judged(("# Index\n\n" + text).replace("\n", newline), ROWS)
        assert other is not None
        assert other.is_list
        assert "`/when a build hangs`" in other.problem.message
        assert other.problem.line >= 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Index\n",
        "## docs/a.md\n\nSome words. See docs/b.md, docs/c.md and docs/d.md.\n",
        "## docs/a.md\n\n/when one\n" + NOTES,
        INDEXES[ROWS].replace("Three — about it\n", "- Three\n- Four\n"),
        INDEXES[ROWS].replace("docs/", "gone/"),
        "# Index\n\nA row is `/when x | y`.\n\n- `/when`: a trigger\n" + INDEXES[ROWS],
        rows_of("{h} — about it\n", below="\n### {p}\n\n"),
    ],
)
def test_an_index_in_its_form_is_judged_line_by_line(text: str) -> None:
    assert judged(text, ROWS) is None


def test_a_block_that_is_not_there_and_prose_are_one_problem() -> None:
    other = judged("# L\n\n## [2026-02-01-120000] One\n\nx\n", BLOCK)
    assert other is not None
    assert "has no index block" in other.problem.message
    assert judged("<!-- INDEX:START -->\n<!-- INDEX:START -->\n", BLOCK) is None
    # Every character of the long word was tried as the first one of a path: this took minutes.
    for text in ("The builds are in docs/a.md, and\nmore is in docs/b.md.\n", "a" * 200_000):
        other = judged(f"# Index\n\n{text}", ROWS)
        assert other is not None
        assert not other.is_list
        assert "8 headings of its files need rows" in other.problem.message
