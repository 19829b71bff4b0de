"""The index leaves nothing out that comparing each pair would find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learnings.confidence.creation import EvidencePool, StoryEvidence
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import (
    ANTI_PATTERN_KIND,
    CRITERIA,
    PRINCIPLE_KIND,
    PROCEDURE_KIND,
    are_alike,
)
from learnings.confidence.values import ARCHIVED, AnyEntry, Observation
from tests.confidence.memory import (
    SETTINGS,
    anti_pattern,
    observation,
    principle,
    procedure,
    story,
)

WORDS = st.sampled_from(["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"])
TEXTS = st.lists(WORDS, max_size=7).map(" ".join)
TAGS = st.lists(st.sampled_from(["cost", "security", "queue"]), max_size=3)
OBSERVATIONS = st.builds(lambda text, tags: observation(text, " ".join(tags)), TEXTS, TAGS)


def matches(table: EntryTable[AnyEntry], item: Observation) -> tuple[str | None, set[str]]:
    """Return the id that the table gives, and those of all active entries that match."""
    entry = table.match(item, SETTINGS)
    overlaps = table.kind.overlaps
    active = [one for one in table.active if overlaps(one, item, SETTINGS).met >= CRITERIA]
    return entry.id if entry else None, {one.id for one in active}


@given(st.lists(st.tuples(TEXTS, TEXTS, TAGS), max_size=5), OBSERVATIONS, st.booleans())
def test_an_entry_that_matches_is_found(
    contents: list[tuple[str, str, list[str]]],
    item: Observation,
    archive: bool,  # noqa: FBT001
) -> None:
    principles = EntryTable(PRINCIPLE_KIND, (), ())
    patterns, procedures = EntryTable(ANTI_PATTERN_KIND, (), ()), EntryTable(PROCEDURE_KIND, (), ())
    for number, (text, other, tags) in enumerate(contents, 1):
        names = tuple(tags)
        principles.add(principle(number, text=text, guidance=(other,), categories=names))
        patterns.add(anti_pattern(number, text=text, recommended_approach=other, tags=names))
        procedures.add(procedure(number, text=text, tags=names, applies_to=names[:1]))
    if archive and contents:
        principles.replace(principles["PR-001"]._replace(status=ARCHIVED))
        patterns.replace(patterns["AP-001"]._replace(status=ARCHIVED))
        procedures.replace(procedures["PC-001"]._replace(status=ARCHIVED))
    for best, all_of_them in (
        matches(principles, item),
        matches(patterns, item),
        matches(procedures, item),
    ):
        assert (best is None) == (not all_of_them)
        assert best is None or best in all_of_them


@given(st.lists(OBSERVATIONS, max_size=6), OBSERVATIONS)
def test_evidence_that_is_alike_is_found(items: list[Observation], item: Observation) -> None:
    pool = EvidencePool()
    evidence = [StoryEvidence(place, story(place), one) for place, one in enumerate(items)]
    for one in evidence:
        pool.add(one)
    pool.remove(evidence[:1])
    pool.remove(evidence[:1])
    current = StoryEvidence(len(items), story(99), item)
    alike = [one for one in evidence[1:] if are_alike(one.observation, item)]
    assert pool.alike(current) == alike
    assert pool.alike(current, since=3) == [one for one in alike if one.position >= 3]
