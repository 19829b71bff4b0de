"""Entries that a merge has mixed."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

RULE = "merge-damage"
BODY = "Look at the lock.\n\nThen kill it.\n"
FIELDS = "**Context**: x\n\n**Lesson**: y\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{BODY}\n## B\n\n{BODY}", [7]),
        (f"## A\n\n{BODY}\n---\n\n## B\n\n{BODY}", [9]),
        (f"## A\n\n{BODY}\n## C\n\nx\n\n## B\n{BODY}\n---\n", [11]),
        (f"## A\n\n{BODY}\n## B\n\n{BODY}\n## C\n\n{BODY}", [7, 13]),
        (f"## A\n\n{BODY}\n## B\n\n{BODY}".replace("\n", "\r\n"), [7]),
        (f"{FRONT}## A\n\n{BODY}\n## B\n\n{BODY}", [10]),
        (f"{BOM}## A\n\n{BODY}\n## B\n\n{BODY}", [7]),
        (f"## [2026-02-16-120000] A\n\n{BODY}\n## [2026-02-16-120001] A\n\n{BODY}", [7]),
        ("## A\n- x\n- y\n## B\n-  x\n- y\n", [4]),
        (f"## A\n\n{FENCE}\none\ntwo\n{FENCE}\n\n## B\n\n{FENCE}\none\ntwo\n{FENCE}\n", [8]),
        ("- 2026-03-04 a\n  one\n  two\n- 2026-03-05 b\n  one\n  two\n", [4]),
    ],
)
def test_same_text(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## A\n\nLook.\n\n## B\n\nLook.\n",
        "## A\n\nLook.\nLook.\n\n## B\n\nLook.\nLook.\n",
        f"## A\n\n{BODY}\n## A\n\n{BODY}",
        f"## A b\n\n{BODY}\n## a  B\n\n{BODY}",
        f"## A\n\n{BODY}\n## B\n\n{BODY}More.\n",
        "## A\n\n**Context**:\n**Lesson**:\n\n## B\n\n**Context**:\n**Lesson**:\n",
        "## A\n\n**Status:** open\n**Date:**\n\n## B\n\n**Status:** open\n**Date:**\n",
        f"## A\n\n<!--\n## B\n\n{BODY}-->\n\n{BODY}",
        "## A\n\n## B\n",
        "- one\n- two\n",
        "",
    ],
)
def test_own_text(source: str) -> None:
    assert lines(RULE, source) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n## B\n\n{FIELDS}{FIELDS}", [1]),
        (f"## A\n\n---\n\n## B\n\n{FIELDS}**Context**: z\n", [1]),
        ("## A\n## B\n**C**: 1\n**C**: 2\n**L**: 1\n**L**: 2\n", [1]),
        ("## A\n## B\n- C: 1\n- L: 1\n- C: 2\n- L: 2\n", [1]),
        (f"## A\n\n## B\n\n{FIELDS}{FIELDS}".replace("\n", "\r\n"), [1]),
        (f"## A\n\n{FIELDS}{FIELDS}## B\n\n## C\n\ntext\n", [11]),
        (f"## A\n\n## B\n\n## C\n\n{FIELDS}{FIELDS}", [1, 3]),
        (f"## T\n\n### A\n\n### B\n\n{FIELDS}{FIELDS}\n### C\n", [3]),
        ("## A\n## B\n**C:** 1\n**L:** 1\n**c:** 2\n", [1]),
    ],
)
def test_text_of_two(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        f"## A\n\n## B\n\n{FIELDS}",
        f"## A\n\ntext\n\n## B\n\n{FIELDS}{FIELDS}",
        f"## B\n\n{FIELDS}{FIELDS}## A\n",
        "## A\n\n## B\n\n**Note**: 1\n**Note**: 2\n",
        f"## A\n\n## B\n\n### One\n\n{FIELDS}### Two\n\n{FIELDS}",
        f"## A\n\n## B\n\ntext\n\n## C\n\n{FIELDS}{FIELDS}",
        f"## A\n\n{FENCE}\n## B\n\n{FIELDS}{FIELDS}{FENCE}\n",
        "- one\n- two\n  a: 1\n  b: 1\n  a: 2\n",
        "## A\n\n## B\n\n- One\n  - Pros: 1\n  - Cons: 1\n- Two\n  - Pros: 2\n  - Cons: 2\n",
        "## A\n\n## B\n\n<!--\n- version: 1\n- by: x\n- version: 2\n- by: y\n-->\n\ntext\n",
        f"## A\n\n## B\n\n{FENCE}\na: 1\nb: 1\na: 2\nb: 2\n{FENCE}\n",
    ],
)
def test_text_of_one(source: str) -> None:
    assert lines(RULE, source) == []


def test_message_names_both() -> None:
    (finding,) = run(RULE, f"## A\n\n{BODY}\n## B\n\n{BODY}")
    assert finding.message.startswith('"B" has the same text as "A" on line 1;')
    (finding,) = run(RULE, f"## A\n\n## B\n\n{FIELDS}{FIELDS}")
    assert finding.message.startswith('"A" has no text, while "B" on line 3 has the fields of two')
