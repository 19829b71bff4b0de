"""Which entries another text holds."""

from __future__ import annotations

import pytest

from learnings.core.entries.archives import missing_entries
from learnings.core.entries.document import read

TEXT = "# L\n\n## [2026-02-01] One\n\n- a\n  - b\n\n## [2026-02-02] Two\n\nText of two.\n"
BULLETS = "# L\n\n- 2026-03-01: never retry on 409\n  more\n- 2026-03-02: look at the lock\n"


def missing(text: str, *others: str) -> list[str]:
    return [entry.title for entry in missing_entries(read(text.encode()).entries, others)]


@pytest.mark.parametrize(
    "other",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("## ", "### "),
        TEXT.replace("\n\n", "\n").replace("  - b", "\t- b"),
        f"# Archive\n\n## Group: x\n\n{TEXT[5:]}",
    ],
)
def test_an_archive_holds_entries_at_any_level(other: str) -> None:
    assert missing(TEXT, other) == []
    assert missing(TEXT, "", other, "other text\n") == []


def test_an_entry_is_missing_without_its_heading_or_a_line() -> None:
    assert missing(TEXT) == ["One", "Two"]
    assert missing(TEXT, TEXT.replace("Text of two", "Text of 2")) == ["Two"]
    assert missing(TEXT, TEXT.replace("[2026-02-01] One", "One")) == ["One"]
    assert missing(TEXT, TEXT.replace("  - b", "## Other\n\n  - b")) == ["One"]
    assert missing(TEXT, TEXT[: TEXT.index("  - b")], TEXT[TEXT.index("  - b") :]) == ["One"]


def test_items_of_a_list() -> None:
    assert len(missing(BULLETS)) == 2
    assert missing(BULLETS, BULLETS.replace("- 2026", "* 2026")) == []
    assert len(missing(BULLETS, BULLETS.replace("  more\n", ""))) == 1
