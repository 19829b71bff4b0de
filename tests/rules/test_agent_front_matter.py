"""Front matters of sub-agents, skills and commands."""

from __future__ import annotations

import pytest

from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role
from tests.rules.cases import BOM, run

RULE = "agent-front-matter"
AGENT, SKILL = ".claude/agents/tidy.md", "agent-core/skills/tidy/SKILL.md"
GOOD = "---\nname: tidy\ndescription: Tidies up.\n---\n# Tidy\n"


def check(source: str | bytes, path: str = AGENT) -> list[Finding]:
    return run(RULE, source, path=path, role=Role.AGENT)


@pytest.mark.parametrize("path", [AGENT, SKILL])
@pytest.mark.parametrize("source", [GOOD, GOOD.replace("\n", "\r\n"), BOM + GOOD])
def test_good(path: str, source: str) -> None:
    assert check(source, path) == []


@pytest.mark.parametrize(
    ("source", "line", "wording"),
    [
        ("# Tidy\n", 1, "no front matter"),
        ("", 1, "no front matter"),
        ("\n" + GOOD, 1, "no front matter"),
        ("---\nname: tidy\n", 1, "never closed"),
        ("---\n---\n", 1, "has no name"),
        ("---\ndescription: Tidies.\n---\n", 1, "has no name"),
        ("---\nname: tidy\n---\n", 1, "has no description"),
        ("---\nname: tidy\ndescription:\n---\n", 3, "description is not a text"),
        ("---\nname: tidy\ndescription: '  '\n---\n", 3, "description is not a text"),
        ("---\nname: 12\ndescription: Tidies.\n---\n", 2, "name is not a text"),
        ("---\nname: tidy\ndescription: Ends: records\n---\n", 3, "not YAML (mapping values"),
        ("---\nname: tidy\ndescription: [a\n---\n", 3, "not YAML"),
        ("---\nname: tidy\n\tdescription: a\n---\n", 3, "not YAML"),
        ("---\nname: 2026-13-45\n---\n", 1, "not YAML"),
        ("---\nname: *x\n---\n", 2, "not YAML"),
        ("---\n- name\n---\n", 2, "holds no keys"),
        ("---\njust text\n---\n", 2, "holds no keys"),
        ("---\n" + "[" * 3000 + "\n---\n", 1, "not YAML"),
        (f"{GOOD[:-11]}name: tidy\n---\n", 4, "twice, first in line 2"),
    ],
)
def test_errors(source: str, line: int, wording: str) -> None:
    findings = [finding for finding in check(source) if wording in finding.message]
    assert [(finding.severity, finding.line) for finding in findings] == [(Severity.ERROR, line)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_sub_agent_may_have_another_name_than_its_file(newline: str) -> None:
    (finding,) = check(GOOD.replace("tidy", "Tidy").replace("\n", newline))
    assert (finding.severity, finding.line) == (Severity.NOTICE, 2)
    assert finding.message == 'the name "Tidy" is not that of the file; write "tidy"'


def test_the_name_of_a_skill_is_that_of_its_folder() -> None:
    (finding,) = check(GOOD.replace("tidy", "SKILL"), SKILL)
    assert finding.severity is Severity.ERROR
    assert finding.message == 'the name "SKILL" is not that of the folder; write "tidy"'


@pytest.mark.parametrize(
    ("path", "key", "advice"),
    [
        (AGENT, "tool: Read", "did you mean tools?"),
        (AGENT, "allowed-tools: Read", "did you mean disallowedTools?"),
        (AGENT, "zzz: 1", "remove it, unless"),
        (SKILL, "tools: Read", ""),
        (SKILL, "colour: green", ""),
        ("agent-core/commands/tidy.md", "descripton: x", "did you mean description?"),
    ],
)
def test_unknown_keys_are_notices(path: str, key: str, advice: str) -> None:
    (finding,) = check(GOOD.replace("\n---\n#", f"\n{key}\n---\n#"), path)
    assert (finding.severity, finding.line) == (Severity.NOTICE, 4)
    assert advice in finding.message


def test_what_needs_no_front_matter() -> None:
    assert check("Do it.\n", "agent-core/commands/tidy.md") == []
    assert check("More.\n", "agent-core/skills/tidy/more.md") == []
    assert check("---\nname: [\n---\n", "agent-core/skills/tidy/more.md") == []
    (finding,) = check("---\ndescription: [\n---\n", "agent-core/commands/tidy.md")
    assert "not YAML" in finding.message


def test_known_keys() -> None:
    agent = "model: sonnet\ncolor: green\ntools: Read\nskills: remember\n"
    skill = "allowed-tools: Bash(learnings:*)\nargument-hint: FILE\nlicense: MIT\n"
    assert check(GOOD.replace("name", agent + "name", 1)) == []
    assert check(GOOD.replace("name", skill + "name", 1), SKILL) == []
