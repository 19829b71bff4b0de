"""Which files there are for instructions, asked of real repositories."""

from __future__ import annotations

from learnings.check.agent_facts import tree_facts
from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")


def test_what_is_there_tracked_or_not(repository: GitRepository) -> None:
    repository.write("src/deep/a.py", "")
    repository.write(".gitignore", "*.local.md\nout/\n")
    repository.commit()
    repository.write("new.ts", "")
    repository.write("out/b.rs", "")
    tree = tree_facts(repository.path, "CLAUDE.md")
    there = ("src/deep/a.py", "src", "new.ts", "out/gone.md", "my.local.md")
    assert [tree.has(path) for path in (*there, "gone.md")] == [True] * 5 + [False]
    globs = ["src/**", "*.py", "src/", "./new.ts", "/new.ts"]
    none = ["lib/**", "*.rs", ":(top)x", "src/*.py"]
    assert [glob for glob in (*globs, *none) if tree.matches([glob])] == globs
    assert tree.matches(["lib/**", "*.py"])


def test_outside_of_a_repository_nothing_is_known(repository: GitRepository) -> None:
    folder = repository.path.parent / "plain"
    folder.mkdir()
    tree = tree_facts(folder, "CLAUDE.md")
    assert (tree.matches(["lib/**"]), tree.has("gone.md")) == (True, False)


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
