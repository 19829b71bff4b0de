from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import run

RULE = "load-limit"


def check(source: str | bytes, path: str = ".claude/MEMORY.md") -> list[tuple[int, str]]:
    findings = run(RULE, source, path=path, role=Role.INDEX)
    return [(finding.line, finding.message) for finding in findings]


@pytest.mark.parametrize(
    ("source", "line", "wording"),
    [
        ("x\n" * 201, 201, "201 lines, 402 bytes: agents load the first 200 lines or 25 KB"),
        ("x\n" * 201, 201, "so line 201 is not loaded;"),
        ("x\n" * 240, 201, "so lines 201 to 240 are not loaded;"),
        ("x\r\n" * 201, 201, "line 201"),
        ("x\n" * 200 + "x", 201, "line 201"),
        (("x" * 249 + "\n") * 101, 101, "101 lines, 25250 bytes"),
        (("x" * 249 + "\n") * 100 + "\n", 101, "line 101"),
        ("é" * 12_500 + "\n", 1, "1 line, 25001 bytes"),
        ("---\na: b\n---\n" + "x\n" * 198, 201, "line 201"),
        ("\ufeff" + "x" * 24_998, 1, "25001 bytes"),
        (b"\xff" * 25_001, 1, "line 1"),
    ],
)
def test_over_the_limit(source: str | bytes, line: int, wording: str) -> None:
    ((where, message),) = check(source)
    assert where == line
    assert wording in message


@pytest.mark.parametrize(
    "source", ["", "x\n" * 200, "x\n" * 199 + "x", ("x" * 249 + "\n") * 100, "é" * 12_500]
)
def test_within_the_limit(source: str) -> None:
    assert check(source) == []


@pytest.mark.parametrize(
    ("path", "count"),
    [(".claude/memory/MEMORY.md", 1), ("packages/a/.claude/MEMORY.md", 1), ("claude/MEMORY.md", 0)],
)
def test_only_of_what_is_loaded(path: str, count: int) -> None:
    assert len(check("x\n" * 300, path)) == count


def test_also_where_it_is_the_learnings_file() -> None:
    source = "# L\n" + "- one\n" * 300
    assert len(run(RULE, source, path=".claude/MEMORY.md", role=Role.LEARNINGS)) == 1
    assert run(RULE, source, path=".claude/MEMORY.md", role=Role.TARGET) == []
