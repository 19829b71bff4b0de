"""The eight steps of `learnings memory curate`, story by story, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from typing import TypeAlias

from learnings.confidence import values
from learnings.confidence.creation import (
    EvidencePool,
    StoryEvidence,
    in_three_stories,
    new_anti_pattern,
    new_procedure,
)
from learnings.confidence.curation_run import (
    CurationRun,
    ObservationTarget,
    apply_match,
    apply_observation,
    classify,
    fix_rationales,
)
from learnings.confidence.entry_table import archive_low, merge_same, rotate
from learnings.confidence.values import (
    Applied,
    ConfidenceSettings,
    Curation,
    Memory,
    Story,
    reviews_among,
)
from learnings.core.instants import instant_of
from learnings.core.patterns import lazy_pattern

_DIGITS = lazy_pattern(r"(\d+)")
_NOT_COMMITTED = datetime.max.replace(tzinfo=UTC)


def stories_in_order(stories: Iterable[Story]) -> list[Story]:
    """Return stories, oldest first: by completion, else by the last commit, else by name.

    An invalid date counts as missing. A story without both dates is not committed yet, so it
    follows all others. A date without a time means midnight, a time without a zone means UTC. ST-9
    comes before ST-10.
    """
    return sorted(stories, key=lambda story: (_moment(story), _natural(story.id), story.source))


def _moment(story: Story) -> datetime:
    moments = (instant_of(text) for text in (story.completed, story.committed))
    return next((moment for moment in moments if moment), _NOT_COMMITTED)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return the parts of a name so that numbers in it compare as numbers."""
    parts = _DIGITS.split(name.casefold())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts if part]


STORIES_BACK = 2
"""Number of earlier stories that may have the other failure, besides the current story.

Reviews and incidents in between do not count.
"""

FAST_TRACK = 9
"""Minimum importance of an incident that suffices alone. Both numbers come from the procedure."""


def detect_anti_pattern(
    run: CurationRun, pool: EvidencePool, stories: Sequence[Story], failure: StoryEvidence
) -> None:
    """Make an anti-pattern from a repeated failure, or from one grave incident.

    Otherwise the failure reinforces an entry just made from another one, or waits in the pool.
    `stories` are all stories, in order.
    """
    _, story, observation = failure
    if apply_match(run, run.anti_patterns, failure):
        return
    back = (n for n in range(failure.position, -1, -1) if stories[n].is_story)
    before = pool.alike(failure, since=next(islice(back, STORIES_BACK, None), 0))
    grave = observation.type == values.INCIDENT_LEARNING and observation.importance >= FAST_TRACK
    if not before and not grave:
        _keep_pending(run, pool, failure)
        return
    members = [*before, failure]
    fixes = [
        StoryEvidence(position, stories[position], fix)
        for position in range(members[0].position, failure.position + 1)
        for fix in fix_rationales(stories[position])
    ]
    origin = run.origin(run.anti_patterns, story)
    entry = new_anti_pattern(members, fixes, origin, run.settings)
    reason = _seen_in(before) or f"an incident of importance {observation.importance}"
    if not any(one.observation.severity in values.SEVERITIES for one in members):
        reason += f"; {entry.severity}, since no observation gives a severity"
    run.create(run.anti_patterns, entry, failure, reason)
    _mark_counted(run, pool, members, entry.id)


def detect_procedure(run: CurationRun, pool: EvidencePool, adaptation: StoryEvidence) -> None:
    """Make a procedure from equal work in three stories; otherwise the adaptation waits."""
    if apply_match(run, run.procedures, adaptation):
        return
    members = in_three_stories(adaptation, pool.alike(adaptation))
    if not members:
        _keep_pending(run, pool, adaptation)
        return
    origin = run.origin(run.procedures, adaptation.story)
    entry = new_procedure(members, origin, run.settings)
    run.create(run.procedures, entry, adaptation, _seen_in(members[:-1]))
    _mark_counted(run, pool, members, entry.id)


def _keep_pending(run: CurationRun, pool: EvidencePool, evidence: StoryEvidence) -> None:
    pool.add(evidence)
    run.record(values.EVIDENCE, evidence, reason="no matching entry yet")


def _mark_counted(
    run: CurationRun, pool: EvidencePool, members: Sequence[StoryEvidence], entry_id: str
) -> None:
    """Mark evidence as used by an entry, so that no second entry uses it."""
    pool.remove(members)
    for member in members[:-1]:
        run.mark(member, entry_id, values.COUNTED)


def _seen_in(members: Sequence[StoryEvidence]) -> str:
    names = ", ".join(f"{story.id} {observation.id}" for _, story, observation in members)
    return f"seen before in {names}" if names else ""


_Pools: TypeAlias = dict[ObservationTarget, EvidencePool]  # by possible use of the evidence


def curate(
    memory: Memory,
    stories: Iterable[Story],
    settings: ConfidenceSettings,
    applied: Iterable[Applied],
    today: str,
) -> Curation:
    """Return the effect of the observations of stories on a memory.

    Pass all existing stories, in any order: the ones that are not new count as evidence. Each new
    story goes through all steps before the next, so one run per story equals one run for several.
    `applied` are the rows of earlier runs; their observations are not applied again. `today` is the
    ISO date for changes.
    """
    run = CurationRun(memory, applied, settings, today)
    pools = {
        ObservationTarget.FAILURE: EvidencePool(),
        ObservationTarget.ADAPTATION: EvidencePool(),
    }
    ordered = stories_in_order(stories)
    run.reviews = reviews_among(ordered)
    for position, story in enumerate(ordered):
        _add_open_evidence(run, pools, position, story)
        if story.is_new:
            _curate_story(run, pools, ordered, position)
    return Curation(run.memory, tuple(run.rows), tuple(run.changes))


def _add_open_evidence(run: CurationRun, pools: _Pools, position: int, story: Story) -> None:
    """Add a story's observations unused by earlier runs; all of them if there are no rows."""
    for observation in story.observations:
        was_seen = not story.is_new or run.is_applied(story, observation)
        if was_seen and run.is_open(story, observation):
            target, _ = classify(observation, story, run.settings)
            if pool := pools.get(target):
                pool.add(StoryEvidence(position, story, observation))


def _curate_story(run: CurationRun, pools: _Pools, stories: Sequence[Story], position: int) -> None:
    """Take one story through all steps; do nothing without new observations."""
    story, applied = stories[position], len(run.rows)
    every = [StoryEvidence(position, story, item) for item in story.observations]
    new = [one for one in every if not run.is_applied(story, one.observation)]
    pending = _apply_all(run, new)
    for target, evidence in pending:
        if target is ObservationTarget.FAILURE:
            detect_anti_pattern(run, pools[target], stories, evidence)
    for target, evidence in pending:
        if target is ObservationTarget.ADAPTATION:
            detect_procedure(run, pools[target], evidence)
    if len(run.rows) > applied:
        steps = (
            *(merge_same(table) for table in run.tables),
            *(archive_low(table, run.settings) for table in run.tables),
            *(rotate(table, run.settings) for table in run.tables),
        )
        run.changes += chain.from_iterable(steps)


def _apply_all(
    run: CurationRun, new: Iterable[StoryEvidence]
) -> list[tuple[ObservationTarget, StoryEvidence]]:
    """Apply observations of a story in order; return those that may still become an entry."""
    pending = []
    ids: set[str] = set()
    for evidence in new:
        if evidence.observation.id in ids:
            reason = "another observation in the file has the same id"
            run.record(values.SKIPPED, evidence, reason=reason, is_done=False)
        elif target := apply_observation(run, evidence):
            pending.append((target, evidence))
        ids.add(evidence.observation.id)
    return pending
