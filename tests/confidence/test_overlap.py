from __future__ import annotations

from fractions import Fraction

import pytest

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

FIVE = "alpha bravo charlie delta echo"
TEN = f"{FIVE} foxtrot golf hotel india juliet"


@pytest.mark.parametrize(
    ("part", "whole", "share", "either_way"),
    [
        (FIVE, FIVE, 1, 1),
        (FIVE, TEN, 1, 1),
        (TEN, FIVE, Fraction(1, 2), 1),  # half of the longer, all of the shorter
        (FIVE, "alpha bravo charlie", Fraction(3, 5), 1),
        (FIVE, "alpha bravo charlie kilo lima", Fraction(3, 5), Fraction(3, 5)),
        (FIVE, "kilo lima mike", 0, 0),
        ("alpha bravo", FIVE, 0, 0),  # two words are no statement, on either side
        (FIVE, "alpha bravo", 0, 0),
        ("", FIVE, 0, 0),
        (FIVE, "", 0, 0),
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


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("a b c", "a b c", 1),
        ("a b c d", "a b c d e", Fraction(4, 5)),
        ("a b c", "a b d", Fraction(1, 2)),
        ("a b c", "", 0),
        ("", "", 0),
        ("Error_Handling", "error-handling", 1),
    ],
)
def test_overlap_of_names(one: str, other: str, share: Fraction | int) -> None:
    first, second = names(tuple(one.split())), names(tuple(other.split()))
    assert jaccard(first, second) == jaccard(second, first) == share
    for limit in (SIGNIFICANT, SAME, Limit(1, 2)):
        assert are_near(first, second, limit) is (share > Fraction(*limit))


def test_names_of_tags() -> None:
    assert names(("Error Handling", "error_handling", " ", "")) == {"error-handling"}
