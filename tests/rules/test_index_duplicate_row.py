"""The rule `index-duplicate-row`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-duplicate-row"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("/when a build hangs", [4]),
        ("/when A BUILD hangs | words", [4]),
        ("When a build hangs — words", [4]),
        ("/how a build hangs", []),
        ("- /when a build hangs", []),
        ("<!-- /when a build hangs -->", []),
    ],
)
def test_same_words_are_the_same_row(row: str, expected: list[int]) -> None:
    source = INDEX + f"{row}\n" + CLI + "## When a build hangs\n"
    assert lines(RULE, source) == expected
    assert lines(RULE, source.replace("\n" + row, "\r\n" + row)) == expected
