from __future__ import annotations

import pytest

from tests.rules.cases import FENCE, lines, run

STAMPED = "## [2026-02-16-120000] A\n\n## [2026-02-17-120000]{}\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\n##\n\ntext\n", [3]),
        ("## A\n\n## ##\n", [3]),
        ("## A\r\n\r\n##\r\n", [3]),
        ("## C\n### A\n###\n## D\n### B\n", [3]),
        ("## A\n\n### \n", []),
        (f"## A\n{FENCE}\n##\n{FENCE}\n", []),
        ("## A\n## 🎉\n## ?? 1\n## 二\n## 2026-02-01\n", []),
    ],
)
def test_which_titles_are_empty(source: str, expected: list[int]) -> None:
    assert lines("entry-title-empty", source) == expected


def test_message_names_the_stamp() -> None:
    (finding,) = run("entry-title-empty", STAMPED.format(""))
    assert finding.message.startswith("this heading has no title after [2026-02-17-120000];")
