"""Conflicts that were committed, and what only looks like one."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

OURS, MIDDLE, THEIRS, BASE = "<" * 7, "=" * 7, ">" * 7, "|" * 7
CONFLICT = f"{OURS} HEAD\nours\n{MIDDLE}\ntheirs\n{THEIRS} feature\n"


def longer(conflict: str, size: int) -> str:
    for marker in (OURS, MIDDLE, THEIRS):
        conflict = conflict.replace(marker, marker[0] * size)
    return conflict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (CONFLICT, [1]),
        (f"## A\n\n{CONFLICT}\n## B\n\n{CONFLICT}", [3, 11]),
        (f"{OURS} HEAD\n{BASE} base\nold\n{MIDDLE}\nnew\n{THEIRS} x\n", [1]),
        (f"{OURS}\na\n{MIDDLE}\nb\n{THEIRS}\n", [1]),
        (f"## A\n{OURS} HEAD\nonly this is left\n", [2]),
        (f"{OURS} HEAD\n{CONFLICT}", [1, 2]),
        (f"{OURS} HEAD\nours\n{THEIRS} x\n", [1]),
        (CONFLICT.replace("\n", "\r\n"), [1]),
        (f"{FRONT}{CONFLICT}", [4]),
        (f"{BOM}{CONFLICT}", [1]),
        (longer(CONFLICT, 8), [1]),
        (longer(CONFLICT, 40), [1]),
        (longer(CONFLICT, 9).replace("ours\n", CONFLICT), [1]),
        (CONFLICT.replace("ours\n", longer(CONFLICT, 9)), [1]),
        (f"{longer(CONFLICT, 9)}\n{CONFLICT}", [1, 7]),
        (longer(CONFLICT, 9).replace("ours\n", f"{OURS} HEAD\n"), [1]),
    ],
)
def test_conflict(source: str, expected: list[int]) -> None:
    assert lines("conflict-marker", source) == expected


@pytest.mark.parametrize(
    "source",
    [
        f"Title\n{MIDDLE}\n\ntext\n",
        f"{FENCE}\n{CONFLICT}{FENCE}\n",
        f"<!--\n{CONFLICT}-->\n",
        f"    {CONFLICT}",
        f"- item\n\n  {FENCE}\n" + "".join(f"  {line}\n" for line in CONFLICT.splitlines()),
        f"Git writes `{OURS} HEAD` there.\n",
        f"{THEIRS} quoted seven times\n",
        f"Title\n{MIDDLE}\n\n{THEIRS} quoted seven times\n",
        f"{OURS}\nan arrow\n",
        f"{OURS}\nan arrow\n{THEIRS} quoted seven times\n",
        f"{OURS}< HEAD\n{MIDDLE}\n{THEIRS}>\n",
        f"{OURS}HEAD\n{MIDDLE}\n{THEIRS}x\n",
        longer(f"Title\n{MIDDLE}\n\ntext\n", 20),
        longer(f"{OURS}\na box of signs\n{MIDDLE}\nbelow\n{THEIRS}\n", 20),
        longer(f"{OURS} HEAD\nonly this is left\n", 8),
        f"{FENCE}\n{longer(CONFLICT, 9)}{FENCE}\n",
        longer(f"{OURS} HEAD\na\n{MIDDLE}\nb\n", 9) + f"{THEIRS} x\n",
    ],
)
def test_no_conflict(source: str) -> None:
    assert lines("conflict-marker", source) == []


def test_conflict_that_goes_beyond_a_fence_is_no_example() -> None:
    around_an_end = f"{FENCE}\n{OURS} HEAD\na\n{FENCE}\n{MIDDLE}\nb\n{FENCE}\n{THEIRS} x\n"
    assert lines("conflict-marker", around_an_end) == [2]
    around_a_start = f"{OURS} HEAD\n{FENCE}a\n{MIDDLE}\n{FENCE}b\n{THEIRS} x\ncode\n{FENCE}\n"
    assert lines("conflict-marker", around_a_start) == [1]


def test_conflict_in_a_fence_that_is_never_closed_is_no_example() -> None:
    assert lines("conflict-marker", f"{FENCE}\n{CONFLICT}") == [2]


def test_message_tells_where_it_ends_and_what_is_left() -> None:
    (whole,) = run("conflict-marker", CONFLICT)
    assert whole.message.startswith("unresolved merge conflict from here to line 5; keep")
    (rest,) = run("conflict-marker", f"{OURS} HEAD\n")
    assert "without its other markers" in rest.message
