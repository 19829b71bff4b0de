from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitError, GitRepository

SCRIPT = ROOT / "hooks/git/pre-commit"
MEMORY, TARGET, INDEX = "agents/learnings.md", "agents/decisions/cli.md", "agents/memory-index.md"
GOOD = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
BAD = f"{GOOD}\n## When a build hangs\n\nKill it.\n"
BETTER = f"{GOOD}\n## When a test is slow\n\nProfile it.\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="the commands need a shell to be found in"),
]


def install(repository: GitRepository, folder: str = ".git/hooks") -> None:
    (repository.path / folder).mkdir(parents=True, exist_ok=True)
    for name in ("pre-commit", "pre-merge-commit"):
        shutil.copy(SCRIPT, repository.path / folder / name)


def commit(repository: GitRepository, *arguments: str, path: str | None = None) -> None:
    """Commit with the hooks active; a refusal raises GitError with their output."""
    programs = Command("learnings-check").path.parent
    search = path or os.pathsep.join([str(programs), os.environ["PATH"]])
    repository.git("commit", "--quiet", "--message=Change", *arguments, env={"PATH": search})


def leftovers() -> list[str]:
    return sorted(path.name for path in Path(os.environ["TMPDIR"]).iterdir())


@pytest.fixture
def memory(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> GitRepository:
    """Return a repository with a good memory and the hook; temporary files go to a folder."""
    (tmp_path / "temporary files").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary files"))
    repository.write(MEMORY, GOOD)
    repository.commit()
    install(repository)
    return repository


def test_a_bad_memory_is_stopped_and_a_good_one_let_through(memory: GitRepository) -> None:
    memory.write(MEMORY, BAD)
    memory.git("add", "--all")
    before = memory.git("status", "--porcelain=v2", "--branch")
    with pytest.raises(GitError, match=r"agents/learnings\.md:7:1: error duplicate-entry") as error:
        commit(memory)
    assert "other changes" not in str(error.value)
    assert memory.git("status", "--porcelain=v2", "--branch") == before
    memory.write(MEMORY, BETTER)
    memory.git("add", "--all")
    commit(memory)
    assert memory.git("log", "--format=%s").splitlines() == ["Change", "Change"]
    assert memory.git("status", "--porcelain") == ""
    assert leftovers() == []


def test_what_is_staged_counts_and_not_the_working_tree(memory: GitRepository) -> None:
    memory.write(MEMORY, BAD)
    memory.git("add", "--all")
    memory.write(MEMORY, GOOD)
    with pytest.raises(GitError, match=r"duplicate-entry[^$]*not:\nagents/learnings\.md"):
        commit(memory)
    assert memory.read(MEMORY).decode() == GOOD
    memory.write(MEMORY, BETTER)
    memory.git("add", "--all")
    memory.write(MEMORY, BAD)
    commit(memory)
    assert memory.git("show", f"HEAD:{MEMORY}") == BETTER.rstrip("\n")
    assert memory.read(MEMORY).decode() == BAD


def test_staged_settings_count(memory: GitRepository) -> None:
    memory.write("docs/decisions/cli.md", "# Decisions\n\nOne.\n")
    memory.write("learnings.toml", "line-limit = 2\n")
    memory.git("add", "--all")
    memory.write("learnings.toml", "line-limit = 100\n")
    with pytest.raises(GitError, match="line-limit 3 lines"):
        commit(memory)
    memory.git("add", "--all")
    commit(memory)


@pytest.mark.parametrize(
    ("how", "linked"), [("--include", False), pytest.param("--only", True, marks=pytest.mark.soak)]
)
def test_a_commit_with_an_index_of_its_own(
    memory: GitRepository,
    tmp_path: Path,
    how: str,
    linked: bool,
) -> None:
    checkout = memory.worktree(tmp_path / "linked one", branch="side") if linked else memory
    checkout.write(MEMORY, BAD)
    with pytest.raises(GitError, match="duplicate-entry"):
        commit(checkout, how, MEMORY)
    checkout.write(MEMORY, BETTER)
    commit(checkout, how, MEMORY)
    assert checkout.git("show", f"HEAD:{MEMORY}") == BETTER.rstrip("\n")
    assert checkout.git("status", "--porcelain") == ""
    assert memory.git("rev-parse", "--verify", "main")
    assert leftovers() == []


def test_only_changed_files_are_checked(memory: GitRepository) -> None:
    memory.write("docs/lessons.md", BAD)
    memory.commit("Bad, from before")
    memory.write(MEMORY, BETTER)
    memory.write("notes.md", "no newline")
    memory.git("add", "--all")
    commit(memory)
    memory.write("docs/lessons.md", f"{BAD}\nMore.\n")
    with pytest.raises(GitError, match=r"docs/lessons\.md:7"):
        commit(memory, "--all")


@pytest.mark.soak
def test_index_is_held_against_deleted_files(memory: GitRepository) -> None:
    memory.write(TARGET, "# Decisions\n\n## When a build hangs\n")
    memory.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when a build hangs\n")
    memory.git("add", "--all")
    commit(memory)
    memory.remove(TARGET)
    with pytest.raises(GitError, match="index-missing-file"):
        commit(memory)
    memory.write(INDEX, "# Index\n")
    memory.git("add", "--all")
    commit(memory)


@pytest.mark.soak
def test_names_of_every_kind(memory: GitRepository) -> None:
    names = ["docs/decisions/two words.md", "docs/decisions/-x.md", 'docs/decisions/a"b$c.md']
    names += ["docs/decisions/grün\nes.md", "docs/decisions/*.md"]
    memory.write("learnings.toml", 'targets = ["docs/decisions/*.md"]\nline-limit = 1\n')
    for name in names:
        memory.write(name, "One.\n")
    memory.git("add", "--all")
    commit(memory)
    for name in names:
        memory.write(name, "One.\nTwo.\n")
    with pytest.raises(GitError) as error:
        commit(memory, "--all")
    assert str(error.value).count(" error line-limit ") == len(names)


def test_links_are_left_out(memory: GitRepository) -> None:
    (memory.path / "CLAUDE.md").symlink_to(MEMORY)
    (memory.path / "AGENTS.md").symlink_to("nowhere/at-all.txt")
    memory.git("add", "--all")
    commit(memory)
    assert memory.git("status", "--porcelain") == ""


@pytest.mark.soak
def test_merges(memory: GitRepository) -> None:
    for name, title in (("one", "When a Test is slow"), ("two", "When a test is slow")):
        memory.git("checkout", "--quiet", "-b", name, "main")
        entry = f"## {title}\n\nProfile it.\n"
        above = GOOD.replace("## When", f"{entry}\n## When")
        memory.write(MEMORY, f"{GOOD}\n{entry}" if name == "one" else above)
        commit(memory, "--all")
    programs = str(Command("learnings-check").path.parent)
    search = {"PATH": os.pathsep.join([programs, os.environ["PATH"]])}
    with pytest.raises(GitError, match="duplicate-entry"):
        memory.git("merge", "--quiet", "--no-edit", "one", env=search)
    assert memory.git("rev-parse", "--verify", "MERGE_HEAD")
    memory.write(MEMORY, BETTER)
    memory.git("add", "--all")
    commit(memory)
    assert memory.git("rev-list", "--merges", "--count", "HEAD") == "1"


@pytest.mark.soak
def test_the_first_commit_and_one_to_be_amended(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    install(repository)
    repository.write(MEMORY, BAD)
    repository.git("add", "--all")
    with pytest.raises(GitError, match="duplicate-entry"):
        commit(repository)
    repository.write(MEMORY, GOOD)
    commit(repository, "--all")
    repository.write(MEMORY, BAD)
    with pytest.raises(GitError, match="duplicate-entry"):
        commit(repository, "--all", "--amend")


def test_what_has_nothing_to_do_with_it_is_quick(memory: GitRepository) -> None:
    """Without a Markdown file, not even the programs are needed."""
    memory.write("code.py", "print()\n")
    memory.git("add", "--all")
    commit(memory, path=basic_programs(memory.path.parent))
    commit(memory, "--allow-empty", path=basic_programs(memory.path.parent))


def test_without_the_programs_it_says_what_to_do(memory: GitRepository) -> None:
    memory.write(MEMORY, BETTER)
    with pytest.raises(GitError, match="learnings-check was not found") as error:
        commit(memory, "--all", path=basic_programs(memory.path.parent))
    assert "pipx install" in str(error.value)
    assert leftovers() == []
    commit(memory, "--all", "--no-verify", path=basic_programs(memory.path.parent))


def basic_programs(folder: Path) -> str:
    """Return a folder with the programs that the script needs, without ours."""
    target = folder / "programs"
    target.mkdir(exist_ok=True)
    for name in ("sh", "git", "mktemp", "mkdir", "rm", "cat", "xargs"):
        program = shutil.which(name)
        if program and not (target / name).exists():
            (target / name).symlink_to(program)
    return str(target)


def test_wrong_configuration_stops_too(memory: GitRepository) -> None:
    memory.write("learnings.toml", "line-limt = 1\n")
    memory.git("add", "--all")
    with pytest.raises(GitError, match=r"learnings\.toml:1"):
        commit(memory)


def test_another_folder_of_hooks_and_a_link(memory: GitRepository) -> None:
    shutil.rmtree(memory.path / ".git/hooks")
    (memory.path / "tools").mkdir()
    (memory.path / "tools/pre-commit").symlink_to(SCRIPT)
    memory.git("config", "core.hooksPath", "tools")
    memory.write(MEMORY, BAD)
    memory.git("add", MEMORY)
    with pytest.raises(GitError, match="duplicate-entry"):
        commit(memory)


@pytest.mark.usefixtures("instructed")
def test_temporary_files_inside_of_a_repository(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory.path / "tmp").mkdir()
    (memory.path / ".gitignore").write_text("tmp\n", encoding="utf-8")
    monkeypatch.setenv("TMPDIR", str(memory.path / "tmp"))
    memory.write(MEMORY, BAD)
    memory.git("add", "--all")
    with pytest.raises(GitError, match=r"exit 1: agents/learnings\.md:7"):
        commit(memory)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("CLAUDE.md", f"@{MEMORY}\n", marks=pytest.mark.soak),
        pytest.param(".cursorrules", f"Read {MEMORY}.\n", marks=pytest.mark.soak),
        pytest.param(".claude/settings.json", '{"command": "learnings"}\n', marks=pytest.mark.soak),
        (".claude/hooks/start.sh", f"cat {MEMORY}\n"),
    ],
)
def test_staged_instructions_count(memory: GitRepository, path: str, text: str) -> None:
    memory.write(MEMORY, BAD)
    memory.git("add", "--all")
    with pytest.raises(GitError, match="duplicate-entry") as refusal:
        commit(memory)
    assert "notice memory-not-loaded" in str(refusal.value)
    memory.write(path, text)
    memory.git("add", "--all")
    with pytest.raises(GitError, match="duplicate-entry") as refusal:
        commit(memory)
    assert "memory-not-loaded" not in str(refusal.value)
