"""The last entries of a file, which look like its title or introduction, stay guarded."""

from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
FILE = "docs/lessons.md"
TEXTS = (
    "Open the bypass valve by hand when a pump stalls.",
    "Drain the northern tank before winter comes.",
    "Sensors report zero while they warm up.",
)
FORMS = {
    "headings at level 1": "# The lesson of day {} in short\n\n{}\n\n",
    "bold paragraphs": "**The lesson of day {}.** {}\n\n",
    "dated paragraphs": "[2026-03-0{}] {}\n\n",
    "escaped dates": "\\[2026-03-0{}\\] {}\n\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_last_entries_are_guarded_and_archived(repository: GitRepository, form: str) -> None:
    entries = [FORMS[form].format(number, text) for number, text in enumerate(TEXTS, 1)]
    while entries:
        repository.write(FILE, "".join(entries))
        repository.commit()
        entries.pop(0)
        repository.write(FILE, "".join(entries) or "\n")
        words = "archive", "--from", "HEAD", "--file", FILE, "--stage"
        assert LEARNINGS("verify", cwd=repository.path).code == 1, len(entries)
        assert LEARNINGS(*words, cwd=repository.path).code == 0
        assert LEARNINGS("verify", cwd=repository.path).code == 0, len(entries)
