from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.entries import entry_changes
from learnings.core.entries.archives import missing_entries
from learnings.core.entries.document import (
    AUTO,
    Document,
    Entry,
    ReadOptions,
    Size,
    read,
    read_older,
)
from learnings.core.entries.entry_changes import (
    comparable_line,
    compare_entries,
    counterpart,
    delta,
    hidden_line,
)
from learnings.core.entries.versions import Version, VersionChange
from learnings.core.text import chomp

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
        (A + B, f"{B}```\n{A}```\n", [], [], []),
        (A + B, f"{B}### A\n\n{TEN}\n", [], [], []),
        (A + B, f"{B}### A\n\nIn a word.\n", ["A"], [], []),
        (A + B, f"{B}\u200b{A}", [], [], []),
        (f"{A}{B}### A\n", f"{B}### A\n", ["A"], [], []),
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
    assert (change.before, change.after) == (Size(7), Size(17))
    new = delta("a.md", None, memory(("When a", "x")), limit=150)
    assert (new.before, new.after, new.limit, new.near) == (None, Size(6), 150, ())
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


START = "# Learnings\n\n---\n\n## A\n\n- a\n\n## B\n\nb\n"
FENCE_IN_YAML = "---\na: |\n  ```\n---\n"
RULED = "# Learnings\n\n- above\n\n---\n\n- below\n"
DATED = "# Learnings\n\n- above\n- 2026-01-01: one\n"
ITEMS = "# Learnings\n\n## Chapter\n\n- **One** a\n- **Two** b\n"
COMMENT = "# L\n\n<!-- INDEX -->\n\n## A\n\na\n\n## B\n\n```sh\n# comment\n```\n"


def difference(old: str, new: str, options: ReadOptions = AUTO) -> VersionChange:
    return VersionChange(Version(old.encode(), options), Version(new.encode(), options))


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
        (START, START.replace("- a\n", "```\n"), True),
        (START, START.replace("---", "```\n\n---"), True),
        (START, START.replace("## A", "\u200b## A"), False),
        (START, START.replace("## A", "### A"), False),
        (COMMENT, COMMENT.replace("\na\n", "\nbetter\n"), True),
        (COMMENT, COMMENT.replace("-->", "--"), True),
        (ITEMS, ITEMS + "- **Three** c\n", True),
        (ITEMS, ITEMS.replace("- **One** a\n", ""), False),
        (ITEMS, ITEMS.replace("- **One** a\n", "1. **One** a\n"), False),
        (ITEMS, ITEMS + "\n## Usage\n\n- **Three** c\n", True),
        (START + "## Themes\n## C\n", START + "## C\n## Themes\n", True),
        ("---\na: b\n---\n" + START, "---\na: c\n---\n" + START, True),
        ("---\n# a: b\n---\n" + START, "---\n# a: c\n---\n" + START, False),
        (FENCE_IN_YAML + START, FENCE_IN_YAML + START.replace("## B", ""), False),
        (ITEMS, ITEMS.replace("- **One", " ## Usage\n\n- **One"), True),
        (DATED, DATED + "- 2026-02-01: two\n", True),
        (DATED, DATED.replace("- 2026", "- 2025-12-01: zero\n- 2026"), True),
        (DATED, DATED.replace("- 2026", "\n---\n\n- 2026"), True),
        (RULED, RULED + "- later\n", True),
        (RULED, RULED + "- 2026-02-01: dated\n", True),
    ],
)
def test_what_removes_nothing(old: str, new: str, expected: bool) -> None:
    assert difference(old, new).keeps_entries is expected


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
    assert (change.holds(line), change.lacks(line)) == expected


def test_bodies_tell_entries_with_the_same_heading_apart() -> None:
    twins = "## A\n\na\n\n## B\n\n## A\n\nb\n\n## C\n\nc\n"
    assert difference(twins, twins.replace("\nc\n", "\nd\n")).holds("## A")
    assert not difference(twins, twins.replace("\nb\n", "\nd\n")).holds("## A")
    # A fence may hide one of them.
    assert not difference(twins, twins.replace("## B\n", "## B\n\n```\n")).holds("## A")
    below = "## A\n\n## B\n\n## A\n\n### Sub\n\nb\n"
    assert not difference(below, below.replace("\nb\n", "\nd\n")).holds("## A")


def test_settings_and_numbers_decide_with_the_lines() -> None:
    preamble, bullets = ReadOptions(preamble_lines=4), ReadOptions("bullet")
    assert difference(START, START.replace("---\n", ""), preamble).keeps_entries
    assert difference(START, START.replace("- a\n", ""), preamble).keeps_entries
    assert not difference(START, START.replace("- a\n", "- b\n"), bullets).keeps_entries
    # A second `B` may be a `B #2`, a heading may have been an item.
    numbered = difference("## B\n\n## B\n", "## B\n\n## B #2\n")
    assert not numbered.lacks("## B #2")
    item = difference("# L\n\n- one\n", "# L\n\n## One\n", bullets)
    assert not item.lacks("## One")
    # An entry that leaves the preamble gives others another number.
    twins = "# L\n\n## A\n\n## A\n"
    change = difference(twins, f"Top.\n\n{twins}", ReadOptions(preamble_lines=3))
    assert not change.holds("## A")


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
    if change.keeps_entries:
        changes = compare_entries(old, new)
        assert (changes.removed, changes.reworded) == ((), ())
    if len(new.by_identity) < len(new.entries):
        return  # the second `One` and a first `One #2` are one to the documents
    for entry in new.entries:
        line = chomp(entry.lines[0])
        if change.holds(line):
            assert older(entry, new, old) == (line, entry.identity)
        elif change.lacks(line):
            assert older(entry, new, old) is None
