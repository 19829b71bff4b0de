"""Cheap tests that come before a regular expression never keep it from a match."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from learnings.core.entries import dialects, place_holders, section_text, titles
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
@example("\u0131ntroduction")
@example("\u0130nstructions")
def test_titles_that_explain_a_file(text: str) -> None:
    assert titles.explains_file(text) is (titles._EXPLAINING.fullmatch(text) is not None)


@given(TEXTS)
@example("**[2026-02-16]")
@example("(2026-02)")
def test_dates_stamps_and_ids(text: str) -> None:
    assert titles.starts_with_date(text) is (titles._DATE_FIRST.match(text) is not None)
    assert titles.is_timestamp_like(text) is (titles._TIMESTAMP_START.match(text) is not None)
    near_end = max(0, len(text) - titles._LONGEST_DATE_LAST)
    first, last = titles._first_date(text), titles._last_date(text)
    assert (first and first.span()) == span(titles._DATE_FIRST.match(text))
    assert (last and last.span()) == span(titles._DATE_LAST.search(text, near_end))
    bracket = titles._BRACKET.match(text)
    assert titles._bracket(text) == (bracket[1] if bracket else None)
    assert "-" in text or titles._BARE_ID.match(text) is None


@given(TEXTS)
def test_headings_leads_and_rulers(text: str) -> None:
    line = f"## {text}\n"
    stripped = titles._HASHES.sub("", line[:-1], count=1).strip(" \t\r")
    assert titles.heading_text(line) == titles._CLOSING_HASHES.sub("", stripped).rstrip(" \t")
    item = titles.item_text(f"- {text}\n")
    assert "[" in item or section_text._TASK_BOX.search(item) is None
    assert item.startswith(("**", "__")) or section_text._BOLD.match(item) is None
    assert ":" in item or section_text._WORDS_BEFORE_COLON.match(item) is None
    assert any(blank in text.lower() for blank in dialects._BLANKS) is (
        re.search(r"[\[<{…]|YYYY|\.\.\.", text, re.IGNORECASE) is not None
    )


@given(TEXTS, st.sampled_from(("- ", "* ", "", "  > ", "#", "\f- ")))
@example("", "- ")
def test_lines_and_tags(text: str, marker: str) -> None:
    line = f"{marker}{text}\n"
    assert dialects._line_may_be_pending(line) is (dialects._MAY_BE_PENDING.match(line) is not None)
    assert any(sign in text for sign in "#@[") or titles._TAG.search(text) is None


@given(LINES)
@example(["## A\n", "\n", "(none yet)\n", "## B\n", "TBD\n"])
@example(["## [Title]\n", "## <topic>\n", "- **bold**\n"])
def test_whole_files(lines: list[str]) -> None:
    source, _, outline = blocks_of("".join(lines).encode())
    parts = dialects.Shape(source, outline)
    waiting = place_holders.count_pending(source, parts.text, parts.second)
    assert 2 * waiting <= len(parts.second) or dialects._may_be_pending(parts)
    assert parts.bold_items <= parts.most_bold
    assert [*parts.titles(2)] == [section.title for section in parts.second]


def span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None
