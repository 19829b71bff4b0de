from __future__ import annotations

from learnings.consolidation.text.sections import target_of

TEXT = """\
---
owner: ada
---
Before all.

# Decisions

## Cache

Keep it.

```sh
## not a heading
rm cache
```

### Keys

<!-- hidden
words -->
By tenant.
"""


def test_a_section_has_its_lines_the_headings_around_it_and_no_examples() -> None:
    target = target_of("a/b.md", TEXT.encode())
    assert (target.path, target.lines) == ("a/b.md", 21)
    assert [(s.title, s.trail, s.line, s.last) for s in target.sections] == [
        ("", (), 4, 5),
        ("Decisions", (), 6, 7),
        ("Cache", ("Decisions",), 8, 16),
        ("Keys", ("Decisions", "Cache"), 17, 21),
    ]
    cache, keys = target.sections[2:]
    assert cache.text.split() == ["Keep", "it."]
    assert keys.text.split() == ["By", "tenant."]
    assert cache.lines[cache.first - cache.line :][0] == "Keep it.\n" or cache.first == 9


def test_line_numbers_of_the_text_are_those_of_the_file() -> None:
    lines = TEXT.splitlines(keepends=True)
    for section in target_of("a.md", TEXT.encode()).sections:
        for number, line in enumerate(section.lines, start=section.first):
            assert line in ("\n", lines[number - 1])


def test_a_file_without_text_has_no_sections() -> None:
    assert target_of("a.md", b"").sections == ()
    assert target_of("a.md", b"\n\n").sections == ()
    assert [s.title for s in target_of("a.md", b"words\n").sections] == [""]
