from __future__ import annotations

import pytest

from learnings import rules
from learnings.agents.imports import Import
from learnings.core.findings.finding import Severity
from learnings.rules import memory_not_loaded
from learnings.rules.rule import LoadingFacts, RuleInputs
from tests.rules.cases import checked_file

ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("agents/learnings.md", "agents/learnings.md"),
        ("docs/\u202elessons.md", "docs/\\u202elessons.md"),
    ],
)
def test_the_message_says_what_to_write(path: str, shown: str) -> None:
    loading = LoadingFacts(path, lambda: False)
    (finding,) = rules.check(checked_file(ENTRY, path=path), inputs={"loading": loading})
    assert finding.message == (
        "no agent instructions import or mention this file, so agents do not read it; "
        f"add `@{shown}` to CLAUDE.md, or name it in AGENTS.md"
    )
    assert (finding.severity, finding.line, finding.subject) == (Severity.NOTICE, 1, "")


def test_the_import_that_failed_is_the_cause() -> None:
    failed = Import(3, 1, "@docs/learnings.md:", "docs/learnings.md", chain=("docs/a.md",))
    loading = LoadingFacts("agents/learnings.md", lambda: False, lambda: failed)
    file = checked_file(ENTRY, path=loading.path)
    (finding,) = rules.check(file, inputs={"loading": loading})
    assert '"@docs/learnings.md:" in docs/a.md:3 loads nothing' in finding.message
    assert "write `@../agents/learnings.md` there" in finding.message


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
