from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

OURS, MIDDLE, THEIRS = "<" * 7, "=" * 7, ">" * 7
CONFLICT = f"{OURS} HEAD\nours\n{MIDDLE}\ntheirs\n{THEIRS} feature\n"


def longer(conflict: str, size: int) -> str:
    for marker in (OURS, MIDDLE, THEIRS):
        conflict = conflict.replace(marker, marker[0] * size)
    return conflict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (CONFLICT, [1]),
        (f"{OURS}\na\n{MIDDLE}\nb\n{THEIRS}\n", [1]),
        (f"{OURS} HEAD\nours\n{THEIRS} x\n", [1]),
        (f"{BOM}{CONFLICT}", [1]),
        (longer(CONFLICT, 9).replace("ours\n", CONFLICT), [1]),
        (f"Title\n{MIDDLE}\n\ntext\n", []),
        (f"<!--\n{CONFLICT}-->\n", []),
        (f"Git writes `{OURS} HEAD` there.\n", []),
        (f"{OURS}\nan arrow\n", []),
        (f"{OURS}HEAD\n{MIDDLE}\n{THEIRS}x\n", []),
        (longer(f"{OURS} HEAD\nonly this is left\n", 8), []),
    ],
)
def test_where_a_conflict_is(source: str, expected: list[int]) -> None:
    assert lines("conflict-marker", source) == expected


def test_conflict_that_goes_beyond_a_fence_is_no_example() -> None:
    around_an_end = f"{FENCE}\n{OURS} HEAD\na\n{FENCE}\n{MIDDLE}\nb\n{FENCE}\n{THEIRS} x\n"
    assert lines("conflict-marker", around_an_end) == [2]
    around_a_start = f"{OURS} HEAD\n{FENCE}a\n{MIDDLE}\n{FENCE}b\n{THEIRS} x\ncode\n{FENCE}\n"
    assert lines("conflict-marker", around_a_start) == [1]
    assert lines("conflict-marker", f"{FENCE}\n{CONFLICT}") == [2], "the fence has no end"


def test_message_tells_where_it_ends_and_what_is_left() -> None:
    (whole,) = run("conflict-marker", CONFLICT)
    assert whole.message.startswith("unresolved merge conflict from here to line 5; keep")
    (rest,) = run("conflict-marker", f"{OURS} HEAD\n")
    assert "without its other markers" in rest.message


RULE = "merge-damage"
BODY = "Look at the lock.\n\nThen kill it.\n"
FIELDS = "**Context**: x\n\n**Lesson**: y\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{BODY}\n## B\n\n{BODY}", [7]),
        (f"## A\n\n{BODY}\n## C\n\nx\n\n## B\n{BODY}\n---\n", [11]),
        (f"{FRONT}## A\n\n{BODY}\n## B\n\n{BODY}", [10]),
        ("## A\n- x\n- y\n## B\n-  x\n- y\n", [4]),
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
