"""The findings about entries and observations, by themselves and since the last commit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from learnings.confidence import values
from learnings.confidence.entry_table import LEAST_DIGITS
from learnings.confidence.kinds import EntryKind
from learnings.confidence.overlap import Limit, are_near, content_words
from learnings.confidence.values import (
    PLACES,
    AnyEntry,
    Applied,
    ConfidenceSettings,
    Memory,
    Observation,
    ScoredEntry,
    Story,
)
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.text import number_text

ID_FORM, DUPLICATE_ID = "memory-id-form", "memory-duplicate-id"
CONFIDENCE, STATUS, LIMIT = "memory-confidence", "memory-status", "memory-limit"
REFERENCE, OBSERVATION_LIMIT = "memory-reference", "memory-observation-limit"
"""The names of the findings, in the form of rule ids."""

_OBSERVATION_PREFIX = "OB"


def finding_at(rule: str, path: str, item: ScoredEntry | Observation, message: str) -> Finding:
    """Return an error at the line of an entry or observation."""
    return Finding(rule, Severity.ERROR, path, item.line or 1, 1, message, subject=item.id)


def check_entries(
    kind: EntryKind[AnyEntry], path: str, entries: Sequence[AnyEntry], settings: ConfidenceSettings
) -> Iterator[Finding]:
    """Yield the findings about the entries of one file by themselves."""
    yield from _check_ids(kind.prefix, path, entries)
    for entry in entries:
        yield from _check_confidence(path, entry, settings)
    active = [entry for entry in entries if entry.status == values.ACTIVE]
    limit = kind.limit(settings)
    if len(active) > limit:
        message = (
            f"{len(active)} active entries exceed the limit of {limit}; `learnings memory "
            "curate` archives the least confident ones with the next story"
        )
        yield finding_at(LIMIT, path, active[limit], message)


def check_observations(
    path: str,
    story: Story,
    memory: Memory,
    settings: ConfidenceSettings,
    reviews: Collection[str] = (),
) -> Iterator[Finding]:
    """Yield the findings about the observations of a story: ids, number and references.

    A check must name an active entry, or a review if there was a briefing; in a captured story the
    entry may have been archived since.
    """
    observations = story.observations
    yield from _check_ids(_OBSERVATION_PREFIX, path, observations)
    limit = settings.max_observations_per_story
    if len(observations) > limit:
        message = (
            f"{len(observations)} observations exceed the limit of {limit} per story; keep the "
            "most useful"
        )
        yield finding_at(OBSERVATION_LIMIT, path, observations[limit], message)
    statuses = {entry.id: entry.status for entry in memory.entries}
    for observation in observations:
        entry_id, status = observation.principle_id, statuses.get(observation.principle_id or "")
        if observation.type != values.CONSISTENCY_CHECK or not entry_id or not story.has_briefing:
            continue
        if status is None and entry_id not in reviews:
            message = f"unknown entry {quoted(entry_id)}; name an entry of the memory"
            yield finding_at(REFERENCE, path, observation, message)
        elif status not in (None, values.ACTIVE) and story.is_new:
            message = f"{entry_id} is {status}, so the check has no effect; remove it"
            yield finding_at(REFERENCE, path, observation, message)


def _check_ids(
    prefix: str, path: str, items: Sequence[ScoredEntry] | Sequence[Observation]
) -> Iterator[Finding]:
    form = re.compile(rf"{prefix}-[0-9]{{{LEAST_DIGITS},}}")
    example = f"{prefix}-{1:0{LEAST_DIGITS}}"
    lines: dict[str, int] = {}
    for item in items:
        if not form.fullmatch(item.id):
            message = f"{quoted(item.id)} is not a valid id in this file; write one like {example}"
            yield finding_at(ID_FORM, path, item, message)
        if item.id in lines:
            message = (
                f"{quoted(item.id)} is also the id on line {lines[item.id]}; use the next free id"
            )
            yield finding_at(DUPLICATE_ID, path, item, message)
        lines.setdefault(item.id, item.line)


def _check_confidence(
    path: str, entry: ScoredEntry, settings: ConfidenceSettings
) -> Iterator[Finding]:
    confidence, threshold = entry.confidence, settings.confidence_archive
    if not 0 <= confidence <= 1:
        message = f"the confidence of {entry.id} is {confidence}; write a number from 0 to 1"
        yield finding_at(CONFIDENCE, path, entry, message)
    elif confidence != round(confidence, PLACES):
        message = (
            f"the confidence of {entry.id} is {confidence}; write at most {PLACES} decimal places"
        )
        yield finding_at(CONFIDENCE, path, entry, message)
    elif entry.status == values.ACTIVE and confidence < threshold:
        message = (
            f"{entry.id} is active with {number_text(confidence)}, below {threshold}; set its "
            "status to archived"
        )
        yield finding_at(STATUS, path, entry, message)


ID_REUSED, CLOSED_EDITED = "memory-id-reused", "memory-archived-edited"
CONFIDENCE_CHANGED = "memory-confidence-changed"

ANOTHER_TEXT = Limit(1, 10)
"""Up to this share of common words, a text is a new one and not an edited one."""


def check_against_head(
    kind: EntryKind[AnyEntry],
    path: str,
    entries: Sequence[AnyEntry],
    head: Sequence[AnyEntry],
    *,
    rows: Iterable[Applied],
    head_rows: Iterable[Applied],
) -> Iterator[Finding]:
    """Yield changes to the entries of one file that no story can cause.

    `rows` are the current applied rows, `head_rows` the rows of the last commit.
    """
    before = {entry.id: entry for entry in head}
    known_rows = set(head_rows)
    explained = {row.entry for row in rows if row not in known_rows}
    used = {row.entry for row in known_rows} - set(before)
    for entry in entries:
        old = before.pop(entry.id, None)
        if old is None:
            if entry.id in used:
                yield finding_at(
                    ID_REUSED, path, entry, _reused(entry, "that was removed from the file")
                )
        elif _is_another(kind, old, entry):
            yield finding_at(ID_REUSED, path, entry, _reused(entry, "in the last commit"))
        elif old.status != values.ACTIVE:
            yield from _check_closed(path, old, entry)
        elif old.confidence != entry.confidence and entry.id not in explained:
            before_text, after_text = number_text(old.confidence), number_text(entry.confidence)
            message = (
                f"the confidence of {entry.id} went from {before_text} to {after_text} without "
                "an observation; restore it, `learnings memory curate` computes it"
            )
            yield finding_at(CONFIDENCE_CHANGED, path, entry, message)
    for old in before.values():
        if old.status != values.ACTIVE:
            message = f"{old.id}, which is {old.status}, was removed from the file; restore it"
            yield Finding(CLOSED_EDITED, Severity.ERROR, path, 1, 1, message, subject=old.id)


def _check_closed(path: str, old: ScoredEntry, entry: ScoredEntry) -> Iterator[Finding]:
    if entry.status == values.ACTIVE:
        message = (
            f"{old.id} was {old.status} and is active again; restore its status and write a new "
            "entry with the next id"
        )
        yield finding_at(CLOSED_EDITED, path, entry, message)
    elif old._replace(line=0) != entry._replace(line=0):
        message = f"{old.id} is {old.status} but was changed; undo the change"
        yield finding_at(CLOSED_EDITED, path, entry, message)


def _is_another(kind: EntryKind[AnyEntry], old: AnyEntry, entry: AnyEntry) -> bool:
    """Return True if two entries with one id have different meanings."""
    text, old_text = next(iter(kind.texts(entry))), next(iter(kind.texts(old)))
    if text == old_text:
        return False
    if old.created and entry.created and old.created != entry.created:
        return True
    words, old_words = content_words(text), content_words(old_text)
    return bool(words and old_words) and not are_near(words, old_words, ANOTHER_TEXT)


def _reused(entry: ScoredEntry, which: str) -> str:
    return f"{entry.id} is the id of another entry {which}; give this entry the next free id"
