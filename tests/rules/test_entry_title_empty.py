"""Entries without a title."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

STAMPED = "## [2026-02-16-120000] A\n\n## [2026-02-17-120000]{}\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\n##\n\ntext\n", [3]),
        ("## A\n\n## \n## B\n##\n", [3, 5]),
        ("## A\n\n## ##\n", [3]),
        ("## A\n\n## ...\n", [3]),
        ("## A\n\n## **\n", [3]),
        ("## A\r\n\r\n##\r\n", [3]),
        (f"{FRONT}## A\n##\n", [5]),
        (f"{BOM}##\n## A\n", [1]),
        ("## C\n### A\n###\n## D\n### B\n", [3]),
        (STAMPED.format(""), [3]),
        ("## L-001: A\n## L-002:\n", [2]),
    ],
)
def test_empty(source: str, expected: list[int]) -> None:
    assert lines("entry-title-empty", source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## A\n\n### \n",
        "## A\n\n# \n\n## B\n",
        f"## A\n{FENCE}\n##\n{FENCE}\n",
        "<!--\n##\n-->\n## A\n",
        "## A\n## 🎉\n## ?? 1\n## 二\n## 2026-02-01\n",
        STAMPED.format("Title"),
        "- 2026-01-01 a\n-\n",
    ],
)
def test_not_empty_or_no_entry(source: str) -> None:
    assert lines("entry-title-empty", source) == []


def test_message_names_the_stamp() -> None:
    (finding,) = run("entry-title-empty", STAMPED.format(""))
    assert finding.message.startswith("this heading has no title after [2026-02-17-120000];")
