from __future__ import annotations

import pytest

from learnings.consolidation.text.keywords import is_label, without_labels


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("**Context**: a hook", " a hook"),
        ("Lesson: a hook", " a hook"),
        ("**教训**：钩子", "钩子"),
        ("#### Summary ####", ""),
        ("see https://a.b", "see https://a.b"),
    ],
)
def test_labels(text: str, rest: str) -> None:
    assert without_labels(text) == rest


def test_lines_stay() -> None:
    assert without_labels("**Status**: x\n\n**Fix**: y\n").count("\n") == 3


@pytest.mark.parametrize("text", ["", "Hook", "Context of the hook"])
def test_no_label(text: str) -> None:
    assert not is_label(text)
