from __future__ import annotations

import pytest

from learnings import rules
from learnings.core.findings.ignores import Ignore
from learnings.core.roles import Role
from learnings.rules.rule import IndexFacts, RuleInputs
from tests.rules.cases import case

RULE = "unused-ignore"
TWICE = "## A\n\ntext\n\n## A <!-- learnings: ignore[duplicate-entry] why -->\n\nmore\n"
ONCE = "## A\n\ntext\n\n## B <!-- learnings: ignore[duplicate-entry] why -->\n\nmore\n"


def messages(
    source: str, *ran: str, role: Role | None = Role.LEARNINGS, inputs: RuleInputs | None = None
) -> list[str]:
    """What the rule says where only some rules ran, all of them by default."""
    chosen = [rule for rule in rules.RULES if not ran or rule.id in (*ran, RULE)]
    findings = rules.check(case(source, role=role).file, chosen, inputs=inputs)
    return [finding.message for finding in findings if finding.rule == RULE]


def test_used_and_unused() -> None:
    assert messages(TWICE) == []
    advice = "remove this comment, or move it (above the title for the whole file)"
    assert messages(ONCE) == [f"duplicate-entry reports nothing on line 5; {advice}"]
    whole = f"<!-- learnings: ignore[soft-limit] why -->\n# Title\n\n{TWICE}"
    assert messages(whole) == ["soft-limit reports nothing in this file; remove this comment"]


def test_rule_that_did_not_run_is_not_judged() -> None:
    assert messages(ONCE, "soft-limit") == []
    assert len(messages(ONCE, "soft-limit", "duplicate-entry")) == 1


def test_every_rule_named_is_judged_alone() -> None:
    source = TWICE.replace("[duplicate-entry]", "[soft-limit, duplicate-entry, line-limit]")
    assert [message.split()[0] for message in messages(source)] == ["soft-limit"]


@pytest.mark.parametrize(
    ("named", "advice"),
    [
        ("duplicate-enty", 'there is no rule "duplicate-enty"; did you mean duplicate-entry?'),
        ("Soft-Limit", 'there is no rule "Soft-Limit"; did you mean soft-limit?'),
        ("unused-ignore", "unused-ignore cannot be ignored; fix its finding"),
    ],
)
def test_names_that_cannot_be_meant(named: str, advice: str) -> None:
    for role in (*Role, None):
        source = f"## A <!-- learnings: ignore[{named}] why -->\n"
        assert messages(source, "soft-limit", role=role) == [advice]


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("# L\n\n<!-- learnings: ignore[soft-limit] why -->\n\n---\n\n## A\n", "in this file"),
        ("# L\n\n## A\n\n<!-- learnings: ignore[soft-limit] why -->\n\n## B\n", "on line 7"),
        ("## A\n\n<!-- learnings: ignore[soft-limit] why -->\nt\n## B\n", "on lines 1 to 4"),
    ],
)
def test_the_lines_are_named(source: str, where: str) -> None:
    (message,) = messages(source)
    assert f"{where};" in message


@pytest.mark.parametrize("rule", ["resurrected-entry", "date-mismatch"])
def test_rules_of_history_are_judged_only_with_it(rule: str) -> None:
    source = f"## A\n\n<!-- learnings: ignore[{rule}] why -->\n"
    assert messages(source) == []


def test_rules_of_the_index_are_judged_at_the_index() -> None:
    source = "# I\n\n## A\n\n<!-- learnings: ignore[index-order] why -->\n"
    for role in Role:
        assert messages(source, role=role) == []
    assert len(messages(source, role=Role.INDEX, inputs={"index": IndexFacts((), {})})) == 1


def test_ignores_in_files_that_the_index_lists() -> None:
    ignore = Ignore(4, 2, ("index-missing-row", "soft-limit"), "why", 4, 4)
    chosen = [rule for rule in rules.RULES if rule.id in (RULE, "index-missing-row")]
    index = case("# I\n", role=Role.INDEX).file
    inputs: RuleInputs = {"index": IndexFacts((), {"a.md": (ignore,)})}
    (finding,) = rules.check(index, chosen, inputs=inputs)
    assert (finding.path, finding.line, finding.column) == ("a.md", 4, 2)
    assert finding.message.startswith("index-missing-row reports nothing on line 4;")
    assert list(rules.check(index, chosen[:1], inputs=inputs)) == []
