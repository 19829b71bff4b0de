from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from learnings.consolidation.checks.precheck import Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.text.sections import TargetFile, target_of
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Document
from tests.consolidation.memory import TARGET, memory, target

RETRY = "Uploads are retried three times with exponential backoff and jitter."
TARGETS = (
    target(("Retries", RETRY), ("Tokens", "Cache access tokens in memory for ten minutes.")),
)


def findings_in(
    document: Document,
    targets: Iterable[TargetFile] = TARGETS,
    **more: Any,  # noqa: ANN401  (the options of prechecks)
) -> tuple[Precheck, ...]:
    order = Order(document.entries, {})
    return prechecks(document.entries, tuple(targets), order, **more)


NOT_MORE = "Partners with a contract get a queue of their own."


def test_what_covers_an_entry_is_named_with_its_evidence() -> None:
    (same,) = findings_in(memory(("The retries", RETRY)))
    assert (same.check, same.action, same.text) == ("covered", "drop", "")
    assert same.against[1:4] == (TARGET, "Retries", 3)
    assert same.evidence == ("same heading, 9 of 9 word pairs",)
    (other,) = findings_in(memory(("Retry budget", RETRY)))
    assert (other.check, other.action, other.text) == ("redundancy", "drop", "")
    assert other.against[1:4] == (TARGET, "Retries", 3)
    assert other.evidence == (f"{TARGET}:3-6: 9 of 11 word pairs",)


@pytest.mark.parametrize(
    ("body", "action", "text"),
    [
        (
            f"- {RETRY}\n- {NOT_MORE}\n- Evidence: the outage, ticket 4711\n\n```sh\nretry -n\n```",
            "add",
            f"- {NOT_MORE}\n\n```sh\nretry -n\n```",
        ),
        # A code block without an end gets one.
        (f"{RETRY}\n\n~~~~sh\n  retry -n", "add", "~~~~sh\n  retry -n\n~~~~"),
        # Another number is another statement, but not in code, nor is a commit.
        (RETRY.replace("three", "5"), "add", f"- {RETRY.replace('three', '5')}"),
        (RETRY.replace("times", "times (`retries=3`, since 4512449)"), "drop", ""),
    ],
)
def test_what_the_section_of_the_same_heading_does_not_say_is_added(
    body: str, action: str, text: str
) -> None:
    (finding,) = findings_in(memory(("Penguins", "They swim."), ("Retries", body)))
    assert (finding.check, finding.action, finding.text) == ("covered", action, text)


def test_code_is_not_added_to_a_section_with_code() -> None:
    body = f"{RETRY}\n\n```sh\nretry -n\n```"
    (finding,) = findings_in(memory(("Retries", body)), [target(("Retries", body))])
    assert (finding.action, finding.text) == ("drop", "")
    other = body.replace("-n", "-m")
    (finding,) = findings_in(memory(("Retries", body)), [target(("Retries", other))])
    assert (finding.action, finding.text) == ("drop", "```sh\nretry -n\n```")


def test_a_section_counts_with_those_inside_it() -> None:
    nested = target_of(TARGET, f"# D\n\n## Retries\n\nAll.\n\n### Uploads\n\n{RETRY}\n".encode())
    (finding,) = findings_in(memory(("Retries", RETRY)), [nested])
    assert (finding.check, finding.action) == ("covered", "drop")
    assert finding.against[1:4] == (TARGET, "Retries", 3)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Retries", "Penguins swim and do not fly in any weather."),
        ("Penguins", "They swim and do not fly in any weather."),
        # What is absent or compared is no opposite.
        ("Dump", "Without a cache access tokens stay in memory for ten minutes."),
        ("Dump", "Cache access tokens in memory instead of ten minutes on disk."),
        (
            "Birds",
            "- Cache access tokens in memory for ten minutes.\nOstriches run, kiwis dig, owls fly.",
        ),
    ],
)
def test_nothing_is_found(title: str, text: str) -> None:
    assert findings_in(memory((title, text)), coverage=0.9, perhaps=0.8) == ()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", ("covered", "drop")),
        (" Partners get a queue of their own.", ("supersession", "escalate")),
    ],
)
def test_covered_comes_before_supersession_unless_something_is_left(
    more: str, expected: tuple[str, str]
) -> None:
    newer = "Uploads are no longer retried three times with exponential backoff and jitter."
    document = memory(("Retry budget", RETRY + more), ("Retry budget of uploads", newer))
    finding, *_ = findings_in(document, [target(("Retry budget", RETRY))])
    assert (finding.check, finding.action) == expected
    assert finding.entry is document.entries[0]


def test_a_part_of_it_is_escalated_and_thresholds_can_be_set() -> None:
    more = "On phones wait for wireless, pause on low battery, resume when rebooted, show progress"
    partly = memory(("Uploads on phones", f"{RETRY} {more}, keep the queue and expire old parts."))
    (finding,) = findings_in(partly)
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert 0.15 <= finding.score < 0.4
    (lower,) = findings_in(partly, coverage=0.2, perhaps=0.1)
    assert lower.action == "add"
    assert findings_in(partly, coverage=0.9, perhaps=0.8) == ()


MIGRATE = "Run migrations of all shards after the new version is deployed."


@pytest.mark.parametrize(
    ("title", "text", "section", "only"),
    [
        ("Budget of uploads", RETRY.replace("three", "5"), ("Retries", RETRY), "5"),
        (
            "Rollout of migrations",
            MIGRATE.replace("after", "before"),
            ("Rollout", MIGRATE),
            "before",
        ),
    ],
)
def test_another_number_or_limit_in_the_same_words_is_escalated(
    title: str, text: str, section: tuple[str, str], only: str
) -> None:
    (finding,) = findings_in(memory((title, text)), [target(section)])
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert finding.evidence[-1] == f"values that the section lacks: {only}"


@pytest.mark.parametrize("title", ["Budget of uploads", "Retries"])
def test_what_an_entry_says_was_so_is_no_question(title: str) -> None:
    was = RETRY.replace("three", "5")
    (finding,) = findings_in(memory((title, f"Was: {was}\n**Now**: {RETRY}")))
    assert (finding.action, finding.text) == ("drop", "")


def test_a_few_words_are_not_enough() -> None:
    assert findings_in(memory(("Retries", "")), [target(("Retries jitter", "x"))]) == ()
    assert findings_in(memory(("Backoff and jitter", "Retried uploads"))) == ()
    (finding,) = findings_in(memory(("Uploads with jitter", "Exponential backoff and jitter")))
    assert finding.action == "escalate"


def test_an_entry_that_denies_the_section_is_escalated() -> None:
    text = "Never cache access tokens in memory for ten minutes."
    (finding,) = findings_in(memory(("Leaked through a dump", text)))
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert finding.against[1:4] == (TARGET, "Tokens", 7)
    assert finding.evidence[1:] == (
        f"line 5: {text}",
        f"{TARGET}:9: Cache access tokens in memory for ten minutes.",
    )


def test_supersession_comes_first_and_ends_it() -> None:
    findings = findings_in(
        memory(
            ("Retry budget of uploads", RETRY),
            ("Retry budget of uploads", f"No longer so: {RETRY}"),
        )
    )
    assert (findings[0].check, findings[0].entry.first) == ("supersession", 3)
    assert findings[0].against.entry is not None
    assert findings[0].against.entry.first == findings[0].against.line == 7
    assert [finding.entry.first for finding in findings].count(3) == 1


def test_an_entry_too_young_for_the_batch_supersedes_as_well() -> None:
    document = memory(
        ("Cache of access tokens", "Cache access tokens in memory."),
        ("Access tokens without cache", "Never cache access tokens in memory."),
    )
    older, newer = document.entries
    order = Order(document.entries, {})
    (finding,) = prechecks([older], (), order)
    assert finding.against.entry is newer
    assert prechecks([newer], (), order) == ()


def test_what_a_merge_brought_back_is_dropped_only_if_its_text_is_elsewhere() -> None:
    document = memory(
        ("Came back", "Penguins swim."), ("Lost", "Owls hunt."), ("Put back", "Albatrosses fly.")
    )
    archived, lost, put_back = document.entries
    removed = "a" * 40, "2026-03-01"
    by_merge = *removed, "b" * 40, "2026-03-05", True
    returned = (
        ResurrectedEntry(archived.identity, *by_merge),
        ResurrectedEntry(lost.identity, *by_merge),
        ResurrectedEntry(put_back.identity, *removed, None, None),
    )
    places = {archived.identity: ("agents/archive/old.md", 12)}
    first, second, third = findings_in(document, (), returned=returned, archived=places)
    assert (first.check, first.action) == ("redundancy", "drop")
    assert (first.against.target, first.against.line) == ("agents/archive/old.md", 12)
    assert first.evidence == (
        f"removed by {'a' * 40} on 2026-03-01",
        f"brought back by the merge {'b' * 40} on 2026-03-05",
    )
    assert (second.action, second.against.commit) == ("look", "a" * 40)
    assert (third.action, third.evidence[1]) == ("look", "back in the working tree")


def test_what_a_merge_brought_back_and_a_target_has_is_covered() -> None:
    document = memory(("Retries", RETRY))
    identity = document.entries[0].identity
    back = ResurrectedEntry(identity, "a" * 40, "2026-03-01", "b" * 40, "2026-03-05", by_merge=True)
    (finding,) = findings_in(document, returned=(back,))
    assert (finding.check, finding.against.target) == ("covered", TARGET)


def test_no_targets_no_entries() -> None:
    assert findings_in(memory(("Retry budget", RETRY)), ()) == ()
    assert findings_in(memory()) == ()
