"""The index leaves nothing out that comparing each pair would find."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learnings.confidence.creation import EvidencePool, StoryEvidence
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import KINDS, are_alike
from learnings.confidence.overlap import (
    SAME,
    SIGNIFICANT,
    Limit,
    are_near,
    contained,
    containment,
    jaccard,
    names,
)
from learnings.confidence.values import ARCHIVED, Observation, ScoredEntry
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
TAGS = st.lists(st.sampled_from(["cost", "security", "queue"]), max_size=3).map(tuple)
OBSERVATIONS = st.builds(lambda text, tags: observation(text, " ".join(tags)), TEXTS, TAGS)


def entry_of(prefix: str, number: int, text: str, other: str, tags: tuple[str, ...]) -> ScoredEntry:
    if prefix == "PR":
        return principle(number, text=text, guidance=(other,), categories=tags)
    if prefix == "AP":
        return anti_pattern(number, text=text, recommended_approach=other, tags=tags)
    return procedure(number, text=text, tags=tags, applies_to=tags[:1])


@given(st.lists(st.tuples(TEXTS, TEXTS, TAGS), max_size=5), OBSERVATIONS, st.booleans())
def test_an_entry_that_matches_is_found(
    contents: list[tuple[str, str, tuple[str, ...]]],
    item: Observation,
    archive: bool,
) -> None:
    for kind in KINDS:
        table: EntryTable[Any] = EntryTable(kind, (), ())
        for number, content in enumerate(contents, 1):
            table.add(entry_of(kind.prefix, number, *content))
        if archive and contents:
            table.replace(table[f"{kind.prefix}-001"]._replace(status=ARCHIVED))
        matching = {one.id for one in table.active if kind.overlaps(one, item, SETTINGS).is_match}
        match = table.match(item, SETTINGS)
        assert match[0].id in matching if match else not matching


@example([observation(tags="cost")] * 2, observation(tags="cost"))
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


FIVE = "alpha bravo charlie delta echo"
TEN = f"{FIVE} foxtrot golf hotel india juliet"


@pytest.mark.parametrize(
    ("part", "whole", "share", "either_way"),
    [
        (FIVE, TEN, 1, 1),
        (TEN, FIVE, Fraction(1, 2), 1),  # half of the longer, all of the shorter
        (FIVE, "alpha bravo charlie", Fraction(3, 5), 1),
        (FIVE, "alpha bravo charlie kilo lima", Fraction(3, 5), Fraction(3, 5)),
        ("alpha bravo", FIVE, 0, 0),  # two words are no statement, on either side
        (FIVE, "alpha bravo", 0, 0),
        ("the alpha is not on the bravo", FIVE, 0, 0),  # stop words do not count
        ("Alphas, bravos; and Charlie!", FIVE, 1, 1),  # nor do inflections and signs
        ("alpha alpha alpha bravo charlie kilo", FIVE, Fraction(3, 4), Fraction(3, 4)),
    ],
)
def test_overlap_of_texts(
    part: str, whole: str, share: Fraction | int, either_way: Fraction | int
) -> None:
    assert contained(part, whole) == share
    assert containment(part, whole) == containment(whole, part) == either_way


def test_overlap_of_names() -> None:
    for one, other, share in (
        ("a b c", "a b c", Fraction(1)),
        ("a b c d", "a b c d e", Fraction(4, 5)),
        ("a b c", "a b d", Fraction(1, 2)),
        ("a b c", "", Fraction(0)),
        ("Error_Handling", "error-handling", Fraction(1)),
    ):
        first, second = names(tuple(one.split())), names(tuple(other.split()))
        assert jaccard(first, second) == jaccard(second, first) == share
        for limit in (SIGNIFICANT, SAME, Limit(1, 2)):
            assert are_near(first, second, limit) is (share > Fraction(*limit))
    assert names(("Error Handling", "error_handling", " ", "")) == {"error-handling"}
