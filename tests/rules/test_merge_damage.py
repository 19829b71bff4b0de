from __future__ import annotations

import pytest

from tests.rules.cases import FRONT, lines, run

RULE = "merge-damage"
BODY = "Look at the lock.\n\nThen kill it.\n"
FIELDS = "**Context**: x\n\n**Lesson**: y\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{BODY}\n## B\n\n{BODY}", [7]),
        (f"## A\n\n{BODY}\n## C\n\nx\n\n## B\n{BODY}\n---\n", [11]),
        (f"{FRONT}## A\n\n{BODY}\n## B\n\n{BODY}", [10]),
        ("## When a\n- x\n- y\n## When b\n-  x\n- y\n", [4]),
        ("## A\n\nLook.\n\n## B\n\nLook.\n", []),
        (f"## A\n\n{BODY}\n## A\n\n{BODY}", []),
        ("## A\n\n**Context**:\n**Lesson**:\n\n## B\n\n**Context**:\n**Lesson**:\n", []),
        ("## A\n\n## B\n", []),
        (f"## A\n\n## B\n\n{FIELDS}", []),
        (f"## B\n\n{FIELDS}{FIELDS}## A\n", []),
        (f"## A\n\n## B\n\ntext\n\n## C\n\n{FIELDS}{FIELDS}", []),
        ("## A\n\n## B\n\n- One\n  - Pros: 1\n  - Cons: 1\n- Two\n  - Pros: 2\n  - Cons: 2\n", []),
        (f"## A\n\n## B\n\n### One\n\n{FIELDS}### Two\n\n{FIELDS}", []),
        (f"## A\n\n## B\n\n{FIELDS}{FIELDS}", [1]),
        ("## A\n## B\n- C: 1\n- L: 1\n- C: 2\n- L: 2\n", [1]),
        (f"## A\n\n## B\n\n## C\n\n{FIELDS}{FIELDS}", [1, 3]),
    ],
)
def test_texts_that_a_merge_doubled_or_joined(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_message_names_both() -> None:
    (finding,) = run(RULE, f"## A\n\n{BODY}\n## B\n\n{BODY}")
    assert finding.message.startswith('"B" has the same text as "A" on line 1;')
    (finding,) = run(RULE, f"## A\n\n## B\n\n{FIELDS}{FIELDS}")
    assert finding.message.startswith('"A" has no text, while "B" on line 3 has the fields of two')
