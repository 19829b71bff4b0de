"""`learnings memory check`: what is wrong with entries and observations that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from learnings.confidence.arithmetic import PLACES
from learnings.confidence.entry_table import LEAST_DIGITS
from learnings.confidence.kinds import Kind
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import (
    ACTIVE,
    CONSISTENCY_CHECK,
    AnyEntry,
    Entry,
    Memory,
    Observation,
    Story,
)
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.text import number_text

ID_FORM, DUPLICATE_ID = "memory-id-form", "memory-duplicate-id"
CONFIDENCE, STATUS, LIMIT = "memory-confidence", "memory-status", "memory-limit"
REFERENCE, OBSERVATION_LIMIT = "memory-reference", "memory-observation-limit"
"""The names of the findings, as rules have them."""

_OBSERVATION_PREFIX = "OB"


def finding(rule: str, path: str, item: Entry | Observation, message: str) -> Finding:
    """Return an error at the line of an entry or observation."""
    return Finding(rule, Severity.ERROR, path, item.line or 1, 1, message, subject=item.id)


def check_entries(
    kind: Kind[AnyEntry], path: str, entries: Sequence[AnyEntry], settings: ConfidenceSettings
) -> Iterator[Finding]:
    """Give what is wrong with the entries of one file, by itself."""
    yield from _check_ids(kind.prefix, path, entries)
    for entry in entries:
        yield from _check_confidence(path, entry, settings)
    active = [entry for entry in entries if entry.status == ACTIVE]
    limit = kind.limit(settings)
    if len(active) > limit:
        message = (
            f"{len(active)} entries are active and {limit} may be; "
            "`learnings memory curate` archives the least confident ones with the next story"
        )
        yield finding(LIMIT, path, active[limit], message)


def check_observations(
    path: str, story: Story, memory: Memory, settings: ConfidenceSettings
) -> Iterator[Finding]:
    """Give what is wrong with the observations of one story: ids, their number, references.

    A check has to name an active entry; of a story that was captured it may be archived since.
    """
    observations = story.observations
    yield from _check_ids(_OBSERVATION_PREFIX, path, observations)
    limit = settings.max_observations_per_story
    if len(observations) > limit:
        message = f"{len(observations)} observations; a story has {limit} at most, the most useful"
        yield finding(OBSERVATION_LIMIT, path, observations[limit], message)
    statuses = {entry.id: entry.status for entry in memory.entries}
    for observation in observations:
        entry_id, status = observation.principle_id, statuses.get(observation.principle_id or "")
        if observation.type != CONSISTENCY_CHECK or not entry_id:
            continue
        if status is None:
            message = f"there is no entry {quoted(entry_id)}; name one of the memory"
            yield finding(REFERENCE, path, observation, message)
        elif status != ACTIVE and story.is_new:
            message = f"{entry_id} is {status}, so that the check has no effect; leave it out"
            yield finding(REFERENCE, path, observation, message)


def _check_ids(
    prefix: str, path: str, items: Sequence[Entry] | Sequence[Observation]
) -> Iterator[Finding]:
    form = re.compile(rf"{prefix}-[0-9]{{{LEAST_DIGITS},}}")
    example = f"{prefix}-{1:0{LEAST_DIGITS}}"
    lines: dict[str, int] = {}
    for item in items:
        if not form.fullmatch(item.id):
            message = f"{quoted(item.id)} is not an id of this file; write one like {example}"
            yield finding(ID_FORM, path, item, message)
        if item.id in lines:
            message = f"{quoted(item.id)} is also the id in line {lines[item.id]}; give it the next"
            yield finding(DUPLICATE_ID, path, item, message)
        lines.setdefault(item.id, item.line)


def _check_confidence(path: str, entry: Entry, settings: ConfidenceSettings) -> Iterator[Finding]:
    confidence, threshold = entry.confidence, settings.confidence_archive
    if not 0 <= confidence <= 1:
        message = f"the confidence of {entry.id} is {confidence}; it is from 0 to 1"
        yield finding(CONFIDENCE, path, entry, message)
    elif confidence != round(confidence, PLACES):
        message = f"the confidence of {entry.id} is {confidence}; write {PLACES} places at most"
        yield finding(CONFIDENCE, path, entry, message)
    elif entry.status == ACTIVE and confidence < threshold:
        message = (
            f"{entry.id} is active with {number_text(confidence)}, below {threshold}; "
            "its status has to be archived"
        )
        yield finding(STATUS, path, entry, message)
