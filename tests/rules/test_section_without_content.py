from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import FENCE, FRONT, lines, run

RULE = "section-without-content"


def flagged(source: str) -> list[int]:
    return lines(RULE, source, role=Role.TARGET, path="docs/decisions/a.md")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# D\n\n## A\n\n### B\n\ntext\n", [3]),
        ("## A\n<!--\none\ntwo\nthree\n-->\n### B\n", [1]),
        ("## A\r\n\r\n### B\r\n", [1]),
        ("## A\none\ntwo\nthree\n### B\n", []),
        ("# D\n## A\n## B\n", []),
        (f"## A\n\n{FENCE}\n### B\n{FENCE}\n", []),
    ],
)
def test_sections_with_few_lines(source: str, expected: list[int]) -> None:
    assert flagged(source) == expected


def test_message_says_how_many_and_what_to_write() -> None:
    (finding,) = run(RULE, "## A\n\none\n\n### B\n", role=Role.TARGET)
    assert '"A" has 1 line of its own' in finding.message
    assert finding.message.endswith('or write "## .A"')
    (finding,) = run(RULE, "### A\n#### B\n", role=Role.TARGET)
    assert '"A" has no lines of its own' in finding.message


INDEX = "<!-- INDEX:START -->\n| Date | Learning |\n|---|---|\n| x | y |\n<!-- INDEX:END -->\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# L\n\n---\n\nstray\n\n## A\n", [5]),
        ("# L\r\n\r\n---\r\n\r\nstray\r\n\r\n## A\r\n", [5]),
        (f"# L\n\n---\n\n{INDEX}\nstray\n\n## A\n", [11]),
        ("# L\n\n---\n\n### deeper\n\n## A\n", [5]),
        ("# L\n\n---\n\nstray\n\n## C\n### A\n### B\n", [5]),
        ("# L\n\nintroduction\n\n## A\n", []),
        ("# L\n\n---\n\n<!-- note -->\n<!--\nmore\n-->\n## A\n", []),
        ("# L\n\n---\n\n## C\n\nabout C\n\n### A\n### B\n", []),
        ("# L\n\n---\n\nNewest first:\n\n- 2026-01-01 a\n", []),
        (f"{FRONT}introduction\n\n## A\n", []),
    ],
)
def test_which_text_is_stray(source: str, expected: list[int]) -> None:
    assert lines("orphan-content", source) == expected


def test_message_counts_and_quotes() -> None:
    (finding,) = run("orphan-content", "# L\n\n---\n\nstray\n\nmore\n\n## A\n")
    assert '"stray" (2 lines)' in finding.message
    assert "front matter" not in finding.message


def test_front_matter_that_is_never_closed_is_guessed() -> None:
    (finding,) = run("orphan-content", "---\ntitle: Memory\ntags: [a\n\n## A\n")
    assert finding.line == 2
    assert finding.message.endswith("or close the front matter")
