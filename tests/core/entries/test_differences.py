from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.entries.chunked_versions import VersionDifference, chunked_version
from learnings.core.entries.document import AUTO, Document, Entry, ReadOptions, read_older
from learnings.core.entries.entry_changes import (
    comparable_line,
    compare_entries,
    counterpart,
    hidden_line,
)
from learnings.core.text import chomp

START = "# Learnings\n\n---\n\n## A\n\n- a\n\n## B\n\nb\n"
FENCE_IN_YAML = "---\na: |\n  ```\n---\n"
RULED = "# Learnings\n\n- above\n\n---\n\n- below\n"
DATED = "# Learnings\n\n- above\n- 2026-01-01: one\n"
ITEMS = "# Learnings\n\n## Chapter\n\n- **One** a\n- **Two** b\n"
COMMENT = "# L\n\n<!-- INDEX -->\n\n## A\n\na\n\n## B\n\n```sh\n# comment\n```\n"


def difference(old: str, new: str, options: ReadOptions = AUTO) -> VersionDifference:
    return VersionDifference(
        chunked_version(old.encode(), options), chunked_version(new.encode(), options)
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (START, START, True),
        (START, START.replace("## B", "## C\n\nc\n\n## B"), True),
        (START, START.replace("\nb\n", "\nb\nmore\n"), True),
        (START, START.replace("- a\n", "- another\n"), True),
        (START, START.replace("\nb\n", "\n```\n## code\n```\n"), True),
        (START, START.replace("---", "Seen: today").replace("- a", "- b"), True),
        (START, "# Learnings\n\n---\n\n## B\n\nb\n\n## A\n\n- a\n", True),
        (START, START.replace("\n", "\r\n"), True),
        ("## A\n## B", "## A\n## B\n## C\n", True),
        (START, START.replace("## A", "## a"), False),
        (START, START.replace("## B", "## B2"), False),
        (START, START.replace("\n## B\n\nb\n", ""), False),
        (START, START.replace("- a\n", "```\n"), False),
        (START, START.replace("---", "```\n\n---"), False),
        (COMMENT, COMMENT.replace("\na\n", "\nbetter\n"), True),
        (COMMENT, COMMENT.replace("-->", "--"), False),
        (ITEMS, ITEMS + "- **Three** c\n", True),
        (ITEMS, ITEMS.replace("- **One** a\n", ""), False),
        (ITEMS, ITEMS.replace("- **One** a\n", "1. **One** a\n"), False),
        (ITEMS, ITEMS + "\n## Usage\n\n- **Three** c\n", False),
        (START + "## Themes\n", START + "## C\n\n## Themes\n", True),
        (START + "## Themes\n## C\n", START + "## C\n## Themes\n", False),
        ("---\na: b\n---\n" + START, "---\na: c\n---\n" + START, True),
        ("---\n# a: b\n---\n" + START, "---\n# a: c\n---\n" + START, False),
        (FENCE_IN_YAML + START, FENCE_IN_YAML + START.replace("## B", ""), False),
        (ITEMS, ITEMS.replace("- **One", " ## Usage\n\n- **One"), False),
        (DATED, DATED + "- 2026-02-01: two\n", True),
        (DATED, DATED.replace("- 2026", "- 2025-12-01: zero\n- 2026"), True),
        (DATED, DATED.replace("- 2026", "\n---\n\n- 2026"), False),
        (RULED, RULED + "- later\n", True),
        (RULED, RULED + "- 2026-02-01: dated\n", False),
    ],
)
def test_what_removes_nothing(old: str, new: str, expected: bool) -> None:  # noqa: FBT001
    assert difference(old, new).removes_nothing is expected


@pytest.mark.parametrize(
    ("new", "line", "expected"),
    [
        (START + "## C\n", "## C", (False, True)),
        (START + "## C\n", "text", (False, False)),
        (START.replace("\nb\n", "\nc\n"), "## B", (True, False)),
        (START.replace("- a\n", "- b\n"), "## A", (True, False)),
        (START.replace("## B", "## [B]"), "## [B]", (False, False)),
        (START.replace("## B", "## B <!-- learnings: ignore=all x -->"), "## B", (False, False)),
        (START.replace("## B", "## B2"), "## B2", (False, True)),
        (START + "## B\n", "## B", (False, False)),
        (START.replace("- a", "- c\n- a\n- a"), "- c", (False, True)),
        (START.replace("- a", "1. a"), "1. a", (False, False)),
        (START.replace("- a", "- 2026-02-01: a"), "- 2026-02-01: a", (False, False)),
        (START.replace("- a", "- B"), "- B", (False, False)),
    ],
)
def test_entries_of_the_new_version(new: str, line: str, expected: tuple[bool, bool]) -> None:
    change = difference(START, new)
    assert (change.surely_holds(line), change.surely_lacks(line)) == expected


def test_bodies_tell_entries_with_the_same_heading_apart() -> None:
    twins = "## A\n\na\n\n## B\n\n## A\n\nb\n\n## C\n\nc\n"
    assert difference(twins, twins.replace("\nc\n", "\nd\n")).surely_holds("## A")
    assert not difference(twins, twins.replace("\nb\n", "\nd\n")).surely_holds("## A")
    below = "## A\n\n## B\n\n## A\n\n### Sub\n\nb\n"
    assert not difference(below, below.replace("\nb\n", "\nd\n")).surely_holds("## A")


def test_settings_and_numbers_decide_with_the_lines() -> None:
    preamble, bullets = ReadOptions(preamble_lines=4), ReadOptions("bullet")
    assert not difference(START, START.replace("---\n", ""), preamble).removes_nothing
    assert difference(START, START.replace("- a\n", ""), preamble).removes_nothing
    assert not difference(START, START.replace("- a\n", "- b\n"), bullets).removes_nothing
    # A second `B` may be a `B #2`, a heading may have been an item.
    numbered = difference("## B\n\n## B\n", "## B\n\n## B #2\n")
    assert not numbered.surely_lacks("## B #2")
    item = difference("# L\n\n- one\n", "# L\n\n## One\n", bullets)
    assert not item.surely_lacks("## One")
    # An entry that leaves the preamble gives others another number.
    twins = "# L\n\n## A\n\n## A\n"
    change = difference(twins, f"Top.\n\n{twins}", ReadOptions(preamble_lines=3))
    assert not change.surely_holds("## A")


SAME = "words of a body that are the same in both"
FRAGMENTS = (
    *(
        "## One\n",
        f"## Two\n\n{SAME}\n",
        f"## Three\n\n{SAME}\n",
        "### Deeper\n",
        "  ## Indented\n",
    ),
    *("## [2026-02-16-120000] Stamped\n", "## One #2\n", "- item\n", "- 2026-02-01: dated\n"),
    *(
        "## one <!-- learnings: ignore=all x -->\n",
        "1. numbered\n",
        "  - nested\n",
        "---\n",
        "```\n",
    ),
    *("<!-- \n", "-->\n", "## Themes\n", "text\n", "\n", "no end", "\r"),
)
LINES = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)
OPTIONS = st.sampled_from([AUTO, ReadOptions("bullet"), ReadOptions(preamble_lines=3)])


def older(entry: Entry, new: Document, old: Document) -> tuple[str, str] | None:
    """Return the first line and the identity of what an entry was, as `trails` follows it."""
    counter = counterpart(entry, new, old)
    if counter is not None:
        return chomp(counter.lines[0]), counter.identity
    number = hidden_line(comparable_line(entry.lines[0]), new, old)
    return None if number is None else (chomp(old.lines[number - 1]), entry.identity)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(LINES, LINES, LINES, LINES, OPTIONS)
def test_documents_say_the_same(
    above: str, part: str, new_part: str, below: str, options: ReadOptions
) -> None:
    texts = above + part + below, above + new_part + below
    change = difference(*texts, options)
    old, new = (read_older(text.encode(), options) for text in texts)
    if change.removes_nothing:
        changes = compare_entries(old, new)
        assert (changes.removed, changes.reworded) == ((), ())
    if len(new.by_identity) < len(new.entries):
        return  # the second `One` and a first `One #2` are one to the documents
    for entry in new.entries:
        line = chomp(entry.lines[0])
        if change.surely_holds(line):
            assert older(entry, new, old) == (line, entry.identity)
        elif change.surely_lacks(line):
            assert older(entry, new, old) is None
