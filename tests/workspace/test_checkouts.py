from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from learnings.app.fleet import MOST_LEVELS, FoundCheckout, found_checkouts
from tests.support.repository import GitRepository
from tests.workspace.test_unreadable import run

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs links and modes of POSIX")


def checkout(path: Path) -> GitRepository:
    repository = GitRepository(path)
    repository.write("README.md", "# Shop\n")
    repository.commit(date="2026-01-01")
    return repository


def names(folder: Path, *named: str) -> list[str]:
    found = found_checkouts(named or ("src",), folder)
    assert {one.problem for one in found} <= {""}
    return [one.name for one in found]


def marked(folder: Path, *paths: str) -> None:
    """Make folders that look like checkouts; git is asked nothing."""
    for path in paths:
        (folder / path / ".git").mkdir(parents=True)


def test_checkouts_at_any_level_are_found_in_order(tmp_path: Path) -> None:
    marked(tmp_path, "src/b", "src/a/deep/er", "src/github.com/owner/name")
    (tmp_path / "src/a/notes.txt").write_text("no folder\n", encoding="utf-8")
    assert names(tmp_path) == ["src/a/deep/er", "src/b", "src/github.com/owner/name"]
    assert names(tmp_path / "src", ".") == ["a/deep/er", "b", "github.com/owner/name"]
    assert names(tmp_path, f"{tmp_path}/src")[1] == f"{tmp_path}/src/b"


def test_the_search_ends_at_a_level(tmp_path: Path) -> None:
    levels = [f"l{number}" for number in range(MOST_LEVELS + 1)]
    deepest = "/".join(["src", *levels[:MOST_LEVELS]])
    marked(tmp_path, deepest)
    assert names(tmp_path) == [deepest]
    marked(tmp_path, "other/" + "/".join(levels))
    assert names(tmp_path, "other") == ["other"]


def test_what_is_not_searched(tmp_path: Path) -> None:
    marked(tmp_path, "src/a", "src/a/vendor/inner", "src/node_modules/b", "src/.cache/c")
    marked(tmp_path, "src/x/node_modules/d", "src/e/.git/modules/f")
    assert names(tmp_path) == ["src/a", "src/e"]


def test_a_checkout_that_is_named_is_itself(tmp_path: Path) -> None:
    marked(tmp_path, "src", "src/a", "other/b")
    assert names(tmp_path, "src", "other", "nowhere", "src/a") == [
        *("src", "nowhere", "src/a", "other/b")
    ]
    assert names(tmp_path, "other", "other/b") == ["other/b"]


def test_a_folder_without_a_checkout_stays_as_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "plain/inner").mkdir(parents=True)
    (tmp_path / "file").write_text("no folder\n", encoding="utf-8")
    assert names(tmp_path, "plain", "file") == ["plain", "file"]


def test_work_trees_of_a_repository_count_once(tmp_path: Path) -> None:
    main = checkout(tmp_path / "src" / "main")
    for name in ("a-feature", "z-feature"):
        main.git("worktree", "add", "--quiet", "-b", name, str(tmp_path / "src" / name))
    checkout(tmp_path / "src" / "other")
    assert names(tmp_path) == ["src/main", "src/other"]
    (tmp_path / "elsewhere").mkdir()
    main.path.rename(tmp_path / "elsewhere" / "main")
    moved = GitRepository(tmp_path / "elsewhere" / "main")
    moved.git(
        "worktree", "repair", *(str(tmp_path / "src" / n) for n in ("a-feature", "z-feature"))
    )
    assert names(tmp_path) == ["src/a-feature", "src/other"]
    assert names(tmp_path, "elsewhere/main", "src") == ["elsewhere/main", "src/other"]


def test_a_broken_pointer_is_a_checkout_of_its_own(tmp_path: Path) -> None:
    for name, content in (("a", b"gitdir: /nowhere/a\n"), ("b", b"\0"), ("c", b"\xff" * 99_999)):
        (tmp_path / "src" / name).mkdir(parents=True)
        (tmp_path / "src" / name / ".git").write_bytes(content)
    assert names(tmp_path) == ["src/a", "src/b", "src/c"]


@POSIX_ONLY
def test_links_are_not_followed(tmp_path: Path) -> None:
    marked(tmp_path, "src/a", "elsewhere/b")
    (tmp_path / "src/link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "src/round").symlink_to(tmp_path / "src")
    assert names(tmp_path) == ["src/a"]
    (tmp_path / "named").symlink_to(tmp_path / "src")
    assert names(tmp_path, "named") == ["named/a"]


@POSIX_ONLY
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    marked(tmp_path, "src/a", "src/closed/b")
    (tmp_path / "src/closed").chmod(0)
    program = (
        "from pathlib import Path; from learnings.app.fleet import found_checkouts; "
        "print(found_checkouts(['src'], Path()))"
    )
    try:
        done = run(Path(sys.executable), tmp_path, "-c", program)
    finally:
        (tmp_path / "src/closed").chmod(0o755)
    advice = "make it readable, or name the checkouts in it"
    reason = f"this folder cannot be read (Permission denied); {advice}"
    expected = [FoundCheckout("src/a"), FoundCheckout("src/closed", reason)]
    assert (done.stderr, done.stdout) == ("", f"{expected}\n")
