"""The work of `learnings verify` on the commits of a range."""

from __future__ import annotations

from functools import wraps

import pytest

from learnings.app.verify import verification
from learnings.app.verify.verification import verification_of
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"


def memory(count: int) -> str:
    entries = (f"## When pump {n} stalls\n\nOpen valve {n + 50} by hand.\n\n" for n in range(count))
    return f"# Learnings\n\n{''.join(entries)}"


def test_a_step_is_compared_once_however_much_it_loses(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in (2, 12, 3):
        repository.write(FILE, memory(count))
        repository.commit()
    compared: list[str] = []
    compare = verification.compared_with

    @wraps(compare)
    def counted(*arguments: object) -> object:
        compared.append(str(arguments[-1]))
        return compare(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(verification, "compared_with", counted)
    found = verification_of(Workspace.open(repository.path), "HEAD~2", "HEAD", each=True)
    assert [loss.title for loss in found.proof.losses] == [
        f"When pump {n} stalls" for n in range(3, 12)
    ]
    # The range, each of its two commits, and the commit that lost entries with the end.
    assert len(compared) == 4


@pytest.mark.parametrize("base", ["HEAD~1", "HEAD~2"])
def test_a_loss_on_a_merged_branch_is_blamed_on_its_commit(
    repository: GitRepository, base: str
) -> None:
    repository.write(FILE, memory(3))
    repository.commit()
    repository.branch("side")
    repository.write("code.py", "pass\n")
    repository.commit()
    repository.checkout("side")
    repository.write(FILE, memory(2))
    repository.commit()
    side = repository.head()
    repository.checkout("main")
    repository.git("merge", "-q", "--no-edit", "side")
    found = verification_of(Workspace.open(repository.path), base, "HEAD", each=True)
    assert [(loss.commit, loss.parent) for loss in found.proof.losses] == [(side, "")]


@pytest.mark.slow
def test_a_merge_that_keeps_one_of_two_like_entries_loses_the_other(
    repository: GitRepository, learnings: Command
) -> None:
    def entry(what: str) -> str:
        text = f"Clear the {what} cache with `make clear-{what}` before a release: headers lie."
        return f"## When the cache of {what} is stale\n\n{text}\n"

    base = "# Learnings\n\n## When the build hangs\n\nRestart the worker.\n\n"
    repository.write(FILE, base)
    repository.commit()
    repository.git("switch", "-qc", "side")
    repository.write(FILE, base + entry("pages"))
    repository.commit()
    repository.git("switch", "-q", "main")
    repository.write(FILE, base + entry("images"))
    repository.commit()
    repository.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    for kept, lost in (("pages", "images"), ("images", "pages")):
        repository.write(FILE, base + entry(kept))
        repository.git("add", FILE)
        run = learnings("verify", "--staged", cwd=repository.path)
        assert (run.code, f'"When the cache of {lost} is stale" is lost' in run.out) == (1, True)
        assert f"git show {'HEAD' if lost == 'images' else 'MERGE_HEAD'}:{FILE}" in run.out
    repository.commit()
    run = learnings("verify", "HEAD~1..HEAD", cwd=repository.path)
    assert (run.code, "1 loss" in run.out, "reworded" in run.out) == (1, True, False)
    repository.write(FILE, base + entry("images") + "\n" + entry("pages"))
    repository.commit()
    assert learnings("verify", "HEAD~2..HEAD", cwd=repository.path).code == 0
