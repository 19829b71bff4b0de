from __future__ import annotations

from collections.abc import Mapping

import pytest

from learnings import rules
from learnings.core.findings.finding import Finding, Severity
from learnings.rules import memory_not_loaded
from learnings.rules.rule import LoadingFacts, RuleInputs
from tests.rules.cases import checked_file

ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"


def findings(
    source: str = ENTRY,
    path: str = "agents/learnings.md",
    rules_table: Mapping[str, str] | None = None,
) -> list[Finding]:
    file = checked_file(source, path=path, rules=rules_table or {})
    loading = LoadingFacts(path, lambda: False)
    return [*rules.check(file, inputs={"loading": loading})]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("agents/learnings.md", "agents/learnings.md"),
        ("docs/\u202elessons.md", "docs/\\u202elessons.md"),
    ],
)
def test_the_message_says_what_to_write(path: str, shown: str) -> None:
    (finding,) = findings(path=path)
    assert finding.message == (
        "no agent instructions import or mention this file, so agents do not read it; "
        f"add `@{shown}` to CLAUDE.md, or name it in AGENTS.md"
    )
    assert (finding.severity, finding.line, finding.subject) == (Severity.NOTICE, 1, "")


def test_a_comment_ignores_it() -> None:
    comment = "<!-- learnings: ignore[memory-not-loaded] read by a person only -->\n"
    assert findings(comment + ENTRY) == []


def test_the_settings_decide_how_severe_it_is() -> None:
    (finding,) = findings(rules_table={"memory-not-loaded": "error"})
    assert finding.severity is Severity.ERROR


def test_nothing_is_looked_up_where_the_rule_is_off() -> None:
    asked = []

    def is_named() -> bool:
        asked.append(True)
        return False

    inputs: RuleInputs = {"loading": LoadingFacts("agents/learnings.md", is_named)}
    off = checked_file(ENTRY, rules={"memory-not-loaded": "off"})
    assert [*rules.check(off, inputs=inputs)] == []
    assert asked == []
    assert len([*rules.check(off, [memory_not_loaded.RULE], inputs=inputs)]) == 1
    assert asked == [True]
