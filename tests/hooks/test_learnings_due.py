from __future__ import annotations

from pathlib import Path

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK = Command("learnings-due")


def test_verdict_is_printed_and_stops_nothing(repository: GitRepository) -> None:
    entries = "".join(f"## When case {n} comes up\n\nDo this.\n\n" for n in range(60))
    repository.write("agents/learnings.md", f"# Learnings\n\n{entries}".rstrip("\n") + "\n")
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=29)
    done = HOOK(cwd=repository.path)
    assert (done.code, done.err) == (0, "")
    assert "agents/learnings.md: due" in done.out
    assert HOOK("--exit-code", cwd=repository.path).code == 1


def test_reasons_that_lie_in_the_repository_stop_nothing(
    repository: GitRepository, tmp_path: Path
) -> None:
    assert HOOK(cwd=repository.path).code == 0
    repository.write("agents/learnings.md", "## When a build hangs\n")
    assert HOOK(cwd=repository.path).code == 0
    repository.commit()
    repository.commit()
    shallow = repository.clone(depth=1, path=tmp_path / "shallow")
    done = HOOK(cwd=shallow.path)
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert HOOK("--exit-code", cwd=shallow.path).code == 2
