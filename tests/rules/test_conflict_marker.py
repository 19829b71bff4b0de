from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, lines, run

OURS, BASE, MIDDLE, THEIRS = "<" * 7, "|" * 7, "=" * 7, ">" * 7
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
        (f"{OURS} HEAD\nours\n{THEIRS} x\n", [1, 3]),
        (f"ours\n{MIDDLE}\ntheirs\n{THEIRS} 5d0c3a7 (Say when)\n{BASE} base\n", [4, 5]),
        (f"> a note\n{THEIRS} topic/when\n\n{BASE} parent of 5d0c3a7 (Say | when)\n", [2, 4]),
        (f"| a | b |\n|---|---|\n| 1 | 2 |\n{BASE} 5d0c3a7\n| 1 | 3 |\n{BASE} |\n{BASE}\n", [4]),
        (f"{OURS} HEAD\na\n{BASE} 5d0c3a7\n{MIDDLE}\n{BASE}\n{THEIRS} x\n", [1]),
        (f">> you said\n{THEIRS} yes\n\n{THEIRS} I said it in a letter\n\n{THEIRS}\n", []),
        (f"{FENCE}\n{OURS} HEAD\n{FENCE}\n\n{FENCE}\n{THEIRS} x\n{FENCE}\n", []),
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
