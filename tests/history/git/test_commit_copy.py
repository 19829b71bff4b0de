"""The temporary copy of a commit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.errors import UntrustedHistory
from learnings.history.git.repository import Repository, open_repository
from learnings.history.git.snapshots import copy_of_commit
from tests.support.repository import GitRepository


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
        assert copy.git("ls-files").split() == ["a.md", "c.bin", "deep/er/b.md"]
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
    for name, target in targets.items():
        (repository.path / name).parent.mkdir(exist_ok=True)
        (repository.path / name).symlink_to(target)
    repository.commit()
    with copy_of_commit(opened(repository), lambda _: True) as folder:
        assert files_in(folder) == dict.fromkeys(("agents/a.md", "in.md", "docs/up.md"), "a\n")


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
