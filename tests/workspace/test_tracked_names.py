from __future__ import annotations

import pytest

from learnings.core.file_names import MANIFESTS
from learnings.core.roles import Role
from learnings.workspace.discovery import Candidate
from learnings.workspace.skipped import skipped_files
from learnings.workspace.workspace import Workspace
from tests.support.repository import GitRepository
from tests.workspace.files import HEADINGS, STAMPED


@pytest.fixture
def repository(repository: GitRepository) -> GitRepository:
    for package, manifest in zip(("apps/web", "api", "crates/a/b"), MANIFESTS[:3], strict=True):
        repository.write(f"{package}/{manifest}", "")
        repository.write(f"{package}/docs/agents/learnings.md", HEADINGS)
    repository.git("add", "--all")
    return repository


def included(repository: GitRepository) -> list[str]:
    files = Workspace.open(repository.path).found.learnings
    return [file.path for file in files if file.included]


def skipped(repository: GitRepository) -> dict[str, str]:
    return {file.path: file.reason for file in skipped_files(Workspace.open(repository.path))}


def test_every_package_is_searched_as_the_root_is(repository: GitRepository) -> None:
    repository.write("learnings.md", HEADINGS)
    repository.write("apps/web/LESSONS.md", HEADINGS)
    paths = [f"{package}/docs/agents/learnings.md" for package in ("api", "apps/web", "crates/a/b")]
    assert included(repository) == ["learnings.md", paths[0], "apps/web/LESSONS.md", *paths[1:]]
    workspace = Workspace.open(repository.path)
    assert {workspace.role_of(path) for path in paths} == {Role.LEARNINGS}
    assert skipped(repository) == {}


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_tracked_manifest_makes_a_package(repository: GitRepository, manifest: str) -> None:
    repository.write("new/tasks/lessons.md", HEADINGS)
    repository.write(f"new/{manifest}", "")
    assert "new/tasks/lessons.md" not in included(repository)
    repository.git("add", f"new/{manifest}")
    assert "new/tasks/lessons.md" in included(repository)


@pytest.mark.parametrize("folder", ["tests", "web/Examples/a", ".github/x/y", "third_party/lib"])
def test_examples_and_the_work_of_others_are_no_packages(
    repository: GitRepository, folder: str
) -> None:
    repository.write(f"{folder}/package.json", "{}")
    path = repository.write(f"{folder}/learnings.md", HEADINGS).relative_to(repository.path)
    repository.git("add", "--all")
    assert path.as_posix() not in included(repository)
    assert Workspace.open(repository.path).role_of(path) is None
    assert skipped(repository) == {
        path.as_posix(): "in tests, examples, archives or hidden folders"
    }


def test_the_companion_and_the_loaded_index_of_a_package(repository: GitRepository) -> None:
    repository.write("api/.context/LEARNINGS.md", STAMPED)
    repository.write("api/.context/DECISIONS.md", STAMPED)
    repository.write("api/.claude/memory/MEMORY.md", "- [a](a.md)\n")
    assert "api/.context/DECISIONS.md" in included(repository)
    workspace = Workspace.open(repository.path)
    assert workspace.role_of("api/.context/DECISIONS.md") is Role.LEARNINGS
    loaded = [file.path for file in workspace.found.loaded_indexes]
    assert loaded == ["api/.claude/memory/MEMORY.md"]


def test_configured_files_switch_packages_off(repository: GitRepository) -> None:
    repository.write("notes.md", HEADINGS)
    repository.write("learnings.toml", 'path = "notes.md"\n')
    assert included(repository) == ["notes.md"]
    assert set(skipped(repository).values()) == {"not among the configured files"}
    assert Workspace.open(repository.path).role_of("api/docs/agents/learnings.md") is None


def test_tracked_files_of_such_names_are_named_with_the_reason(repository: GitRepository) -> None:
    reasons = {
        "src/learnings.md": "outside the searched folders",
        "docs/Learnings.md": "only its name is like that of a memory",
        "docs/lessons-learnt.md": "only its name is like that of a memory",
        "docs/postmortems.md": "only its name is like that of a memory",
        ".claude/KNOWLEDGE.md": "only its name is like that of a memory",
        ".github/instructions/memory.instructions.md": "only its name is like that of a memory",
        "learnings": "named like a folder of memories; each of its files would be an entry",
        "src/MEMORY.md": "MEMORY.md is only an index below .claude",
        "agents/learnings.md": "holds no entry (",
    }
    for path in reasons:
        repository.write(path if path.endswith(".md") else f"{path}/a.md", HEADINGS)
    for path in (
        "my-learnings.md",
        "src/lessons/a.md",
        ".claude/MEMORY.md",
        "untracked/lessons.md",
    ):
        repository.write(path, HEADINGS)
    repository.write("agents/learnings.md", "# Nothing yet\n")
    repository.write("memory/MEMORY.md", "# Memory\n\n- [A](a.md)\n- [B](b.md)\n")
    for name in "ab":
        repository.write(f"memory/{name}.md", f"# {name}\n\nDo it.\n")
    reasons["memory"] = "its MEMORY.md lists its files; each would be an entry"
    repository.write(".claude/commands/learnings.md", "# A command\n")
    repository.git("add", "--all", ":!untracked")
    (repository.path / "src/learnings.md").rename(repository.path / "src/away.md")
    del reasons["src/learnings.md"]
    actual = skipped(repository)
    assert actual.keys() == reasons.keys()
    assert [path for path in reasons if not actual[path].startswith(reasons[path])] == []


def test_a_file_that_lost_its_last_entry_is_included(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", HEADINGS)
    repository.write("tasks/lessons.md", "# Nothing yet\n")
    repository.commit()
    for path in ("agents/learnings.md", "tasks/lessons.md", "api/docs/agents/learnings.md"):
        repository.write(path, "")
    workspace = Workspace.open(repository.path)
    reason = "discovered; its entries were removed since the last commit"
    assert Candidate("agents/learnings.md", reason, included=True) in workspace.found.learnings
    assert "api/docs/agents/learnings.md" in included(repository)
    assert set(skipped(repository)) == {"tasks/lessons.md"}
    repository.commit()
    assert "agents/learnings.md" not in included(repository)


@pytest.mark.parametrize("data", [HEADINGS.encode("utf-16"), HEADINGS.encode("utf-16-le"), b"\xff"])
def test_a_file_that_is_not_utf_8_is_included(repository: GitRepository, data: bytes) -> None:
    repository.write("agents/learnings.md", data)
    files = Workspace.open(repository.path).found.learnings
    assert Candidate("agents/learnings.md", "discovered, it is not UTF-8", included=True) in files


def test_a_memory_that_a_sparse_checkout_leaves_out_is_named(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", HEADINGS)
    repository.commit()
    repository.git("sparse-checkout", "set", "docs")
    reason = "tracked, but deleted or outside the sparse checkout"
    assert skipped(repository)["agents/learnings.md"] == reason
