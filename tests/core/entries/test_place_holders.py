"""What a template holds in place of entries, and what says that a file has moved."""

from __future__ import annotations

from time import monotonic

import pytest

from learnings.core.entries.document import read
from learnings.core.entries.place_holders import is_place_holder, says_moved


def test_a_long_file_does_not_only_point_elsewhere() -> None:
    moved, lesson = "# L\n\nThis file has moved to docs/x.md\n\n", "## A\n\na lesson\n\n"
    assert not read((moved + lesson * 5).encode()).entries
    assert read((moved + lesson * 50).encode()).entries


def test_a_component_is_an_entry_unless_its_text_is_one_to_come() -> None:
    entries = "## When a\n\nLook at it.\n\n## <Suspense>\n\n{}\n\n## When c\n\nWait.\n"
    real = read(entries.format("It keeps the old children for 300 ms.").encode())
    assert [entry.title for entry in real.entries] == ["When a", "<Suspense>", "When c"]
    blank = read(entries.format("[what happened]").encode())
    assert [entry.title for entry in blank.entries] == ["When a", "When c"]


PLACE_HOLDERS = (
    *("_(no entries yet)_", "*None yet.*", "None", "(empty)", "- _None_", "TBD", "N/A"),
    *("_No lessons recorded yet._", "Nothing here yet.", "No critical decisions so far."),
    *("_To be filled in as we go._", "…", "- ...", "- [What happened]", "**Context:** [What]"),
    *("- **Date**: YYYY-MM-DD", "- **Fix**:", "**Fix:**", "Title: <title>", "- [ ] [Task]"),
    *("What happened: [text]", "_[Add lessons here]_", "### [DATE] - [TYPE]", "{{lesson}}"),
)
TEXTS = (
    *("nothing in common", "No retries on 409", "No mocks here", "None of the tests ran", "---"),
    *("Nothing works here without docker", "No tests recorded on CI run", "To be safe, use locks"),
    *("Empty lists are falsy", "- [ ] do it", "- [link](x.md)", "- [ref]: https://x.invalid"),
    *("- **Bold lead** and text", "**Bold.**", "[ref]", "Run <cmd> first"),
)
MOVED = (
    "**This file has moved.** See [here](docs/x.md)",
    "> This file\n> has moved to\n> docs/x.md",
    "> **Note:** This file was migrated to docs/x.md",
    "DEPRECATED: this file was moved to docs/x.md",
    "# MOVED\n\nSee docs/x.md",
    "Moved to `docs/x.md`",
    "This file is now moved to a/b.md",
    "These learnings have been migrated to `.claude/rules/`",
    "All learnings now live in docs/x.md",
    "The content of this file has been moved to docs/x.md",
    "The learnings file moved to docs/x.md on 2026-01-01",
)
STAYED = (
    "This file has moved.",
    "Older entries were moved to docs/x.md",
    "This file was moved here from docs/x.md",
    "This file has been migrated from tasks/x.md",
    "Entries moved to `docs/decisions/` are listed at the end.",
    "Entries are moved to docs/x.md when they are stable",
    "Moved entries are in docs/archive/.",
    "Lessons that have moved: docs/x.md",
    "The file is moved to archive/ every year",
    "When this file has moved, update docs/x.md",
)


def test_place_holders_and_files_that_have_moved_and_not_only_a_part_of_them() -> None:
    assert [line for line in PLACE_HOLDERS if not is_place_holder(line)] == []
    assert [line for line in TEXTS if is_place_holder(line)] == []
    assert [text for text in MOVED if not says_moved(text.splitlines(keepends=True), [])] == []
    assert [text for text in STAYED if says_moved(text.splitlines(keepends=True), [])] == []
    assert says_moved(["This file has moved:\n"], ["- docs/x.md\n"])


SLOW_TEXTS = ("[", "_", "YYYY", "**", "| ", "{", "this file has ", "no a ")


@pytest.mark.parametrize(
    "text", ["[a] ", *(pytest.param(text, marks=pytest.mark.soak) for text in SLOW_TEXTS)]
)
def test_long_lines_take_no_time(text: str) -> None:
    source = f"# L\n\n{text * 50_000}moved to a/b.md\n\n## {text * 50_000}\n\n{text * 50_000}\n"
    started = monotonic()
    read(source.encode())
    assert monotonic() - started < 5


@pytest.mark.parametrize(("real", "count"), [(1, 0), (2, 3)])
def test_most_sections_decide_whether_entries_are_still_to_come(real: int, count: int) -> None:
    bodies = ["Look at it first."] * real + ["(none yet)"] * (3 - real)
    text = "".join(f"## When {n}\n\n{body}\n\n" for n, body in enumerate(bodies))
    assert len(read(text.encode()).entries) == count
