"""The ignored plans and report, as git itself sees them."""

from __future__ import annotations

import pytest

from learnings.app.setup.text_steps import with_leftovers
from learnings.core.file_names import LEFTOVERS, PLAN, REPORT
from tests.support.repository import GitError, GitRepository

ENOUGH = ["tmp", "tmp/", "/tmp", "/tmp/", "tmp/*", "**/tmp/", "consolidation-*.md", "/tmp/**"]


def is_ignored(repository: GitRepository) -> bool:
    names = [PLAN, PLAN.replace(".md", "-2.md"), REPORT]
    try:
        return repository.git("check-ignore", *names) == "\n".join(names)
    except GitError:
        return False


@pytest.mark.parametrize("pattern", [*ENOUGH, f"/{LEFTOVERS}", f"{LEFTOVERS}  "])
def test_what_covers_them_already_stays(repository: GitRepository, pattern: str) -> None:
    text = f"*.pyc\r\n{pattern}\r\n"
    assert with_leftovers(text).text == text
    repository.write(".gitignore", f"{pattern}\n")
    assert is_ignored(repository)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{REPORT}\n", f"{REPORT}\n{LEFTOVERS}\n"),
        (None, f"{LEFTOVERS}\n"),
        ("", f"{LEFTOVERS}\n"),
        ("*.pyc", f"*.pyc\n{LEFTOVERS}\n"),
        ("# tmp/\r\n", f"# tmp/\r\n{LEFTOVERS}\r\n"),
        (" tmp\n!tmp/\n", f" tmp\n!tmp/\n{LEFTOVERS}\n"),
        ("caf\udce9\n", f"caf\udce9\n{LEFTOVERS}\n"),
    ],
)
def test_the_new_text(repository: GitRepository, before: str | None, after: str) -> None:
    assert with_leftovers(before).text == after
    assert with_leftovers(after).text == after
    repository.write(".gitignore", after.replace("\r", ""))
    assert is_ignored(repository)
