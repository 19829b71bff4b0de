from __future__ import annotations

from datetime import datetime

from learnings.consolidation.plan.memory_edits import Writer
from learnings.core.entries.document import Document, read

NOW = datetime(2026, 5, 1, 12, 0, 59)  # noqa: DTZ001  (wall time)
NAME = "Name (consolidated)"
FIRST_LINES = {
    "## One\n\na\n\n## Two\n\nb\n": f"## {NAME}",
    "## C\n\n### One\n\na\n\n### Two\n\nb\n": f"### {NAME}",
    "## [2026-02-16-120000] One\n\n## [2026-02-17] Two\n": f"## [2026-05-01-120059] {NAME}",
    "## [LRN-20260206-001] One\n\n## [LRN-20260207-004] Two\n": f"## [LRN-20260501-001] {NAME}",
    "## [LRN-20260206-001] One\n\n## [LRN-20260501-004] Two\n": f"## [LRN-20260501-005] {NAME}",
    "## L-009: One\n\n## L-010: Two\n": f"## L-011: {NAME}",
    "## ERR_009 One\n\n## [ERR-010] Two\n\n## [ERR-008] Three\n": f"## [ERR-011] {NAME}",
    "- **One.** a\n- **Two.** b\n": f"- **{NAME}**",
    "* 2026-02-16: one\n* 2026-02-17: two\n": f"* 2026-05-01: **{NAME}**",
}
STATED = (
    "## [2026-02-16-120000] One\n\n## [2026-01-15-090000] Two\n\n## [2026-02-16-130000] Three\n"
)
NESTED = (
    "## [2026-03-01-120000] One (consolidated)\n\n**Consolidated from**: 4 entries (2026-01-15 to "
    "2026-02-16)\n\n- a\n\n## [2026-02-20-090000] Two\n"
)


def written(document: Document, dates: dict[str, str | None] | None = None) -> list[str]:
    return Writer(document, dates, NOW).lines("Name", document.entries, "- a\n\n    code\n")


def test_the_first_line_has_the_form_of_the_file() -> None:
    wrong = {}
    for text, line in FIRST_LINES.items():
        document = read(text.encode())
        lines = written(document)
        if lines[0] != line:
            wrong[text] = document.dialect, lines
    assert wrong == {}


def test_it_is_read_again_as_one_entry_with_its_origin() -> None:
    wrong = {}
    for text in FIRST_LINES:
        document = read(text.encode())
        block = "\n".join(written(document))
        after = read(f"{text}\n{block}\n".encode()).read_as(document.dialect)
        if len(after.entries) != len(document.entries) + 1 or block not in after.entries[-1].text:
            wrong[text] = after.entries
    assert wrong == {}


def test_the_range_is_of_stated_dates_or_those_of_git() -> None:
    plain = "## One\n\n## Two\n\n## Three\n"
    cases: dict[tuple[str, tuple[str | None, ...] | None], str] = {
        (STATED, None): "3 entries (2026-01-15 to 2026-02-16)",
        (NESTED, None): "2 entries (2026-01-15 to 2026-02-20)",
        ("## One 2026-02\n\n## Two 2026-02\n", None): "2 entries (2026-02)",
        (plain, None): "3 entries",
        (plain, ("2026-02-12",) * 3): "3 entries (2026-02-12)",
        (plain, ("2026-02-12", None, "2026-01-02")): "3 entries (2026-01-02 to 2026-05-01)",
        ("## One\n", ("2026-02-12",)): "1 entry (2026-02-12)",
    }
    wrong = {}
    for (text, days), known in cases.items():
        document = read(text.encode())
        identities = [entry.identity for entry in document.entries]
        dates = None if days is None else dict(zip(identities, days, strict=True))
        line = written(document, dates)[2]
        if line != f"**Consolidated from**: {known}":
            wrong[text, days] = line
    assert wrong == {}


def test_an_id_of_any_length_has_a_successor() -> None:
    stamp = "1" * 5000
    document = read(f"## [L-{stamp}] One\n\n## [L-1] Two\n\n## [L-{stamp}-2] Three\n".encode())
    assert written(document)[0].startswith("## [L-")


def test_two_of_one_run_differ_by_a_second() -> None:
    document = read(STATED.replace("2026-02-16-120000", "2026-05-01-120059").encode())
    writer = Writer(document, None, NOW)
    titles = [writer.lines(name, document.entries, "a")[0] for name in ("A", "B (Consolidated)")]
    assert titles == [
        "## [2026-05-01-120100] A (consolidated)",
        "## [2026-05-01-120101] B (Consolidated)",
    ]


def test_what_the_text_says_of_its_origin_is_computed_anew() -> None:
    document = read(STATED.encode())
    text = "**Consolidated from**: 9 entries (2020-01-01)\n\n- a"
    lines = Writer(document, None, NOW).lines("A", document.entries, text)
    assert [line for line in lines if "Consolidated from" in line] == [
        "**Consolidated from**: 3 entries (2026-01-15 to 2026-02-16)"
    ]


def test_an_item_holds_its_text() -> None:
    document = read(b"1. **One.** a\n2. **Two.** b\n")
    lines = Writer(document, None, NOW).lines("A", document.entries, "Words.\n\n- more")
    assert lines == [
        "1. **A (consolidated)**",
        "   **Consolidated from**: 2 entries",
        "",
        "   Words.",
        "",
        "   - more",
    ]


def test_an_entry_that_others_join_counts_them_and_keeps_its_text() -> None:
    document = read(NESTED.encode())
    joined, member = document.entries
    lines = Writer(document, None, NOW).joined(joined, [member], "- b")
    assert lines == [
        "## [2026-03-01-120000] One (consolidated)",
        "",
        "**Consolidated from**: 5 entries (2026-01-15 to 2026-02-20)",
        "",
        "- a",
        "- b",
    ]


def test_one_without_an_origin_and_an_item_can_be_joined() -> None:
    plain = read(b"## One\n\nText.\n\n## Two\n\nMore.\n")
    lines = Writer(plain, None, NOW).joined(plain.entries[0], plain.entries[1:], "- b")
    assert lines == ["## One", "", "Text.", "", "- b"]
    items = read(b"- **One.** a\n- **Two.** b\n")
    lines = Writer(items, None, NOW).joined(items.entries[0], items.entries[1:], "Words.\n\n- b")
    assert lines == ["- **One.** a", "", "  Words.", "", "  - b"]
