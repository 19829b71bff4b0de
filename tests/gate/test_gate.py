"""The acceptance table of `learnings verify`: losses and alterations, and harmless changes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.gate.case import Case
from tests.gate.judging import Answer, complaints, prepare
from tests.gate.themes import THEMES
from tests.support.command import Command
from tests.support.repository import GitRepository

CASES = [
    pytest.param(case, id=f"{theme.theme}: {case.name}") for theme in THEMES for case in theme.cases
]


@pytest.mark.parametrize("case", CASES)
def test_the_gate(learnings: Command, repository: GitRepository, case: Case) -> None:
    arguments = prepare(case, repository)
    as_json = learnings(*arguments, "--format", "json", cwd=repository.path)
    as_text = as_json
    if case.words or case.mute:
        as_text = learnings(*arguments, cwd=repository.path)
    answer = Answer(as_json.json, as_text.out, (as_json.code, as_text.code))
    assert complaints(case, answer) == [], as_text.out


def test_the_table_is_as_large_as_it_has_to_be() -> None:
    cases = [case for theme in THEMES for case in theme.cases]
    alterations = sum(case.is_alteration for case in cases)
    assert alterations >= 90
    assert len(cases) - alterations >= 65
    names = Counter((theme.theme, case.name) for theme in THEMES for case in theme.cases)
    assert [name for name, count in names.items() if count > 1] == []
