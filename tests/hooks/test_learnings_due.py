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


def test_wrong_usage_is_told(repository: GitRepository) -> None:
    assert HOOK("--no-such-option", cwd=repository.path).code == 2


def test_a_quiet_hook_speaks_only_of_what_is_due(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", "# Learnings\n\n## When a build hangs\n\nLook.\n")
    repository.commit(date="2026-01-01")
    assert HOOK("--quiet", cwd=repository.path).both == b""
    entries = "".join(f"## When case {n} comes up\n\nDo this.\n\n" for n in range(101))
    repository.write("agents/learnings.md", f"# Learnings\n\n{entries}")
    repository.commit(date="2026-01-02")
    repository.work("2026-01-03", days=29)
    done = HOOK("--quiet", cwd=repository.path)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1 + 3 + 1 + 10 + 1 + 1
    assert "and 88 more: `learnings batch agents/learnings.md`\n  next: " in done.out
