"""Entries that a newer one supersedes."""

from __future__ import annotations

from learnings.consolidation.checks.precheck import DROP, ESCALATE, Precheck
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory


def superseded_in(document: Document, *, dated: bool = False) -> list[Precheck]:
    """Return what is superseded; dated entries came into git one a day, in their order."""
    entries = document.entries
    dates = {entry.identity: f"2026-01-{day:02}" for day, entry in enumerate(entries, start=1)}
    return superseded(entries, Order(entries, dates if dated else {}))


def test_the_newer_one_denies_the_older_one() -> None:
    document = memory(
        ("Cache of access tokens", "Cache access tokens in memory."),
        ("Other matter", "Nothing to see."),
        ("Access tokens without cache", "Never cache access tokens in memory."),
    )
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert finding.action == DROP
    assert finding.evidence == (
        "titles share Access, tokens, cache",
        "line 13: Never cache access tokens in memory.",
        "line 5: Cache access tokens in memory.",
        "newer by git dates",
    )


def test_where_only_the_position_shows_which_one_is_newer_it_is_escalated() -> None:
    document = memory(
        ("Cache of access tokens", "Cache access tokens in memory."),
        ("Access tokens without cache", "Never cache access tokens in memory."),
        ("Retry budget of uploads", "Uploads are tried ten times."),
        ("Retry budget of uploads again", "Uploads are no longer tried ten times."),
    )
    assert [finding.action for finding in superseded_in(document)] == [ESCALATE, ESCALATE]
    assert [finding.action for finding in superseded_in(document, dated=True)] == [DROP, DROP]
    assert all(
        "newer by place in the file" in finding.evidence for finding in superseded_in(document)
    )


def test_the_direction_of_the_file_decides_which_one_goes() -> None:
    text = (
        "## [2026-02-02-120000] Access tokens without cache\n\nNever cache access tokens.\n\n"
        "## [2026-02-01-120000] Cache of access tokens\n\nCache access tokens in memory.\n"
    )
    (finding,) = superseded_in(read(text.encode()))
    assert finding.entry.title == "Cache of access tokens"


def test_what_is_no_subject_is_no_word_of_a_title() -> None:
    for older, newer in (
        ("Hook patterns (consolidated)", "Agent patterns (consolidated)"),
        (
            "Phase 3: Context `#priority:high` `#area:cli`",
            "Phase 13: Lint `#priority:high` `#area:cli`",
        ),
        ("2026-01-20 notes on lint", "2026-01-20 notes on tests"),
        ("F1 drops the last row", "F2 drops first column"),
        ("CI cache on Go", "CD cache on Rust"),
    ):
        assert not superseded_in(memory((older, "Drop rows."), (newer, "No longer drop rows."))), (
            older
        )


def test_short_names_are_words_of_a_title() -> None:
    document = memory(("F1 in CI", "Run F1 in CI nightly."), ("F1 in CI", "Never run F1 nightly."))
    assert [finding.entry.first for finding in superseded_in(document)] == [3]


def test_a_correction_of_something_else_supersedes_nothing() -> None:
    document = memory(
        ("Claude Code skills format", "Skills are Markdown files with a prompt in their body."),
        (
            "Claude Code log format",
            "The slug field is no longer in a record, skills took its place.",
        ),
    )
    assert not superseded_in(document, dated=True)


def test_what_the_newer_one_does_not_name_is_escalated() -> None:
    document = memory(
        ("Cold starts of the image function", "Provisioned concurrency of two ends cold starts."),
        ("Cold starts of the mail function", "No provisioned concurrency: a mail can wait."),
    )
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.action) == (document.entries[0], ESCALATE)


def test_what_both_deny_is_no_correction() -> None:
    assert not superseded_in(
        memory(
            ("Paths of hooks", "Hooks take PATH. Never hardcode /home in hooks."),
            ("Paths in hooks", "Hooks take the project folder, never hardcode /home in hooks."),
        ),
        dated=True,
    )


def test_two_negations_are_no_correction() -> None:
    assert not superseded_in(
        memory(
            ("Controls of the page", "Keyboard shortcuts deferred: F7 is not part of this change."),
            ("Controls of the page, documented", "No keyboard shortcuts mentioned: deferred."),
        ),
        dated=True,
    )


def test_a_label_takes_nothing_back() -> None:
    assert not superseded_in(
        memory(
            ("Lock of jobs", "Jobs hold the lock for a minute."),
            ("Lock for jobs", "- Anti-pattern: jobs do not hold the lock for a minute"),
        ),
        dated=True,
    )


def test_half_of_the_title_is_not_enough() -> None:
    assert not superseded_in(
        memory(
            ("Retry budget", "Uploads are retried."), ("Retry timeouts", "It no longer retries.")
        )
    )
    assert not superseded_in(
        memory(
            ("Build-cache-key of images", "Take the digest."),
            ("Build-cache-key of wheels", "Actually take the tag."),
        )
    )


def test_titles_on_one_matter_without_correction_both_stay() -> None:
    assert not superseded_in(
        memory(("Webhook signature", "Verify first."), ("Webhook signature keys", "Two keys."))
    )


def test_a_mark_names_what_it_supersedes_by_title_or_time_stamp() -> None:
    by_title = memory(("Old way", "a b"), ("New thing", "Supersedes: old  WAY\nc d"))
    (finding,) = superseded_in(by_title)
    assert (finding.entry.title, finding.action, finding.score) == ("Old way", DROP, 1.0)
    assert finding.evidence == ("line 9 says that it supersedes it",)
    text = "## [2026-02-01-120000] Old\n\na\n\n## [2026-02-02-120000] New\n\n**Supersedes:** "
    (finding,) = superseded_in(read(f"{text}2026-02-01-120000\n".encode()))
    assert finding.entry.title == "Old"


def test_a_date_that_many_entries_have_names_none_of_them() -> None:
    dated = (
        "## [2026-01-20] One\n\na\n\n## [2026-01-20] Other\n\nb\n\n## [2026-01-19] Alone\n\nc\n\n"
    )
    for words, older in (
        ('Previous learning "Gone" (2026-01-20)', []),
        ("2026-01-20", []),
        ("2026-01-19", ["Alone"]),
        ('Previous learning "Gone" (2026-01-19)', []),
    ):
        document = read(f"{dated}## [2026-01-21] New\n\n**Supersedes**: {words}\n".encode())
        assert [finding.entry.title for finding in superseded_in(document)] == older, words


def test_the_status_of_a_decision_record_is_a_mark() -> None:
    document = memory(
        ("Sessions on disk", "- **Status**: Superseded by Sessions in the journal\n"),
        ("Statuses", "Superseded entries have a status; the status: superseded ones go first."),
        ("Sessions in the journal", "a b"),
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert (finding.action, finding.evidence) == (DROP, ("line 5 marks it as superseded",))


def test_a_mark_in_the_older_one_is_a_question() -> None:
    (finding,) = superseded_in(memory(("New thing", "Supersedes: Old way"), ("Old way", "a b")))
    assert (finding.entry.title, finding.action) == ("Old way", ESCALATE)


def test_what_is_marked_as_superseded_never_is_the_better_side() -> None:
    document = memory(
        ("Access tokens in cache", "Cache access tokens in memory."),
        ("Access tokens not in cache", "~~Superseded~~\nNever cache access tokens in memory."),
    )
    (finding,) = superseded_in(document)
    assert finding.entry is document.entries[1]
    assert finding.against.entry is None
    assert finding.evidence == ("line 9 marks it as superseded",)


def test_the_mark_may_name_the_newer_one() -> None:
    document = memory(
        ("Old way", '~~Superseded by "New way to go"~~\na b'), ("New way to go", "c d")
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == document.entries


def test_each_entry_is_named_once() -> None:
    document = memory(
        ("Cache access tokens", "Cache access tokens in memory."),
        ("Cache no access tokens", "Never cache access tokens in memory."),
        ("Cache no access tokens now", "Supersedes: Cache access tokens"),
    )
    assert [finding.entry.title for finding in superseded_in(document)].count(
        "Cache access tokens"
    ) == 1


def test_of_a_chain_the_last_one_is_the_better_side() -> None:
    document = memory(
        ("Cache of access tokens", "Cache access tokens in memory."),
        ("Cache of access tokens again", "Never cache access tokens in memory."),
        ("Final word", "Supersedes: Cache of access tokens again"),
    )
    assert [
        (finding.entry.title, finding.against.entry) for finding in superseded_in(document)
    ] == [
        ("Cache of access tokens", document.entries[2]),
        ("Cache of access tokens again", document.entries[2]),
    ]


def test_two_that_supersede_each_other_are_not_both_dropped() -> None:
    document = memory(
        (
            "Cache of access tokens",
            "Supersedes: Cache of access tokens again\nCache access tokens.",
        ),
        ("Cache of access tokens again", "Never cache any tokens; no longer."),
    )
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == document.entries


def test_a_title_of_one_word_is_named_by_it_alone() -> None:
    assert not superseded_in(
        memory(("Retry", "a b"), ("Other thing", "Supersedes: the retry budget"))
    )
    assert superseded_in(memory(("Retry", "a b"), ("Other thing", 'Supersedes: "Retry".')))


def test_nothing_and_untitled() -> None:
    assert superseded_in(memory()) == []
    assert superseded_in(memory(("", "a"), ("", "not a"))) == []
