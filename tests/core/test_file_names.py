"""Which paths lead into git's own folder, as `core.protectNTFS` and `core.protectHFS` see them."""

from __future__ import annotations

from learnings.core.file_names import LEARNINGS_NAMES, MEMORY_ENDINGS, MEMORY_PLACES, leads_into_git


def test_every_name_of_a_memory_file_ends_as_one() -> None:
    assert all(name.endswith(MEMORY_ENDINGS) for name in (*LEARNINGS_NAMES, *MEMORY_PLACES))


def test_paths_that_lead_into_the_folder_of_git() -> None:
    into = [
        *(".git", ".git/config", "a/.git/hooks/x", ".GIT/x", "git~1", "a/GIT~1/x"),
        *(".git.", ".git ", ".git . .", ".git::$INDEX_ALLOCATION/config", "a\\.git\\config"),
        *(".g\u200cit/x", "\ufeff.git", ".git\u202e/x"),
    ]
    others = [
        *("", "git", "a.git/x", ".gitignore", ".github/x.md", "git~2/x", ".git~1"),
        *(".git-notes.md", "docs/.git.md", "x/git~1.md", "..git/x", "TASKS.md"),
    ]
    assert [path for path in (*into, *others) if leads_into_git(path)] == into
