"""Theme files: what is read of them, drafts, and items that are added."""

from __future__ import annotations

import pytest

from learnings.tiers.tier_files import THEME_WORDS, ThemeFile, draft_text, words_of

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


def test_items_and_ids_are_added_and_the_rest_stays() -> None:
    assert theme(TEXT).with_items(["Clear it."], ["WU-3", "WU-1"]) == TEXT.replace(
        "share a key.\n", "share a key.\n- Clear it.\n"
    ).replace("- WU-2\n- WU-1\n", "- WU-1\n- WU-2\n- WU-3\n")


@pytest.mark.parametrize(
    "text", ["", "# A\n", "# A\ntext", "text\r\n", "# A\n\n## Related Work Units"]
)
def test_a_theme_without_a_list_of_work_units_gets_one(text: str) -> None:
    added = theme(theme(text).with_items(["x"], ["b", "a"]))
    assert [unit for unit, _ in added.units] == ["a", "b"]
    assert added.items == 1
    assert theme(added.with_items([], [])).text == added.text


def test_a_draft_is_one_until_somebody_writes_into_it() -> None:
    text = draft_text("Build Caching", ["One.", "Two."], ["b", "a", "b"])
    assert theme(text).is_draft
    assert theme(text.replace("\n", "\r\n")).is_draft
    assert [unit for unit, _ in theme(text).units] == ["a", "b"]
    changes = [("Two.", "2."), ("- a\n", ""), ("# Build", "# The build")]
    assert [change for change in changes if theme(text.replace(*change)).is_draft] == []
    mark = next(line for line in text.splitlines() if "draft" in line)
    assert not theme(text.replace(f"{mark}\n", "")).is_draft
    assert not theme(f"{text}\n{mark}\n").is_draft


def test_the_budget_counts_every_word() -> None:
    assert (THEME_WORDS, THEME_WORDS / 0.75) == (225, 300)
    assert words_of("# A\n\n- b — c\n") == 6
    assert theme("# T\n\n" + "w " * 223).words == THEME_WORDS
