from __future__ import annotations

import pytest

from learnings.core.entries.document import read
from learnings.index.headings import HeadingKind, entries_of, headings_down_to, headings_of

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
        ("\n**Decision Date:** 2026-02-01\n\n- **Rule:** keep `x`\n", "keep `x`"),
        ("- Anti-pattern: pin all\n- **Correct pattern**: Pin one. More.\n", "Pin one"),
        ("- Repeated: 2026-02-06, 2026-02-08\n- Fix it first\n", "Fix it first"),
        ("```\ncode\n```\n", "code"),
        ("\n### Deeper\n\nx\n", "a.md"),
        ("---\n\n", "a.md"),
        ("word " * 30 + "\n", ("word " * 16).strip()),
        ("x" * 100 + "\n", "x" * 80),
        (
            (
                "Each read adds a block to the conversation; a cache has the start of the prompt, "
                "not the file\n"
            ),
            "Each read adds a block to the conversation",
        ),
        (
            (
                "Batch all independent calls in a single message (six reviews → six such calls in "
                "one message)\n"
            ),
            "Batch all independent calls in a single message",
        ),
        (
            (
                "`--reference <path>` takes local objects as alternates, as here, and so avoids a "
                "fetch\n"
            ),
            "`--reference <path>` takes local objects as alternates, as here",
        ),
        (
            (
                "Take the objects (of all, also of closed, and of broken ones) that are in the "
                "local cache\n"
            ),
            "Take the objects (of all, also of closed, and of broken ones)",
        ),
        ('Say "Only this. And no other", else it does both\n', 'Say "Only this"'),
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
