"""Verdicts as text."""

from __future__ import annotations

from learnings.surfaces.render.due import MAX_ROWS, DueResult, as_text
from tests.surfaces.verdicts import verdict


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
    assert lines[-2:] == [
        "         and 88 more: `learnings batch agents/learnings.md`",
        "  next: learnings plan agents/learnings.md --output tmp/consolidation-plan.md",
    ]
    whole = as_text(DueResult([verdict(entries(MAX_ROWS + 3))])).splitlines()
    assert len(verdict(entries(MAX_ROWS + 3)).batch) == MAX_ROWS
    assert "(line " in whole[-2]


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
