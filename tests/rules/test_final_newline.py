from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import FENCE, run


@pytest.mark.parametrize(
    ("source", "position"),
    [("## A", (1, 5)), ("## A\r\n\r\ntext", (3, 5)), (f"{FENCE}\ncode\n{FENCE}", (3, 4))],
)
def test_missing(source: str, position: tuple[int, int]) -> None:
    (finding,) = run("final-newline", source)
    assert (finding.line, finding.column) == position


@pytest.mark.parametrize("source", ["", "## A\n", "## A\r\n"])
def test_present(source: str) -> None:
    assert run("final-newline", source) == []


@pytest.mark.parametrize("role", [*Role, None])
def test_every_memory_file_and_no_other(role: Role | None) -> None:
    is_memory = role not in (Role.AGENT, Role.TOPIC, None)
    assert bool(run("final-newline", "text", role=role)) is is_memory


@pytest.mark.parametrize(
    ("source", "new"),
    [
        ("## A\n\ntext", "text\n"),
        ("## A\r\n\r\ntext\r", "text\r\n"),
        ("## A\r\nb\nc\r\nd", "d\r\n"),
    ],
)
def test_fix_adds_a_newline_of_the_kind_of_the_file(source: str, new: str) -> None:
    (finding,) = run("final-newline", source)
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert (edit.line, edit.old, edit.new) == (finding.line, edit.old, new)
    assert source.endswith(edit.old)
    assert run("final-newline", source[: -len(edit.old)] + edit.new) == []
