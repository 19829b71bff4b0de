"""Which paths lead into git's own folder, as `core.protectNTFS` and `core.protectHFS` see them."""

from __future__ import annotations

import pytest

from learnings.core.file_names import LEARNINGS_NAMES, MEMORY_ENDINGS, MEMORY_PLACES, leads_into_git


@pytest.mark.parametrize(
    "path",
    [
        *(".git", ".git/config", "a/.git/hooks/x", ".GIT/x", ".Git", "git~1", "a/GIT~1/x"),
        *(".git.", ".git ", ".git . .", ".git::$INDEX_ALLOCATION/config", "a\\.git\\config"),
        *(".g\u200cit/x", "\ufeff.git", ".git\u202e/x"),
    ],
)
def test_a_path_that_does(path: str) -> None:
    assert leads_into_git(path)


@pytest.mark.parametrize(
    "path",
    [
        *("", "git", "a.git/x", ".gitignore", ".github/x.md", ".gitmodules", "git~2/x", ".git~1"),
        *(".git-notes.md", "docs/.git.md", "x/git~1.md", "..git/x", "TASKS.md"),
    ],
)
def test_a_path_that_does_not(path: str) -> None:
    assert not leads_into_git(path)


def test_every_name_of_a_memory_file_ends_as_one() -> None:
    assert all(name.endswith(MEMORY_ENDINGS) for name in (*LEARNINGS_NAMES, *MEMORY_PLACES))
