"""Entries that are commented out."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

RULE = "entries-in-comment"
TWO = "<!--\n## [2026-02-16] B\n\n## [2026-02-17-120000] C\n-->\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{TWO}", [3]),
        (f"## A\n\n{TWO}\n## D\n\n{TWO}", [3, 11]),
        (f"## A\n\n{TWO}".replace("\n", "\r\n"), [3]),
        (f"{FRONT}## A\n\n{TWO}", [6]),
        (f"{BOM}{TWO}\n## A\n", [1]),
        ("## A\n\n<!--\n### 2026-02-16: B\n## C (2026-02-17)\n-->\n", [3]),
        ("## A\n\n<!-- ## [LRN-20260216-001] B\n## [LRN-20260217-001] C -->\n", [3]),
        ("# L\n\n<!--\n## B\n-->\n", [3]),
        ("# L\n\n<!-- ## B -->\n", [3]),
        ("# L\n\n<!--\n## [YYYY-MM-DD] Title\n\n## [2026-02-16] B\n-->\n", [3]),
    ],
)
def test_hidden_entries(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## A\n\n<!--\n## [2026-02-16] B\n-->\n",
        "## A\n\n<!--\n## B\n\n## C\n\n## D\n-->\n",
        "## A\n\n<!--\n## [2026-02-30] B\n\n## [2026-02-16] C\n-->\n",
        "## A\n\n<!--\n- 2026-02-16 one\n- 2026-02-17 two\n-->\n",
        "## A\n\n<!--\n##2026-02-16 one\n##2026-02-17 two\n-->\n",
        f"## A\n\n{FENCE}\n{TWO}{FENCE}\n",
        f"## A\n\n{TWO}".replace("-->\n", ""),
        "## A\n\n> <!--\n> ## [2026-02-16] B\n> ## [2026-02-17] C\n> -->\n",
        "# L\n\n<!--\n## [YYYY-MM-DD] Title\n-->\n",
        "# L\n\n<!--\n## <when it applies>\n-->\n",
        "# L\n\n<!--\n## Format\n\n## [YYYY-MM-DD-HHMMSS] Title\n\n## When to record\n-->\n",
        "# L\n\n<!--\n## [Topic]\n-->\n",
        "# L\n\n<!--\n# L\n\n#### deep\n-->\n",
        "# L\n\n<!-- nothing -->\n",
        "",
    ],
)
def test_nothing_hidden(source: str) -> None:
    assert lines(RULE, source) == []


def test_message_says_how_many() -> None:
    (finding,) = run(RULE, f"## A\n\n{TWO}")
    assert "this comment hides 2 entries" in finding.message
    (finding,) = run(RULE, "# L\n\n<!--\n## B\n\n## C\n-->\n")
    assert "contains 2 headings;" in finding.message
    (finding,) = run(RULE, "# L\n\n<!--\n## B\n\n## 2026-02-16 C\n-->\n")
    assert "contains a heading with a date;" in finding.message
