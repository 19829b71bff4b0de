"""The work of `learnings verify` on the commits of a range."""

from __future__ import annotations

from functools import wraps

import pytest

from learnings.app.verify import verification
from learnings.app.verify.verification import verification_of
from learnings.workspace.workspace import Workspace
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
