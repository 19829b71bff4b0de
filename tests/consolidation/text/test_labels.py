"""Field labels are removed, what they introduce is not."""

from __future__ import annotations

import pytest

from learnings.consolidation.text.keywords import is_label, without_labels


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("**Context**: a hook", " a hook"),
        ("**Context:** a hook", " a hook"),
        ("- **Root cause**: a hook", " a hook"),
        ("Lesson: a hook", " a hook"),
        ("> *Why:* a hook", " a hook"),
        ("**Anti-pattern**:\n- a hook", "\n- a hook"),
        ("**教训**：钩子", "钩子"),
        ("**Lição**: um gancho", " um gancho"),
        ("a hook\n### Suggested action\n- again", "a hook\n\n- again"),
        ("#### Summary ####", ""),
        ("### Summary of hooks", "### Summary of hooks"),
        ("Go: a hook", "Go: a hook"),
        ("see https://a.b", "see https://a.b"),
        ("a Lesson: a hook", "a Lesson: a hook"),
        ("**Note** a hook", "**Note** a hook"),
    ],
)
def test_labels(text: str, rest: str) -> None:
    assert without_labels(text) == rest


def test_lines_stay() -> None:
    assert without_labels("**Status**: x\n\n**Fix**: y\n").count("\n") == 3


@pytest.mark.parametrize("text", ["", "Hook", "Context of the hook", "what how why when where"])
def test_no_label(text: str) -> None:
    assert not is_label(text)
