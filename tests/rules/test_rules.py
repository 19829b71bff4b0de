"""The table of rules, and what every rule keeps to."""

from __future__ import annotations

import inspect

import pytest

from learnings import rules
from learnings.core.findings.finding import Severity
from learnings.core.roles import Role
from learnings.core.settings.values import EXTRA_RULES
from tests.rules.cases import NEEDED, context, examples, role_for
from tests.support.guard import ROOT

FOLDER = ROOT / "src/learnings/rules"
NO_RULES = {"__init__", "context", "ignoring"}
BY_ID = {rule.ID: rule for rule in rules.RULES}


def documentation(rule: object) -> str:
    return inspect.getdoc(rule) or ""


def test_table_is_sorted_and_holds_every_module() -> None:
    assert list(BY_ID) == sorted(BY_ID)
    stems = {path.stem for path in FOLDER.glob("*.py")} - NO_RULES
    assert {rule_id.replace("-", "_") for rule_id in BY_ID} == stems


@pytest.mark.parametrize("rule_id", BY_ID)
def test_id_is_the_name_of_the_module_and_of_its_test(rule_id: str) -> None:
    stem = rule_id.replace("-", "_")
    assert getattr(BY_ID[rule_id], "__name__", "") == f"learnings.rules.{stem}"
    assert (ROOT / "tests/rules" / f"test_{stem}.py").is_file()


@pytest.mark.parametrize("rule_id", BY_ID)
def test_documentation_is_complete(rule_id: str) -> None:
    text = documentation(BY_ID[rule_id])
    first, blank, *_ = text.splitlines()
    assert first.endswith(".")
    assert blank == ""
    assert "\nMend: " in text
    assert [label for label, _ in examples(text)] == ["Bad", "Good"]
    assert text.index("\nMend: ") < text.index("\nBad:")


@pytest.mark.parametrize("rule_id", BY_ID)
def test_examples_are_what_they_are_called(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    bad, good = (data for _, data in examples(documentation(rule)))
    needed = NEEDED.get(rule_id, {})
    found = list(rules.check(context(bad, role=role, **needed), [rule]))
    assert [finding.rule for finding in found] == [rule_id]
    assert list(rules.check(context(good, role=role, **needed), [rule])) == []


@pytest.mark.parametrize("rule_id", BY_ID)
def test_good_example_is_good_for_all_rules(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    (good,) = (data for label, data in examples(documentation(rule)) if label == "Good")
    assert list(rules.check(context(good, role=role, **NEEDED.get(rule_id, {})))) == []


@pytest.mark.parametrize("rule_id", BY_ID)
def test_finding_is_one_line_at_a_place_in_the_file(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    (bad,) = (data for label, data in examples(documentation(rule)) if label == "Bad")
    subject = context(bad, role=role, **NEEDED.get(rule_id, {}))
    (finding,) = rules.check(subject, [rule])
    assert finding.severity is rule.SEVERITY
    assert finding.message.isprintable()
    assert finding.message[0].islower() or not finding.message[0].isalpha()
    assert not finding.message.endswith(".")
    assert 1 <= finding.line <= len(subject.document.lines)
    assert 1 <= finding.column <= len(subject.line(finding.line)) + 1


@pytest.mark.parametrize("rule_id", BY_ID)
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n", b"\n\n\n", b"---\na: b\n---\n"])
def test_blank_files_hold_no_error(rule_id: str, data: bytes) -> None:
    rule = BY_ID[rule_id]
    for role in rule.ROLES:
        found = rules.check(context(data, role=role, **NEEDED.get(rule_id, {})), [rule])
        errors = [each for each in found if each.severity is Severity.ERROR]
        assert (errors == []) is (rule_id != "agent-front-matter")  # an agent has to have one


@pytest.mark.parametrize("role", [*Role, None])
def test_rules_look_only_at_files_of_their_role(role: Role | None) -> None:
    silent = {rule.ID for rule in rules.RULES if role not in rule.ROLES}
    mute = set()
    for rule_id, rule in BY_ID.items():
        _, data = next(examples(documentation(rule)))
        subject = context(data, role=role, **NEEDED.get(rule_id, {}))
        if not any(found.rule == rule_id for found in rules.check(subject)):
            mute.add(rule_id)
    assert mute == silent


@pytest.mark.parametrize(
    ("role", "count"),
    [(Role.LEARNINGS, 14), (Role.TARGET, 2), (Role.INDEX, 12), (Role.AGENT, 5), (None, 0)],
)
def test_number_of_rules_for_one_kind_of_file(role: Role | None, count: int) -> None:
    """Counted without the rules for every file."""
    own = [rule for rule in rules.RULES if role in rule.ROLES and None not in rule.ROLES]
    assert len(own) >= count


@pytest.mark.parametrize("rule_id", EXTRA_RULES)
def test_extra_rules_have_to_be_asked_for(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    _, bad = next(examples(documentation(rule)))
    for asked, ids in ((), []), ((rule_id,), [rule_id]):
        found = rules.check(context(bad, role=role_for(rule), extra_rules=asked))
        assert [each.rule for each in found] == ids
    assert len(list(rules.check(context(bad, role=role_for(rule)), [rule]))) == 1


def test_what_is_no_text_has_one_finding() -> None:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n## A\n## A\n##B\n```"
    assert [finding.rule for finding in rules.check(context(data))] == ["invalid-encoding"]
