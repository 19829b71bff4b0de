"""The files at one moment, if the disk does not have all of them."""

from __future__ import annotations

from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, ARCHIVE = "agents/learnings.md", "agents/archive/learnings-consolidated-2026-01-02.md"
FIRST = "\n## When a cache hangs\n\nPut the tenant into the key of the cache.\n"
SECOND = "\n## When a deploy fails\n\nRun the migration before the deploy.\n"


def test_what_a_sparse_checkout_leaves_out_is_not_lost(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(FILE, f"# Learnings\n{FIRST}{SECOND}")
    repository.commit(date="2026-01-01")
    repository.write(FILE, f"# Learnings\n{SECOND}")
    repository.write(ARCHIVE, f"# Archive\n\n## Dropped: false\n{FIRST}")
    repository.write("docs/notes.md", "# Notes\n")
    repository.commit(date="2026-01-02")
    verify = ("verify", "--base", "HEAD~1")
    for pattern in ("/docs/*", "/agents/*.md", "/agents/archive/*"):
        repository.git("sparse-checkout", "set", "--no-cone", pattern)
        run = learnings(*verify, cwd=repository.path)
        assert (run.code, run.err) == (0, "")

    repository.git("sparse-checkout", "set", "--no-cone", "/agents/*.md")
    repository.write(FILE, "# Learnings\n")
    assert '"When a deploy fails" is lost' in learnings(*verify, cwd=repository.path).out
