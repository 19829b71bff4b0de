"""The ignored report, as git itself sees it."""

from __future__ import annotations

import pytest

from learnings.app.setup.ignore_step import with_report
from learnings.core.file_names import REPORT
from tests.support.repository import GitError, GitRepository

ENOUGH = ["tmp", "tmp/", "/tmp", "/tmp/", "tmp/*", "**/tmp/", "consolidation-report.md", "/tmp/**"]


def is_ignored(repository: GitRepository) -> bool:
    try:
        return repository.git("check-ignore", REPORT) == REPORT
    except GitError:
        return False


@pytest.mark.parametrize("pattern", [*ENOUGH, f"/{REPORT}", f"{REPORT}  "])
def test_what_covers_the_report_already_stays(repository: GitRepository, pattern: str) -> None:
    text = f"*.pyc\r\n{pattern}\r\n"
    assert with_report(text).text == text
    repository.write(".gitignore", f"{pattern}\n")
    assert is_ignored(repository)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{REPORT}\n"),
        ("", f"{REPORT}\n"),
        ("*.pyc", f"*.pyc\n{REPORT}\n"),
        ("# tmp/\r\n", f"# tmp/\r\n{REPORT}\r\n"),
        (" tmp\n!tmp/\n", f" tmp\n!tmp/\n{REPORT}\n"),
        ("caf\udce9\n", f"caf\udce9\n{REPORT}\n"),
    ],
)
def test_the_new_text(repository: GitRepository, before: str | None, after: str) -> None:
    assert with_report(before).text == after
    assert with_report(after).text == after
    repository.write(".gitignore", after.replace("\r", ""))
    assert is_ignored(repository)
