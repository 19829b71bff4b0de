"""What a change does to a memory file."""

from __future__ import annotations

from learnings.core.entries.document import Document, read
from learnings.core.entries.entry_changes import delta

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
