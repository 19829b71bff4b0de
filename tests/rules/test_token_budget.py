from __future__ import annotations

import json

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
GUIDE = "# Guide\n\n@docs/more.md @agents/learnings.md\n"
MEMORY = "# Learnings\n\n## When a build hangs\n\nLook at the lock first.\n"


@pytest.fixture
def budgeted(repository: GitRepository) -> GitRepository:
    """A repository whose sessions load 760 bytes, 200 tokens, with a budget of 100."""
    repository.write("learnings.toml", "token-budget = 100\n")
    repository.write("CLAUDE.md", GUIDE.rjust(100))
    repository.write("docs/more.md", "x" * 380)
    repository.write("agents/learnings.md", MEMORY.ljust(279) + "\n")
    repository.commit()
    return repository


def check(repository: GitRepository, *words: str) -> list[str]:
    words = ("check", "--rule", "token-budget", *words)
    return LEARNINGS(*words, cwd=repository.path).out.splitlines()


def test_it_is_at_the_largest_file_that_is_checked(budgeted: GitRepository) -> None:
    (line,) = check(budgeted)
    assert line == (
        "agents/learnings.md:1:1: error token-budget each session loads about 200 tokens, 100 more "
        "than the budget of 100; shorten or consolidate docs/more.md (100), agents/learnings.md "
        "(74), CLAUDE.md (27)"
    )
    assert check(budgeted, "CLAUDE.md") == []


@pytest.mark.parametrize("budget", ["", 'token-budget = "off"', "token-budget = 200"])
def test_no_finding_within_the_budget_or_without_one(budgeted: GitRepository, budget: str) -> None:
    budgeted.write("learnings.toml", f"{budget}\n")
    assert check(budgeted) == []


def test_what_was_over_it_before_may_not_grow(budgeted: GitRepository) -> None:
    assert check(budgeted, "--since", "HEAD") == []
    budgeted.write("docs/more.md", "x" * 300)
    assert check(budgeted, "--since", "HEAD") == []
    budgeted.write("docs/more.md", "x" * 760)
    (line,) = check(budgeted, "--since", "HEAD")
    assert (
        "loads about 300 tokens, 100 more than before, which was already over the budget of 100"
        in line
    )


def test_a_pull_request_is_told_what_it_costs(budgeted: GitRepository) -> None:
    base = budgeted.head()
    budgeted.write("docs/more.md", "x" * 760)
    budgeted.commit()
    summary = budgeted.path / "summary.md"
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    run = LEARNINGS("ci", "--base", base, cwd=budgeted.path, env=env)
    text = summary.read_text(encoding="utf-8")
    assert "- +100 tokens in each session: about 200 → 300\n" in text
    assert (run.code, "token-budget" in text) == (1, True)
    budgeted.write("docs/more.md", "x" * 380)
    budgeted.commit()
    summary.unlink()
    assert LEARNINGS("ci", "--base", base, cwd=budgeted.path, env=env).code == 0
    assert "+" not in summary.read_text(encoding="utf-8").partition("### Findings")[0]


def test_each_agent_has_its_total(budgeted: GitRepository) -> None:
    budgeted.write("AGENTS.md", "a" * 38)
    out = LEARNINGS(cwd=budgeted.path).out
    assert "about 200 tokens in each session of Claude Code, 10 of AGENTS.md readers" in out
    document = json.loads(LEARNINGS("report", "--format", "json", cwd=budgeted.path).out)
    agents = [(one["agent"], one["tokens"]) for one in document["cost"]["agents"]]
    assert agents == [("Claude Code", 200), ("AGENTS.md readers", 10)]
