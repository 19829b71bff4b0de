"""A memory that git stores in other bytes than the disk has."""

from __future__ import annotations

import pytest

from tests.history.memory import memory, run
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"


@pytest.fixture(params=["UTF-16LE-BOM", "UTF-16", "ISO-8859-1"])
def encoded(repository: GitRepository, request: pytest.FixtureRequest) -> GitRepository:
    """A committed memory that the working tree has in an encoding."""
    text = memory("Größe", "B").replace("\n", "\r\n")
    name = request.param.removesuffix("-BOM")
    mark = b"\xff\xfe" if request.param.endswith("-BOM") else b""
    repository.write(".gitattributes", f"{FILE} text working-tree-encoding={request.param}\n")
    repository.write(FILE, mark + text.encode(name))
    repository.write("CLAUDE.md", f"@{FILE}\n")
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message=x", "--date=2026-03-01T12:00:00+0000")
    assert repository.git("status", "--porcelain") == ""
    return repository


def test_it_is_read_as_git_stores_it(encoded: GitRepository) -> None:
    done = run(encoded, "check")
    assert (done.code, done.out) == (0, "")
    entries = run(encoded, "ages", "--format=json").json["entries"]
    assert [(entry["title"], entry["basis"]) for entry in entries] == [
        ("Größe", "commit"),
        ("B", "commit"),
    ]


def test_it_is_not_written(encoded: GitRepository) -> None:
    before = encoded.read(FILE)
    done = run(encoded, "archive", "B", "--reason=old")
    assert (done.code, "working-tree-encoding" in done.err) == (2, True)
    assert encoded.read(FILE) == before
    assert encoded.git("status", "--porcelain") == ""
