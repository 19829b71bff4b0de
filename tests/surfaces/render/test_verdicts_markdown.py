"""Ages, batch and verdicts as Markdown: foreign text has no effect."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnings.core.due.verdicts import Verdict
from learnings.surfaces.render import ages, due, proposals
from learnings.surfaces.render.due import DueResult
from tests.surfaces.verdicts import FILE, verdict

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})
TEXT = st.text(st.sampled_from("`~|\\<>-!*_[]()#@ \n\r\t\u202e\x1bab1"))
ENTRIES = [("When a", "Text of a."), ("When b", "x"), ("When c", "x"), ("When d", "x")]


def blocks(markdown: str) -> list[str]:
    """Return the kinds of the Markdown blocks."""
    return [token.type for token in MARKDOWN.parse(markdown) if token.nesting >= 0]


def with_text(text: str) -> Verdict:
    """Return a verdict with a text as its file, as a note, and in its first entry."""
    sample = verdict(ENTRIES, file=text, notes=(text,))
    first, *others = sample.batch
    lines = ("## x\n", *(f"{part}\n" for part in text.split("\n")), "text\n")
    entry = first.entry._replace(title=f"x{text}", lines=lines)
    changed = first._replace(entry=entry)
    report = sample.report._replace(entries=(changed, *sample.report.entries[1:]))
    return sample._replace(batch=(changed, *others), report=report)


def test_ages_keep_their_form() -> None:
    text = ages.as_markdown(verdict(ENTRIES, active_days=2, notes=("a note",)).report)
    assert "**Entries ≥7 active days:** 0\n**Note:** a note\n\n## When a\n" in text
    assert "## When a\n- Age: 1 active day\n- Added: 2026-01-01\n" in text


def test_a_batch_is_the_source_of_its_entries() -> None:
    text = proposals.batch_as_markdown(verdict(ENTRIES))
    assert text.startswith(f"# Batch of 3 entries\n\n**File:** `{FILE}`\n**Verdict:** due (")
    source = "## When a\n\nText of a.\n"
    assert f"<!-- line 3: 19 active days, added 2026-01-01 -->\n{source}" in text


def test_a_verdict_lists_its_batch() -> None:
    text = due.as_markdown(DueResult([verdict(ENTRIES, notes=("a note",))]))
    assert f"## `{FILE}`: due\n\n19 active days since the oldest entry" in text
    assert "\nNote: `a note`\n" in text
    assert "- `When a` (19 active days, line 3)\n" in text


def test_one_day_and_one_line_are_singular() -> None:
    text = due.as_markdown(DueResult([verdict([], active_days=1, consolidated=0)]))
    assert "| size | 2 lines |" in text
    text = due.as_markdown(DueResult([verdict(ENTRIES, active_days=5, consolidated=1)]))
    assert "| staleness | 1 active day since the last consolidation |" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["due", "ages", "batch"])
@settings(max_examples=30, deadline=None)
@given(text=TEXT)
@example(text="<!--")
@example(text="\n```\n\n# x")
def test_foreign_text_stays_where_it_is(name: str, text: str) -> None:
    shown = rendered(name, with_text(text))
    assert blocks(shown) == blocks(rendered(name, with_text("x")))
    assert not {"\x1b", "\u202e", "\r"} & set(shown)


def rendered(name: str, sample: Verdict) -> str:
    if name == "ages":
        return ages.as_markdown(sample.report)
    if name == "batch":  # the source of the entries is not escaped
        return proposals.batch_as_markdown(sample._replace(batch=()))
    return due.as_markdown(DueResult([sample]))
