from __future__ import annotations

import json

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

HOOK = Command("learnings-check")
GOOD = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
BAD = f"{GOOD}\n## When a build hangs\n\nKill it.\n"


@pytest.mark.parametrize(
    ("path", "source", "code"),
    [
        ("agents/learnings.md", BAD, 1),
        ("agents/learnings.md", GOOD, 0),
        (".claude/lessons.md", BAD, 1),
        ("learnings.md", "no entry and no newline", 0),
        ("README.md", BAD, 0),
        ("docs/decisions/cli.md", BAD, 0),
        ("notes/learnings.md", BAD, 0),
        ("CHANGELOG.md", "no newline", 0),
        ("progress.txt", f"{BAD}\n## Codebase Patterns\n", 1),
        ("notes/progress.txt", BAD, 0),
    ],
)
def test_only_learnings_files_are_looked_at(
    repository: GitRepository, path: str, source: str, code: int
) -> None:
    repository.write(path, source)
    done = HOOK(path, cwd=repository.path)
    assert done.code == code
    assert (done.out == "", done.err == "") == (not code, not code)


def test_arguments_before_the_files(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", GOOD + "text\n" * 80)
    assert HOOK("agents/learnings.md", cwd=repository.path).code == 0
    assert HOOK("--strict", "agents/learnings.md", cwd=repository.path).code == 1
    assert HOOK("--no-such-option", "agents/learnings.md", cwd=repository.path).code == 2


def test_wrong_configuration_is_one_sentence(repository: GitRepository) -> None:
    repository.write("learnings.toml", "line-limt = 1\n")
    repository.write("agents/learnings.md", GOOD)
    done = HOOK("agents/learnings.md", cwd=repository.path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "learnings.toml:1" in done.err


HOOKS = ["learnings-check", "learnings-fix", "target-line-limit"]


@pytest.mark.parametrize("hook", HOOKS)
def test_foreign_files_are_no_mistake(repository: GitRepository, hook: str) -> None:
    repository.write("agents/learnings.md", GOOD)
    repository.write("notes/binary/learnings.md", "\0\1")
    (repository.path / "out").symlink_to("/")
    (repository.path / "notes/learnings.md").symlink_to("/etc/hostname")
    (repository.path / "CLAUDE.md").symlink_to("/etc/hostname")
    (repository.path / "GEMINI.md").symlink_to("nowhere")
    names = ["out", "notes/learnings.md", "notes/binary/learnings.md", "CLAUDE.md", "GEMINI.md"]
    names += ["deleted.py", "notes/gotchas.md", "docs/decisions/deleted.md", "/etc/hostname"]
    done = Command(hook)(*names, cwd=repository.path)
    assert (done.code, done.out, done.err) == (0, "", "")
    document = Command("learnings-check")("--format=json", *names, cwd=repository.path)
    assert (document.code, json.loads(document.out)["findings"]) == (0, [])


@pytest.mark.parametrize("path", ["agents/learnings.md", "progress.txt", "docs/DECISIONS.md"])
def test_file_to_which_a_link_leads_is_the_memory(repository: GitRepository, path: str) -> None:
    repository.write("kept/memory.md", BAD)
    (repository.path / path).parent.mkdir(exist_ok=True)
    (repository.path / path).symlink_to(repository.path / "kept/memory.md")
    for passed in (["kept/memory.md"], [path], [path, "kept/memory.md"]):
        assert HOOK(*passed, cwd=repository.path).out.count(f"{path}:7:1: error") == 1
    (repository.path / "sub").mkdir()
    assert HOOK("../kept/memory.md", cwd=repository.path / "sub").code == 1


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("agents", "kept dir"),
        (".jules/höfe.md", "kept dir/learnings.md"),
        ("packages/a/agents", "packages/a/kept"),
    ],
)
def test_file_below_a_linked_folder_or_at_a_place_of_a_tool(
    repository: GitRepository, link: str, target: str
) -> None:
    repository.write("packages/a/package.json", "{}\n")
    file = target if target.endswith(".md") else f"{target}/learnings.md"
    repository.write(file, BAD)
    (repository.path / link).parent.mkdir(parents=True, exist_ok=True)
    (repository.path / link).symlink_to(repository.path / target)
    repository.git("add", "--all")
    assert HOOK(file, cwd=repository.path).out.startswith(link)
    repository.write(file, f"{GOOD}\n##When a build waits\n\nWait.\n")
    assert Command("learnings-fix")(file, cwd=repository.path).code == 1


def test_file_with_two_names_of_its_own_counts_once(repository: GitRepository) -> None:
    repository.write("AGENTS.md", "Line.\n" * 401)
    (repository.path / "CLAUDE.md").symlink_to("AGENTS.md")
    done = Command("target-line-limit")("AGENTS.md", "CLAUDE.md", cwd=repository.path)
    assert done.out.startswith("AGENTS.md:")
    assert "CLAUDE.md:" not in done.out


def test_emptied_memory_of_a_tool_is_compared_with_the_start_of_a_push(
    repository: GitRepository,
) -> None:
    repository.write("docs/project_notes/decisions.md", GOOD)
    start = repository.commit()
    repository.write("docs/project_notes/decisions.md", "# Learnings\n")
    repository.commit()
    pushed = {"PRE_COMMIT_FROM_REF": start}
    path = "docs/project_notes/decisions.md"
    assert "entries-gone" in HOOK(path, cwd=repository.path, env=pushed).out
