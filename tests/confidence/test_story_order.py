from __future__ import annotations

from learnings.confidence.curation import stories_in_order
from learnings.confidence.values import Story


def story(name: str, completed: str | None = None, committed: str | None = None) -> Story:
    return Story(name, f"stories/{name}", completed=completed, committed=committed)


def names(*stories: Story) -> list[str]:
    """Return the names in order, whichever way round they come in."""
    order = [story.id for story in stories_in_order(stories)]
    assert [story.id for story in stories_in_order(reversed(stories))] == order
    return order


def test_completion_counts_before_the_commit() -> None:
    late = story("A", completed="2026-03-05", committed="2026-03-01T10:00:00+01:00")
    early = story("B", completed="2026-03-02T09:00:00Z", committed="2026-03-09T10:00:00+01:00")
    between = story("C", committed="2026-03-03T10:00:00+01:00")
    assert names(late, early, between) == ["B", "C", "A"]


def test_times_are_compared_as_instants() -> None:
    zulu = story("A", completed="2026-03-02T09:00:00Z")
    tokyo = story("B", completed="2026-03-02T17:00:00.000+09:00")
    assert names(zulu, tokyo) == ["B", "A"]


def test_names_decide_between_equal_dates_and_numbers_in_them_are_numbers() -> None:
    stories = [story(name, completed="2026-03-02") for name in ("ST-10", "ST-9", "st-11")]
    assert names(*stories) == ["ST-9", "ST-10", "st-11"]


def test_a_story_that_is_not_committed_is_the_newest() -> None:
    assert names(story("A"), story("B", committed="2026-03-02")) == ["B", "A"]


def test_what_is_no_date_is_no_date() -> None:
    wrong = story("A", completed="soon", committed="2026-03-02")
    beyond = story("B", completed="0001-01-01T00:00:00+14:00")
    assert names(wrong, beyond, story("C", completed="2026-03-01")) == ["C", "A", "B"]
