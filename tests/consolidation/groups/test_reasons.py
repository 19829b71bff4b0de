from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.groups import Group, propose
from learnings.consolidation.groups.partition import MAX_MEMBERS, linked
from learnings.core.entries.document import Entry, read

OTHERS = ("alder birch", "cedar fir", "hazel larch", "maple oak", "pine rowan", "spruce yew", "elm")


def entries_of(*texts: tuple[str, str]) -> tuple[Entry, ...]:
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in texts)
    return read(f"# L\n\n{text}".encode()).entries


def group_of(*texts: tuple[str, str]) -> Group:
    (group,) = propose(entries_of(*texts)).groups
    return group


def test_a_group_has_the_title_that_fits_all_members() -> None:
    group = group_of(
        ("Retry uploads with backoff", "Uploads are retried."),
        ("Retry budget of uploads with backoff and jitter.", "Backoff and jitter."),
        ("Budget and jitter of retries", "A budget with jitter."),
    )
    assert group.topic == "Retry budget of uploads with backoff and jitter"
    other = group_of(("Retry a full queue", "Backoff, jitter."), ("Jitter", "Backoff, queue."))
    assert other.topic == ", ".join([*other.shared][:2])


def test_a_long_title_is_cut_at_a_clause_or_not_at_all() -> None:
    words = " ".join(f"anchor{n}" for n in range(30))
    topic = group_of((words, "x"), (words, "y")).topic
    assert len(topic) <= 80
    assert len(topic.split()) < 6
    title = (
        "Hooks of sessions: stderr with exit 0 is swallowed (only visible in verbose mode there)"
    )
    whole = group_of((title, "x"), (title, "y")).topic
    assert whole == "Hooks of sessions: stderr with exit 0 is swallowed"


def test_at_most_five_words_with_their_lines() -> None:
    words = "anchor beacon candle dagger ember falcon"
    group = group_of((words, "x"), (f"More {words}", words))
    assert len(group.shared) == 5
    assert set(group.shared.values()) == {(3, 7)}


def test_words_that_stand_everywhere_are_not_the_reason() -> None:
    texts = [("Journal fences", "run the agent"), ("Fences of a journal", "the agent will run")]
    rest = [(title, "run the agent") for title in OTHERS]
    (group,) = propose(entries_of(*texts, *rest)).groups
    assert list(group.shared) == ["fences", "journal"]


def test_labels_and_words_of_no_title_come_last() -> None:
    texts = [
        ("Journal fences", "a pattern that breaks entirely"),
        ("Fences of a journal", "entirely the same pattern breaks"),
    ]
    assert " ".join(group_of(*texts).shared) == "fences journal breaks entirely pattern"


def test_every_member_has_two_words() -> None:
    chain = (("alpha bravo", ""), ("bravo alpha charlie delta", ""), ("charlie delta", ""))
    assert all(len(words) >= 2 for words in group_of(*chain).own_words)


def test_kinds_of_entries_and_marks_are_no_matter() -> None:
    text = "".join(
        f"## [LRN-20260206-00{n}] correction\n\n~~Superseded~~\n### Summary\nretry the upload\n\n"
        for n in (1, 2)
    )
    (group,) = propose(read(text.encode()).entries).groups
    assert sorted(group.shared) == ["retry", "upload"]


def test_pairs_of_characters_are_shown_as_the_run_that_they_are_part_of() -> None:
    group = group_of(("数据库迁移要先于部署", "x"), ("部署前", "数据库迁移"))
    assert group.shared == {
        "数据库迁移": (3, 9),
        "部署": (3, 7),
    }


def test_most_common_form_in_small_letters_where_that_is_common_too() -> None:
    group = group_of(("Hooks on Claude", "hooks, Hooks"), ("Claude hooks", "Hooks"))
    assert set(group.shared) == {"hooks", "Claude"}


@pytest.mark.parametrize(
    "texts",
    [
        [("When <!-- retry queue", "lock\n-->"), ("Where <!-- retry queue", "lock\n-->")],
        [
            ("Cold", "lock <!-- x: retry queue -->\nwarm"),
            ("Cold on", "lock <!-- x: retry queue -->"),
        ],
    ],
    ids=["begun in a title", "begun in a recurring label"],
)
def test_a_comment_hides_the_same_words_from_all(texts: list[tuple[str, str]]) -> None:
    assert all(group_of(*texts).shared)


Rows: TypeAlias = "list[array[int]]"


def rows_of(count: int, pairs: Mapping[tuple[int, int], int]) -> Rows:
    rows = [array("I", [0] * count) for _ in range(count)]
    for (one, other), value in pairs.items():
        rows[one][other] = rows[other][one] = value
    return rows


def clusters(rows: Rows, level: int) -> list[list[int]]:
    return sorted(sorted(cluster) for cluster in linked(rows, level=level))


def test_the_most_similar_come_first() -> None:
    pairs = {(0, 1): 50, (1, 2): 90, (2, 3): 50}
    assert clusters(rows_of(4, pairs), 50) == [[0], [1, 2], [3]]


def test_the_average_decides() -> None:
    pairs = {(0, 1): 90, (1, 2): 50}
    assert clusters(rows_of(3, pairs), 26) == [[0, 1], [2]]
    assert clusters(rows_of(3, pairs), 25) == [[0, 1, 2]]


def test_a_full_cluster_leaves_the_rest_to_each_other() -> None:
    alike = rows_of(19, {(a, b): 70 for a in range(19) for b in range(a)})
    assert sorted(map(len, linked(alike, level=30))) == [3, 8, 8]


def test_equally_similar_ones_are_joined_in_the_order_given() -> None:
    alike = rows_of(10, {(a, b): 70 for a in range(10) for b in range(a)})
    assert clusters(alike, 30) == [list(range(8)), [8, 9]]


def textbook(rows: Rows, level: int) -> set[frozenset[int]]:
    """Return the clusters of a textbook implementation."""
    clusters = [frozenset([one]) for one in range(len(rows))]
    while True:
        candidates = []
        for at, one in enumerate(clusters):
            for other in clusters[at + 1 :]:
                value = sum(rows[a][b] for a in one for b in other) / (len(one) * len(other))
                if value >= level and len(one | other) <= MAX_MEMBERS:
                    candidates.append((value, one, other))
        if not candidates:
            return set(clusters)
        _, one, other = max(candidates, key=lambda candidate: candidate[0])
        clusters = [c for c in clusters if c not in (one, other)] + [one | other]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 14), st.randoms(use_true_random=False), st.integers(1, 9))
def test_as_the_textbook(count: int, random: object, tenths: int) -> None:
    # Far apart, so that rounding an average to a whole number decides nothing.
    values = [n * n * 9_973 for n in range(1, 200)]
    random.shuffle(values)  # type: ignore[attr-defined]
    pairs = {(a, b): values.pop() for a in range(count) for b in range(a)}
    level = tenths * 30_000_001
    ours = {frozenset(cluster) for cluster in linked(rows_of(count, pairs), level=level)}
    assert ours == textbook(rows_of(count, pairs), level)
