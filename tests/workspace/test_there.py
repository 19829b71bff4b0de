"""Whether a file is there: on disk, kept off it by git, in a submodule, or in a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.memory import memory, run
from tests.support.repository import GitRepository

# A memory of each kind that names `{path}`: an index of links, an import, a row of headings.
NAMING = {
    ".claude/memory/MEMORY.md": "- [Tags]({path}) — sign them\n- [Own](own.md) — own\n",
    "CLAUDE.md": "# Guide\n\n@{path}\n",
    "docs/CLAUDE.md": "# Guide\n\nSee @{path} first.\n",
}


def naming(repository: GitRepository, path: str) -> None:
    """Write files that name a path from the root, and commit everything."""
    for file, text in NAMING.items():
        up = "../" * file.count("/")
        repository.write(file, text.format(path=up + path))
    repository.write(".claude/memory/own.md", "# Own\n\nText.\n")
    repository.write("agents/learnings.md", memory("A") + f"Look at `{path}`.\n")
    repository.commit(date="2026-03-01")


def findings(repository: GitRepository, *words: str) -> set[str]:
    """The rules that find something about what is there, and the files that a fix changes."""
    about = ("dead-import", "dead-reference", "index-missing-file", "index-missing-row")
    document = run(repository, "check", "--format=json", *words).json
    found = {one["rule"] for one in document["findings"] if one["rule"] in about}
    run(repository, "fix", *words)
    return found | {*repository.git("diff", "--name-only").split()}


def test_a_file_outside_a_sparse_checkout_is_there(repository: GitRepository) -> None:
    repository.write("guides/tags.md", "# Tags\n\nSign them.\n")
    repository.write("other/tags.md", "# Tags\n\nOf another kind.\n")
    naming(repository, "guides/tags.md")
    repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/guides")
    assert not (repository.path / "guides").exists()
    assert findings(repository, "--history") == set()


def test_a_deleted_file_is_not_there(repository: GitRepository) -> None:
    repository.write("guides/tags.md", "# Tags\n\nSign them.\n")
    naming(repository, "guides/tags.md")
    repository.remove("guides/tags.md")
    assert {"dead-import", "index-missing-file"} <= findings(repository)


def test_a_submodule_that_is_not_checked_out_may_have_it(
    repository: GitRepository, tmp_path: Path
) -> None:
    inner = GitRepository(tmp_path / "inner")
    inner.write("tags.md", "# Tags\n\nSign them.\n")
    inner.commit()
    allow = ("-c", "protocol.file.allow=always")
    repository.git(*allow, "submodule", "--quiet", "add", str(inner.path), "vendor/shared")
    naming(repository, "vendor/shared/tags.md")
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", str(repository.path), str(clone))
    bare = GitRepository(clone)
    assert findings(bare, "--history") == set()
    bare.git(*allow, "submodule", "--quiet", "update", "--init")
    assert findings(bare) == set()
    (clone / "vendor/shared/tags.md").unlink()
    assert {"dead-import", "index-missing-file"} <= findings(bare)


def test_rows_for_a_file_outside_a_sparse_checkout_are_compared_with_the_index(
    repository: GitRepository,
) -> None:
    repository.write("agents/decisions/cli.md", "# CLI\n\n## When a flag is new\n\nText.\n")
    rows = "# Index\n\n## agents/decisions/cli.md\n\n/when a flag is new\n"
    repository.write("agents/memory-index.md", rows)
    repository.commit()
    repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/agents/decisions")
    assert run(repository, "check").code == 0
    repository.write("agents/memory-index.md", rows.replace("is new", "is old"))
    assert "index-orphan-row" in run(repository, "check").out


@pytest.mark.parametrize("manifest", ["package.json", "pyproject.toml"])
def test_a_path_may_start_at_the_package(repository: GitRepository, manifest: str) -> None:
    repository.write("src/login.py", "print(1)\n" * 40)
    repository.write(f"apps/web/{manifest}", "")
    repository.write("apps/web/src/login.py", "print(2)\n")
    repository.write("apps/web/docs/AGENTS.md", "Look at @src/login.md.\n")
    repository.write("apps/web/src/login.md", "# Login\n")
    repository.write("apps/web/agents/learnings.md", memory("A") + "Read `src/login.py`.\n")
    repository.commit(date="2026-03-01")
    repository.git("mv", "src/login.py", "lib.py")
    repository.commit(date="2026-03-02")
    assert findings(repository, "--history") == set()
    repository.git("rm", "--quiet", "apps/web/src/login.py", "apps/web/src/login.md")
    repository.commit(date="2026-03-03")
    assert {"dead-import", "dead-reference"} <= findings(repository, "--history")
