from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from learnings.consolidation.groups.partition import Profile, clusters_of, levels_of

USUAL = levels_of(0.5)


def profile(*keys: str, subject: str = "") -> Profile:
    """Return a profile with keys; those of one subject are as similar as 0.8 at least."""
    words = {f"({subject})": math.sqrt(0.8)} if subject else {}
    rest = math.sqrt((1 - sum(value * value for value in words.values())) / max(len(keys), 1))
    return Profile(words | dict.fromkeys(keys, rest), {}, frozenset(keys), None)


def filled(profiles: Sequence[Profile]) -> list[Profile]:
    """Add profiles that nothing is similar to, so that the file is not a small one."""
    return [*profiles, *(profile(f"filler{n}") for n in range(8))]


def clusters(*profiles: Profile) -> list[list[int]]:
    return clusters_of(filled(profiles), USUAL)


def test_similar_entries_that_share_keywords() -> None:
    hook, cache = (profile("a", "b", subject=name) for name in ("hook", "cache"))
    assert clusters(hook, cache, hook, cache, hook) == [[0, 2, 4], [1, 3]]


def test_similar_entries_that_share_too_little() -> None:
    hook, other = profile("a", "b", subject="hook"), profile("a", "x", subject="hook")
    assert clusters(hook, hook, other) == [[0, 1]]


def test_keywords_shared_with_different_members() -> None:
    chain = [profile(*keys, subject="hook") for keys in ("ab", "bc", "ca")]
    assert clusters(*chain) == [[0, 1, 2]]


def test_a_member_left_out_takes_others_along() -> None:
    assert clusters(*(profile(*keys, subject="hook") for keys in ("ab", "bc", "cd", "dx"))) == []


def test_a_pair_needs_more_than_a_third_to_join() -> None:
    one, other, third = (
        Profile({"a": 0.42, "b": 0.42, name: 0.8}, {}, frozenset("ab"), None) for name in "xyz"
    )
    assert clusters(one, other) == []
    assert clusters(one, other, third) == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("eagerness", "levels"), [(0.5, (0.25, 0.375, 0.4, 0.34)), (0.8, (0.1, 0.15, 0.16, 0.136))]
)
def test_levels(eagerness: float, levels: tuple[float, ...]) -> None:
    assert levels_of(eagerness) == pytest.approx(levels)


def test_a_small_file_needs_two_words_and_more_than_the_ordinary_level() -> None:
    same, other = profile(*"ab"), Profile({"a": 0.42, "b": 0.42}, {}, frozenset("ab"), None)
    assert clusters_of([same, profile(*"abc"), profile("c")], USUAL) == [[0, 1]]
    assert clusters_of([other] * 3, USUAL) == []
    others = [profile(letter) for letter in "tuvwxyz"]
    assert clusters_of([*[other] * 3, *others], USUAL) == [[0, 1, 2]]
