"""The rule `index-collision`."""

from __future__ import annotations

from tests.rules.cases import CLI, INDEX, lines, run

RULE = "index-collision"
NEAR = INDEX + "/when the build hangs\n" + CLI + "## When a build hangs\n"


def test_only_with_a_threshold() -> None:
    assert lines(RULE, "<!-- fuzzy-threshold = 0.8 -->\n" + NEAR) == [4]
    assert run(RULE, NEAR) == []
    assert lines("index-orphan-row", NEAR) == [4]


def test_not_below_the_threshold() -> None:
    assert run(RULE, "<!-- fuzzy-threshold = 0.99 -->\n" + NEAR) == []
