"""The summary of a CI job."""

from __future__ import annotations

from markdown_it import MarkdownIt

from learnings.check.session_cost import SessionCost
from learnings.consolidation.proof.changes import EntryChange
from learnings.consolidation.proof.losses import FilePlace
from learnings.core.cost import Cost
from learnings.core.due.forecast import SizeSeries
from learnings.core.entries.document import read
from learnings.core.entries.entry_changes import delta
from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.render import job_summary
from learnings.surfaces.render.job_summary import LARGEST_SUMMARY, as_markdown
from tests.surfaces.verdicts import inspected, verdict

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})
ENTRIES = [(f"When {number}", "text") for number in range(1, 9)]
NONE = CheckReport.of([], files=2)
GROWTH = SizeSeries(5, (10, 20, 160), "2026-01-10", 150)
LONG = "Look at the lock file first, then at the process table, and then at the network."


def finding(message: str = "is wrong", path: str = "a.md") -> Finding:
    return Finding("duplicate-entry", Severity.ERROR, path, 3, 1, message)


def test_what_the_memory_costs() -> None:
    cost = SessionCost({"a.md": Cost(3000, 15200), "b.md": Cost(600, 3040)}, Cost(900, 4560))
    text = as_markdown(inspected(NONE, [], cost=cost))
    saved = "of which the next consolidation saves up to 1,200."
    assert f"The memory costs about 4,800 tokens in each session, {saved}" in text
    assert "tokens" not in as_markdown(inspected(NONE, [], cost=SessionCost({}, Cost(0, 0))))


def test_a_row_for_each_file() -> None:
    starved = verdict(ENTRIES[:2], file="b.md", settings=FileSettings(starved_escalates_after=99))
    calm = verdict(ENTRIES, file="c|d.md", consolidated=2)
    text = as_markdown(inspected(NONE, [verdict(ENTRIES), starved, calm]))
    assert "| `agents/learnings.md` | **due**: 19 active days since the oldest entry" in text
    assert "| 34/150 | 19/14 | 5/3 |" in text
    assert "| `b.md` | starved: due in" in text
    forecast = "due in 12 active days: 14 active days without a consolidation by then"
    assert f"| `c\\|d.md` | not-due: {forecast} | 34/150 | 2/14 | 5/3 |" in text
    assert "### Findings\n\n0 errors, 0 notices in 2 files\n" in text


def test_what_a_change_does() -> None:
    before = read(f"# L\n\n## When a\n\n{LONG}\n\n## When x\n\ny\n".encode())
    after = read(f"# L\n\n## When a\n\n{LONG}\n\n## When @b\n\n{LONG} Yes.\n\n## C\n\nz\n".encode())
    deltas = [delta("a.md", before, after, limit=150), delta("n.md", None, before, limit=80)]
    lost = EntryChange("lost", "When x", "when x", FilePlace("a.md", 7), None)
    added = [EntryChange("added", t, t, None, FilePlace("a.md", 7)) for t in ("When @b", "C")]
    text = as_markdown(inspected(NONE, [], deltas=deltas, changes=[*added, lost]))
    assert "- `a.md`: 9 → 13 of 150 lines\n" in text
    assert "  - `When @b` is a near-duplicate of `When a`\n" in text
    assert "- `n.md`: new → 9 of 80 lines\n" in text
    assert "- Adds 2 entries, loses 1.\n  - **added** `When @b` at `a.md:7`\n" in text


def test_a_chart_for_each_file() -> None:
    text = as_markdown(inspected(NONE, [], charts=[("a.md", GROWTH)]))
    assert "### Lines of `a.md`\n\n```mermaid\n%%{init: " in text
    assert job_summary.growth_chart(GROWTH).splitlines()[3:] == [
        '    x-axis "active days until 2026-01-10" 5 --> 7',
        '    y-axis "lines" 0 --> 176',
        "    line [10, 20, 160]",
        "    line [150, 150, 150]",
        "```",
    ]


def test_findings_and_what_is_not_known() -> None:
    report = CheckReport.of([finding("<img> | @team", "x|y.md")], files=1)
    text = as_markdown(inspected(report, [], problems=["a shallow clone; deepen it"]))
    row = "| error | `x\\|y.md:3` | duplicate-entry | `<img> \\| @team` |\n"
    head = "1 error, 0 notices in 1 file\n\n| | location | rule | finding |\n|---|---|---|---|\n"
    assert head + row in text
    assert "> **Not known:** `a shallow clone; deepen it`" in text
    kinds = {part.type for t in MARKDOWN.parse(text) for part in t.children or [t]}
    assert not kinds & {"html_inline", "html_block", "image", "link_open"}


def test_it_is_cut_by_whole_rows() -> None:
    report = CheckReport.of([finding(f"{number} " + "x" * 200) for number in range(9_000)], files=1)
    text = as_markdown(inspected(report, [verdict(ENTRIES)], charts=[("a.md", GROWTH)]))
    shown = text.count("\n| error |")
    assert LARGEST_SUMMARY - 10_000 < len(text.encode()) < LARGEST_SUMMARY - 3_900
    assert f"{9_000 - shown} more rows left out for lack of space" in text
    assert all(line.endswith("|") for line in text.splitlines() if line.startswith("| error"))
    assert "mermaid" not in text
    two = CheckReport.of([finding(), finding("y" * 500)], files=1)
    assert "1 more row left out" in as_markdown(inspected(two, []), room=500)
