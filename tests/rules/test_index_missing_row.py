"""The rule `index-missing-row`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines, run

RULE = "index-missing-row"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("## When a page hangs", [3]),
        ("###### When a page hangs", [3]),
        ("## WHEN A BUILD HANGS", []),
        ("## .Pages", []),
        ("# Pages", []),
        ("```\n## When a page hangs\n```", []),
        ("<!--\n## When a page hangs\n-->", []),
    ],
)
def test_what_needs_a_row(heading: str, expected: list[int]) -> None:
    source = INDEX + CLI + f"## When a build hangs\n\n{heading}\n"
    assert lines(RULE, source) == expected
    assert lines(RULE, source.replace("\n\n" + heading, "\r\n\r\n" + heading)) == expected


def test_a_row_that_comes_near_does_not_count() -> None:
    near = INDEX.replace("a build", "the build") + CLI + "## When a build hangs\n"
    for settings in ("", "<!-- fuzzy-threshold = 0.8 -->\n"):
        (finding,) = run(RULE, settings + near)
        assert "did you mean the row on line" in finding.message
        assert finding.path == "agents/decisions/cli.md"
