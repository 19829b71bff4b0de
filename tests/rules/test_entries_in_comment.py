from __future__ import annotations

import pytest

from tests.rules.cases import FRONT, lines, run

RULE = "entries-in-comment"
TWO = "<!--\n## [2026-02-16] B\n\n## [2026-02-17-120000] C\n-->\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{TWO}", [3]),
        (f"{FRONT}## A\n\n{TWO}", [6]),
        ("## A\n\n<!-- ## [LRN-20260216-001] B\n## [LRN-20260217-001] C -->\n", [3]),
        ("## A\n\n<!--\n## [2026-02-16] B\n-->\n", []),
        ("## A\n\n<!--\n- 2026-02-16 one\n- 2026-02-17 two\n-->\n", []),
        (f"## A\n\n{TWO}".replace("-->\n", ""), []),
        ("# L\n\n<!--\n## <when it applies>\n-->\n", []),
        ("# L\n\n<!--\n# L\n\n#### deep\n-->\n", []),
    ],
)
def test_what_a_comment_hides(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_message_says_how_many() -> None:
    (finding,) = run(RULE, f"## A\n\n{TWO}")
    assert "this comment hides 2 entries" in finding.message
    (finding,) = run(RULE, "# L\n\n<!--\n## B\n\n## C\n-->\n")
    assert "contains 2 headings;" in finding.message
    (finding,) = run(RULE, "# L\n\n<!--\n## B\n\n## 2026-02-16 C\n-->\n")
    assert "contains a heading with a date;" in finding.message
