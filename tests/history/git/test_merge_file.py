from __future__ import annotations

import pytest

from learnings.history.git.merges import merge_bytes, shows_base
from learnings.history.git.process import GitFailed
from tests.support.repository import GitRepository

NAMES = ("base", "ours", "theirs")
BASE = b"one\ntwo\nthree\nfour\n"


def test_lines_are_merged_as_git_does(repository: GitRepository) -> None:
    ours, theirs = BASE.replace(b"one", b"1"), BASE.replace(b"four", b"4")
    merged = merge_bytes((BASE, ours, theirs), repository.path, names=NAMES, marker_size=7)
    assert merged == (b"1\ntwo\nthree\n4\n", 0)


def test_conflicts_are_counted_and_marked(repository: GitRepository) -> None:
    versions = BASE, BASE.replace(b"two", b"2"), BASE.replace(b"two", b"zwei")
    merged = merge_bytes(versions, repository.path, names=NAMES, marker_size=9)
    assert merged.conflicts == 1
    assert b"<<<<<<<<< ours\n2\n=========\nzwei\n>>>>>>>>> theirs\n" in merged.data


def test_what_git_cannot_merge_is_an_error(repository: GitRepository) -> None:
    with pytest.raises(GitFailed, match="binary"):
        merge_bytes((b"\0", b"\0\1", b"\0\2"), repository.path, names=NAMES, marker_size=7)


def test_the_style_of_conflicts_is_that_of_git(repository: GitRepository) -> None:
    shown = {}
    for style in ("merge", "diff3", "zdiff3"):
        repository.git("config", "merge.conflictStyle", style)
        shown[style] = shows_base(repository.path)
    repository.git("config", "--unset", "merge.conflictStyle")
    assert shown == {"merge": False, "diff3": True, "zdiff3": True}
    assert not shows_base(repository.path)
