from __future__ import annotations

import pytest

from tests.rules.cases import BOM, lines, run

RULE = "ephemeral-path"


@pytest.mark.parametrize(
    ("text", "path", "column"),
    [
        ("See tmp/locks.md.", "tmp/locks.md", 5),
        ("[analysis](/tmp/locks.md)", "/tmp/locks.md", 12),
        ("See tmp/deep-dive/ for more", "tmp/deep-dive", 5),
        ("See tmp/consolidation-report.md.bak", "tmp/consolidation-report.md.bak", 5),
    ],
)
def test_one_path(text: str, path: str, column: int) -> None:
    (finding,) = run(RULE, f"## A\n\n{text}\n")
    assert (finding.column, f'"{path}"' in finding.message) == (column, True)


@pytest.mark.parametrize(
    "text",
    [
        "Artifacts in tmp/ are ignored.",
        "Logs go there: make > tmp/build.log",
        "A socket at /tmp/app.sock",
        "See tmp/{id}/a.md",
        "See tmp/foo.md",
        "The report is tmp/consolidation-report.md.",
    ],
)
def test_nothing_relied_on(text: str) -> None:
    assert run(RULE, f"## A\n\n{text}\n") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\nx\n\nSee tmp/a.md\nSee tmp/b.md\n\n## B\n\nSee tmp/c.md\n", [5, 10]),
        (f"{BOM}## A\nSee tmp/a.md\n", [2]),
        ("# L\n\nSee tmp/a.md\n\n## A\n", []),
        ("## A\n\n~~Superseded by B~~\n\nSee tmp/a.md\n", []),
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
