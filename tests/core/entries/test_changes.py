from __future__ import annotations

import pytest

from learnings.core.entries import entry_changes
from learnings.core.entries.archives import missing_entries
from learnings.core.entries.document import Document, read
from learnings.core.entries.entry_changes import (
    EntryChanges,
    compare_entries,
    delta,
    removed_from_all,
)

TEN = "one two three four five six seven eight nine ten"


def changed(old: str, new: str) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    changes = compare_entries(read(old.encode()), read(new.encode()))
    return (
        [entry.title for entry in changes.removed],
        [entry.title for entry in changes.added],
        [(before.title, after.title) for before, after in changes.reworded],
    )


A = f"## A\n\n{TEN}\n\n"
B = "## B\n\nquite another body with words of its own\n\n"
CATEGORIES = "## Cat\n\n### A\n\na\n\n### B\n\nb\n"


@pytest.mark.parametrize(
    ("old", "new", "removed", "added", "reworded"),
    [
        (A + B, A, ["B"], [], []),
        (A, A + B, [], ["B"], []),
        (A + B, B + A, [], [], []),
        (A + B, (A + B).replace("\n", "\r\n"), [], [], []),
        (A, A.replace("## A", "##   a  ##"), [], [], []),
        (A + B, f"## Reworded\n\n{TEN}\n\n{B}", [], [], [("A", "Reworded")]),
        (A + B, f"{B}```\n{A}```\n", ["A"], [], []),
        (A + A, A, ["A"], [], []),
        (A + B, f"## C\n\n{' '.join(reversed(TEN.split()))}\n\n{B}", ["A"], ["C"], []),
        (CATEGORIES, CATEGORIES.replace("Cat\n", "Cat\n\nwith text of its own\n"), [], [], []),
    ],
)
def test_changes(
    old: str, new: str, removed: list[str], added: list[str], reworded: list[tuple[str, str]]
) -> None:
    assert changed(old, new) == (removed, added, reworded)


@pytest.mark.parametrize(("kept", "pairs"), [(6, [("A", "C")]), (5, [])])
def test_six_words_of_ten_make_two_bodies_alike(kept: int, pairs: list[tuple[str, str]]) -> None:
    words = TEN.split()
    body = " ".join([*words[:kept], *(f"new{n}" for n in range(10 - kept))])

    assert changed(A + B, f"## C\n\n{body}\n\n{B}")[2] == pairs
    # The best pairs come first, each heading is in one, and a body that says nothing in none.
    near = TEN.replace("ten", "eleven")
    old, new = f"## A\n\n{TEN}\n\n## Y\n\n{near}\n\n", f"## C\n\n{near}\n\n## Z\n\n{TEN}\n\n"
    assert sorted(changed(old, new)[2]) == [("A", "Z"), ("Y", "C")]
    for empty in ("", "\n", "\n---\n\n"):
        assert changed(f"## A\n{empty}{B}", f"## C\n{empty}{B}") == (["A"], ["C"], [])


def test_a_merge_removes_what_it_took_from_every_parent() -> None:
    full, half = read((A + B).encode()), read(A.encode())
    empty = read(b"# L\n\n## Z\n\nz\n")
    changes = [compare_entries(full, empty), compare_entries(half, empty)]

    assert [entry.title for entry in removed_from_all(changes)] == ["A"]
    assert removed_from_all([]) == ()
    assert removed_from_all([EntryChanges((), (), ()), changes[0]]) == ()


def test_a_change_of_all_headings_leaves_every_entry_known() -> None:
    """Far more of them than bodies can be compared with each other."""
    names = [f"number {n}" for n in range(900)]
    body = "\n\nThe same words in each of them, but for one.\n\n{name}\n\n"
    old = "# Learnings\n\n" + "".join(f"## When {n} fails{body.format(name=n)}" for n in names)
    new = "# Learnings\n\n" + "".join(f"## If {n} breaks{body.format(name=n)}" for n in names)
    changes = compare_entries(read(old.encode()), read(new.encode()))
    assert not changes.removed
    assert not changes.added
    assert [(a.title[5:-6], b.title[3:-7]) for a, b in changes.reworded] == [(n, n) for n in names]


def test_of_more_pairs_than_can_be_compared_the_first_old_entries_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = "{0}a {0}b {0}c {0}d {0}e"
    old = "".join(f"## Old {n}\n\n{words.format(n)}\n\n" for n in range(3))
    new = "".join(f"## New {n}\n\n{words.format(n)} more\n\n" for n in range(3))
    assert len(changed(old, new)[2]) == 3
    monkeypatch.setattr(entry_changes, "MAX_PAIRS", 6)
    assert changed(old, new)[2] == [("Old 0", "New 0"), ("Old 1", "New 1")]


LONG = "Look at the lock file first, then at the process table, and only then at the network.\n"


def memory(*entries: tuple[str, str]) -> Document:
    text = "# L\n\n" + "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)
    return read(text.encode())


def test_a_new_entry_that_says_what_another_one_says() -> None:
    before = memory(("When a", LONG))
    after = memory(("When a", LONG), ("When b", LONG + "Really.\n"), ("When c", "z"))
    change = delta("a.md", before, after, limit=150)
    assert [(old.title, new.title) for old, new in change.near] == [("When a", "When b")]
    assert (change.lines_before, change.lines_after) == (7, 17)
    new = delta("a.md", None, memory(("When a", "x")), limit=150)
    assert (new.lines_before, new.lines_after, new.limit, new.near) == (None, 6, 150, ())
    # An entry under another name is not new.
    assert delta("a.md", before, memory(("How to a", LONG)), limit=150).near == ()


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
