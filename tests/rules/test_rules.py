"""The table of rules, and what every rule keeps to."""

from __future__ import annotations

import inspect

import pytest

from learnings import rules
from learnings.core.findings import Severity
from learnings.core.roles import Role
from tests.rules.cases import context, examples, role_for
from tests.support.guard import ROOT

FOLDER = ROOT / "src/learnings/rules"
NO_RULES = {"__init__", "context"}
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


@pytest.mark.parametrize("rule_id", BY_ID)
def test_examples_are_what_they_are_called(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    bad, good = (data for _, data in examples(documentation(rule)))
    found = list(rules.check(context(bad, role=role), [rule]))
    assert [finding.rule for finding in found] == [rule_id]
    assert list(rules.check(context(good, role=role), [rule])) == []


@pytest.mark.parametrize("rule_id", BY_ID)
def test_good_example_is_good_for_all_rules(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    (good,) = (data for label, data in examples(documentation(rule)) if label == "Good")
    assert list(rules.check(context(good, role=role))) == []


@pytest.mark.parametrize("rule_id", BY_ID)
def test_finding_is_one_line_at_a_place_in_the_file(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    role = role_for(rule)
    (bad,) = (data for label, data in examples(documentation(rule)) if label == "Bad")
    subject = context(bad, role=role)
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
        found = rules.check(context(data, role=role), [rule])
        assert [each for each in found if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("role", "silent"),
    [
        (Role.LEARNINGS, {"line-limit"}),
        (
            Role.TARGET,
            set(BY_ID) - {"line-limit"} - {rule.ID for rule in rules.RULES if None in rule.ROLES},
        ),
        (Role.INDEX, {rule.ID for rule in rules.RULES if Role.INDEX not in rule.ROLES}),
        (None, {rule.ID for rule in rules.RULES if None not in rule.ROLES}),
    ],
)
def test_rules_look_only_at_files_of_their_role(role: Role | None, silent: set[str]) -> None:
    bad = {rule.ID: next(examples(documentation(rule)))[1] for rule in rules.RULES}
    mute = {
        rule_id
        for rule_id, data in bad.items()
        if not any(found.rule == rule_id for found in rules.check(context(data, role=role)))
    }
    assert mute == silent


def test_what_is_no_text_has_one_finding() -> None:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n## A\n## A\n##B\n```"
    assert [finding.rule for finding in rules.check(context(data))] == ["invalid-encoding"]
