"""The rule `index-hook-differs`."""

from __future__ import annotations

from learnings.core.findings.finding import Severity
from learnings.core.roles import Role
from tests.rules.cases import run

RULE = "index-hook-differs"
INDEX = "<!-- .claude/memory/MEMORY.md -->\n- [Builds](builds.md) — {}\n"
BUILDS = "<!-- .claude/memory/builds.md -->\n---\ndescription: the lock stays behind here\n---\n"


def test_a_row_of_other_words_is_a_notice() -> None:
    (finding,) = run(RULE, INDEX.format("colours of dark buttons") + BUILDS, role=Role.INDEX)
    assert (finding.severity, finding.line) == (Severity.NOTICE, 1)
    assert '"colours of dark buttons"' in finding.message
    assert '"the lock stays behind here"' in finding.message


def test_a_row_with_a_common_word_is_none() -> None:
    assert run(RULE, INDEX.format("locks behind the dark buttons") + BUILDS, role=Role.INDEX) == []
