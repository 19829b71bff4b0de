from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.entries.changes import compare
from learnings.core.entries.document import read
from learnings.core.entries.insertion import only_inserts, sketch

START = "# Learnings\n\n---\n\n## A\n\n- a\n\n## B\n\nb\n"

FRAGMENTS = (
    "## One\n",
    "## Two\n\nwords of a body that are the same in both\n",
    "## Three\n\nwords of a body that are the same in both\n",
    "## [2026-02-16-120000] Stamped\n",
    "## L-014: Named\n",
    "### Deeper\n",
    "  ## Indented\n",
    "# Top\n",
    "- item\n",
    "- 2026-02-01: dated\n",
    "- dated (2026-02-01)\n",
    "1. numbered\n",
    "  nested\n",
    "---\n",
    "```\n",
    "  ~~~\n",
    "<!-- \n",
    "-->\n",
    "<div>\n",
    "## Themes\n",
    "text\n",
    "\n",
    "no end",
    "\r",
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (START, START + "\n## C\n\nc\n", True),
        (START, START.replace("## B", "## C\n\nc\n\n## B"), True),
        (START, START.replace("\nb\n", "\nb\nmore\n"), True),
        (START, START, False),
        (START, START.replace("## A", "## a"), False),
        (START, START.replace("- a\n", ""), False),
        (START, START + "```\ncode\n```\n", False),
        (START, START + "<!-- note -->\n", False),
        (START, START + "\n- 2026-02-01: dated\n", False),
        (START, START.replace("- a\n", "- a\n- b\n"), True),
        (START, START.replace("b\n", "c\nb\n"), False),
        ("# L\n\n- a\n", "# L\n\n- a\n- b\n", False),
        ("```\n```\n## A\n", "```\n```\n## A\n## B\n", False),
        ("## A\n", "new first line\n## A\n", False),
        ("## A", "## A\n## B\n", True),
        ("", "## A\n", False),
    ],
)
def test_what_only_inserts(old: str, new: str, expected: bool) -> None:  # noqa: FBT001
    assert only_inserts(sketch(old.encode()), sketch(new.encode())) is expected


LINES = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)


@settings(max_examples=100)
@given(LINES, LINES, LINES)
def test_an_insertion_takes_nothing_out(before: str, inserted: str, after: str) -> None:
    old, new = (before + after).encode(), (before + inserted + after).encode()
    changes = compare(read(old), read(new))

    if only_inserts(sketch(old), sketch(new)):
        assert changes.removed == ()
        assert changes.reworded == ()


@settings(max_examples=100)
@given(LINES, LINES, LINES)
def test_no_entry_that_was_there_is_overlooked(before: str, inserted: str, after: str) -> None:
    old, new = (before + after).encode(), (before + inserted + after).encode()
    known = read(old).by_identity

    for entry in read(new).entries if only_inserts(sketch(old), sketch(new)) else ():
        if entry.lines[0].startswith("#") and entry.identity in known:
            assert sketch(old).may_hold_heading(entry.lines[0].encode())


@pytest.mark.parametrize(
    ("line", "expected"),
    [("## A\n", True), ("##   a ##\n", True), ("## [A]\n", True), ("## AB\n", False)],
)
def test_words_of_a_heading(line: str, expected: bool) -> None:  # noqa: FBT001
    assert sketch(START.encode()).may_hold_heading(line.encode()) is expected
