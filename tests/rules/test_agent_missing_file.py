"""Paths, sub-agents and skills that are named."""

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
        (
            "---\nallowed-tools: Bash(agent-core/bin/gone.py:*)\n---\n",
            2,
            21,
            "agent-core/bin/gone.py",
        ),
        ("```\nagent-core/bin/gone.py x\n```\n", 2, 1, "agent-core/bin/gone.py"),
        ("---\nskills: [remember, forget]\n---\n", 2, 1, 'no skill "forget"'),
        ("---\na: b\nskills: forget, remember\n---\n", 3, 1, 'no skill "forget"'),
        (
            '{"subagent_type": "remember"}\n',
            1,
            20,
            'no sub-agent "remember"; did you mean',
        ),
        ("`subagent_type: learnings:gone`\n", 1, 17, 'no sub-agent "learnings:gone"'),
        ("the sub-agent `gone` and\n", 1, 16, 'no sub-agent "gone"; correct the name'),
        ("x\nthe `gone` skill\n", 2, 6, 'no skill "gone"'),
        ("start the agent\n`gone`\n", 2, 2, 'no sub-agent "gone"'),
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
        "`${CLAUDE_PLUGIN_ROOT}/agents/<name>.md`, `agent-core/skills/*/SKILL.md`\n",
        "`${CLAUDE_PLUGIN_ROOT}/bin/learning-age.py{x}`, `agent-core/bin/gone.py*`\n",
        "`agent-core/fragments/gone.md`, my-agent-core/bin/gone.py\n",
        "---\nskills: [remember]\n---\n",
        "---\nskills:\n---\n",
        "---\nskills: 3\n---\n",
        "---\nskills: [learnings:remember, pdf-tools:fill]\n---\n",
        "`subagent_type: Explore`, `subagent_type=remember-task`, `subagent_type: other:thing`\n",
        "the agent `remember-task`, skill `remember`, `memory-curator` sub-agent\n",
        "agents `a`, skillful `b`, `c` agents\n",
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
