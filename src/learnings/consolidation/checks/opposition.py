"""Pairs of statements of which one affirms what the other negates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.statements import Statement

# All chosen over the development half of the made-up cases (benchmarks/README.md, Pre-checks:
# precision 1.00 there, 0.89 on the half held out) and narrowed over 273 real entries, of which
# nobody has labelled the 4 that are still reported.

LEAST_SHARED, LEAST_WITHOUT_CUE = 2, 3
"""Words that two statements share at least, and where nothing but a label negates."""

SHORTEST = 3
"""Keywords of the shorter of two statements: less is half a sentence."""

SAME_MATTER = 0.6
"""Share of the words of the shorter statement, by their idf, from which both have one subject."""

SAME_LENGTH = 0.35
"""Share of the words of the longer statement that have to be shared, too."""

MOST_DENIED, MOST_LABELLED = 0.65, 0.8
"""Share of the denied words that the other statement needs, and where a label denies all."""

Idf = Callable[[str], float]


class Opposition(NamedTuple):
    """Two statements that cannot both hold; score is the share of words in common, 0 to 1."""

    ours: Statement
    theirs: Statement
    score: float


def opposed(
    ours: Sequence[Statement], theirs: Sequence[Statement], *, idf: Idf = lambda _word: 1.0
) -> Opposition | None:
    """Return the closest two that contradict each other, the first of equals; None without one."""
    return max(_pairs(ours, theirs, idf), key=lambda opposition: opposition.score, default=None)


def _pairs(
    ours: Sequence[Statement], theirs: Sequence[Statement], idf: Idf
) -> Iterator[Opposition]:
    for one in ours:
        for other in theirs:
            if contradicts(one, other) and not _other_subject(one, other):
                score = likeness(one, other, idf)
                if score >= SAME_MATTER:
                    yield Opposition(one, other, score)


def contradicts(one: Statement, other: Statement) -> bool:
    """Return True if one affirms what the other negates, given that both have the same subject.

    Most of what a negation denies has to be in the other statement, first of all the keyword right
    after it; of what a label denies any.
    """
    opposite = any((index, 1 - side) in other.sides for index, side in one.sides)
    if (one.negated != other.negated) == opposite:
        return False
    return all(
        _denies(negating, affirming)
        for negating, affirming in ((one, other), (other, one))
        if negating.negated and not affirming.negated
    )


def _denies(negating: Statement, affirming: Statement) -> bool:
    denied = negating.denied
    if not negating.is_labelled and denied and denied[0] not in affirming.words:
        return False
    least = MOST_LABELLED if negating.is_labelled else MOST_DENIED
    return len(affirming.words.intersection(denied)) >= least * len(set(denied))


def likeness(one: Statement, other: Statement, idf: Idf) -> float:
    """Return the share of shared words in the shorter statement; 0 where they are too few."""
    shared = one.words & other.words
    labelled = one.is_labelled or other.is_labelled
    if len(shared) < (LEAST_WITHOUT_CUE if labelled else LEAST_SHARED):
        return 0.0
    if min(len(one.words), len(other.words)) < SHORTEST:
        return 0.0
    common = _sum(shared, idf)
    shorter, longer = sorted((_sum(one.words, idf), _sum(other.words, idf)))
    if common < SAME_LENGTH * longer:
        return 0.0
    return common / shorter if shorter else 0.0


def _sum(words: frozenset[str], idf: Idf) -> float:
    return sum(idf(word) for word in sorted(words))


def _other_subject(one: Statement, other: Statement) -> bool:
    """Return True if both begin with a word that the other lacks: they have different subjects."""
    return one.keys[0] not in other.words and other.keys[0] not in one.words
