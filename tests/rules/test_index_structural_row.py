"""The rule `index-structural-row`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-structural-row"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("## .Pages", [4]), ("### .Pages", [4]), ("## Pages", []), ("## .Other", [])],
)
def test_dots(heading: str, expected: list[int]) -> None:
    source = INDEX + "Pages — all of them\n" + CLI + f"## When a build hangs\n\n{heading}\n"
    assert lines(RULE, source) == expected
