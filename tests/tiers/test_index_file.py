"""INDEX.md: what is read of it, and what an update keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.tiers.tier_files import INDEX_LINES, TierIndex, row_text

STAMP = "2026-04-01T00:00:00Z"
TEXT = """\
---
# by hand
lastCompaction: "2026-02-12T14:30:00Z"  # the first
owner: ada
rawFilesProcessed: 12 # of them
---

Read the theme before you build.

**build-caching** — cache keys → themes/build-caching.md
**tests** — what fails at night → themes/tests.md

More lines.
"""


def index(text: str) -> TierIndex:
    return TierIndex(text.encode())


def test_what_is_read() -> None:
    read = index(TEXT)
    assert (read.processed, len(read.content)) == (12, 4)
    assert str(read.last_compaction) == "2026-02-12 14:30:00+00:00"
    assert [(row.name, row.summary, row.target, row.line) for row in read.rows] == [
        ("build-caching", "cache keys", "build-caching", 10),
        ("tests", "what fails at night", "tests", 11),
    ]
    assert read.malformed == ()
    # Every line that is not blank counts.
    text = TEXT + "\n \n\t\n".join(["x"] * (INDEX_LINES - 3))
    assert len(index(text).content) == INDEX_LINES + 1


def test_an_update_changes_its_own_and_keeps_the_rest() -> None:
    new = {"tests": "the clock", "alpha": "one → two"}
    assert index(TEXT).updated(STAMP, 15, new) == TEXT.replace(
        '"2026-02-12T14:30:00Z"', f'"{STAMP}"'
    ).replace("12 # of", "15 # of").replace(
        "what fails at night → themes/tests.md\n",
        "the clock → themes/tests.md\n" + row_text("alpha", "one → two") + "\n",
    )
    # Line ends and a byte order mark stay.
    updated = index("\ufeff" + TEXT.replace("\n", "\r\n")).updated(STAMP, 15, new)
    assert updated == "\ufeff" + index(TEXT).updated(STAMP, 15, new).replace("\n", "\r\n")


def test_an_index_that_is_not_there() -> None:
    read = TierIndex(None)
    assert (read.processed, read.last_compaction, read.rows, read.content) == (0, None, (), ())
    text = read.updated(STAMP, 3, {"a": "x"})
    top = f'---\nlastCompaction: "{STAMP}"\nrawFilesProcessed: 3\n---\n'
    assert text == f"{top}\n{row_text('a', 'x')}\n"
    assert index(text).updated(STAMP, 3, {"a": "x"}) == text


@pytest.mark.parametrize(
    "text",
    [
        "no front matter\n",
        "---\nrawFilesProcessed: 9\n",
        "---\n---\n",
        "---\nrawFilesProcessed: -3\n---\n",
        "---\nrawFilesProcessed: 1.5\n---\n",
        f"---\nrawFilesProcessed: {'9' * 5000}\n---\n",
        "\n---\nrawFilesProcessed: 9\n---\n",
        "---\n- rawFilesProcessed\n---\n",
    ],
)
def test_front_matter_that_is_broken_covers_nothing(text: str) -> None:
    assert index(text).processed == 0
    updated = index(text).updated(STAMP, 4, {})
    assert (index(updated).processed, str(index(updated).last_compaction)[:4]) == (4, "2026")
    kept = [line for line in text.splitlines() if "rawFilesProcessed:" not in line]
    assert set(kept) <= set(updated.splitlines())


def test_rows_in_another_form() -> None:
    lines = [
        "**build-caching** cache keys → themes/build-caching.md",
        "**build-caching** — cache keys",
        "- **build-caching** — cache keys → themes/build-caching.md",
        "see themes/build-caching.md",
    ]
    assert [text for _, text in index("\n".join([*lines, "plain"])).malformed] == lines


@given(st.text(alphabet="a*-—→ \n\r:#'\"[]{}0\ufeff", max_size=60))
def test_whatever_the_text_an_update_loses_no_line(text: str) -> None:
    updated = index(text).updated(STAMP, 2, {"a": "x"})
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    assert set(lines) - {""} <= {line.strip() for line in updated.splitlines()}
    again = TierIndex(updated.encode())
    assert (again.processed, again.updated(STAMP, 2, {"a": "x"})) == (2, updated)
