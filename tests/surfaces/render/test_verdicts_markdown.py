"""Ages, batch and verdicts as Markdown: foreign text has no effect."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnings.app.verify.verification import Verification
from learnings.consolidation.proof.results import FilePlace, Kind, Proof, Result
from learnings.core.due.verdicts import Verdict
from learnings.core.findings.finding import CheckReport
from learnings.surfaces.cli.commands import renderer
from learnings.surfaces.render import ages, due, job_summary, proof, proposals
from learnings.surfaces.render.ages import AgesResult
from learnings.surfaces.render.due import MAX_ROWS, DueResult, JudgedFile, as_text
from tests.surfaces.verdicts import FILE, inspected, verdict

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
    text = ages.as_markdown(AgesResult(verdict(ENTRIES, active_days=2, notes=("a note",)).report))
    assert "**Entries ≥7 active days:** 0\n**Note:** a note\n\n## When a\n" in text
    assert "## When a\n- Age: 1 active day\n- Added: 2026-01-01\n" in text


def test_a_batch_is_the_source_of_its_entries() -> None:
    text = proposals.batch_as_markdown(JudgedFile(verdict(ENTRIES)))
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
        return ages.as_markdown(AgesResult(sample.report))
    if name == "batch":  # the source of the entries is not escaped
        return proposals.batch_as_markdown(JudgedFile(sample._replace(batch=())))
    return due.as_markdown(DueResult([sample]))


def test_the_name_of_a_file_begins_no_line_of_its_own() -> None:
    text = as_text(DueResult([verdict([("When a", "x")], file="a\n::error::b/learnings.md")]))
    assert text.startswith("a\\n::error::b/learnings.md: ")
    assert "\n::error" not in text


# --- length


def entries(number: int) -> list[tuple[str, str]]:
    return [(f"When part {n} hangs", f"Look at lock {n}.") for n in range(number)]


def test_of_a_long_batch_the_first_entries_are_listed() -> None:
    sample = verdict(entries(101))  # the newest three stay in the file
    assert len(sample.batch) == 98
    lines = as_text(DueResult([sample])).splitlines()
    rows = [line for line in lines if "(line " in line]
    assert len(rows) == MAX_ROWS
    assert lines[lines.index(rows[-1]) + 1 :][:2] == [
        "         and 88 more: `learnings batch agents/learnings.md`",
        "  next: learnings plan agents/learnings.md --output tmp/consolidation-plan.md",
    ]
    whole = as_text(DueResult([verdict(entries(MAX_ROWS + 3))])).splitlines()
    assert len(verdict(entries(MAX_ROWS + 3)).batch) == MAX_ROWS
    assert not any("more: `learnings batch" in line for line in whole)


def test_files_that_are_due_come_first_and_others_take_a_line() -> None:
    due = [verdict(entries(50), file=f"packages/{n}/learnings.md") for n in range(2)]
    idle = [verdict(entries(2), active_days=2, file=f"others/{n}/learnings.md") for n in range(18)]
    text = as_text(DueResult([*idle, *due]))
    lines = text.splitlines()
    assert lines[0] == "packages/0/learnings.md: due", "its conditions stand below"
    assert [line for line in lines if line.startswith("others/")] == lines[-18:]
    assert text.count("more: `learnings batch packages/") == 2
    assert as_text(DueResult(idle)).splitlines() == lines[-18:]
    assert as_text(DueResult([*idle[:2], due[0]])).count("  size  ") == 3


def test_rows_fit_a_terminal_and_hold_nothing_that_it_would_obey() -> None:
    odd = [(f"When {'very ' * n}long \x1b[31m", "text") for n in range(20)]
    lines = [line for line in as_text(DueResult([verdict(odd)])).splitlines() if "(line " in line]
    assert len(lines) == MAX_ROWS
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if "\x1b" in line] == []


NONE = CheckReport.of([], files=0)
PLACE = FilePlace("agents/learnings.md", 3)
LOST = Result(Kind.ENTRY, "When mocks lie", "when mocks lie", PLACE, PLACE, rev="HEAD")
COMMAND = "learnings archive --from HEAD --file agents/learnings.md --stage"
OTHERS = {
    "its archive left out": LOST._replace(unstaged="agents/archive/a.md"),
    "a row": LOST._replace(kind=Kind.ROW),
}


def texts(loss: Result) -> list[str]:
    """Return the text of each format for a loss."""
    verification = Verification("1" * 40, None, "index", Proof((loss,)), changed=True)
    summary = job_summary.as_markdown(inspected(NONE, [], verification=verification))
    formats = (proof.as_text, renderer("verify", "json"), proof.as_github)
    return [summary, *(render(verification) for render in formats)]


def test_what_left_as_a_whole_can_be_archived() -> None:
    assert all(COMMAND in text for text in texts(LOST))
    emptied = LOST._replace(detail="only its heading is left")
    assert all(COMMAND in text for text in texts(emptied))


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_can(name: str) -> None:
    assert not any("learnings archive" in text for text in texts(OTHERS[name]))
