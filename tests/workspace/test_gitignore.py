from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from learnings.history.git import process
from tests.history.memory import memory, run
from tests.support.repository import GitRepository

FIRST, SECOND = "agents/learnings.md", "docs/lessons.md"


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    for path in (FIRST, SECOND):
        repository.write(path, memory("A"))
    for path in ("agents/decisions/cli.md", "CLAUDE.md"):
        repository.write(path, "# Decisions\n\n## One\n\nText.\n")
    repository.write("agents/memory-index.md", "# Index\n")
    return repository


def included(repository: GitRepository | Path, *words: str) -> set[str]:
    document = run(repository, "config", "--format=json", *words).json
    listed = document["learnings"] + document["targets"]
    return {file["path"] for file in listed if file["taken"]}


def reasons(repository: GitRepository) -> dict[str, str]:
    document = run(repository, "config", "--format=json").json
    listed = document["learnings"] + document["targets"]
    return {file["path"]: file["reason"] for file in listed if not file["taken"]}


def checked(repository: GitRepository | Path, *words: str | Path) -> int:
    files: int = run(repository, "check", "--format=json", *words).json["summary"]["files"]
    return files


ALL = {FIRST, SECOND, "agents/decisions/cli.md", "CLAUDE.md"}


@pytest.mark.parametrize(
    ("rules", "ignored"),
    [
        ("docs/\n", {SECOND}),
        ("", set()),
        ("docs/*\n!docs/lessons.md\n", set()),
        ("*.md\n!agents/\n!/agents/**\n", {SECOND, "CLAUDE.md"}),
        ("# docs/\n\n*.txt\nbuild/\n", set()),
        ("less[!a]ns.md\n", {SECOND}),
        ("[[:alpha:]]*s.md\n", {SECOND, FIRST}),
        ("decisions\n", {"agents/decisions/cli.md"}),
        ("CLAUDE.md  \n", {"CLAUDE.md"}),
        ("docs\r\n", {SECOND}),
        ("DOCS/\n", set()),
    ],
)
def test_rules_at_the_root(repo: GitRepository, rules: str, ignored: set[str]) -> None:
    repo.write(".gitignore", rules)
    agrees = repo.git("ls-files", "--others", "--ignored", "--exclude-standard").splitlines()
    assert ignored == ALL.intersection(agrees)
    assert included(repo) == ALL - ignored
    assert {path: reasons(repo)[path] for path in ignored} == dict.fromkeys(
        ignored, "ignored by git"
    )


def test_rules_in_a_folder(repo: GitRepository) -> None:
    repo.write("docs/.gitignore", "*\n")
    repo.write("agents/decisions/.gitignore", "*.txt\n")
    assert included(repo) == ALL - {SECOND}
    repo.write("docs/.gitignore", "*\n!lessons.md\n")
    assert included(repo) == ALL


def test_rules_of_a_clone(repo: GitRepository) -> None:
    repo.write(".git/info/exclude", "docs/\n")
    assert included(repo) == ALL - {SECOND}


def test_rules_of_a_user_are_not_those_of_the_repository(repo: GitRepository) -> None:
    repo.write("everything", "*.md\n")
    repo.git("config", "core.excludesFile", str(repo.path / "everything"))
    repo.write(".gitignore", "l?s*s.md\n")
    assert included(repo) == ALL - {SECOND}


def test_a_tracked_file_stays_in(repo: GitRepository) -> None:
    repo.write(".gitignore", "*.md\n")
    repo.git("add", "--force", SECOND)
    assert included(repo) == {SECOND}
    done = run(repo, "due")  # of the one file left, which has no commit
    assert (done.code, "agents/learnings.md: ignored by git" in done.err) == (2, False)
    assert checked(repo) == 1


def test_what_is_configured_stays_in(repo: GitRepository) -> None:
    repo.write(".gitignore", "docs\nagents\nCLAUDE.md\n")
    assert included(repo) == set()
    repo.write(
        "learnings.toml",
        'targets = ["CLAUDE.md", "agents/decisions/*.md"]\nindex = "agents/memory-index.md"\n'
        f'[[file]]\npath = "{SECOND}"\n',
    )
    assert included(repo) == {SECOND, "CLAUDE.md"}
    assert checked(repo) == 4  # the index is compared with the target that git ignores


def test_paths_on_the_command_line(repo: GitRepository) -> None:
    repo.write(".gitignore", "docs\n")
    assert checked(repo, SECOND) == 1
    assert checked(repo, "docs") == 1
    assert checked(repo, ".") == 4
    repo.write(".gitignore", "lessons.md\n")
    assert checked(repo, "docs") == 0


def test_a_linked_worktree(repo: GitRepository, tmp_path: Path) -> None:
    repo.write(".gitignore", "CLAUDE.md\n")
    repo.commit()
    linked = repo.worktree(tmp_path / "linked")
    linked.write("docs/LESSONS.md", memory("B"))
    linked.write("CLAUDE.md", "# Rules\n")
    repo.write(".git/info/exclude", "LESSONS.md\n")
    assert included(linked) == {FIRST, SECOND, "agents/decisions/cli.md"}


def test_a_submodule(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit()
    outer = GitRepository(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(repo.path), "agents")
    outer.write(".gitignore", "l*.md\n")
    inner = outer.path / "agents"
    assert included(inner) == ALL
    assert included(outer) == set()
    assert set(reasons(outer)) == set()
    outer.write(".git/modules/agents/info/exclude", "/docs\n")
    (inner / "docs/LESSONS.md").write_text(memory("B"))
    assert included(inner) == ALL


def test_a_file_behind_a_link_is_judged_at_its_place(repo: GitRepository) -> None:
    repo.write("notes/lessons.md", memory("C"))
    repo.write("local/lessons.md", memory("D"))
    (repo.path / "tasks").symlink_to("notes", target_is_directory=True)
    (repo.path / "memory").symlink_to("local", target_is_directory=True)
    repo.write(".gitignore", "local/\ndocs/\n")
    assert included(repo) == (ALL - {SECOND}) | {"tasks/lessons.md"}


def test_without_git(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, nowhere: Path) -> None:
    repo.write(".gitignore", "docs\n")
    monkeypatch.setenv("PATH", str(nowhere))
    assert included(repo) == ALL


def test_outside_a_repository(tmp_path: Path) -> None:
    (tmp_path / "learnings.md").write_text(memory("A"))
    (tmp_path / ".gitignore").write_text("*\n")
    assert included(tmp_path) == {"learnings.md"}


def test_an_index_that_git_exports_to_hooks_is_not_ours(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(".gitignore", "docs\n")
    monkeypatch.setenv("GIT_DIR", str(repo.path.parent))
    monkeypatch.setenv("GIT_INDEX_FILE", "nowhere")
    assert included(repo) == ALL - {SECOND}


@pytest.mark.usefixtures("instructed")
def test_git_is_asked_once_and_only_about_what_it_does_not_track(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    start = process.start

    def counted(
        words: Sequence[str], cwd: Path, *, interactive: bool = False, index_file: str | None = None
    ) -> subprocess.Popen[bytes]:
        started.append(tuple(words))
        return start(words, cwd, interactive=interactive, index_file=index_file)

    monkeypatch.setattr(process, "start", counted)
    repo.write(".gitignore", "__pycache__/\ndocs/\n*.txt\n")
    repo.git("add", "--force", ".")
    started.clear()
    assert included(repo) == ALL
    assert [words for words in started if "check-ignore" in words] == []
    repo.git("rm", "--quiet", "--cached", SECOND, "CLAUDE.md")
    started.clear()
    repo.write("tasks/lessons.md", memory("B"))
    repo.write(".gitignore", "lessons.md\n")
    assert checked(repo, "--role=learnings") == 1
    assert sorted("check-ignore" in words for words in started) == [False, True]
