"""Entries that rely on files that will be gone."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

RULE = "ephemeral-path"


@pytest.mark.parametrize(
    ("text", "path", "column"),
    [
        ("See tmp/locks.md.", "tmp/locks.md", 5),
        ("Run `tmp/check.sh` first.", "tmp/check.sh", 6),
        ("[analysis](tmp/locks.md)", "tmp/locks.md", 12),
        ("[analysis](/tmp/locks.md)", "/tmp/locks.md", 12),
        ("Details in ./tmp/a/b-c_d.md", "tmp/a/b-c_d.md", 12),
        ("The report was written to tmp/deep-dive", "tmp/deep-dive", 27),
        ("See tmp/deep-dive/ for more", "tmp/deep-dive", 5),
        ("Evidence: /tmp/trace.log", "/tmp/trace.log", 11),
        ("Needs tmp/setup.py, always", "tmp/setup.py", 7),
        ("See tmp/consolidation-report.md.bak", "tmp/consolidation-report.md.bak", 5),
        ("Write to tmp/a.md.\nSee tmp/b.md", "tmp/b.md", 5),
        ("Not in tmp/consolidation-report.md; it was logged in tmp/q.md", None, 0),
    ],
)
def test_one_path(text: str, path: str | None, column: int) -> None:
    findings = run(RULE, f"## A\n\n{text}\n")
    assert [finding.column for finding in findings] == ([column] if path else [])
    assert all(f'"{path}"' in finding.message for finding in findings)


@pytest.mark.parametrize(
    "text",
    [
        "Artifacts in tmp/ are ignored.",
        "Exclude plans/, tmp/, reports.",
        "Write the plan to tmp/plan.md first.",
        "Logs go there: make > tmp/build.log",
        "Never trust tmp/cache.db",
        "The sandbox blocks /tmp/zsh",
        "A socket at /tmp/app.sock",
        "See tmp/<name>.md",
        "See tmp/run-*.log",
        "See tmp/{id}/a.md",
        "See tmp/$USER/a.md",
        "See tmp/...",
        "See tmp/foo.md",
        "See https://example.org/tmp/a.md",
        "See var/tmp/a.md and my-tmp/a.md and $TMP/tmp/a.md",
        "The report is tmp/consolidation-report.md.",
        "make > tmp/build.log; then read tmp/build.log",
        "Write the plan to tmp/plan.md.\n\nThe agent reads tmp/plan.md.",
    ],
)
def test_nothing_relied_on(text: str) -> None:
    assert run(RULE, f"## A\n\n{text}\n") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\nx\n\nSee tmp/a.md\nSee tmp/b.md\n\n## B\n\nSee tmp/c.md\n", [5, 10]),
        ("## A\r\n\r\nSee tmp/a.md\r\n", [3]),
        (f"{FRONT}## A\nSee tmp/a.md\n", [5]),
        (f"{BOM}## A\nSee tmp/a.md\n", [2]),
        ("## A\n\n> See tmp/a.md\n", [3]),
        ("- 2026-03-04 see tmp/a.md\n", [1]),
        ("# L\n\nSee tmp/a.md\n\n## A\n", []),
        (f"## A\n\n{FENCE}\nSee tmp/a.md\n{FENCE}\n", []),
        ("## A\n\n<!-- See tmp/a.md -->\n", []),
        ("## A\n\n~~Superseded by B~~\n\nSee tmp/a.md\n", []),
        ("## When writing to tmp\n\nSee tmp/a.md\n", []),
        ("## Temporary files\n\nSee tmp/a.md\n", []),
        ("", []),
    ],
)
def test_where(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_what_a_line_says_far_before_the_path_does_not_count() -> None:
    assert run(RULE, f"## A\n\nnever {'x' * 300} tmp/a.md\n")
    assert not run(RULE, f"## A\n\nnever {'x' * 100} tmp/a.md\n")


def test_many_paths_in_one_line_end() -> None:
    text = "tmp/" * 50_000 + " see tmp/" + "a/" * 100_000 + "* " + "see tmp/[x] " * 5_000
    assert run(RULE, f"## A\n\n{text}\n") == []
