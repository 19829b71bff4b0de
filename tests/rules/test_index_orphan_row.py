"""The rule `index-orphan-row`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-orphan-row"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/when gone", [4]),
        ("/how gone | words", [4]),
        ("Gone — words", [4]),
        ("- Gone — words", []),
        ("**Gone** — words", []),
        ("> Gone — words", []),
        ("```\n/when gone\n```", []),
        ("<!--\n/when gone\n-->", []),
    ],
)
def test_rows_and_what_is_none(line: str, expected: list[int]) -> None:
    source = INDEX + f"{line}\n" + CLI + "## When a build hangs\n"
    assert lines(RULE, source) == expected
