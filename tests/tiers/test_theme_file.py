"""Theme files: names, what is read, drafts, items that are added; and when a compaction is due."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.tiers.tier_files import (
    LONGEST_NAME,
    THEME_WORDS,
    CompactionTrigger,
    ThemeFile,
    draft_text,
    free_theme_name,
    is_theme_name,
    theme_name_of,
    words_of,
)

TEXT = """\
# Build Caching

Keys come from the lock file.

- Never share a key.

## Related Work Units
- WU-2
- WU-1

## Notes
kept
"""


def theme(text: str) -> ThemeFile:
    return ThemeFile("build-caching", text.encode())


def test_what_is_read() -> None:
    read = theme(TEXT)
    assert (read.title, read.items, read.is_draft) == ("Build Caching", 1, False)
    assert read.units == (("WU-2", 8), ("WU-1", 9))
    assert "Keys come" in read.body
    assert "WU-1" not in read.body
    assert theme("").title == "build caching"


def test_items_and_ids_are_added_below_a_mark_and_leave_without_a_trace() -> None:
    own = theme(TEXT.replace("- WU-2\n- WU-1\n", "- WU-1\n- WU-2\n"))
    added = theme(own.with_items(["Clear it.", "Warm it."], ["WU-3", "WU-1"]))
    assert "- Never share a key.\n\n<!-- added lines of WU-3: " in added.text
    assert "remove this line -->\n\n- Clear it.\n- Warm it.\n\n## Related" in added.text
    assert added.text.endswith("- WU-1\n- WU-2\n- WU-3\n\n## Notes\nkept\n")
    assert (sorted(added.added_units or ()), own.added_units) == (["WU-3"], None)
    assert added.body.strip() == f"{own.body.strip()}\n\n\n- Clear it.\n- Warm it."
    more = theme(added.with_items(["x"], ["WU-4"]))
    assert sorted(more.added_units or ()) == ["WU-3", "WU-4"]
    fewer = theme(added.with_items([], [], ["Clear it."], []))
    assert fewer.text == own.with_items(["Warm it."], ["WU-3"])
    # Nobody but the mark says that WU-3 was not there before.
    assert fewer.with_items([], [], ["Warm it."], ["WU-3", "WU-2"]) == own.text
    # A theme without a list of work units gets one.
    for text in ("", "# A\ntext", "text\r\n", "# A\n\n## Related Work Units"):
        added = theme(theme(text).with_items(["x"], ["b", "a"]))
        assert [unit for unit, _ in added.units] == ["a", "b"]
        assert (added.items, sorted(added.added_units or ())) == (1, ["a", "b"])
        assert added.with_items([], []) == added.text


def test_a_draft_is_one_until_somebody_writes_into_it() -> None:
    text = draft_text("build-caching", "Build Caching", ["One.", "Two."], ["b", "a", "b"])
    assert theme(text).is_draft
    assert theme(text.replace("\n", "\r\n")).is_draft
    assert [unit for unit, _ in theme(text).units] == ["a", "b"]
    mark = next(line for line in text.splitlines() if "draft" in line)
    changes = [("Two.", "2."), ("- a\n", ""), ("# Build", "# The build"), (f"{mark}\n", "")]
    changes.append((mark, f"{mark}\n{mark}"))
    assert [change for change in changes if theme(text.replace(*change)).is_draft] == []
    rest = draft_text("other-2", "Other", ["One."], ["b"])
    assert theme(rest).is_draft
    assert "rewrite" not in rest


def test_the_budget_counts_every_word() -> None:
    assert THEME_WORDS == 225
    assert words_of("# A\n\n- b — c\n") == 6
    assert theme("\ufeff# T\n\n" + "w " * 223).words == THEME_WORDS


def test_names_of_themes() -> None:
    for name in ("a", "build-caching", "a1-2-b", "2fa"):
        assert is_theme_name(name)
    for name in ("", "A", "a_b", "a--b", "-a", "a-", "..", "a/b", "a\\b", "a.md", "é", "a\n"):
        assert not is_theme_name(name), name
    titles = {
        "list-form  Args": "list-form-args",
        "CLAUDE.md": "claude-md",
        "Größe café": "grosse-cafe",
        "../../etc/passwd": "etc-passwd",
        "Кэш": "theme",
    }
    assert {title: theme_name_of(title) for title in titles} == titles
    assert free_theme_name("a", set()) == ("a", 1)
    assert free_theme_name("a", {"a", "a-2", "a-4"}) == ("a-3", 3)


@given(st.text())
def test_whatever_the_title_its_name_is_one(title: str) -> None:
    assert is_theme_name(theme_name_of(title))
    assert len(theme_name_of(title * LONGEST_NAME)) <= LONGEST_NAME


@pytest.mark.parametrize(
    ("valid", "processed", "due", "strict"),
    [
        (0, 0, False, False),
        (2, 0, False, False),
        (3, 0, True, True),
        (5, 5, False, False),
        (4, 3, False, False),
        (5, 4, False, True),
        (7, 5, False, True),
        (8, 5, True, True),
        (5, 9, False, False),
    ],
)
def test_when_a_compaction_is_due(valid: int, processed: int, due: bool, strict: bool) -> None:
    assert CompactionTrigger(valid, processed).is_due is due
    assert CompactionTrigger(valid, processed, strict=True).is_due is strict
    assert CompactionTrigger(valid, processed).new == (
        0 if processed > valid else valid - processed
    )
