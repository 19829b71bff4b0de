from __future__ import annotations

import pytest

from learnings.core.entries.document import ReadOptions, read


@pytest.mark.parametrize(
    ("text", "name", "level"),
    [
        ("# L\n\n## One\n\na\n\n## Two\n\nb\n", "heading", 2),
        ("## [2026-02-16-120000] A\n## [2026-02-17] B\n## C\n## D\n## E\n", "timestamped", 2),
        ("## [2026-02-16] A\n\n## B\n", "timestamped", 2),
        ("## [2026-02-16] A\n\n## B\n\n## C\n", "heading", 2),
        ("## [LRN-20260206-001] a\n\n## [LRN-20260206-002] b\n\n## c\n", "identified", 2),
        ("## Group\n\n### [L-014] A\n\n### [L-015] B\n", "identified", 3),
        ("## L-014: A\n\nx\n\n## L-015: B\n\ny\n", "identified", 2),
        ("## UTF-8: bytes\n\nx\n\n## SHA-256: sums\n\ny\n\n## A\n\n## B\n\n## C\n", "heading", 2),
        ("# L\n\n- 2026-02-01: a\n- b (2026-02-02)\n- c\n", "bullet", 0),
        ("# L\n\n- a\n- b\n", "bullet", 0),
        ("# L\n\n## Log\n\n- 2026-02-01: a\n- 2026-02-02: b\n", "bullet", 0),
        ("# L\n\n## When a\n\n- b\n- c (2026-02-02)\n- d\n", "heading", 2),
        ("## Cat\n\n### A\n\na\n\n### B\n\nb\n", "heading", 3),
        ("## Cat\n\n### A\n\n## Cat 2\n\nown text\n\n### B\n", "heading", 2),
        ("### A\n\na\n\n### B\n\nb\n", "heading", 3),
        ("## Cat\n\n### A\n\na\n", "heading", 2),
        ("#### deep\n", "none", 0),
        ("", "none", 0),
    ],
)
def test_the_first_rule_that_holds_decides(text: str, name: str, level: int) -> None:
    dialect = read(text.encode()).dialect

    assert (dialect.name, dialect.level) == (name, level)
    assert dialect.reason


def test_what_is_configured_holds() -> None:
    levels = {("heading", 3): 3, ("heading", None): 2, ("timestamped", None): 2}
    levels |= {("bullet", None): 0, ("auto", 3): 3}
    data = b"## A\n\na\n\n### B\n\nb\n\n- item\n"
    assert {one: read(data, ReadOptions(*one)).dialect.level for one in levels} == levels
    document = read(b"# L\n\n## Chapter\n\n- a\n- b\n", ReadOptions(entry_level=2))
    assert [entry.title for entry in document.entries] == ["Chapter"]
