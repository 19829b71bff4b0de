"""Steps 4 and 5: entries that are made when the same thing is seen in several stories."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.confidence.applying import reinforce_match
from learnings.confidence.classification import fix_rationales
from learnings.confidence.creation import new_anti_pattern, new_procedure
from learnings.confidence.evidence import Evidence, EvidencePool, in_three_stories
from learnings.confidence.run import Run
from learnings.confidence.values import COUNTED, EVIDENCE, INCIDENT_LEARNING, Applied, Story

STORIES_BACK = 2
"""Two failures have to be within three stories: the current one and so many before it."""

FAST_TRACK = 9
"""Importance from which an incident is enough alone. Both are those of the source procedure."""


def detect_anti_pattern(
    run: Run, pool: EvidencePool, stories: Sequence[Story], failure: Evidence
) -> None:
    """Make an anti-pattern of a failure that was seen before, or of a grave incident at once.

    Else it reinforces an entry that was made of another one just now, or waits in the pool.
    `stories` are all stories, in order.
    """
    _, story, observation = failure
    if reinforce_match(run, run.anti_patterns, story, observation):
        return
    before = pool.alike(failure, since=failure.position - STORIES_BACK)
    grave = observation.type == INCIDENT_LEARNING and observation.importance >= FAST_TRACK
    if not before and not grave:
        _wait(run, pool, failure)
        return
    members = [*before, failure]
    fixes = _fixes(stories, members[0].position, failure.position)
    origin = run.origin(run.anti_patterns, story)
    entry = new_anti_pattern(members, fixes, origin, run.settings)
    reason = _seen_in(before) or f"an incident of importance {observation.importance}"
    run.create(run.anti_patterns, entry, story, observation, reason)
    _count(run, pool, members, entry.id)


def detect_procedure(run: Run, pool: EvidencePool, adaptation: Evidence) -> None:
    """Make a procedure of what three stories did in the same way; else it waits in the pool."""
    _, story, observation = adaptation
    if reinforce_match(run, run.procedures, story, observation):
        return
    members = in_three_stories(adaptation, pool.alike(adaptation))
    if not members:
        _wait(run, pool, adaptation)
        return
    entry = new_procedure(members, run.origin(run.procedures, story), run.settings)
    run.create(run.procedures, entry, story, observation, _seen_in(members[:-1]))
    _count(run, pool, members, entry.id)


def _wait(run: Run, pool: EvidencePool, evidence: Evidence) -> None:
    pool.add(evidence)
    run.record(EVIDENCE, evidence.story, evidence.observation, reason="no entry says it yet")


def _count(run: Run, pool: EvidencePool, members: Sequence[Evidence], entry_id: str) -> None:
    """Note that an entry was made of evidence, so that no other one will be."""
    pool.remove(members)
    for _, story, observation in members[:-1]:
        run.applied.add(Applied(story.source, observation.id, run.today, entry_id, COUNTED))


def _seen_in(members: Sequence[Evidence]) -> str:
    names = ", ".join(f"{story.id} {observation.id}" for _, story, observation in members)
    return f"seen before in {names}" if names else ""


def _fixes(stories: Sequence[Story], first: int, last: int) -> list[Evidence]:
    return [
        Evidence(position, stories[position], fix)
        for position in range(first, last + 1)
        for fix in fix_rationales(stories[position])
    ]
