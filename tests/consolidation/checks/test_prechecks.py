"""The checks before a consolidation."""

from __future__ import annotations

from collections.abc import Iterable

from learnings.consolidation.checks.precheck import Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.redundancy import Thresholds
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Document
from tests.consolidation.memory import TARGET, memory, target

RETRY = "Uploads are retried three times with exponential backoff and jitter."
TARGETS = (
    target(
        ("Retries", RETRY),
        ("Tokens", "Cache access tokens in memory for ten minutes."),
    ),
)


def findings_in(
    document: Document,
    targets: Iterable[TargetFile] = TARGETS,
    *,
    resurrected: Iterable[ResurrectedEntry] = (),
    thresholds: Thresholds | None = None,
) -> tuple[Precheck, ...]:
    return prechecks(
        document.entries,
        tuple(targets),
        entries=document.entries,
        order=Order(document.entries, {}),
        resurrected=resurrected,
        thresholds=thresholds,
    )


def test_what_a_target_has_already_is_dropped_with_the_words_and_lines() -> None:
    (finding,) = findings_in(memory(("Retry budget", RETRY)))
    assert (finding.check, finding.action) == ("redundancy", "drop")
    assert finding.against[1:4] == (TARGET, "Retries", 3)
    assert finding.score > 0.4
    assert finding.evidence == (
        f"lines 3-6 in {TARGET}:3-6: 9 of 11 word pairs",
        f"line 5: {RETRY}",
        f"{TARGET}:5: {RETRY}",
        "words only in the entry: budget",
    )


def test_a_new_subject_has_no_finding() -> None:
    assert findings_in(memory(("Penguins", "They swim and do not fly in any weather."))) == ()


def test_a_part_of_it_is_escalated_and_thresholds_can_be_set() -> None:
    more = "On phones wait for wireless, pause on low battery, resume when rebooted, show progress"
    partly = memory(("Uploads on phones", f"{RETRY} {more}, keep the queue and expire old parts."))
    (finding,) = findings_in(partly)
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert 0.15 <= finding.score < 0.4
    (lower,) = findings_in(partly, thresholds=Thresholds(0.2, 0.1))
    assert lower.action == "drop"
    assert findings_in(partly, thresholds=Thresholds(0.9, 0.8)) == ()


def test_another_number_in_the_same_words_is_escalated() -> None:
    (finding,) = findings_in(memory(("Retries", RETRY.replace("three", "5"))))
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert finding.evidence[-1] == "numbers only in the entry: 5"


def test_a_few_words_are_not_enough() -> None:
    assert findings_in(memory(("Retries", "")), [target(("Retries jitter", "x"))]) == ()
    (finding,) = findings_in(memory(("Backoff and jitter", "Retried uploads")))
    assert finding is not None
    assert finding.action == "escalate"


def test_another_limit_in_the_same_words_is_escalated() -> None:
    rule = "Run migrations of all shards after the new version is deployed."
    document = memory(("Rollout of migrations", rule.replace("after", "before")))
    (finding,) = findings_in(document, [target(("Rollout", rule))])
    assert (finding.check, finding.action) == ("redundancy", "escalate")
    assert finding.evidence[-1] == "the section does not say: before"


def test_where_a_target_is_denied_there_is_a_place_to_look_at_and_nothing_to_drop() -> None:
    text = "Never cache access tokens in memory for ten minutes."
    (finding,) = findings_in(memory(("Leaked through a dump", text)))
    assert (finding.check, finding.action) == ("contradiction", "look")
    assert finding.against[1:4] == (TARGET, "Tokens", 9)
    assert finding.score == 1.0
    assert finding.evidence == (
        f"line 5: {text}",
        f"{TARGET}:9: Cache access tokens in memory for ten minutes.",
    )


def test_a_denied_section_of_the_same_title_is_escalated() -> None:
    (finding,) = findings_in(
        memory(("Tokens in memory", "Never cache access tokens in memory for ten minutes."))
    )
    assert (finding.check, finding.action) == ("contradiction", "escalate")


def test_a_like_sentence_is_a_place_to_look_at_where_nothing_is_redundant() -> None:
    like = "Uploads are retried with exponential backoff until the phone sleeps."
    more = (
        "Tunnels are long, passengers impatient, so keep the queue on disk, show what is waiting "
        "and resume in stations."
    )
    (finding,) = findings_in(memory(("Uploads on trains", f"{like} {more}")))
    assert (finding.check, finding.action) == ("contradiction", "look")
    assert finding.evidence == (f"line 5: {like}", f"{TARGET}:5: {RETRY}")


def test_equal_sentences_are_nothing_to_look_at() -> None:
    equal = "- **Rule**: Cache access tokens in memory for ten minutes."
    more = "Penguins swim, albatrosses glide, ostriches run, kiwis dig and parrots climb trees."
    document = memory(("Birds", f"{equal}\n{more}"))
    assert findings_in(document, thresholds=Thresholds(0.9, 0.8)) == ()


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
    (finding,) = prechecks([older], (), entries=document.entries, order=order)
    assert finding.against.entry is newer
    assert prechecks([newer], (), entries=document.entries, order=order) == ()


def test_what_a_merge_brought_back_is_redundant_with_the_commit() -> None:
    document = memory(("Came back", "Penguins swim."), ("Put back", "Albatrosses fly."))
    one, other = document.entries
    back = (
        ResurrectedEntry(
            one.identity, "a" * 40, "2026-03-01", "b" * 40, "2026-03-05", by_merge=True
        ),
        ResurrectedEntry(other.identity, "a" * 40, "2026-03-01", None, None),
    )
    merged, kept = findings_in(document, (), resurrected=back)
    assert (merged.check, merged.action, merged.against.commit) == ("redundancy", "drop", "a" * 40)
    assert merged.evidence == (
        f"removed by {'a' * 40} on 2026-03-01",
        f"brought back by the merge {'b' * 40} on 2026-03-05",
    )
    assert (kept.action, kept.evidence[1]) == ("escalate", "back in the working tree")


def test_no_targets_no_entries() -> None:
    assert findings_in(memory(("Retry budget", RETRY)), ()) == ()
    assert findings_in(memory()) == ()
