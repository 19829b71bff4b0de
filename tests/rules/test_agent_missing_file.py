from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import run

RULE = "agent-missing-file"
IN_PLUGIN, ALONE = "agent-core/skills/remember/SKILL.md", ".claude/agents/tidy.md"
NAMING = "\n\n`learnings due`\n"


def positions(
    source: str, path: str = IN_PLUGIN, naming: str = NAMING
) -> list[tuple[int, int, str]]:
    findings = run(RULE, source + naming, path=path, role=Role.AGENT)
    return [(finding.line, finding.column, finding.message) for finding in findings]


@pytest.mark.parametrize(
    ("source", "line", "column", "wording"),
    [
        ("x `${CLAUDE_PLUGIN_ROOT}/bin/learning-age.py`.\n", 1, 4, "${CLAUDE_PLUGIN_ROOT}/bin/le"),
        ("---\na: b\nskills: forget, remember\n---\n", 3, 1, 'no skill "forget"'),
        ("x\nthe `gone` skill\n", 2, 6, 'no skill "gone"'),
    ],
)
def test_not_there(source: str, line: int, column: int, wording: str) -> None:
    ((*position, message),) = positions(source)
    assert position == [line, column]
    assert wording in message


@pytest.mark.parametrize(
    "source",
    [
        "`${CLAUDE_PLUGIN_ROOT}/bin/learning-ages.py FILE`\n",
        "`${CLAUDE_PLUGIN_ROOT}/bin/learning-age.py{x}`, `agent-core/bin/gone.py*`\n",
        "---\nskills:\n---\n",
        "`subagent_type: Explore`, `subagent_type=remember-task`, `subagent_type: other:thing`\n",
    ],
)
def test_there_or_not_ours(source: str) -> None:
    assert positions(source) == []


@pytest.mark.parametrize("source", ["`subagent_type: gone`\n", "the agent `gone`\n"])
def test_names_outside_a_plugin_may_be_from_elsewhere(source: str) -> None:
    assert positions(source, ALONE) == []
    assert len(positions(source)) == 1


def test_files_that_do_not_work_with_learnings_are_not_looked_at() -> None:
    text = "`agent-core/bin/gone.py`, `subagent_type: gone`\n"
    assert len(positions(text)) == 2
    assert positions(text, naming="They write `learnings.md`.\n") == []
