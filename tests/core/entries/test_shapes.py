"""The shapes that memory files have, each read as a reader would: tests/data/dialects.

The head of each case, above `====`, says the dialect, the number of entries, their first titles,
and the second reading that comes close.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.dialects import SHAPES
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.entries.rewriting import original_of, with_entry, without_entries

CASES = Path(__file__).parents[2] / "data" / "dialects"


def head_of(document: Document) -> str:
    """The head that a case with this document has."""
    dialect, entries = document.dialect, document.entries
    level = f" at level {dialect.level}" if dialect.level else ""
    ambiguity = second_reading(document)
    return (
        f"reading: {dialect.name}{level}, {len(entries)} entries\n"
        f"first: {' | '.join(entry.title for entry in entries[:3]) or '-'}\n"
        f"doubt: {f'{ambiguity.counts}; {ambiguity.advice}' if ambiguity else '-'}\n"
    )


def cases() -> dict[str, tuple[str, str]]:
    """Head and text of each case, by its name."""
    parts = {path.stem: path.read_text(encoding="utf-8") for path in CASES.glob("*.md")}
    return {
        name: (head, text)
        for name, source in sorted(parts.items())
        for head, _, text in [source.partition("====\n")]
    }


def test_each_shape_is_read_as_a_reader_would() -> None:
    expected = {name: head for name, (head, _) in cases().items()}
    assert len(expected) > 50

    def heads(newline: str, mark: str = "") -> dict[str, str]:
        files = {
            name: (mark + text.replace("\n", newline)).encode()
            for name, (_, text) in cases().items()
        }
        return {name: head_of(read(data)) for name, data in files.items()}

    assert heads("\n") == expected
    assert heads("\r\n") == expected
    assert heads("\r", "\ufeff") == expected


def test_a_configured_dialect_is_never_doubted() -> None:
    doubtful = [text for head, text in cases().values() if "doubt: -" not in head]
    assert len(doubtful) > 5
    for options in ReadOptions("heading"), ReadOptions("bullet"), ReadOptions(entry_level=2):
        documents = [read(text.encode(), options) for text in doubtful]
        configured = [document for document in documents if document.entries]
        assert [second_reading(document) for document in configured] == [None] * len(configured)


def test_an_ambiguity_is_the_reading_that_its_setting_gives() -> None:
    for name, (_, text) in cases().items():
        document = read(text.encode())
        ambiguity = second_reading(document)
        if ambiguity is None:
            continue
        dialect, _, level = ambiguity.setting.partition(" and ")
        words = dict(part.split(" = ") for part in (dialect, level) if part)
        options = ReadOptions(
            words.get("dialect", '"auto"').strip('"'),
            int(words["entry-level"]) if "entry-level" in words else None,
        )
        titles = [entry.title for entry in document.read_as(ambiguity.dialect).entries]
        assert titles == [entry.title for entry in read(text.encode(), options).entries], name
        assert titles or ambiguity.before, name


def test_half_of_the_entries_leave_and_come_back_to_the_byte() -> None:
    seen = set()
    for name, (_, text) in cases().items():
        data = text.encode()
        document = read(data)
        for first in (0, 1):
            chosen = document.entries[first::2]
            if not 0 < len(chosen) < len(document.entries):
                continue
            after = without_entries(document, chosen)
            for entry in chosen:
                after = with_entry(read(after), original_of(entry), older=document)
            assert after == data, name
            seen.add(document.dialect.name)
    assert seen >= {*SHAPES}


def test_a_tag_is_named_by_its_summary() -> None:
    data = b"## [LRN-20260206-001] correction\n\n### Summary\n\nPin the linter.\n\n### Details\n"
    (entry,) = read(data).entries
    assert (entry.title, entry.name) == ("correction", "Pin the linter.")
    assert entry.heading == "[LRN-20260206-001] Pin the linter."
    for bare in (b"Pin the linter.\n", b"Summary\n\nPin it.\n\n### Summary\n"):
        assert read(b"## [LRN-20260206-001] correction\n\n" + bare).entries[0].name == "correction"


def test_rows_of_a_table() -> None:
    table = b"| # | What |\n|---|---|\n| D1 | a |\n| D2 | b |\n\n"
    data = b"# Decisions\n\n" + table + b"## See also\n\nMore.\n"
    document = read(data)
    after = without_entries(document, document.entries)
    for entry in document.entries:  # the first row goes below the head
        after = with_entry(read(after), original_of(entry), older=document)
    assert after == data
    # Text below it belongs to no row, and a configured level wins.
    rows = ["| D1 | a |\n", "| D2 | b |\n\n"]
    assert [entry.text for entry in read(table + b"See the wiki.\n").entries] == rows
    leveled = read(b"## Rules\n\n" + table + b"## Notes\n\nMore.\n", ReadOptions(entry_level=2))
    assert [entry.title for entry in leveled.entries] == ["Rules", "Notes"]


DATED = (
    "| 2026-02-05 | Pin the linter of the build. |\n| 2026-02-08 | Freeze the clock in tests. |\n"
)


def test_rows_with_a_date_stay_the_same_if_the_table_gets_a_column() -> None:
    rows = read(f"# L\n\n| Date | Lesson |\n|---|---|\n{DATED}".encode()).entries
    more = DATED.replace(" |\n", " | ann | because of the long night in spring |\n")
    more = more.replace("| 2026", "| ci | 2026")
    head = "# L\n\n| Area | Date | Lesson | Who | Why |\n|---|---|---|---|---|\n"
    wide = read(f"{head}{more}".encode()).entries
    assert [row.stated for row in rows] == ["2026-02-05", "2026-02-08"]
    assert rows[0].title == "Pin the linter of the build."
    assert [row.identity for row in rows] == [row.identity for row in wide]


def test_rows_of_measurements_are_no_entries() -> None:
    rows = "| 2026-02-05 | 80 % |\n| 2026-02-08 | 81 % |\n"
    assert read(f"# L\n\n| Date | Tests |\n|---|---|\n{rows}".encode()).entries == ()


@pytest.mark.parametrize("items", ["- a first lesson\n- another lesson\n", "- a\n- b\n- c\n"])
def test_rows_beside_items_are_doubtful(items: str) -> None:
    document = read(f"# L\n\n{items}\n| Date | Lesson |\n|---|---|\n{DATED}".encode())
    ambiguity = second_reading(document)
    assert ambiguity is not None
    readings = {document.dialect.name, ambiguity.dialect.name}
    assert readings == {"table", "bullet"}
    assert len(document.read_as(ambiguity.dialect).entries) in (2, 3)


def test_more_than_three_headings_in_each_entry_may_be_the_entries() -> None:
    inner = "".join(f"### Part @{n}\n\ntext\n\n" for n in range(3))
    text = "".join(f"## When {one}\n\nOwn text.\n\n{inner.replace('@', one)}" for one in "ab")
    assert second_reading(read(text.encode())) is None
    assert second_reading(read(f"{text}### One more\n\ntext\n".encode())) is not None
