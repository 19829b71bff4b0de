"""The ranking of target files."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from learnings.consolidation.routes.routes import FIT_WEIGHTS, RouteCandidate, Weights, routes
from learnings.consolidation.routes.target_activity import Received, TargetActivity
from learnings.consolidation.text.sections import TargetFile
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory, target

ALONE = Weights(FIT_WEIGHTS._replace(neighbours=0.0, beside=0.0))
CACHE = target(
    ("Cache keys", "The cache key holds tenant and locale."),
    ("Cache time", "Negative answers are cached briefly."),
    path="docs/cache.md",
)
DEPLOY = target(
    ("Rolling deploy", "Deploy one percent first and watch crashes."),
    ("Migrations", "Run them in a transaction before the deploy."),
    path="docs/deploy.md",
)
MEMORY = memory(
    ("Stale tenant", "The cache key lacked the locale of the tenant."),
    ("Crash after deploy", "Watch crashes and roll back the deploy."),
    ("Unrelated", "Penguins swim."),
)


def ranked(
    document: Document,
    targets: Sequence[TargetFile] = (CACHE, DEPLOY),
    *,
    line_limit: int = 400,
    activity: TargetActivity | None = None,
    weights: Weights | None = ALONE,
) -> list[tuple[RouteCandidate, ...]]:
    entries = document.entries
    ranking = routes(
        entries, entries, targets, line_limit=line_limit, activity=activity, weights=weights
    )
    assert [route.entry for route in ranking] == list(entries)
    return [route.candidates for route in ranking]


def paths(candidates: Sequence[RouteCandidate]) -> list[str]:
    return [candidate.section.path for candidate in candidates]


def test_the_file_with_the_words_comes_first_with_its_section_and_the_words() -> None:
    cache, deploy, nothing = ranked(MEMORY)
    assert cache[0].section.title == "Cache keys"
    assert cache[0].section.line == 3
    assert cache[0].why == ("shared words: key, tenant, cache, locale",)
    assert paths(deploy)[0] == "docs/deploy.md"
    assert nothing == ()


def test_a_file_is_named_once_and_five_at_most() -> None:
    many = [target(("Cache keys", "tenant"), ("Cache", "x"), path=f"{n}.md") for n in range(9)]
    candidates = ranked(MEMORY, many)[0]
    assert paths(candidates) == ["0.md", "1.md", "2.md", "3.md", "4.md"]


def test_fenced_examples_do_not_count() -> None:
    fenced = target(("Empty", "```\ncache key tenant locale\n```"), path="docs/a.md")
    assert paths(ranked(MEMORY, [fenced, CACHE])[0]) == ["docs/cache.md"]


def twins(**more: str) -> list[TargetFile]:
    return [
        target(("Cache keys", "The tenant" + more.get(name, "")), path=f"{name}.md")
        for name in "ab"
    ]


def test_what_received_more_or_grew_lately_wins_between_equals() -> None:
    assert paths(ranked(MEMORY, twins())[0]) == ["a.md", "b.md"]
    grown = TargetActivity({}, {"b.md": 40.0})
    assert paths(ranked(MEMORY, twins(), activity=grown)[0]) == ["b.md", "a.md"]
    received = TargetActivity({"b.md": Received(3, "2026-03-11", 2.5)}, {})
    candidates = ranked(MEMORY, twins(), activity=received)[0]
    assert paths(candidates) == ["b.md", "a.md"]
    assert candidates[0].why[1] == "received 3 entries before, last 2026-03-11"
    assert len(candidates[1].why) == 1


def test_a_full_file_is_said_to_be_and_one_without_room_comes_later() -> None:
    crowded, roomy = twins(a="\n" * 9)
    lines, needed = crowded.lines, len(MEMORY.entries[0].lines)
    full = ranked(MEMORY, [crowded, roomy], line_limit=lines)[0]
    assert [(c.section.path, c.full) for c in full] == [("b.md", False), ("a.md", True)]
    assert (full[1].lines, full[1].why[1]) == (lines, f"full: {lines} lines, limit {lines}")
    assert len(full[0].why) == 1
    near = ranked(MEMORY, [crowded, roomy], line_limit=lines + needed - 1)[0]
    assert [(c.section.path, c.full) for c in near] == [("b.md", False), ("a.md", False)]
    assert near[1].why[1] == f"little room: {lines} lines, limit {lines + needed - 1}"
    fits = ranked(MEMORY, [crowded, roomy], line_limit=lines + needed)[0]
    assert paths(fits) == ["a.md", "b.md"]


def test_what_a_file_without_room_received_does_not_count() -> None:
    crowded, roomy = twins(a="\n" * 9)
    activity = TargetActivity({"a.md": Received(9, "2026-03-11", 9.0)}, {"a.md": 400.0})
    limit = crowded.lines + len(MEMORY.entries[0].lines)
    assert (
        paths(ranked(MEMORY, [crowded, roomy], line_limit=limit, activity=activity)[0])[0] == "a.md"
    )
    assert (
        paths(ranked(MEMORY, [crowded, roomy], line_limit=limit - 1, activity=activity)[0])[0]
        == "b.md"
    )


@pytest.mark.parametrize("fit_weights", [{"neighbours": 0.0}, {"beside": 0.0, "neighbours": 1.0}])
def test_entries_near_by_position_or_words_add_to_the_fit(fit_weights: dict[str, float]) -> None:
    weights = Weights(FIT_WEIGHTS._replace(**fit_weights))  # type: ignore[arg-type]
    document = memory(
        ("Cache of the tenant", "Locale and key of the tenant cache, with penguins."),
        ("Deploy of penguins", "Cache penguins."),
        ("Other", "Entirely different matter without any of it."),
    )
    targets = [
        target(("Penguins", "Deploy penguins."), path="a.md"),
        target(("Keys", "Cache key, tenant, locale. Cache."), path="b.md"),
    ]
    alone = {c.section.path: c.score for c in ranked(document, targets)[1]}
    pulled = {c.section.path: c.score for c in ranked(document, targets, weights=weights)[1]}
    assert pulled["b.md"] - alone["b.md"] > pulled["a.md"] - alone["a.md"]


def test_only_the_wanted_are_routed_and_the_others_still_count() -> None:
    entries = MEMORY.entries
    (route,) = routes(entries[1:2], entries, [CACHE, DEPLOY], line_limit=400)
    assert route.entry is entries[1]


def test_no_targets_no_sections_no_entries() -> None:
    assert ranked(MEMORY, []) == [(), (), ()]
    assert ranked(MEMORY, [target(path="empty.md")]) == [(), (), ()]
    assert ranked(memory()) == []


def test_a_list_item_is_routed_by_all_of_its_line() -> None:
    document = read(b"- 2026-02-01: **Odd** the cache key lacks the tenant\n- 2026-02-02: x y\n")
    assert paths(ranked(document)[0]) == ["docs/cache.md"]
