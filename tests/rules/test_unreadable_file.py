from __future__ import annotations

import pytest

from learnings.core.findings.finding import Severity
from learnings.rules import unreadable_file
from learnings.rules.rule import Obstacle
from tests.rules.cases import case


@pytest.mark.parametrize(
    ("obstacle", "severity", "words"),
    [
        (
            Obstacle("cannot be read (denied)", "make it readable"),
            Severity.ERROR,
            "make it readable",
        ),
        (Obstacle("has more than 4 MB", "split it"), Severity.ERROR, "4 MB, so nothing in it"),
        (Obstacle("", link="AGENT.md"), Severity.ERROR, "broken link to AGENT.md,"),
        (Obstacle("", link="AGENTS.md\n"), Severity.ERROR, "line break is part of the name"),
        (Obstacle("", link="../x.md", leads_out=True), Severity.NOTICE, "broken link to ../x.md,"),
        (Obstacle("", link="AGENTS.md", is_text=True), Severity.NOTICE, "`@AGENTS.md`"),
    ],
)
def test_each_obstacle_has_its_sentence(obstacle: Obstacle, severity: Severity, words: str) -> None:
    unread = case(b"")
    unread.inputs["obstacle"] = obstacle
    (finding,) = unread.findings()  # no other rule runs
    assert (finding.rule, finding.severity) == (unreadable_file.RULE.id, severity)
    assert words in finding.message
    assert "\n" not in finding.message
