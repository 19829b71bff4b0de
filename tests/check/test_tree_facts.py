"""Which files there are for instructions, asked of real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.check.loading import MemoryLoading, matches_files
from learnings.workspace.tree import Tree
from tests.history.memory import FILE, day, keep, memory, run
from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")


def test_what_is_there_tracked_or_not(repository: GitRepository) -> None:
    repository.write("src/deep/a.py", "")
    repository.write(".gitignore", "*.local.md\nout/\n")
    repository.commit()
    repository.write("new.ts", "")
    repository.write("out/b.rs", "")
    tree = Tree(repository.path)
    may_exist = MemoryLoading(tree).may_exist
    there = ("src/deep/a.py", "src", "new.ts", "out/gone.md", "my.local.md")
    assert [may_exist(path) for path in (*there, "gone.md")] == [True] * 5 + [False]
    globs = ["src/**", "*.py", "src/", "./new.ts", "/new.ts"]
    none = ["lib/**", "*.rs", ":(top)x", "src/*.py"]
    assert [glob for glob in (*globs, *none) if matches_files(tree, [glob])] == globs
    assert matches_files(tree, ["lib/**", "*.py"])


def test_outside_of_a_repository_nothing_is_known(repository: GitRepository) -> None:
    folder = repository.path.parent / "plain"
    folder.mkdir()
    tree = Tree(folder)
    assert matches_files(tree, ["lib/**"])
    assert not MemoryLoading(tree).may_exist("gone.md")


def test_instructions_are_checked_wherever_they_are(repository: GitRepository) -> None:
    repository.write("CLAUDE.md", "# Guide\n\n@docs/gone.md\n")
    repository.write("web/AGENTS.md", "# Web\n\n@rules.md\n")
    repository.write(".claude/rules/a/py.md", "---\npaths: lib/**/*.py\n---\n# Style\n\nShort.\n")
    repository.write(".cursor/rules/b.mdc", "---\ndescription: a: b\n---\n# B\n\nShort.\n")
    repository.commit()
    run = LEARNINGS("check", cwd=repository.path)
    found = [line.split(" ")[:3] for line in run.out.splitlines()]
    assert run.code == 0
    assert found == [
        [".claude/rules/a/py.md:2:1:", "notice", "unmatched-paths"],
        [".cursor/rules/b.mdc:2:1:", "notice", "unreadable-front-matter"],
        ["CLAUDE.md:3:1:", "notice", "dead-import"],
        ["web/AGENTS.md:3:1:", "notice", "dead-import"],
    ]


def test_an_imported_document_is_checked_for_its_imports(repository: GitRepository) -> None:
    ignored = "## B\n\n<!-- learnings: ignore dead-import why -->\n@no.md\n"
    text = f"# I\n\n@gone.md\n\n@docs/index.md\n\n{ignored}"
    repository.write("docs/index.md", text + "x\n" * 500)
    repository.write("CLAUDE.md", "@docs/index.md @vendor/a.md\n")
    repository.write("GEMINI.md", "@docs/index.md\n")
    repository.write("vendor/a.md", "@gone.md\n")
    repository.write("learnings.toml", 'exclude = ["vendor/**"]\n')
    repository.commit()
    out = LEARNINGS("check", cwd=repository.path).out.splitlines()
    places = [line.split(" ")[:3] for line in out[:-1]]
    assert places == [[f"docs/index.md:{n}:1:", "notice", "dead-import"] for n in (3, 5)], out
    assert "(CLAUDE.md \u2192 docs/index.md \u2192 @gone.md)" in out[0]
    assert "write `@index.md`" in out[1]
    (one, *_) = LEARNINGS("check", "GEMINI.md", cwd=repository.path).out.splitlines()
    assert "(GEMINI.md \u2192 docs/index.md" in one
    repository.write("docs/index.md", "# I\n")
    assert LEARNINGS("check", cwd=repository.path).out == ""


def said(where: GitRepository | Path, *words: str | Path, code: int = 2) -> list[str]:
    """The sentences on standard error."""
    done = run(where, "check", "--history", *words)
    assert done.code == code, done
    return [line for line in done.err.splitlines() if line.startswith("learnings: ")]


@pytest.fixture
def kept(repository: GitRepository) -> GitRepository:
    """A memory with two commits."""
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("A", "B"))
    return repository


def test_a_shallow_clone(kept: GitRepository) -> None:
    keep(kept, 2, memory("C"), file="docs/lessons.md")
    assert said(kept, code=0) == []
    assert said(kept.path.parent, kept.path / FILE, code=0) == []
    (sentence,) = said(kept.clone(depth=1))
    assert "git fetch --unshallow" in sentence
    assert "--allow-shallow" not in sentence


def test_only_what_has_a_history_is_asked_for_it(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Rules\n\nNone, see <https://example.org/a.md>.\n")
    (tmp_path / "README.md").write_text("# Read me\n")
    assert said(tmp_path, code=0) == []
    assert said(tmp_path, "README.md", code=0) == []
    (tmp_path / "CLAUDE.md").write_text("# Rules\n\nSee `src/cache.py`.\n")
    assert "not in a git repository" in said(tmp_path)[0]


def test_a_link_that_leads_out_of_git_is_named_among_others(
    kept: GitRepository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside" / FILE
    outside.parent.mkdir()
    outside.write_text(memory("A"))
    (kept.path / "docs").mkdir()
    (kept.path / "docs/lessons.md").symlink_to(outside)
    (sentence,) = said(kept, FILE, "docs/lessons.md")
    assert "docs/lessons.md is outside of the repository" in sentence


def test_a_file_of_another_repository(kept: GitRepository, tmp_path: Path) -> None:
    other = GitRepository(tmp_path / "other")
    keep(other, 0, memory("A", "B"))
    other.branch("work")
    keep(other, 2, memory("A", "B", "C"))
    other.checkout("main")
    keep(other, 1, memory("B"))
    other.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C")})
    done = run(kept, "check", "--history", FILE, other.path / FILE)
    assert done.code == 1
    assert done.out.count(" resurrected-entry ") == 1


def test_where_there_is_no_git_no_repository_and_no_commit(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nowhere: Path
) -> None:
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    assert "no commits" in said(repository)[0]
    (tmp_path / FILE).write_text(memory("A"))
    (sentence,) = said(tmp_path)
    assert "not in a git repository" in sentence
    monkeypatch.setenv("PATH", str(nowhere))
    (sentence,) = said(repository)
    assert "cannot find git" in sentence


def test_a_file_without_a_history(kept: GitRepository) -> None:
    (sentence,) = said(kept, "--stdin-filename", FILE, "-")
    assert sentence.startswith("learnings: --history needs a file on disk; ")
    kept.write("docs/lessons.md", memory("C").rstrip())
    done = run(kept, "check", "--history")
    assert done.code == 2
    assert "learnings: git does not track docs/lessons.md" in done.err
    assert "docs/lessons.md:" in done.out, "what other rules find is printed all the same"
    assert said(kept, FILE, code=0) == []
