"""The rule `index-row-form`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-row-form"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/what x", [4]),
        ("/when", [4]),
        ("/when | words", [4]),
        ("/usr/bin holds programs", []),
        ("```\n/what x\n```", []),
        ("- /what x", []),
    ],
)
def test_operators_and_triggers(line: str, expected: list[int]) -> None:
    assert lines(RULE, INDEX + f"{line}\n" + CLI + "## When a build hangs\n") == expected


def test_a_table_needs_the_heading() -> None:
    table = "| Topic | File |\n|---|---|\n|  | agents/decisions/cli.md |\n"
    source = INDEX.partition("\n")[0] + f"\n{table}" + CLI + "# T\n"
    assert lines(RULE, source, index_form="table") == [3]
