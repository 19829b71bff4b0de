"""Files that git stores in another form than the disk has."""

from __future__ import annotations

import pytest

from learnings.history.git.work_tree import disk_text
from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
FILE = "agents/learnings.md"
TEXT = "# Learnings\n\n## When a dépôt is full\n\nDelete the oldest builds, never the newest.\n"


@pytest.mark.parametrize(
    ("line", "data", "text"),
    [
        ("*.md working-tree-encoding=UTF-16", TEXT.encode("utf-16"), TEXT),
        ("*.md working-tree-encoding=UTF-16", TEXT.encode("utf-16-be"), None),
        ("*.md working-tree-encoding=UTF-16LE-BOM", b"\xff\xfe" + TEXT.encode("utf-16-le"), TEXT),
        ("agents/* working-tree-encoding=latin-1", TEXT.encode("latin-1"), TEXT),
        ('"agents/*" text working-tree-encoding=latin-1', TEXT.encode("latin-1"), TEXT),
        ("[attr]old working-tree-encoding=latin-1\n*.md old", TEXT.encode("latin-1"), TEXT),
        ("*.md working-tree-encoding=no-such-encoding", TEXT.encode(), TEXT),
        ("*.md working-tree-encoding=ascii", TEXT.encode(), TEXT),
        ("*.txt working-tree-encoding=latin-1", TEXT.encode("latin-1"), None),
        ("*.md filter=lfs", TEXT.encode(), TEXT),
    ],
)
def test_text_on_disk_is_decoded_as_git_does(
    repository: GitRepository, line: str, data: bytes, text: str | None
) -> None:
    expected = data if text is None else text.encode()
    assert disk_text(repository.path, FILE, data) == data
    repository.git("config", "core.attributesFile", str(repository.path / "x/of-the-user"))
    for place in (".gitattributes", ".git/info/attributes", "x/of-the-user"):
        repository.write(place, f"# of the team\n{line}\n")
        assert disk_text(repository.path, FILE, data) == expected
        (repository.path / place).unlink()
    repository.write("agents/.gitattributes", "*.md working-tree-encoding=latin-1\n")
    assert disk_text(repository.path, FILE, TEXT.encode("latin-1")) == TEXT.encode()
    assert disk_text(repository.path.parent, FILE, data) == data  # no repository


def test_entries_of_an_encoded_file_have_dates(repository: GitRepository) -> None:
    repository.write(".gitattributes", "agents/* text working-tree-encoding=UTF-16 eol=crlf\n")
    repository.write(FILE, TEXT.replace("\n", "\r\n").encode("utf-16"))
    repository.git("add", "--all")
    repository.commit(date="2026-02-03", all=False)
    assert repository.git("cat-file", "-p", f"HEAD:{FILE}") == TEXT.removesuffix("\n")
    done = LEARNINGS("ages", "--format", "json", cwd=repository.path)
    assert [entry["added"] for entry in done.json["entries"]] == ["2026-02-03"]


@pytest.mark.parametrize("command", ["ages", "due", "batch"])
def test_a_filter_prevents_ages_and_is_named(repository: GitRepository, command: str) -> None:
    repository.write(".gitattributes", "agents/learnings.md filter=secret\n")
    repository.write(FILE, TEXT)
    repository.commit()
    assert LEARNINGS(command, cwd=repository.path).code == 0  # this clone runs no such filter
    repository.git("config", "filter.secret.clean", "tr a-z n-za-m")
    done = LEARNINGS(command, cwd=repository.path)
    assert done.code == 2
    assert "through the filter secret" in done.err
    assert ".gitattributes" in done.err


@pytest.mark.parametrize("place", [".gitattributes", "../attributes"])
def test_a_finding_in_a_filtered_file_is_older(repository: GitRepository, place: str) -> None:
    repository.git("config", "core.attributesFile", str(repository.path / "../attributes"))
    repository.git("config", "filter.secret.clean", "tr a-z n-za-m")
    repository.git("config", "filter.secret.smudge", "tr a-z n-za-m")
    repository.write(place, "agents/* filter=secret\n")
    repository.write(FILE, TEXT.replace("dépôt", "store") * 2)
    repository.git("add", "--all")
    repository.commit(all=False)
    done = LEARNINGS("check", "--since=HEAD", cwd=repository.path)
    assert (done.code, done.out, "older finding" in done.err) == (0, "", True)
    repository.write(FILE, TEXT.replace("dépôt", "store"))
    assert "Nothing is lost" in LEARNINGS("verify", cwd=repository.path).out
