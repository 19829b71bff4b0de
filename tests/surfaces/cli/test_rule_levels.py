"""The table `rules` and the key `exclude`, in every way to run a check."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

Hook = Callable[[str], Command]
MEMORY = "agents/learnings.md"
CONFIG = "learnings.toml"
# A duplicate, a missing space, which has a safe fix, and more lines than the soft limit.
UNTIDY = (
    "# Learnings\n\n## When a build hangs\n\nLook.\n\n## When a build hangs\n\nKill it.\n\n"
    "##When it is slow\n\nProfile.\n\n## How to trace\n" + "\nUse strace.\n" * 40
)
FOUND = {"duplicate-entry": "error", "entry-heading-malformed": "error", "soft-limit": "notice"}
AGENT = "---\nname: curator\ndescription: Curates.\n---\n\nRun `learnings due --form`.\n"


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    repository.write(MEMORY, UNTIDY)
    repository.commit("Add a memory")
    return repository


def levels(learnings: Command, repo: GitRepository, *words: str) -> dict[str, str]:
    """Return the severity of each rule with findings."""
    run = learnings("check", "--format", "json", *words, cwd=repo.path)
    assert run.code in (0, 1), run.err
    return {finding["rule"]: finding["severity"] for finding in run.json["findings"]}


def known(repo: GitRepository) -> set[str]:
    """The rules in the baseline."""
    document = json.loads(repo.read(".learnings-baseline.json"))
    return {finding["rule"] for finding in document["findings"]}


def test_each_level(learnings: Command, repo: GitRepository) -> None:
    assert levels(learnings, repo) == FOUND
    repo.write(CONFIG, '[rules]\nduplicate-entry = "notice"\nsoft-limit = "error"\n')
    changed = {"duplicate-entry": "notice", "soft-limit": "error"}
    assert levels(learnings, repo) == FOUND | changed
    shown = learnings("config", "--format", "json", cwd=repo.path).json["rules"]
    assert shown["soft-limit"] == {"value": "error", "origin": "learnings.toml:3"}
    repo.write(CONFIG, '[rules]\nduplicate-entry = "off"\nentry-heading-malformed = "off"\n')
    assert levels(learnings, repo) == {"soft-limit": "notice"}
    assert learnings("check", cwd=repo.path).code == 0
    assert learnings("check", "--strict", cwd=repo.path).code == 1


def test_the_level_that_a_rule_has_changes_nothing(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/decisions/nearly.md", "# D\n" + "A line.\n" * 399)
    repository.write("agents/decisions/over.md", "# D\n" + "A line.\n" * 400)
    expected = learnings("check", cwd=repository.path)
    assert "nearly.md:400:1: notice line-limit" in expected.out
    repository.write(CONFIG, '[rules]\nline-limit = "error"\n')
    assert learnings("check", cwd=repository.path) == expected
    repository.write(CONFIG, '[rules]\nline-limit = "notice"\n')
    assert learnings("check", cwd=repository.path).code == 0


def test_rules_of_every_kind_can_be_off(learnings: Command, repository: GitRepository) -> None:
    """Rules about an index, about agents, about comments, of history, and opt-in ones."""
    repository.write("agents/decisions/a.md", "# A\n\n## One\n\n### Two\n\nText.\n")
    repository.write(
        "agents/memory-index.md", "# Index\n\n## agents/decisions/a.md\n\n/when gone\n"
    )
    repository.write(".claude/agents/curator.md", AGENT)
    comment = "<!-- learnings: ignore[final-newline] a reason -->\n"
    repository.write(MEMORY, f"{comment}# Learnings\n")
    repository.commit("Begin")
    entry = "## [2020-01-01] When old\n\nText.\n"
    repository.write(MEMORY, f"{comment}# Learnings\n\n{entry}")
    repository.commit("Add an entry")
    every = {
        "agent-unknown-command": ("--role=agent",),
        "date-mismatch": ("--history",),
        "index-orphan-row": (),
        "index-missing-row": (),
        "unused-ignore": (),
    }
    before = {rule: rule in levels(learnings, repository, *words) for rule, words in every.items()}
    assert before == dict.fromkeys(every, True)
    off = "".join(f'{rule} = "off"\n' for rule in every)
    repository.write(CONFIG, f'[rules]\n{off}section-without-content = "error"\n')
    after = {rule: rule in levels(learnings, repository, *words) for rule, words in every.items()}
    assert after == dict.fromkeys(every, False)
    assert levels(learnings, repository) == {"section-without-content": "error"}
    ci = learnings("ci", "--dry-run", cwd=repository.path)
    assert [rule for rule in every if rule in ci.out] == []


def test_an_extra_rule_can_be_a_notice_and_off(learnings: Command, repo: GitRepository) -> None:
    repo.write("agents/decisions/a.md", "# A\n\n## One\n\n### Two\n\nText.\n")
    extra = 'extra-rules = ["section-without-content"]\n'
    for config, level in (
        ("", None),
        (extra, "notice"),
        ('[rules]\nsection-without-content = "notice"\n', "notice"),
        (f'{extra}[rules]\nsection-without-content = "error"\n', "error"),
        (f'{extra}[rules]\nsection-without-content = "off"\n', None),
    ):
        repo.write(CONFIG, config)
        assert levels(learnings, repo).get("section-without-content") == level, config


def test_the_command_line_wins_but_for_hooks(
    learnings: Command, hook: Hook, repository: GitRepository
) -> None:
    repository.write("CLAUDE.md", "A line.\n" * 401)
    repository.write("agents/decisions/a.md", "A line.\n" * 401)
    assert hook("target-line-limit")("agents/decisions/a.md", cwd=repository.path).code == 1
    repository.write(CONFIG, '[rules]\nline-limit = "off"\n')
    assert hook("target-line-limit")("agents/decisions/a.md", cwd=repository.path).code == 0
    assert learnings("check", cwd=repository.path).code == 0
    assert learnings("check", "--rule=line-limit", cwd=repository.path).code == 1


def test_what_is_off_is_not_fixed(learnings: Command, repo: GitRepository) -> None:
    repo.write(CONFIG, '[rules]\nentry-heading-malformed = "off"\n')
    assert learnings("fix", cwd=repo.path).code == 0
    assert b"##When it is slow" in repo.read(MEMORY)
    repo.write(CONFIG, '[rules]\nentry-heading-malformed = "notice"\n')
    assert learnings("fix", cwd=repo.path).code == 1
    assert b"## When it is slow" in repo.read(MEMORY)


def test_an_index_is_fixed_but_for_what_is_off(learnings: Command, repo: GitRepository) -> None:
    repo.write("agents/decisions/a.md", "# A\n\n## One\n\n## Two\n\n## Three\n\n## .Group\n")
    index = "# Index\n\n## agents/decisions/a.md\n\nTwo — 2\nOne — 1\n.Group — g\n"
    rules = ("index-order", "index-structural-row", "index-missing-row")
    for off in rules:
        repo.write("agents/memory-index.md", index)
        repo.write(CONFIG, f'[rules]\n{off} = "off"\n')
        learnings("fix", "--role=index", "--add-missing", cwd=repo.path)
        repo.write(CONFIG, "")
        assert [*levels(learnings, repo, "--role=index")] == [off]


def test_a_baseline_never_knows_what_is_off_or_excluded(
    learnings: Command, repo: GitRepository
) -> None:
    assert learnings("baseline", cwd=repo.path).code == 0
    assert known(repo) == {*FOUND}
    repo.write(CONFIG, '[rules]\nsoft-limit = "off"\n')
    assert learnings("baseline", "--prune", cwd=repo.path).code == 0
    assert known(repo) == {"duplicate-entry", "entry-heading-malformed"}
    repo.write(CONFIG, '[rules]\nduplicate-entry = "off"\n')
    assert learnings("baseline", cwd=repo.path).code == 0
    assert known(repo) == {"entry-heading-malformed", "soft-limit"}
    repo.write("agents/decisions/a.md", "A line.\n" * 401)
    assert learnings("baseline", cwd=repo.path).code == 0
    repo.write(CONFIG, 'exclude = ["agents/learnings.md"]\n')
    assert learnings("baseline", "--prune", cwd=repo.path).code == 0
    assert known(repo) == {"line-limit"}


def test_a_folder_with_rules_of_its_own_leaves_the_baseline_of_the_root(
    learnings: Command, repo: GitRepository
) -> None:
    assert learnings("baseline", cwd=repo.path).code == 0
    repo.write("web/learnings.toml", '[rules]\nduplicate-entry = "off"\n')
    assert learnings("baseline", "--prune", cwd=repo.path / "web").code == 0
    assert known(repo) == {*FOUND}


def test_an_ignore_of_a_rule_that_is_off_is_not_judged(
    learnings: Command, repository: GitRepository
) -> None:
    comment = "<!-- learnings: ignore[duplicate-entry] two daemons -->"
    repository.write(MEMORY, f"# Learnings\n\n## When it hangs {comment}\n\nLook.\n")
    assert levels(learnings, repository) == {"unused-ignore": "notice"}
    repository.write(CONFIG, '[rules]\nduplicate-entry = "off"\n')
    assert levels(learnings, repository) == {}


REFUSED = {
    '[rules]\nsoft-limt = "off"\n': ":2: unknown rule 'soft-limt'; did you mean soft-limit?",
    '[rules]\n\nxyz = "off"\n': ":3: unknown rule 'xyz'; remove it, or see `learnings rules`",
    '[rules]\nsoft-limit = "warning"\n': ":2: soft-limit takes one of off, notice, error, not",
    'rules = "off"\n': ":1: rules must be a table; write [...rules] above its keys",
    'exclude = [\n"docs",\n"../x"]\n': ":3: exclude takes a list of paths",
}


def test_what_is_refused(learnings: Command, repo: GitRepository) -> None:
    for config, sentence in REFUSED.items():
        repo.write(CONFIG, config)
        run = learnings("check", cwd=repo.path)
        assert (run.code, run.out) == (2, ""), config
        assert run.err.startswith(f"learnings: learnings.toml{sentence}"), run.err


# --- exclude


@pytest.mark.parametrize("pattern", ["agents/", "**/*.md"])
def test_excluded_files_are_not_looked_at(
    learnings: Command, repo: GitRepository, pattern: str
) -> None:
    repo.write("CLAUDE.md", "No newline")
    assert {*levels(learnings, repo)} == {*FOUND, "final-newline"}
    repo.write(CONFIG, f'exclude = ["{pattern}"]\n')
    left = {} if pattern == "**/*.md" else {"final-newline": "error"}
    assert levels(learnings, repo) == levels(learnings, repo, ".") == left
    assert learnings("check", "agents", cwd=repo.path).out == ""
    assert "Fixing agents" not in learnings("fix", cwd=repo.path).out


def test_a_pattern_starts_from_the_folder_of_the_configuration(
    learnings: Command, repo: GitRepository
) -> None:
    repo.write("web/agents/learnings.md", UNTIDY)
    repo.write("web/learnings.toml", 'exclude = ["agents"]\n')
    assert {*levels(learnings, repo)} >= {*FOUND}
    assert learnings("check", "web", cwd=repo.path / "web").out == ""


def test_a_file_named_by_hand_is_checked_and_one_named_by_a_hook_is_not(
    learnings: Command, hook: Hook, repo: GitRepository
) -> None:
    repo.write(CONFIG, 'exclude = ["agents"]\n')
    assert {*levels(learnings, repo, MEMORY)} == {*FOUND}
    assert levels(learnings, repo, "--force-exclude", MEMORY) == {}
    stdin = ("--stdin-filename", MEMORY, "-")
    run = learnings("check", "--force-exclude", *stdin, cwd=repo.path, stdin=UNTIDY.encode())
    assert (run.code, run.out) == (0, "")
    for name in ("learnings-check", "learnings-fix"):
        run = hook(name)(MEMORY, cwd=repo.path)
        assert (run.code, run.out, run.err) == (0, "", "")


def test_hooks_of_the_index_and_of_agents_leave_out_what_is_excluded(
    learnings: Command, hook: Hook, repo: GitRepository
) -> None:
    repo.write("agents/decisions/a.md", "# A\n\n## One\n")
    repo.write("agents/decisions/b.md", "# B\n\n## Two\n")
    repo.write("agents/memory-index.md", "# Index\n\n## agents/decisions/a.md\n\nOne — 1\n")
    assert levels(learnings, repo, "--role=index") == {"index-missing-row": "error"}
    repo.write(CONFIG, 'exclude = ["agents/decisions/b.md"]\n')
    assert hook("memory-index")(cwd=repo.path).code == 0
    repo.write(CONFIG, 'exclude = ["agents/memory-index.md"]\n')
    assert hook("memory-index")(cwd=repo.path).code == 0
    repo.write(".claude/agents/curator.md", AGENT)
    assert hook("agent-core")(cwd=repo.path).code == 1
    repo.write(CONFIG, 'exclude = [".claude"]\n')
    assert hook("agent-core")(cwd=repo.path).code == 0


def test_nothing_left_to_check_is_said(learnings: Command, repo: GitRepository) -> None:
    repo.write(CONFIG, 'path = "agents/learnings.md"\nexclude = ["agents"]\n')
    run = learnings("check", cwd=repo.path)
    assert (run.code, run.out) == (0, "")
    assert "agents/learnings.md: excluded (learnings.toml:2)" in run.err
