"""Clusters of a file: limits of size, what they have in common, who is left over."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from learnings.consolidation.groups.linkage import Thresholds
from learnings.consolidation.groups.partition import keys_in_common, partition, words_in_common
from learnings.consolidation.groups.profiles import Profile


def profile(*keys: str) -> Profile:
    return Profile(dict.fromkeys(keys, 1.0), {}, frozenset(keys), None)


def rows_of(groups: Sequence[Sequence[int]], count: int) -> list[array[float]]:
    """Return rows in which members of a group are close and all others are not."""
    together = {(a, b) for group in groups for a in group for b in group if a != b}
    return [
        array("d", [0.6 if (a, b) in together else 0.01 for b in range(count)])
        for a in range(count)
    ]


def clusters(groups: Sequence[Sequence[int]], profiles: Sequence[Profile]) -> list[list[int]]:
    return partition(profiles, rows_of(groups, len(profiles)), Thresholds())


def test_close_entries_that_share_keywords() -> None:
    profiles = [profile("hook", "bit")] * 20
    assert clusters([[0, 1, 2], [5, 9]], profiles) == [[0, 1, 2], [5, 9]]


def test_close_entries_that_share_too_little() -> None:
    profiles = [profile("hook", "bit")] * 18 + [profile("hook", "x")] * 2
    assert clusters([[0, 1, 19], [17, 18]], profiles) == [[0, 1]]


def test_keywords_shared_with_different_members() -> None:
    profiles = [profile("a", "b"), profile("b", "c"), profile("c", "a")] + [profile()] * 17
    assert clusters([[0, 1, 2]], profiles) == [[0, 1, 2]]


def test_a_member_left_out_takes_others_along() -> None:
    chain = [profile("a", "b"), profile("b", "c"), profile("c", "d"), profile("d", "x")]
    assert clusters([[0, 1, 2, 3]], chain + [profile()] * 16) == []


def test_nine_are_cut_in_two_and_nobody_is_left() -> None:
    parts = clusters([range(9)], [profile("hook", "bit")] * 30)
    assert sorted(len(cluster) for cluster in parts) == [4, 5]
    assert sorted(one for cluster in parts for one in cluster) == list(range(9))


def test_ten_fill_what_nine_left_open() -> None:
    parts = clusters([range(10)], [profile("hook", "bit")] * 30)
    assert sorted(one for cluster in parts for one in cluster) == list(range(10))


def test_below_eight_entries_two_words_are_enough() -> None:
    profiles = [profile("a", "b"), profile("a", "b", "c"), profile("c"), profile("d", "c")]
    assert partition(profiles, [], Thresholds()) == [[0, 1]]


def test_chains_of_a_small_file_are_one_group() -> None:
    profiles = [profile("a", "b"), profile("a", "b", "c", "d"), profile("c", "d")]
    assert partition(profiles, [], Thresholds()) == [[0, 1, 2]]


def test_words_in_common() -> None:
    profiles = [profile("a", "b", "x"), profile("a"), profile("b", "y")]
    assert words_in_common(0, [0, 1, 2], profiles) == {"a", "b"}
    assert keys_in_common(profiles) == {"a", "b"}
