from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import BOM, FENCE, run

RULE = "replacement-characters"
LOST = "\ufffd"


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        (f"## A\n\ncaf{LOST} closes\n", 3, 4),
        (f"{BOM}## {LOST}ber\n", 1, 5),
        (f"## A\n\nthis {LOST} that\n", 3, 6),
        (f"## A\n\n> caf{LOST}\n", 3, 6),
    ],
)
def test_lost(source: str, line: int, column: int) -> None:
    (finding,) = run(RULE, source)
    assert (finding.line, finding.column) == (line, column)


@pytest.mark.parametrize(
    "source",
    [
        "## Über Züge\n",
        f"## A\n\n{FENCE}\ncaf{LOST}\n{FENCE}\n",
        f"## A\n\nThe replacement character {LOST} means a wrong encoding.\n",
    ],
)
def test_nothing_lost(source: str) -> None:
    assert run(RULE, source) == []


def test_one_finding_a_file_that_counts() -> None:
    (finding,) = run(RULE, f"## A\n\nf{LOST}r {LOST}{LOST}ber\n\nf{LOST}r\n")
    assert "(4 on 2 lines)" in finding.message
    (finding,) = run(RULE, f"f{LOST}r\n")
    assert "(1 on 1 line)" in finding.message


@pytest.mark.parametrize("role", [*Role, None])
def test_files_of_every_role_but_those_of_agents(role: Role | None) -> None:
    assert bool(run(RULE, f"f{LOST}r\n", role=role)) is (role is not Role.AGENT)


def test_bytes_that_are_not_utf_8_are_another_matter() -> None:
    assert run(RULE, b"## caf\xe9\n") == []
