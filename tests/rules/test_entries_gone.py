from __future__ import annotations

import pytest

from learnings import rules
from learnings.core.entries.archives import MissingEntries
from learnings.core.findings.finding import Severity
from learnings.rules import entries_gone
from tests.rules.cases import checked_file

FIVE = ("When one", "When two", "[2026-01-01] Three", "Four", "Five")
COMMIT = "1234567890abcdef1234567890abcdef12345678"
RESTORE = (
    "restore it with `git checkout HEAD -- agents/learnings.md`, "
    "or move the entries to an archive in the same change"
)


def messages(gone: MissingEntries, source: str | bytes = "# L\n") -> list[str]:
    file = checked_file(source)
    found = rules.check(file, [entries_gone.RULE], inputs={"committed": gone})
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    ("gone", "source", "message"),
    [
        (
            MissingEntries("HEAD", 1, FIVE[:1]),
            "# L\n",
            "the last commit has 1 entry in this file, now it has none (When one); " + RESTORE,
        ),
        (
            MissingEntries("HEAD", 5, FIVE),
            b"\xff\xfe#\0 \0L\0\n\0",
            "the last commit has 5 entries in this file, now it has none (When one; "
            "When two; [2026-01-01] Three; and 2 more); save it as UTF-8, " + RESTORE,
        ),
        (
            MissingEntries(COMMIT, 5, FIVE[3:]),
            "# L\n",
            "commit 1234567890ab had 5 entries in this file, now it has none "
            "(2 of them are in no other file: Four; Five); " + RESTORE.replace("HEAD", COMMIT[:12]),
        ),
    ],
)
def test_message(gone: MissingEntries, source: str | bytes, message: str) -> None:
    assert messages(gone, source) == [message]


def test_it_is_an_error_at_the_first_line() -> None:
    gone = MissingEntries("HEAD", 5, FIVE)
    (finding,) = rules.check(checked_file(""), [entries_gone.RULE], inputs={"committed": gone})
    assert (finding.severity, finding.line, finding.subject) == (Severity.ERROR, 1, "")


def test_entries_that_are_all_elsewhere_are_not_gone() -> None:
    assert messages(MissingEntries("HEAD", 5, ())) == []
