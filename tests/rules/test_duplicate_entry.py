from __future__ import annotations

import pytest

from tests.rules.cases import lines, run


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\ntext\n\n## A\n", [5]),
        ("## A\r\n\r\n## A\r\n", [3]),
        ("## [2026-02-16-120000] A\n## [2026-02-16-120000] a\n", [2]),
        ("- 2026-01-01 Look at the lock\n- 2026-02-02 Look at the lock\n", [2]),
        ("## A\n## B\n", []),
        ("## A\ntext\n### B\n### B\n", []),
        ("## A\n> ## A\n", []),
        ("##\n##\n", []),
        ("## 2026-02-16\n\na\n\n## 2026-02-16\n\nb\n", []),
        ("## [2026-02-16] [git]\n\na\n\n## [2026-02-16] [git]\n\nb\n", []),
        ("- 2026-02-16\n  - a\n- 2026-02-16\n  - b\n", []),
        ("## [L-001] A\n\n## [L-001] B\n", [3]),
        ("### [2026-02-16] L-001: A\n\n### [2026-02-17] L-001: B\n", [3]),
        ("## [L-001] A\n\n## [L-002] A\n", []),
        ("".join(f"## [L-{n // 2:03}] {n}\n\n" for n in range(6)), []),
    ],
)
def test_entries_that_are_the_same(source: str, expected: list[int]) -> None:
    assert sorted(lines("duplicate-entry", source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## 2026-02-16 Locks\n\na\n\n## 2026-02-16 Locks\n\nb\n",
        "## [git] Locks\n\na\n\n## [git] Locks\n\nb\n",
        "## 🚀\n\na\n\n## 🚀\n\nb\n",
    ],
)
def test_words_beside_a_date_or_tags_are_a_title(source: str) -> None:
    assert lines("duplicate-entry", source) == [5]


def test_an_id_is_to_be_renumbered() -> None:
    (finding,) = run("duplicate-entry", "## L-001: A\n\n## L-001: B\n")
    assert finding.message == (
        '"## L-001: B" has the same id as "## L-001: A" on line 1; renumber one'
    )
    (finding,) = run("duplicate-entry", "## L-001: A\n\n## L-001: A\n\n## L-002: C\n")
    assert finding.message == '"## L-001: A" is already on line 1; join the two, or renumber one'


def test_title_that_ends_like_a_number_of_ours_is_counted_apart() -> None:
    assert lines("duplicate-entry", "## A\n## A #2\n## A\n## A #2\n") == [3, 4]


def test_field_of_a_form_is_no_entry() -> None:
    group = "## {}\n### Context\n### Lesson {}\n"
    three = "".join(group.format(name, name) for name in "ABC")
    assert lines("duplicate-entry", three) == []
    assert lines("duplicate-entry", three + "### Lesson C\n") == [10]
    often = "### Context\n" * 3
    assert lines("duplicate-entry", three + often) == [5, 8, 10, 11, 12]
    two = "".join(group.format(name, name) for name in "AB")
    assert lines("duplicate-entry", two) == [5]


RETRO = "## S1\n### Good\na\n### Bad\nb\n## S2\n### Good\nc\n### Bad\nd\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (RETRO, []),
        (RETRO.replace("## S2", "## s1"), [7, 9]),
        (RETRO.replace("Bad", "What was rather bad"), [9]),
    ],
)
def test_short_titles_that_two_categories_share_are_fields(
    source: str, expected: list[int]
) -> None:
    repeated = lines("duplicate-entry", source, dialect="heading", entry_level=3)
    assert sorted(repeated) == expected


def test_message_names_the_first_and_both_texts() -> None:
    (finding,) = run("duplicate-entry", "## When A\n\n## when a\n")
    assert finding.message == (
        '"## when a" is the same entry as "## When A" on line 1; join the two, or retitle one'
    )
    (finding,) = run("duplicate-entry", "## When A\n\n## When A\n")
    assert finding.message.startswith('"## When A" is already on line 1;')
