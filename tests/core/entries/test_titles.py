from __future__ import annotations

from time import monotonic

import pytest

from learnings.core.entries import titles
from learnings.core.entries.document import read
from learnings.core.entries.place_holders import is_place_holder, says_moved


def test_heading_text_and_stated_dates() -> None:
    headings = {"## When writing\n": "When writing", "##\tTabs  \r\n": "Tabs", "##\n": ""}
    headings |= {"   ### Indented ###\n": "Indented", "## C# and F#\n": "C# and F#"}
    headings |= {"## ends in # ##  \n": "ends in #"}
    assert {line: titles.heading_text(line) for line in headings} == headings
    stamps = {"2026-02-16-120000": "2026-02-16T12:00:00", "2026-02-16": "2026-02-16"}
    stamps |= {"2026-02-16 12:30": "2026-02-16T12:30:00", "2026-02": "2026-02"}
    stamps |= {"2026-02-16T12:30:05": "2026-02-16T12:30:05"}
    no_dates = ("2026-02-30", "2026-13", "2026-02-16-246000", "2026-02-16-120000b", "2026-02 12:30")
    read = {stamp: titles.stated_date(stamp) for stamp in (*stamps, *no_dates)}
    assert read == stamps | dict.fromkeys(no_dates)


@pytest.mark.parametrize(
    ("line", "stamp", "title", "stated"),
    [
        ("## [2026-02-16-120000] Hooks", "2026-02-16-120000", "Hooks", "2026-02-16T12:00:00"),
        ("## [2026-02-16b] Odd", "2026-02-16b", "Odd", None),
        ("## [LRN-20260206-001] correction", "LRN-20260206-001", "correction", "2026-02-06"),
        ("### [L-014] Title", "L-014", "Title", None),
        ("## [docs](x.md) are old", None, "[docs](x.md) are old", None),
        ("## [WIP] not an id", None, "[WIP] not an id", None),
        ("## 2026-02-01: dated title", None, "2026-02-01: dated title", "2026-02-01"),
        ("## Dated title (2026-02-01)", None, "Dated title (2026-02-01)", "2026-02-01"),
    ],
)
def test_heading(line: str, stamp: str | None, title: str, stated: str | None) -> None:
    first_line = titles.read_heading(line)

    assert (first_line.stamp, first_line.title, first_line.stated) == (stamp, title, stated)


@pytest.mark.parametrize(
    ("line", "stamp", "title"),
    [
        ("## [undated] Title", "undated", "Title"),
        ("## [docs](x.md) Title", None, "[docs](x.md) Title"),
        ("## L-014: Title", "L-014", "Title"),
        ("## No id: here", None, "No id: here"),
        ("## L-001 · Title", "L-001", "Title"),
        ("### [2026-02-16] L-014: Title", "L-014", "Title"),
        ("### [2026-02-16 12:30] [L-014] Title", "L-014", "Title"),
        ("### [2026-02-16] Title", "2026-02-16", "Title"),
        ("### [2026-02-16] [git] Title", "2026-02-16", "[git] Title"),
    ],
)
def test_heading_of_a_file_with_stamps(line: str, stamp: str | None, title: str) -> None:
    first_line = titles.read_heading(line, stamped=True, bare_ids=True)

    assert (first_line.stamp, first_line.title) == (stamp, title)


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("## L-014: Title (2026-02-16)", "2026-02-16"),
        ("## [L-014] 2026-02-16 Title", "2026-02-16"),
        ("## [LRN-20260206-001] Title (2026-02-16)", "2026-02-06"),
        ("### [2026-02-16] L-014: Title (2026-02-17)", "2026-02-16"),
        ("### [2026-02-16 12:30] L-014: Title", "2026-02-16T12:30:00"),
        ("## [2026-02-30] Title (2026-02-16)", None),
        ("## [undated] Title (2026-02-16)", "2026-02-16"),
    ],
)
def test_stated_date_of_a_heading_with_an_id(line: str, stated: str | None) -> None:
    assert titles.read_heading(line, stamped=True, bare_ids=True).stated == stated


def test_own_words_and_dated_titles() -> None:
    words: dict[str, tuple[str, ...]]
    words = {"2026-02-16": (), "[2026-02-16] [git] #ci @work": (), "— · —": (), "🚀": ("🚀",)}
    words["[git] Rebase loses merges (2026-02-16)"] = ("Rebase", "loses", "merges")
    words["[docs](x.md)"] = ("[docs](x.md)",)
    assert {text: titles.own_words(text) for text in words} == words
    dated = ["2026-02-16: Locks", "Session 3 (2026-02-16)"]
    others = ["2026-02-16", "Mon, 2026-02-16", "[2026-02-16] [git]", "Locks of 2026-02-16 survive"]
    assert [text for text in dated + others if titles.is_dated_title(text)] == dated


@pytest.mark.parametrize(
    ("line", "title", "stated", "key"),
    [
        ("- 2026-02-01: Never retry on 409. Ever.", "Never retry on 409.", "2026-02-01", None),
        ("* [2026-02] Use the pool", "Use the pool", "2026-02", None),
        ("- **2026-02-01 (x):** Cache keys", "Cache keys", "2026-02-01", "**(x):** Cache keys"),
        ("- Cache keys (2026-02-01)", "Cache keys", "2026-02-01", "Cache keys"),
        ("- 2026-03-04 — never retry", "never retry", "2026-03-04", "never retry"),
        ("- **[gotcha]** The clock. It", "The clock.", None, "**[gotcha]** The clock. It"),
        ("- **#ci** **Cache:** keys", "Cache", None, None),
        ("- **[gotcha]**", "[gotcha]", None, None),
        ("1. **Bold lead:** and more", "Bold lead", None, "**Bold lead:** and more"),
        ("- 不要重试。真的。", "不要重试。", None, "不要重试。真的。"),
        ("- 2026-99-99 is no date", "2026-99-99 is no date", None, "2026-99-99 is no date"),
        ("-", "", None, ""),
    ],
)
def test_item(line: str, title: str, stated: str | None, key: str | None) -> None:
    first_line = titles.read_item(line)

    assert (first_line.title, first_line.stated) == (title, stated)
    if key is not None:
        assert first_line.key_title == key


def test_an_items_title_is_cut_at_80_characters() -> None:
    title = titles.read_item("- " + "word " * 40).title

    assert title == ("word " * 40)[: titles.TITLE_LENGTH]


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
