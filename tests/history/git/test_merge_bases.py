"""The base of a diff: where a branch left another one, and what it has changed since."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.errors import UntrustedHistory
from learnings.history.git.merges import find_diff_base, merge_bytes, shows_base
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, open_repository
from learnings.history.git.snapshots import copy_of_commit
from tests.support.repository import GitRepository


@pytest.fixture
def forked(repository: GitRepository) -> GitRepository:
    """Return a repository on a branch; the main one has moved on since."""
    repository.write("a.md", "one\n")
    repository.write("gone.md", "x\n")
    repository.write("same.md", "x\n")
    repository.commit()
    repository.branch("feature")
    repository.write("a.md", "two\n")
    repository.write("dir/ü new.md", "x\n")
    (repository.path / "gone.md").unlink()
    repository.commit()
    repository.checkout("main")
    repository.write("same.md", "changed on main\n")
    repository.commit()
    repository.checkout("feature")
    return repository


def test_only_the_changes_of_the_branch_count(forked: GitRepository) -> None:
    base = find_diff_base(forked.path / "dir", "main")
    assert base
    assert base.commit == forked.head("main~1")
    assert sorted(base.paths) == ["a.md", "dir/ü new.md"]
    assert base.content("a.md") == b"one\n"
    assert base.content("dir/ü new.md") is None


def test_what_is_not_committed_counts(forked: GitRepository) -> None:
    forked.write("same.md", "mine\n")
    base = find_diff_base(forked.path, "main")
    assert base
    assert "same.md" in base.paths


def test_a_merge_that_a_server_made_is_compared_with_its_base(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--detach", "main")
    forked.merge("feature")
    base = find_diff_base(forked.path, forked.head("main"))
    assert base
    assert sorted(base.paths) == ["a.md", "dir/ü new.md"]


@pytest.mark.parametrize("base", ["", "nowhere", "0" * 40, "--all"])
def test_a_base_that_is_not_here(forked: GitRepository, base: str) -> None:
    assert find_diff_base(forked.path, base) is None


def test_no_repository(tmp_path: Path) -> None:
    assert find_diff_base(tmp_path, "main") is None


def test_a_history_that_cannot_be_read_is_no_missing_base(forked: GitRepository) -> None:
    middle = forked.head()
    forked.commit("Empty")
    (forked.path / ".git" / "objects" / middle[:2] / middle[2:]).unlink()
    with pytest.raises(UntrustedHistory, match=middle):
        find_diff_base(forked.path, "main")


def test_histories_that_are_not_related_have_no_base(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--orphan", "other")
    forked.commit()
    assert find_diff_base(forked.path, "main") is None


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


def files_in(folder: Path) -> dict[str, str]:
    """Return the contents of the files in a folder, by their paths; git's own are left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def opened(repository: GitRepository, rev: str = "HEAD") -> Repository:
    return open_repository(repository.path, rev=rev)


def test_the_wanted_files_of_an_older_commit(repository: GitRepository) -> None:
    repository.write("a.md", "old\n")
    repository.write("deep/er/b.md", "b\r\n")
    repository.write("c.bin", b"\0")
    repository.commit()
    repository.write("a.md", "new\n")
    repository.write("new.md", "new\n")
    repository.commit()
    with copy_of_commit(opened(repository, "HEAD~1"), lambda path: path != "c.bin") as folder:
        assert files_in(folder) == {"a.md": "old\n", "deep/er/b.md": "b\n"}
        assert (folder / "deep/er/b.md").read_bytes() == b"b\r\n"
        copy = GitRepository(folder)
        assert copy.head() == repository.git("rev-parse", "HEAD~1")
        assert copy.git("ls-files", "-t").split("\n") == ["H a.md", "S c.bin", "H deep/er/b.md"]
        assert copy.git("log", "--format=%s").split() == ["Change"]
    assert not folder.exists()


def test_a_shallow_clone(repository: GitRepository, tmp_path: Path) -> None:
    for text in ("old\n", "new\n"):
        repository.write("a.md", text)
        repository.commit()
    clone = repository.clone(depth=1, path=tmp_path / "clone")
    with copy_of_commit(opened(clone), lambda _: True) as folder:
        assert files_in(folder) == {"a.md": "new\n"}
        assert GitRepository(folder).git("rev-list", "--count", "HEAD") == "1"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_stay_inside(repository: GitRepository) -> None:
    repository.write("agents/a.md", "a\n")
    targets = {"in.md": "agents/a.md", "docs/up.md": "../agents/a.md", "up.md": "../a.md"}
    targets |= {"docs/out.md": "../../a.md", "root.md": "/etc/passwd"}
    targets |= {"here": ".", "through.md": "here/../a.md"}
    repository.write("../a.md", "out\n")
    for name, target in targets.items():
        (repository.path / name).parent.mkdir(exist_ok=True)
        (repository.path / name).symlink_to(target)
    (repository.path / "docs/root.md").symlink_to(repository.path / "agents/a.md")
    repository.commit()
    with copy_of_commit(opened(repository), lambda path: path == "a.md") as folder:
        names = ("agents/a.md", "in.md", "docs/root.md", "docs/up.md")
        assert files_in(folder) == dict.fromkeys(names, "a\n")


@pytest.mark.parametrize("name", ["..", ".git", ".GIT"])
def test_a_tree_that_leads_out_of_its_folder(repository: GitRepository, name: str) -> None:
    """Git writes such trees when it is asked to; a server may send them."""
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"out\n")

    def tree(*rows: tuple[str, str, str]) -> str:
        data = b"".join(
            f"{mode} {name}".encode() + b"\0" + bytes.fromhex(object_id)
            for mode, name, object_id in rows
        )
        words = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"]
        return repository.git(*words, stdin=data)

    out = tree(("100644", "x.md", blob))
    top = tree(("40000", name, out), ("100644", "y.md", blob))
    commit = repository.git("commit-tree", "-m", "Out", top)
    repository.git("update-ref", "refs/heads/main", commit)
    copy = copy_of_commit(opened(repository), lambda _: True)
    with pytest.raises(UntrustedHistory, match="invalid path"), copy:
        pass
