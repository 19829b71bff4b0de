from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.groups import propose
from learnings.consolidation.groups.partition import (
    ONE,
    Profile,
    clusters_of,
    levels_of,
    similarities,
    similarity,
)
from learnings.core.entries.document import read

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
    ("eagerness", "levels"), [(0.5, (0.25, 0.375, 0.4, 0.5)), (0.8, (0.1, 0.15, 0.16, 0.2))]
)
def test_levels(eagerness: float, levels: tuple[float, ...]) -> None:
    assert levels_of(eagerness) == pytest.approx(levels)


def test_a_small_file_needs_two_words_and_more_than_the_ordinary_level() -> None:
    same, other = profile(*"ab"), Profile({"a": 0.42, "b": 0.42}, {}, frozenset("ab"), None)
    assert clusters_of([same, profile(*"abc"), profile("c")], USUAL) == [[0, 1]]
    assert clusters_of([other] * 3, USUAL) == []
    others = [profile(letter) for letter in "tuvwxyz"]
    assert clusters_of([*[other] * 3, *others], USUAL) == [[0, 1, 2]]


VECTORS = st.lists(
    st.dictionaries(st.sampled_from("abcdefghij"), st.floats(0.1, 9), max_size=6), max_size=90
)
DAYS = st.lists(st.none() | st.integers(1, 40), min_size=90, max_size=90)


def unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items()}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(VECTORS, DAYS)
def test_all_pairs(vectors: list[dict[str, float]], days: list[int | None]) -> None:
    texts = [
        Profile(unit(vector), {}, frozenset(), day)
        for vector, day in zip(vectors, days, strict=False)
    ]
    rows = list(similarities([text.words for text in texts], [text.day for text in texts]))
    for index, row in enumerate(rows):
        expected = [similarity(texts[index], text) for text in texts]
        expected[index] = 0
        assert [value / ONE for value in row] == pytest.approx(expected, abs=2e-4)


def test_rare_words_count_as_common_ones_do() -> None:
    # A word of two among two hundred is added one by one.
    vectors = [
        unit({f"own{n}": 1.0, "all": 1.0, **({"rare": 2.0} if n < 2 else {})}) for n in range(200)
    ]
    row = next(similarities(vectors, [None] * 200))
    assert row[1] / ONE == pytest.approx(5 / 6, abs=1e-3)
    assert row[2] / ONE == pytest.approx(1 / math.sqrt(12), abs=1e-3)


def test_near_in_time_is_more_similar() -> None:
    row = next(similarities([{"a": 1.0}] * 4, [100, 100, 95, None]))
    assert [round(value / ONE, 3) for value in row] == [0, 1.1, 1 + round(0.1 / math.e, 3), 1]


FOLDER = Path(__file__).parent / "languages"
LANGUAGES = ("arabic", "chinese", "japanese", "portuguese", "russian")
# By their places in the file: migrations, the cache of profiles, the queue, tests, payments.
OVERLAPS = {frozenset(pair) for pair in ((0, 6), (2, 8), (3, 11), (4, 12), (10, 14))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_groups_are_those_of_a_reader(language: str) -> None:
    entries = read((FOLDER / f"{language}.md").read_bytes()).entries
    place = {entry.first: index for index, entry in enumerate(entries)}
    groups = propose(entries).groups
    members = [{place[entry.first] for entry in group.members} for group in groups]
    assert len(entries) == 20
    assert len(groups) == len(OVERLAPS)
    assert all(any(pair <= group for group in members) for pair in OVERLAPS)
    assert sum(map(len, members)) <= 11


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reasons_are_words_of_the_language(language: str) -> None:
    text = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
    for group in propose(read(text.encode()).entries).groups:
        assert 2 <= len(group.shared) <= 5
        assert all(word in text for word in group.shared)
        # A particle or a half of a word would show that words are cut at the wrong place.
        assert not any(
            word[0] in "のがをー的之" or word[-1] in "のがを的之" for word in group.shared
        )
