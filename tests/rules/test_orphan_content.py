from __future__ import annotations

import pytest

from tests.rules.cases import FRONT, lines, run

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
