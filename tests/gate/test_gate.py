"""The acceptance table of `learnings verify`: losses and alterations, and harmless changes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.gate.case import Case
from tests.gate.judging import Answer, complaints, prepare
from tests.gate.themes import THEMES
from tests.support.command import Command
from tests.support.repository import GitRepository

CASES = [(theme.theme, case) for theme in THEMES for case in theme.cases]
FIRST = {(theme, case.want, case.way): case for theme, case in CASES[::-1]}.values()


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{theme}: {case.name}, {case.shape}",
            marks=() if case in FIRST else pytest.mark.soak,
        )
        for theme, case in CASES
    ],
)
def test_the_gate(learnings: Command, repository: GitRepository, case: Case) -> None:
    arguments = prepare(case, repository)
    as_json = learnings(*arguments, "--format", "json", cwd=repository.path)
    as_text = as_json
    if case.words:
        as_text = learnings(*arguments, cwd=repository.path)
    answer = Answer(as_json.json, as_text.out, (as_json.code, as_text.code))
    assert [*complaints(case, answer)] == [], as_text.out


def test_the_table_is_as_large_as_it_has_to_be() -> None:
    alterations = sum(case.is_alteration for _, case in CASES)
    assert alterations >= 90
    assert len(CASES) - alterations >= 65
    names = Counter((theme, case.name, case.shape) for theme, case in CASES)
    assert [name for name, count in names.items() if count > 1] == []
