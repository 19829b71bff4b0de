from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import get_args, get_type_hints

import pytest

from learnings import rules
from learnings.agents.file_facts import AgentFacts
from learnings.core.due.history_facts import HistoryFacts
from learnings.core.entries.archives import MissingEntries
from learnings.core.entries.document import Document
from learnings.core.findings.finding import Severity
from learnings.core.roles import Role
from learnings.core.settings.rule_ids import EXTRA_RULES, RULE_IDS
from learnings.references.dead import Judged
from learnings.rules import index
from learnings.rules.rule import (
    CheckedFile,
    Copies,
    IgnoreFacts,
    IndexFacts,
    LoadingFacts,
    Need,
    Obstacle,
    Rule,
    SessionFacts,
    TreeFacts,
)
from tests.rules.cases import NEEDED, Case, case, examples, role_for
from tests.support.guard import ROOT

FOLDER = ROOT / "src/learnings/rules"
NO_RULES = {"__init__", "checked_file", "ignoring", "rule"}
FAMILIES = {"index": index}
BY_ID = {rule.id: rule for rule in rules.RULES}
GIVEN: dict[Need | None, list[object]] = {
    None: [],
    "history": [HistoryFacts],
    "references": [Callable[[Document], Judged]],
    "index": [IndexFacts],
    "agent": [AgentFacts],
    "committed": [MissingEntries],
    "copies": [Copies],
    "loading": [LoadingFacts],
    "tree": [TreeFacts],
    "session": [SessionFacts],
    "obstacle": [Obstacle],
    "ignores": [IgnoreFacts],
}
BLANK = (b"", b"\xef\xbb\xbf", b"\n", b"\n\n\n", b"---\na: b\n---\n")


def documentation(rule: object) -> str:
    return inspect.getdoc(rule) or ""


def example(rule: Rule, label: str) -> Case:
    """The bad or the good example of a rule as a file of its own."""
    (data,) = (data for name, data in examples(documentation(rule)) if name == label)
    return case(data, role=role_for(rule), **NEEDED.get(rule.id, {}))


def test_table_is_sorted_and_holds_every_module() -> None:
    assert list(BY_ID) == sorted(BY_ID), "sort RULES by id"
    stems = {path.stem for path in FOLDER.glob("*.py")} - NO_RULES
    assert {module_of(rule_id) for rule_id in BY_ID} == stems


def module_of(rule_id: str) -> str:
    """The module of a rule: that of its family if it has one, else its own."""
    family = rule_id.partition("-")[0]
    return family if family in FAMILIES else rule_id.replace("-", "_")


def test_id_is_the_name_of_the_rule_and_of_its_test() -> None:
    for rule_id, rule in BY_ID.items():
        module = import_module(f"learnings.rules.{module_of(rule_id)}")
        family, _, kind = rule_id.partition("-")
        name = kind.replace("-", "_").upper() if family in FAMILIES else "RULE"
        assert rule is getattr(module, name)
    stems = {module_of(rule_id) for rule_id in BY_ID}
    assert {stem for stem in stems if not (ROOT / f"tests/rules/test_{stem}.py").is_file()} == set()


def test_every_rule_takes_what_it_needs() -> None:
    """The call in rules.check() cannot be typed, so the types are compared here."""
    known = [Document, Judged, *(given for kinds in GIVEN.values() for given in kinds)]
    names = {given.__name__: given for given in known if isinstance(given, type)}
    parameters, expected = {}, {}
    for rule_id, rule in BY_ID.items():
        hints = get_type_hints(rule.check, localns={**names})
        hints.pop("return")
        parameters[rule_id] = [*hints.values()]
        expected[rule_id] = [CheckedFile, *GIVEN[rule.needs]]
    assert parameters == expected


def test_settings_know_every_rule() -> None:
    message = "the ID of a rule is the name in RULE_IDS of core/settings/rule_ids.py"
    assert tuple(sorted(RULE_IDS)) == RULE_IDS
    assert tuple(rule.id for rule in rules.RULES) == RULE_IDS, message
    assert tuple(rule.id for rule in rules.RULES if rule.is_opt_in) == EXTRA_RULES


def test_documentation_is_complete() -> None:
    faults = {rule_id: list(documentation_faults(rule)) for rule_id, rule in BY_ID.items()}
    assert faults == {rule_id: [] for rule_id in BY_ID}


def documentation_faults(rule: Rule) -> Iterator[str]:
    text = documentation(rule)
    first, blank, *_ = text.splitlines()
    if not first.endswith(".") or blank:
        yield "no sentence on a line of its own"
    if [label for label, _ in examples(text)] != ["Bad", "Good"]:
        yield "no bad and good example"
    if not 0 < text.find("\nFix: ") < text.find("\nBad:"):
        yield "no advice above the examples"


def test_examples_are_what_they_are_called() -> None:
    rules_of = {
        rule_id: tuple(
            tuple(finding.rule for finding in example(rule, label).findings(rule))
            for label in ("Bad", "Good")
        )
        for rule_id, rule in BY_ID.items()
    }
    assert rules_of == {rule_id: ((rule_id,), ()) for rule_id in BY_ID}


def test_good_example_is_good_for_all_rules() -> None:
    good = {rule_id: example(rule, "Good").findings() for rule_id, rule in BY_ID.items()}
    assert good == {rule_id: [] for rule_id in BY_ID}


def test_finding_is_one_line_at_a_position_in_the_file() -> None:
    faults = {rule_id: list(finding_faults(rule)) for rule_id, rule in BY_ID.items()}
    assert faults == {rule_id: [] for rule_id in BY_ID}


def finding_faults(rule: Rule) -> Iterator[str]:
    bad = example(rule, "Bad")
    (finding,) = bad.findings(rule)
    message = finding.message
    if finding.severity is not rule.severity:
        yield f"severity {finding.severity}"
    if not message.isprintable():
        yield message
    if not 1 <= finding.line <= len(bad.file.document.lines):
        yield f"line {finding.line}"
    if not 1 <= finding.column <= len(bad.file.line(finding.line)) + 1:
        yield f"column {finding.column}"


def test_line_ends_and_a_byte_order_mark_move_no_finding() -> None:
    moved = {}
    alone = {rule_id: rule for rule_id, rule in BY_ID.items() if rule.needs is None}
    for rule_id, rule in alone.items():
        (data,) = (data for name, data in examples(documentation(rule)) if name == "Bad")
        options = {"role": role_for(rule), **NEEDED.get(rule_id, {})}
        seen = [
            [finding.line for finding in case(text, **options).findings(rule)]
            for text in (data, data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data)
        ]
        if seen[1:] != seen[:1] * 2:
            moved[rule_id] = seen
    assert moved == {}


def test_blank_files_hold_no_error() -> None:
    def errors() -> Iterator[tuple[str, bytes, Role | None]]:
        for rule in rules.RULES:
            for data in BLANK:
                for role in rule.roles:
                    blank = case(data, role=role, **NEEDED.get(rule.id, {}))
                    if any(f.severity is Severity.ERROR for f in blank.findings(rule)):
                        yield rule.id, data, role

    assert list(errors()) == []


@pytest.mark.parametrize("role", [*Role, None])
def test_rules_look_only_at_files_of_their_role(role: Role | None) -> None:
    silent = {rule.id for rule in rules.RULES if role not in rule.roles}
    mute = set()
    for rule_id, rule in BY_ID.items():
        _, data = next(examples(documentation(rule)))
        bad = case(data, role=role, **NEEDED.get(rule_id, {}))
        if not any(finding.rule == rule_id for finding in bad.findings()):
            mute.add(rule_id)
    assert mute == silent


@pytest.mark.parametrize("rule_id", EXTRA_RULES)
def test_extra_rules_have_to_be_asked_for(rule_id: str) -> None:
    rule = BY_ID[rule_id]
    _, bad = next(examples(documentation(rule)))
    for named, ids in ((), []), ((rule_id,), [rule_id]):
        findings = case(bad, role=role_for(rule), extra_rules=named).findings()
        assert [finding.rule for finding in findings] == ids
    assert len(case(bad, role=role_for(rule)).findings(rule)) == 1


@pytest.mark.parametrize("needs", get_args(Need))
def test_a_rule_that_needs_what_is_not_known_does_not_run(needs: Need) -> None:
    concerned = [rule for rule in rules.RULES if rule.needs == needs]
    reported = [rule.id for rule in concerned if example(rule, "Bad").findings(rule)]
    assert reported == [rule.id for rule in concerned]
    if needs != "ignores":  # these are found out from the file itself
        files = [(rule, example(rule, "Bad").file) for rule in concerned]
        assert [rule.id for rule, file in files if list(rules.check(file, [rule]))] == []


def test_what_is_no_text_has_one_finding() -> None:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n## A\n## A\n##B\n```"
    assert [finding.rule for finding in case(data).findings()] == ["invalid-encoding"]
