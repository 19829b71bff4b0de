"""The test repositories state their purpose, and have the bytes that they name."""

from __future__ import annotations

from pathlib import Path

from tests.first_day.archive import read
from tests.support.guard import ROOT

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
