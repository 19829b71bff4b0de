from __future__ import annotations

import pytest
import yaml

from learnings.agents.front_matter import read_front_matter
from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role
from learnings.core.text import split_lines
from tests.rules.cases import BOM, run

RULE = "agent-front-matter"
AGENT, SKILL = ".claude/agents/tidy.md", "agent-core/skills/tidy/SKILL.md"
OURS = "\n`learnings due`\n"
GOOD = f"---\nname: tidy\ndescription: Tidies up.\n---\n{OURS}"


def check(source: str | bytes, path: str = AGENT) -> list[Finding]:
    return run(RULE, source, path=path, role=Role.AGENT)


@pytest.mark.parametrize("path", [AGENT, SKILL])
@pytest.mark.parametrize("source", [GOOD, GOOD.replace("\n", "\r\n"), BOM + GOOD])
def test_good(path: str, source: str) -> None:
    assert check(source, path) == []


@pytest.mark.parametrize(
    ("source", "line", "wording"),
    [
        (f"---\nname: tidy\n{OURS}", 1, "never closed"),
        ("---\nname: tidy\ndescription: [a] b\n---\n", 3, "not YAML"),
        ("---\nname: !!int ''\n---\n", 1, "not YAML"),
        ("---\nname: *x\n---\n", 2, "not YAML"),
        ("---\njust text\n---\n", 2, "holds no keys"),
        ("---\nname: a\ndescription: b\nname: c\n---\n", 4, "twice, first on line 2"),
    ],
)
def test_errors(source: str, line: int, wording: str) -> None:
    (finding,) = check(source + OURS)
    assert (finding.severity, finding.line) == (Severity.ERROR, line)
    assert wording in finding.message


@pytest.mark.parametrize(
    "line",
    [
        "argument-hint: [file] [line]",
        "argument-hint: @file",
        "argument-hint: '[file] [line]'",
        "allowed-tools: Bash(git add:*), Bash(learnings:*), Read",
        "name: Other",
        "description:",
    ],
)
def test_what_the_host_takes(line: str) -> None:
    assert check(f"---\n{line}\n---\n{OURS}") == []


@pytest.mark.parametrize(
    "source", ["---\nname: a: b\n---\nThey write `learnings.md`.\n", "# Tidy\n", ""]
)
def test_files_that_do_not_work_with_learnings_are_not_looked_at(source: str) -> None:
    front = read_front_matter(split_lines(source))
    assert bool(front.problem) is source.startswith("---")


def test_what_needs_no_front_matter() -> None:
    assert check(OURS, "agent-core/commands/tidy.md") == []
    assert check(OURS, AGENT) == []
    assert check(f"---\nname: [\n---\n{OURS}", "agent-core/skills/tidy/more.md") == []
    (finding,) = check(f"---\ndescription: [\n---\n{OURS}", "agent-core/commands/tidy.md")
    assert "not YAML" in finding.message


@pytest.mark.parametrize(
    "text",
    ["name: a\ndescription: What it does, and why not: nothing", "a: b#c\nd: e:f", "a: b:\nd: e"],
)
def test_plain_lines_are_read_as_yaml_does(text: str) -> None:
    front = read_front_matter(["---\n", *split_lines(f"{text}\n"), "---\n"])
    try:
        assert front.values == yaml.safe_load(text)
    except yaml.YAMLError:
        assert front.problem
