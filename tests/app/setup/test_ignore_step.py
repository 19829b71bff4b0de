"""The ignored plans, report and page, as git itself sees them."""

from __future__ import annotations

import pytest

from learnings.app.setup.text_steps import with_leftovers
from learnings.core.file_names import LEFTOVERS, PAGE, PAGES, PLAN, REPORT
from tests.support.repository import GitError, GitRepository

ENOUGH = ["tmp", "/tmp/", "tmp/*", "**/tmp/", "/tmp/**"]
BOTH = f"{LEFTOVERS}\n{PAGES}\n"


def is_ignored(repository: GitRepository) -> bool:
    names = [PLAN, PLAN.replace(".md", "-2.md"), REPORT, PAGE]
    try:
        return repository.git("check-ignore", *names) == "\n".join(names)
    except GitError:
        return False


@pytest.mark.parametrize("pattern", [*ENOUGH, "/tmp  "])
def test_what_covers_them_already_stays(repository: GitRepository, pattern: str) -> None:
    text = f"*.pyc\r\n{pattern}\r\n"
    assert with_leftovers(text).text == text
    repository.write(".gitignore", f"{pattern}\n")
    assert is_ignored(repository)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{REPORT}\n", f"{REPORT}\n{BOTH}"),
        (None, BOTH),
        ("*.pyc", f"*.pyc\n{BOTH}"),
        ("# tmp/\r\n", "# tmp/\r\n" + BOTH.replace("\n", "\r\n")),
        (" tmp\n!tmp/\n", f" tmp\n!tmp/\n{BOTH}"),
        ("caf\udce9\n", f"caf\udce9\n{BOTH}"),
        (f"{LEFTOVERS}\n", BOTH),
        ("consolidation-*.md\n", f"consolidation-*.md\n{PAGES}\n"),
        (f"/{PAGES}\n", f"/{PAGES}\n{LEFTOVERS}\n"),
    ],
)
def test_the_new_text(repository: GitRepository, before: str | None, after: str) -> None:
    assert with_leftovers(before).text == after
    assert with_leftovers(after).text == after
    repository.write(".gitignore", after.replace("\r", ""))
    assert is_ignored(repository)
