from __future__ import annotations

import pytest

from learnings import rules
from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry
from learnings.core.entries.archives import MissingEntries
from learnings.core.findings.finding import Finding, Severity
from learnings.rules import entries_gone, resurrected_entry
from tests.rules.cases import checked_file, lines, run


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\ntext\n\n## A\n", [5]),
        ("## A\r\n\r\n## A\r\n", [3]),
        ("## [2026-02-16-120000] A\n## [2026-02-16-120000] a\n", [2]),
        ("- 2026-01-01 Look at the lock\n- 2026-02-02 Look at the lock\n", [2]),
        ("## A\n## B\n", []),
        ("## A\ntext\n### B\n### B\n", []),
        ("## A\n> ## A\n", []),
        ("##\n##\n", []),
        ("## 2026-02-16\n\na\n\n## 2026-02-16\n\nb\n", []),
        ("## [2026-02-16] [git]\n\na\n\n## [2026-02-16] [git]\n\nb\n", []),
        ("- 2026-02-16\n  - a\n- 2026-02-16\n  - b\n", []),
        ("## [L-001] A\n\n## [L-001] B\n", [3]),
        ("### [2026-02-16] L-001: A\n\n### [2026-02-17] L-001: B\n", [3]),
        ("## [L-001] A\n\n## [L-002] A\n", []),
        (
            "".join(f"## [L-{n // 2:03}] {n}\n\n" for n in range(6)),
            [],
        ),
    ],
)
def test_entries_that_are_the_same(source: str, expected: list[int]) -> None:
    assert sorted(lines("duplicate-entry", source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## 2026-02-16 Locks\n\na\n\n## 2026-02-16 Locks\n\nb\n",
        "## [git] Locks\n\na\n\n## [git] Locks\n\nb\n",
        "## 🚀\n\na\n\n## 🚀\n\nb\n",
    ],
)
def test_words_beside_a_date_or_tags_are_a_title(source: str) -> None:
    assert lines("duplicate-entry", source) == [5]


def test_an_id_is_to_be_renumbered() -> None:
    (finding,) = run("duplicate-entry", "## L-001: A\n\n## L-001: B\n")
    assert finding.message == (
        '"## L-001: B" has the same id as "## L-001: A" on line 1; renumber one'
    )
    (finding,) = run("duplicate-entry", "## L-001: A\n\n## L-001: A\n\n## L-002: C\n")
    assert finding.message == '"## L-001: A" is already on line 1; join the two, or renumber one'


def test_title_that_ends_like_a_number_of_ours_is_counted_apart() -> None:
    assert lines("duplicate-entry", "## A\n## A #2\n## A\n## A #2\n") == [3, 4]


def test_field_of_a_form_is_no_entry() -> None:
    group = "## {}\n### Context\n### Lesson {}\n"
    three = "".join(group.format(name, name) for name in "ABC")
    assert lines("duplicate-entry", three) == []
    assert lines("duplicate-entry", three + "### Lesson C\n") == [10]
    often = "### Context\n" * 3
    assert lines("duplicate-entry", three + often) == [5, 8, 10, 11, 12]
    two = "".join(group.format(name, name) for name in "AB")
    assert lines("duplicate-entry", two) == [5]


RETRO = "## S1\n### Good\na\n### Bad\nb\n## S2\n### Good\nc\n### Bad\nd\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (RETRO, []),
        (RETRO.replace("## S2", "## s1"), [7, 9]),
        (RETRO.replace("Bad", "What was rather bad"), [9]),
    ],
)
def test_short_titles_that_two_categories_share_are_fields(
    source: str, expected: list[int]
) -> None:
    repeated = lines("duplicate-entry", source, dialect="heading", entry_level=3)
    assert sorted(repeated) == expected


def test_message_names_the_first_and_both_texts() -> None:
    (finding,) = run("duplicate-entry", "## When A\n\n## when a\n")
    assert finding.message == (
        '"## when a" is the same entry as "## When A" on line 1; join the two, or retitle one'
    )
    (finding,) = run("duplicate-entry", "## When A\n\n## When A\n")
    assert finding.message.startswith('"## When A" is already on line 1;')


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
    gone = {"committed": MissingEntries("HEAD", 5, FIVE)}
    (finding,) = rules.check(checked_file(""), [entries_gone.RULE], inputs=gone)  # type: ignore[arg-type]
    assert (finding.severity, finding.line, finding.subject) == (Severity.ERROR, 1, "")


def test_entries_that_are_all_elsewhere_are_not_gone() -> None:
    assert messages(MissingEntries("HEAD", 5, ())) == []


TEXT = "# L\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
REMOVED = "1234567890abcdef1234567890abcdef12345678"
MERGE = "abcdef1234567890abcdef1234567890abcdef12"


def of(*resurrected: ResurrectedEntry) -> list[Finding]:
    facts = HistoryFacts({}, resurrected, {}, frozenset())
    return list(
        rules.check(checked_file(TEXT), [resurrected_entry.RULE], inputs={"history": facts})
    )


def test_a_merge_is_an_error_at_the_entry() -> None:
    back = ResurrectedEntry("b", REMOVED, "2026-03-02", MERGE, "2026-03-09", by_merge=True)
    (finding,) = of(back)
    assert (finding.severity, finding.line, finding.column) == (Severity.ERROR, 7, 1)
    assert finding.subject == "## B"
    assert finding.message == (
        "this entry was removed by the consolidation 1234567890ab on 2026-03-02 and came back with "
        "the merge abcdef123456 on 2026-03-09; remove it again, or keep the parts of it that the "
        "new text lacks"
    )


def test_a_commit_is_an_error_beside_what_replaced_it_and_else_a_notice() -> None:
    back = ResurrectedEntry("a", REMOVED, "2026-03-02", MERGE, "2026-03-09")
    (replaced,) = of(back._replace(has_replacement=True))
    (alone,) = of(back)
    assert (replaced.severity, alone.severity) == (Severity.ERROR, Severity.NOTICE)
    assert " came back with commit abcdef123456 " in replaced.message
    assert alone.message.endswith("; remove it again unless that was on purpose")


def test_what_is_not_committed_has_no_commit() -> None:
    (finding,) = of(ResurrectedEntry("a", REMOVED, "2026-03-02", None, None, has_replacement=True))
    assert " on 2026-03-02 and is back, uncommitted; " in finding.message


def test_an_entry_that_is_gone_meanwhile_is_none() -> None:
    assert (
        of(ResurrectedEntry("c", REMOVED, "2026-03-02", MERGE, "2026-03-09", by_merge=True)) == []
    )
