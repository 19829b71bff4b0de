"""The test repositories state their purpose, and have the bytes that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.first_day.archive import archives, read
from tests.support.guard import ROOT

FACTS = {"days", "entries", "finding", "known", "push", "refused"}
FORMS = """\
Each form of a file.

days: 3
-- v1/plain.md --
one
two
-- v1/utf-16.md (utf-16) --
é
-- v1/cr.md (cr) --
one
two
-- v1/no-newline.md (no newline) --
one
-- v1/LICENSE (copy of LICENSE) --
-- v1/pages (copy of src/learnings/surfaces/pages) --
-- v2/plain.md (deleted) --
-- v2/empty.md --
"""


def test_every_repository_says_what_is_wrong_and_what_is_expected() -> None:
    incomplete = [
        archive.name
        for archive in archives()
        if not archive.fault
        or not {"refused", "push"} <= set(archive.facts) <= FACTS
        or not {"v1", "wrong"} <= set(archive.stages)
    ]
    assert incomplete == []


def test_each_form_of_a_file_is_written_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "forms.txtar").write_text(FORMS, encoding="utf-8")
    archive = read(tmp_path / "forms.txtar")
    assert archive.fault == "Each form of a file."
    repository = archive.build(tmp_path / "built")
    assert repository.git("show", "HEAD~4:plain.md") == "one\ntwo"
    assert repository.read("utf-16.md") == "é\n".encode("utf-16")
    assert repository.read("cr.md") == b"one\rtwo\r"
    assert repository.read("no-newline.md") == b"one"
    assert repository.read("LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert repository.read("pages/style.css")
    assert repository.read("empty.md") == b""
    assert not (repository.path / "plain.md").exists()
    assert repository.git("rev-list", "--count", "HEAD") == "5"


def test_a_repository_without_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txtar").write_text("Nothing.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="holds no file of v1"):
        read(tmp_path / "empty.txtar")
