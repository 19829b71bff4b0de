"""`learnings memory curate`: the eight steps, story by story, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from learnings.confidence.applying import apply_observation
from learnings.confidence.classification import Target, classify
from learnings.confidence.detection import detect_anti_pattern, detect_procedure
from learnings.confidence.evidence import Evidence, EvidencePool
from learnings.confidence.limits import archive_low, merge_same, rotate
from learnings.confidence.run import Run
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.story_order import in_order
from learnings.confidence.values import (
    SKIPPED,
    Applied,
    Change,
    Curation,
    Memory,
    Observation,
    Story,
)


class _Pools:
    """Evidence of the stories so far, by what it can become."""

    def __init__(self) -> None:
        self.failures = EvidencePool()
        self.adaptations = EvidencePool()


def curate(
    memory: Memory,
    stories: Iterable[Story],
    settings: ConfidenceSettings,
    applied: Iterable[Applied],
    today: str,
) -> Curation:
    """Return what the observations of stories make of a memory.

    All stories there are should be given, in any order: those that are not new count as evidence.
    Each new one goes through all steps before the next, so that it does not matter whether a run
    follows each story or several. `applied` are the rows of earlier runs; what they have is not
    applied again. `today` is the ISO date that changes get.
    """
    run = Run(memory, applied, settings, today)
    pools = _Pools()
    ordered = in_order(stories)
    for position, story in enumerate(ordered):
        _add_open_evidence(run, pools, position, story)
        if story.is_new:
            _curate_story(run, pools, ordered, position)
    return Curation(run.memory, run.applied.rows, tuple(run.changes))


def _add_open_evidence(run: Run, pools: _Pools, position: int, story: Story) -> None:
    """Add what earlier runs left of a story as evidence; all of it where they kept no rows."""
    for observation in story.observations:
        was_seen = not story.is_new or run.applied.has(story, observation)
        if was_seen and run.applied.is_open(story, observation):
            match classify(observation, story, run.settings).target:
                case Target.FAILURE:
                    pools.failures.add(Evidence(position, story, observation))
                case Target.ADAPTATION:
                    pools.adaptations.add(Evidence(position, story, observation))


def _curate_story(run: Run, pools: _Pools, stories: Sequence[Story], position: int) -> None:
    """Take one story through all steps; without new observations nothing is to be done."""
    story, applied = stories[position], len(run.applied.rows)
    observations = [item for item in story.observations if not run.applied.has(story, item)]
    waiting = _apply_all(run, story, observations)
    for target, observation in waiting:
        if target is Target.FAILURE:
            evidence = Evidence(position, story, observation)
            detect_anti_pattern(run, pools.failures, stories, evidence)
    for target, observation in waiting:
        if target is Target.ADAPTATION:
            detect_procedure(run, pools.adaptations, Evidence(position, story, observation))
    if len(run.applied.rows) > applied:
        run.changes += _keep_limits(run)


def _apply_all(
    run: Run, story: Story, observations: Iterable[Observation]
) -> list[tuple[Target, Observation]]:
    """Apply observations in their order; return those that an entry may yet be made of."""
    waiting = []
    ids: set[str] = set()
    for observation in observations:
        if observation.id in ids:
            run.changes.append(_used_twice(story, observation))
        elif target := apply_observation(run, story, observation):
            waiting.append((target, observation))
        ids.add(observation.id)
    return waiting


def _used_twice(story: Story, observation: Observation) -> Change:
    return Change(
        SKIPPED,
        source=story.source,
        observation=observation.id,
        line=observation.line,
        reason="its id is that of another observation of the file",
    )


def _keep_limits(run: Run) -> list[Change]:
    principles, anti_patterns, procedures = run.principles, run.anti_patterns, run.procedures
    return [
        *merge_same(principles),
        *merge_same(anti_patterns),
        *merge_same(procedures),
        *archive_low(principles, run.settings),
        *archive_low(anti_patterns, run.settings),
        *archive_low(procedures, run.settings),
        *rotate(principles, run.settings),
        *rotate(anti_patterns, run.settings),
        *rotate(procedures, run.settings),
    ]
