"""Text that belongs to no entry."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

INDEX = "<!-- INDEX:START -->\n| Date | Learning |\n|---|---|\n| x | y |\n<!-- INDEX:END -->\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# L\n\n---\n\nstray\n\n## A\n", [5]),
        ("# L\n\n---\n\n- stray\n- more\n\n---\n\n## A\n", [5]),
        ("# L\n---\nstray\n## A\n", [3]),
        ("# L\r\n\r\n---\r\n\r\nstray\r\n\r\n## A\r\n", [5]),
        (f"{FRONT}# L\n\n---\n\nstray\n\n## A\n", [8]),
        (f"{BOM}# L\n\n---\n\nstray\n\n## A\n", [5]),
        (f"# L\n\n---\n\n{FENCE}\ncode\n{FENCE}\n\n## A\n", [5]),
        (f"# L\n\n---\n\n{INDEX}\nstray\n\n## A\n", [11]),
        ("# L\n\n---\n\n### deeper\n\n## A\n", [5]),
        ("# L\n\n---\n\nstray\n\n## [2026-02-16-120000] A\n", [5]),
        ("# L\n\n---\n\nstray\n\n## [L-001] A\n", [5]),
        ("# L\n\n---\n\nstray\n\n## C\n### A\n### B\n", [5]),
        ("# L\n\n---\n\nstray\n\n- 2026-01-01 a\n", [5]),
        ("<!--\nnote -->\n---\nstray\n\n## A\n", [4]),
        ("<!-- note -->\n---\nstray\n\n## A\n", [3]),
    ],
)
def test_stray_text(source: str, expected: list[int]) -> None:
    assert lines("orphan-content", source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "# L\n\nintroduction\n\n## A\n",
        "# L\n\nintroduction\n\n---\n\n## A\n",
        "# L\n\n---\n\n---\n* * *\n\n## A\n",
        "# L\n\n---\n\n<!-- note -->\n<!--\nmore\n-->\n## A\n",
        f"# L\n\n---\n\n{INDEX}\n## A\n",
        "# L\n\n---\n\n# Part\n\nabout it\n\n## A\n",
        "# L\n\n---\n\n## C\n\nabout C\n\n### A\n### B\n",
        "# L\n\n---\n\nContents:\n\n- [A](#a)\n- [B](#b)\n\n## A\n## B\n",
        "# L\n\n---\n\n[A](#a) | [B](#b)\n\n## A\n## B\n",
        "# L\n\n---\n\nNewest first:\n\n- 2026-01-01 a\n",
        "Learnings\n---------\n\nintroduction\n\n## A\n",
        "# L\n\n---\n\nno entries at all\n",
        f"{FRONT}introduction\n\n## A\n",
        f"{FENCE}\n---\n{FENCE}\nintroduction\n\n## A\n",
        "",
    ],
)
def test_nothing_stray(source: str) -> None:
    assert lines("orphan-content", source) == []


def test_message_counts_and_quotes() -> None:
    (finding,) = run("orphan-content", "# L\n\n---\n\nstray\n\nmore\n\n## A\n")
    assert '"stray" (2 lines)' in finding.message
    assert "front matter" not in finding.message


def test_front_matter_that_is_never_closed_is_guessed() -> None:
    (finding,) = run("orphan-content", "---\ntitle: Memory\ntags: [a\n\n## A\n")
    assert finding.line == 2
    assert finding.message.endswith("or close the front matter")
