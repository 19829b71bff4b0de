from __future__ import annotations

import pytest

from learnings.consolidation.checks.precheck import DROP, ESCALATE, Precheck
from learnings.consolidation.checks.sentences import correction_of, sentences_of_entry
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory

CACHE = ("Cache of access tokens", "Cache access tokens in memory.")
NO_CACHE = ("Access tokens without cache", "Never cache access tokens in memory.")


def superseded_in(document: Document, *, dated: bool = False) -> list[Precheck]:
    """Return what is superseded; dated entries came into git one a day, in their order."""
    entries = document.entries
    dates = {entry.identity: f"2026-01-{day:02}" for day, entry in enumerate(entries, start=1)}
    return superseded(entries, Order(entries, dates if dated else {}))


def test_the_newer_one_denies_the_older_one() -> None:
    document = memory(CACHE, ("Other matter", "Nothing to see."), NO_CACHE)
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert finding.action == DROP
    assert finding.evidence == (
        "titles share Access, tokens, cache",
        "line 13: Never cache access tokens in memory.",
        "line 5: Cache access tokens in memory.",
        "newer by git dates",
    )
    (finding,) = superseded_in(document)
    assert (finding.action, finding.evidence[-1]) == (ESCALATE, "newer by place in the file")


def test_the_direction_of_the_file_decides_which_one_goes() -> None:
    text = (
        "## [2026-02-02-120000] Access tokens without cache\n\nNever cache access tokens.\n\n"
        "## [2026-02-01-120000] Cache of access tokens\n\nCache access tokens in memory.\n"
    )
    (finding,) = superseded_in(read(text.encode()))
    assert finding.entry.title == "Cache of access tokens"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Hook patterns (consolidated)", "Agent patterns (consolidated)"),
        ("Phase 3: Context `#priority:high` `#area:cli`", "Phase 13: Lint `#priority:high`"),
        ("2026-01-20 notes on lint", "2026-01-20 notes on tests"),
        ("F1 drops the last row", "F2 drops first column"),
        ("CI cache on Go", "CD cache on Rust"),
    ],
)
def test_what_is_no_subject_is_no_word_of_a_title(older: str, newer: str) -> None:
    assert not superseded_in(memory((older, "Drop rows."), (newer, "No longer drop rows.")))


@pytest.mark.parametrize(
    ("older", "newer", "actions"),
    [
        # Short names are words of a title.
        (("F1 in CI", "Run F1 in CI nightly."), ("F1 in CI", "Never run F1 nightly."), [DROP]),
        # The correction is of something else.
        (
            ("Claude Code skills format", "Skills are Markdown files with a prompt in their body."),
            (
                "Claude Code log format",
                "The slug field is no longer in a record, skills took its place.",
            ),
            [],
        ),
        # The newer one does not name all of the subject.
        (
            ("Cold starts of the image function", "Provisioned concurrency ends cold starts."),
            ("Cold starts of the mail function", "No provisioned concurrency: a mail can wait."),
            [ESCALATE],
        ),
        # Both deny it.
        (
            ("Paths of hooks", "Hooks take PATH. Never hardcode /home in hooks."),
            ("Paths in hooks", "Hooks take the project folder, never hardcode /home in hooks."),
            [],
        ),
        # Two negations.
        (
            ("Controls of the page", "Keyboard shortcuts deferred: F7 is not part of this change."),
            ("Controls of the page, documented", "No keyboard shortcuts mentioned: deferred."),
            [],
        ),
        # A label takes nothing back.
        (
            ("Lock of jobs", "Jobs hold the lock for a minute."),
            ("Lock for jobs", "- Anti-pattern: jobs do not hold the lock for a minute"),
            [],
        ),
        # Half of the title is not enough.
        (("Retry budget", "Uploads are retried."), ("Retry timeouts", "It no longer retries."), []),
        (
            ("Build-cache-key of images", "Take the digest."),
            ("Build-cache-key of wheels", "Actually take the tag."),
            [],
        ),
        # One matter without a correction.
        (("Webhook signature", "Verify first."), ("Webhook signature keys", "Two keys."), []),
        (("", "a"), ("", "not a"), []),
        # A title of one word is named by it alone.
        (("Retry", "a b"), ("Other thing", "Supersedes: the retry budget"), []),
        (("Retry", "a b"), ("Other thing", 'Supersedes: "Retry".'), [DROP]),
        # A mark in the older one is a question.
        (("New thing", "Supersedes: Old way"), ("Old way", "a b"), [ESCALATE]),
    ],
)
def test_what_takes_back_an_older_entry(
    older: tuple[str, str], newer: tuple[str, str], actions: list[str]
) -> None:
    assert [f.action for f in superseded_in(memory(older, newer), dated=True)] == actions


def test_a_mark_names_what_it_supersedes_by_title_or_time_stamp() -> None:
    by_title = memory(("Old way", "a b"), ("New thing", "Supersedes: old  WAY\nc d"))
    (finding,) = superseded_in(by_title)
    assert (finding.entry.title, finding.action, finding.score) == ("Old way", DROP, 1.0)
    assert finding.evidence == ("line 9 says that it supersedes it",)
    text = "## [2026-02-01-120000] Old\n\na\n\n## [2026-02-02-120000] New\n\n**Supersedes:** "
    (finding,) = superseded_in(read(f"{text}2026-02-01-120000\n".encode()))
    assert finding.entry.title == "Old"


@pytest.mark.parametrize(
    ("words", "older"),
    [
        ("2026-01-20", []),
        ("2026-01-19", ["Alone"]),
        ('Previous learning "Gone" (2026-01-19)', []),
    ],
)
def test_a_date_that_many_entries_have_names_none_of_them(words: str, older: list[str]) -> None:
    text = (
        "## [2026-01-20] One\n\na\n\n## [2026-01-20] Other\n\nb\n\n## [2026-01-19] Alone\n\nc\n\n"
        f"## [2026-01-21] New\n\n**Supersedes**: {words}\n"
    )
    assert [finding.entry.title for finding in superseded_in(read(text.encode()))] == older


def test_the_status_of_a_decision_record_is_a_mark() -> None:
    document = memory(
        ("Sessions on disk", "- **Status**: Superseded by Sessions in the journal\n"),
        ("Statuses", "Superseded entries have a status; the status: superseded ones go first."),
        ("Sessions in the journal", "a b"),
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert (finding.action, finding.evidence) == (DROP, ("line 5 marks it as superseded",))


def test_what_is_marked_as_superseded_never_is_the_better_side() -> None:
    document = memory(CACHE, (NO_CACHE[0], f"~~Superseded~~\n{NO_CACHE[1]}"))
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == (document.entries[1], None)
    assert finding.evidence == ("line 9 marks it as superseded",)


def test_the_mark_may_name_the_newer_one() -> None:
    document = memory(
        ("Old way", '~~Superseded by "New way to go"~~\na b'), ("New way to go", "c d")
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == document.entries


def test_each_entry_is_named_once_and_the_last_of_a_chain_is_the_better_side() -> None:
    again = (f"{CACHE[0]} again", NO_CACHE[1])
    twice = memory(CACHE, again, ("Final word", f"Supersedes: {CACHE[0]}"))
    assert [f.entry.title for f in superseded_in(twice)].count(CACHE[0]) == 1
    chain = memory(CACHE, again, ("Final word", f"Supersedes: {again[0]}"))
    last = chain.entries[2]
    assert [(f.entry.title, f.against.entry) for f in superseded_in(chain)] == [
        (CACHE[0], last),
        (again[0], last),
    ]


def test_two_that_supersede_each_other_are_not_both_dropped() -> None:
    document = memory(
        (CACHE[0], f"Supersedes: {CACHE[0]} again\nCache access tokens."),
        (f"{CACHE[0]} again", "Never cache any tokens; no longer."),
    )
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == document.entries
    assert superseded_in(memory()) == []


@pytest.mark.parametrize(
    ("title", "is_found"), [("Retry uploads", True), ("Retry all of it", False)]
)
def test_a_correction_contains_the_whole_older_title(title: str, *, is_found: bool) -> None:
    new = "Never retry uploads of invoices to the archive of another region by hand."
    older, newer = memory((title, "Text."), ("Invoices", new)).entries
    quotes = correction_of(sentences_of_entry(newer), sentences_of_entry(older))
    assert [sentence.text for sentence in quotes] == ([new, title] if is_found else [])


TAKEN_BACK = {
    "Read the rows of a report one by one.": "Do not read the rows of a report one by one.",
    "Send uploads of partners over FTP.": "Send uploads of partners over HTTPS instead of FTP.",
    "Keep access tokens on disk.": "Keeping access tokens on disk turned out to be wrong.",
    "Retry failed payments without a limit.": "Never retry failed payments without a limit.",
    "Run migrations of shards before rollouts.": "Do not run migrations of shards before rollouts.",
    "Warm the product cache before the import.": (
        "Warm the product cache after the import, not before."
    ),
    "Cut the weekly release on Monday.": "We stopped cutting the weekly release on Monday.",
    "Squash the commits of a branch.": "The commits of a branch must not be squashed any more.",
    "Lint the services with flake8.": "To lint the services with flake8 is obsolete.",
    "Put mail jobs on the Redis queue.": "We replaced the Redis queue of mail jobs by Postgres.",
}


@pytest.mark.parametrize("rule", TAKEN_BACK)
def test_a_rule_is_taken_back_in_its_own_words_under_any_title(rule: str) -> None:
    document = memory(("First", rule), ("Penguins", "They swim."), ("Third", TAKEN_BACK[rule]))
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry.title, finding.action) == ("First", DROP)
    assert superseded_in(document) == [], "the place in the file proves no order"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Send uploads of partners over FTP.",
            "**Context**: Uploads of partners never came by FTP.",
        ),
        ("Send uploads of partners:\n\n- daily", "Never send uploads of partners."),
        ("**Anti-pattern**: Send uploads over FTP.", "Never send uploads over FTP."),
        ("Never send uploads over FTP.", "Do not send uploads over FTP."),
        ("Send uploads over FTP.", "No upload is larger than a gigabyte."),
    ],
)
def test_background_and_announcements_take_nothing_back(older: str, newer: str) -> None:
    assert superseded_in(memory(("First", older), ("Third", newer)), dated=True) == []


@pytest.mark.parametrize(
    "words", ["It supersedes First rule of all.", "This replaces: First rule of all"]
)
def test_a_mark_names_the_older_entry_anywhere(words: str) -> None:
    document = memory(("First rule of all", "Penguins swim."), ("Third", f"Owls fly. {words}"))
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry.title, finding.action) == ("First rule of all", DROP)
