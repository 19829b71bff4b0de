"""Cheap tests that come before a regular expression never keep it from a match."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from learnings.core.entries import detection, dialects, place_holders, titles
from learnings.core.markdown.blocks import blocks_of

# What the patterns look for, in pieces, with what case folding makes of some letters.
PIECES = (
    *("About", "pur", "pose", "USAGE", "How ", "to use", "this file", "works", "Entry ", "format"),
    *("table of ", "contents", "ToC", "\u0131nstructions", "\u0130ntroduction", "u\u017fage", ":"),
    *("2026-02", "-16", "2026-", "٢٠٢٦-٠٢", "12:00", " ", "\t", "[", "]", "(", "**", "__", "#"),
    *("no", "none", "Nothing", "EMPTY", "to be", "n/a", "|", "12.", "_", "*", "@ci", "{}", "...."),
    *("L-014", "ADR-7", "A", "-", "–", "[x] ", "[ ] ", "word", "Yyyy", "...", "…", "<", "{", "é"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
MARKS = st.sampled_from(("## ", "### ", "- ", "- **bold** ", "", "\n", "| a | b |\n|---|---|\n| "))
LINES = st.lists(st.tuples(MARKS, TEXTS).map(lambda parts: "".join((*parts, "\n"))), max_size=9)


@given(TEXTS)
@example("**[2026-02-16]")
@example("(2026-02)")
def test_dates(text: str) -> None:
    near_end = max(0, len(text) - titles._LONGEST_DATE_LAST)
    first, last = titles._first_date(text), titles._last_date(text)
    assert (first and first.span()) == span(titles._DATE_FIRST.match(text))
    assert (last and last.span()) == span(titles._DATE_LAST.search(text, near_end))


@given(LINES)
@example(["## A\n", "\n", "(none yet)\n", "## B\n", "TBD\n"])
@example(["## [Title]\n", "## <topic>\n", "- **bold**\n"])
def test_whole_files(lines: list[str]) -> None:
    source, _, outline = blocks_of("".join(lines).encode())
    parts = dialects.Shape(source, outline)
    pending = sum(place_holders.is_pending(parts.text, section) for section in parts.second)
    assert 2 * pending <= len(parts.second) or detection._may_be_pending(parts)


def span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None
