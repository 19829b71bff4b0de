from __future__ import annotations

from collections.abc import Sequence

import pytest

from learnings.consolidation.routes import (
    Received,
    Route,
    RouteCandidate,
    TargetActivity,
    TargetIndex,
)
from learnings.consolidation.text.sections import TargetFile
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory, target

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
    activity: TargetActivity = TargetActivity(),  # noqa: B008  (immutable)
) -> list[tuple[RouteCandidate, ...]]:
    index = TargetIndex(targets, line_limit, activity)
    return [Route(index, entry).candidates for entry in document.entries]


def paths(candidates: Sequence[RouteCandidate]) -> list[str]:
    return [candidate.section.path for candidate in candidates]


def test_the_file_with_the_words_comes_first_with_its_section() -> None:
    cache, deploy, nothing = ranked(MEMORY)
    assert cache[0].section.title == "Cache keys"
    assert cache[0].section.line == 3
    assert cache[0].why[0] == "shared words: key, tenant, locale, cache"
    assert paths(deploy)[0] == "docs/deploy.md"
    assert nothing == ()


def test_a_file_is_named_once_and_five_at_most() -> None:
    others = [(f"Swans {n}", f"Penguins {n}") for n in range(9)]
    many = [
        target(("Cache keys", "tenant"), ("Cache", "x"), *others, path=f"{n}.md") for n in range(9)
    ]
    candidates = ranked(MEMORY, many)[0]
    assert paths(candidates) == ["0.md", "1.md", "2.md", "3.md", "4.md"]


def test_the_best_three_sections_of_a_file_add_up() -> None:
    sections = [("A", "cache tenant"), ("B", "cache tenant"), ("C", "cache tenant")]
    others = [("D", "penguins"), ("E", "birds"), *((f"G{n}", f"swan{n}") for n in range(50))]
    files = [
        target(*sections[:2], *others, ("F", "swans"), path="a.md"),
        target(*sections, *others, path="b.md"),
        target(*sections, sections[0], *others[:1], path="c.md"),
    ]
    candidates = ranked(MEMORY, files)[0]
    assert paths(candidates) == ["b.md", "c.md", "a.md"]  # a fourth one adds nothing
    assert candidates[0].score == candidates[1].score > candidates[2].score


def test_the_name_of_a_file_counts() -> None:
    named = target(("One", "Penguins."), path="docs/old-tenants.md")
    other = target(("One", "Penguins."), path="docs/birds.md")
    assert paths(ranked(MEMORY, [other, named])[0]) == ["docs/old-tenants.md"]


def twins(**more: str) -> list[TargetFile]:
    return [
        target(("Cache keys", "The tenant" + more.get(name, "")), path=f"{name}.md")
        for name in "ab"
    ]


def test_what_received_more_or_changed_last_wins_between_equals() -> None:
    assert paths(ranked(MEMORY, twins())[0]) == ["a.md", "b.md"]
    changed = TargetActivity({}, {"a.md": 0.1, "b.md": 1.0})
    assert paths(ranked(MEMORY, twins(), activity=changed)[0]) == ["b.md", "a.md"]
    received = TargetActivity({"b.md": Received(3, "2026-03-11")}, {})
    candidates = ranked(MEMORY, twins(), activity=received)[0]
    assert paths(candidates) == ["b.md", "a.md"]
    assert candidates[0].why[1] == "received 3 entries before, last 2026-03-11"
    assert len(candidates[1].why) == 1


def test_a_heading_like_the_title_wins_between_equals() -> None:
    a = target(("Cache", "stale tenant"), path="a.md")
    b = target(("Stale tenant", "cache"), path="b.md")
    candidates = ranked(memory(("Stale tenant", "Penguins.")), [a, b])[0]
    assert paths(candidates) == ["b.md", "a.md"]
    assert candidates[0].why == (
        "shared words: Stale, tenant",
        "heading like the entry's title: “Stale tenant”",
    )


def test_a_word_of_most_files_is_no_reason_for_one_of_them() -> None:
    texts = {"a.md": "add a tenant", "b.md": "add a cache", "c.md": "penguins"}
    targets = [target(("Notes", text), path=path) for path, text in texts.items()]
    (candidates,) = ranked(memory(("Add tenants", "Read.")), targets)
    assert {c.section.path: c.why[0] for c in candidates} == {"a.md": "shared words: tenants"}
    (two,) = ranked(memory(("Add tenants", "Read.")), targets[:2])
    assert [c.why[0] for c in two] == ["shared words: tenants, Add", "shared words: Add"]


def test_a_heading_is_named_for_two_words_of_the_title_or_all() -> None:
    def why(title: str, heading: str) -> tuple[str, ...]:
        return ranked(memory((title, "Penguins.")), [target((heading, "x"))])[0][0].why[1:]

    assert why("Stale tenant", "Tenant") == ()
    assert why("Tenants", "A tenant") == ("heading like the entry's title: “A tenant”",)
    assert why("Stale tenant of caches", "Tenants cached") == (
        "heading like the entry's title: “Tenants cached”",
    )
    assert why("Stale tenant of caches after deploy", "Tenant cache") == (
        "heading like the entry's title: “Tenant cache”",
    )
    assert why("Stale tenant of caches after deploy with locale", "Tenant cache") == ()


def test_words_that_many_sections_have_are_not_named() -> None:
    sections = [(f"Number {n}", f"The cache of {chr(97 + n) * 4}.") for n in range(20)]
    (candidate,) = ranked(MEMORY, [target(*sections)])[0]
    assert candidate.why == ("shares only common words",)
    (candidate,) = ranked(MEMORY, [target(*sections, ("Last", "The cache of a tenant."))])[0]
    assert candidate.why == ("shared words: tenant",)


def test_five_words_are_named_as_in_a_sentence() -> None:
    words = "Alpha beta gamma delta epsilon zeta, and alpha."
    (candidate,) = ranked(memory(("Stale", words)), [target(("Other", words))])[0]
    names = candidate.why[0].removeprefix("shared words: ").split(", ")
    assert len(names) == 5
    assert "Alpha" not in names


def test_words_without_spaces_are_named_whole() -> None:
    document = memory(("消息队列", "消息队列丢失了邮件。"))
    (candidate,) = ranked(document, [target(("邮件重复", "消息队列里的邮件。"))])[0]
    assert candidate.why == ("shared words: 邮件, 消息队列",)


def test_one_word_in_common_is_no_reason_among_three_files() -> None:
    document = memory(("Stale tenant", "Swans."))
    targets = [target(("Tenant", "x"), path=f"{name}.md") for name in "abc"]
    assert ranked(document, targets) == [()]
    assert paths(ranked(document, targets[:2])[0]) == ["a.md", "b.md"]


def test_a_full_file_is_shown_and_never_first() -> None:
    crowded, roomy = twins(a="\n" * 9)
    lines, needed = crowded.lines, len(MEMORY.entries[0].lines)
    full = ranked(MEMORY, [crowded, roomy], line_limit=lines)[0]
    assert [(c.section.path, c.full) for c in full] == [("b.md", False), ("a.md", True)]
    assert (full[1].lines, full[1].why[1]) == (lines, f"full: {lines} lines, limit {lines}")
    near = ranked(MEMORY, [crowded, roomy], line_limit=lines + needed - 1)[0]
    assert [(c.section.path, c.full) for c in near] == [("a.md", False), ("b.md", False)]
    assert near[0].why[1] == f"little room: {lines} lines, limit {lines + needed - 1}"
    assert len(ranked(MEMORY, [crowded, roomy], line_limit=lines + needed)[0][0].why) == 1


def test_all_files_are_full() -> None:
    candidates = ranked(MEMORY, line_limit=1)[0]
    assert [candidate.full for candidate in candidates] == [True] * len(candidates)


def test_history_alone_makes_no_candidate() -> None:
    activity = TargetActivity({DEPLOY.path: Received(90, "2026-03-11")}, {DEPLOY.path: 1.0})
    cache, _, nothing = ranked(MEMORY, activity=activity)
    assert paths(cache) == [CACHE.path]
    assert nothing == ()


def test_no_targets_no_sections_no_entries() -> None:
    assert ranked(MEMORY, []) == [(), (), ()]
    assert ranked(MEMORY, [target(path="empty.md")]) == [(), (), ()]
    assert ranked(memory()) == []


@pytest.mark.parametrize("title", ["the of", "42", "—"])
def test_an_entry_without_words_has_no_target(title: str) -> None:
    assert ranked(memory((title, "and 3"))) == [()]


def test_only_targets_in_the_script_of_the_entry_are_candidates() -> None:
    russian = target(("Кэш", "Ключ кэша хранит арендатора."), path="ru.md")
    chinese = target(("缓存", "缓存的键包含租户。"), path="zh.md")
    document = memory(
        ("Ключ кэша", "В ключе кэша нет арендатора."),
        ("缓存键", "缓存键缺少租户。"),
        ("Cache key", "The cache key lacks the tenant."),
    )
    rankings = ranked(document, [russian, chinese, CACHE])
    assert [paths(ranking) for ranking in rankings] == [["ru.md"], ["zh.md"], ["docs/cache.md"]]


def test_a_list_item_is_routed_by_all_of_its_line() -> None:
    document = read(b"- 2026-02-01: **Odd** the cache key lacks the tenant\n- 2026-02-02: x y\n")
    assert paths(ranked(document)[0]) == ["docs/cache.md"]
