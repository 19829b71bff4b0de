"""What a change does to a memory file."""

from __future__ import annotations

import pytest

from learnings.core.entries.document import Document, read
from learnings.core.entries.entry_changes import Delta, delta

LONG = "Look at the lock file first, then at the process table, and only then at the network.\n"


def memory(*entries: tuple[str, str]) -> Document:
    text = "# L\n\n" + "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)
    return read(text.encode())


def titles(change: Delta) -> tuple[list[str], list[str], int, list[tuple[str, str]]]:
    added, removed = [e.title for e in change.added], [e.title for e in change.removed]
    return added, removed, change.reworded, [(old.title, new.title) for old, new in change.near]


def test_a_new_file() -> None:
    change = delta("a.md", None, memory(("When a", "x")), limit=150)
    assert (change.lines_before, change.lines_after, change.limit) == (None, 6, 150)
    assert titles(change) == (["When a"], [], 0, [])
    assert not change.is_empty


def test_entries_that_come_and_go_and_change_their_name() -> None:
    before = memory(("When a", "x"), ("When b", LONG), ("When c", "y"))
    after = memory(("When c", "y"), ("How to b", LONG), ("When d", "z"), ("When e", "z"))
    change = delta("a.md", before, after, limit=150)
    assert titles(change) == (["When d", "When e"], ["When a"], 1, [])
    assert (change.lines_before, change.lines_after) == (15, 19)


def test_a_new_entry_that_says_what_another_one_says() -> None:
    before = memory(("When a", LONG))
    after = memory(("When a", LONG), ("When b", LONG + "Really.\n"))
    assert titles(delta("a.md", before, after, limit=150))[3] == [("When a", "When b")]


@pytest.mark.parametrize(
    ("after", "is_empty"),
    [(memory(("When a", "x")), True), (memory(("When a", "y")), True), (memory(), False)],
)
def test_nothing_to_tell(after: Document, is_empty: bool) -> None:  # noqa: FBT001
    assert delta("a.md", memory(("When a", "x")), after, limit=150).is_empty is is_empty
