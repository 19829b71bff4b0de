from __future__ import annotations

import pytest

from learnings.core.entries.document import read
from learnings.core.markdown.blocks import blocks_of
from learnings.index.headings import HeadingKind, entries_of, headings_down_to, headings_of
from learnings.index.links import (
    LinkRow,
    indexed_links,
    is_link_index,
    link_rows,
    problems_of_links,
    target_of,
    written_row,
)

SOURCE = """---
title: x
---
# A

### Above the first H2

## When one

### .Inner

```
## code
```

<!-- ## comment -->

##

# Second title

## ..Two dots
"""


@pytest.mark.parametrize(("newline", "bom"), [("\n", ""), ("\r\n", "\ufeff"), ("\r", "")])
def test_what_each_heading_needs_in_the_index(newline: str, bom: str) -> None:
    headings = headings_of("a.md", (bom + SOURCE.replace("\n", newline)).encode()).headings

    assert [(h.title, h.level, h.line, h.kind.name, h.key) for h in headings] == [
        ("A", 1, 4, "EXEMPT", "a"),
        ("Above the first H2", 3, 6, "EXEMPT", "above the first h2"),
        ("When one", 2, 8, "SEMANTIC", "when one"),
        (".Inner", 3, 10, "STRUCTURAL", "inner"),
        ("Second title", 1, 20, "EXEMPT", "second title"),
        ("..Two dots", 2, 22, "STRUCTURAL", "two dots"),
    ]


def test_the_first_of_several_keys_that_a_heading_has() -> None:
    file = headings_of("a.md", b"## A\n\n## A \xe2\x80\x94 b\n")

    found = file.headings_with(["a — b — c", "a — b", "a"], HeadingKind.SEMANTIC)
    assert [heading.line for heading in found] == [3]
    names = headings_of("x/build-cache.md", b"# Caches\n").names
    assert names == {"build-cache", "build cache", "caches"}
    assert file.headings_with(["c"], HeadingKind.SEMANTIC) == ()


def test_the_computed_index() -> None:
    data = b"# A\n\n## B\n\n#### C\n\n~~~\n# D\n~~~\n"
    found = [[h.title for h in headings_down_to(data, depth=depth)] for depth in (1, 2, 6)]
    assert found == [["A"], ["A", "B"], ["A", "B", "C"]]


@pytest.mark.parametrize(
    ("body", "summary"),
    [
        ("First one. Second.\n", "First one"),
        ("A **bold** word\n", "A bold word"),
        ("1. an item\n", "an item"),
        ("\n**Decision Date:** 2026-02-01\n\n- **Rule:** keep `x`\n", "Rule: keep `x`"),
        ("```\ncode\n```\n", "code"),
        ("\n### Deeper\n\nx\n", "a.md"),
        ("---\n\n", "a.md"),
        ("word " * 30 + "\n", ("word " * 16).strip()),
        ("x" * 100 + "\n", "x" * 80),
    ],
)
def test_the_summary_of_a_section(body: str, summary: str) -> None:
    file = headings_of("a.md", f"## A\n{body}".encode())

    assert file.summary(file.headings[0]) == summary


def test_the_entries_of_a_file_as_headings() -> None:
    text = b"# L\n\n## [2026-02-01-120000] One\n\nx\n\n## [2026-02-02-120000] .Two\n\n"
    text += b"## [2026-02-03-120000]\n"
    headings = entries_of("l.md", read(text)).headings

    assert [(h.title, h.line, h.last, h.stated, h.kind) for h in headings] == [
        ("One", 3, 6, "2026-02-01T12:00:00", HeadingKind.SEMANTIC),
        (".Two", 7, 8, "2026-02-02T12:00:00", HeadingKind.SEMANTIC),
    ]


INDEX = "m/MEMORY.md"
FILES = {
    "m/builds.md": b"---\nname: Builds\ndescription: the lock of the package manager\n---\n",
    "m/clock.md": b"# Clock\n\nFreeze it.\n",
}


def rows(text: str) -> list[LinkRow]:
    blocks = blocks_of(text.encode())
    return list(link_rows(blocks.lines, blocks.outline))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [Builds](builds.md) — the lock", [(1, "Builds", "builds.md", "the lock")]),
        ("- **[Builds](./builds.md)**: the lock", [(1, "Builds", "./builds.md", "**: the lock")]),
        ("| [Builds](builds.md) | the lock |", [(1, "Builds", "builds.md", "the lock")]),
        ("- [a](a.md) · [b](b.md)", [(1, "a", "a.md", ""), (1, "b", "b.md", "")]),
        ("- [`x[0]` is no list](x.md#part)", [(1, "`x[0]` is no list", "x.md", "")]),
        ("- [a](<a%20b.md>) x", [(1, "a", "a%20b.md", "x")]),
        ("- [web](https://example.org/a.md)", []),
        ("- [picture](a.png)", []),
        ("```\n- [a](a.md)\n```", []),
        ("<!-- [a](a.md) -->", []),
        ("## [a](a.md)", []),
    ],
)
def test_rows(line: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert rows(f"{line}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [a](a.md) — x\n", True),
        ("- [a](a.md)\n- text\n", True),
        ("- [a](a.md)\n- text\n- text\n", False),
        ("- [a](a.md)\n" * 5 + "- text\n" * 50, True),
        ("| file | what |\n|---|---|\n| [a](a.md) | x |\n", True),
        ("See [a](a.md).\n", False),
        ("# Memory\n\n- text\n", False),
    ],
)
def test_what_is_an_index(text: str, expected: bool) -> None:  # noqa: FBT001
    blocks = blocks_of(text.encode())
    assert is_link_index(blocks.lines, blocks.outline) is expected


def test_a_row_is_written_as_the_others_are() -> None:
    row = written_row("m/MEMORY.md", "m/deep/a b.md", "A b", "what it says")
    assert row == "- [A b](deep/a%20b.md) — what it says"
    (read,) = link_rows((f"{row}\n",), blocks_of(row.encode()).outline)
    assert target_of("m/MEMORY.md", read) == "m/deep/a b.md"
    assert written_row("MEMORY.md", "m/a.md", "A", "") == "- [A](m/a.md)"


BOTH = "- [Builds](builds.md)\n- [Clock](clock.md)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [Builds](builds.md) — lock of the manager\n- [Clock](clock.md)\n", []),
        ("- [Builds](./builds.md)\n- see `clock.md`\n", []),
        ("- [Builds](../m/builds.md)\n- see [[clock]]\n", []),
        ("- [Builds](builds.md) [x](../docs/other.md)\n- [[clock]]\n", []),
        (f"{BOTH}- [a](gone.md)\n- [b](gone.md)\n", [("missing-file", INDEX, 3)]),
        (f"{BOTH}- [a](../../gone.md) [b](/gone.md)\n", []),
        ("- [Builds](builds.md)\n", [("missing-row", "m/clock.md", 1)]),
        (f"{BOTH}- [Again](builds.md)\n", [("duplicate-row", INDEX, 3)]),
        (BOTH.replace(")\n", ") — colours of dark buttons\n", 1), [("hook-differs", INDEX, 1)]),
        (BOTH.replace(")\n", ") — locks that stay in dark corners\n", 1), []),
        (BOTH.replace(")\n", ") — a few words\n", 1), []),
    ],
)
def test_rows_are_compared_with_files(text: str, expected: list[tuple[str, str, int]]) -> None:
    index = indexed_links(INDEX, text.encode(), FILES, {*FILES, "docs/other.md"}.__contains__)
    assert index is not None
    found = [(problem.kind, problem.path, problem.line) for problem in problems_of_links(index)]
    assert found == expected
