"""A memory that a link leads to: found under the link's name, read and written at its end."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.history.memory import memory, run
from tests.support.repository import GitRepository

HOME = "notes/kept.md"


def to_file(repository: GitRepository) -> str:
    link(repository, "agents/learnings.md", "../notes/kept.md")
    return "agents/learnings.md"


def to_folder(repository: GitRepository) -> str:
    repository.git("mv", HOME, "notes/learnings.md")
    link(repository, "agents", "notes")
    return "agents/learnings.md"


def by_chain(repository: GitRepository) -> str:
    link(repository, "notes/second.md", "kept.md")
    link(repository, "docs/lessons.md", "../notes/second.md")
    return "docs/lessons.md"


def configured(repository: GitRepository) -> str:
    link(repository, "x/rules", "../notes/kept.md")
    repository.write("learnings.toml", 'path = "x/rules"\n')
    return "x/rules"


def link(repository: GitRepository, path: str, target: str) -> None:
    full = repository.path / path
    full.parent.mkdir(exist_ok=True)
    full.symlink_to(target)


WAYS = [to_file, to_folder, by_chain, configured]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def linked(repository: GitRepository, request: pytest.FixtureRequest) -> tuple[GitRepository, str]:
    """A repository with a memory, and the path of the link that leads to it."""
    repository.write(HOME, memory("A", "B", "C"))
    repository.git("add", "--all")
    path: str = request.param(repository)
    repository.write("CLAUDE.md", f"@{path}\n")
    repository.commit(date="2026-03-01")
    return repository, path


def end_of(repository: GitRepository, path: str) -> str:
    return (repository.path / path).resolve().relative_to(repository.path.resolve()).as_posix()


def test_it_is_found_under_its_name_and_counts_once(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    files = run(repository, "config", "--format=json").json["learnings"]
    assert [file["path"] for file in files if file["taken"]] == [path]
    assert run(repository, "check", "--format=json").json["summary"]["files"] == 2
    report = run(repository, "ages", "--format=json").json
    assert report["file"] == path
    assert {entry["added"] for entry in report["entries"]} == {"2026-03-01"}


def test_its_end_is_not_called_skipped(linked: tuple[GitRepository, str]) -> None:
    repository, _ = linked
    assert "skipped" not in run(repository).out + run(repository, "config").out


def test_what_is_written_is_its_end(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    end = end_of(repository, path)
    repository.write(end, repository.read(end).rstrip(b"\n"))
    assert f"{path}:" in run(repository, "check").out
    assert run(repository, "fix").code == 1  # it changed something
    assert repository.read(end).endswith(b"\n")
    assert (repository.path / path).resolve() == (repository.path / end).resolve()


def test_an_archive_is_beside_its_end_and_staged(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    folder = Path(end_of(repository, path)).parent.as_posix()
    done = run(repository, "archive", "A", "--reason", "old", "--stage")
    assert (done.code, done.err) == (0, "")
    assert f"Moved 1 entry from {path} to {folder}/archive/" in done.out
    staged = repository.git("diff", "--cached", "--name-only").splitlines()
    assert end_of(repository, path) in staged
    assert [name for name in staged if name.startswith(f"{folder}/archive/")] != []
    assert repository.git("diff", "--name-only") == ""
    assert run(repository, "archive", "--restore", "A").code == 0


def test_a_plan_names_the_link_and_changes_its_end(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    plan = run(repository, "plan", "--all")
    assert f"\nFile: {path}\n" in plan.out
    text = re.sub(r"- keep[a-z ]* `(\w+)` A", r"- drop it is old `\1` A", plan.out)
    repository.write("tmp/consolidation-plan.md", text)
    done = run(repository, "apply", "tmp/consolidation-plan.md")
    assert (done.code, done.err) == (0, "")
    assert repository.git("diff", "--name-only").splitlines() == [end_of(repository, path)]
    assert b"## A" not in repository.read(end_of(repository, path))


def test_entries_that_are_gone_are_missed(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    repository.write(end_of(repository, path), "# Memory\n")
    done = run(repository, "check", "--rule=entries-gone")
    assert (done.code, f"{path}:1:1: error entries-gone" in done.out) == (1, True)


@pytest.mark.parametrize("linked", WAYS, indirect=True, ids=lambda way: way.__name__)
def test_what_is_lost_is_named_by_the_link_and_archived_at_its_end(
    linked: tuple[GitRepository, str],
) -> None:
    repository, path = linked
    repository.write(end_of(repository, path), memory("A"))
    lost = run(repository, "verify")
    assert lost.out.startswith(f"{path}:")
    assert f"of {path})" in lost.out
    changes = run(repository, "diff", "--format=json").json["changes"]
    assert {change["before"]["path"] for change in changes} == {path}
    annotated = run(repository, "verify", "--format=github")
    assert f"file={end_of(repository, path)}," in annotated.out
    command = next(line for line in lost.out.splitlines() if line.startswith("    learnings "))
    assert run(repository, *command.split()[1:]).code == 0
    assert run(repository, "verify").code == 0


@pytest.mark.parametrize("linked", WAYS, indirect=True, ids=lambda way: way.__name__)
def test_what_is_hidden_is_named_with_its_file(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    text = memory("A", "B", "C").replace("## C", "<!-- C") + "-->\n"
    repository.write(end_of(repository, path), text)
    (notice,) = run(repository, "verify", "--format=json").json["notices"]
    assert notice["message"].endswith(f"({path}:{notice['after']['line']})")


def test_a_link_to_the_top_is_no_other_repository(repository: GitRepository) -> None:
    repository.write("learnings.md", memory("A"))
    link(repository, "agents", ".")
    repository.commit()
    assert "skipped agents/learnings.md: the same file as learnings.md" in run(repository).out


def test_findings_at_a_commit_are_older(linked: tuple[GitRepository, str]) -> None:
    repository, path = linked
    home = end_of(repository, path)
    repository.write(home, (repository.read(home).decode() + "##D\n"))
    repository.commit(date="2026-03-02")
    done = run(repository, "check", "--since=HEAD")
    assert (done.code, done.out) == (0, "")
    assert "older finding" in done.err


def test_a_linked_folder_is_the_folder_at_its_end(repository: GitRepository) -> None:
    for name in ("a", "b"):
        repository.write(f"shared/kept/{name}.md", f"# {name}\n\nText of {name}.\n")
    repository.write("shared/kept/MEMORY.md", "- [a](a.md) — a\n- [b](b.md) — b\n")
    link(repository, ".serena", "shared/kept")
    (repository.path / ".serena").unlink()
    link(repository, ".serena/memories", "../shared/kept")
    repository.commit(date="2026-03-01")
    report = run(repository, "ages", ".serena/memories", "--format=json").json
    assert report["file"] == ".serena/memories"
    assert [entry["added"] for entry in report["entries"]] == ["2026-03-01"] * 2
    done = run(repository, "archive", "a", "--file", ".serena/memories", "--reason=old", "--stage")
    assert (done.code, done.err) == (0, "")
    staged = repository.git("status", "--porcelain", "--no-renames").splitlines()
    assert staged == [
        "M  shared/kept/MEMORY.md",
        "D  shared/kept/a.md",
        "A  shared/kept/archive/a.md",
    ]


@pytest.fixture
def without_links(repository: GitRepository, tmp_path: Path) -> Callable[[], GitRepository]:
    """Commit the repository, and give a clone on a disk without links."""

    def cloned() -> GitRepository:
        repository.commit()
        path = tmp_path / "clone"
        repository.git("clone", "-q", "-c", "core.symlinks=false", str(repository.path), str(path))
        return GitRepository(path)

    return cloned


def test_a_link_that_git_wrote_as_text_is_a_link(
    repository: GitRepository, without_links: Callable[[], GitRepository]
) -> None:
    repository.write(HOME, memory("A", "B").rstrip("\n"))
    link(repository, "agents/learnings.md", "../notes/kept.md")
    repository.write("AGENTS.md", "# Guide\n\nRead agents/learnings.md.\n")
    link(repository, "CLAUDE.md", "AGENTS.md")
    clone = without_links()
    assert (clone.path / "CLAUDE.md").read_bytes() == b"AGENTS.md"
    done = run(clone, "check")
    assert "CLAUDE.md:1:1: notice unreadable-file git wrote this link to AGENTS.md" in done.out
    assert re.search(r"agents/learnings.md:\d+:\d+: error final-newline", done.out)
    assert run(clone, "fix").code == 1
    assert clone.git("status", "--porcelain").split() == ["M", HOME]
    assert len(run(clone, "ages", "--format=json").json["entries"]) == 2


def test_a_linked_folder_is_the_same_where_git_wrote_the_link_as_text(
    repository: GitRepository, without_links: Callable[[], GitRepository]
) -> None:
    repository.write("tools/mem/learnings.md", memory("A", "B"))
    repository.write("tools/mem/decisions/c.md", "# C\n\n## When full\n\ntext\n")
    repository.write("tools/mem/memory-index.md", "## agents/decisions/c.md\n\n/when full\n")
    repository.write("tools/kept/a.md", "# a\n\nText of a.\n")
    repository.write("CLAUDE.md", "@agents/learnings.md\n@agents/decisions/c.md\n")
    link(repository, "agents", "tools/mem")
    link(repository, ".serena/memories", "../tools/kept")
    clone = without_links()
    for words in (
        ("check",),
        ("check", "agents"),
        ("check", "agents/learnings.md"),
        ("due",),
        ("due", ".serena/memories", "agents/learnings.md"),
        ("ages", "agents/learnings.md"),
        ("plan", "--all", "--output=tmp/plan.md", "agents/learnings.md"),
    ):
        done, expected = run(clone, *words), run(repository, *words)
        assert (done.code, done.out, done.err) == (expected.code, expected.out, expected.err)
        assert done.code == 0
    for one in (repository, clone):
        plan = one.read("tmp/plan.md").decode()
        plan = re.sub(r"- keep[a-z ]* `(\w+)` A", r"- move agents/decisions/c.md `\1` A", plan)
        one.write("tmp/plan.md", plan)
        done = run(one, "apply", "--stage", "tmp/plan.md")
        assert (done.code, done.err) == (0, "")
        assert one.git("diff", "--name-only") == ""
        staged = one.git("diff", "--cached", "--name-only").splitlines()
        assert {"tools/mem/decisions/c.md", "tools/mem/memory-index.md"} < {*staged}


@pytest.mark.parametrize(
    ("target", "finding"),
    [
        ("AGENT.md", "CLAUDE.md:1:1: error unreadable-file broken link to AGENT.md,"),
        ("AGENTS.md\n", 'CLAUDE.md:1:1: error unreadable-file broken link to "AGENTS.md'),
        ("../AGENT.md", "CLAUDE.md:1:1: notice unreadable-file broken link to ../AGENT.md,"),
        ("CLAUDE.md", "CLAUDE.md:1:1: error unreadable-file broken link to CLAUDE.md,"),
        ("AGENTS.md/x", "CLAUDE.md:1:1: error unreadable-file broken link to AGENTS.md/x,"),
    ],
)
def test_a_link_that_leads_nowhere_is_a_finding_and_stops_no_other(
    repository: GitRepository, target: str, finding: str
) -> None:
    repository.write("agents/learnings.md", memory("A") + "##B\n")
    repository.write("AGENTS.md", "Read agents/learnings.md.\n")
    link(repository, "CLAUDE.md", target)
    done = run(repository, "check")
    assert (done.code, finding in done.out) == (1, True)
    assert "entry-heading-malformed" in done.out
    assert run(repository, "check", "CLAUDE.md").code == 2


def test_a_dangling_memory_stops_no_other(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("A"))
    repository.write("AGENTS.md", "Read agents/learnings.md.\n")
    link(repository, "docs/lessons.md", "gone.md")
    done = run(repository, "check")
    assert (done.code, "docs/lessons.md:1:1: error unreadable-file" in done.out) == (1, True)
    repository.commit()
    assert run(repository, "due").code == 0
    assert run(repository, "check", "docs/lessons.md").code == 2


def test_a_link_to_what_a_sparse_checkout_keeps_off_the_disk_is_not_broken(
    repository: GitRepository,
) -> None:
    repository.write(HOME, memory("A"))
    link(repository, "agents/learnings.md", "../notes/kept.md")
    link(repository, "CLAUDE.md", "notes/kept.md")
    repository.commit()
    repository.git("sparse-checkout", "set", "agents")
    done = run(repository, "check")
    assert (done.code, done.out) == (0, "")
    assert "leads to notes/kept.md, which git keeps off the disk" in run(repository, "config").out


def test_a_row_below_a_link_to_what_is_off_the_disk_is_alive(repository: GitRepository) -> None:
    repository.write("notes/kept/a.md", "# A\n\n## When a\n\ntext\n")
    repository.write("agents/memory-index.md", "## agents/decisions/a.md\n\n/when a\n")
    link(repository, "agents/decisions", "../notes/kept")
    repository.commit()
    repository.git("sparse-checkout", "set", "agents")
    assert run(repository, "check", "--role=index").code == 0
    assert run(repository, "fix", "--role=index").code == 0


def test_no_memory_is_begun_at_a_broken_link(repository: GitRepository) -> None:
    link(repository, "agents/learnings.md", "../../outside.md")
    done = run(repository, "init", "--memory", "agents/learnings.md")
    assert (done.code, "agents/learnings.md is a broken link" in done.err) == (2, True)
    assert not (repository.path / "learnings.toml").exists()
    assert "write a first lesson" not in run(repository).out


def test_a_memory_is_begun_below_a_linked_folder_unless_it_is_off_the_disk(
    repository: GitRepository,
) -> None:
    repository.write("notes/kept.md", memory("A"))
    repository.write("docs/d.md", "# D\n")
    link(repository, "agents", "notes")
    repository.commit()
    repository.git("sparse-checkout", "set", "docs")
    done = run(repository, "init", "--memory", "agents/kept.md")
    assert (done.code, "git keeps agents/kept.md off the disk" in done.err) == (2, True)
    repository.git("sparse-checkout", "disable")
    done = run(repository, "init", "--memory", "agents/new.md")
    command = next(line for line in done.out.splitlines() if line.startswith("  git add "))
    assert "notes/new.md" in command
    repository.write("CLAUDE.md", "@agents/new.md\n")
    repository.git(*command.split()[1:])
    assert "notes/new.md" in repository.git("diff", "--cached", "--name-only")


def test_set_up_goes_on_past_what_cannot_be_read(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("A"))
    (repository.path / "docs").mkdir()
    os.mkfifo(repository.path / "docs/learnings.md")
    done = run(repository, "init")
    assert (done.code, "docs/learnings.md is not a regular file" in done.err) == (0, True)
    assert repository.read("learnings.toml") == b'path = "agents/learnings.md"\n'


def test_a_memory_folder_that_leads_nowhere_is_named(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("A"))
    repository.write("CLAUDE.md", "@agents/learnings.md\n")
    link(repository, ".claude/memory", "gone")
    done = run(repository, "check")
    assert (done.code, ".claude/memory:1:1: error unreadable-file" in done.out) == (1, True)
    (repository.path / ".claude/memory").unlink()
    outside = repository.path.parent / "outside"
    outside.mkdir()
    (repository.path / ".claude/memory").symlink_to(outside)
    done = run(repository, "check")
    assert done.code == 0
    assert ".claude/memory: skipped, leads out" in run(repository, "config").out


def test_a_linked_folder_that_is_named_has_each_file_once(repository: GitRepository) -> None:
    repository.write("tools/agents/learnings.md", memory("A"))
    link(repository, "agents", "tools/agents")
    repository.write("CLAUDE.md", "@agents/learnings.md\n")
    for folder in ("agents", "tools/agents", "."):
        document = run(repository, "check", folder, "--format=json", "--rule=final-newline").json
        assert document["summary"]["files"] == (2 if folder == "." else 1)
